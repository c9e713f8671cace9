//! Small helpers for text that people read.

/// `1 state`, `2 states`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `text`, padded with blanks to `width` characters. `{text:<width$}` would panic for widths above 65,535.
#[must_use]
pub fn padded(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(blanks))
}

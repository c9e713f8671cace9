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

/// Rows as aligned columns, two blanks apart.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| padded(cell, width)).collect();
        format!("  {}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

//! Names of letters as a reader can see them: any non-empty string may be one, also a line break or an accent.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Stands for what was cut.
pub(super) const ELLIPSIS: char = '…';

/// The name with nothing in it that would not show.
pub(super) fn visible(name: &str) -> String {
    let mut text = String::new();
    for (i, c) in name.chars().enumerate() {
        match c {
            ' ' => text.push('␣'),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if hides(c, i == 0) => text.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

/// Whether a character shows nothing, changes its neighbours, or may not stand in XML. An accent is fine on a letter.
fn hides(c: char, first: bool) -> bool {
    c.is_control()
        || c.is_whitespace()
        || (first && c.width() == Some(0))
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
}

/// A name of at most this many columns, cut in the middle: names that begin alike often end differently.
pub(super) fn shortened(name: &str, columns: usize) -> String {
    if name.width() <= columns {
        return name.to_owned();
    }
    let fitting = |chars: &mut dyn Iterator<Item = char>, columns: usize| {
        let mut used = 0;
        let mut kept = Vec::new();
        for c in chars {
            used += c.width().unwrap_or(0);
            // The second bound is for names that are all accents.
            if used > columns || kept.len() > 4 * columns {
                break;
            }
            kept.push(c);
        }
        kept
    };
    let head = fitting(&mut name.chars(), columns * 3 / 5);
    let mut tail = fitting(&mut name.chars().rev(), columns * 2 / 5 - 1);
    tail.reverse();
    head.into_iter().chain([ELLIPSIS]).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_show_is_spelt() {
        assert_eq!(visible("read file"), "read␣file");
        assert_eq!(visible("a\r\n\tb\u{7}\u{a0}"), r"a\r\n\tb\u{7}\u{a0}");
        assert_eq!(visible("\u{202e}abc\u{200b}"), r"\u{202e}abc\u{200b}");
        assert_eq!(visible("\u{301}e\u{301}"), "\\u{301}e\u{301}", "an accent needs a letter before it");
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("login", 10), "login");
        assert_eq!(shortened("connection established", 10), "connec…hed");
        assert_eq!(shortened("語語語語語語語語", 10).width(), 9, "half a character does not fit");
        let accents = format!("wide enough {}", "e\u{301}".repeat(1000));
        assert!(shortened(&accents, 10).len() < 200);
    }
}

//! Sets of letters as short text.
//!
//! Few letters are listed: `a, b`. Characters become a class as soon as three follow each other or there are four of
//! them: `[a-z0-9]`, `[aeiou]`. A set that lacks almost nothing and would take long to list is described by what it
//! lacks: `[^a]` for characters, `Σ∖{login}` if letters are longer. Σ alone is the whole alphabet. A label that would
//! take too many lines is cut, and the cut says how many letters it hides.

use unicode_width::UnicodeWidthStr;

use super::name::{ELLIPSIS, shortened, visible};
use crate::alphabet::{Alphabet, Spelling, byte_of_name};
use crate::ids::Letter;

/// The width of a column of text, for a fixed-width font of [`FONT_SIZE`].
const COLUMN: f64 = 8.5;
pub(super) const FONT_SIZE: f64 = 14.0;
pub(super) const LINE_HEIGHT: f64 = 16.0;

const MOST_COLUMNS: usize = 18;
const MOST_LINES: usize = 4;

/// Lines of text, ready to print but for escaping.
#[derive(Debug)]
pub(super) struct Label {
    lines: Vec<String>,
}

impl Label {
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(super) fn width(&self) -> f64 {
        COLUMN * self.lines.iter().map(|line| line.width()).max().unwrap_or(0) as f64
    }

    pub(super) fn height(&self) -> f64 {
        LINE_HEIGHT * self.lines.len() as f64
    }
}

/// Part of a label that stays on one line, and the number of letters it stands for.
struct Piece {
    text: String,
    letters: usize,
}

/// Writes labels over one alphabet.
pub(super) struct Labels<'a> {
    alphabet: &'a Alphabet,
    spelling: Spelling,
    /// Whether Σ is a letter and cannot stand for the alphabet.
    has_sigma: bool,
}

impl<'a> Labels<'a> {
    pub(super) fn new(alphabet: &'a Alphabet) -> Self {
        Self { alphabet, spelling: alphabet.spelling(), has_sigma: alphabet.find("Σ").is_some() }
    }

    /// The label for these letters, which are sorted and at least one.
    pub(super) fn of(&self, letters: &[Letter]) -> Label {
        let label = self.short(letters);
        // The whole alphabet in one sign, where it takes more than a line, or names that are longer than that sign.
        let whole = letters.len() == self.alphabet.len() && letters.len() >= 4 && !self.has_sigma;
        if whole && (label.lines.len() > 1 || self.spelling == Spelling::Tokens) {
            return Label { lines: vec!["Σ".to_owned()] };
        }
        label
    }

    fn short(&self, letters: &[Letter]) -> Label {
        let all = self.alphabet.len();
        let lacking = all - letters.len();
        let nearly_all = all >= 4 && lacking >= 1 && lacking <= (all / 8).max(1);
        let (codes, tokens) = self.split(letters);
        if nearly_all {
            let mut rest = letters.iter().peekable();
            let lacks: Vec<Letter> =
                self.alphabet.letters().filter(|letter| rest.next_if_eq(&letter).is_none()).collect();
            let (lacked_codes, lacked_tokens) = self.split(&lacks);
            if self.spelling != Spelling::Tokens {
                let (with, without) = (pieces(&codes, self), pieces(&lacked_codes, self));
                // What is there is clearer than what is not, unless it takes long to say.
                let columns: usize = 2 + with.iter().map(|piece| piece.text.width()).sum::<usize>();
                if columns > MOST_COLUMNS && without.len() < with.len() {
                    return wrap("[^", without, "", "]");
                }
            } else if !self.has_sigma && letters.len() > 4 {
                let mut list = pieces_of_list(&lacked_codes, self);
                list.extend(lacked_tokens);
                return wrap("Σ∖{", list, ", ", "}");
            }
        }
        let in_a_row = codes.iter().any(|(first, last)| last - first >= 2);
        let count = codes.iter().map(length).sum();
        // In a list, the letter `,` would look like a separator.
        let comma = count > 1 && codes.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(',')));
        if !(in_a_row || comma || count >= 4) {
            let mut list = pieces_of_list(&codes, self);
            list.extend(tokens);
            return wrap("", list, ", ", "");
        }
        let class = pieces(&codes, self);
        if tokens.is_empty() {
            return wrap("[", class, "", "]");
        }
        let text = wrap("[", class, "", "]").lines.concat();
        let mut list = vec![Piece { text, letters: count }];
        list.extend(tokens);
        wrap("", list, ", ", "")
    }

    /// The code points or bytes among the letters as ranges, sorted, and the longer names.
    fn split(&self, letters: &[Letter]) -> (Vec<(u32, u32)>, Vec<Piece>) {
        let (mut codes, mut tokens) = (Vec::new(), Vec::new());
        for &letter in letters {
            let name = self.alphabet.name(letter);
            let mut chars = name.chars();
            let code = match (self.spelling, chars.next(), chars.next()) {
                (Spelling::Classes, ..) => {
                    codes.extend(self.alphabet.ranges(letter).map(|(first, last)| (first.into(), last.into())));
                    continue;
                }
                (Spelling::Bytes, ..) => byte_of_name(name).map(u32::from),
                (_, Some(c), None) => Some(u32::from(c)),
                _ => None,
            };
            match code {
                Some(code) => codes.push((code, code)),
                None => tokens.push(Piece { text: shortened(&visible(name), MOST_COLUMNS), letters: 1 }),
            }
        }
        codes.sort_unstable();
        let runs = codes.chunk_by(|before, after| before.1 + 1 == after.0);
        (runs.map(|run| (run[0].0, run[run.len() - 1].1)).collect(), tokens)
    }

    /// A character or byte by itself.
    fn single(&self, code: u32) -> String {
        match char::from_u32(code) {
            Some(c) if self.spelling != Spelling::Bytes || c.is_ascii() => visible(c.encode_utf8(&mut [0; 4])),
            _ => format!("\\x{code:02X}"),
        }
    }

    /// A character or byte in brackets.
    fn member(&self, code: u32) -> String {
        match char::from_u32(code) {
            Some(c @ ('[' | ']' | '^' | '-' | '\\')) => format!("\\{c}"),
            _ => self.single(code),
        }
    }
}

/// How many code points a range has.
fn length((first, last): &(u32, u32)) -> usize {
    (last - first + 1) as usize
}

/// The members of a class, three or more in a row as a range: those that start at a letter, at a digit, then others.
fn pieces(codes: &[(u32, u32)], labels: &Labels<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut runs = codes.to_vec();
    runs.sort_by_key(|run| match char::from_u32(run.0) {
        Some(c) if c.is_alphabetic() => 0,
        Some(c) if c.is_numeric() => 1,
        Some('-') if length(run) < 3 => 3,
        _ => 2,
    });
    for run in runs {
        let (first, last) = run;
        if length(&run) >= 3 {
            let text = format!("{}-{}", labels.member(first), labels.member(last));
            pieces.push(Piece { text, letters: length(&run) });
        } else {
            pieces.extend((first..=last).map(|code| Piece { text: labels.member(code), letters: 1 }));
        }
    }
    if let Some(last) = pieces.last_mut().filter(|last| last.text == "\\-") {
        // At the end it cannot be taken for a range.
        last.text = "-".to_owned();
    }
    pieces
}

fn pieces_of_list(codes: &[(u32, u32)], labels: &Labels<'_>) -> Vec<Piece> {
    let codes = codes.iter().flat_map(|&(first, last)| first..=last);
    codes.map(|code| Piece { text: labels.single(code), letters: 1 }).collect()
}

/// The pieces on as few lines as they need; those that do not fit are counted.
fn wrap(open: &str, pieces: Vec<Piece>, separator: &str, close: &str) -> Label {
    let mut lines = Vec::new();
    let mut line = open.to_owned();
    let mut empty = true;
    let count = pieces.len();
    let mut hidden: usize = pieces.iter().map(|piece| piece.letters).sum();
    for (i, piece) in pieces.into_iter().enumerate() {
        let end = if i + 1 == count { close } else { separator.trim_end() };
        let space = if empty || separator.is_empty() { "" } else { " " };
        if !empty && line.width() + space.len() + piece.text.width() + end.width() > MOST_COLUMNS {
            if lines.len() + 1 == MOST_LINES {
                let text = format!(" {ELLIPSIS} +{hidden}{close}");
                line.push_str(&text);
                lines.push(line);
                return Label { lines };
            }
            lines.push(std::mem::take(&mut line));
        } else {
            line.push_str(space);
        }
        line.push_str(&piece.text);
        line.push_str(end);
        hidden -= piece.letters;
        empty = false;
    }
    lines.push(line);
    Label { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the label for `letters` over `alphabet`, joined by `|`.
    fn label(alphabet: &Alphabet, letters: &[&str]) -> String {
        let mut letters: Vec<Letter> = letters.iter().map(|name| alphabet.find(name).unwrap()).collect();
        letters.sort_unstable();
        Labels::new(alphabet).of(&letters).lines.join("|")
    }

    fn chars(alphabet: &str, letters: &str) -> String {
        let letters: Vec<String> = letters.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        label(&Alphabet::of_chars(alphabet), &letters)
    }

    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const IDENTIFIER: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

    #[test]
    fn few_letters_are_listed_and_more_are_a_class() {
        assert_eq!(chars("ab", "a"), "a");
        assert_eq!(chars("ab", "ab"), "a, b");
        assert_eq!(chars("abc", "abc"), "[a-c]");
        assert_eq!(chars(LOWER, "ace"), "a, c, e");
        assert_eq!(chars(LOWER, "aeiou"), "[aeiou]");
        assert_eq!(chars(LOWER, "abcdxz"), "[a-dxz]");
        assert_eq!(chars(IDENTIFIER, IDENTIFIER), "[A-Za-z0-9_]");
        assert_eq!(chars(IDENTIFIER, &IDENTIFIER[10..]), "[A-Za-z_]");
        assert_eq!(chars("a,b", ",a"), "[a,]", "a list would hide the comma");
        assert_eq!(chars("+,-./", "+,-./"), "[+-/]");
        assert_eq!(chars("-]^a", "-]^a"), r"[a\]\^-]");
    }

    #[test]
    fn what_is_nearly_everything_is_told_by_what_is_missing() {
        assert_eq!(chars("abcd", "bcd"), "[b-d]");
        assert_eq!(chars("abcd", "acd"), "a, c, d");
        assert_eq!(chars("acegikmoqsuwy.,;:!?", "acegikmoqsuwy.;:!?"), "[^,]");
        assert_eq!(chars("abcd", "bd"), "b, d");
        assert_eq!(chars("abc", "bc"), "b, c", "three letters are few enough");
        assert_eq!(chars(LOWER, "abcdefghijklmnoprstuvwxyz"), "[a-pr-z]");
        assert_eq!(chars("-0123456789", "0123456789"), "[0-9]", "a whole run reads better than what it is not");
        let tokens = Alphabet::new(["login", "logout", "read", "write"]).unwrap();
        assert_eq!(label(&tokens, &["logout", "read", "write"]), "logout, read,|write");
        let many = Alphabet::new(["login", "logout", "read", "write", "seek", "tell"]).unwrap();
        assert_eq!(label(&many, &["logout", "read", "seek", "tell", "write"]), "Σ∖{login}");
        assert_eq!(label(&tokens, &["login", "logout", "read", "write"]), "Σ");
        assert_eq!(label(&tokens, &["login", "write"]), "login, write");
    }

    #[test]
    fn invisible_letters_show() {
        assert_eq!(chars(" \n\t\u{7}", " "), "␣");
        assert_eq!(chars(" \n\t\u{7}", "\n\u{7}"), r"\u{7}, \n");
        assert_eq!(chars("e\u{301}", "\u{301}"), r"\u{301}");
        assert_eq!(chars("\u{ffff}", "\u{ffff}"), r"\u{ffff}");
    }

    #[test]
    fn classes_merge() {
        let alphabet = Alphabet::new(["[0-9]", "[a-f]", "[g-z]", "+", "[.\\-]"]).unwrap();
        assert_eq!(alphabet.spelling(), Spelling::Classes);
        assert_eq!(label(&alphabet, &["[0-9]"]), "[0-9]");
        assert_eq!(label(&alphabet, &["[0-9]", "[a-f]"]), "[a-f0-9]");
        assert_eq!(label(&alphabet, &["[a-f]", "[g-z]"]), "[a-z]");
        assert_eq!(label(&alphabet, &["+", "[.\\-]"]), "+, -, .");
    }

    #[test]
    fn bytes_make_ranges_too() {
        let bytes = Alphabet::new((0..=255).map(crate::alphabet::byte_name)).unwrap();
        let high: Vec<String> = (0x80..=0xbf).map(crate::alphabet::byte_name).collect();
        let high: Vec<&str> = high.iter().map(String::as_str).collect();
        assert_eq!(label(&bytes, &high), r"[\x80-\xBF]");
    }

    #[test]
    fn long_lists_wrap_and_are_cut() {
        let names: Vec<String> = (0..40).map(|i| format!("token{i:02}")).collect();
        let alphabet = Alphabet::new(names.iter().cloned()).unwrap();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(label(&alphabet, &names[..3]), "token00, token01,|token02");
        let long = label(&alphabet, &names[..25]);
        assert!(long.ends_with("token06, token07, … +17"), "{long}");
    }

    #[test]
    fn wide_characters_count_twice() {
        let one = Alphabet::of_chars("語");
        assert_eq!(Labels::new(&one).of(&[Letter::new(0)]).width(), 2.0 * COLUMN);
    }
}

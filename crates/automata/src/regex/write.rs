//! Expressions as text, in the syntax of the `regex` crate.
//!
//! Over bytes the pattern is wrapped in `(?-u:…)`. Over tokens a letter of more than one character stands between
//! angle brackets: `<login>`; that is a valid pattern too, over the text in which each token is written so.

use super::Node;
use crate::alphabet::{Alphabet, Spelling, byte_of_name};
use crate::ids::Letter;

/// How tightly an operator binds: what stands inside a tighter one needs parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tightness {
    Alt,
    Concat,
    Repeat,
}

pub(super) fn pattern(node: &Node, alphabet: &Alphabet) -> String {
    let spelling = alphabet.spelling();
    let mut writer = Writer { alphabet, spelling, out: String::new() };
    if *node == Node::Empty {
        return "(?:)".to_owned();
    }
    writer.node(node, Tightness::Alt);
    if spelling == Spelling::Bytes { format!("(?-u:{})", writer.out) } else { writer.out }
}

struct Writer<'a> {
    alphabet: &'a Alphabet,
    spelling: Spelling,
    out: String,
}

impl Writer<'_> {
    fn node(&mut self, node: &Node, around: Tightness) {
        match node {
            Node::Nothing => self.out.push_str(r"[^\s\S]"),
            Node::Empty => self.out.push_str("()"),
            Node::Class(letters) => self.class(letters, around),
            Node::Concat(parts) => self.grouped(around > Tightness::Concat, |this| {
                for part in parts {
                    this.node(part, Tightness::Concat);
                }
            }),
            Node::Alt(parts) => self.grouped(around > Tightness::Alt, |this| {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        this.out.push('|');
                    }
                    this.node(part, Tightness::Alt);
                }
            }),
            Node::Repeat { node, min, max } => self.repeat(node, *min, *max, around),
        }
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, around: Tightness) {
        let count = match (min, max) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        };
        let text = |around| {
            let mut part = Self { out: String::new(), ..*self };
            part.node(node, around);
            part.out
        };
        let counted = text(Tightness::Repeat) + &count;
        let repeated = (max == Some(min)).then(|| text(Tightness::Concat));
        // aa is no longer than a{2}.
        let written = match repeated {
            Some(once) if once.chars().count().saturating_mul(min as usize) <= counted.chars().count() => {
                once.repeat(min as usize)
            }
            _ => counted,
        };
        self.grouped(around == Tightness::Repeat, |this| this.out.push_str(&written));
    }

    fn grouped(&mut self, parentheses: bool, write: impl FnOnce(&mut Self)) {
        if parentheses {
            self.out.push('(');
        }
        write(self);
        if parentheses {
            self.out.push(')');
        }
    }

    fn class(&mut self, letters: &[Letter], around: Tightness) {
        let names: Vec<&str> = letters.iter().map(|&letter| self.alphabet.name(letter)).collect();
        if self.spelling == Spelling::Bytes {
            let bytes = names.iter().filter_map(|name| byte_of_name(name)).map(u32::from).collect();
            self.set_of(bytes, |number| byte_pattern(number as u8));
            return;
        }
        let is_token = |name: &&&str| name.chars().nth(1).is_some();
        let chars: Vec<u32> =
            names.iter().filter(|name| !is_token(name)).flat_map(|name| name.chars()).map(u32::from).collect();
        let tokens: Vec<String> = names.iter().filter(is_token).map(|name| token_pattern(name)).collect();
        let alternatives = tokens.len() + usize::from(!chars.is_empty());
        self.grouped(
            alternatives > 1 && around > Tightness::Alt || !tokens.is_empty() && around == Tightness::Repeat,
            |this| {
                if !chars.is_empty() {
                    let tokens = this.spelling == Spelling::Tokens;
                    this.set_of(chars, |number| match char::from_u32(number) {
                        Some(bracket @ ('<' | '>')) if tokens => bracket_pattern(bracket),
                        Some(c) => char_pattern(c),
                        None => String::new(),
                    });
                }
                for (i, token) in tokens.iter().enumerate() {
                    if i > 0 || alternatives > tokens.len() {
                        this.out.push('|');
                    }
                    this.out.push_str(token);
                }
            },
        );
    }

    /// One of these code points or bytes, which are sorted: itself when it is the only one, else in brackets, three or
    /// more in a row as a range, in the order in which people list them: `[A-Za-z0-9_]`.
    fn set_of(&mut self, numbers: Vec<u32>, write: impl Fn(u32) -> String) {
        if let [only] = numbers[..] {
            self.out.push_str(&write(only));
            return;
        }
        let mut runs: Vec<&[u32]> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
        runs.sort_by_key(|run| match char::from_u32(run[0]) {
            Some('A'..='Z') => 0,
            Some('a'..='z') => 1,
            Some('0'..='9') => 2,
            _ => 3,
        });
        self.out.push('[');
        for run in runs {
            match run {
                [first, .., last] if run.len() > 2 => {
                    self.in_brackets(write(*first));
                    self.out.push('-');
                    self.in_brackets(write(*last));
                }
                run => run.iter().for_each(|&number| self.in_brackets(write(number))),
            }
        }
        self.out.push(']');
    }

    /// Inside brackets `-`, `&&` and `~~` mean more than themselves, and most signs that mean more outside do not.
    fn in_brackets(&mut self, pattern: String) {
        const PLAIN: &str = ".+*?()|{}$";
        match pattern.strip_prefix('\\') {
            Some(sign) if PLAIN.contains(sign) => self.out.push_str(sign),
            None if matches!(pattern.as_str(), "-" | "&" | "~") => self.out.push_str(&format!("\\{pattern}")),
            _ => self.out.push_str(&pattern),
        }
    }
}

/// A character so that it stands for itself.
fn char_pattern(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        // Escaped by others for the sake of brackets and of patterns with remarks.
        '-' | '&' | '~' | '#' => c.to_string(),
        c if c.is_control() || (c.is_whitespace() && c != ' ') => format!("\\u{{{:X}}}", u32::from(c)),
        c => regex_syntax::escape(c.encode_utf8(&mut [0; 4])),
    }
}

fn byte_pattern(byte: u8) -> String {
    if byte.is_ascii() { char_pattern(char::from(byte)) } else { format!("\\x{byte:02X}") }
}

fn token_pattern(name: &str) -> String {
    let pattern = |c| if matches!(c, '<' | '>') { bracket_pattern(c) } else { char_pattern(c) };
    let inner: String = name.chars().map(pattern).collect();
    format!("<{inner}>")
}

/// `<` and `>` where they would begin or end a token's name: by number, since `\<` is an assertion.
fn bracket_pattern(c: char) -> String {
    format!("\\x{:02X}", u32::from(c))
}

//! Expressions as text, in the syntax of the `regex` crate.
//!
//! Over bytes the pattern is wrapped in `(?-u:…)`. Over tokens a letter of more than one character is written in
//! angle brackets: `<login>`. This is also a valid pattern for text in which each token is written that way.

use super::Node;
use crate::alphabet::{Alphabet, Spelling, byte_of_name};
use crate::class::{Class, char_pattern, pattern_of};
use crate::ids::Letter;

/// How tightly the outermost operator of a pattern binds: inside a tighter one it needs parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tightness {
    Alt,
    Concat,
    Repeat,
    Atom,
}

pub(super) fn pattern(node: &Node, alphabet: &Alphabet) -> String {
    let spelling = alphabet.spelling();
    let (pattern, _) = Writer { alphabet, spelling }.node(node);
    match (node, spelling) {
        (Node::Empty, _) => "(?:)".to_owned(),
        (_, Spelling::Bytes) => format!("(?-u:{pattern})"),
        _ => pattern,
    }
}

struct Writer<'a> {
    alphabet: &'a Alphabet,
    spelling: Spelling,
}

/// The pattern, in parentheses if it binds less tightly than `wanted`.
fn grouped((pattern, tightness): (String, Tightness), wanted: Tightness) -> String {
    if tightness < wanted { format!("({pattern})") } else { pattern }
}

impl Writer<'_> {
    fn node(&self, node: &Node) -> (String, Tightness) {
        match node {
            Node::Nothing => (r"[^\s\S]".to_owned(), Tightness::Atom),
            Node::Empty => ("()".to_owned(), Tightness::Atom),
            Node::Class(letters) => self.class(letters),
            Node::Concat(parts) => {
                let parts = parts.iter().map(|part| grouped(self.node(part), Tightness::Concat));
                (parts.collect(), Tightness::Concat)
            }
            Node::Alt(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.node(part).0).collect();
                (parts.join("|"), Tightness::Alt)
            }
            Node::Repeat { node, min, max } => self.repeat(node, *min, *max),
        }
    }

    fn repeat(&self, node: &Node, min: u32, max: Option<u32>) -> (String, Tightness) {
        let count = match (min, max) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        };
        let body = self.node(node);
        let counted = grouped(body.clone(), Tightness::Atom) + &count;
        if max == Some(min) {
            // aa is not longer than a{2}.
            let once = grouped(body, Tightness::Concat);
            if once.chars().count().saturating_mul(min as usize) <= counted.chars().count() {
                return (once.repeat(min as usize), Tightness::Concat);
            }
        }
        (counted, Tightness::Repeat)
    }

    fn class(&self, letters: &[Letter]) -> (String, Tightness) {
        if self.spelling == Spelling::Classes {
            let whole = Class::new(letters.iter().flat_map(|&letter| self.alphabet.ranges(letter)));
            return (whole.pattern(), Tightness::Atom);
        }
        let names: Vec<&str> = letters.iter().map(|&letter| self.alphabet.name(letter)).collect();
        if self.spelling == Spelling::Bytes {
            let bytes = names.iter().filter_map(|name| byte_of_name(name)).map(u32::from);
            return (pattern_of(&runs(bytes), |number| byte_pattern(number as u8)), Tightness::Atom);
        }
        let is_token = |name: &&&str| name.chars().nth(1).is_some();
        let chars = runs(names.iter().filter(|name| !is_token(name)).flat_map(|name| name.chars()).map(u32::from));
        let mut alternatives: Vec<String> = names.iter().filter(is_token).map(|name| token_pattern(name)).collect();
        if alternatives.is_empty() {
            let pattern = |number| match char::from_u32(number) {
                Some(bracket @ ('<' | '>')) if self.spelling == Spelling::Tokens => bracket_pattern(bracket),
                Some(c) => char_pattern(c),
                None => String::new(),
            };
            return (pattern_of(&chars, pattern), Tightness::Atom);
        }
        if !chars.is_empty() {
            let chars: Vec<Letter> = letters.iter().copied().filter(|&c| !is_token(&&self.alphabet.name(c))).collect();
            alternatives.insert(0, self.class(&chars).0);
        }
        // To the `regex` crate a token is several characters.
        let tightness = if alternatives.len() > 1 { Tightness::Alt } else { Tightness::Concat };
        (alternatives.join("|"), tightness)
    }
}

/// Sorted numbers as ranges.
fn runs(numbers: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    runs
}

fn byte_pattern(byte: u8) -> String {
    if byte.is_ascii() { char_pattern(char::from(byte)) } else { format!("\\x{byte:02X}") }
}

/// A token in an expression: its name in angle brackets.
#[must_use]
pub fn token_pattern(name: &str) -> String {
    let pattern = |c| if matches!(c, '<' | '>') { bracket_pattern(c) } else { char_pattern(c) };
    let inner: String = name.chars().map(pattern).collect();
    format!("<{inner}>")
}

/// `<` and `>` where they could be read as token brackets: written by number, since `\<` is an assertion.
fn bracket_pattern(c: char) -> String {
    format!("\\x{:02X}", u32::from(c))
}

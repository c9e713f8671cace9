//! Letters, alphabets and words.
//!
//! A letter is identified by its *name*, a non-empty string: the character itself, a class of characters such as
//! `[0-9]`, a token such as `login`, or, for a byte outside ASCII, its number written `\xC3`. An [`Alphabet`] holds the
//! names sorted by code point, so that equal languages are written as equal bytes wherever they came from; a [`Letter`]
//! is a rank in that order.
//!
//! Alphabets are combined by name: the union has the names of both. A [`Shape`] such as `:number:` stands for all
//! tokens of that shape that are not letters themselves, so it may become several letters in a larger alphabet.
//! Classes and characters are combined by the characters they stand for: the union of `[0-9]` and `5` is `5` and
//! `[0-46-9]`, and the single letter `[0-9]` becomes two.
//!
//! Because a letter is its name, a file need not say what kind its letters are: `a` as a character, as a byte and as a
//! token is the same letter. The names decide how words are written: together if all letters are characters, classes or
//! bytes, separated otherwise.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::class::{Class, ClassTable};
use crate::ids::Letter;
use crate::shape::Shape;

/// How letters make up text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Each Unicode scalar value is a letter.
    Chars,
    /// Each Unicode scalar value is a letter or belongs to a class that is a letter.
    Classes,
    /// Each byte is a letter; those beyond ASCII are named `\x80` to `\xFF`.
    Bytes,
    /// Letters are separated by white space; a letter that contains white space or begins with `"` is quoted.
    Tokens,
}

impl Spelling {
    /// The names of the letters of `text`, in order.
    ///
    /// Fails for [`Spelling::Tokens`] if a quoted token is not closed.
    pub fn split(self, text: &str) -> Result<Vec<String>, WordError> {
        match self {
            Spelling::Chars | Spelling::Classes => Ok(text.chars().map(String::from).collect()),
            Spelling::Bytes => Ok(text.bytes().map(byte_name).collect()),
            Spelling::Tokens => split_tokens(text),
        }
    }
}

/// The name of a byte as a letter: the ASCII character, or `\x80` … `\xFF`.
#[must_use]
pub fn byte_name(byte: u8) -> String {
    if byte.is_ascii() { char::from(byte).to_string() } else { format!("\\x{byte:02X}") }
}

/// The byte that a letter's name stands for, if it is the name of a byte.
#[must_use]
pub fn byte_of_name(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [byte] => Some(*byte),
        [b'\\', b'x', _, _] => {
            let byte = u8::from_str_radix(&name[2..], 16).ok()?;
            (byte_name(byte) == name).then_some(byte)
        }
        _ => None,
    }
}

fn split_tokens(text: &str) -> Result<Vec<String>, WordError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let token = if rest.starts_with('"') {
            let (token, length) = unquote(rest).ok_or_else(|| WordError::Unclosed(rest.to_owned()))?;
            rest = &rest[length..];
            token
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let token = rest[..end].to_owned();
            rest = &rest[end..];
            token
        };
        if !token.is_empty() {
            tokens.push(token);
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Whether a terminal obeys a character instead of showing it: control characters, and those that turn the direction of
/// the text after them, which can make a name or a word look like another one.
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns
}

/// `name` in double quotes, with `\"`, `\\`, `\n`, `\r`, `\t` and `\u{…}` for characters that would not be visible.
#[must_use]
pub(crate) fn quote(name: &str) -> String {
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_obeyed(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Reads a name written by [`quote`] from the front of `text`; returns the name and the number of bytes read.
#[must_use]
pub(crate) fn unquote(text: &str) -> Option<(String, usize)> {
    let mut chars = text.char_indices();
    chars.next().filter(|&(_, c)| c == '"')?;
    let mut name = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((name, at + 1)),
            '\\' => match chars.next()?.1 {
                'n' => name.push('\n'),
                'r' => name.push('\r'),
                't' => name.push('\t'),
                'u' => {
                    let body = text[at + 2..].strip_prefix('{')?;
                    let digits = &body[..body.find('}')?];
                    name.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                    // The digits are ASCII, so the digits and the two braces take one byte per character.
                    chars.nth(digits.len() + 1)?;
                }
                other => name.push(other),
            },
            c => name.push(c),
        }
    }
    None
}

/// Why a text is not a word, or a list of letters is not an alphabet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// A letter that is not in the alphabet.
    #[error("unknown letter {letter}; the alphabet is {alphabet}")]
    UnknownLetter {
        /// The letter, quoted.
        letter: String,
        /// The letters of the alphabet, listed.
        alphabet: String,
    },
    /// A letter with an empty name.
    #[error("a letter cannot be the empty string")]
    EmptyLetter,
    /// A quoted token without its closing quote.
    #[error("missing closing quote of the letter {0}")]
    Unclosed(String),
}

/// The sorted letters of a language. Cloning shares the names.
#[derive(Clone)]
pub struct Alphabet {
    letters: Arc<Letters>,
}

/// The names, and what is derived from them.
struct Letters {
    names: Vec<String>,
    spelling: Spelling,
    /// Present if the spelling is [`Spelling::Classes`].
    classes: Option<ClassTable>,
}

/// Alphabets are equal when their letters have the same names.
impl PartialEq for Alphabet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.letters, &other.letters) || self.names() == other.names()
    }
}

impl Eq for Alphabet {}

impl Hash for Alphabet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names().hash(state);
    }
}

impl Alphabet {
    /// The alphabet of these letters, sorted and without duplicates.
    pub fn new<I>(letters: I) -> Result<Self, WordError>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut names: Vec<String> = letters.into_iter().map(Into::into).collect();
        names.sort_unstable();
        names.dedup();
        if names.first().is_some_and(String::is_empty) {
            return Err(WordError::EmptyLetter);
        }
        Ok(Self::of_sorted(names))
    }

    fn of_sorted(names: Vec<String>) -> Self {
        let mut classes = None;
        let spelling = if names.iter().all(|name| name.chars().nth(1).is_none()) {
            Spelling::Chars
        } else if names.iter().all(|name| byte_of_name(name).is_some()) {
            Spelling::Bytes
        } else {
            classes = ClassTable::new(&names);
            if classes.is_some() { Spelling::Classes } else { Spelling::Tokens }
        };
        Self { letters: Arc::new(Letters { names, spelling, classes }) }
    }

    /// The characters of `text` as an alphabet.
    #[must_use]
    pub fn of_chars(text: &str) -> Self {
        Self::new(text.chars()).expect("a character is a non-empty name")
    }

    /// The smallest alphabet in which each of these classes is a union of letters: the letters are their
    /// [atoms](Class::atoms).
    #[must_use]
    pub fn of_classes(classes: &[Class]) -> Self {
        Self::new(Class::atoms(classes).iter().map(Class::name)).expect("a class that is an atom has a name")
    }

    /// The number of letters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.letters.names.len()
    }

    /// Whether the alphabet is empty: then the only word is the empty one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.letters.names.is_empty()
    }

    /// The letters in order.
    pub fn letters(&self) -> impl DoubleEndedIterator<Item = Letter> + ExactSizeIterator + Clone + use<> {
        (0..self.len()).map(Letter::new)
    }

    /// The names in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.letters.names
    }

    /// The name of a letter.
    #[must_use]
    pub fn name(&self, letter: Letter) -> &str {
        &self.letters.names[letter.index()]
    }

    /// The letter with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Letter> {
        self.names().binary_search_by(|known| known.as_str().cmp(name)).ok().map(Letter::new)
    }

    /// The letter that a piece of text is read as: the letter with this name, the class that contains this character,
    /// or the shape of this token.
    #[must_use]
    pub fn letter_for(&self, piece: &str) -> Option<Letter> {
        self.find(piece).or_else(|| {
            if self.spelling() == Spelling::Tokens {
                return self.find(Shape::of(piece)?.name());
            }
            let mut chars = piece.chars();
            let only = chars.next().filter(|_| chars.next().is_none())?;
            self.letters.classes.as_ref()?.letter_of(only)
        })
    }

    /// Whether some letter stands for several characters, or for all tokens of a shape.
    #[must_use]
    pub fn has_classes(&self) -> bool {
        self.letters.classes.is_some() || self.names().iter().any(|name| Shape::of_name(name).is_some())
    }

    /// The characters that a letter stands for: those of the class, or the character itself. Empty for a byte or a
    /// token.
    #[must_use]
    pub fn class(&self, letter: Letter) -> Class {
        Class::new(self.ranges(letter))
    }

    /// The same as ranges.
    pub(crate) fn ranges(&self, letter: Letter) -> impl Iterator<Item = (char, char)> + '_ {
        let class = self.letters.classes.as_ref().map(|table| &table.classes[letter.index()]);
        let only = self.name(letter).chars().next().filter(|_| self.spelling() == Spelling::Chars);
        class.into_iter().flat_map(Class::ranges).chain(only.map(|c| (c, c)))
    }

    /// How many characters each letter stands for, if some letter stands for several.
    pub(crate) fn weights(&self) -> Option<&[u32]> {
        self.letters.classes.as_ref().map(|table| table.sizes.as_slice())
    }

    /// The alphabet of all characters that the letters stand for, one letter each, unless there are more than `limit`.
    /// An alphabet without classes is returned unchanged.
    #[must_use]
    pub fn expanded(&self, limit: usize) -> Option<Self> {
        let Some(table) = &self.letters.classes else { return Some(self.clone()) };
        let count = table.sizes.iter().fold(0_usize, |sum, &size| sum + size as usize);
        let chars = || table.classes.iter().flat_map(Class::chars);
        (count <= limit).then(|| Self::new(chars()).expect("a character is a non-empty name"))
    }

    /// The letters of both. Where classes overlap characters or other classes, these are the atoms of both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        if self.meets_in_atoms(other) {
            let of = |alphabet: &Self| -> Vec<Class> { alphabet.letters().map(|c| alphabet.class(c)).collect() };
            return Self::of_classes(&[of(self), of(other)].concat());
        }
        Self::new(self.names().iter().chain(other.names()).cloned()).expect("every name came from an alphabet")
    }

    /// Whether letters of the two alphabets are matched by the characters they stand for instead of by name.
    fn meets_in_atoms(&self, other: &Self) -> bool {
        let of_characters = |alphabet: &Self| matches!(alphabet.spelling(), Spelling::Chars | Spelling::Classes);
        let has_classes = self.letters.classes.is_some() || other.letters.classes.is_some();
        has_classes && of_characters(self) && of_characters(other)
    }

    /// Maps each letter of `self` to its letters in `larger`: the letter of the same name, or all letters contained in
    /// the class.
    ///
    /// # Panics
    /// If a letter is missing from `larger`.
    #[must_use]
    pub fn embedding(&self, larger: &Self) -> Embedding {
        const LACKING: &str = "the larger alphabet has every letter";
        if self.has_classes() && self.spelling() == Spelling::Tokens {
            // A shape also maps to tokens that it covered before and that are now letters themselves.
            let mut parts = vec![Vec::new(); self.len()];
            for part in larger.letters() {
                if let Some(whole) = self.letter_for(larger.name(part)) {
                    parts[whole.index()].push(part);
                }
            }
            assert!(self.names().iter().all(|name| larger.find(name).is_some()), "{LACKING}");
            return Embedding::of_parts(&parts);
        }
        if !self.meets_in_atoms(larger) {
            let letters = self.names().iter().map(|name| larger.find(name).expect(LACKING)).collect();
            return Embedding { letters, ends: None };
        }
        let mut parts = vec![Vec::new(); self.len()];
        let mut covered = vec![0; self.len()];
        for part in larger.letters() {
            let class = larger.class(part);
            let first = class.chars().next().map(String::from).unwrap_or_default();
            if let Some(whole) = self.letter_for(&first).filter(|&whole| class.is_subset(&self.class(whole))) {
                parts[whole.index()].push(part);
                covered[whole.index()] += class.len();
            }
        }
        assert!(self.letters().all(|whole| covered[whole.index()] == self.class(whole).len()), "{LACKING}");
        Embedding::of_parts(&parts)
    }

    /// How words over this alphabet are written: as characters if each letter is a character or a class, as bytes if
    /// each letter is the name of a byte, otherwise as separated tokens.
    #[must_use]
    pub fn spelling(&self) -> Spelling {
        self.letters.spelling
    }

    /// The word that `text` spells.
    pub fn read(&self, text: &str) -> Result<Word, WordError> {
        let pieces = self.spelling().split(text)?;
        pieces.iter().map(|piece| self.letter_for(piece).ok_or_else(|| self.unknown(piece))).collect()
    }

    /// The text of a word, as [`Alphabet::read`] reads it; the empty word is the empty text.
    ///
    /// A class is written as one of its characters. Bytes that are not valid text are written by name.
    #[must_use]
    pub fn write(&self, word: &[Letter]) -> String {
        if let Some(table) = &self.letters.classes {
            return word.iter().map(|&letter| table.representatives[letter.index()]).collect();
        }
        let names = word.iter().map(|&letter| self.name(letter));
        match self.spelling() {
            Spelling::Chars | Spelling::Classes => names.collect(),
            Spelling::Bytes => {
                let bytes: Vec<u8> = names.clone().filter_map(byte_of_name).collect();
                String::from_utf8(bytes).unwrap_or_else(|_| names.collect())
            }
            Spelling::Tokens => {
                let needs_quotes = |name: &str| name.starts_with('"') || name.contains(char::is_whitespace);
                let tokens: Vec<String> =
                    names.map(|name| if needs_quotes(name) { quote(name) } else { name.to_owned() }).collect();
                tokens.join(" ")
            }
        }
    }

    /// The text of a word on a separate line: as [`Alphabet::write`] writes it, but quoted where it would be invisible,
    /// would break the line, or would be mistaken for the empty word, which is `""`.
    #[must_use]
    pub fn show(&self, word: &[Letter]) -> String {
        self.show_text(self.write(word))
    }

    /// Like [`Alphabet::show`], for the text of a word.
    #[must_use]
    pub fn show_text(&self, text: String) -> String {
        let hidden = text.trim() != text || text.is_empty() || text == "ε" || text.contains(is_obeyed);
        let looks_quoted = text.starts_with('"') && self.spelling() != Spelling::Tokens;
        if hidden || looks_quoted { quote(&text) } else { text }
    }

    /// The error that reports a letter missing from this alphabet.
    #[must_use]
    pub fn unknown(&self, name: &str) -> WordError {
        WordError::UnknownLetter { letter: quote(name), alphabet: self.to_string() }
    }
}

/// The map from the letters of an alphabet to those of a larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    letters: Vec<Letter>,
    /// Where the images of each letter end; `None` if each letter has exactly one.
    ends: Option<Vec<usize>>,
}

impl Embedding {
    /// A map from each letter to the given letters.
    fn of_parts(parts: &[Vec<Letter>]) -> Self {
        let ends = parts.iter().scan(0, |end, parts| {
            *end += parts.len();
            Some(*end)
        });
        Self { ends: Some(ends.collect()), letters: parts.concat() }
    }

    /// The letters that `letter` is mapped to, sorted; at least one.
    #[must_use]
    #[inline]
    pub fn of(&self, letter: Letter) -> &[Letter] {
        let i = letter.index();
        match &self.ends {
            None => std::slice::from_ref(&self.letters[i]),
            Some(ends) => &self.letters[if i == 0 { 0 } else { ends[i - 1] }..ends[i]],
        }
    }

    /// Whether every letter maps to one letter of the same name, so that the order is preserved.
    pub(crate) fn is_by_name(&self) -> bool {
        self.ends.is_none()
    }
}

/// The letters in braces, the first few dozen of them: `{a, b, c}`.
impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 40;
        let mut shown: Vec<String> = self.names().iter().take(SHOWN).map(|name| self.show_text(name.clone())).collect();
        if self.len() > SHOWN {
            shown.push("…".to_owned());
        }
        write!(f, "{{{}}}", shown.join(", "))
    }
}

impl fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A sequence of letters. Words are ordered by length, then letter by letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word(Vec<Letter>);

impl Word {
    /// The empty word ε.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The reversed word.
    #[must_use]
    pub fn reversed(&self) -> Self {
        self.iter().rev().copied().collect()
    }
}

impl Deref for Word {
    type Target = [Letter];
    fn deref(&self) -> &[Letter] {
        &self.0
    }
}

impl FromIterator<Letter> for Word {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> Self {
        Self(letters.into_iter().collect())
    }
}

impl From<Vec<Letter>> for Word {
    fn from(letters: Vec<Letter>) -> Self {
        Self(letters)
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.len().cmp(&other.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_sorted_and_counted_once() {
        let alphabet = Alphabet::new(["c", "a", "b", "a"]).unwrap();
        assert_eq!(alphabet.names(), ["a", "b", "c"]);
        assert_eq!(alphabet.find("b"), Some(Letter::new(1)));
        assert_eq!(alphabet.find("d"), None);
        assert_eq!(Alphabet::new(["a", ""]), Err(WordError::EmptyLetter));
    }

    #[test]
    fn a_word_is_read_as_it_is_written_in_every_spelling() {
        for (letters, spelling, text) in [
            (vec!["a", "ä", "→"], Spelling::Chars, "äa→a"),
            (vec!["a", "\\xC3", "\\xA4"], Spelling::Bytes, "aäa"),
            (vec!["log in", "logout", "\"", "x"], Spelling::Tokens, r#""log in" "\"" x logout"#),
        ] {
            let alphabet = Alphabet::new(letters).unwrap();
            assert_eq!(alphabet.spelling(), spelling);
            assert_eq!(alphabet.write(&alphabet.read(text).unwrap()), text);
        }
    }

    #[test]
    fn an_unknown_letter_is_named() {
        let error = Alphabet::of_chars("ab").read("abd").unwrap_err();
        assert_eq!(error.to_string(), r#"unknown letter "d"; the alphabet is {a, b}"#);
    }

    #[test]
    fn names_of_bytes_go_both_ways() {
        for byte in 0..=255 {
            assert_eq!(byte_of_name(&byte_name(byte)), Some(byte));
        }
        assert_eq!(byte_of_name("\\x41"), None, "an ASCII byte has one name only");
        assert_eq!(byte_of_name("é"), None);
    }

    #[test]
    fn quoting_goes_both_ways() {
        for name in ["", "a", "a b", "\"", "\\", "tab\tline\nbell\u{7}", "\u{1F600}", "\\u{41}"] {
            let quoted = quote(name);
            assert_eq!(unquote(&format!("{quoted} rest")), Some((name.to_owned(), quoted.len())));
        }
        for broken in ["a", "\"a", "\"\\", "\"\\u{zz}\"", "\"\\u{110000}\"", "\"\\u41\""] {
            assert_eq!(unquote(broken), None, "{broken}");
        }
    }

    #[test]
    fn words_are_ordered_by_length_first() {
        let alphabet = Alphabet::of_chars("ab");
        let word = |text| alphabet.read(text).unwrap();
        let mut words = vec![word("b"), word("aa"), word(""), word("a"), word("ab")];
        words.sort();
        assert_eq!(words, ["", "a", "b", "aa", "ab"].map(word));
    }
}

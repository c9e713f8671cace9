//! The characters of the examples, numbered, and sets of them.
//!
//! The search asks about sets of characters thousands of times, so within it a character is a number and a set is a row of
//! bits. Only what it comes to is told in classes, which also have characters that no example has.

use automata::{Class, Letter, Spelling};
use serde::{Deserialize, Serialize};

use super::tokens::Tokens;
use crate::sample::Sample;

/// A word of the examples, or a part of one, as numbers of characters.
pub(super) type Chars<'a> = &'a [u8];

/// So many different characters can be told apart.
pub const MOST_CHARACTERS: usize = 256;

/// A set of characters of the examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Set([u64; 4]);

impl Set {
    pub(super) fn of(chars: impl IntoIterator<Item = u8>) -> Self {
        let mut set = Self::default();
        for c in chars {
            set.0[usize::from(c) / 64] |= 1 << (c % 64);
        }
        set
    }

    pub(super) fn has(self, c: u8) -> bool {
        self.0[usize::from(c) / 64] >> (c % 64) & 1 == 1
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    pub(super) fn is_within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    pub(super) fn meets(self, other: Self) -> bool {
        (0..4).any(|i| self.0[i] & other.0[i] != 0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// The set as numbers of 64 bits.
    pub(super) fn blocks(self) -> [u64; 4] {
        self.0
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    pub(super) fn iter(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..=u8::MAX).filter(move |&c| self.has(c))
    }

    pub(super) fn first(self) -> Option<u8> {
        self.iter().next()
    }

    pub(super) fn last(self) -> Option<u8> {
        self.iter().next_back()
    }
}

/// A class that people have a name for.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) class: Class,
    /// How many characters it has that are likely: Unicode has thousands of letters, and a language some forty.
    pub(super) size: usize,
    /// Those of its characters that the examples have.
    pub(super) set: Set,
}

/// All characters of the examples.
#[derive(Clone, Debug)]
pub(super) struct Letters {
    /// For each letter of the examples its number; tokens that share a character have the same.
    numbers: Vec<u8>,
    /// What the characters stand for, where they stand for tokens.
    pub(super) tokens: Option<Tokens>,
    /// In order.
    chars: Vec<char>,
    /// Digits, small letters, capitals: in these a range makes sense.
    pub(super) kinds: Vec<Named>,
    /// Smaller ones first.
    pub(super) named: Vec<Named>,
    /// Letters and digits; the others may be marks between parts.
    pub(super) alphanumeric: Set,
    /// Digits.
    pub(super) numeric: Set,
    /// A small letter with its capital, where the examples have both.
    pub(super) cases: Vec<Set>,
}

const DIGIT: (char, char) = ('0', '9');
const LOWER: (char, char) = ('a', 'z');
const UPPER: (char, char) = ('A', 'Z');

/// What people write in brackets.
const NAMED: [&[(char, char)]; 13] = [
    &[DIGIT],
    &[LOWER],
    &[UPPER],
    &[DIGIT, ('a', 'f')],
    &[DIGIT, ('A', 'F')],
    &[DIGIT, ('a', 'f'), ('A', 'F')],
    &[DIGIT, LOWER],
    &[DIGIT, UPPER],
    &[LOWER, UPPER],
    &[DIGIT, LOWER, UPPER],
    &[DIGIT, LOWER, UPPER, ('_', '_')],
    &[('!', '~')],
    &[(' ', '~')],
];

/// For each letter of the alphabet from a to z there is about half of another one.
const FOREIGN: usize = 14;

fn likely(class: &Class) -> usize {
    let ascii = class.intersection(&Class::new([('\0', '\x7F')]));
    let letters = ascii.intersection(&Class::new([LOWER, UPPER])).len();
    let foreign = class.len() - ascii.len();
    ascii.len() + if letters == 0 { foreign } else { foreign.min(FOREIGN * letters / 26) }
}

/// Capitals, small letters and letters of all scripts, alone and with digits.
fn by_category() -> Vec<Class> {
    let digits = Class::new([DIGIT]);
    let letters = ["Lu", "Ll", "L"].into_iter().filter_map(Class::of_category);
    letters.flat_map(|class| [class.union(&digits), class]).collect()
}

impl Letters {
    /// The characters or tokens of a sample, with the classes that people have names for, or with those given; none where
    /// there are too many.
    pub(super) fn of(sample: &Sample, classes: Option<&[Class]>) -> Option<Self> {
        let alphabet = sample.alphabet();
        let tokens = (alphabet.spelling() == Spelling::Tokens).then(|| Tokens::of(sample));
        let of_letters: Vec<char> = match &tokens {
            Some(tokens) => tokens.chars.clone(),
            None => alphabet.names().iter().flat_map(|name| name.chars()).collect(),
        };
        let mut chars = of_letters.clone();
        chars.sort_unstable();
        chars.dedup();
        if chars.len() > MOST_CHARACTERS {
            return None;
        }
        let within = |is: &dyn Fn(char) -> bool| Set::of((0..chars.len()).filter(|&i| is(chars[i])).map(|i| i as u8));
        let named = |class: Class| {
            let set = within(&|c| class.contains(c));
            Named { set, size: likely(&class).max(set.len()), class }
        };
        let usual = || match tokens {
            Some(_) => Tokens::classes(),
            None => {
                let named = NAMED.iter().map(|ranges| Class::new(ranges.iter().copied()));
                // Where there are letters beyond a to z, all letters of their kind are meant.
                let foreign = chars.iter().any(|c| !c.is_ascii() && c.is_alphabetic());
                named.chain(foreign.then(by_category).into_iter().flatten()).collect()
            }
        };
        let mut classes: Vec<Class> = classes.map_or_else(usual, <[Class]>::to_vec);
        classes.sort_by_key(Class::len);
        let number = |c: &char| chars.binary_search(c).expect("every character was looked at") as u8;
        Some(Self {
            numbers: of_letters.iter().map(number).collect(),
            kinds: [DIGIT, LOWER, UPPER].map(|range| named(Class::new([range]))).into(),
            named: classes.into_iter().map(named).collect(),
            alphanumeric: within(&char::is_alphanumeric),
            numeric: within(&char::is_numeric),
            cases: ('a'..='z')
                .map(|c| within(&|other| other.eq_ignore_ascii_case(&c)))
                .filter(|both| both.len() == 2)
                .collect(),
            chars,
            tokens,
        })
    }

    pub(super) fn encode(&self, word: &[Letter]) -> Vec<u8> {
        word.iter().map(|letter| self.numbers[letter.index()]).collect()
    }

    pub(super) fn char(&self, c: u8) -> char {
        self.chars[usize::from(c)]
    }

    /// Which of the named classes is that of digits, if there is one.
    pub(super) fn digits(&self) -> Option<usize> {
        self.named.iter().position(|named| named.class == self.kinds[0].class)
    }

    pub(super) fn is_quote(&self, c: u8) -> bool {
        matches!(self.char(c), '"' | '\'' | '`')
    }

    /// All of them.
    pub(super) fn all(&self) -> Set {
        Set::of((0..self.chars.len()).map(|i| i as u8))
    }

    /// The class of just these.
    pub(super) fn class(&self, set: Set) -> Class {
        Class::new(set.iter().map(|c| (self.char(c), self.char(c))))
    }

    /// The characters of the examples from one to another.
    pub(super) fn between(&self, first: char, last: char) -> Set {
        self.within(&Class::new([(first, last)]))
    }

    /// The characters of the examples within a class.
    pub(super) fn within(&self, class: &Class) -> Set {
        Set::of((0..self.chars.len()).filter(|&i| class.contains(self.chars[i])).map(|i| i as u8))
    }
}

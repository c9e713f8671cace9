//! Facts about words, and their automata.
//!
//! The automaton of a fact notes how far its pattern has been read, letter by letter. It is built without any cleverness,
//! since it is what learners are measured against: [`Fact::holds`] looks at the word itself, and tests compare the two.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use automata::{Alphabet, Dfa, Letter};

use super::product::explore;

/// A statement about a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A pattern occurs.
    Occurs(Pattern),
    /// The number of occurrences of these letters leaves this remainder.
    Count {
        /// The letters that are counted together.
        letters: BTreeSet<Letter>,
        /// What the number is divided by.
        modulus: usize,
        /// What is left.
        remainder: usize,
    },
}

/// Blocks of adjacent letters, in this order, with anything in between. One block is a factor; blocks of one letter
/// each are a subsequence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// The letters that are looked at, all others being erased; `None` for all letters.
    pub tier: Option<BTreeSet<Letter>>,
    /// The blocks, none of them empty.
    pub blocks: Vec<Vec<Letter>>,
    /// Whether the first block is at the beginning of the word.
    pub start: bool,
    /// Whether the last block is at the end of the word.
    pub end: bool,
    /// The number of places where the pattern occurs at the least; more than 1 only for one block without ends.
    pub times: usize,
}

/// How far a pattern has been read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Progress {
    /// In a block: the longest part of it that has just been read, and the occurrences before.
    Reading { block: usize, read: Vec<Letter>, times: usize },
    /// The pattern occurs, whatever follows.
    Found,
    /// It does not occur, whatever follows.
    Lost,
}

impl Fact {
    /// Whether the fact is true of a word, by looking at the word.
    #[must_use]
    pub fn holds(&self, word: &[Letter]) -> bool {
        match self {
            Self::Occurs(pattern) => pattern.occurs(word),
            Self::Count { letters, modulus, remainder } => {
                word.iter().filter(|letter| letters.contains(letter)).count() % modulus == *remainder
            }
        }
    }

    /// The automaton of the words of which the fact is true.
    #[must_use]
    pub fn to_dfa(&self, alphabet: &Alphabet) -> Dfa {
        match self {
            Self::Occurs(pattern) => {
                let first = Progress::Reading { block: 0, read: Vec::new(), times: 0 };
                let step = |progress: &Progress, letter| pattern.step(progress, letter);
                explore(alphabet, first, step, |progress| pattern.is_read(progress))
            }
            Self::Count { letters, modulus, remainder } => {
                let step = |count: &usize, letter| (count + usize::from(letters.contains(&letter))) % modulus;
                explore(alphabet, 0, step, |count| count == remainder)
            }
        }
    }

    /// The fact in short: `ab`, `ab…c`, `^a`, `2×ab`, `ab on abd`, `#ab mod 3 = 1`.
    #[must_use]
    pub fn text(&self, alphabet: &Alphabet) -> String {
        let joined =
            |letters: &BTreeSet<Letter>| letters.iter().map(|&letter| alphabet.name(letter)).collect::<String>();
        match self {
            Self::Count { letters, modulus, remainder } => format!("#{} mod {modulus} = {remainder}", joined(letters)),
            Self::Occurs(Pattern { tier, blocks, start, end, times }) => {
                let blocks: Vec<String> = blocks.iter().map(|block| alphabet.write(block)).collect();
                let mut text = String::new();
                if *times > 1 {
                    let _ = write!(text, "{times}×");
                }
                let (start, end) = (if *start { "^" } else { "" }, if *end { "$" } else { "" });
                let _ = write!(text, "{start}{}{end}", blocks.join("…"));
                if let Some(tier) = tier {
                    let _ = write!(text, " on {}", joined(tier));
                }
                text
            }
        }
    }
}

impl Pattern {
    fn is_on_tier(&self, letter: Letter) -> bool {
        self.tier.as_ref().is_none_or(|tier| tier.contains(&letter))
    }

    fn occurs(&self, word: &[Letter]) -> bool {
        let word: Vec<Letter> = word.iter().copied().filter(|&letter| self.is_on_tier(letter)).collect();
        match &self.blocks[..] {
            [block] => {
                let at = |i: usize| {
                    let ends = !self.end || i + block.len() == word.len();
                    word[i..].starts_with(block) && (i == 0 || !self.start) && ends
                };
                (0..=word.len()).filter(|&i| at(i)).count() >= self.times
            }
            blocks => in_order(&word, blocks, self.start, self.end),
        }
    }

    fn step(&self, progress: &Progress, letter: Letter) -> Progress {
        let Progress::Reading { block, read, times } = progress else { return progress.clone() };
        if !self.is_on_tier(letter) {
            return progress.clone();
        }
        let (wanted, is_last) = (&self.blocks[*block], *block + 1 == self.blocks.len());
        let mut read = [&read[..], &[letter]].concat();
        while !wanted.starts_with(&read) {
            if *block == 0 && self.start {
                return Progress::Lost;
            }
            read.remove(0);
        }
        match (read == *wanted, is_last) {
            (true, false) => Progress::Reading { block: block + 1, read: Vec::new(), times: 0 },
            (true, true) if !self.end && times + 1 == self.times => Progress::Found,
            (true, true) if !self.end => Progress::Reading { block: *block, read, times: times + 1 },
            _ => Progress::Reading { block: *block, read, times: *times },
        }
    }

    /// Whether the pattern occurs if the word ends here.
    fn is_read(&self, progress: &Progress) -> bool {
        match progress {
            Progress::Found => true,
            Progress::Lost => false,
            Progress::Reading { block, read, .. } => {
                self.end && block + 1 == self.blocks.len() && *read == self.blocks[*block]
            }
        }
    }
}

/// Whether the blocks occur in this order, in any way.
fn in_order(word: &[Letter], blocks: &[Vec<Letter>], start: bool, end: bool) -> bool {
    let Some((block, others)) = blocks.split_first() else { return !end || word.is_empty() };
    let places = if start { 0..=0 } else { 0..=word.len() };
    places.into_iter().any(|i| word[i..].starts_with(block) && in_order(&word[i + block.len()..], others, false, end))
}

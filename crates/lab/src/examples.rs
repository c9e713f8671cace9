//! Labelled words of a language: all of them to some length, or some of them, drawn exactly.
//!
//! Positive words are drawn from the language, negative ones from the language of each [`Kind`]; where a kind has fewer
//! words than its share, random ones fill up. The empty word stands apart: the paper's model does not read it, and
//! what chance decides about it may decide about the smallest automaton. So it is labelled or it is not, as asked for,
//! and never left to a draw.

use std::collections::BTreeSet;

use automata::formats::abbadingo;
use automata::{Alphabet, BigUint, DEFAULT_STATE_LIMIT, Dfa, Spelling, TooManyStates, Word, count_to, enumerate_from};
use serde::{Deserialize, Serialize};

use crate::chance;
use crate::distinct::{self, Spread, at_most};
use crate::kinds::{Kind, Kinds};

/// More words than this are not held in memory; [`all`] gives any number of them one by one.
pub const MOST_WORDS: usize = 10_000_000;

/// How many bytes the counts of a draw may take.
const COUNTS_LIMIT: f64 = (1_u64 << 30) as f64;

/// Which words are taken when there are more than asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// All, or an error.
    All,
    /// Some, every word to the depth equally likely: most of them are about as long as can be.
    Uniform,
    /// Some, equal numbers of every length as far as they exist.
    Even,
}

/// How the negative words are divided among their kinds, in any unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// The share of [`Kind::NonAccepting`].
    pub non_accepting: u32,
    /// The share of [`Kind::InvalidPostfix`].
    pub invalid_postfix: u32,
    /// The share of [`Kind::InvalidInfix`].
    pub invalid_infix: u32,
    /// The share of [`Kind::Random`], which is also given what other kinds cannot supply.
    pub random: u32,
}

impl Shares {
    /// A quarter each.
    pub const EQUAL: Shares = Shares { non_accepting: 1, invalid_postfix: 1, invalid_infix: 1, random: 1 };
    /// Any rejected words.
    pub const RANDOM: Shares = Shares { non_accepting: 0, invalid_postfix: 0, invalid_infix: 0, random: 1 };

    /// The share of a kind; positive words have none.
    #[must_use]
    pub fn of(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Positive => 0,
            Kind::NonAccepting => self.non_accepting,
            Kind::InvalidPostfix => self.invalid_postfix,
            Kind::InvalidInfix => self.invalid_infix,
            Kind::Random => self.random,
        }
    }

    /// The kinds that have a share, in order.
    fn kinds(&self) -> Vec<Kind> {
        Kind::NEGATIVE.into_iter().filter(|&kind| self.of(kind) > 0).collect()
    }

    /// So many words divided among [`Kind::NEGATIVE`]: what rounding leaves goes to the first kinds that have a share.
    fn divide(&self, words: usize) -> [usize; 4] {
        let shares = Kind::NEGATIVE.map(|kind| u128::from(self.of(kind)));
        let whole = shares.iter().sum::<u128>().max(1);
        let mut parts = shares.map(|share| (words as u128 * share / whole) as usize);
        let left = words - parts.iter().sum::<usize>();
        for i in (0..4).filter(|&i| shares[i] > 0).take(left) {
            parts[i] += 1;
        }
        parts
    }
}

/// Which examples are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleSettings {
    /// Words have at most this many letters.
    pub depth: usize,
    /// At most so many positive words; all of them for none.
    pub positives: Option<usize>,
    /// At most so many negative words; all of them for none.
    pub negatives: Option<usize>,
    /// How the negative words are divided among their kinds. When all are taken, a kind without a share is left out.
    pub shares: Shares,
    /// Which words are taken when there are more.
    pub draw: Draw,
    /// Whether random negative words have even lengths however the others are drawn, as the paper's have: a uniform
    /// draw gives hardly any short words, of which state mergers make the most.
    pub even_random: bool,
    /// Whether the empty word is labelled: it is then always among the words of its class, and else in none.
    pub empty_word: bool,
    /// Whether the positive words are repeated, in order, until there are as many as asked for.
    pub balance: bool,
    /// The seed of the draw.
    pub seed: u64,
}

/// A thousand words of each class to length 8, evenly by length, the empty word among them.
impl Default for ExampleSettings {
    fn default() -> Self {
        Self {
            depth: 8,
            positives: Some(1000),
            negatives: Some(1000),
            shares: Shares::EQUAL,
            draw: Draw::Even,
            even_random: true,
            empty_word: true,
            balance: false,
            seed: 0,
        }
    }
}

/// A word and why it is there. A [`Kind::Random`] word may happen to be one that another kind has as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The word.
    pub word: Word,
    /// What it is an example of.
    pub kind: Kind,
}

impl Example {
    /// Whether the word belongs to the language.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.kind == Kind::Positive
    }
}

/// Examples by kind, those of a kind by length, then letter by letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleSet {
    /// The letters.
    pub alphabet: Alphabet,
    /// The words: first the positive ones.
    pub rows: Vec<Example>,
}

impl ExampleSet {
    /// How many words are of this kind, repeated ones included.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.rows.iter().filter(|example| example.kind == kind).count()
    }
}

impl From<&ExampleSet> for abbadingo::Examples {
    fn from(set: &ExampleSet) -> Self {
        let label = |example: &Example| match example.is_positive() {
            true => abbadingo::Label::Accepted,
            false => abbadingo::Label::Rejected,
        };
        let rows = set.rows.iter().map(|example| (example.word.clone(), label(example))).collect();
        Self { alphabet: set.alphabet.clone(), rows }
    }
}

/// Why there are no such examples.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExampleError {
    /// Nothing is accepted.
    #[error("no word of at most {depth} letters is in the language: there are no positive examples")]
    NoPositives {
        /// The length to which words were looked for.
        depth: usize,
    },
    /// Nothing is rejected.
    #[error("every word of at most {depth} letters is in the language: there are no negative examples")]
    NoNegatives {
        /// The length to which words were looked for.
        depth: usize,
    },
    /// Nothing is rejected for the reasons asked for.
    #[error("no word of at most {depth} letters is a negative example of the kinds asked for")]
    NoneOfTheseKinds {
        /// The length to which words were looked for.
        depth: usize,
    },
    /// No kind of negative words has a share.
    #[error("negative examples are asked for, but no kind of them has a share")]
    NoShares,
    /// All were asked for, but they are more than were allowed.
    #[error("there are {count} {class} words of at most {depth} letters, more than the {limit} allowed")]
    TooMany {
        /// `positive` or `negative`.
        class: &'static str,
        /// How many there are.
        count: BigUint,
        /// How many were allowed.
        limit: usize,
        /// The length to which they are counted.
        depth: usize,
    },
    /// The counts that a draw needs would not fit into memory.
    #[error("words of up to {depth} letters are too long to be drawn: their counts would not fit into a gibibyte")]
    TooDeep {
        /// The length to which words were asked for.
        depth: usize,
    },
    /// A word would stand for several texts.
    #[error("the letters of the language are classes, but examples are words of characters")]
    Classes,
    /// It takes too much to know what accepted words may end in.
    #[error("to know what words of the language may end in, {0}")]
    TooManyStates(#[from] TooManyStates),
}

/// Draws examples of a language.
pub fn draw(language: &Dfa, settings: &ExampleSettings) -> Result<ExampleSet, ExampleError> {
    let source = Source::new(language, settings)?;
    source.check_depth()?;
    let mut rows = source.positives()?;
    rows.extend(source.negatives()?);
    Ok(ExampleSet { alphabet: language.alphabet().clone(), rows })
}

/// All examples to the depth one by one, by length, then by kind, then letter by letter. Memory does not grow with
/// their number; a class is left out when none of it is asked for, and other limits are not looked at.
pub fn all(language: &Dfa, settings: &ExampleSettings) -> Result<impl Iterator<Item = Example> + use<>, ExampleError> {
    let source = Source::new(language, settings)?;
    let mut kinds = Vec::new();
    if settings.positives != Some(0) {
        source.has_positives()?;
        kinds.push(Kind::Positive);
    }
    if settings.negatives != Some(0) {
        source.has_negatives()?;
        kinds.extend(settings.shares.kinds());
    }
    let empty = source.empty_word(true).or(source.empty_word(false));
    let others = source.kinds.all(&kinds, settings.depth).filter(|(word, _)| !word.is_empty());
    Ok(empty.into_iter().chain(others.map(|(word, kind)| Example { word, kind })))
}

/// How many examples [`all`] gives.
pub fn count_all(language: &Dfa, settings: &ExampleSettings) -> Result<BigUint, ExampleError> {
    let source = Source::new(language, settings)?;
    source.check_depth()?;
    let positives = match settings.positives {
        Some(0) => BigUint::ZERO,
        _ => source.count(&[Kind::Positive], true),
    };
    let negatives = match settings.negatives {
        Some(0) => BigUint::ZERO,
        _ => source.count(&settings.shares.kinds(), false),
    };
    Ok(positives + negatives)
}

/// A language of which examples are wanted.
struct Source<'a> {
    kinds: Kinds,
    settings: &'a ExampleSettings,
}

impl<'a> Source<'a> {
    fn new(language: &Dfa, settings: &'a ExampleSettings) -> Result<Self, ExampleError> {
        let ExampleSettings { negatives, shares, .. } = settings;
        if *negatives != Some(0) && shares.kinds().is_empty() {
            return Err(ExampleError::NoShares);
        }
        // Such words are counted as often as they can be written, so the counts would promise words that are not there.
        if language.alphabet().spelling() == Spelling::Classes {
            return Err(ExampleError::Classes);
        }
        Ok(Self { kinds: Kinds::new(language, DEFAULT_STATE_LIMIT)?, settings })
    }

    /// The empty word, if it is to be labelled and belongs to this class, of which some are asked for.
    fn empty_word(&self, positive: bool) -> Option<Example> {
        let wanted = if positive { self.settings.positives } else { self.settings.negatives };
        let example = Example { word: Word::empty(), kind: self.kinds.of(&Word::empty()) };
        (self.settings.empty_word && wanted != Some(0) && example.is_positive() == positive).then_some(example)
    }

    /// Whether some word other than the empty one is of these kinds.
    fn has(&self, kinds: &[Kind]) -> bool {
        let first = enumerate_from(&self.kinds.language(kinds), 1).next();
        first.is_some_and(|word| word.len() <= self.settings.depth)
    }

    fn has_positives(&self) -> Result<(), ExampleError> {
        match self.empty_word(true).is_some() || self.has(&[Kind::Positive]) {
            true => Ok(()),
            false => Err(ExampleError::NoPositives { depth: self.settings.depth }),
        }
    }

    /// Whether there are negative words of a kind that has a share.
    fn has_negatives(&self) -> Result<(), ExampleError> {
        let depth = self.settings.depth;
        match self.empty_word(false).is_some() || self.has(&self.settings.shares.kinds()) {
            true => Ok(()),
            false if self.has(&Kind::NEGATIVE) => Err(ExampleError::NoneOfTheseKinds { depth }),
            false => Err(ExampleError::NoNegatives { depth }),
        }
    }

    /// How many examples of these kinds there are: the empty word is one if it is labelled.
    fn count(&self, kinds: &[Kind], positive: bool) -> BigUint {
        let language = self.kinds.language(kinds);
        let others = count_to(&language, self.settings.depth) - BigUint::from(u32::from(language.accepts(&[])));
        others + BigUint::from(u32::from(self.empty_word(positive).is_some()))
    }

    /// Whether the counts that a draw needs fit into memory.
    fn check_depth(&self) -> Result<(), ExampleError> {
        let depth = self.settings.depth;
        // A count has about as many bits as the words that it counts.
        let bits = f64::from(usize::BITS - self.kinds.alphabet().len().leading_zeros());
        let bytes_each = 32.0 + depth as f64 * bits / 16.0;
        let bytes = self.kinds.states() as f64 * depth as f64 * bytes_each;
        if bytes > COUNTS_LIMIT { Err(ExampleError::TooDeep { depth }) } else { Ok(()) }
    }

    /// How many words of a class to take when all are asked for, or else at the most.
    fn limit(&self, class: &'static str, wanted: Option<usize>, count: BigUint) -> Result<usize, ExampleError> {
        let (limit, depth) = (wanted.unwrap_or(MOST_WORDS), self.settings.depth);
        let all = wanted.is_none() || self.settings.draw == Draw::All;
        if all && count > BigUint::from(limit) {
            return Err(ExampleError::TooMany { class, count, limit, depth });
        }
        Ok(at_most(&count, limit))
    }

    fn positives(&self) -> Result<Vec<Example>, ExampleError> {
        let wanted = self.settings.positives;
        if wanted == Some(0) {
            return Ok(Vec::new());
        }
        self.has_positives()?;
        let limit = self.limit("positive", wanted, self.count(&[Kind::Positive], true))?;
        let mut rows: Vec<Example> = self.empty_word(true).into_iter().collect();
        let drawn = self.draw(&[Kind::Positive], limit - rows.len(), &BTreeSet::new(), Kind::Positive);
        rows.extend(drawn.into_iter().map(|word| Example { word, kind: Kind::Positive }));
        if let (Some(wanted), true) = (wanted, self.settings.balance) {
            rows = rows.iter().cycle().take(wanted).cloned().collect();
        }
        Ok(rows)
    }

    fn negatives(&self) -> Result<Vec<Example>, ExampleError> {
        match self.settings.negatives {
            Some(0) => Ok(Vec::new()),
            Some(wanted) if self.settings.draw != Draw::All => self.some_negatives(wanted),
            wanted => {
                self.has_negatives()?;
                self.limit("negative", wanted, self.count(&self.settings.shares.kinds(), false))?;
                let of_each = self.settings.shares.kinds().into_iter().flat_map(|kind| {
                    let words = self.kinds.all(&[kind], self.settings.depth).filter(|(word, _)| !word.is_empty());
                    words.map(|(word, kind)| Example { word, kind })
                });
                Ok(self.empty_word(false).into_iter().chain(of_each).collect())
            }
        }
    }

    fn some_negatives(&self, wanted: usize) -> Result<Vec<Example>, ExampleError> {
        let mut rows: Vec<Example> = self.empty_word(false).into_iter().collect();
        let mut parts = self.settings.shares.divide(wanted);
        // The empty word is one of those wanted: of its own kind, unless that has no share.
        if let (1, Some(part)) = (rows.len(), parts.iter_mut().find(|part| **part > 0)) {
            *part -= 1;
        }
        let mut taken = BTreeSet::new();
        let mut missing = 0;
        for (kind, part) in Kind::NEGATIVE.into_iter().zip(parts) {
            let words = match kind {
                // Any rejected word will do that was not taken yet, and makes up for one that there was not.
                Kind::Random => self.draw(&Kind::NEGATIVE, part + missing, &taken, kind),
                _ => self.draw(&[kind], part, &taken, kind),
            };
            missing += part - words.len().min(part);
            rows.extend(words.iter().map(|word| Example { word: word.clone(), kind }));
            taken.extend(words);
        }
        if rows.is_empty() { Err(ExampleError::NoNegatives { depth: self.settings.depth }) } else { Ok(rows) }
    }

    /// Words of these kinds that are not taken yet. Each kind has a stream of chance of its own, so that how many are
    /// wanted of one has no influence on the others.
    fn draw(&self, kinds: &[Kind], wanted: usize, taken: &BTreeSet<Word>, drawn_as: Kind) -> BTreeSet<Word> {
        let even = self.settings.draw == Draw::Even || (drawn_as == Kind::Random && self.settings.even_random);
        let spread = if even { Spread::Lengths } else { Spread::Words };
        let mut random = chance::stream(self.settings.seed, drawn_as as u64);
        distinct::draw(&self.kinds.language(kinds), 1..=self.settings.depth, spread, wanted, taken, &mut random)
    }
}

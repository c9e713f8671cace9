//! Labelled words of a language: all of them up to some length, or some of them, drawn exactly.
//!
//! Positive words are drawn from the language, negative ones from the language of each [`Kind`]; if a kind has fewer
//! words than its share, random ones make up the rest. The empty word is treated separately: the paper's model does not
//! read it, and a random label for it could change the smallest automaton. So whether it is labelled is a setting,
//! never the result of a draw.

use std::collections::BTreeSet;

use automata::{
    Alphabet, BigUint, DEFAULT_STATE_LIMIT, Dfa, Examples, Label, Spelling, TooManyStates, Word, count_to,
    enumerate_from,
};
use serde::{Deserialize, Serialize};

use crate::chance;
use crate::distinct::{self, Spread, at_most};
use crate::kinds::{Kind, Kinds};

/// Maximum number of words held in memory; [`all`] yields any number of them one by one.
pub const MOST_WORDS: usize = 10_000_000;

/// Maximum number of bytes for the counts of a draw.
const COUNTS_LIMIT: f64 = (1_u64 << 30) as f64;

/// Which words are drawn if there are more than requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// All words, or an error.
    All,
    /// A sample in which every word up to the depth is equally likely, so most are close to the maximum length.
    Uniform,
    /// A sample with equal numbers of every length, as far as they exist.
    Even,
}

/// How the negative words are divided among their kinds, as relative weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// The share of [`Kind::NonAccepting`].
    pub non_accepting: u32,
    /// The share of [`Kind::InvalidPostfix`].
    pub invalid_postfix: u32,
    /// The share of [`Kind::InvalidInfix`].
    pub invalid_infix: u32,
    /// The share of [`Kind::Random`], which also replaces words that other kinds cannot supply.
    pub random: u32,
}

impl Shares {
    /// A quarter each.
    pub const EQUAL: Shares = Shares { non_accepting: 1, invalid_postfix: 1, invalid_infix: 1, random: 1 };
    /// Any rejected word.
    pub const RANDOM: Shares = Shares { non_accepting: 0, invalid_postfix: 0, invalid_infix: 0, random: 1 };

    /// The share of a kind; zero for positive words.
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

    /// The kinds with a share, in order.
    fn kinds(&self) -> Vec<Kind> {
        Kind::NEGATIVE.into_iter().filter(|&kind| self.of(kind) > 0).collect()
    }

    /// Divides a number of words among [`Kind::NEGATIVE`]; the remainder goes to the first kinds with a share.
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

/// Settings for drawing examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleSettings {
    /// Maximum length of the words.
    pub depth: usize,
    /// Maximum number of positive words; `None` for all.
    pub positives: Option<usize>,
    /// Maximum number of negative words; `None` for all.
    pub negatives: Option<usize>,
    /// How the negative words are divided among their kinds. If all are taken, kinds without a share are left out.
    pub shares: Shares,
    /// Which words are drawn if there are more.
    pub draw: Draw,
    /// Whether random negative words have even lengths however the others are drawn, as in the paper: a uniform draw
    /// gives hardly any short words, which are the most useful to state merging.
    pub even_random: bool,
    /// Whether the empty word is labelled: if so, it is always among the words of its class, otherwise in none.
    pub empty_word: bool,
    /// Whether the positive words are repeated, in order, to reach the number requested.
    pub balance: bool,
    /// The seed of the draw.
    pub seed: u64,
}

/// A thousand words of each class up to length 8, evenly by length, including the empty word.
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

/// A word and its kind. A [`Kind::Random`] word may also be of another kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The word.
    pub word: Word,
    /// The kind of example.
    pub kind: Kind,
}

impl Example {
    /// Whether the word is in the language.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.kind == Kind::Positive
    }

    /// Its label.
    #[must_use]
    pub fn label(&self) -> Label {
        self.is_positive().into()
    }
}

/// Examples sorted by kind, then by length, then letter by letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleSet {
    /// The letters.
    pub alphabet: Alphabet,
    /// The words, positive ones first.
    pub rows: Vec<Example>,
}

impl ExampleSet {
    /// The number of words of this kind, including repetitions.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.rows.iter().filter(|example| example.kind == kind).count()
    }

    /// The examples with the labels of these words flipped.
    #[must_use]
    pub fn with_flips(&self, flipped: &BTreeSet<Word>) -> Examples {
        let label = |example: &Example| Label::from(example.is_positive() != flipped.contains(&example.word));
        Examples::of(&self.alphabet, self.rows.iter().map(|example| (&example.word[..], label(example))))
    }
}

impl From<&ExampleSet> for Examples {
    fn from(set: &ExampleSet) -> Self {
        Examples::of(&set.alphabet, set.rows.iter().map(|example| (&example.word[..], example.label())))
    }
}

/// Why the requested examples do not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExampleError {
    /// No word is accepted.
    #[error("no word of at most {depth} letters is in the language: there are no positive examples")]
    NoPositives {
        /// The maximum length considered.
        depth: usize,
    },
    /// No word is rejected.
    #[error("every word of at most {depth} letters is in the language: there are no negative examples")]
    NoNegatives {
        /// The maximum length considered.
        depth: usize,
    },
    /// No rejected word is of the requested kinds.
    #[error("no word of at most {depth} letters is a negative example of the requested kinds")]
    NoneOfTheseKinds {
        /// The maximum length considered.
        depth: usize,
    },
    /// No kind of negative words has a share.
    #[error("negative examples are requested, but no kind has a share")]
    NoShares,
    /// All words were requested, but there are more than allowed.
    #[error("there are {count} {class} words of at most {depth} letters, more than the {limit} allowed")]
    TooMany {
        /// `positive` or `negative`.
        class: &'static str,
        /// The number of words.
        count: BigUint,
        /// The limit.
        limit: usize,
        /// The maximum length considered.
        depth: usize,
    },
    /// All short words were requested, but there are more than allowed.
    #[error("there are {count} words of at most {depth} letters, more than the {limit} allowed")]
    TooManyShort {
        /// The number of words.
        count: BigUint,
        /// The limit.
        limit: usize,
        /// The maximum length of short words.
        depth: usize,
    },
    /// The counts that a draw needs would not fit into memory.
    #[error("words of up to {depth} letters are too long to be drawn: their counts would not fit into a gibibyte")]
    TooDeep {
        /// The maximum length requested.
        depth: usize,
    },
    /// A word would stand for several texts.
    #[error("the letters of the language are classes, but examples are words of characters")]
    Classes,
    /// The automaton of the suffixes of accepted words is too large.
    #[error("to compute the suffixes of accepted words, {0}")]
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

/// All examples up to the depth one by one, by length, then by kind, then letter by letter. Memory does not grow with
/// their number; a class is left out if none of it is requested, and other limits are ignored.
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

/// The number of examples that [`all`] yields.
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

/// A language from which examples are drawn.
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
        // Such words are counted once per spelling, so the counts would include words that do not exist.
        if language.alphabet().spelling() == Spelling::Classes {
            return Err(ExampleError::Classes);
        }
        Ok(Self { kinds: Kinds::new(language, DEFAULT_STATE_LIMIT)?, settings })
    }

    /// The empty word, if it is labelled, belongs to this class, and words of the class are requested.
    fn empty_word(&self, positive: bool) -> Option<Example> {
        let wanted = if positive { self.settings.positives } else { self.settings.negatives };
        let example = Example { word: Word::empty(), kind: self.kinds.of(&Word::empty()) };
        (self.settings.empty_word && wanted != Some(0) && example.is_positive() == positive).then_some(example)
    }

    /// Whether some non-empty word is of these kinds.
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

    /// Checks that there are negative words of a kind with a share.
    fn has_negatives(&self) -> Result<(), ExampleError> {
        let depth = self.settings.depth;
        match self.empty_word(false).is_some() || self.has(&self.settings.shares.kinds()) {
            true => Ok(()),
            false if self.has(&Kind::NEGATIVE) => Err(ExampleError::NoneOfTheseKinds { depth }),
            false => Err(ExampleError::NoNegatives { depth }),
        }
    }

    /// The number of examples of these kinds, including the empty word if it is labelled.
    fn count(&self, kinds: &[Kind], positive: bool) -> BigUint {
        let language = self.kinds.language(kinds);
        let others = count_to(&language, self.settings.depth) - BigUint::from(u32::from(language.accepts(&[])));
        others + BigUint::from(u32::from(self.empty_word(positive).is_some()))
    }

    /// Checks that the counts needed for a draw fit into memory.
    fn check_depth(&self) -> Result<(), ExampleError> {
        let depth = self.settings.depth;
        // A count has about as many bits as the words it counts.
        let bits = f64::from(usize::BITS - self.kinds.alphabet().len().leading_zeros());
        let bytes_each = 32.0 + depth as f64 * bits / 16.0;
        let bytes = self.kinds.states() as f64 * depth as f64 * bytes_each;
        if bytes > COUNTS_LIMIT { Err(ExampleError::TooDeep { depth }) } else { Ok(()) }
    }

    /// The number of words of a class to take: all of them if requested, otherwise up to the limit.
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
        // The empty word counts towards the share of its own kind, unless that has none.
        if let (1, Some(part)) = (rows.len(), parts.iter_mut().find(|part| **part > 0)) {
            *part -= 1;
        }
        let mut taken = BTreeSet::new();
        let mut missing = 0;
        for (kind, part) in Kind::NEGATIVE.into_iter().zip(parts) {
            let words = match kind {
                // Any rejected word not taken yet will do; these also replace words that other kinds lack.
                Kind::Random => self.draw(&Kind::NEGATIVE, part + missing, &taken, kind),
                _ => self.draw(&[kind], part, &taken, kind),
            };
            missing += part - words.len().min(part);
            rows.extend(words.iter().map(|word| Example { word: word.clone(), kind }));
            taken.extend(words);
        }
        if rows.is_empty() { Err(ExampleError::NoNegatives { depth: self.settings.depth }) } else { Ok(rows) }
    }

    /// Draws words of these kinds that are not taken yet. Each kind has a separate random stream, so that the number
    /// drawn from one does not affect the others.
    fn draw(&self, kinds: &[Kind], wanted: usize, taken: &BTreeSet<Word>, drawn_as: Kind) -> BTreeSet<Word> {
        let even = self.settings.draw == Draw::Even || (drawn_as == Kind::Random && self.settings.even_random);
        let spread = if even { Spread::Lengths } else { Spread::Words };
        let mut random = chance::stream(self.settings.seed, drawn_as as u64);
        distinct::draw(&self.kinds.language(kinds), 1..=self.settings.depth, spread, wanted, taken, &mut random)
    }
}

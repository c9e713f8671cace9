//! Everyday languages: dates, addresses, identifiers, log lines, each with the expression a person would write for it.
//!
//! Random automata over a few letters do not show how a learner performs on typical data of engineers: a few dozen
//! strings over sixty characters, most of which never occur in most positions. Here words are drawn from the expression
//! itself ([`positives`]), and negative examples are typical mistakes: a word of the language with one small edit
//! ([`near_misses`]). The languages are in `testdata/strings.toml`, which also marks those held out from all tuning.
//!
//! ```
//! use lab::strings::{Strings, named};
//!
//! let dates = named("iso-date").expect("there are dates");
//! let examples = Strings::examples(&dates, 20, 0);
//! let fresh = Strings::fresh(&dates, 2000, 0, &examples);
//! let learned = |word: &str| word.len() == 10;
//! assert!(fresh.balanced_accuracy(learned) < 1.0);
//! assert_eq!(fresh.balanced_accuracy(|word| dates.accepts(word)), 1.0);
//! ```

mod edits;
mod walk;

use std::collections::BTreeSet;

use automata::{Alphabet, Dfa, Examples, Label, Regex};
use rand_chacha::ChaCha8Rng;
use regex_syntax::hir::Hir;
use serde::Deserialize;

use crate::chance;
use edits::Kinds;

/// Number of consecutive draws without a new word after which a language is considered exhausted.
const PATIENCE: usize = 2_000;

/// The characters of words: printable ASCII.
#[must_use]
pub fn characters() -> Alphabet {
    Alphabet::of_chars(&(' '..='~').collect::<String>())
}

/// An everyday language.
#[derive(Clone, Debug)]
pub struct Language {
    /// Its entry in the file.
    pub entry: Entry,
    hir: Hir,
    dfa: Dfa,
    /// The kinds of characters in its words.
    kinds: Kinds,
}

impl Language {
    /// The minimal automaton over [`characters`].
    #[must_use]
    pub fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// Whether the reference matches a word.
    #[must_use]
    pub fn accepts(&self, word: &str) -> bool {
        self.dfa.alphabet().read(word).is_ok_and(|word| self.dfa.accepts(&word))
    }

    /// New words, until there are `count` or no more can be found that are not `taken`.
    fn gather(
        &self,
        count: usize,
        taken: &mut BTreeSet<String>,
        mut next: impl FnMut() -> Option<String>,
    ) -> Vec<String> {
        let mut words = Vec::new();
        let mut failed = 0;
        while words.len() < count && failed < PATIENCE {
            match next().filter(|word| !taken.contains(word)) {
                Some(word) => {
                    taken.insert(word.clone());
                    words.push(word);
                    failed = 0;
                }
                None => failed += 1,
            }
        }
        words
    }

    fn positives(&self, count: usize, taken: &mut BTreeSet<String>, random: &mut ChaCha8Rng) -> Vec<String> {
        self.gather(count, taken, || Some(walk::word(&self.hir, random)))
    }

    fn near_misses(&self, count: usize, taken: &mut BTreeSet<String>, random: &mut ChaCha8Rng) -> Vec<String> {
        self.gather(count, taken, || {
            let word = edits::edited(&walk::word(&self.hir, random), &self.kinds, random)?;
            // An empty line is not a typical mistake.
            (!word.is_empty() && !self.accepts(&word)).then_some(word)
        })
    }
}

/// An everyday language as the file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `iso-date`.
    pub name: String,
    /// A short description.
    pub about: String,
    /// The reference expression, which matches the whole word.
    pub regex: String,
    /// Whether the language is held out from tuning.
    #[serde(default)]
    pub held_out: bool,
}

impl From<Entry> for Language {
    fn from(entry: Entry) -> Self {
        let hir = regex_syntax::parse(&entry.regex).expect("the suite is tested");
        let dfa = Regex::parse(&entry.regex, &characters()).and_then(|regex| regex.to_dfa());
        let dfa = dfa.expect("the suite is tested");
        let kinds = Kinds::of(&dfa);
        Language { entry, hir, dfa, kinds }
    }
}

/// All entries, in the order of the file.
///
/// # Panics
/// Never: the file is part of the program, and tested.
#[must_use]
pub fn entries() -> Vec<Entry> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        language: Vec<Entry>,
    }
    let file: File = toml::from_str(include_str!("../../../../testdata/strings.toml")).expect("the suite is tested");
    file.language
}

/// All languages, in the order of the file.
#[must_use]
pub fn suite() -> Vec<Language> {
    entries().into_iter().map(Language::from).collect()
}

/// The language with this name.
#[must_use]
pub fn named(name: &str) -> Option<Language> {
    entries().into_iter().find(|entry| entry.name == name).map(Language::from)
}

/// Distinct words of a language as they occur in practice; fewer than `count` only if there are not as many. A smaller
/// count gives a prefix of the same list.
#[must_use]
pub fn positives(language: &Language, count: usize, seed: u64) -> Vec<String> {
    language.positives(count, &mut BTreeSet::new(), &mut chance::stream(seed, 0))
}

/// Distinct words that are one small edit away from a word of the language and are not in it.
#[must_use]
pub fn near_misses(language: &Language, count: usize, seed: u64) -> Vec<String> {
    language.near_misses(count, &mut BTreeSet::new(), &mut chance::stream(seed, 1))
}

/// Words that are in a language, and words that are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strings {
    /// Words in the language.
    pub positives: Vec<String>,
    /// Near misses.
    pub negatives: Vec<String>,
}

impl Strings {
    /// A number of examples to learn from, half of them in the language, as far as it has that many words.
    #[must_use]
    pub fn examples(language: &Language, count: usize, seed: u64) -> Self {
        let (positives, negatives) = (count.div_ceil(2), count / 2);
        Self {
            positives: self::positives(language, positives, seed),
            negatives: near_misses(language, negatives, seed),
        }
    }

    /// A number of words to test an answer on, half of them in the language, and none of them among the examples.
    #[must_use]
    pub fn fresh(language: &Language, count: usize, seed: u64, examples: &Self) -> Self {
        let mut taken: BTreeSet<String> = examples.positives.iter().chain(&examples.negatives).cloned().collect();
        let positives = language.positives(count.div_ceil(2), &mut taken, &mut chance::stream(seed, 2));
        let negatives = language.near_misses(count / 2, &mut taken, &mut chance::stream(seed, 3));
        Self { positives, negatives }
    }

    /// The words with their labels, over the characters that occur in them.
    #[must_use]
    pub fn labelled(&self) -> Examples {
        let alphabet = Alphabet::of_chars(&(self.positives.concat() + &self.negatives.concat()));
        let labelled = [(&self.positives, Label::Accepted), (&self.negatives, Label::Rejected)];
        let rows = labelled.into_iter().flat_map(|(words, label)| words.iter().map(move |word| (word, label)));
        let read = |word: &String| alphabet.read(word).expect("its characters are letters");
        Examples::of(&alphabet, rows.map(|(word, label)| (read(word), label)))
    }

    /// Whether an answer agrees with every word.
    pub fn agrees(&self, accepts: impl Fn(&str) -> bool) -> bool {
        self.positives.iter().all(|word| accepts(word)) && !self.negatives.iter().any(|word| accepts(word))
    }

    /// The mean of two fractions: of the positive words, those accepted by the answer, and of the negative words, those
    /// rejected. If there are only words of one label, the fraction of these; 1 if there are none.
    pub fn balanced_accuracy(&self, accepts: impl Fn(&str) -> bool) -> f64 {
        let share = |words: &[String], wanted: bool| {
            let right = words.iter().filter(|word| accepts(word) == wanted).count();
            (!words.is_empty()).then(|| right as f64 / words.len() as f64)
        };
        match (share(&self.positives, true), share(&self.negatives, false)) {
            (Some(positive), Some(negative)) => (positive + negative) / 2.0,
            (one, other) => one.or(other).unwrap_or(1.0),
        }
    }
}

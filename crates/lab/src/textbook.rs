//! Textbook exercises: regular languages over two or three letters, each with the expression a teacher would write.
//!
//! A person who tries a learner gives it a few words and has a simple language in mind. These exercises ask how often
//! that language is learned. They are in `testdata/textbook.toml`, which also marks those held out from all tuning.
//!
//! Two rules choose the examples, both fixed before any learner was tuned on them:
//!
//! - [`short`]: all short words, and a few longer ones, half of them accepted. The suite `textbook-short` has all words
//!   of up to four letters (three if the alphabet has three), and twelve longer words.
//! - [`drawn`]: some accepted and some rejected words at random. The suite `textbook-drawn` has ten of each.
//!
//! Random words have random lengths: all lengths that still have words are equally likely, and so are all words of a
//! length. The longest have eight letters.
//!
//! ```
//! let exercise = &lab::textbook::exercises()[1];
//! assert_eq!((&exercise.about[..], &exercise.expression[..]), ("The word ends in 01.", "[01]*01"));
//! let language = exercise.language().draw(0)?.dfa;
//! assert!(language.accepts(&language.alphabet().read("1101")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use automata::{BigUint, Dfa, Word, count_to, counts, enumerate};
use serde::Deserialize;

use crate::chance;
use crate::distinct::{self, Spread, at_most, evenly};
use crate::examples::{Example, ExampleError, ExampleSet, MOST_WORDS};
use crate::kinds::Kind;
use crate::spec::Language;

/// The random streams of accepted and rejected words, for each rule.
const SHORT_STREAMS: [u64; 2] = [0, 1];
const DRAWN_STREAMS: [u64; 2] = [2, 3];

/// An exercise.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// `ends-in-01`.
    pub name: String,
    /// The language in a sentence.
    pub about: String,
    /// The letters, in order.
    pub letters: String,
    /// The teacher's expression, which matches the whole word.
    pub expression: String,
    /// Whether the exercise is held out from tuning.
    #[serde(default)]
    pub held_out: bool,
}

impl Exercise {
    /// The language, as the specification of a job has it.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::Exercise {
            name: self.name.clone(),
            expression: self.expression.clone(),
            letters: self.letters.clone(),
            held_out: self.held_out,
        }
    }
}

/// All exercises, in the order of the file.
///
/// # Panics
/// Never: the file is part of the program, and tested.
#[must_use]
pub fn exercises() -> Vec<Exercise> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        exercise: Vec<Exercise>,
    }
    let file: File = toml::from_str(include_str!("../../../testdata/textbook.toml")).expect("the exercises are tested");
    file.exercise
}

/// All words of at most `all` letters with their labels, and `longer` longer words of at most `depth` letters. Half of
/// these are accepted; if there are not enough of one label, the other makes up for it.
pub(crate) fn short(
    language: &Dfa,
    all: usize,
    longer: usize,
    depth: usize,
    seed: u64,
) -> Result<ExampleSet, ExampleError> {
    let everything = Dfa::constant(language.alphabet().clone(), true);
    let count = count_to(&everything, all);
    if count > BigUint::from(MOST_WORDS) {
        return Err(ExampleError::TooManyShort { count, limit: MOST_WORDS, depth: all });
    }
    let mut words: BTreeSet<Word> = enumerate(&everything).take_while(|word| word.len() <= all).collect();
    let lengths = all + 1..=depth;
    let there = [language, &language.complement()].map(|class| {
        let count: BigUint = counts(class).take(depth + 1).skip(all + 1).sum();
        at_most(&count, longer)
    });
    let shares = evenly(&there, longer);
    words.extend(by_label(language, &lengths, [shares[0], shares[1]], seed, SHORT_STREAMS));
    Ok(labelled(language, words))
}

/// This many accepted and rejected words of at most `depth` letters; fewer only if there are no more.
pub(crate) fn drawn(language: &Dfa, positives: usize, negatives: usize, depth: usize, seed: u64) -> ExampleSet {
    labelled(language, by_label(language, &(0..=depth), [positives, negatives], seed, DRAWN_STREAMS))
}

/// Random accepted and rejected words, so many of each as far as they exist.
fn by_label(
    language: &Dfa,
    lengths: &RangeInclusive<usize>,
    wanted: [usize; 2],
    seed: u64,
    streams: [u64; 2],
) -> BTreeSet<Word> {
    let mut words = BTreeSet::new();
    for ((class, wanted), stream) in [language, &language.complement()].into_iter().zip(wanted).zip(streams) {
        // A range of lengths may be empty if no words are wanted.
        if wanted > 0 {
            let mut random = chance::stream(seed, stream);
            let lengths = lengths.clone();
            words.extend(distinct::draw(class, lengths, Spread::Chance, wanted, &BTreeSet::new(), &mut random));
        }
    }
    words
}

/// The words with their labels, accepted ones first.
fn labelled(language: &Dfa, words: BTreeSet<Word>) -> ExampleSet {
    let kind = |word: &Word| if language.accepts(word) { Kind::Positive } else { Kind::Random };
    let mut rows: Vec<Example> = words.into_iter().map(|word| Example { kind: kind(&word), word }).collect();
    rows.sort_by_key(|example| example.kind);
    ExampleSet { alphabet: language.alphabet().clone(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_do_not_exist_are_not_given() {
        let everything = Dfa::constant(crate::letters(2), true);
        let set = short(&everything, 3, 12, 3, 0).unwrap();
        assert_eq!((set.rows.len(), set.count(Kind::Positive)), (15, 15), "no word is longer than the longest");
        let set = short(&everything, 3, 40, 4, 0).unwrap();
        assert_eq!(set.rows.len(), 31, "all longer words are accepted, and there are sixteen");
        assert_eq!(drawn(&everything, 10, 10, 2, 0).rows.len(), 7);
        let error = short(&everything, 40, 0, 40, 0).unwrap_err().to_string();
        assert_eq!(error, "there are 2199023255551 words of at most 40 letters, more than the 10000000 allowed");
    }
}

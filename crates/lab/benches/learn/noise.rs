//! The grid with wrong labels: what is learned all the same, and whether the wrong labels are pointed out.
//!
//! Labels are flipped word by word and not row by row: a positive word that stands in the set many times, because there
//! are few, would else be outvoted by its own copies.

use std::collections::BTreeSet;

use automata::Word;
use induction::Sample;
use induction::learner::{Engine, Noise, Settings};
use lab::examples::{Draw, ExampleSet};
use lab::suites::{GridSet, grid};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::SEED;
use crate::case::{Case, learn};

/// All sets of the grid with this part of the labels flipped, which the learner is told, or only that some may be.
pub(crate) fn run(rate: f64, told: bool, engine: Engine, seconds: f64) -> impl Iterator<Item = Value> {
    let sets = grid(8, Draw::Even, SEED).expect("the grid can be drawn");
    sets.into_iter().enumerate().map(move |(i, set)| one(&set, i as u64, rate, told, engine, seconds))
}

fn one(set: &GridSet, number: u64, rate: f64, told: bool, engine: Engine, seconds: f64) -> Value {
    let flipped = flipped_words(&set.examples, rate, number);
    let sample = Sample::new(&set.examples.with_flips(&flipped), true).expect("few words");
    let noise = if told { Noise::Rate(rate) } else { Noise::Auto };
    let (_, induced, took) = learn(sample, Settings { engine, noise, ..Settings::default() }, seconds);

    let case = Case { name: &set.name, target: &set.target, grammar: Some(&set.grammar) };
    let mut line = case.outcome(&induced, took);
    let suspected: BTreeSet<&Word> = induced.suspects.iter().map(|suspect| &suspect.word).collect();
    let rightly = suspected.iter().filter(|word| flipped.contains(**word)).count();
    let positives: BTreeSet<&Word> =
        set.examples.rows.iter().filter(|example| example.is_positive()).map(|example| &example.word).collect();
    line["flipped"] = json!(flipped.len());
    line["pointed_out"] = json!(rightly);
    line["pointed_out_wrongly"] = json!(suspected.len() - rightly);
    line["positives"] = json!(positives.len());
    line
}

/// Each different word with this probability, by a stream of chance for each set: at the higher rate the words of the
/// lower one are among those flipped.
pub(crate) fn flipped_words(examples: &ExampleSet, rate: f64, number: u64) -> BTreeSet<Word> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    random.set_stream(number);
    let words: BTreeSet<&Word> = examples.rows.iter().map(|example| &example.word).collect();
    // A number of at least 0 and below 1.
    let mut chance = move || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    words.into_iter().filter(|_| chance() < rate).cloned().collect()
}

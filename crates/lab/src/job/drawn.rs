//! The examples of a job.
//!
//! The words of the first run are those of the suites of the same name and seed; each further run has its own, unless all
//! are to have the same. They depend on the language, the draw and the run, and not on the learner: so learners of one
//! plan are compared on the same words.

use std::collections::BTreeSet;

use automata::Word;
use automata::formats::abbadingo::{Examples, Label};

use crate::chance::{self, seed_of};
use crate::distinct::Spread;
use crate::examples::{self, ExampleError, ExampleSettings, Shares};
use crate::languages::Target;
use crate::spec::{Lengths, Spec, Words};
use crate::suites;

/// Tells the seeds of later runs, and of wrong labels, from others.
const RUNS: u64 = 1 << 32;
const NOISE: u64 = 1 << 33;

/// Labelled words, and those of which the label is wrong.
pub(super) struct Drawn {
    pub(super) examples: Examples,
    pub(super) flipped: BTreeSet<Word>,
}

pub(super) fn draw(spec: &Spec, target: &Target) -> Result<Drawn, ExampleError> {
    let draw = &spec.draw;
    let run = if draw.same_words { 0 } else { spec.run };
    let of_run = |seed: u64| if run == 0 { seed } else { seed_of(seed, &[RUNS + run]) };
    let set = match draw.words {
        Words::ByLabel { positives, negatives, repeat, kinds, empty_word } => {
            let settings = ExampleSettings {
                depth: draw.depth,
                positives: Some(positives),
                negatives: Some(negatives),
                shares: if kinds { Shares::EQUAL } else { Shares::RANDOM },
                draw: match draw.lengths {
                    Lengths::Uniform => examples::Draw::Uniform,
                    Lengths::Even => examples::Draw::Even,
                },
                even_random: true,
                empty_word,
                balance: repeat,
                seed: of_run(target.seed),
            };
            examples::draw(&target.dfa, &settings)?
        }
        Words::Blind { per_state, shortest } => {
            let (spread, how) = match draw.lengths {
                Lengths::Even => (Spread::Lengths, suites::Lengths::Even),
                Lengths::Uniform => (Spread::Words, suites::Lengths::Uniform),
            };
            let seed = of_run(seed_of(target.seed, &[per_state as u64, how as u64]));
            let wanted = per_state.saturating_mul(target.dfa.len());
            suites::blind(&target.dfa, shortest..=draw.depth, spread, wanted, seed)
        }
    };
    let mut examples = Examples::from(&set);
    let flipped = flipped_words(&examples, draw.noise, of_run(target.seed));
    for (word, label) in &mut examples.rows {
        if flipped.contains(word) {
            *label = if *label == Label::Accepted { Label::Rejected } else { Label::Accepted };
        }
    }
    Ok(Drawn { examples, flipped })
}

/// Each different word with this probability. Word by word and not row by row: what stands there many times would else be
/// outvoted by its own copies. At a higher rate the words of a lower one are among those flipped.
fn flipped_words(examples: &Examples, rate: f64, seed: u64) -> BTreeSet<Word> {
    let mut random = chance::stream(seed_of(seed, &[NOISE]), 0);
    let words: BTreeSet<&Word> = examples.rows.iter().map(|(word, _)| word).collect();
    words.into_iter().filter(|_| chance::happens(rate, &mut random)).cloned().collect()
}

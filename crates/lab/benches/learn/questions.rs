//! A learner that may ask: from ten words of each label it asks about the word that its answers are most divided on, is
//! told, and goes on, until its answer is the truth.

use std::collections::BTreeSet;

use automata::formats::abbadingo::{Examples, Label};
use automata::{Word, separating_word};
use induction::Sample;
use induction::learner::{Engine, Learner, Settings, StopReason, Watch};
use lab::examples::{Draw, ExampleSettings, draw};
use lab::suites::{GridSet, grid};
use serde_json::{Value, json};

use crate::SEED;
use crate::case::{Clock, THREADS};

/// How many words of each label it begins with.
const BEGIN: usize = 10;
/// After so many questions it is given up.
const MOST: usize = 300;

/// All languages of the grid; the time is for all questions about one.
pub(crate) fn run(engine: Engine, seconds: f64) -> impl Iterator<Item = Value> {
    let sets = grid(8, Draw::Even, SEED).expect("the grid can be drawn");
    sets.into_iter().enumerate().map(move |(i, set)| one(&set, i as u64, engine, seconds))
}

fn one(set: &GridSet, seed: u64, engine: Engine, seconds: f64) -> Value {
    let few = ExampleSettings { positives: Some(BEGIN), negatives: Some(BEGIN), seed, ..ExampleSettings::default() };
    let examples = Examples::from(&draw(&set.target, &few).expect("the language has words of both labels"));
    let mut known: BTreeSet<Word> = examples.rows.iter().map(|(word, _)| word.clone()).collect();
    let begin = known.len();
    let sample = Sample::new(&examples, false).expect("the examples are labelled one way");
    let clock = Clock::of(seconds);
    let settings = Settings { engine, ..Settings::default() };
    let mut learner = Learner::new(sample, settings, THREADS).expect("there are words of both labels");
    let (end, induced) = loop {
        let reason = loop {
            match learner.advance(&clock).expect("the settings are good") {
                Some(reason) => break reason,
                None if learner.is_divided() => break StopReason::Settled,
                None => {}
            }
        };
        let induced = learner.induced(reason);
        if induced.dfa == set.target {
            break ("exact", induced);
        }
        if clock.stopped() {
            break ("time", induced);
        }
        if known.len() - begin == MOST {
            break ("questions", induced);
        }
        // Answers that are all wrong somewhere may differ on words whose labels are known.
        let word = induced
            .undecided
            .iter()
            .chain(&induced.doubtful)
            .map(|open| &open.word)
            .find(|word| !known.contains(*word));
        let Some(word) = word.cloned() else { break ("nothing to ask", induced) };
        let label = if set.target.accepts(&word) { Label::Accepted } else { Label::Rejected };
        learner.tell(&[(word.clone(), label)]).expect("it is told the truth");
        known.insert(word);
    };
    let word = separating_word(&set.target, &induced.dfa).map(|word| set.target.alphabet().show(&word));
    json!({
        "set": set.name, "seconds": clock.seconds(), "questions": known.len() - begin, "end": end,
        "exact": end == "exact", "consistent": induced.certificate.is_consistent(), "states": induced.dfa.len(),
        "target_states": set.target.len(), "words_before": begin, "separating_word": word,
    })
}

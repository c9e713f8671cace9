//! A learner that may ask: from ten words of each label it asks about the word that its answers are most divided on, is
//! told, and goes on, until its answer is the truth.

use automata::{Examples, separating_word};
use induction::Sample;
use induction::learner::{Engine, Learner, Settings};
use lab::examples::{Draw, ExampleSettings, draw};
use lab::oracle::ask;
use lab::record::QuestionsEnd;
use lab::suites::{GridSet, grid};
use serde_json::{Value, json};

use crate::SEED;
use crate::case::{Clock, THREADS};

/// How many words of each label it begins with.
const BEGIN: usize = 10;
/// After so many questions it is given up.
const MOST: u64 = 300;

/// All languages of the grid; the time is for all questions about one.
pub(crate) fn run(engine: Engine, seconds: f64) -> impl Iterator<Item = Value> {
    let sets = grid(8, Draw::Even, SEED).expect("the grid can be drawn");
    sets.into_iter().enumerate().map(move |(i, set)| one(&set, i as u64, engine, seconds))
}

fn one(set: &GridSet, seed: u64, engine: Engine, seconds: f64) -> Value {
    let few = ExampleSettings { positives: Some(BEGIN), negatives: Some(BEGIN), seed, ..ExampleSettings::default() };
    let examples = Examples::from(&draw(&set.target, &few).expect("the language has words of both labels"));
    let begin = examples.len();
    let sample = Sample::new(&examples, false).expect("the examples are labelled one way");
    let clock = Clock::of(seconds);
    let settings = Settings { engine, ..Settings::default() };
    let mut learner = Learner::new(sample, settings, THREADS).expect("there are words of both labels");
    let (induced, questions) = ask(&mut learner, &set.target, MOST, &|| clock.stopped()).expect("it is told the truth");
    let end = match questions.end {
        QuestionsEnd::Exact => "exact",
        QuestionsEnd::Cut => "time",
        QuestionsEnd::Used => "questions",
        QuestionsEnd::NothingToAsk => "nothing to ask",
    };
    let word = separating_word(&set.target, &induced.dfa).map(|word| set.target.alphabet().show(&word));
    json!({
        "set": set.name, "seconds": clock.seconds(), "questions": questions.asked, "end": end,
        "exact": end == "exact", "consistent": induced.certificate.is_consistent(), "states": induced.dfa.len(),
        "target_states": set.target.len(), "words_before": begin, "separating_word": word,
    })
}

//! Formulas over facts about words, for languages that a person would state in a sentence.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Formula;
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, Task, Turn, Work, predicts};
use crate::facts::{Facts, MOST_LETTERS};
use crate::learner::{LearnError, Noise, State};
use crate::sample::Sample;
use crate::selection::{Candidate, Origin};

/// Looks for a formula: in all words, and in each half of them.
pub(in crate::learner) const FACTS: Stating = Stating { fewest: FEW_WORDS };
/// The same from any number of words, where no other engine has a turn.
pub(in crate::learner) const FACTS_ALONE: Stating = Stating { fewest: 0 };

/// Fewer words say little about a formula, and other engines are quick on them.
const FEW_WORDS: u64 = 20;
/// With this many words, a formula that is found in each half of them and is right on the other half is settled.
const ENOUGH_TO_HALVE: u64 = 500;

pub(in crate::learner) struct Stating {
    /// Number of words from which it has work.
    fewest: u64,
}

impl Engine for Stating {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn stage(&self) -> &'static str {
        "facts"
    }

    fn reads(&self, sample: &Sample) -> Result<(), LearnError> {
        match sample.alphabet().len() {
            letters if letters > MOST_LETTERS => Err(LearnError::ManyLetters { letters, most: MOST_LETTERS }),
            _ => Ok(()),
        }
    }

    fn has_work(&self, state: &State) -> bool {
        let sample = &state.data.sample;
        !sample.alphabet().has_classes() && sample.words() >= self.fewest
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let noise = state.settings.noise != Noise::None;
        // With noise, errors and bits are weighed against each other.
        let right = state.pool.best().filter(|best| !noise && best.errors == 0);
        let known = right.map(|best| best.bits);
        let narrows = |half: Option<bool>| state.settings.narrows && !noise && half.is_none();
        let job = |half: Option<bool>| {
            let known = known.filter(|_| half.is_none());
            Box::new(Statement { noise, half, known, narrows: narrows(half) }) as Box<dyn Job>
        };
        let halves = [Some(false), Some(true)].into_iter().filter(|_| state.data.sample.words() >= ENOUGH_TO_HALVE);
        match turn.part {
            0 => vec![job(None)],
            // What was not found in all words is not found in half of them.
            1 if !noise && has_stated(state) => halves.map(job).collect(),
            _ => Vec::new(),
        }
    }

    /// Formulas of the halves are judged on all words: what they say about the other half was not seen.
    fn gather(&self, turn: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        if turn.part == 0 {
            state.narrowings = outcomes.iter().flat_map(|outcome| outcome.narrowings.clone()).collect();
            return outcomes.into_iter().try_for_each(|outcome| state.take(outcome));
        }
        let is_predicted = predicts(&outcomes, state);
        for mut outcome in outcomes {
            outcome.candidates.truncate(1);
            state.take(outcome.uncounted())?;
        }
        let best = state.pool.best().filter(|best| is_predicted && is_stated(best));
        state.predicted = best.map(|best| best.dfa.clone());
        Ok(())
    }
}

/// Whether the best answer is a formula that agrees with every example, without exceptions.
fn has_stated(state: &State) -> bool {
    state.pool.best().is_some_and(is_stated)
}

fn is_stated(best: &Candidate) -> bool {
    best.origin == Origin::Facts && best.errors == 0 && !best.has_exceptions()
}

/// A search for a formula, in all words or in every other one.
#[derive(Serialize, Deserialize)]
pub(super) struct Statement {
    noise: bool,
    half: Option<bool>,
    /// The bits of the best answer so far, if it agrees with every example.
    known: Option<f64>,
    /// Whether facts that explain a part of the labels are wanted.
    narrows: bool,
}

impl Work for Statement {
    const KIND: &'static str = "facts";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let known = self.known.unwrap_or(f64::INFINITY);
        let facts = match self.half {
            None => Facts::new(&data.sample, self.noise, known),
            Some(odd) => {
                let half: Sample = data.sample.picked(|i| (i % 2 == 1) == odd);
                Facts::new(&half, self.noise, known)
            }
        };
        // With noise, exceptions are wrong labels; and a half of the words is there to be judged by the other half.
        let excepts = !self.noise && self.half.is_none();
        Box::new(Searching { data: Arc::clone(data), facts, excepts, narrows: self.narrows })
    }
}

struct Searching {
    data: Arc<Data>,
    /// None if the words are too many or too few.
    facts: Option<Facts>,
    /// Whether formulas may have exceptions.
    excepts: bool,
    /// Whether facts that explain a part of the labels are wanted.
    narrows: bool,
}

impl Task for Searching {
    fn advance(&mut self) -> Option<Outcome> {
        let Some(facts) = &mut self.facts else { return Some(Outcome::default()) };
        match facts.advance() {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(found) => Some(self.outcome(found)),
        }
    }

    fn cut(self: Box<Self>) -> Outcome {
        let found = self.facts.as_ref().map(Facts::formulas).unwrap_or_default();
        self.outcome(found)
    }
}

impl Searching {
    /// The formulas as candidates. They come from one search: only the first counts as a find. If none is right about all
    /// words, they are candidates with exceptions, too.
    fn outcome(&self, found: Vec<Formula>) -> Outcome {
        let jury = &self.data.jury;
        let found = found.into_iter().filter_map(|formula| Candidate::from_formula(formula, jury, Origin::Facts));
        let found = found.enumerate().map(|(i, candidate)| Candidate { finds: u32::from(i == 0), ..candidate });
        let mut found: Vec<Candidate> = found.collect();
        let is_open = self.narrows && found.iter().all(|candidate| candidate.errors > 0);
        let narrowings = self.facts.iter().filter(|_| is_open).flat_map(Facts::narrowings).collect();
        if self.excepts && found.iter().all(|candidate| candidate.errors > 0) {
            let excepted: Vec<Candidate> = found.iter().filter_map(|one| one.with_exceptions(jury)).collect();
            found.extend(excepted);
        }
        Outcome { narrowings, ..Outcome::of(found) }
    }
}

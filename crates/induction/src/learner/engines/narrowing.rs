//! What facts leave open, as a problem of its own.
//!
//! A fact that is true of all accepted words explains all rejected words that it is not true of. Only the other words are left
//! to be learned from, and the answer is the intersection of the fact's language with what is learned. Likewise, a fact that
//! is true of no rejected word leaves fewer accepted words, and the answer is a union. Merging, model and search look for
//! something smaller there than in all words.

use std::sync::Arc;

use automata::{Dfa, Formula, intersection, union};
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, Task, Turn, Work};
use crate::learner::{Learner, Noise, Settings, Spent, State, Step, Threads};
use crate::sample::Sample;
use crate::selection::{Candidate, Origin};

/// Learns from the words that facts leave open, with small budgets.
pub(in crate::learner) const NARROW: Narrowing = Narrowing;

/// Budgets for the rest: two blocks of restarts, and seconds of search.
const RESTARTS: u64 = 32;
const VISITS: u64 = 100_000_000;
const CONFLICTS: u64 = 2_000;
/// Maximum number of states of the facts' language and of the answer.
const MOST_STATES: usize = 2_000;

pub(in crate::learner) struct Narrowing;

impl Engine for Narrowing {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn stage(&self) -> &'static str {
        "learning what facts leave open"
    }

    fn has_work(&self, state: &State) -> bool {
        let is_stated = || state.pool.best().is_some_and(|best| best.errors == 0 && best.rule.is_some());
        state.settings.noise == Noise::None && !state.narrowings.is_empty() && !is_stated()
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        if turn != (Turn { number: 0, part: 0 }) {
            return Vec::new();
        }
        let job = |(number, formula): (usize, &Formula)| {
            let seed = state.seed_of(9, number as u64);
            Box::new(Rest { formula: formula.clone(), seed }) as Box<dyn Job>
        };
        state.narrowings.iter().enumerate().map(job).collect()
    }
}

/// The words that a formula leaves open are learned from.
#[derive(Serialize, Deserialize)]
pub(super) struct Rest {
    formula: Formula,
    seed: u64,
}

impl Work for Rest {
    const KIND: &'static str = "rest";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let every = self.formula.every;
        let facts = self.formula.automaton(data.sample.alphabet(), MOST_STATES);
        let learner = facts.as_ref().and_then(|facts| {
            let is_open: Vec<bool> =
                data.sample.entries().iter().map(|entry| facts.accepts(data.sample.word(entry)) == every).collect();
            let rest: Sample = data.sample.picked(|i| is_open[i]);
            let settings = Settings {
                restarts: RESTARTS,
                visits: VISITS,
                conflicts: CONFLICTS,
                narrows: false,
                seed: self.seed,
                ..Settings::default()
            };
            Learner::with_executor(rest, settings, Box::new(Threads::inline())).ok()
        });
        Box::new(Learning { data: Arc::clone(data), every, facts, learner })
    }
}

struct Learning {
    data: Arc<Data>,
    every: bool,
    /// The language of the facts, if it is not too large,
    facts: Option<Dfa>,
    /// and the learner of the rest, if both labels are left.
    learner: Option<Learner>,
}

impl Task for Learning {
    fn advance(&mut self) -> Option<Outcome> {
        match self.learner.as_mut().map(Learner::step) {
            Some(Ok(Step::Working | Step::Turn)) => None,
            Some(Ok(Step::Done(_)) | Err(_)) | None => Some(self.outcome()),
        }
    }

    fn spent(&self) -> Spent {
        self.learner.as_ref().map(Learner::spent).unwrap_or_default()
    }

    fn cut(self: Box<Self>) -> Outcome {
        self.outcome()
    }
}

impl Learning {
    fn outcome(&self) -> Outcome {
        let right = |best: &&Candidate| best.errors == 0 && best.origin != Origin::Trivial;
        let best = self.learner.as_ref().and_then(|learner| learner.pool().best().filter(right));
        let both = best.zip(self.facts.as_ref()).and_then(|(best, facts)| {
            let dfa = match self.every {
                true => intersection(&best.dfa, facts, MOST_STATES),
                false => union(&best.dfa, facts, MOST_STATES),
            };
            Some(Candidate::from_dfa(&dfa.ok()?, &self.data.jury, best.origin))
        });
        Outcome { spent: self.spent(), ..Outcome::of(both.into_iter().collect()) }
    }
}

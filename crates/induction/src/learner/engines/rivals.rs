//! Rivals of the best answer: neighbours that also agree with every example. A formula has two kinds: its automaton with one
//! change, and formulas that differ in one literal.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Dfa, Formula, Rule};
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work};
use crate::facts::Near;
use crate::learner::{LearnError, State, rivals};
use crate::selection::{Candidate, Origin};

/// Looks for rivals of the best answer, and of any answer that replaces it.
pub(in crate::learner) const RIVALS: Rivals = Rivals;

/// Maximum number of times in a row that a rival becomes the best answer and is challenged in turn.
const MOST_HUNTS: u32 = 8;
/// Maximum number of rivals of each kind.
const MOST_RIVALS: usize = 24;
/// Larger automata have too many neighbours.
const MOST_STATES: usize = 200;

pub(in crate::learner) struct Rivals;

impl Engine for Rivals {
    fn name(&self) -> &'static str {
        "rivals"
    }

    fn stage(&self) -> &'static str {
        "rivals"
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        match state.unchallenged_best() {
            Some(best) if turn.part < MOST_HUNTS => {
                let restate = |rule: &Rule| Box::new(Restate { formula: rule.formula().clone() }) as Box<dyn Job>;
                let hunt = Box::new(Hunt { dfa: best.dfa.clone() }) as Box<dyn Job>;
                [hunt].into_iter().chain(best.rule.as_ref().map(restate)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn gather(&self, _: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        state.hunted = state.pool.best().map(|best| best.dfa.clone());
        let was_predicted = state.is_predicted();
        outcomes.into_iter().try_for_each(|outcome| state.take(outcome))?;
        // What halves of the words predict, they predict of a neighbour that is shorter, up to the same few words.
        if was_predicted && let Some(best) = state.pool.best().filter(|best| best.origin == Origin::Rival) {
            state.predicted = Some(best.dfa.clone());
        }
        Ok(())
    }
}

/// An automaton whose neighbours are examined.
#[derive(Serialize, Deserialize)]
pub(super) struct Hunt {
    #[serde(with = "super::written")]
    dfa: Dfa,
}

impl Work for Hunt {
    const KIND: &'static str = "rivals";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let is_small = self.dfa.len() <= MOST_STATES;
        let rivals = is_small.then(|| rivals::Rivals::new(self.dfa, Arc::clone(&data.sample), MOST_RIVALS));
        Box::new(Hunting { data: Arc::clone(data), rivals })
    }
}

struct Hunting {
    data: Arc<Data>,
    rivals: Option<rivals::Rivals>,
}

impl Task for Hunting {
    fn advance(&mut self) -> Option<Outcome> {
        let found = match &mut self.rivals {
            None => Vec::new(),
            Some(rivals) => match rivals.advance(SLICE) {
                ControlFlow::Continue(()) => return None,
                ControlFlow::Break(found) => found,
            },
        };
        let jury = &self.data.jury;
        let candidate = |rival: &Dfa| Candidate { finds: 0, ..Candidate::from_dfa(rival, jury, Origin::Rival) };
        Some(Outcome::of(found.iter().map(candidate).collect()))
    }
}

/// A formula of which each literal is changed.
#[derive(Serialize, Deserialize)]
pub(super) struct Restate {
    formula: Formula,
}

impl Work for Restate {
    const KIND: &'static str = "near formulas";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let near = Near::new(self.formula, &data.sample, MOST_RIVALS);
        Box::new(Restating { data: Arc::clone(data), near, formulas: None, found: Vec::new() })
    }
}

struct Restating {
    data: Arc<Data>,
    near: Near,
    /// The formulas that are not judged yet, once the search is over,
    formulas: Option<std::vec::IntoIter<Formula>>,
    /// and the others.
    found: Vec<Candidate>,
}

impl Task for Restating {
    fn advance(&mut self) -> Option<Outcome> {
        let Some(formulas) = &mut self.formulas else {
            if let ControlFlow::Break(formulas) = self.near.advance(SLICE) {
                self.formulas = Some(formulas.into_iter());
            }
            return None;
        };
        let Some(formula) = formulas.next() else { return Some(Outcome::of(std::mem::take(&mut self.found))) };
        let candidate = Candidate::from_formula(formula, &self.data.jury, Origin::Rival);
        self.found.extend(candidate.map(|candidate| Candidate { finds: 0, ..candidate }));
        None
    }

    fn cut(self: Box<Self>) -> Outcome {
        Outcome::of(self.found)
    }
}

//! The smallest automaton that agrees with every example, found by a SAT solver.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Direction;
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work};
use crate::learner::{LearnError, Noise, Settings, Spent, State};
use crate::selection::{Candidate, Origin};
use crate::symbolic::sat::{Asked, Budget, Exact, Found};

/// Asks the solver for automata with more and more states.
pub(in crate::learner) const SOLVER: Solver = Solver;

pub(in crate::learner) struct Solver;

impl Engine for Solver {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn stage(&self) -> &'static str {
        "solving"
    }

    fn supports(&self, settings: &Settings) -> Result<(), LearnError> {
        match (settings.noise, settings.direction) {
            (Noise::Rate(_) | Noise::Auto, _) => Err(LearnError::NoisySat),
            (Noise::None, Direction::Right) => Err(LearnError::BackwardSat),
            (Noise::None, Direction::Left) => Ok(()),
        }
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        match turn.part {
            0 => vec![Box::new(Smallest { conflicts: state.ledger.conflicts_left(&state.settings) })],
            _ => Vec::new(),
        }
    }
}

/// The search for the smallest automaton. It uses all examples: the solver picks those that matter by itself.
#[derive(Serialize, Deserialize)]
pub(super) struct Smallest {
    pub(super) conflicts: u64,
}

impl Work for Smallest {
    const KIND: &'static str = "solver";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        Box::new(Solving {
            data: Arc::clone(data),
            budget: Budget::new(self.conflicts),
            exact: Exact::new(Arc::clone(&data.whole)),
            states: None,
        })
    }
}

/// Asks for automata with more and more states, starting at the lower bound.
struct Solving {
    data: Arc<Data>,
    budget: Budget,
    exact: Exact,
    /// The number of states in question, once the bound is known.
    states: Option<usize>,
}

impl Task for Solving {
    fn advance(&mut self) -> Option<Outcome> {
        let Some(states) = self.states else {
            if self.exact.prepare(SLICE).is_break() {
                self.ask(self.exact.bound());
            }
            return None;
        };
        let found = match self.exact.advance(SLICE, &mut self.budget) {
            ControlFlow::Continue(()) => return None,
            ControlFlow::Break(Found::Nothing) => {
                self.ask(states + 1);
                return None;
            }
            ControlFlow::Break(Found::Automaton(dfa)) => Some(dfa),
            ControlFlow::Break(Found::Unknown(_)) => None,
        };
        let candidates = found.iter().map(|dfa| Candidate::from_dfa(dfa, &self.data.jury, Origin::Sat)).collect();
        Some(Outcome { spent: self.spent(), ..Outcome::of(candidates) })
    }

    fn spent(&self) -> Spent {
        Spent { conflicts: self.budget.spent(), ..Spent::default() }
    }

    fn cut(self: Box<Self>) -> Outcome {
        Outcome { spent: self.spent(), ..Outcome::default() }
    }
}

impl Solving {
    fn ask(&mut self, states: usize) {
        self.states = Some(states);
        self.exact.ask(Asked::Automaton(states));
    }
}

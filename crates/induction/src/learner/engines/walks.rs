//! State merging by how accepted words go on: for traces, logs and other walks, where few prefixes have labels.
//!
//! First one run. If accepted words are walks by the measure, parts of the best answer, whoever found it, are built again until
//! that has been in vain a few times; then one run on each half of the words says whether the answer is settled. Later turns
//! have more patience. Rebuilding and search have one budget.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, STRINGS, Task, Turn, Work, predicts};
use crate::learner::{LearnError, Noise, Settings, Spent, State};
use crate::sample::Sample;
use crate::selection::{Candidate, Origin};
use crate::symbolic::{Choice, Rebuilder, Rebuilding, Walker, Walking};

pub(in crate::learner) const WALK: Walks = Walks;

/// A run that exceeds these limits is on the wrong track and is abandoned.
const MOST_STATES: usize = 400;
const MOST_VISITS: u64 = 100_000_000;
/// With more nodes the prefix tree takes hundreds of megabytes.
const MOST_NODES: usize = 2_000_000;
/// With this many words, an automaton that is found in each half of them and is right on the other half is settled.
const ENOUGH_TO_HALVE: u64 = 500;
/// Number of rebuilders in a part of a turn. All begin with the best answer.
const REBUILDERS: u64 = 4;
/// Work of a rebuilder in a part, in visits.
const REBUILT_VISITS: u64 = 30_000_000;
/// Parts in vain after which the second turn ends. The patience doubles with each turn,
const PATIENCE: u32 = 2;
/// up to this many parts.
const MOST_IN_VAIN: u32 = 16;

/// What was done about the examples so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::learner) struct Rebuilt {
    /// Whether they had the first run.
    begun: bool,
    /// How often parts of the answer were rebuilt, and how often in a row in vain.
    parts: u64,
    in_vain: u32,
    /// Whether halves of the words were learned from.
    halved: bool,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Run,
    Rebuild,
    Halves,
    Nothing,
}

pub(in crate::learner) struct Walks;

impl Walks {
    /// What comes next in a turn that ends after so many parts in vain.
    fn next(patience: u32, state: &State) -> Next {
        let Rebuilt { begun, in_vain, halved, .. } = state.rebuilt;
        // Strings of a format look like walks, too; a pattern explains them better and sooner.
        let awaits_pattern = STRINGS.has_work(state);
        let may_rebuild = in_vain < patience && !awaits_pattern && state.ledger.visits_left(&state.settings) > 0;
        match begun {
            false => Next::Run,
            true if may_rebuild && state.pool.best().is_some_and(has_walks) => Next::Rebuild,
            true if !halved && is_best(state) && state.data.sample.words() >= ENOUGH_TO_HALVE => Next::Halves,
            true => Next::Nothing,
        }
    }

    /// The first turn has only the first run.
    fn next_of(turn: Turn, state: &State) -> Next {
        match turn.number.checked_sub(1) {
            None if turn.part > 0 => Next::Nothing,
            None => Next::Run,
            Some(later) => Self::next(PATIENCE.saturating_mul(1 << later.min(16)).min(MOST_IN_VAIN), state),
        }
    }
}

impl Engine for Walks {
    fn name(&self) -> &'static str {
        "merging"
    }

    fn stage(&self) -> &'static str {
        "merging by how words go on"
    }

    fn supports(&self, settings: &Settings) -> Result<(), LearnError> {
        match settings.noise {
            Noise::None => Ok(()),
            Noise::Rate(_) | Noise::Auto => Err(LearnError::NoisyWalks),
        }
    }

    fn has_work(&self, state: &State) -> bool {
        self.supports(&state.settings).is_ok()
            && state.data.sample.parents().len() <= MOST_NODES
            && Self::next(MOST_IN_VAIN, state) != Next::Nothing
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        match (Self::next_of(turn, state), state.pool.best()) {
            (Next::Run, _) => vec![Box::new(Walk { half: None })],
            (Next::Halves, _) => [false, true].map(|half| Box::new(Walk { half: Some(half) }) as Box<dyn Job>).into(),
            (Next::Rebuild, Some(best)) => {
                let most_visits = REBUILT_VISITS.min(state.ledger.visits_left(&state.settings) / REBUILDERS + 1);
                let rebuild = |number| {
                    let seed = state.seed_of(8, state.rebuilt.parts * REBUILDERS + number);
                    let how = Rebuilding { seed, most_visits };
                    Box::new(Rebuild { how, start: best.dfa.clone() }) as Box<dyn Job>
                };
                (0..REBUILDERS).map(rebuild).collect()
            }
            _ => Vec::new(),
        }
    }

    fn gather(&self, turn: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        match Self::next_of(turn, state) {
            Next::Halves => {
                let predicted = predicts(&outcomes, state);
                outcomes.into_iter().try_for_each(|outcome| state.take(outcome.uncounted()))?;
                let best = state.pool.best().filter(|best| predicted && best.origin == Origin::Walks);
                (state.predicted, state.rebuilt.halved) = (best.map(|best| best.dfa.clone()), true);
                Ok(())
            }
            Next::Rebuild => {
                let total = |state: &State| state.pool.best().map_or(f64::INFINITY, |best| best.total(None));
                let before = total(state);
                // Rebuilders begin with the same answer, so they are not independent.
                outcomes.into_iter().try_for_each(|outcome| state.take(outcome.uncounted()))?;
                state.rebuilt.in_vain = if total(state) < before { 0 } else { state.rebuilt.in_vain + 1 };
                state.rebuilt.parts += 1;
                Ok(())
            }
            Next::Run | Next::Nothing => {
                state.rebuilt.begun = true;
                outcomes.into_iter().try_for_each(|outcome| state.take(outcome))
            }
        }
    }
}

/// Whether an answer agrees with every example, and accepted words are walks through it.
fn has_walks(best: &Candidate) -> bool {
    best.errors == 0 && best.walks && best.dfa.len() <= MOST_STATES
}

/// Whether the best answer comes from here and agrees with every example.
fn is_best(state: &State) -> bool {
    state.pool.best().is_some_and(|best| best.origin == Origin::Walks && best.errors == 0)
}

/// A run on all words, or on every other one.
#[derive(Serialize, Deserialize)]
pub(super) struct Walk {
    half: Option<bool>,
}

impl Work for Walk {
    const KIND: &'static str = "walks";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let sample = match self.half {
            None => Arc::clone(&data.sample),
            Some(odd) => Arc::new(data.sample.picked(|i| (i % 2 == 1) == odd)) as Arc<Sample>,
        };
        let how = Walking {
            randomness: None,
            choice: Choice::Strongest,
            label_bits: 1.0,
            most_states: MOST_STATES,
            most_visits: MOST_VISITS,
        };
        Box::new(Running { data: Arc::clone(data), walker: Walker::new(sample, &how) })
    }
}

struct Running {
    data: Arc<Data>,
    walker: Walker,
}

impl Task for Running {
    fn advance(&mut self) -> Option<Outcome> {
        let ControlFlow::Break(found) = self.walker.advance(SLICE) else { return None };
        Some(outcome(found.as_ref(), &self.data))
    }
}

/// Parts of an answer are built again.
#[derive(Serialize, Deserialize)]
pub(super) struct Rebuild {
    how: Rebuilding,
    #[serde(with = "super::written")]
    start: Dfa,
}

impl Work for Rebuild {
    const KIND: &'static str = "rebuilding";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let rebuilder = Rebuilder::new(Arc::clone(&data.sample), Arc::clone(data.tree()), &self.start, &self.how);
        Box::new(Building { data: Arc::clone(data), rebuilder })
    }
}

struct Building {
    data: Arc<Data>,
    rebuilder: Rebuilder,
}

impl Task for Building {
    fn advance(&mut self) -> Option<Outcome> {
        let ControlFlow::Break(found) = self.rebuilder.advance(SLICE) else { return None };
        Some(Outcome { spent: self.spent(), ..outcome(Some(&found), &self.data) })
    }

    fn spent(&self) -> Spent {
        Spent { visits: self.rebuilder.done(), ..Spent::default() }
    }

    fn cut(self: Box<Self>) -> Outcome {
        Outcome { spent: self.spent(), ..outcome(Some(&self.rebuilder.best()), &self.data) }
    }
}

fn outcome(found: Option<&Dfa>, data: &Data) -> Outcome {
    Outcome::of(found.map(|dfa| Candidate::from_dfa(dfa, &data.jury, Origin::Walks)).into_iter().collect())
}

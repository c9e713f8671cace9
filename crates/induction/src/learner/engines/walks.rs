//! State merging by how accepted words go on: for traces, logs and other walks, where few prefixes have labels.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work, predicts};
use crate::learner::{LearnError, Noise, Settings, State};
use crate::sample::Sample;
use crate::selection::{Candidate, Origin};
use crate::symbolic::{Randomness, Walker, Walking};

/// First one run; then, as long as that is the best answer, one on each half of the words, and at last some randomised runs.
pub(in crate::learner) const WALK: Walks = Walks;

/// Number of randomised runs, and their strengths in bits.
const RUNS: u64 = 9;
const STRENGTHS: [f64; 3] = [1.0, 2.0, 4.0];
/// A run that exceeds these limits is on the wrong track and is abandoned.
const MOST_STATES: usize = 400;
const MOST_VISITS: u64 = 100_000_000;
/// With more nodes the prefix tree takes hundreds of megabytes.
const MOST_NODES: usize = 2_000_000;
/// With this many words, an automaton that is found in each half of them and is right on the other half is settled.
const ENOUGH_TO_HALVE: u64 = 500;

pub(in crate::learner) struct Walks;

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
        self.supports(&state.settings).is_ok() && state.data.sample.parents().len() <= MOST_NODES
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let how = Walking { randomness: None, most_states: MOST_STATES, most_visits: MOST_VISITS };
        let job = |how, half| Box::new(Walk { how, half }) as Box<dyn Job>;
        let random = |number: u64| {
            let strength = STRENGTHS[number as usize % STRENGTHS.len()];
            Walking { randomness: Some(Randomness { strength, seed: state.seed_of(7, number) }), ..how }
        };
        match (turn.number, turn.part) {
            (0, 0) => vec![job(how, None)],
            (1, 0) if is_best(state) && state.data.sample.words() >= ENOUGH_TO_HALVE => {
                [false, true].map(|half| job(how, Some(half))).into()
            }
            (2, 0) if is_best(state) => (0..RUNS).map(|number| job(random(number), None)).collect(),
            _ => Vec::new(),
        }
    }

    fn gather(&self, turn: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        match (turn.number, turn.part) {
            (0, _) => outcomes.into_iter().try_for_each(|outcome| state.take(outcome)),
            (1, _) => {
                let predicted = predicts(&outcomes, state);
                outcomes.into_iter().try_for_each(|outcome| state.take(outcome.uncounted()))?;
                let best = state.pool.best().filter(|best| predicted && best.origin == Origin::Walks);
                state.predicted = best.map(|best| best.dfa.clone());
                Ok(())
            }
            // Runs on the same words are not independent.
            _ => outcomes.into_iter().try_for_each(|outcome| state.take(outcome.uncounted())),
        }
    }
}

/// Whether the best answer comes from here and agrees with every example.
fn is_best(state: &State) -> bool {
    state.pool.best().is_some_and(|best| best.origin == Origin::Walks && best.errors == 0)
}

/// A run on all words, or on every other one.
#[derive(Serialize, Deserialize)]
pub(super) struct Walk {
    how: Walking,
    half: Option<bool>,
}

impl Work for Walk {
    const KIND: &'static str = "walks";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let sample = match self.half {
            None => Arc::clone(&data.sample),
            Some(odd) => Arc::new(data.sample.picked(|i| (i % 2 == 1) == odd)) as Arc<Sample>,
        };
        Box::new(Running { data: Arc::clone(data), walker: Walker::new(sample, &self.how) })
    }
}

struct Running {
    data: Arc<Data>,
    walker: Walker,
}

impl Task for Running {
    fn advance(&mut self) -> Option<Outcome> {
        let ControlFlow::Break(found) = self.walker.advance(SLICE) else { return None };
        let candidate = |dfa| Candidate::from_dfa(dfa, &self.data.jury, Origin::Walks);
        Some(Outcome::of(found.iter().map(candidate).collect()))
    }
}

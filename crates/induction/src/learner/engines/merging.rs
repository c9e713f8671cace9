//! State merging: takes milliseconds, and is strong with many short words.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work};
use crate::learner::{LearnError, Noise, State};
use crate::selection::{Candidate, Origin};
use crate::symbolic::{self, Merger, Merging, Rule, varied};

/// One run in canonical order, without limits.
pub(in crate::learner) const RPNI: One = One(Rule::Rpni);
/// One evidence-driven run, without limits.
pub(in crate::learner) const EDSM: One = One(Rule::Edsm);
/// Both rules, some randomised runs, and a narrow beam.
pub(in crate::learner) const MERGE_OFTEN: Often = Often;
/// A quick look: both rules once, with limits.
pub(in crate::learner) const MERGE_ONCE: Once = Once;
/// A wide beam.
pub(in crate::learner) const MERGE_WIDELY: Widely = Widely;

/// Number of evidence-driven runs, and width of the beam, at first and later.
const RUNS: usize = 8;
const NARROW: usize = 4;
const WIDE: usize = 48;
/// Maximum number of nodes in a beam, which has one tree per quotient.
const BEAM_NODES: usize = 1_000_000;
/// A run that exceeds these limits is on the wrong track and is abandoned.
const MOST_VISITS: u64 = 3_000_000;
const MOST_STATES: usize = 100;
/// Visits allowed to a single run without a limit on states, if all runs were abandoned.
const PATIENT_VISITS: u64 = 200_000_000;
/// Larger trees are not merged as a whole: a merger takes about 20 bytes per node.
const ALL_NODES: usize = 4_000_000;

pub(in crate::learner) struct One(Rule);

impl Engine for One {
    fn name(&self) -> &'static str {
        "merging"
    }

    fn stage(&self) -> &'static str {
        match self.0 {
            Rule::Rpni => "RPNI",
            Rule::Edsm => "EDSM",
        }
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        match turn.part {
            0 => vec![Box::new(Run {
                how: Merging { tolerance: tolerance(state), ..Merging::by(self.0) },
                on_all: false,
            })],
            _ => Vec::new(),
        }
    }
}

pub(in crate::learner) struct Often;

impl Engine for Often {
    fn name(&self) -> &'static str {
        "merging"
    }

    fn stage(&self) -> &'static str {
        "merging"
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let how = |rule| limited(rule, state);
        let patient = |rule| Merging { most_states: None, most_visits: Some(PATIENT_VISITS), ..how(rule) };
        let tolerates_nothing = state.settings.noise == Noise::None;
        match turn.part {
            0 => vec![Box::new(Run { how: how(Rule::Rpni), on_all: false })],
            1 => {
                let (how, seed) = (how(Rule::Edsm), state.seed_of(1, 0));
                (0..RUNS)
                    .map(|number| Box::new(Run { how: varied(&how, number, seed), on_all: false }) as Box<dyn Job>)
                    .collect()
            }
            2 => vec![Box::new(Beam { how: how(Rule::Edsm), width: NARROW })],
            // If the learner is stopped early, a large answer is better than none, and search can shrink it. Besides
            // the core, both rules also run on all words, so that no engine alone beats all of them together.
            3 if state.is_core() => {
                let all = !state.merged_all && state.data.whole.parents().len() <= ALL_NODES;
                let runs = if all && tolerates_nothing { &[Rule::Rpni, Rule::Edsm][..] } else { &[] };
                runs.iter().map(|&rule| Box::new(Run { how: patient(rule), on_all: true }) as Box<dyn Job>).collect()
            }
            3 if tolerates_nothing && state.pool.consistent().next().is_none() => {
                vec![Box::new(Run { how: patient(Rule::Edsm), on_all: false })]
            }
            _ => Vec::new(),
        }
    }

    /// Runs of one kind are not independent: only the first counts as a find, and no beam does.
    fn gather(&self, turn: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        state.merged_all |= turn.part == 3 && state.is_core() && !outcomes.is_empty();
        let counted = if turn.part < 2 || !state.is_core() && turn.part == 3 { 1 } else { 0 };
        let found = outcomes.into_iter().flat_map(|outcome| outcome.candidates).enumerate();
        let found = found.map(|(i, candidate)| Candidate { finds: u32::from(i < counted), ..candidate });
        state.take(Outcome::of(found.collect()))
    }
}

pub(in crate::learner) struct Once;

impl Engine for Once {
    fn name(&self) -> &'static str {
        "merging"
    }

    fn stage(&self) -> &'static str {
        "merging once"
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let run = |rule| Box::new(Run { how: limited(rule, state), on_all: false }) as Box<dyn Job>;
        if turn.part == 0 { [Rule::Rpni, Rule::Edsm].map(run).into() } else { Vec::new() }
    }

    /// The same runs come again if letters are chosen, and count then.
    fn gather(&self, _: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        let found = outcomes.into_iter().flat_map(|outcome| outcome.candidates);
        state.take(Outcome::of(found.map(|candidate| Candidate { finds: 0, ..candidate }).collect()))
    }
}

pub(in crate::learner) struct Widely;

impl Engine for Widely {
    fn name(&self) -> &'static str {
        "merging"
    }

    fn stage(&self) -> &'static str {
        "merging with a wide beam"
    }

    /// A wide beam is worth its time only while other engines still have budget.
    fn has_work(&self, state: &State) -> bool {
        state.restarts_left() > 0 || state.visits_left() > 0
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let width = (BEAM_NODES / state.data.sample.parents().len()).clamp(1, WIDE);
        match turn.part {
            0 => vec![Box::new(Beam { how: limited(Rule::Edsm, state), width })],
            _ => Vec::new(),
        }
    }
}

fn tolerance(state: &State) -> f64 {
    state.noise_rate().unwrap_or(0.0)
}

fn limited(rule: Rule, state: &State) -> Merging {
    let (most_states, most_visits) = (Some(MOST_STATES), Some(MOST_VISITS));
    Merging { tolerance: tolerance(state), most_states, most_visits, ..Merging::by(rule) }
}

/// One run.
#[derive(Serialize, Deserialize)]
pub(super) struct Run {
    how: Merging,
    /// Whether it sees all words instead of the core.
    on_all: bool,
}

impl Work for Run {
    const KIND: &'static str = "merging";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let sample = if self.on_all { &data.whole } else { &data.sample };
        let merger = Merger::new(Arc::clone(sample), &self.how);
        Box::new(Running { data: Arc::clone(data), origin: origin(self.how.rule), on_all: self.on_all, merger })
    }
}

struct Running {
    data: Arc<Data>,
    origin: Origin,
    on_all: bool,
    merger: Merger,
}

impl Task for Running {
    fn advance(&mut self) -> Option<Outcome> {
        match self.merger.advance(SLICE) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(found) => {
                let mut outcome = candidates(found, &self.data, self.origin, 1);
                outcome.candidates.iter_mut().for_each(|candidate| candidate.from_all = self.on_all);
                Some(outcome)
            }
        }
    }
}

/// A beam: several quotients at once.
#[derive(Serialize, Deserialize)]
pub(super) struct Beam {
    how: Merging,
    width: usize,
}

impl Work for Beam {
    const KIND: &'static str = "beam";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let beam = symbolic::Beam::new(Arc::clone(&data.sample), &self.how, self.width);
        Box::new(Widening { data: Arc::clone(data), beam })
    }
}

struct Widening {
    data: Arc<Data>,
    beam: symbolic::Beam,
}

impl Task for Widening {
    fn advance(&mut self) -> Option<Outcome> {
        match self.beam.advance(SLICE) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(found) => Some(candidates(found, &self.data, Origin::Edsm, 0)),
        }
    }
}

fn candidates(found: impl IntoIterator<Item = Dfa>, data: &Data, origin: Origin, finds: u32) -> Outcome {
    let candidate = |dfa| Candidate { finds, ..Candidate::from_dfa(&dfa, &data.jury, origin) };
    Outcome::of(found.into_iter().map(candidate).collect())
}

fn origin(rule: Rule) -> Origin {
    match rule {
        Rule::Rpni => Origin::Rpni,
        Rule::Edsm => Origin::Edsm,
    }
}

//! Prunes the best few answers, as grammars, of everything that no example needs.

use std::sync::Arc;

use automata::{Dfa, Nfa};
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work, model};
use crate::learner::{Noise, State};
use crate::random;
use crate::repair::{Cost, Productions, Repair, Scorer};
use crate::selection::{Candidate, Origin};

/// Prunes the best answers.
pub(in crate::learner) const PRUNE: Prune = Prune;

/// Number of answers to prune, factor by which the budget exceeds the one after a training, and maximum number of
/// states.
const PRUNED: usize = 2;
const PATIENCE: u64 = 10;
const MOST_STATES: usize = 24;

pub(in crate::learner) struct Prune;

impl Engine for Prune {
    fn name(&self) -> &'static str {
        "merging"
    }

    fn stage(&self) -> &'static str {
        "pruning"
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        if turn.part > 0 {
            return Vec::new();
        }
        let (_, pruning) = state.costs();
        let distinct = state.settings.noise != Noise::None;
        let known = state.known().filter(|known| known.dfa.len() <= MOST_STATES).take(PRUNED);
        let job = |(i, known): (usize, &Candidate)| -> Box<dyn Job> {
            let seed = state.seed_of(2, i as u64);
            Box::new(Pruning { dfa: known.dfa.clone(), origin: known.origin, pruning, distinct, seed })
        };
        known.enumerate().map(job).collect()
    }
}

/// One answer to prune.
#[derive(Serialize, Deserialize)]
pub(super) struct Pruning {
    #[serde(with = "super::written")]
    dfa: Dfa,
    origin: Origin,
    pruning: Cost,
    distinct: bool,
    seed: u64,
}

impl Work for Pruning {
    const KIND: &'static str = "pruning";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let sample = &data.sample;
        let repair = Productions::from_nfa(&Nfa::from(&self.dfa)).map(|productions| {
            let budget = PATIENCE * model::repair_budget(sample);
            let costs = (Cost::Errors, self.pruning);
            Repair::new(Scorer::new(sample, self.distinct), productions, costs, budget, random::stream(self.seed, 0))
        });
        Box::new(Mending { data: Arc::clone(data), origin: self.origin, repair })
    }
}

struct Mending {
    data: Arc<Data>,
    origin: Origin,
    repair: Option<Repair>,
}

impl Task for Mending {
    fn advance(&mut self) -> Option<Outcome> {
        if let Some(repair) = &mut self.repair
            && repair.advance(SLICE).is_continue()
        {
            return None;
        }
        let pruned = self.repair.take().map(|repair| repair.finish().productions);
        let candidate = pruned.and_then(|pruned| {
            let grammar = pruned.to_grammar(self.data.sample.alphabet(), false);
            Candidate::new(&grammar, &self.data.jury, self.origin)
        });
        Some(Outcome::of(candidate.map(|candidate| Candidate { finds: 0, ..candidate }).into_iter().collect()))
    }
}

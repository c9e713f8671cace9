//! Annealed search over small automata: strong on dense languages.

use std::sync::Arc;

use automata::Dfa;
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work};
use crate::learner::{LearnError, Noise, Settings, Spent, State};
use crate::search::{self, Minimising, MinimisingCheckpoint};
use crate::selection::{Candidate, Origin};

/// Search over transitions.
pub(in crate::learner) const SEARCH: Searching = Searching;

/// Number of answers that search starts from, and maximum number of states.
const SEEDS: usize = 4;
const MOST_STATES: usize = 128;
/// Node visits in the first turn, and how often that number is doubled.
const FIRST: u64 = 200_000_000;
pub(super) const MOST_DOUBLED: u32 = 4;

pub(in crate::learner) struct Searching;

/// Search does not support noise.
pub(super) fn supports(settings: &Settings) -> Result<(), LearnError> {
    match settings.noise {
        Noise::None => Ok(()),
        Noise::Rate(_) | Noise::Auto => Err(LearnError::NoisySearch),
    }
}

impl Engine for Searching {
    fn name(&self) -> &'static str {
        "search"
    }

    fn stage(&self) -> &'static str {
        "search over automata"
    }

    fn supports(&self, settings: &Settings) -> Result<(), LearnError> {
        supports(settings)
    }

    fn has_work(&self, state: &State) -> bool {
        state.visits_left() > 0
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        if turn.part > 0 {
            return Vec::new();
        }
        let from = match &state.search {
            Some(search) => From::Search(search.clone()),
            None => {
                let seeds = state.known().take(SEEDS).map(|known| Seed { dfa: known.dfa.clone() }).collect();
                let most = (usize::from(u16::MAX) / state.data.sample.alphabet().len().max(1)).min(MOST_STATES);
                // Besides the non-terminals there are the initial state and the dead state.
                let most = state.settings.nonterminals.map_or(most, |given| most.min(given + 2));
                From::Seeds { seeds, most, seed: state.seed_of(4, 0) }
            }
        };
        let visits = (FIRST << turn.number.min(MOST_DOUBLED)).min(state.visits_left());
        vec![Box::new(Search { from, visits })]
    }

    fn gather(&self, _: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        for outcome in outcomes {
            // Search cannot handle some samples: too many letters, or words too long. And if nothing was left to find,
            // that will not change.
            state.search_is_over = outcome.search.is_none() || outcome.spent.visits == 0;
            let known = |candidate: &Candidate| state.pool.candidates().iter().any(|known| known.dfa == candidate.dfa);
            // Seeds and earlier finds are not new finds.
            let found =
                outcome.candidates.into_iter().map(|found| Candidate { finds: u32::from(!known(&found)), ..found });
            let candidates = found.collect();
            state.take(Outcome { candidates, ..outcome })?;
        }
        Ok(())
    }
}

/// A turn of search.
#[derive(Serialize, Deserialize)]
pub(super) struct Search {
    from: From,
    /// Maximum number of node visits.
    visits: u64,
}

/// Where it starts.
#[derive(Serialize, Deserialize)]
enum From {
    Seeds {
        seeds: Vec<Seed>,
        most: usize,
        seed: u64,
    },
    /// The state of the search, and its serialised form.
    #[serde(skip_deserializing)]
    Search(#[serde(serialize_with = "as_checkpoint")] Box<Minimising>),
    #[serde(alias = "Search")]
    Checkpoint(Box<MinimisingCheckpoint>),
}

fn as_checkpoint<S: serde::Serializer>(search: &Minimising, serializer: S) -> Result<S::Ok, S::Error> {
    search.checkpoint().serialize(serializer)
}

#[derive(Serialize, Deserialize)]
struct Seed {
    #[serde(with = "super::written")]
    dfa: Dfa,
}

impl Work for Search {
    const KIND: &'static str = "search";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let search = match self.from {
            From::Search(search) => Some(search),
            From::Checkpoint(kept) => Minimising::resume(&data.sample, *kept).ok().map(Box::new),
            From::Seeds { seeds, most, seed } => {
                let settings = search::Settings { seed, ..search::Settings::new(most) };
                let seeds: Vec<Dfa> = seeds.into_iter().map(|seed| seed.dfa).collect();
                Minimising::new(&data.sample, settings, 1, &seeds).ok().map(Box::new)
            }
        };
        let before = search.as_ref().map_or(0, |search| search.visits());
        Box::new(Annealing { data: Arc::clone(data), search, before, visits: self.visits })
    }
}

/// A running search.
struct Annealing {
    data: Arc<Data>,
    search: Option<Box<Minimising>>,
    /// Node visits before this turn.
    before: u64,
    visits: u64,
}

impl Task for Annealing {
    fn advance(&mut self) -> Option<Outcome> {
        let Some(search) = &mut self.search else { return Some(Outcome::default()) };
        let visited = search.visits();
        let left = self.visits.saturating_sub(visited - self.before);
        let slice = SLICE.min(left);
        if slice > 0 && search.advance(slice).is_break() {
            // Nothing smaller is possible; look for others of that size.
            search.hunt(slice);
        }
        (slice == 0 || search.visits() == visited).then(|| self.outcome())
    }

    fn spent(&self) -> Spent {
        let visits = self.search.as_ref().map_or(0, |search| search.visits() - self.before);
        Spent { visits, ..Spent::default() }
    }

    fn cut(mut self: Box<Self>) -> Outcome {
        self.outcome()
    }
}

impl Annealing {
    fn outcome(&mut self) -> Outcome {
        let spent = self.spent();
        let Some(search) = self.search.take() else { return Outcome::default() };
        let (best, errors) = search.best();
        let found: Vec<Dfa> = if errors == 0 { search.rivals().cloned().collect() } else { vec![best] };
        let candidates = found.iter().map(|dfa| Candidate::from_dfa(dfa, &self.data.jury, Origin::Search)).collect();
        Outcome { spent, search: Some(search), ..Outcome::of(candidates) }
    }
}

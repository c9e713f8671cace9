//! Annealed search over productions: a grammar can be small even if its automaton is large.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::search::{MOST_DOUBLED, supports};
use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work, model};
use crate::learner::{LearnError, Settings, Spent, State};
use crate::random;
use crate::repair::{Cost, Productions, Repair, Scorer};
use crate::search::productions::ProductionSearch;
use crate::selection::{Candidate, Origin};

/// Search over productions.
pub(in crate::learner) const PRODUCTIONS: Walking = Walking;

/// Number of answers that walkers start from.
const SEEDS: usize = 4;
/// Node visits per size in the first turn.
const FIRST: u64 = 20_000_000;

pub(in crate::learner) struct Walking;

impl Engine for Walking {
    fn name(&self) -> &'static str {
        "search"
    }

    fn stage(&self) -> &'static str {
        "search over grammars"
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
        let number = turn.number;
        let sizes = state.settings.nonterminals.map_or_else(|| sizes(number), |given| vec![given; 2]);
        let known = state.known().filter_map(|known| Productions::from_nfa(&known.grammar.to_nfa()));
        let seeds: Vec<Productions> = if number % 2 == 1 { known.take(SEEDS).collect() } else { Vec::new() };
        let visits = (FIRST << number.min(MOST_DOUBLED)).min(state.visits_left() / sizes.len() as u64);
        let job = |(i, &nonterminals): (usize, &usize)| -> Box<dyn Job> {
            let seed = state.seed_of(5, u64::from(state.round) << 32 | u64::from(number) << 8 | i as u64);
            Box::new(Walk { nonterminals, seeds: seeds.clone(), seed, visits, costs: state.costs() })
        };
        sizes.iter().enumerate().map(job).collect()
    }
}

/// The numbers of non-terminals to try in a turn.
fn sizes(turn: u32) -> Vec<usize> {
    match turn {
        0 | 1 => vec![4, 6],
        2 | 3 => vec![5, 8],
        _ => vec![8, 12],
    }
}

/// A search for grammars of one size.
#[derive(Serialize, Deserialize)]
pub(super) struct Walk {
    nonterminals: usize,
    /// The grammars that some walkers start from.
    seeds: Vec<Productions>,
    seed: u64,
    visits: u64,
    costs: (Cost, Cost),
}

impl Work for Walk {
    const KIND: &'static str = "productions";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let search = ProductionSearch::new(data.balanced(), self.nonterminals, &self.seeds, self.seed);
        Box::new(Walker { data: Arc::clone(data), walk: self, search: search.map(Box::new), mending: None })
    }
}

/// A running search; its finds are repaired one by one.
struct Walker {
    data: Arc<Data>,
    walk: Walk,
    search: Option<Box<ProductionSearch>>,
    mending: Option<Mending>,
}

struct Mending {
    found: std::vec::IntoIter<Productions>,
    /// Number of repairs started.
    begun: usize,
    /// Reused from one repair to the next.
    tools: Option<(Box<Scorer>, ChaCha8Rng)>,
    repair: Option<Box<Repair>>,
    candidates: Vec<Candidate>,
}

impl Mending {
    /// Continues with the current grammar, or takes the next one. Returns false if none is left.
    fn advance(&mut self, walk: &Walk, data: &Data) -> bool {
        let sample = &data.sample;
        if let Some(mut repair) = self.repair.take() {
            if repair.advance(SLICE).is_continue() {
                self.repair = Some(repair);
                return true;
            }
            let repaired = repair.finish();
            self.tools = Some((Box::new(repaired.scorer), repaired.random));
            let grammar = repaired.productions.to_grammar(sample.alphabet(), false);
            if let Some(candidate) = Candidate::new(&grammar, &data.jury, Origin::Search) {
                // Only the best of an unseeded search counts as an independent find.
                let finds = u32::from(self.begun == 1 && walk.seeds.is_empty());
                self.candidates.push(Candidate { finds, ..candidate });
            }
            return true;
        }
        let (Some(found), Some((scorer, random))) = (self.found.next(), self.tools.take()) else { return false };
        self.begun += 1;
        self.repair = Some(Box::new(Repair::new(*scorer, found, walk.costs, model::repair_budget(sample), random)));
        true
    }
}

impl Task for Walker {
    fn advance(&mut self) -> Option<Outcome> {
        let Some(search) = &mut self.search else { return Some(Outcome::default()) };
        let Some(mending) = &mut self.mending else {
            let left = self.walk.visits.saturating_sub(search.visits());
            if left == 0 || !search.advance(SLICE.min(left)) {
                let found: Vec<Productions> = [search.best()].into_iter().chain(search.good()).cloned().collect();
                let scorer = Box::new(Scorer::new(&self.data.sample, false));
                self.mending = Some(Mending {
                    found: found.into_iter(),
                    begun: 0,
                    tools: Some((scorer, random::stream(self.walk.seed, u64::MAX))),
                    repair: None,
                    candidates: Vec::new(),
                });
            }
            return None;
        };
        if mending.advance(&self.walk, &self.data) {
            return None;
        }
        let candidates = std::mem::take(&mut mending.candidates);
        Some(Outcome { spent: self.spent(), ..Outcome::of(candidates) })
    }

    fn spent(&self) -> Spent {
        Spent { visits: self.search.as_ref().map_or(0, |search| search.visits()), ..Spent::default() }
    }

    fn cut(self: Box<Self>) -> Outcome {
        let spent = self.spent();
        Outcome { spent, ..Outcome::of(self.mending.map_or_else(Vec::new, |mending| mending.candidates)) }
    }
}

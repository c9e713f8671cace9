//! Walkers at several temperatures that exchange their automata (parallel tempering).
//!
//! Between exchanges, each walker visits a number of nodes set by its temperature, with its own random stream, so that
//! the answer does not depend on the number of threads.

use std::sync::Arc;

use automata::{Dfa, minimize};
use fearless_simd::Level;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::candidate::Candidate;
use super::checkpoint::{Checkpoint, Walker};
use super::rung::{Goal, Rung};
use super::tree::Tree;
use super::{SearchError, Settings, seeds};
use crate::random::{stream, uniform};
use crate::sample::Sample;

/// Maximum number of good automata kept.
pub const MOST_RIVALS: usize = 16;
/// The random stream for exchanges; walkers use those after it.
const EXCHANGES: u64 = 0;

/// A search for automata of one size.
#[derive(Clone, Debug)]
pub struct Search {
    tree: Arc<Tree>,
    settings: Settings,
    level: Level,
    rungs: Vec<Rung>,
    rounds: u64,
    random: ChaCha8Rng,
    hunting: bool,
    /// Good automata with different languages: the table of each, and its minimal form.
    rivals: Vec<(Vec<u8>, Dfa)>,
}

impl Search {
    /// A search on this sample. The coldest walkers start at the seeds, if any; the others at random.
    pub fn new(sample: &Sample, settings: Settings, seeds: &[Dfa]) -> Result<Self, SearchError> {
        let tree = Arc::new(Tree::new(sample)?);
        settings.check(tree.letters.len())?;
        Ok(Self::on(tree, settings, seeds))
    }

    /// A search with checked settings.
    pub(super) fn on(tree: Arc<Tree>, settings: Settings, seeds: &[Dfa]) -> Self {
        let begin = |(i, temperature)| {
            let mut random = stream(settings.seed, EXCHANGES + 1 + i as u64);
            let now = match seeds.get(i) {
                Some(dfa) => seeds::fold(&tree, settings.states, dfa, &mut random),
                None => seeds::random(&tree, settings.states, &mut random),
            };
            Rung::new(&tree, now, temperature, random)
        };
        let rungs = settings.temperatures(&tree).into_iter().enumerate().map(begin).collect();
        let random = stream(settings.seed, EXCHANGES);
        let (level, rounds, hunting, rivals) = (Level::new(), 0, false, Vec::new());
        let mut new = Self { tree, settings, level, rungs, rounds, random, hunting, rivals };
        new.collect();
        new
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Number of node visits, each for all targets of a cell at once.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.rungs.iter().map(|rung| rung.visits).sum()
    }

    /// The fewest wrong examples so far.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.rungs.iter().map(|rung| rung.best.0).min().unwrap_or(0)
    }

    /// Whether a good automaton was found.
    #[must_use]
    pub fn solved(&self) -> bool {
        self.errors() <= self.settings.tolerated
    }

    /// The best automaton so far, and its number of wrong examples. It has the requested number of states, some of
    /// which may be unreachable.
    #[must_use]
    pub fn best(&self) -> (Dfa, u64) {
        let best = self.rungs.iter().map(|rung| &rung.best).min_by_key(|best| best.0);
        let (errors, table) = best.expect("there is a walker");
        (self.tree.dfa(&Candidate::with_table(&self.tree, self.settings.states, table)), *errors)
    }

    /// The good automata with different languages, each minimal, in the order of discovery: one when the search is
    /// solved, up to [`MOST_RIVALS`] after a [`Search::hunt`].
    pub fn rivals(&self) -> impl Iterator<Item = &Dfa> {
        self.rivals.iter().map(|(_, dfa)| dfa)
    }

    /// Continues for at least this many visits, or until solved.
    pub fn advance(&mut self, visits: u64) {
        self.hunting = false;
        let end = self.visits().saturating_add(visits);
        while self.visits() < end && !self.solved() && self.moves() {
            self.round();
        }
    }

    /// Continues for at least this many visits, solved or not, to find other good languages, or until [`MOST_RIVALS`]
    /// are known.
    pub fn hunt(&mut self, visits: u64) {
        self.hunting = true;
        let end = self.visits().saturating_add(visits);
        while self.visits() < end && self.rivals.len() < MOST_RIVALS && self.moves() {
            self.round();
        }
    }

    /// Whether any move exists: without letters there is none.
    fn moves(&self) -> bool {
        !self.tree.letters.is_empty()
    }

    fn round(&mut self) {
        self.rounds += 1;
        let (level, tree, settings) = (self.level, &*self.tree, &self.settings);
        let (rounds, tolerated, hunting) = (self.rounds, settings.tolerated, self.hunting);
        let hottest = self.rungs.iter().map(Rung::temperature).fold(0.0, f64::max);
        self.rungs.par_iter_mut().with_max_len(1).for_each(|rung| {
            let share = rung.temperature() / hottest;
            let visits = (settings.round as f64 * share * share) as u64;
            rung.run(level, tree, Goal { visits: rounds.saturating_mul(visits), tolerated, hunting });
        });
        self.collect();
        self.exchange();
    }

    /// Exchanges automata between neighbouring walkers, with detailed balance.
    fn exchange(&mut self) {
        let begin = (self.rounds % 2) as usize;
        for pair in self.rungs[begin..].chunks_exact_mut(2) {
            let [colder, hotter] = pair else { continue };
            let gain = colder.errors as f64 - hotter.errors as f64;
            if exchanges((colder.temperature(), hotter.temperature()), gain, &mut self.random) {
                colder.exchange(hotter);
            }
        }
    }

    /// Collects the good automata from the walkers, in order.
    fn collect(&mut self) {
        let tolerated = self.settings.tolerated;
        for rung in &mut self.rungs {
            let best = (self.rivals.is_empty() && rung.best.0 <= tolerated).then(|| rung.best.1.clone());
            for table in best.into_iter().chain(rung.good.take()) {
                let dfa = minimize(&self.tree.dfa(&Candidate::with_table(&self.tree, self.settings.states, &table)));
                if self.rivals.len() < MOST_RIVALS && self.rivals.iter().all(|(_, known)| *known != dfa) {
                    self.rivals.push((table, dfa));
                }
            }
        }
    }

    /// Saves the search.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let walker = |rung: &Rung| Walker {
            temperature: rung.temperature(),
            table: rung.now.table.clone(),
            best: rung.best.1.clone(),
            visits: rung.visits,
            drawn: rung.random.get_word_pos() as u64,
        };
        Checkpoint {
            settings: self.settings.clone(),
            sample: self.tree.fingerprint,
            rounds: self.rounds,
            drawn: self.random.get_word_pos() as u64,
            rungs: self.rungs.iter().map(walker).collect(),
            rivals: self.rivals.iter().map(|(table, _)| table.clone()).collect(),
        }
    }

    /// Resumes a search saved with [`Search::checkpoint`], on the same sample.
    pub fn resume(sample: &Sample, checkpoint: Checkpoint) -> Result<Self, SearchError> {
        Self::resume_on(Arc::new(Tree::new(sample)?), checkpoint)
    }

    pub(super) fn resume_on(tree: Arc<Tree>, checkpoint: Checkpoint) -> Result<Self, SearchError> {
        checkpoint.check(&tree)?;
        let Checkpoint { settings, rounds, drawn, .. } = checkpoint;
        let states = settings.states;
        let at = |number, drawn: u64| {
            let mut random = stream(settings.seed, number);
            random.set_word_pos(drawn.into());
            random
        };
        let rungs = checkpoint.rungs.iter().enumerate().map(|(i, walker)| {
            let now = Candidate::with_table(&tree, states, &walker.table);
            let mut rung = Rung::new(&tree, now, walker.temperature, at(EXCHANGES + 1 + i as u64, walker.drawn));
            rung.best = (Candidate::with_table(&tree, states, &walker.best).errors(&tree), walker.best.clone());
            rung.visits = walker.visits;
            rung
        });
        let rungs = rungs.collect();
        let rival =
            |table: &Vec<u8>| (table.clone(), minimize(&tree.dfa(&Candidate::with_table(&tree, states, table))));
        let rivals = checkpoint.rivals.iter().map(rival).collect();
        let random = at(EXCHANGES, drawn);
        Ok(Self { tree, settings, level: Level::new(), rungs, rounds, random, hunting: false, rivals })
    }
}

/// Whether two walkers at these temperatures, colder first, exchange positions, if the colder one gains this much.
pub(super) fn exchanges((colder, hotter): (f64, f64), gain: f64, random: &mut ChaCha8Rng) -> bool {
    let gain = (1.0 / colder - 1.0 / hotter) * gain;
    gain >= 0.0 || uniform(random) < libm::exp(gain)
}

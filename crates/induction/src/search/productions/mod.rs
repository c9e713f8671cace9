//! Annealed search over grammars, one production at a time.
//!
//! The search over transitions moves among deterministic automata, but a language with a small grammar may have a large
//! automaton. This search changes the grammar itself; the cost is the number of errors plus a small price per
//! production. Walkers at several temperatures exchange positions, as in the search over transitions.
//!
//! A move flips a production or swaps two, and replays only the sets that change. Alone, this search solves the paper's
//! grid nearly as well as the model.

#[cfg(test)]
mod tests;
mod tree;
mod walker;

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::tempering::exchanges;
use crate::random::stream;
use crate::repair::Productions;
use crate::sample::Sample;
use tree::Tree;
use walker::Walker;

/// Number of walkers.
const WALKERS: usize = 6;
/// Temperature of the hottest walker, in units of the random fluctuation of errors: the square root of the number of
/// examples.
const HOTTEST: f64 = 0.5;
/// Temperature of the coldest walker, as a fraction of that, and its minimum, at which a single wrong example is an
/// obstacle but not a wall.
const COLDEST: f64 = 1.0 / 30.0;
const COLDEST_OF_ALL: f64 = 0.3;
/// Visits of a walker per node between two exchanges, and their maximum.
const ROUND_OF_NODE: u64 = 50;
const ROUND: u64 = 200_000;
/// Maximum number of good grammars kept besides the best.
const KEPT: usize = 24;

/// A search for grammars with this many non-terminals.
#[derive(Debug)]
pub(crate) struct ProductionSearch {
    tree: Tree,
    walkers: Vec<Walker>,
    rounds: u64,
    /// Node visits until the first good grammar was found.
    solved: Option<u64>,
    /// Good grammars that the coldest walker met, none twice in a row.
    good: Vec<Productions>,
    random: ChaCha8Rng,
}

impl ProductionSearch {
    /// The coldest walkers start at the seeds that fit; the others with no production. `None` if there are too many
    /// non-terminals.
    pub(crate) fn new(sample: &Sample, nonterminals: usize, seeds: &[Productions], seed: u64) -> Option<Self> {
        let tree = Tree::new(sample);
        let nothing = Productions::new(nonterminals, sample.alphabet().len(), [], [])?;
        let mut begin = seeds.iter().filter_map(|seed| seed.with_room(nonterminals));
        let hottest = HOTTEST * libm::sqrt(sample.examples() as f64);
        let coldest = (COLDEST * hottest).max(COLDEST_OF_ALL);
        let hottest = hottest.max(2.0 * coldest);
        let walker = |i: usize| {
            let temperature = coldest * libm::pow(hottest / coldest, i as f64 / (WALKERS - 1) as f64);
            let begin = begin.next().unwrap_or_else(|| nothing.clone());
            Walker::new(&tree, begin, temperature, stream(seed, 1 + i as u64))
        };
        let walkers = (0..WALKERS).map(walker).collect();
        Some(Self { tree, walkers, rounds: 0, solved: None, good: Vec::new(), random: stream(seed, 0) })
    }

    /// Number of node visits.
    pub(crate) fn visits(&self) -> u64 {
        self.walkers.iter().map(|walker| walker.visits).sum()
    }

    /// The best grammar so far.
    pub(crate) fn best(&self) -> &Productions {
        let best = self.walkers.iter().map(|walker| &walker.best).min_by(|a, b| a.cost.total_cmp(&b.cost));
        &best.expect("there is a walker").productions
    }

    /// Grammars without errors that were met after the first of them.
    pub(crate) fn good(&self) -> &[Productions] {
        &self.good
    }

    /// Continues for at least this many visits. Once every example is right, it continues for as long as that took, so
    /// that unneeded productions disappear. Returns whether there is more to do.
    pub(crate) fn advance(&mut self, visits: u64) -> bool {
        let end = self.visits().saturating_add(visits);
        let round = (ROUND_OF_NODE * self.tree.nodes.len() as u64).min(ROUND);
        while self.visits() < end {
            if self.solved.is_some_and(|solved| self.visits() >= 2 * solved) {
                return false;
            }
            self.rounds += 1;
            let (tree, until) = (&self.tree, self.rounds * round);
            self.walkers.par_iter_mut().with_max_len(1).for_each(|walker| walker.run(tree, until));
            self.collect();
            self.exchange();
        }
        true
    }

    fn collect(&mut self) {
        if self.solved.is_none() && self.walkers.iter().any(|walker| walker.best.errors == 0) {
            self.solved = Some(self.visits());
        }
        let coldest = &self.walkers[0];
        if coldest.errors == 0 && self.good.len() < KEPT && self.good.last() != Some(coldest.now()) {
            self.good.push(coldest.now().clone());
        }
    }

    /// Exchanges positions between neighbouring walkers, with detailed balance.
    fn exchange(&mut self) {
        let begin = (self.rounds % 2) as usize;
        for pair in self.walkers[begin..].chunks_exact_mut(2) {
            let [colder, hotter] = pair else { continue };
            let gain = colder.cost() - hotter.cost();
            if exchanges((colder.temperature, hotter.temperature), gain, &mut self.random) {
                colder.exchange(hotter);
            }
        }
    }
}

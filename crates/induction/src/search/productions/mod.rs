//! Annealed search over grammars, a production at a time.
//!
//! The search over transitions moves among deterministic automata; a language whose grammar is small may have an
//! automaton that is not. Here the grammar itself is changed, and what it costs is its errors and, a little, its
//! productions. Walkers at several temperatures exchange where they stand, as they do over transitions.
//!
//! A move flips a production or exchanges two, and replays only the sets that change. Alone, this search solves the
//! paper's grid nearly as well as the model.

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

/// How many walkers there are.
const WALKERS: usize = 6;
/// The temperature of the hottest walker, in units of what chance does to the errors: the square root of the examples.
const HOTTEST: f64 = 0.5;
/// That of the coldest, as a part of it; but at least as much as makes a single wrong example a hindrance, and no wall.
const COLDEST: f64 = 1.0 / 30.0;
const COLDEST_OF_ALL: f64 = 0.3;
/// How often a walker looks at each node between two exchanges, and how many looks that is at the most.
const ROUND_OF_NODE: u64 = 50;
const ROUND: u64 = 200_000;
/// How many good grammars are kept beside the best.
const KEPT: usize = 24;

/// A search for grammars with so many non-terminals.
#[derive(Debug)]
pub(crate) struct ProductionSearch {
    tree: Tree,
    walkers: Vec<Walker>,
    rounds: u64,
    /// How many nodes were looked at when the first good grammar was found.
    solved: Option<u64>,
    /// Good grammars that the coldest walker met, none twice in a row.
    good: Vec<Productions>,
    random: ChaCha8Rng,
}

impl ProductionSearch {
    /// The coldest walkers begin at the seeds, as far as these fit; the others with no production. `None` when there are
    /// more non-terminals than can be searched for.
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

    /// How many nodes were looked at.
    pub(crate) fn visits(&self) -> u64 {
        self.walkers.iter().map(|walker| walker.visits).sum()
    }

    /// The best grammar so far.
    pub(crate) fn best(&self) -> &Productions {
        let best = self.walkers.iter().map(|walker| &walker.best).min_by(|a, b| a.cost.total_cmp(&b.cost));
        &best.expect("there is a walker").productions
    }

    /// Grammars that got every example right, met after the first of them.
    pub(crate) fn good(&self) -> &[Productions] {
        &self.good
    }

    /// Goes on for at least so many visits, or, once every example is right, for as many as that took: what is there
    /// without need goes in that time. Says whether there is more to do.
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

    /// Lets neighbours exchange where they stand, as the balance of each temperature demands.
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

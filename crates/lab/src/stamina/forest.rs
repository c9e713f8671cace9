//! Random automata that grow like a forest fire (Leskovec, Kleinberg and Faloutsos, 2007), as the competition adapted it.
//!
//! States are added one by one. A new state is reached from a random earlier one, its ambassador; then the fire spreads
//! from the ambassador to some of its neighbours, to theirs, and so on, and the new state gets a transition to each state
//! that burns. Loops and parallel transitions are added by chance. Each transition takes a letter that its state has not
//! used yet; without such a letter there is no transition.

use std::collections::BTreeSet;

use automata::{Dfa, minimize};
use rand_core::Rng;

use crate::chance;

/// How the forest grows. The rules are those of the competition; the default numbers are our choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forest {
    /// The probability of burning one more neighbour, along transitions.
    pub forward: f64,
    /// The same against transitions, as a fraction of `forward`.
    pub backward: f64,
    /// The probability that a new state has a loop.
    pub looping: f64,
    /// The probability that a transition has another one beside it.
    pub parallel: f64,
}

/// The usual forest.
impl Default for Forest {
    fn default() -> Self {
        Self { forward: 0.31, backward: 0.385, looping: 0.2, parallel: 0.2 }
    }
}

/// Maximum number of attempts to draw an automaton of about the requested size.
pub(crate) const TRIES: usize = 10_000;
/// How far the number of states may be from the requested one: a tenth of it.
const NEARLY: usize = 10;

/// A random minimal automaton with `states` states, or up to a tenth more or fewer, not counting the dead state; `None` if
/// none was found.
#[must_use]
pub fn random_automaton(letters: usize, states: usize, seed: u64) -> Option<Dfa> {
    let fits = |dfa: &Dfa| dfa.trimmed().len().abs_diff(states) <= states / NEARLY && !dfa.is_finite_language();
    // Minimising and trimming take states away, so more and more are drawn.
    let attempt = |number: usize| {
        let mut growing = Growing::new(letters, chance::stream(seed, number as u64));
        growing.grow(states + number % (states + 1), &Forest::default());
        growing.finish()
    };
    (0..TRIES).map(attempt).find(fits)
}

struct Growing<R> {
    /// By state and letter.
    rows: Vec<Vec<Option<usize>>>,
    /// The states from which each state is reached.
    sources: Vec<Vec<usize>>,
    accepting: Vec<usize>,
    letters: usize,
    random: R,
}

impl<R: Rng> Growing<R> {
    fn new(letters: usize, random: R) -> Self {
        Self { rows: Vec::new(), sources: Vec::new(), accepting: Vec::new(), letters, random }
    }

    fn grow(&mut self, states: usize, forest: &Forest) {
        for new in 0..states {
            self.rows.push(vec![None; self.letters]);
            self.sources.push(Vec::new());
            if self.happens(0.5) {
                self.accepting.push(new);
            }
            // The ambassador must have a letter left, or the new state would not be reached.
            let open: Vec<usize> = (0..new).filter(|&state| self.rows[state].contains(&None)).collect();
            if new > 0 {
                if open.is_empty() {
                    return;
                }
                let ambassador = open[chance::below(open.len(), &mut self.random)];
                self.connect(ambassador, new, forest);
                self.burn(new, ambassador, forest);
            }
            if self.happens(forest.looping) {
                self.connect(new, new, forest);
            }
        }
    }

    /// Spreads the fire from a state: the new one gets transitions to all that burn.
    fn burn(&mut self, new: usize, ambassador: usize, forest: &Forest) {
        let mut burnt = BTreeSet::from([new, ambassador]);
        let mut burning = vec![ambassador];
        while let Some(state) = burning.pop() {
            let targets: Vec<usize> = self.rows[state].iter().copied().flatten().collect();
            let sources = self.sources[state].clone();
            for (neighbours, more) in [(targets, forest.forward), (sources, forest.forward * forest.backward)] {
                let mut fresh: Vec<usize> = neighbours.into_iter().filter(|state| !burnt.contains(state)).collect();
                fresh.sort_unstable();
                fresh.dedup();
                // As many as happen in a row: a geometric distribution with mean more / (1 - more).
                while !fresh.is_empty() && self.happens(more) {
                    let next = fresh.swap_remove(chance::below(fresh.len(), &mut self.random));
                    burnt.insert(next);
                    burning.push(next);
                    self.connect(new, next, forest);
                }
            }
        }
    }

    /// Adds a transition with an unused letter, and perhaps others beside it.
    fn connect(&mut self, from: usize, to: usize, forest: &Forest) {
        loop {
            let free: Vec<usize> = (0..self.letters).filter(|&letter| self.rows[from][letter].is_none()).collect();
            if free.is_empty() {
                return;
            }
            let letter = free[chance::below(free.len(), &mut self.random)];
            self.rows[from][letter] = Some(to);
            self.sources[to].push(from);
            if !self.happens(forest.parallel) {
                return;
            }
        }
    }

    fn happens(&mut self, probability: f64) -> bool {
        chance::happens(probability, &mut self.random)
    }

    fn finish(self) -> Dfa {
        let dfa = Dfa::new(crate::letters(self.letters), 0, self.accepting, &self.rows);
        minimize(&dfa.expect("every number is that of a state"))
    }
}

//! A walker at one temperature.
//!
//! A move picks a random cell, prices all its targets and redirects it to one of them; a target with e errors has
//! weight exp(−e / T). The current target is left out of the draw and kept only as far as detailed balance requires
//! (Liu's improvement of the Gibbs sampler), so that the walker moves as much as possible.

use fearless_simd::Level;
use rand_chacha::ChaCha8Rng;

use super::candidate::{Candidate, Cell};
use super::price::Pricer;
use super::tree::Tree;
use crate::random::{below, uniform};

/// Fixed cost of a move, in nodes: drawing, finding the cell, weighing.
const MOVE: u64 = 20;
/// Excess errors, in units of the temperature, beyond which a weight counts as 0: it would be below 10⁻¹².
const FAR: f64 = 28.0;
/// Maximum number of cached weights; others are computed when needed.
const KEPT: usize = 1 << 12;

/// A walker.
#[derive(Clone, Debug)]
pub(super) struct Rung {
    pub(super) now: Candidate,
    pub(super) errors: u64,
    pub(super) random: ChaCha8Rng,
    /// Number of nodes visited, each for all targets at once.
    pub(super) visits: u64,
    /// The fewest errors so far, and the table that has them.
    pub(super) best: (u64, Vec<u8>),
    /// The last good table since it was last collected.
    pub(super) good: Option<Vec<u8>>,
    temperature: f64,
    /// `[errors above the fewest]`
    weights: Vec<f64>,
    /// `[targets]`
    chances: Vec<f64>,
    pricer: Pricer,
}

/// When a walker stops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Total number of node visits.
    pub(super) visits: u64,
    /// Number of errors at which an automaton is good enough.
    pub(super) tolerated: u64,
    /// Whether to continue after finding one.
    pub(super) hunting: bool,
}

impl Rung {
    pub(super) fn new(tree: &Tree, now: Candidate, temperature: f64, random: ChaCha8Rng) -> Self {
        let errors = now.errors(tree);
        let pricer = Pricer::new(tree, now.size);
        let best = (errors, now.table.clone());
        let (weights, chances) = (Vec::new(), vec![0.0; pricer.targets.len()]);
        let mut new = Self { now, errors, random, visits: 0, best, good: None, temperature, weights, chances, pricer };
        new.set_temperature(temperature);
        new
    }

    pub(super) fn temperature(&self) -> f64 {
        self.temperature
    }

    pub(super) fn set_temperature(&mut self, temperature: f64) {
        self.temperature = temperature;
        self.weights.clear();
        let kept = ((FAR * temperature) as usize).clamp(1, KEPT);
        self.weights.extend((0..kept).map(|errors| libm::exp(-(errors as f64) / temperature)));
    }

    /// Exchanges positions with another walker.
    pub(super) fn exchange(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.now, &mut other.now);
        std::mem::swap(&mut self.errors, &mut other.errors);
        self.pricer.replaced();
        other.pricer.replaced();
    }

    /// Moves until the goal is reached.
    pub(super) fn run(&mut self, level: Level, tree: &Tree, goal: Goal) {
        let size = self.now.size as u64;
        let cells = size * tree.letters.len() as u64;
        while cells > 0 && self.visits < goal.visits && (goal.hunting || self.best.0 > goal.tolerated) {
            let pick = below(cells, &mut self.random);
            let cell = Cell { state: (pick % size) as u8, letter: (pick / size) as u16 };
            self.aim(self.now.target(cell));
            let walked = self.pricer.price(level, tree, &self.now, cell);
            self.visits += MOVE + walked;
            if walked == 0 && self.borrow(tree, cell.state) {
                continue;
            }
            let Some(lane) = self.draw(self.now.target(cell)) else { continue };
            self.now.send(tree, cell, self.pricer.targets[lane], &self.pricer.touched);
            self.pricer.changed(cell.letter);
            self.errors = self.pricer.errors[lane];
            if self.errors < self.best.0 {
                self.best.0 = self.errors;
                self.best.1.copy_from_slice(&self.now.table);
            }
            if goal.hunting && self.errors <= goal.tolerated {
                self.good.get_or_insert_default().clone_from(&self.now.table);
            }
        }
    }

    /// With probability one half, gives a state that no word leaves the transitions of another, random state; returns
    /// whether it did.
    ///
    /// This changes nothing for any word. But once the spare state has the transitions of a state in use, redirecting a
    /// cell from one to the other splits a state in two, which no single move could do otherwise.
    fn borrow(&mut self, tree: &Tree, state: u8) -> bool {
        let is_left = || tree.parents[1..].iter().any(|&parent| self.now.states[parent as usize] == state);
        if below(2, &mut self.random) == 0 || is_left() {
            return false;
        }
        let other = below(self.now.size as u64, &mut self.random) as u8;
        self.pricer.replaced();
        for letter in 0..tree.letters.len() as u16 {
            let target = self.now.target(Cell { state: other, letter });
            self.now.send(tree, Cell { state, letter }, target, &[]);
        }
        true
    }

    /// Selects the targets to price if there are more than lanes: the current one, and random others.
    fn aim(&mut self, present: u8) {
        let (size, lanes) = (self.now.size, self.pricer.targets.len());
        if size == lanes {
            return;
        }
        // Floyd's algorithm: draws a set of `lanes − 1` of the others, numbered as if the current target were absent.
        let mut chosen = 0_u128;
        for last in size - lanes..size - 1 {
            let pick = below(last as u64 + 1, &mut self.random);
            chosen |= if chosen >> pick & 1 == 0 { 1 << pick } else { 1 << last };
        }
        let others = (0..size as u8 - 1).filter(|&other| chosen >> other & 1 == 1);
        let others = others.map(|other| other + u8::from(other >= present));
        for (target, chosen) in self.pricer.targets.iter_mut().zip(std::iter::once(present).chain(others)) {
            *target = chosen;
        }
    }

    /// The lane of another target, or `None` if the current one stays.
    fn draw(&mut self, present: u8) -> Option<usize> {
        let Pricer { targets, errors, .. } = &self.pricer;
        let present = targets.iter().position(|&target| target == present)?;
        let least = errors.iter().copied().min()?;
        for (chance, errors) in self.chances.iter_mut().zip(errors) {
            let more = errors - least;
            *chance = match self.weights.get(more as usize) {
                Some(&weight) => weight,
                None if more as f64 > FAR * self.temperature => 0.0,
                None => libm::exp(-(more as f64) / self.temperature),
            };
        }
        let total: f64 = self.chances.iter().sum();
        let others = total - std::mem::replace(&mut self.chances[present], 0.0);
        let mut rest = uniform(&mut self.random) * others;
        let mut drawn = None;
        for (lane, &chance) in self.chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            drawn = Some(lane);
            rest -= chance;
            if rest <= 0.0 {
                break;
            }
        }
        let lane = drawn?;
        let others_from_there = total - self.chances[lane];
        (uniform(&mut self.random) * others_from_there <= others).then_some(lane)
    }
}

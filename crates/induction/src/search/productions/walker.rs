//! A walker over grammars, at one temperature.
//!
//! A move flips one production, or swaps a present one for an absent one. Both are as likely as their reverse, so
//! accepting a move that costs `d` more with probability exp(−d / T) preserves detailed balance. Only what changes is
//! replayed: the nodes that the production's letter leads to from its non-terminal, and what changes below them. Undone
//! sets are restored from a list.

use rand_chacha::ChaCha8Rng;

use super::tree::{Node, Tree};
use crate::random::{below, uniform};
use crate::repair::{Flip, Productions};

/// Price of a production, relative to 1 for a wrong example: among equally good grammars, walkers prefer the smaller.
const PRODUCTION: f64 = 0.25;
/// Fixed cost of a move, in nodes.
const MOVE: u64 = 20;

/// A walker.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    now: Productions,
    /// Number of productions.
    size: usize,
    pub(super) errors: u64,
    /// `[nodes]`: the non-terminals that derive the prefix.
    sets: Vec<u64>,
    /// `[t][chunks][256]`: where a letter leads from a set, eight members at a time.
    table: Vec<u64>,
    chunks: usize,
    /// Sets changed by a move, with their old values.
    changed: Vec<(u32, u64)>,
    pub(super) temperature: f64,
    pub(super) random: ChaCha8Rng,
    /// Number of node visits.
    pub(super) visits: u64,
    pub(super) best: Best,
}

/// The cheapest grammar so far.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) cost: f64,
    pub(super) errors: u64,
    pub(super) productions: Productions,
}

impl Walker {
    pub(super) fn new(tree: &Tree, now: Productions, temperature: f64, random: ChaCha8Rng) -> Self {
        let chunks = now.chunks();
        let mut new = Self {
            size: now.len(),
            errors: 0,
            sets: vec![0; tree.nodes.len()],
            table: vec![0; now.letters() * chunks * 256],
            chunks,
            changed: Vec::with_capacity(2 * tree.nodes.len()),
            temperature,
            random,
            visits: 0,
            best: Best { cost: 0.0, errors: 0, productions: now.clone() },
            now,
        };
        new.replay(tree);
        new
    }

    /// Replays the whole grammar.
    fn replay(&mut self, tree: &Tree) {
        (0..self.now.letters()).for_each(|letter| self.now.tabulate(letter, &mut self.table));
        let ends = self.now.ends();
        self.errors = 0;
        for (i, node) in tree.nodes.iter().enumerate().skip(1) {
            self.sets[i] = self.follow(node);
            self.errors += wrong(node, self.sets[i], ends);
        }
        self.best = Best { cost: self.cost(), errors: self.errors, productions: self.now.clone() };
    }

    /// The current grammar.
    pub(super) fn now(&self) -> &Productions {
        &self.now
    }

    /// The current cost.
    pub(super) fn cost(&self) -> f64 {
        self.errors as f64 + PRODUCTION * self.size as f64
    }

    /// Capacity of the list of changed sets.
    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.changed.capacity()
    }

    /// Exchanges positions with another walker.
    pub(super) fn exchange(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.now, &mut other.now);
        std::mem::swap(&mut self.size, &mut other.size);
        std::mem::swap(&mut self.errors, &mut other.errors);
        std::mem::swap(&mut self.sets, &mut other.sets);
        std::mem::swap(&mut self.table, &mut other.table);
    }

    /// Moves until this many nodes were visited in total.
    pub(super) fn run(&mut self, tree: &Tree, visits: u64) {
        while self.visits < visits && self.now.flip_count() > 0 {
            self.step(tree);
        }
    }

    fn step(&mut self, tree: &Tree) {
        let flip = self.draw();
        // Half of the moves swap a present production for an absent one, if such a pair was drawn.
        let other = (below(2, &mut self.random) == 0).then(|| self.draw());
        if other.is_some_and(|other| self.now.has(flip) == self.now.has(other)) {
            self.visits += 1;
            return;
        }
        let before = (self.cost(), self.errors, self.size);
        self.visits += MOVE;
        self.flip(tree, flip);
        if let Some(other) = other {
            self.flip(tree, other);
        }
        let more = self.cost() - before.0;
        if more > 0.0 && uniform(&mut self.random) >= libm::exp(-more / self.temperature) {
            self.undo(flip, other);
            (self.errors, self.size) = (before.1, before.2);
        } else if self.cost() < self.best.cost {
            (self.best.cost, self.best.errors) = (self.cost(), self.errors);
            self.best.productions.copy_from(&self.now);
        }
        self.changed.clear();
    }

    fn draw(&mut self) -> Flip {
        self.now.numbered_flip(below(self.now.flip_count(), &mut self.random))
    }

    fn undo(&mut self, flip: Flip, other: Option<Flip>) {
        for flip in other.into_iter().chain([flip]) {
            self.now.flip(flip);
            self.tabulate(flip);
        }
        for &(node, set) in self.changed.iter().rev() {
            self.sets[node as usize] = set;
        }
    }

    fn tabulate(&mut self, flip: Flip) {
        if let Flip::Edge((letter, ..)) = flip {
            self.now.tabulate(letter, &mut self.table);
        }
    }

    fn flip(&mut self, tree: &Tree, flip: Flip) {
        let was_there = self.now.has(flip);
        self.size = if was_there { self.size - 1 } else { self.size + 1 };
        let before = self.now.ends();
        self.now.flip(flip);
        match flip {
            Flip::End(_) => {
                let ends = self.now.ends();
                let change = tree.labelled.iter().map(|&i| {
                    let (node, set) = (&tree.nodes[i as usize], self.sets[i as usize]);
                    wrong(node, set, ends) as i64 - wrong(node, set, before) as i64
                });
                self.errors = self.errors.wrapping_add_signed(change.sum());
                self.visits += tree.labelled.len() as u64;
            }
            Flip::Edge((letter, from, to)) => {
                self.now.tabulate(letter, &mut self.table);
                self.visits += tree.by_letter[letter].len() as u64 / 4;
                let begins = from == self.now.nonterminals();
                for &i in &tree.by_letter[letter] {
                    let node = &tree.nodes[i as usize];
                    let touched = match node.parent {
                        0 => begins,
                        parent => !begins && self.sets[parent as usize] >> from & 1 == 1,
                    };
                    // A set that has the member from elsewhere, too, does not change.
                    if touched && (self.sets[i as usize] >> to & 1 == 1) == was_there {
                        self.change(tree, i);
                    }
                }
            }
        }
    }

    /// Recomputes a node's set, and those below it as far as they change.
    fn change(&mut self, tree: &Tree, top: u32) {
        let ends = self.now.ends();
        let (mut i, end) = (top, tree.nodes[top as usize].end);
        while i < end {
            let node = &tree.nodes[i as usize];
            self.visits += 1;
            let (set, was) = (self.follow(node), self.sets[i as usize]);
            if set == was {
                i = node.end;
                continue;
            }
            self.changed.push((i, was));
            self.sets[i as usize] = set;
            self.errors = self.errors + wrong(node, set, ends) - wrong(node, was, ends);
            i += 1;
        }
    }

    fn follow(&self, node: &Node) -> u64 {
        let letter = node.letter as usize;
        if node.parent == 0 {
            return self.now.beginning(letter);
        }
        let set = self.sets[node.parent as usize];
        let table = &self.table[letter * self.chunks * 256..][..self.chunks * 256];
        match self.chunks {
            1 => table[(set & 255) as usize],
            chunks => (0..chunks).fold(0, |next, c| next | table[c * 256 + (set >> (8 * c) & 255) as usize]),
        }
    }
}

fn wrong(node: &Node, set: u64, ends: u64) -> u64 {
    u64::from(if set & ends != 0 { node.rejected } else { node.accepted })
}

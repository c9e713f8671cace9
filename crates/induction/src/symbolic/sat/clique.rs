//! A clique of prefixes that are pairwise apart: a lower bound on the number of states that needs no solver.
//!
//! Each of them leads to a different state, so there are at least as many states as prefixes in the clique. Finding the
//! largest clique is hard; a good one is found greedily, by always taking the prefix that leaves the most others to
//! choose from. The empty prefix is always included, because the solver fixes the numbers of the clique's states, and
//! the initial state must be among them.

use super::folding::Folding;
use super::tree::Tree;
use crate::work::{Meter, Pause};

/// Number of shortest prefixes that are compared pairwise.
const COMPARED: usize = 256;
/// Number of further prefixes that are tested for membership in the clique.
const ASKED: usize = 2_000;
/// Number of prefixes tried as the second of the clique.
const TRIED: usize = 32;

/// A set of nodes.
type Set = [u64; COMPARED / 64];

/// The search for a clique, in slices.
pub(super) struct CliqueSearch {
    /// The shortest prefixes; the first [`COMPARED`] of them are compared pairwise.
    shortest: Vec<u32>,
    /// `[compared]`: the others that each is apart from.
    apart: Vec<Set>,
    step: Step,
    clique: Vec<u32>,
}

/// The next step.
#[derive(Clone, Copy)]
enum Step {
    /// Compare two of the shortest prefixes.
    Compare(usize, usize),
    /// Find the largest clique.
    Grow,
    /// Test a further prefix for membership; it is apart from this many members so far.
    Ask(usize, usize),
}

impl CliqueSearch {
    pub(super) fn new(tree: &Tree) -> Self {
        let shortest = tree.shortest(COMPARED + ASKED);
        let apart = vec![[0; COMPARED / 64]; shortest.len().min(COMPARED)];
        Self { shortest, apart, step: Step::Compare(0, 1), clique: Vec::new() }
    }

    /// Nodes that lead to different states in every automaton that agrees with the examples, root first.
    pub(super) fn find(&mut self, tree: &Tree, folding: &mut Folding, meter: &mut Meter) -> Result<Vec<u32>, Pause> {
        let compared = self.apart.len();
        loop {
            meter.check()?;
            meter.add(1);
            self.step = match self.step {
                Step::Compare(i, _) if i + 1 >= compared => Step::Grow,
                Step::Compare(i, j) if j == compared => Step::Compare(i + 1, i + 2),
                Step::Compare(i, j) => {
                    if folding.apart(tree, self.shortest[i], self.shortest[j], meter) {
                        insert(&mut self.apart[i], j);
                        insert(&mut self.apart[j], i);
                    }
                    Step::Compare(i, j + 1)
                }
                Step::Grow => {
                    self.clique = self.largest().into_iter().map(|i| self.shortest[i]).collect();
                    meter.add((TRIED * self.clique.len() * compared) as u64);
                    Step::Ask(compared, 0)
                }
                Step::Ask(asked, _) if asked >= self.shortest.len() => return Ok(std::mem::take(&mut self.clique)),
                Step::Ask(asked, members) if members == self.clique.len() => {
                    self.clique.push(self.shortest[asked]);
                    Step::Ask(asked + 1, 0)
                }
                Step::Ask(asked, members) => {
                    match folding.apart(tree, self.clique[members], self.shortest[asked], meter) {
                        true => Step::Ask(asked, members + 1),
                        false => Step::Ask(asked + 1, 0),
                    }
                }
            };
        }
    }

    /// The largest clique found among the compared prefixes, by index.
    fn largest(&self) -> Vec<usize> {
        let apart = &self.apart;
        let mut seconds: Vec<usize> = (0..apart.len()).filter(|&i| contains(&apart[0], i)).collect();
        seconds.sort_by_key(|&i| std::cmp::Reverse(size(&both(&apart[i], &apart[0]))));
        let tries = seconds.iter().take(TRIED).map(|&second| grown(apart, second));
        tries.reduce(|a, b| if b.len() > a.len() { b } else { a }).unwrap_or_else(|| vec![0])
    }
}

/// A clique of the root, this node and others.
fn grown(apart: &[Set], second: usize) -> Vec<usize> {
    let mut clique = vec![0, second];
    let mut left = both(&apart[0], &apart[second]);
    while let Some(next) = (0..apart.len())
        .filter(|&i| contains(&left, i))
        .max_by_key(|&i| (size(&both(&left, &apart[i])), std::cmp::Reverse(i)))
    {
        clique.push(next);
        left = both(&left, &apart[next]);
    }
    clique
}

fn insert(set: &mut Set, i: usize) {
    set[i / 64] |= 1 << (i % 64);
}

fn contains(set: &Set, i: usize) -> bool {
    set[i / 64] >> (i % 64) & 1 == 1
}

fn both(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] & b[i])
}

fn size(set: &Set) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

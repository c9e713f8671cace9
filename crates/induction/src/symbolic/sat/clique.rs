//! Prefixes that are all apart from one another: a bound on the number of states that needs no solver.
//!
//! Each of them leads to a state of its own, so there are at least as many states as prefixes in the clique. Finding the
//! largest clique is hard; a good one is found by taking, again and again, the prefix that leaves most others to
//! choose from. The empty prefix is always taken: the solver is told the numbers of the clique's states, and the initial
//! state has to be one of them.

use super::folding::Folding;
use super::tree::Tree;
use crate::work::{Meter, Pause};

/// So many of the shortest prefixes are compared each with each.
const COMPARED: usize = 256;
/// So many further ones are asked whether they belong to the clique as well.
const ASKED: usize = 2_000;
/// So many prefixes are tried as the second of the clique.
const TRIED: usize = 32;

/// A set of nodes.
type Set = [u64; COMPARED / 64];

/// The search for a clique, in slices.
pub(super) struct CliqueSearch {
    /// The shortest prefixes; the first [`COMPARED`] of them are compared each with each.
    shortest: Vec<u32>,
    /// `[compared]`: the others that each is apart from.
    apart: Vec<Set>,
    step: Step,
    clique: Vec<u32>,
}

/// What comes next.
#[derive(Clone, Copy)]
enum Step {
    /// Two of the shortest prefixes are compared.
    Compare(usize, usize),
    /// The largest clique is looked for.
    Grow,
    /// A further prefix is asked whether it belongs to the clique: it is apart from so many of its members.
    Ask(usize, usize),
}

impl CliqueSearch {
    pub(super) fn new(tree: &Tree) -> Self {
        let shortest = tree.shortest(COMPARED + ASKED);
        let apart = vec![[0; COMPARED / 64]; shortest.len().min(COMPARED)];
        Self { shortest, apart, step: Step::Compare(0, 1), clique: Vec::new() }
    }

    /// Nodes that lead to different states in every automaton that agrees with the examples, the root first.
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

    /// The largest clique found among those that were compared, by their places.
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

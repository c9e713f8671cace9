//! Prefixes that are all apart from one another: a bound on the number of states that needs no solver.
//!
//! Each of them leads to a state of its own, so there are at least as many states as prefixes in the clique. Finding the
//! largest clique is hard; a good one is found by taking, again and again, the prefix that leaves most others to
//! choose from. The empty prefix is always taken: the solver is told the numbers of the clique's states, and the initial
//! state has to be one of them.

use super::folding::Folding;
use super::tree::Tree;

/// So many of the shortest prefixes are compared each with each.
const COMPARED: usize = 256;
/// So many further ones are asked whether they belong to the clique as well.
const ASKED: usize = 2_000;
/// So many prefixes are tried as the second of the clique.
const TRIED: usize = 32;

/// A set of nodes.
type Set = [u64; COMPARED / 64];

/// Nodes that lead to different states in every automaton that agrees with the examples, the root first.
pub(super) fn clique(tree: &Tree<'_>, folding: &mut Folding<'_>, stopped: &dyn Fn() -> bool) -> Vec<u32> {
    let shortest = tree.shortest(COMPARED + ASKED);
    let (compared, asked) = shortest.split_at(shortest.len().min(COMPARED));
    let mut apart = vec![[0; COMPARED / 64]; compared.len()];
    for (i, &a) in compared.iter().enumerate() {
        // Whoever stops has no use for a better bound; what is known so far holds.
        if stopped() {
            break;
        }
        for (j, &b) in compared.iter().enumerate().skip(i + 1) {
            if folding.apart(a, b) {
                insert(&mut apart[i], j);
                insert(&mut apart[j], i);
            }
        }
    }
    let mut seconds: Vec<usize> = (0..compared.len()).filter(|&i| contains(&apart[0], i)).collect();
    seconds.sort_by_key(|&i| std::cmp::Reverse(size(&both(&apart[i], &apart[0]))));
    let tries = seconds.iter().take(TRIED).map(|&second| grown(&apart, second));
    let best = tries.reduce(|a, b| if b.len() > a.len() { b } else { a }).unwrap_or_else(|| vec![0]);
    let mut clique: Vec<u32> = best.into_iter().map(|i| compared[i]).collect();
    for &node in asked {
        if stopped() {
            break;
        }
        if clique.iter().all(|&member| folding.apart(member, node)) {
            clique.push(node);
        }
    }
    clique
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

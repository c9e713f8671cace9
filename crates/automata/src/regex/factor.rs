//! Factoring: common prefixes and suffixes of several alternatives are written once.
//!
//! The factors of all alternatives are numbered, so that an alternative is a list of numbers. After sorting,
//! alternatives with a common prefix are adjacent, and comparing neighbours finds all common prefixes.

use std::collections::BTreeMap;

use super::Node;

/// Factors out the common prefix or suffix that saves most: `xy|xz` is x(y|z), `x|xy` is x(y)?. Returns whether there
/// was one.
pub(super) fn factor_out(parts: &mut Vec<Node>) -> bool {
    let factors: Vec<Vec<Node>> = parts.iter().map(|part| part.clone().factors()).collect();
    let Some(Shared { at_front, length, group, .. }) = most_saving(&factors) else { return false };
    let split = |k: usize| {
        let all = &factors[k];
        let at = if at_front { length } else { all.len() - length };
        let (before, after) = all.split_at(at);
        if at_front { (before, after) } else { (after, before) }
    };
    let common = Node::concat(split(group[0]).0.iter().cloned());
    let rest = Node::alt(group.iter().map(|&k| Node::concat(split(k).1.iter().cloned())));
    let united = if at_front { Node::concat([common, rest]) } else { Node::concat([rest, common]) };
    parts[group[0]] = united;
    for &k in group[1..].iter().rev() {
        parts.remove(k);
    }
    true
}

/// A common prefix or suffix of several alternatives.
#[derive(Debug, PartialEq, Eq)]
struct Shared {
    /// How much the expression shrinks when these factors are written once.
    saved: usize,
    at_front: bool,
    /// The number of common factors.
    length: usize,
    /// The alternatives that share them, ascending.
    group: Vec<usize>,
    /// The first two alternatives that share exactly these factors.
    pair: (usize, usize),
}

/// The factoring that saves most. Ties: prefixes before suffixes, then the first pair.
fn most_saving(factors: &[Vec<Node>]) -> Option<Shared> {
    let mut numbers: BTreeMap<&Node, usize> = BTreeMap::new();
    let mut sizes = Vec::new();
    for factor in factors.iter().flatten() {
        numbers.entry(factor).or_insert_with(|| {
            sizes.push(factor.size());
            sizes.len() - 1
        });
    }
    let mut spelled: Vec<Vec<usize>> =
        factors.iter().map(|factors| factors.iter().map(|factor| numbers[factor]).collect()).collect();
    let front = most_saving_at_front(&spelled, &sizes);
    spelled.iter_mut().for_each(|numbers| numbers.reverse());
    let end = most_saving_at_front(&spelled, &sizes).map(|end| Shared { at_front: false, ..end });
    match (front, end) {
        (Some(front), Some(end)) if end.saved > front.saved => Some(end),
        (front, end) => front.or(end),
    }
}

fn most_saving_at_front(spelled: &[Vec<usize>], sizes: &[usize]) -> Option<Shared> {
    let mut order: Vec<usize> = (0..spelled.len()).collect();
    order.sort_by_key(|&k| &spelled[k]);
    let common = |a: &[usize], b: &[usize]| a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let with_next: Vec<usize> = order.windows(2).map(|pair| common(&spelled[pair[0]], &spelled[pair[1]])).collect();
    let mut best: Option<Shared> = None;
    for (at, &length) in with_next.iter().enumerate().filter(|(_, length)| **length > 0) {
        let begin = with_next[..at].iter().rposition(|&other| other < length).map_or(0, |before| before + 1);
        if with_next[begin..at].contains(&length) {
            // This group was already found from an earlier pair of neighbours.
            continue;
        }
        let end = with_next[at..].iter().position(|&other| other < length).map_or(spelled.len(), |last| at + last + 1);
        let mut group = order[begin..end].to_vec();
        let size: usize = spelled[group[0]][..length].iter().map(|&number| sizes[number]).sum();
        let saved = (group.len() - 1) * size;
        if best.as_ref().is_some_and(|best| saved < best.saved) {
            continue;
        }
        group.sort_unstable();
        // The factors after the common ones differ, or there are none: then the first alternative shares no more.
        let next = |k: usize| spelled[k].get(length);
        let first = group[0];
        let second = group[1..].iter().copied().find(|&k| next(k).is_none() || next(k) != next(first));
        let pair = (first, second.unwrap_or(first));
        if best.as_ref().is_none_or(|best| saved > best.saved || pair < best.pair) {
            best = Some(Shared { saved, at_front: true, length, group, pair });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ids::Letter;

    /// The same by definition: for every pair of alternatives, all alternatives that share the pair's common factors.
    fn by_pairs(factors: &[Vec<Node>]) -> Option<Shared> {
        let edge = |k: usize, length: usize, at_front: bool| {
            let all: &Vec<Node> = &factors[k];
            let part = if at_front { all.get(..length) } else { all.len().checked_sub(length).map(|at| &all[at..]) };
            part.map(<[Node]>::to_vec)
        };
        let mut best: Option<Shared> = None;
        for at_front in [true, false] {
            for i in 0..factors.len() {
                for j in i + 1..factors.len() {
                    let shares = |length: &usize| {
                        edge(i, *length, at_front).is_some_and(|it| Some(it) == edge(j, *length, at_front))
                    };
                    let length = (1..).take_while(shares).count();
                    let shared = edge(i, length, at_front);
                    let group: Vec<usize> =
                        (0..factors.len()).filter(|&k| edge(k, length, at_front) == shared).collect();
                    let size: usize = shared.iter().flatten().map(Node::size).sum();
                    let saved = (group.len() - 1) * size;
                    if length > 0 && best.as_ref().is_none_or(|best| saved > best.saved) {
                        best = Some(Shared { saved, at_front, length, group, pair: (i, j) });
                    }
                }
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_same_is_factored_out_as_by_comparing_all_pairs(
            words in prop::collection::vec(prop::collection::vec(0_usize..3, 0..5), 0..9),
        ) {
            let factor = |&letter: &usize| match Node::class(vec![Letter::new(letter)]) {
                class if letter == 2 => Node::star(class),
                class => class,
            };
            let factors: Vec<Vec<Node>> = words.iter().map(|word| word.iter().map(factor).collect()).collect();
            prop_assert_eq!(most_saving(&factors), by_pairs(&factors));
        }
    }
}

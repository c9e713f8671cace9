//! Facts about counts: numbers of letters modulo a divisor, at least, at most, and the same for lengths.
//!
//! *Modulo*: give each letter a weight, and each state the weight of some word that leads to it. For an edge from p to
//! q the weights should differ by that of its letter; the error of the edge is the difference between the weights of
//! two words that lead to q, and any continuation accepted after one is accepted after the other. So all accepted words
//! agree modulo g exactly when g divides the errors of all edges and all differences between accepting states; the
//! largest such g is their greatest common divisor. One pass over the edges finds it.

use fixedbitset::FixedBitSet;

use super::Fact;
use super::find::WORK;
use crate::dfa::{Dfa, MISSING};
use crate::ids::Letter;

/// Larger divisors are not reported.
const LARGEST_MODULUS: u64 = 1000;
/// Higher counts of a letter are not reported.
const MOST_COUNTED: usize = 9;
/// Larger divisors of run lengths are not tried.
const LARGEST_RUN: usize = 6;
/// Pairs of letters are examined for alphabets up to this size.
const MOST_PAIRED: usize = 12;

/// Minimum and maximum counts of each letter, and counts modulo a divisor. Every state of `dfa` must be visited by some
/// accepted word.
pub(super) fn of_letters(dfa: &Dfa) -> Vec<Fact> {
    let (mut counts, mut remainders) = (Vec::new(), Vec::new());
    if edges(dfa) * dfa.alphabet().len() * (MOST_COUNTED + 2) > WORK {
        return counts;
    }
    for letter in dfa.alphabet().letters() {
        let letters = vec![letter];
        match remainder(dfa, |c| i64::from(c == letter)) {
            Some((0, exactly)) => {
                let exactly = exactly as usize;
                counts.push(Fact::Count { letters, least: exactly, most: Some(exactly) });
            }
            Some((modulus, remainder)) => {
                let (modulus, remainder) = (modulus as usize, remainder as usize);
                counts.extend(bounded(dfa, letter));
                remainders.push(Fact::CountModulo { letters, modulus, remainder });
            }
            None => counts.extend(bounded(dfa, letter)),
        }
    }
    counts.extend(remainders);
    counts
}

/// Letters whose runs have lengths with a common divisor.
pub(super) fn of_runs(dfa: &Dfa) -> Vec<Fact> {
    let mut facts = Vec::new();
    if edges(dfa) * dfa.alphabet().len() * LARGEST_RUN > WORK {
        return facts;
    }
    for letter in dfa.alphabet().letters() {
        // Track the length of the current run modulo the divisor; where a run can end, it must be zero.
        let holds = |modulus: &usize| {
            let mut seen = FixedBitSet::with_capacity(dfa.len() * modulus);
            let mut stack = vec![(dfa.initial().index(), 0)];
            seen.insert(dfa.initial().index() * modulus);
            while let Some((state, run)) = stack.pop() {
                let row = || dfa.row(state).iter().enumerate().filter(|&(_, &to)| to != MISSING);
                let ends = dfa.accepting_set().contains(state) || row().any(|(c, _)| c != letter.index());
                if run != 0 && ends {
                    return false;
                }
                for (c, &to) in row() {
                    let run = if c == letter.index() { (run + 1) % modulus } else { 0 };
                    if !seen.put(to as usize * modulus + run) {
                        stack.push((to as usize, run));
                    }
                }
            }
            true
        };
        let largest = (2..=LARGEST_RUN).rev().find(holds);
        facts.extend(largest.map(|modulus| Fact::RunModulo { letters: vec![letter], modulus }));
    }
    facts
}

/// Sums and differences of the counts of two letters.
pub(super) fn of_pairs(dfa: &Dfa) -> Vec<Fact> {
    let letters = dfa.alphabet().len();
    let mut facts = Vec::new();
    if letters > MOST_PAIRED || edges(dfa) * letters * letters > WORK {
        return facts;
    }
    for x in dfa.alphabet().letters() {
        for y in dfa.alphabet().letters().filter(|&y| x < y) {
            if letters > 2
                && let Some((modulus @ 1.., remainder)) = remainder(dfa, |c| i64::from(c == x || c == y))
            {
                let (modulus, remainder) = (modulus as usize, remainder as usize);
                facts.push(Fact::CountModulo { letters: vec![x, y], modulus, remainder });
            }
            // Modulo two, a difference is a sum.
            if let Some((modulus @ 3.., rest)) = remainder(dfa, |c| i64::from(c == x) - i64::from(c == y)) {
                let more_of_x = 2 * rest <= modulus;
                let (x, y, rest) = if more_of_x { (x, y, rest) } else { (y, x, modulus - rest) };
                let (modulus, remainder) = (modulus as usize, rest as usize);
                facts.push(Fact::DifferenceModulo { letters: vec![x], others: vec![y], modulus, remainder });
            }
        }
    }
    facts
}

/// The length of all words, or its remainder modulo a divisor.
pub(super) fn of_lengths(dfa: &Dfa) -> Vec<Fact> {
    match remainder(dfa, |_| 1) {
        Some((0, exactly)) => {
            let exactly = exactly as usize;
            vec![Fact::Length { least: exactly, most: Some(exactly) }]
        }
        Some((modulus, remainder)) => {
            vec![Fact::LengthModulo { modulus: modulus as usize, remainder: remainder as usize }]
        }
        None => Vec::new(),
    }
}

/// The minimum and maximum length.
pub(super) fn bounds_of_length(dfa: &Dfa) -> Option<Fact> {
    let least = shortest(dfa);
    let most = longest(dfa);
    (least > 0 || most.is_some()).then_some(Fact::Length { least, most })
}

/// The length of the shortest word.
pub(super) fn shortest(dfa: &Dfa) -> usize {
    fewest(dfa, |_| true)
}

/// The length of the longest word, or `None` if lengths are unbounded.
pub(super) fn longest(dfa: &Dfa) -> Option<usize> {
    let mut longest = vec![0; dfa.len()];
    for state in dfa.forward_order()? {
        for &next in dfa.row(state).iter().filter(|&&next| next != MISSING) {
            longest[next as usize] = longest[next as usize].max(longest[state] + 1);
        }
    }
    longest.into_iter().max()
}

fn edges(dfa: &Dfa) -> usize {
    dfa.len() * dfa.alphabet().len()
}

/// The largest divisor for which the weights of all accepted words have the same remainder, with that remainder. The
/// divisor is zero if all have the same weight, returned as the remainder; `None` if the divisor is one or too large.
fn remainder(dfa: &Dfa, weight: impl Fn(Letter) -> i64) -> Option<(u64, u64)> {
    let weights: Vec<i64> = dfa.alphabet().letters().map(weight).collect();
    let mut of_state: Vec<Option<i64>> = vec![None; dfa.len()];
    let mut order = vec![dfa.initial().index()];
    of_state[order[0]] = Some(0);
    let mut divisor = 0_u64;
    let mut read = 0;
    while read < order.len() {
        let here = of_state[order[read]].unwrap_or(0);
        for (&next, weight) in dfa.row(order[read]).iter().zip(&weights).filter(|&(&next, _)| next != MISSING) {
            match of_state[next as usize] {
                Some(there) => divisor = gcd(divisor, (here + weight).abs_diff(there)),
                None => {
                    of_state[next as usize] = Some(here + weight);
                    order.push(next as usize);
                }
            }
        }
        read += 1;
    }
    let mut ends = dfa.accepting().filter_map(|state| of_state[state.index()]);
    let end = ends.next()?;
    divisor = ends.fold(divisor, |divisor, other| gcd(divisor, end.abs_diff(other)));
    match divisor {
        0 => Some((0, u64::try_from(end).ok()?)),
        2..=LARGEST_MODULUS => Some((divisor, end.rem_euclid(divisor as i64) as u64)),
        _ => None,
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Minimum and maximum count of a letter, if there is such a bound.
fn bounded(dfa: &Dfa, letter: Letter) -> Option<Fact> {
    let (least, most) = (fewest(dfa, |c| c == letter.index()), most(dfa, letter));
    (least > 0 || most.is_some()).then(|| Fact::Count { letters: vec![letter], least, most })
}

/// The smallest number of these letters in an accepted word, found layer by layer.
fn fewest(dfa: &Dfa, counts: impl Fn(usize) -> bool) -> usize {
    let mut seen = FixedBitSet::with_capacity(dfa.len());
    let mut layer = vec![dfa.initial().index()];
    let mut number = 0;
    while !layer.is_empty() {
        layer.retain(|&state| !seen.put(state));
        let mut next = Vec::new();
        let mut read = 0;
        while read < layer.len() {
            if dfa.accepting_set().contains(layer[read]) {
                return number;
            }
            for (letter, &to) in dfa.row(layer[read]).iter().enumerate().filter(|&(_, &to)| to != MISSING) {
                if counts(letter) {
                    next.push(to as usize);
                } else if !seen.put(to as usize) {
                    layer.push(to as usize);
                }
            }
            read += 1;
        }
        layer = next;
        number += 1;
    }
    0
}

/// The largest number of a letter in an accepted word, unless it is unbounded or too large.
fn most(dfa: &Dfa, letter: Letter) -> Option<usize> {
    let mut here = FixedBitSet::with_capacity(dfa.len());
    here.insert(dfa.initial().index());
    for number in 0..=MOST_COUNTED {
        let mut stack: Vec<usize> = here.ones().collect();
        let mut next = FixedBitSet::with_capacity(dfa.len());
        while let Some(state) = stack.pop() {
            for (c, &to) in dfa.row(state).iter().enumerate().filter(|&(_, &to)| to != MISSING) {
                if c == letter.index() {
                    next.insert(to as usize);
                } else if !here.put(to as usize) {
                    stack.push(to as usize);
                }
            }
        }
        if next.is_clear() {
            return Some(number);
        }
        here = next;
    }
    None
}

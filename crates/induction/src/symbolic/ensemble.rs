//! Many randomised runs beside each other, of which someone may keep the smallest.
//!
//! Merging is greedy, and a little luck in its first choices leads elsewhere. Which strength of chance helps depends on
//! the sample, so the runs go through several; and half of them leave dead ends alone, which helps where a language has
//! few words and harms where it has many.

use automata::Dfa;
use rayon::prelude::*;

use super::merging::{Merging, Randomness, Rule, merge};
use crate::sample::Sample;

/// What chance may add to a score, in labels. By measurement: below 0.5 most runs are the same, and above 4 most are bad.
const STRENGTHS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// How the run with this number merges. The first two leave nothing to chance: one leaves dead ends alone, one does not;
/// the others take turns. Rule, randomness and dead ends of `how` are replaced.
#[must_use]
pub fn varied(how: &Merging, number: usize, seed: u64) -> Merging {
    let strength = STRENGTHS[number / 2 % STRENGTHS.len()];
    let randomness = (number >= 2).then(|| Randomness { strength, seed: seed.wrapping_add(number as u64) });
    Merging { rule: Rule::Edsm, randomness, dead_ends: number.is_multiple_of(2), ..*how }
}

/// The automata of so many runs by evidence, each [`varied`], in the order of the runs, without those that went beyond a
/// limit. The same with any number of threads.
#[must_use]
pub fn merge_many(sample: &Sample, how: &Merging, runs: usize, seed: u64) -> Vec<Dfa> {
    let run = |number: usize| merge(sample, &varied(how, number, seed));
    let found: Vec<Option<Dfa>> = (0..runs).into_par_iter().map(run).collect();
    found.into_iter().flatten().collect()
}

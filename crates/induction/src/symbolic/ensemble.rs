//! Many randomised runs in parallel; the caller may keep the smallest result.
//!
//! Merging is greedy, and a little randomness in its first choices leads elsewhere. The best amount depends on the
//! sample, so the runs cycle through several. Half of them leave dead ends alone, which helps if a language has few
//! words and hurts if it has many.

use automata::Dfa;
use rayon::prelude::*;

use super::merging::{Merging, Randomness, Rule, merge};
use crate::sample::Sample;

/// Strengths of randomness, in labels. Measured: below 0.5 most runs are the same, and above 4 most are bad.
const STRENGTHS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// How the run with this number merges. The first two are not random: one leaves dead ends alone, the other does not;
/// the rest alternate. Rule, randomness and dead ends of `how` are replaced.
#[must_use]
pub fn varied(how: &Merging, number: usize, seed: u64) -> Merging {
    let strength = STRENGTHS[number / 2 % STRENGTHS.len()];
    let randomness = (number >= 2).then(|| Randomness { strength, seed: seed.wrapping_add(number as u64) });
    Merging { rule: Rule::Edsm, randomness, dead_ends: number.is_multiple_of(2), ..*how }
}

/// The automata of this many evidence-driven runs, each [`varied`], in order, without those that exceeded a limit. The
/// result does not depend on the number of threads.
#[must_use]
pub fn merge_many(sample: &Sample, how: &Merging, runs: usize, seed: u64) -> Vec<Dfa> {
    let run = |number: usize| merge(sample, &varied(how, number, seed));
    let found: Vec<Option<Dfa>> = (0..runs).into_par_iter().map(run).collect();
    found.into_iter().flatten().collect()
}

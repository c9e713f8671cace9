//! Patterns that agree with all strings.

use std::ops::Range;

use rayon::prelude::*;

use super::letters::{Chars, Letters};
use super::pattern::{Found, Pattern};
use super::search::{self, Search, Stop};

/// So many rejected strings that a pattern matches are forbidden at once.
const AT_ONCE: usize = 4;

/// What is to be told apart.
pub(super) struct Strings {
    pub(super) letters: Letters,
    pub(super) accepted: Vec<Vec<u8>>,
    pub(super) rejected: Vec<Vec<u8>>,
}

impl Strings {
    /// The cheapest pattern for each weight of the data. What is found for one weight may be the best for another.
    pub(super) fn find(&self, weights: &[f64], thoroughly: usize, stop: &Stop) -> Vec<Found> {
        let rounds = |i: usize| if i == thoroughly { 0..search::ROUNDS } else { 1..2 };
        let found: Vec<Vec<Found>> =
            (0..weights.len()).into_par_iter().map(|i| self.rounds(weights[i], rounds(i), stop)).collect();
        let best = |&weight: &f64| {
            let found = found.iter().flatten().cloned();
            found.fold(None, |best, found| Found::better(best, Some(found), weight)).expect("there is a round")
        };
        weights.iter().map(best).collect()
    }

    /// The cheapest pattern of each round.
    fn rounds(&self, weight: f64, rounds: Range<usize>, stop: &Stop) -> Vec<Found> {
        let words: Vec<Chars> = self.accepted.iter().map(|word| &word[..]).collect();
        let mut search = Search::new(&self.letters, weight, stop);
        // Most rejected strings match nothing that comes to mind, so only those that do are looked at.
        let mut forbidden: Vec<Chars> = Vec::new();
        let round = |round: usize| {
            search.begin(round);
            loop {
                let found = search.learn(&words, &forbidden).unwrap_or_else(|| Found {
                    pattern: Pattern::choice(words.iter().map(|word| Pattern::Text(word.to_vec()))),
                    bits: f64::MAX,
                    data: 0.0,
                });
                let matched = self.rejected.iter().map(|word| &word[..]).filter(|word| found.pattern.matches(word));
                let new: Vec<Chars> = matched.filter(|word| !forbidden.contains(word)).take(AT_ONCE).collect();
                if new.is_empty() {
                    return found;
                }
                forbidden.extend(new);
            }
        };
        rounds.map(round).collect()
    }
}

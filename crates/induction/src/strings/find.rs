//! Patterns that agree with all strings.

use std::ops::Range;

use rayon::prelude::*;

use super::letters::{Chars, Letters};
use super::pattern::{Found, Pattern};
use super::search::{self, Search, Stop};
use super::words::Words;

/// So many accepted strings are learned from at first.
const CORE: usize = 100;
/// So many strings that a pattern is wrong about are added at once.
const AT_ONCE: usize = 4;

/// So many rejected strings say whether a pattern has anything to do with them.
const MANY_REJECTED: usize = 200;
/// After so many rounds of adding strings that a pattern is wrong about, nothing general is to be found.
const MOST_ROUNDS: usize = 100;

/// What is to be told apart.
pub(super) struct Strings {
    pub(super) letters: Letters,
    pub(super) accepted: Vec<Vec<u8>>,
    /// Accepted, too, but asked about: they say what must be matched, and nothing of how often it comes.
    pub(super) told: Vec<Vec<u8>>,
    pub(super) rejected: Vec<Vec<u8>>,
}

impl Strings {
    /// The cheapest pattern for each weight of the data, one of them thoroughly and the others in one round. What is found
    /// for one weight may be the best for another.
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
        let mut search = Search::new(&self.letters, weight, stop);
        let mut looked_at = self.core(None);
        rounds.map(|round| self.round(&mut search, round, &mut looked_at, None)).collect()
    }

    /// The cheapest pattern of a first round, if a string is left out, and the strings that it depends on.
    pub(super) fn roughly(&self, without: Option<Chars>, stop: &Stop) -> (Found, Vec<Vec<u8>>) {
        let mut search = Search::new(&self.letters, 1.0, stop);
        let mut looked_at = self.core(without);
        let found = self.round(&mut search, 0, &mut looked_at, without);
        let LookedAt { given, forbidden } = looked_at;
        (found, given.into_iter().chain(forbidden).map(<[u8]>::to_vec).collect())
    }

    /// A hundred strings say what thousands do, and most rejected strings match nothing that comes to mind: only what
    /// speaks against a pattern is looked at besides.
    fn core(&self, without: Option<Chars>) -> LookedAt<'_> {
        let given = self.accepted.iter().step_by(self.accepted.len().div_ceil(CORE).max(1));
        let given = given.map(|word| &word[..]).filter(|word| Some(*word) != without);
        LookedAt { given: given.collect(), forbidden: Vec::new() }
    }

    fn round<'a>(
        &'a self,
        search: &mut Search<'a>,
        round: usize,
        looked_at: &mut LookedAt<'a>,
        without: Option<Chars>,
    ) -> Found {
        let kept = |word: &&'a [u8]| Some(*word) != without;
        let accepted = || self.accepted.iter().chain(&self.told).map(|word| &word[..]).filter(kept);
        let rejected = || self.rejected.iter().map(|word| &word[..]).filter(kept);
        let LookedAt { given, forbidden } = looked_at;
        search.begin(round);
        let list = || Found {
            pattern: Pattern::Choice(accepted().map(|word| Pattern::Text(word.to_vec())).collect()),
            bits: f64::MAX,
            data: 0.0,
        };
        let mut rounds = 0;
        loop {
            let words = Words::new(given.clone(), self.told.iter().map(|word| &word[..]));
            let found = search.learn(&words, forbidden).unwrap_or_else(list);
            let missed: Vec<Chars> = accepted().filter(|word| !found.pattern.matches(word)).take(AT_ONCE).collect();
            let matched = rejected().filter(|word| found.pattern.matches(word) && !forbidden.contains(word));
            let matched: Vec<Chars> = matched.take(AT_ONCE).collect();
            if missed.is_empty() && matched.is_empty() {
                return found;
            }
            // A pattern that most rejected strings match says nothing of what is rejected, and one that has to look at ever
            // more strings comes to list them.
            let says_nothing = rounds == 0
                && self.rejected.len() >= MANY_REJECTED
                && 4 * rejected().filter(|word| found.pattern.matches(word)).count() > 3 * self.rejected.len();
            rounds += 1;
            if says_nothing || rounds >= MOST_ROUNDS || search.is_stopped() {
                return list();
            }
            given.extend(missed);
            forbidden.extend(matched);
        }
    }
}

/// The strings that a pattern is made from.
struct LookedAt<'a> {
    given: Vec<Chars<'a>>,
    forbidden: Vec<Chars<'a>>,
}

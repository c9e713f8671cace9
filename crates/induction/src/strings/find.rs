//! Finds a pattern that agrees with all strings, in slices.
//!
//! A hundred strings say what thousands do, and most rejected strings match nothing that comes to mind. So a pattern is
//! learned from a core of the accepted strings; strings that it gets wrong join the core, and it is learned again.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use super::letters::{Chars, Letters};
use super::memo::Memo;
use super::pattern::{Found, Pattern};
use super::search::{self, Search};
use super::words::Words;

/// Number of accepted strings to begin with.
const CORE: usize = 100;
/// Number of strings that are added at once when a pattern gets them wrong.
const AT_ONCE: usize = 4;
/// This many rejected strings say whether a pattern has anything to do with them.
const MANY_REJECTED: usize = 200;
/// After this many rounds of adding strings there is nothing general to be found.
const MOST_ROUNDS: usize = 100;

/// The strings of a sample as numbers of characters.
#[derive(Clone, Debug)]
pub(crate) struct Strings {
    pub(super) letters: Letters,
    /// Accepted strings that were given.
    pub(super) accepted: Vec<Vec<u8>>,
    /// Accepted strings that were asked about: they must match, but say nothing of frequencies.
    pub(super) told: Vec<Vec<u8>>,
    pub(super) rejected: Vec<Vec<u8>>,
}

impl Strings {
    /// Accepted strings: those given, then those asked about.
    fn accepted(&self, i: usize) -> Option<Chars<'_>> {
        let told = || self.told.get(i - self.accepted.len());
        self.accepted.get(i).or_else(told).map(|word| &word[..])
    }
}

/// A pattern being found.
pub(crate) struct Finding {
    weight: f64,
    rounds: Range<usize>,
    /// Strings that are left out: their labels are doubted.
    left_out: BTreeSet<Vec<u8>>,
    memo: Memo,
    /// Strings that the pattern is learned from: positions among the accepted ones and among the rejected ones.
    core: Vec<usize>,
    forbidden: Vec<usize>,
    /// How often strings were added in this round.
    tries: usize,
    doing: Doing,
    /// The pattern of each round.
    found: Vec<Found>,
    /// Work done, in letters.
    worked: u64,
}

/// What comes next.
enum Doing {
    /// Learning a pattern from the core.
    Learning,
    /// Checking a pattern against all strings.
    Checking(Box<Check>),
}

/// A pattern being checked: how far, and what it gets wrong.
struct Check {
    found: Found,
    /// Number of accepted and of rejected strings that were looked at.
    accepted: usize,
    rejected: usize,
    /// Positions of accepted strings that do not match, and of rejected ones that do.
    missed: Vec<usize>,
    matched: Vec<usize>,
    /// Number of rejected strings that match.
    matches: usize,
}

/// What a search came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    /// The pattern of each round.
    pub(super) found: Vec<Found>,
    /// The strings that the last one depends on.
    pub(super) core: Vec<Vec<u8>>,
    /// Whether it was ended early.
    #[serde(default)]
    pub(super) cut: bool,
}

impl Finding {
    /// A search in these rounds, for patterns in which the bits of the words have this weight.
    pub(super) fn new(strings: &Strings, weight: f64, rounds: Range<usize>, left_out: BTreeSet<Vec<u8>>) -> Self {
        let core = (0..strings.accepted.len()).step_by(strings.accepted.len().div_ceil(CORE).max(1));
        let core = core.filter(|&i| !left_out.contains(&strings.accepted[i])).collect();
        Self {
            weight,
            rounds,
            left_out,
            memo: Memo::default(),
            core,
            forbidden: Vec::new(),
            tries: 0,
            doing: Doing::Learning,
            found: Vec::new(),
            worked: 0,
        }
    }

    /// Work done so far, in letters.
    pub(crate) fn worked(&self) -> u64 {
        self.worked
    }

    /// Goes on for a slice of work, counted in letters.
    pub(crate) fn advance(&mut self, strings: &Strings, slice: u64) -> ControlFlow<Ended> {
        let mut left = slice;
        while left > 0 && !self.rounds.is_empty() {
            left = match self.doing {
                Doing::Learning => self.learn(strings, Some(left)),
                Doing::Checking(_) => self.check(strings, left),
            };
        }
        self.worked += slice - left;
        match self.rounds.is_empty() {
            true => ControlFlow::Break(self.end(strings)),
            false => ControlFlow::Continue(()),
        }
    }

    /// Ends the search soon, with what can be had without dividing words further.
    pub(crate) fn cut(mut self, strings: &Strings) -> Ended {
        if self.found.is_empty() {
            self.tries = MOST_ROUNDS;
            if matches!(self.doing, Doing::Learning) {
                self.learn(strings, None);
            }
            while self.found.is_empty() {
                self.check(strings, u64::MAX);
            }
        }
        Ended { cut: true, ..self.end(strings) }
    }

    fn end(&mut self, strings: &Strings) -> Ended {
        let core = self.core.iter().filter_map(|&i| strings.accepted(i)).map(<[u8]>::to_vec);
        let forbidden = self.forbidden.iter().map(|&i| strings.rejected[i].clone());
        Ended { found: std::mem::take(&mut self.found), core: core.chain(forbidden).collect(), cut: false }
    }

    /// Learns from the core; without a limit, in a hurry. Says how much of the slice is left.
    fn learn(&mut self, strings: &Strings, slice: Option<u64>) -> u64 {
        let given = self.core.iter().filter_map(|&i| strings.accepted(i)).collect();
        let told = strings.told.iter().map(|word| &word[..]);
        let words = Words::new(given, told);
        let forbidden: Vec<Chars> = self.forbidden.iter().map(|&i| &strings.rejected[i][..]).collect();
        let memo = std::mem::take(&mut self.memo);
        let search = Search::resume(&strings.letters, self.weight, self.rounds.start, memo, slice);
        let found = search.learn(&words, &forbidden);
        let (memo, left) = search.put_down();
        self.memo = memo;
        let Ok(found) = found else { return 0 };
        let found = found.unwrap_or_else(|| self.list(strings));
        let (missed, matched) = (Vec::new(), Vec::new());
        self.doing = Doing::Checking(Box::new(Check { found, accepted: 0, rejected: 0, missed, matched, matches: 0 }));
        left
    }

    /// Checks a pattern against all strings. Says how much of the slice is left.
    fn check(&mut self, strings: &Strings, mut left: u64) -> u64 {
        let Doing::Checking(check) = &mut self.doing else { return left };
        let Check { found, accepted, rejected, missed, matched, matches } = &mut **check;
        let many = strings.accepted.len() + strings.told.len();
        // A pattern that most rejected strings match says nothing of them: at first all are counted.
        let counts_all = self.tries == 0 && strings.rejected.len() >= MANY_REJECTED;
        while left > 0 {
            let (word, is_in) = match strings.accepted(*accepted).filter(|_| missed.len() < AT_ONCE) {
                Some(word) => (word, true),
                None => match strings.rejected.get(*rejected).filter(|_| counts_all || matched.len() < AT_ONCE) {
                    Some(word) => (&word[..], false),
                    None => break,
                },
            };
            left = left.saturating_sub(word.len() as u64 + 1);
            let at = if is_in { &mut *accepted } else { &mut *rejected };
            let i = *at;
            *at += 1;
            if self.left_out.contains(word) || found.pattern.matches(word) == is_in {
                continue;
            }
            match is_in {
                true => missed.push(i),
                false => {
                    *matches += 1;
                    if matched.len() < AT_ONCE && !self.forbidden.contains(&i) {
                        matched.push(i);
                    }
                }
            }
        }
        let is_over = (*accepted == many || missed.len() == AT_ONCE)
            && (*rejected == strings.rejected.len() || !counts_all && matched.len() == AT_ONCE);
        if !is_over {
            return 0;
        }
        let says_nothing = counts_all && 4 * *matches > 3 * strings.rejected.len();
        let (missed, matched) = (std::mem::take(missed), std::mem::take(matched));
        let agrees = missed.is_empty() && matched.is_empty();
        self.tries += 1;
        if agrees || says_nothing || self.tries >= MOST_ROUNDS {
            // A pattern that has to look at ever more strings ends up listing them.
            let found = if agrees { found.clone() } else { self.list(strings) };
            self.found.push(found);
            self.rounds.start += 1;
            self.tries = 0;
            self.memo.known.clear();
        } else {
            self.core.extend(missed);
            self.forbidden.extend(matched);
        }
        self.memo.open.clear();
        self.memo.learned = 0;
        self.doing = Doing::Learning;
        left
    }

    /// The list of all accepted strings, where nothing general was found.
    fn list(&self, strings: &Strings) -> Found {
        let all = strings.accepted.iter().chain(&strings.told).filter(|word| !self.left_out.contains(*word));
        let pattern = Pattern::Choice(all.map(|word| Pattern::Text(word.clone())).collect());
        Found { pattern, bits: f64::MAX, data: 0.0 }
    }
}

/// The rounds of a thorough search, of one that only looks for alternatives, and of a rough one.
pub(super) const THOROUGH: Range<usize> = 0..search::ROUNDS;
pub(super) const QUICK: Range<usize> = 1..2;
pub(super) const ROUGH: Range<usize> = 0..1;

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label, Word};
    use proptest::prelude::*;

    use super::super::cost::priced;
    use super::super::read::Reading;
    use super::*;
    use crate::sample::Sample;

    fn strings(accepted: &[&str], rejected: &[&str]) -> Strings {
        let alphabet = Alphabet::of_chars(&(accepted.concat() + &rejected.concat()));
        let labelled = |words: &[&str], label| -> Vec<(Word, Label)> {
            words.iter().map(|word| (alphabet.read(word).unwrap(), label)).collect()
        };
        let rows = [labelled(accepted, Label::Accepted), labelled(rejected, Label::Rejected)].concat();
        Reading::default().strings(&Sample::new(&Examples::of(&alphabet, rows), false).unwrap()).unwrap()
    }

    fn found(strings: &Strings, slice: u64) -> (Vec<Found>, usize) {
        let mut finding = Finding::new(strings, 1.0, THOROUGH, BTreeSet::new());
        let mut slices = 0;
        loop {
            slices += 1;
            if let ControlFlow::Break(ended) = finding.advance(strings, slice) {
                return (ended.found, slices);
            }
        }
    }

    const DATES: ([&str; 5], [&str; 4]) = (
        ["2024-01-05", "1999-12-31", "2011-07-20", "1987-10-08", "2030-02-14"],
        ["2024-1-05", "99-12-31", "2011/07/20", "1987-13-08"],
    );

    #[test]
    fn slices_change_nothing() {
        let strings = strings(&DATES.0, &DATES.1);
        let (whole, one) = found(&strings, u64::MAX);
        let (sliced, many) = found(&strings, 2_000);
        assert!(one == 1 && many > 10, "{one} {many}");
        let told = |found: &[Found]| -> Vec<String> { found.iter().map(|found| format!("{found:?}")).collect() };
        assert_eq!(told(&whole), told(&sliced));
    }

    #[test]
    fn a_search_that_is_cut_anywhere_agrees_with_all_strings() {
        let strings = strings(&DATES.0, &DATES.1);
        for slices in [0, 1, 2, 5, 20] {
            let mut finding = Finding::new(&strings, 1.0, THOROUGH, BTreeSet::new());
            let over = (0..slices).any(|_| finding.advance(&strings, 2_000).is_break());
            assert!(!over, "there is something left to cut");
            let ended = finding.cut(&strings);
            let pattern = &ended.found[0].pattern;
            assert!(strings.accepted.iter().all(|word| pattern.matches(word)));
            assert!(!strings.rejected.iter().any(|word| pattern.matches(word)));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// What a pattern costs depends on the pattern and the words alone, not on the plan that proposed it.
        #[test]
        fn the_cost_is_one_function_of_pattern_and_words(
            accepted in proptest::collection::btree_set("[a-c0-2.\\-]{0,6}", 2..12),
            rejected in proptest::collection::btree_set("[a-c0-2.\\-]{0,6}", 0..6),
        ) {
            let rejected: Vec<&str> = rejected.iter().filter(|word| !accepted.contains(*word)).map(String::as_str).collect();
            let accepted: Vec<&str> = accepted.iter().map(String::as_str).collect();
            let strings = strings(&accepted, &rejected);
            let words = Words::new(strings.accepted.iter().map(|word| &word[..]).collect(), []);
            for found in found(&strings, u64::MAX).0.into_iter().filter(|found| found.bits < f64::MAX) {
                let again = priced(&strings.letters, found.pattern.clone(), &words);
                prop_assert!((again.bits - found.bits).abs() < 1e-9, "{:?}", found);
                prop_assert!((again.data - found.data).abs() < 1e-9, "{:?}", found);
            }
        }
    }
}

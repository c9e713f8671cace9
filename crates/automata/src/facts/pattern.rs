//! Patterns: letters in order, with a rule for what may stand between them.
//!
//! One family covers most facts that people state about words. `ab` as a factor, `a … b` as a subsequence, `ab … c` as a
//! sequence of factors, "begins with", "ends in", and all of these on a *tier* (only some letters are read, the others are
//! skipped) differ only in their [`Gap`]s.

use serde::{Deserialize, Serialize};

use super::machine::{Machine, MachineBuilder};
use crate::facts::Factor;
use crate::ids::Letter;

/// What may stand between two letters of a pattern, before its first letter, or after its last one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gap {
    /// Nothing.
    Adjacent,
    /// Anything.
    Free,
    /// Anything without these letters.
    Without(Vec<Letter>),
}

/// Letters in order; each gap is adjacent, free, or contains none of some letters. A word has the pattern if it occurs at
/// least a number of times, counted by the places where it ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pattern {
    letters: Factor,
    gaps: Vec<Gap>,
    least: usize,
}

impl Pattern {
    /// Maximum number of letters in order.
    pub const LONGEST: usize = 32;
    /// Maximum number of occurrences that are counted.
    pub const MOST: usize = 64;

    /// The pattern with these letters. There is one more gap than letters: the first stands before the first letter, the
    /// last after the last one; if one of these is not free, the pattern is anchored there. `None` if these are no pattern.
    #[must_use]
    pub fn new(letters: Factor, gaps: Vec<Gap>, least: usize) -> Option<Self> {
        let is_set = |set: &Vec<Letter>| !set.is_empty() && set.is_sorted_by(|a, b| a < b);
        let are_sets =
            letters.iter().all(is_set) && gaps.iter().all(|gap| !matches!(gap, Gap::Without(set) if !is_set(set)));
        let is_counted = least == 1 || gaps.last() == Some(&Gap::Free);
        let fits = (1..=Self::LONGEST).contains(&letters.len()) && (1..=Self::MOST).contains(&least);
        (are_sets && is_counted && fits && gaps.len() == letters.len() + 1).then_some(Self { letters, gaps, least })
    }

    /// The sets of letters in order.
    #[must_use]
    pub fn letters(&self) -> &[Vec<Letter>] {
        &self.letters
    }

    /// The gaps, one more than letters.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The minimum number of occurrences.
    #[must_use]
    pub fn least(&self) -> usize {
        self.least
    }

    /// The gaps between its letters, without those at the ends.
    #[must_use]
    pub fn inner_gaps(&self) -> &[Gap] {
        &self.gaps[1..self.letters.len()]
    }

    /// Whether it stands at the start and at the end of a word.
    #[must_use]
    pub fn anchors(&self) -> (bool, bool) {
        (self.gaps[0] != Gap::Free, self.gaps[self.letters.len()] != Gap::Free)
    }

    /// The same pattern with other sets of letters.
    pub(super) fn mapped(self, set: impl Fn(Vec<Letter>) -> Vec<Letter>) -> Self {
        let gap = |gap| match gap {
            Gap::Without(letters) => Gap::Without(set(letters)),
            gap => gap,
        };
        let gaps = self.gaps.into_iter().map(gap).collect();
        Self { letters: self.letters.into_iter().map(&set).collect(), gaps, least: self.least }
    }

    /// Whether all its letters are below `letters` and it is well formed, as after reading it from a file.
    pub(super) fn is_over(&self, letters: usize) -> bool {
        let known = |set: &Vec<Letter>| set.iter().all(|letter| letter.index() < letters);
        let is_known = |gap: &Gap| !matches!(gap, Gap::Without(set) if !known(set));
        Self::new(self.letters.clone(), self.gaps.clone(), self.least).is_some()
            && self.letters.iter().all(known)
            && self.gaps.iter().all(is_known)
    }

    /// The words that have the pattern, without a limit.
    pub(super) fn machine(&self, letters: usize) -> Machine {
        self.machine_within(letters, usize::MAX).expect("there is no limit")
    }

    /// The words that have the pattern, by the subset construction: a state is how many letters may have been matched, and
    /// how often the pattern has ended. `None` beyond `limit` states: a letter in a place k from the end takes 2ᵏ.
    pub(super) fn machine_within(&self, letters: usize, limit: usize) -> Option<Machine> {
        let length = self.letters.len();
        let anchored = self.gaps[length] != Gap::Free;
        let mut builder = MachineBuilder::new(letters);
        for set in &self.letters {
            builder.distinguish(set);
        }
        for gap in &self.gaps {
            if let Gap::Without(set) = gap {
                builder.distinguish(set);
            }
        }
        let (representatives, classes) = builder.classes();
        let bit = |at: usize| 1_u64 << at;
        let masks = representatives.iter().map(|&letter| {
            let letter = Letter::new(letter);
            let steps = (0..length).filter(|&i| self.letters[i].binary_search(&letter).is_ok()).map(bit);
            let stays = (0..=length).filter(|&i| match &self.gaps[i] {
                Gap::Adjacent => false,
                Gap::Free => true,
                Gap::Without(set) => set.binary_search(&letter).is_err(),
            });
            (steps.sum::<u64>(), stays.map(bit).sum::<u64>())
        });
        let masks: Vec<(u64, u64)> = masks.collect();
        let next = |&(matched, count): &(u64, usize), class: usize| {
            let (steps, stays) = masks[class];
            let ended = (matched & steps) << 1;
            let mut all = ended | matched & stays;
            let mut count = count;
            if !anchored {
                // The last gap is free, but only the places where the pattern ends count.
                count = (count + usize::from(ended & bit(length) != 0)).min(self.least);
                all &= !bit(length);
                if count == self.least {
                    all = 0;
                }
            }
            (all, count)
        };
        let accepts = |&(matched, count): &(u64, usize)| match anchored {
            true => matched & bit(length) != 0,
            false => count >= self.least,
        };
        Machine::explore_within((1, 0), representatives.len(), classes, limit, next, accepts)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::facts) fn naive(pattern: &Pattern, word: &[Letter]) -> bool {
        // The number of letters read at which the first `i` letters may just have been matched.
        fn fits(gap: &Gap, between: &[Letter]) -> bool {
            match gap {
                Gap::Adjacent => between.is_empty(),
                Gap::Free => true,
                Gap::Without(set) => between.iter().all(|letter| !set.contains(letter)),
            }
        }
        let mut ends: Vec<usize> = vec![0];
        for (i, set) in pattern.letters().iter().enumerate() {
            let reached = |&at: &usize| {
                set.contains(&word[at]) && ends.iter().any(|&end| end <= at && fits(&pattern.gaps()[i], &word[end..at]))
            };
            ends = (0..word.len()).filter(reached).map(|at| at + 1).collect();
        }
        let last = &pattern.gaps()[pattern.letters().len()];
        ends.iter().filter(|&&end| fits(last, &word[end..])).count() >= pattern.least()
    }

    /// All words over `letters` letters up to a length.
    pub(in crate::facts) fn words(letters: usize, longest: usize) -> Vec<Vec<Letter>> {
        let mut all = vec![Vec::new()];
        let mut begin = 0;
        for _ in 0..longest {
            let end = all.len();
            for i in begin..end {
                for letter in 0..letters {
                    let mut word: Vec<Letter> = all[i].clone();
                    word.push(Letter::new(letter));
                    all.push(word);
                }
            }
            begin = end;
        }
        all
    }

    /// A letter in a place from the end.
    fn from_end(place: usize) -> Pattern {
        let both = vec![Letter::new(0), Letter::new(1)];
        let mut sets = vec![both; place];
        sets[0] = vec![Letter::new(0)];
        let mut gaps = vec![Gap::Adjacent; place + 1];
        gaps[0] = Gap::Free;
        Pattern::new(sets, gaps, 1).unwrap()
    }

    #[test]
    fn large_automata_are_not_built() {
        assert_eq!(from_end(11).machine_within(2, 3_000).unwrap().len(), 1 << 11);
        for place in [12, 24, Pattern::LONGEST] {
            assert_eq!(from_end(place).machine_within(2, 3_000), None);
        }
    }

    proptest::proptest! {
        /// The automaton of a pattern accepts exactly the words that have it.
        #[test]
        fn automata_agree_with_the_definition(
            sets in proptest::collection::vec(1_usize..8, 1..4),
            gaps in proptest::collection::vec(0_usize..9, 4),
            least in 1_usize..4,
        ) {
            let set = |mask: usize| (0..3).filter(|i| mask >> i & 1 == 1).map(Letter::new).collect::<Vec<_>>();
            let gap = |number: usize| match number {
                0 => Gap::Adjacent,
                1 => Gap::Free,
                mask => Gap::Without(set(mask - 1)),
            };
            let letters: Factor = sets.iter().map(|&mask| set(mask)).collect();
            let gaps: Vec<Gap> = gaps.iter().take(letters.len() + 1).map(|&number| gap(number)).collect();
            let least = if gaps.last() == Some(&Gap::Free) { least } else { 1 };
            let pattern = Pattern::new(letters, gaps, least).unwrap();
            let machine = pattern.machine(3);
            for word in words(3, 6) {
                proptest::prop_assert_eq!(machine.accepts(&word), naive(&pattern, &word), "{:?} {:?}", pattern, word);
            }
        }
    }
}

//! Distinct words of a language at random, exactly: every set of words that may be drawn is equally likely.
//!
//! Words that were drawn before are drawn again. That ends soon as long as there are many more words than are wanted,
//! which counting tells; where there are not, they are listed and shuffled instead.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use automata::{BigUint, Dfa, Sampler, Word, counts, enumerate_from};
use rand_core::Rng;

use crate::chance;

/// Words are listed when there are at most this many times as many as are wanted or may not be drawn: so at least three
/// of four draws give a new word.
const LISTED: usize = 4;

/// How lengths are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// By the number of words: every word is equally likely, so most words are long.
    Words,
    /// Equal numbers from every length, as far as they exist.
    Lengths,
}

/// At most `wanted` words of the language with so many letters, none of them in `taken`: fewer only when there are no
/// more.
pub(crate) fn draw(
    language: &Dfa,
    lengths: RangeInclusive<usize>,
    spread: Spread,
    wanted: usize,
    taken: &BTreeSet<Word>,
    random: &mut impl Rng,
) -> BTreeSet<Word> {
    let (shortest, longest) = lengths.into_inner();
    // How many there are of each length, and how many of these may not be drawn.
    let there: Vec<BigUint> = counts(language).take(longest + 1).collect();
    let mut barred = vec![0; longest + 1];
    for word in taken.iter().filter(|word| word.len() <= longest && language.accepts(word)) {
        barred[word.len()] += 1;
    }
    let Some(sampler) = Sampler::between(language, shortest, longest) else { return BTreeSet::new() };
    let group = |lengths: RangeInclusive<usize>| Group {
        there: there[lengths.clone()].iter().sum(),
        barred: barred[lengths.clone()].iter().sum(),
        language,
        sampler: &sampler,
        lengths,
    };
    match spread {
        Spread::Words => group(shortest..=longest).draw(wanted, taken, random),
        Spread::Lengths => {
            let left = |length: usize| at_most(&(&there[length] - BigUint::from(barred[length])), wanted);
            let left: Vec<usize> = (shortest..=longest).map(left).collect();
            let mut drawn = BTreeSet::new();
            for (length, wanted) in (shortest..=longest).zip(evenly(&left, wanted)) {
                drawn.append(&mut group(length..=length).draw(wanted, taken, random));
            }
            drawn
        }
    }
}

/// Shares of `wanted` as equal as can be, none larger than what there is. What is left over in the end, less than one
/// for each, goes to the last ones that have more: the longest words, of which there are most.
pub(crate) fn evenly(there: &[usize], wanted: usize) -> Vec<usize> {
    let mut shares = vec![0; there.len()];
    let mut wanted = wanted;
    loop {
        let open: Vec<usize> = (0..there.len()).filter(|&i| shares[i] < there[i]).collect();
        if open.is_empty() || wanted == 0 {
            return shares;
        }
        let each = (wanted / open.len()).max(1);
        for &i in open.iter().rev().take(wanted) {
            let more = each.min(there[i] - shares[i]);
            shares[i] += more;
            wanted -= more;
        }
    }
}

/// A count, or `limit` if that is less.
pub(crate) fn at_most(count: &BigUint, limit: usize) -> usize {
    usize::try_from(count).map_or(limit, |count| count.min(limit))
}

/// Words that are all equally likely: those of all lengths, or of one.
struct Group<'a> {
    language: &'a Dfa,
    sampler: &'a Sampler,
    lengths: RangeInclusive<usize>,
    /// How many there are.
    there: BigUint,
    /// How many of them may not be drawn.
    barred: usize,
}

impl Group<'_> {
    fn draw(&self, wanted: usize, taken: &BTreeSet<Word>, random: &mut impl Rng) -> BTreeSet<Word> {
        let wanted = at_most(&(&self.there - BigUint::from(self.barred)), wanted);
        if wanted == 0 {
            return BTreeSet::new();
        }
        let (shortest, longest) = (*self.lengths.start(), *self.lengths.end());
        if self.there <= BigUint::from(wanted.saturating_add(self.barred)) * BigUint::from(LISTED) {
            let listed = enumerate_from(self.language, shortest).take_while(|word| word.len() <= longest);
            let mut listed: Vec<Word> = listed.filter(|word| !taken.contains(word)).collect();
            for i in 0..wanted {
                let from = i + chance::below(listed.len() - i, random);
                listed.swap(i, from);
            }
            listed.truncate(wanted);
            return listed.into_iter().collect();
        }
        let mut drawn = BTreeSet::new();
        while drawn.len() < wanted {
            let word = match shortest == longest {
                true => self.sampler.draw_of_length(shortest, random).expect("there are words of this length"),
                false => self.sampler.draw(random),
            };
            if !taken.contains(&word) {
                drawn.insert(word);
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn shares_are_as_equal_as_what_there_is_allows() {
        assert_eq!(evenly(&[9, 9, 9], 9), [3, 3, 3]);
        assert_eq!(evenly(&[9, 9, 9], 11), [3, 4, 4]);
        assert_eq!(evenly(&[1, 9, 0, 9], 9), [1, 4, 0, 4]);
        assert_eq!(evenly(&[2, 3, 90], 100), [2, 3, 90]);
        assert_eq!(evenly(&[2, 4, 90], 12), [2, 4, 6]);
        assert_eq!(evenly(&[5, 5, 5], 2), [0, 1, 1]);
        assert_eq!(evenly(&[], 2), [0; 0]);
    }
}

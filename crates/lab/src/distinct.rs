//! Draws distinct words of a language exactly: every set of words that may be drawn is equally likely.
//!
//! Duplicates are drawn again. That ends soon if there are many more words than wanted, which is known from counting;
//! otherwise the words are listed and shuffled.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use automata::{BigUint, Dfa, Sampler, Word, counts, enumerate_from};
use rand_core::Rng;

use crate::chance;

/// Words are listed if there are at most this many times as many as are wanted or excluded; otherwise at least three of
/// four draws give a new word.
const LISTED: usize = 4;

/// How lengths are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// By the number of words: every word is equally likely, so most words are long.
    Words,
    /// Equal numbers from every length, as far as they exist.
    Lengths,
    /// A random length for each word: all lengths with words left are equally likely.
    Chance,
}

/// At most `wanted` words of the language with these lengths, none of them in `taken`; fewer only if there are no more.
pub(crate) fn draw(
    language: &Dfa,
    lengths: RangeInclusive<usize>,
    spread: Spread,
    wanted: usize,
    taken: &BTreeSet<Word>,
    random: &mut impl Rng,
) -> BTreeSet<Word> {
    let (shortest, longest) = lengths.into_inner();
    // The number of words of each length, and how many of these are excluded.
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
        Spread::Lengths | Spread::Chance => {
            let left = |length: usize| at_most(&(&there[length] - BigUint::from(barred[length])), wanted);
            let left: Vec<usize> = (shortest..=longest).map(left).collect();
            let shares = match spread {
                Spread::Chance => by_chance(&left, wanted, random),
                _ => evenly(&left, wanted),
            };
            let mut drawn = BTreeSet::new();
            for (length, wanted) in (shortest..=longest).zip(shares) {
                drawn.append(&mut group(length..=length).draw(wanted, taken, random));
            }
            drawn
        }
    }
}

/// Divides `wanted` as equally as possible, with no share larger than what exists. The remainder, less than one each,
/// goes to the last lengths that have more: the longest words, which are the most numerous.
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

/// Divides `wanted` one by one: each goes to any of the lengths that have more, all equally likely.
fn by_chance(there: &[usize], wanted: usize, random: &mut impl Rng) -> Vec<usize> {
    let mut shares = vec![0; there.len()];
    let mut open: Vec<usize> = (0..there.len()).filter(|&i| there[i] > 0).collect();
    for _ in 0..wanted {
        if open.is_empty() {
            break;
        }
        let place = chance::below(open.len(), random);
        let i = open[place];
        shares[i] += 1;
        if shares[i] == there[i] {
            open.remove(place);
        }
    }
    shares
}

/// A count, capped at `limit`.
pub(crate) fn at_most(count: &BigUint, limit: usize) -> usize {
    usize::try_from(count).map_or(limit, |count| count.min(limit))
}

/// Equally likely words: those of all lengths, or of one.
struct Group<'a> {
    language: &'a Dfa,
    sampler: &'a Sampler,
    lengths: RangeInclusive<usize>,
    /// The number of words.
    there: BigUint,
    /// How many of them are excluded.
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
    use super::{by_chance, evenly};
    use crate::chance;

    #[test]
    fn lengths_with_words_left_are_equally_likely() {
        let there = [1, 4, 0, 10_000, 10_000];
        let shares = by_chance(&there, 5_000, &mut chance::stream(0, 0));
        assert_eq!((&shares[..3], shares.iter().sum::<usize>()), (&[1, 4, 0][..], 5_000));
        assert!(shares[3].abs_diff(shares[4]) < 300, "{shares:?}");
        assert_eq!(by_chance(&there[..3], 9, &mut chance::stream(0, 0)), [1, 4, 0]);
        let first = |seed| by_chance(&[1, 1, 0, 1], 1, &mut chance::stream(seed, 0));
        let counts = (0..3000).map(first).fold([0; 4], |sum, one| std::array::from_fn(|i| sum[i] + one[i]));
        assert!(counts[2] == 0 && [0, 1, 3].iter().all(|&i| counts[i].abs_diff(1000) < 150), "{counts:?}");
    }

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

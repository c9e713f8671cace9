//! The words that engines see: all, or a selection if there are very many.
//!
//! A few thousand words are enough to show a rule with a few states; a million only take longer. So engines learn from
//! a core, with equally many words of each label: half of them the shortest, half spread over the rest. Candidates are
//! scored on more words than engines see (the *jury*), because otherwise those that memorise the core would win. If the
//! best answer is right on the core but wrong on other words, those words join the core.

use std::sync::Arc;

use automata::{Counts, Dfa, Word};

use super::engines::Data;
use crate::sample::{Sample, SampleError};

/// Up to this many words, engines see all of them,
const ALL: usize = 20_000;
/// and up to this many prefix-tree nodes.
const ALL_NODES: usize = 400_000;
/// Size of the core, per label.
const OF_EACH_LABEL: Share = Share { words: 2_000, letters: 100_000 };
/// Size of the jury beyond the core, per label.
const OF_EACH_LABEL_IN_JURY: Share = Share { words: 10_000, letters: 1_000_000 };
/// Maximum number of wrong words that join at once.
const JOINING: Share = Share { words: 1_000, letters: 50_000 };

/// An amount of words: this many, or fewer if they are long.
#[derive(Clone, Copy, Debug)]
struct Share {
    words: usize,
    letters: usize,
}

impl Share {
    /// The number of words, given their average length in this sample.
    fn of(self, whole: &Sample) -> usize {
        let letters: usize = whole.entries().iter().map(|entry| whole.word(entry).len()).sum();
        let length = letters.div_ceil(whole.entries().len().max(1));
        self.words.min(self.letters / length.max(1)).max(2)
    }
}

#[derive(Debug)]
pub(super) struct Core {
    whole: Arc<Sample>,
    sample: Arc<Sample>,
    /// The words on which candidates are scored.
    jury: Arc<Sample>,
    /// Sorted indices of its words in the whole sample; `None` if it has all.
    picked: Option<Vec<u32>>,
}

impl Core {
    pub(super) fn of(whole: Arc<Sample>) -> Self {
        if whole.entries().len() <= ALL && whole.parents().len() <= ALL_NODES {
            return Self::restored(whole, None);
        }
        // What never occurs is wrong about no word, so that a core with one label does not grow.
        let has = |accepted: bool| whole.entries().iter().any(|entry| is_accepted(entry.counts) == accepted);
        let share = if has(true) && has(false) { OF_EACH_LABEL } else { OF_EACH_LABEL_IN_JURY };
        let picked = picked(&whole, share.of(&whole));
        Self::restored(whole, Some(picked))
    }

    /// The core with the words of these indices, or with all.
    pub(super) fn restored(whole: Arc<Sample>, picked: Option<Vec<u32>>) -> Self {
        let Some(mut picked) = picked else {
            return Self { sample: Arc::clone(&whole), jury: Arc::clone(&whole), whole, picked: None };
        };
        picked.sort_unstable();
        picked.dedup();
        let of = |numbers: &[u32]| Arc::new(whole.picked(|i| numbers.binary_search(&(i as u32)).is_ok()));
        let mut judging = self::picked(&whole, OF_EACH_LABEL_IN_JURY.of(&whole));
        judging.extend(&picked);
        judging.sort_unstable();
        judging.dedup();
        Self { sample: of(&picked), jury: of(&judging), whole, picked: Some(picked) }
    }

    /// The samples for jobs.
    pub(super) fn data(&self) -> Data {
        let [whole, sample, jury] = [&self.whole, &self.sample, &self.jury].map(Arc::clone);
        Data::new(whole, sample, jury)
    }

    pub(super) fn whole(&self) -> &Arc<Sample> {
        &self.whole
    }

    pub(super) fn into_whole(self) -> Sample {
        let Self { whole, sample, jury, .. } = self;
        drop((sample, jury));
        Arc::unwrap_or_clone(whole)
    }

    pub(super) fn picked(&self) -> Option<&[u32]> {
        self.picked.as_deref()
    }

    /// If the automaton gets all of the core right, adds some of the words that it gets wrong, shortest first. Returns
    /// whether there were any.
    pub(super) fn grow(&mut self, dfa: &Dfa) -> bool {
        let Some(picked) = &self.picked else { return false };
        if wrong_words(&self.sample, dfa).next().is_some() {
            return false;
        }
        let wrong = wrong_words(&self.whole, dfa);
        let joining: Vec<u32> = wrong.take(JOINING.of(&self.whole)).collect();
        if joining.is_empty() {
            return false;
        }
        let grown = picked.iter().copied().chain(joining).collect();
        *self = Self::restored(Arc::clone(&self.whole), Some(grown));
        true
    }

    /// Adds words that were asked about.
    pub(super) fn and(&mut self, words: &[(Word, Counts)], noise_allowed: bool) -> Result<(), SampleError> {
        let whole = Arc::new(self.whole.and(words, noise_allowed)?);
        let picked = match &self.picked {
            None => None,
            Some(_) => {
                let known = self.sample.and(words, true)?;
                let listed: std::collections::BTreeSet<Vec<_>> = known.rows().map(|(word, _)| word.to_vec()).collect();
                let numbers = whole.entries().iter().enumerate();
                let numbers = numbers.filter(|(_, entry)| listed.contains(whole.word(entry)));
                Some(numbers.map(|(i, _)| i as u32).collect())
            }
        };
        *self = Self::restored(whole, picked);
        Ok(())
    }
}

/// Indices of the words that an automaton gets wrong.
fn wrong_words<'a>(sample: &'a Sample, dfa: &'a Dfa) -> impl Iterator<Item = u32> + 'a {
    (0..).zip(sample.entries()).filter_map(|(i, entry)| {
        let Counts { accepted, rejected, .. } = entry.counts;
        let wrong = accepted != rejected && dfa.accepts(sample.word(entry)) != (accepted > rejected);
        wrong.then_some(i)
    })
}

/// Indices of this many words of each label: half of them the shortest, half spread over the rest.
fn picked(whole: &Sample, of_each: usize) -> Vec<u32> {
    let with_label = |accepted: bool| {
        let numbers = (0..).zip(whole.entries()).filter(move |(_, entry)| is_accepted(entry.counts) == accepted);
        let numbers: Vec<u32> = numbers.map(|(i, _)| i).collect();
        let (shortest, rest) = numbers.split_at(numbers.len().min(of_each / 2));
        let stride = rest.len().div_ceil(of_each / 2).max(1);
        shortest.iter().chain(rest.iter().step_by(stride)).copied().collect::<Vec<u32>>()
    };
    let mut picked = with_label(true);
    picked.extend(with_label(false));
    picked
}

fn is_accepted(counts: Counts) -> bool {
    counts.accepted >= counts.rejected
}

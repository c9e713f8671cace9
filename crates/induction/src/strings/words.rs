//! The words of a place: those that were given, and what answers to questions add to them.
//!
//! What was given is a sample: how often something comes says how likely it is. What was asked about was chosen. It says
//! what else must be matched, and nothing of how often that comes: so it is looked at wherever patterns are made, and
//! counted nowhere.

use std::ops::Deref;

use super::letters::Chars;

/// Words, those that were given first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Words<'a> {
    all: Vec<Chars<'a>>,
    given: usize,
    /// Whether no digit stands beside any of them, so that those of digits are numbers and not parts of numbers.
    pub(super) alone: bool,
}

impl<'a> Words<'a> {
    pub(super) fn new(given: Vec<Chars<'a>>, told: impl IntoIterator<Item = Chars<'a>>) -> Self {
        let mut words = Self { given: given.len(), all: given, alone: true };
        words.tell(told);
        words
    }

    /// The same, in a place where no digit stands beside them, or where some may.
    pub(super) fn standing(mut self, alone: bool) -> Self {
        self.alone = alone;
        self
    }

    /// Only what was given.
    pub(super) fn without_told(&self) -> Self {
        Self::new(self.given().to_vec(), []).standing(self.alone)
    }

    /// When some of what was told is not what the given words let expect, these were no even sample of what there is. As many
    /// of them are counted as were not expected, which are counted now; the others are only matched.
    pub(super) fn doubted(&self, is_expected: impl Fn(Chars<'a>) -> bool) -> Self {
        let (expected, news): (Vec<Chars<'a>>, Vec<Chars<'a>>) =
            self.told().iter().copied().partition(|word| is_expected(word));
        let step = self.given.div_ceil(news.len().max(1)).max(1);
        let (mut counted, mut matched) = (news, expected);
        for (i, &word) in self.given().iter().enumerate() {
            if i % step == 0 { &mut counted } else { &mut matched }.push(word);
        }
        Self::new(counted, matched).standing(self.alone)
    }

    fn tell(&mut self, told: impl IntoIterator<Item = Chars<'a>>) {
        for word in told {
            if !self.all.contains(&word) {
                self.all.push(word);
            }
        }
    }

    pub(super) fn given(&self) -> &[Chars<'a>] {
        &self.all[..self.given]
    }

    pub(super) fn told(&self) -> &[Chars<'a>] {
        &self.all[self.given..]
    }

    /// In an order that does not depend on where they come from.
    pub(super) fn sorted(&self) -> Self {
        let mut sorted = self.clone();
        let (given, told) = sorted.all.split_at_mut(self.given);
        given.sort_unstable();
        told.sort_unstable();
        sorted
    }

    /// Without the empty word.
    pub(super) fn full(&self) -> Self {
        let full = |words: &[Chars<'a>]| words.iter().copied().filter(|word| !word.is_empty()).collect::<Vec<_>>();
        Self::new(full(self.given()), full(self.told())).standing(self.alone)
    }

    /// At most so many, spread over all of them, as if all had been given.
    pub(super) fn some(&self, most: usize) -> Self {
        let some = self.all.iter().copied().step_by(self.all.len().div_ceil(most).max(1));
        Self::new(some.collect(), []).standing(self.alone)
    }
}

impl<'a> Deref for Words<'a> {
    type Target = [Chars<'a>];

    fn deref(&self) -> &[Chars<'a>] {
        &self.all
    }
}

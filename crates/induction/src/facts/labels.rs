//! The labels of the words, and what a division of the words says about them.

use super::text::of_words;

/// The labels of some words.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    accepted: Vec<u64>,
    each: Vec<bool>,
    /// Numbers of accepted and rejected words.
    totals: [usize; 2],
    /// log₂ n! for each number up to that of all words.
    factorials: Vec<f64>,
    /// log₂ (n + 1) for the same.
    logs: Vec<f64>,
}

impl Labels {
    pub(super) fn new(each: Vec<bool>) -> Self {
        let accepted = each.iter().filter(|&&accepted| accepted).count();
        let totals = [accepted, each.len() - accepted];
        let mut factorials = vec![0.0];
        for n in 1..=each.len() {
            factorials.push(factorials[n - 1] + libm::log2(n as f64));
        }
        let logs = (0..=each.len()).map(|n| libm::log2((n + 1) as f64)).collect();
        Self { accepted: of_words(each.iter().copied()), each, totals, factorials, logs }
    }

    pub(super) fn of(&self, word: usize) -> bool {
        self.each[word]
    }

    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    pub(super) fn totals(&self) -> [usize; 2] {
        self.totals
    }

    pub(super) fn accepted(&self) -> &[u64] {
        &self.accepted
    }

    /// How many accepted and rejected words a set has.
    pub(super) fn count(&self, words: &[u64]) -> [usize; 2] {
        let (mut accepted, mut all) = (0, 0);
        for (&words, &labels) in words.iter().zip(&self.accepted) {
            accepted += (words & labels).count_ones() as usize;
            all += words.count_ones() as usize;
        }
        [accepted, all - accepted]
    }

    /// The bits of the labels if the words are divided into those of a set, with this many accepted and rejected ones, and the
    /// others.
    pub(super) fn bits(&self, [accepted, rejected]: [usize; 2]) -> f64 {
        self.part(accepted, rejected) + self.part(self.totals[0] - accepted, self.totals[1] - rejected)
    }

    /// What the division saves.
    pub(super) fn gain(&self, counts: [usize; 2]) -> f64 {
        self.gain_within(self.totals, counts)
    }

    /// What a division of some words saves: of this many accepted and rejected ones, these are in the set.
    pub(super) fn gain_within(&self, all: [usize; 2], [accepted, rejected]: [usize; 2]) -> f64 {
        let others = self.part(all[0] - accepted, all[1] - rejected);
        self.part(all[0], all[1]) - self.part(accepted, rejected) - others
    }

    /// The bits of all labels.
    pub(super) fn all(&self) -> f64 {
        self.part(self.totals[0], self.totals[1])
    }

    fn part(&self, accepted: usize, rejected: usize) -> f64 {
        let all = accepted + rejected;
        self.logs[all] + self.factorials[all] - self.factorials[accepted] - self.factorials[rejected]
    }
}

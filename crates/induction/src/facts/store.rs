//! The facts found so far, each with the words that have it.
//!
//! Facts that the same words have are one choice for a formula; the store keeps the cheapest of them, and `refine` looks for
//! tighter and looser forms at the end.

use std::collections::BTreeMap;

use automata::{Fact, Gap, Letter, Literal};

use crate::measure::{fact_bits, tier_bits};

/// A fact about the words.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) fact: Fact,
    /// The words that have it.
    pub(super) words: Vec<u64>,
    /// Its bits, without those of its tier.
    pub(super) price: f64,
    /// Number of its tier.
    pub(super) tier: Option<usize>,
    /// Bits of the labels that it saves.
    pub(super) gain: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    letters: usize,
    known: Vec<Known>,
    by_words: BTreeMap<Vec<u64>, usize>,
    tiers: Vec<(Vec<Letter>, f64)>,
}

impl Store {
    pub(super) fn new(letters: usize) -> Self {
        Self { letters, ..Self::default() }
    }

    /// Adds a fact unless a cheaper one says the same.
    pub(super) fn add(&mut self, fact: Fact, words: Vec<u64>, gain: f64) {
        let literal = Literal { fact, holds: true };
        let price = fact_bits(&literal, self.letters);
        let tier = tier_of(&literal.fact).map(|set| self.number_of(set));
        let whole = price + tier.map_or(0.0, |tier| self.tiers[tier].1);
        let known = Known { fact: literal.fact, words, price, tier, gain };
        match self.by_words.get(&known.words) {
            Some(&at) => {
                let other = &mut self.known[at];
                other.gain = other.gain.max(gain);
                if whole < other.price + other.tier.map_or(0.0, |tier| self.tiers[tier].1) {
                    *other = Known { gain: other.gain, ..known };
                }
            }
            None => {
                self.by_words.insert(known.words.clone(), self.known.len());
                self.known.push(known);
            }
        }
    }

    fn number_of(&mut self, set: Vec<Letter>) -> usize {
        if let Some(at) = self.tiers.iter().position(|(other, _)| *other == set) {
            return at;
        }
        let price = tier_bits(set.len(), self.letters);
        self.tiers.push((set, price));
        self.tiers.len() - 1
    }

    pub(super) fn known(&self) -> &[Known] {
        &self.known
    }

    pub(super) fn tier_price(&self, tier: usize) -> f64 {
        self.tiers[tier].1
    }

    /// Numbers of the facts that save the most, at most `most`.
    pub(super) fn best(&self, most: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.known.len()).collect();
        let key = |&i: &usize| self.known[i].gain - self.known[i].price;
        numbers.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.cmp(b)));
        numbers.truncate(most);
        numbers
    }
}

/// The first set that a gap of the fact excludes.
fn tier_of(fact: &Fact) -> Option<Vec<Letter>> {
    let Fact::Has(pattern) = fact else { return None };
    pattern.gaps().iter().find_map(|gap| if let Gap::Without(set) = gap { Some(set.clone()) } else { None })
}

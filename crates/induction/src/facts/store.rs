//! The facts found so far, each with the words that have it.
//!
//! Facts that the same words have are one choice for a formula. The store keeps the cheapest of them, and the tightest and the
//! loosest one: `refine` takes one of these where the words pay for it, and looks for further forms.

use std::collections::BTreeMap;

use automata::{Alphabet, Fact, Gap, Letter, Literal};

use super::total::sides;
use crate::measure::{Sides, fact_bits, tier_bits};

/// Facts are compared by how many words of the usual length have them, up to this length,
const LONGEST: usize = 64;
/// and only those with automata up to this size.
const MOST_STATES: usize = 256;

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
    /// Of all facts of these words, the one that the fewest words have and the one that the most have; none if there is only one.
    forms: Option<[Form; 2]>,
}

/// A fact, with how many words of the usual length have it and how many do not, as logarithms.
#[derive(Clone, Debug)]
struct Form {
    fact: Fact,
    sides: Sides,
}

#[derive(Clone, Debug)]
pub(super) struct Store {
    alphabet: Alphabet,
    /// The usual length of words.
    length: usize,
    known: Vec<Known>,
    by_words: BTreeMap<Vec<u64>, usize>,
    tiers: Vec<(Vec<Letter>, f64)>,
}

impl Store {
    /// A store of facts about words of these lengths.
    pub(super) fn new(alphabet: Alphabet, lengths: &[usize]) -> Self {
        let mut lengths = lengths.to_vec();
        lengths.sort_unstable();
        let length = lengths.get(lengths.len() / 2).map_or(0, |&length| length.min(LONGEST));
        Self { alphabet, length, known: Vec::new(), by_words: BTreeMap::new(), tiers: Vec::new() }
    }

    /// Adds a fact unless others that say the same are cheaper, tighter and looser.
    pub(super) fn add(&mut self, fact: Fact, words: Vec<u64>, gain: f64) {
        let literal = Literal { fact, holds: true };
        let price = fact_bits(&literal, self.alphabet.len());
        let tier = tier_of(&literal.fact).map(|set| self.number_of(set));
        let whole = price + tier.map_or(0.0, |tier| self.tiers[tier].1);
        let known = Known { fact: literal.fact, words, price, tier, gain, forms: None };
        match self.by_words.get(&known.words) {
            Some(&at) => {
                let forms = self.forms_with(&self.known[at], &known.fact);
                let other = &mut self.known[at];
                (other.gain, other.forms) = (other.gain.max(gain), forms);
                if whole < other.price + other.tier.map_or(0.0, |tier| self.tiers[tier].1) {
                    *other = Known { gain: other.gain, forms: other.forms.take(), ..known };
                }
            }
            None => {
                self.by_words.insert(known.words.clone(), self.known.len());
                self.known.push(known);
            }
        }
    }

    /// The tightest and the loosest fact after another one was found.
    fn forms_with(&self, known: &Known, fact: &Fact) -> Option<[Form; 2]> {
        let is_known = |form: &Form| form.fact == *fact;
        if known.fact == *fact || known.forms.iter().flatten().any(is_known) {
            return known.forms.clone();
        }
        let Some(new) = self.form(fact) else { return known.forms.clone() };
        let [tight, loose] = match &known.forms {
            Some(forms) => forms.clone(),
            None => match self.form(&known.fact) {
                Some(form) => [form.clone(), form],
                None => return Some([new.clone(), new]),
            },
        };
        let [tighter, looser] = [(&tight, 0), (&loose, 1)].map(|(form, side)| new.sides[side] < form.sides[side]);
        Some([if tighter { new.clone() } else { tight }, if looser { new } else { loose }])
    }

    fn form(&self, fact: &Fact) -> Option<Form> {
        let machine = fact.machine_within(&self.alphabet, MOST_STATES)?;
        Some(Form { fact: fact.clone(), sides: *sides(&machine, self.length).last()? })
    }

    /// The facts that exactly these words have: the cheapest, the tightest and the loosest one.
    pub(super) fn of_words(&self, words: &[u64]) -> impl Iterator<Item = &Fact> {
        let known = self.by_words.get(words).map(|&at| &self.known[at]);
        known
            .into_iter()
            .flat_map(|known| [&known.fact].into_iter().chain(known.forms.iter().flatten().map(|form| &form.fact)))
    }

    fn number_of(&mut self, set: Vec<Letter>) -> usize {
        if let Some(at) = self.tiers.iter().position(|(other, _)| *other == set) {
            return at;
        }
        let price = tier_bits(set.len(), self.alphabet.len());
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

#[cfg(test)]
mod tests {
    use automata::Pattern;

    use super::*;

    /// The order in which facts of the same words are found does not matter.
    #[test]
    fn the_cheapest_the_tightest_and_the_loosest_fact_are_kept() {
        let alphabet = Alphabet::of_chars("abcdefgh");
        let factor = |letters: &[usize]| {
            let mut gaps = vec![Gap::Adjacent; letters.len() + 1];
            (gaps[0], gaps[letters.len()]) = (Gap::Free, Gap::Free);
            let sets = letters.iter().map(|&letter| vec![Letter::new(letter)]).collect();
            Fact::Has(Pattern::new(sets, gaps, 1).unwrap())
        };
        let any_of = |letters: usize| {
            let set = (0..letters).map(Letter::new).collect();
            Fact::Has(Pattern::new(vec![set], vec![Gap::Free; 2], 1).unwrap())
        };
        let facts = [factor(&[0]), factor(&[0, 1]), factor(&[2, 1, 0]), any_of(2), any_of(4)];
        for first in 0..facts.len() {
            let mut store = Store::new(alphabet.clone(), &[20]);
            for i in 0..facts.len() {
                store.add(facts[(first + i) % facts.len()].clone(), vec![5], 10.0);
            }
            let kept: Vec<&Fact> = store.of_words(&[5]).collect();
            assert_eq!(kept, [&facts[0], &facts[2], &facts[4]]);
            assert_eq!(store.known().len(), 1);
            assert_eq!(store.of_words(&[4]).count(), 0);
        }
    }
}

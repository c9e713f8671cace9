//! The whole message of a formula: its own bits, the labels that it does not explain, and the words given the language.
//!
//! Labels alone leave much open: with rejected words that all contain `abcdef`, no label tells whether `abc` is enough. How
//! many words the language has of each length does (`measure`): a tight language is preferred as far as the words support it.

use automata::{Alphabet, Fact, Formula, Machine};

use super::labels::Labels;
use crate::measure::{Drawn, Sides, count_sides, counted_words_bits, exception_bits, formula_bits};

/// Larger automata of facts, and larger products of them, are not built during the search.
pub(super) const MOST_STATES: usize = 3_000;
/// Words are counted up to this length; beyond, their number is extrapolated.
const COUNTED_LENGTHS: usize = 512;

/// What is needed to price formulas.
pub(super) struct Pricing<'a> {
    pub(super) alphabet: &'a Alphabet,
    pub(super) labels: &'a Labels,
    /// The length of each word.
    pub(super) lengths: &'a [usize],
    /// Whether labels may be wrong.
    pub(super) noise: bool,
}

impl Pricing<'_> {
    /// The automaton of a fact; `None` if it is too large.
    pub(super) fn machine(&self, fact: &Fact) -> Option<Machine> {
        fact.machine_within(self.alphabet, MOST_STATES)
    }

    /// All bits of a formula with these automata and this set of accepted words; `None` if its automaton is too large.
    pub(super) fn total(&self, formula: &Formula, machines: &[&Machine], truth: &[u64]) -> Option<f64> {
        let product = Machine::product(machines, MOST_STATES, |facts| formula.says(facts.iter().copied()))?;
        // Where labels may be wrong, exceptions are among the words.
        let labels = if self.noise { 0.0 } else { self.label_bits(truth) };
        Some(formula_bits(formula, self.alphabet.len()) + labels + self.words_bits(&product, truth))
    }

    /// The bits of the labels if these words are accepted.
    pub(super) fn label_bits(&self, truth: &[u64]) -> f64 {
        let counts = self.labels.count(truth);
        match self.noise {
            false => self.labels.bits(counts),
            true => exception_bits(self.labels.len() as u64, self.wrong(counts) as u64),
        }
    }

    /// How many labels are wrong if this many accepted and rejected words are accepted.
    pub(super) fn wrong(&self, [accepted, rejected]: [usize; 2]) -> usize {
        self.labels.totals()[0] - accepted + rejected
    }

    pub(super) fn words_bits(&self, machine: &Machine, truth: &[u64]) -> f64 {
        let longest = self.lengths.iter().copied().max().unwrap_or(0);
        let mut drawn = vec![Drawn::default(); longest + 1];
        for (word, &length) in self.lengths.iter().enumerate() {
            match truth[word / 64] >> (word % 64) & 1 == 1 {
                says if self.noise && says != self.labels.of(word) => drawn[length].wrong += 1,
                true => drawn[length].accepted += 1,
                false => drawn[length].rejected += 1,
            }
        }
        counted_words_bits(&sides(machine, longest.min(COUNTED_LENGTHS)), self.alphabet.len(), &drawn, None)
    }
}

/// The numbers of accepted and of rejected words of each length.
pub(super) fn sides(machine: &Machine, longest: usize) -> Vec<Sides> {
    let mut sizes = vec![0.0; machine.width()];
    machine.classes().iter().for_each(|&class| sizes[class as usize] += 1.0);
    count_sides(
        machine.len(),
        longest,
        |state| machine.is_accepting(state),
        |here, next| {
            for (state, &count) in here.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                machine.row(state).iter().zip(&sizes).for_each(|(&to, &size)| next[to as usize] += count * size);
            }
        },
    )
}

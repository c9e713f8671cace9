//! Facts about numbers: how often letters occur modulo a divisor, and the length of words.

use std::collections::BTreeSet;
use std::ops::Range;

use automata::{Fact, Letter};

use super::labels::Labels;
use super::linear::Equation;
use super::text::{Text, of_words};

/// Larger divisors are not tried.
const LARGEST_MODULUS: usize = 6;
/// The same for sets of letters that an equation gives.
const LARGEST_MULTIPLE: usize = 12;
/// Pairs of letters are counted together for alphabets up to this size.
const MOST_PAIRED: usize = 16;
/// Greater lengths are not facts.
const LONGEST: usize = 1_000;
/// More different lengths are not compared.
const MOST_LENGTHS: usize = 128;
/// Facts about the number of one set of letters, one more than there are.
pub(super) const FACTS_OF_SET: usize = 20;
/// Facts that say less are not kept.
pub(super) const LEAST_GAIN: f64 = 6.0;

/// A fact about a number, with the words that have it.
type Found = (Fact, Vec<u64>);

/// The facts among these that say something about the labels.
fn telling(facts: impl Iterator<Item = Found>, labels: &Labels) -> Vec<Found> {
    facts.filter(|(_, says)| labels.gain(labels.count(says)) > LEAST_GAIN).collect()
}

/// How many sets of letters are counted: single ones, and pairs of few.
pub(super) fn sets(letters: usize) -> usize {
    letters + if letters <= MOST_PAIRED { letters * (letters.saturating_sub(1)) / 2 } else { 0 }
}

/// The set with a number below [`sets`].
fn set(number: usize, letters: usize) -> Vec<usize> {
    let Some(mut pair) = number.checked_sub(letters) else { return vec![number] };
    let mut first = 0;
    while pair >= letters - 1 - first {
        pair -= letters - 1 - first;
        first += 1;
    }
    vec![first, first + 1 + pair]
}

/// Remainders of all moduli.
fn remainders() -> impl Iterator<Item = (usize, usize)> {
    (2..=LARGEST_MODULUS)
        .flat_map(|modulus| (0..modulus - usize::from(modulus == 2)).map(move |remainder| (modulus, remainder)))
}

/// Facts about the numbers of letters in the sets with these numbers.
pub(super) fn of_letters(text: &Text, labels: &Labels, numbers: Range<usize>) -> Vec<Found> {
    let mut facts = Vec::new();
    for set in numbers.map(|number| set(number, text.letters())).filter(|set| set.len() < text.letters()) {
        let mut at = vec![0; text.blocks()];
        for &letter in &set {
            at.iter_mut().zip(text.at(letter)).for_each(|(at, other)| *at |= other);
        }
        let totals = text.counts(&at);
        let letters: Vec<Letter> = set.into_iter().map(Letter::new).collect();
        let found = remainders().map(|(modulus, remainder)| {
            let says = of_words(totals.iter().map(|&total| total as usize % modulus == remainder));
            (Fact::CountModulo { letters: letters.clone(), modulus, remainder }, says)
        });
        facts.extend(telling(found, labels));
    }
    facts
}

/// Facts about lengths.
pub(super) fn of_lengths(labels: &Labels, lengths: &[usize]) -> Vec<Found> {
    let modular = remainders().map(|(modulus, remainder)| {
        let says = of_words(lengths.iter().map(|length| length % modulus == remainder));
        (Fact::LengthModulo { modulus, remainder }, says)
    });
    let known: BTreeSet<usize> = lengths.iter().copied().collect();
    let least = known.iter().skip(1).take(MOST_LENGTHS).filter(|length| **length <= LONGEST).map(|&length| {
        let says = of_words(lengths.iter().map(|&other| other >= length));
        (Fact::Length { least: length, most: None }, says)
    });
    telling(modular.chain(least), labels)
}

/// The fact that an equation states, and those modulo multiples that could be meant as well: where all words have an even
/// number of a, all may have a multiple of six.
pub(super) fn multiples(equation: &Equation, all_letters: usize) -> Vec<Fact> {
    let mut facts = Vec::new();
    let letters: Vec<Letter> = equation.letters.iter().map(|&letter| Letter::new(letter)).collect();
    for modulus in (equation.modulus..=LARGEST_MULTIPLE).step_by(equation.modulus) {
        for remainder in (equation.remainder..modulus).step_by(equation.modulus) {
            facts.push(match letters.len() == all_letters {
                true => Fact::LengthModulo { modulus, remainder },
                false => Fact::CountModulo { letters: letters.clone(), modulus, remainder },
            });
        }
    }
    facts
}

/// The words that have a fact about numbers.
pub(super) fn having(text: &Text, lengths: &[usize], fact: &Fact) -> Vec<u64> {
    match fact {
        Fact::CountModulo { letters, modulus, remainder } => {
            of_words(text.counts(&text.at_any(letters)).iter().map(|&count| count as usize % modulus == *remainder))
        }
        Fact::LengthModulo { modulus, remainder } => {
            of_words(lengths.iter().map(|length| length % modulus == *remainder))
        }
        Fact::Length { least, most } => {
            of_words(lengths.iter().map(|length| length >= least && most.is_none_or(|most| *length <= most)))
        }
        _ => vec![0; text.words().div_ceil(64)],
    }
}

//! Facts about numbers: how often letters occur modulo a divisor, and the length of words.

use std::collections::BTreeSet;

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
/// Facts that say less are not kept.
pub(super) const LEAST_GAIN: f64 = 6.0;

/// Facts about numbers that say something about the labels, with the words that have them.
pub(super) fn facts(text: &Text, labels: &Labels, lengths: &[usize]) -> Vec<(Fact, Vec<u64>)> {
    let mut facts = Vec::new();
    let mut keep = |fact: Fact, says: Vec<u64>| {
        if labels.gain(labels.count(&says)) > LEAST_GAIN {
            facts.push((fact, says));
        }
    };
    let counts: Vec<Vec<u32>> = (0..text.letters()).map(|letter| text.counts(text.at(letter))).collect();
    let mut sets: Vec<Vec<usize>> = (0..text.letters()).map(|letter| vec![letter]).collect();
    if text.letters() <= MOST_PAIRED {
        for a in 0..text.letters() {
            sets.extend((a + 1..text.letters()).map(|b| vec![a, b]));
        }
    }
    for set in sets.iter().filter(|set| set.len() < text.letters()) {
        let total = |word: usize| set.iter().map(|&letter| counts[letter][word] as usize).sum::<usize>();
        let totals: Vec<usize> = (0..text.words()).map(total).collect();
        let letters: Vec<Letter> = set.iter().map(|&letter| Letter::new(letter)).collect();
        for modulus in 2..=LARGEST_MODULUS {
            for remainder in 0..modulus - usize::from(modulus == 2) {
                let says = of_words(totals.iter().map(|total| total % modulus == remainder));
                keep(Fact::CountModulo { letters: letters.clone(), modulus, remainder }, says);
            }
        }
    }
    for modulus in 2..=LARGEST_MODULUS {
        for remainder in 0..modulus - usize::from(modulus == 2) {
            let says = of_words(lengths.iter().map(|length| length % modulus == remainder));
            keep(Fact::LengthModulo { modulus, remainder }, says);
        }
    }
    let known: BTreeSet<usize> = lengths.iter().copied().collect();
    for &length in known.iter().skip(1).take(MOST_LENGTHS).filter(|length| **length <= LONGEST) {
        let says = of_words(lengths.iter().map(|&other| other >= length));
        keep(Fact::Length { least: length, most: None }, says);
    }
    facts
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
            let mut set = vec![0; text.blocks()];
            for letter in letters {
                set.iter_mut().zip(text.at(letter.index())).for_each(|(set, at)| *set |= at);
            }
            of_words(text.counts(&set).iter().map(|&count| count as usize % modulus == *remainder))
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

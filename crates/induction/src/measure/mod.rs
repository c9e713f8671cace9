//! The measure: the length in bits of a message that states an answer and the examples. The shortest message wins.
//!
//! One number for every answer, whichever engine found it. The receiver knows the letters and how many words of each length
//! there are. The message has three parts:
//!
//! 1. **The answer** (`answer`): the shortest of its known descriptions, as a grammar, an automaton, an expression or facts.
//! 2. **The words** (`words`): which words of each length were given, if the answer is known.
//! 3. **Exceptions**, if labels may be wrong: which of the words have the other label.
//!
//! `docs/measure.md` defines the codes and says what each is good for; tests check that they are codes.

mod answer;
mod code;
mod facts;
mod walks;
mod words;

pub(crate) use answer::KIND;
pub use answer::{automaton_bits, expression_bits, grammar_bits, production_bits};
pub(crate) use facts::{fact_bits, tier_bits};
pub use facts::{formula_bits, rule_bits};
pub(crate) use walks::Walks;
pub(crate) use words::{Drawn, Sides, count_sides, counted_words_bits, words_bits};

pub(crate) use code::{choice, factorial};

use code::number;

/// The bits of a number of unknown size.
pub(crate) fn number_bits(n: u64) -> f64 {
    number(n as usize)
}

/// The bits that say which of the words have the other label.
#[must_use]
pub fn exception_bits(words: u64, wrong: u64) -> f64 {
    number(wrong as usize) + choice(words as usize, wrong as usize)
}

/// The bits that say how many of the labels of a word are wrong, if some are.
#[must_use]
pub(crate) fn wrong_label_bits(labels: u64) -> f64 {
    libm::log2(labels as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kraft's inequality over all ways to have wrong labels, of words that were given up to three times.
    #[test]
    fn wrong_labels_have_a_code() {
        for given in [&[1_usize, 1, 1, 1, 1, 1][..], &[1, 2, 3, 3, 2], &[3, 3, 3, 3], &[1]] {
            let mut sum = 0.0;
            for chosen in 0..given.iter().map(|&times| times + 1).product() {
                let mut rest = chosen;
                let mut bits = 0.0;
                let mut words = 0;
                for &times in given {
                    let wrong = rest % (times + 1);
                    rest /= times + 1;
                    if wrong > 0 {
                        words += 1;
                        bits += wrong_label_bits(times as u64);
                    }
                }
                sum += libm::exp2(-bits - exception_bits(given.len() as u64, words));
            }
            assert!(sum <= 1.0 && sum > 0.6, "{given:?} {sum}");
        }
    }
}

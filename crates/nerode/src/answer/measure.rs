//! Which of two answers is described more briefly, where one was found letter by letter and one over classes.
//!
//! Both are priced alike: the bits of the answer, then, for each accepted word, which it is among the accepted words of its
//! length. A class counts as its number of characters. An answer that lists the words pays for them in its own bits, one
//! that accepts much else pays for it in every word.

use automata::{BigUint, Dfa};
use induction::Sample;
use induction::learner::Induced;

/// The shorter of two answers; the one letter by letter where both take the same bits. One that agrees with every example
/// is preferred to one that does not.
pub(crate) fn shorter(letters: Induced, patterns: Induced, sample: &Sample) -> Induced {
    let key = |induced: &Induced| (induced.certificate.wrong, induced.bits + word_bits(&induced.dfa, sample));
    let ((wrong, bits), (other_wrong, other_bits)) = (key(&letters), key(&patterns));
    let is_shorter = wrong < other_wrong || wrong == other_wrong && bits <= other_bits;
    if is_shorter { letters } else { patterns }
}

/// The bits to say which of the accepted words of its length each accepted example is.
fn word_bits(dfa: &Dfa, sample: &Sample) -> f64 {
    let mut lengths: Vec<u64> = vec![0; sample.longest() + 1];
    for (word, counts) in sample.rows() {
        lengths[word.len()] += u64::from(counts.accepted > counts.rejected);
    }
    let counts = automata::count_by_length(dfa, sample.longest());
    counts.iter().zip(&lengths).map(|(count, &words)| words as f64 * log2(count)).sum()
}

fn log2(number: &BigUint) -> f64 {
    // What an answer does not accept it gets wrong, which weighs more than any bits.
    let bits = number.bits();
    if bits == 0 {
        return 0.0;
    }
    let shift = bits.saturating_sub(64);
    let head: u64 = (number >> shift).try_into().unwrap_or(u64::MAX);
    libm::log2(head as f64) + shift as f64
}

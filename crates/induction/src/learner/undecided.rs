//! Words that the examples leave open: plausible answers differ on them.

use automata::{Dfa, Word, separating_word};

/// A word that some answers accept and others reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The word.
    pub word: Word,
    /// How many answers accept it.
    pub accepted_by: usize,
    /// Number of answers.
    pub of: usize,
}

/// A shortest separating word for each pair of answers. Words nearest to an even split come first, where answers with
/// shorter descriptions have more weight; then shorter words, then lexicographic order.
pub(crate) fn undecided(answers: &[(&Dfa, f64)], limit: usize) -> Vec<Undecided> {
    let mut words: Vec<Word> = Vec::new();
    for (i, (a, _)) in answers.iter().enumerate() {
        words.extend(answers[i + 1..].iter().filter_map(|(b, _)| separating_word(a, b)));
    }
    words.sort();
    words.dedup();
    let shortest = answers.iter().map(|(_, bits)| *bits).fold(f64::INFINITY, f64::min);
    // Half a bit of weight per bit of length: longer answers are less likely, but not excluded.
    let weights: Vec<f64> = answers.iter().map(|(_, bits)| libm::exp2((shortest - bits) / 2.0)).collect();
    let total: f64 = weights.iter().sum();
    let mut ranked: Vec<(f64, Undecided)> = words
        .into_iter()
        .map(|word| {
            let votes: Vec<bool> = answers.iter().map(|(answer, _)| answer.accepts(&word)).collect();
            let weight: f64 = votes.iter().zip(&weights).filter(|(vote, _)| **vote).map(|(_, weight)| weight).sum();
            let accepted_by = votes.iter().filter(|vote| **vote).count();
            ((2.0 * weight - total).abs(), Undecided { word, accepted_by, of: answers.len() })
        })
        .collect();
    // Words come shortest first, and the sort is stable.
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.into_iter().map(|(_, undecided)| undecided).take(limit).collect()
}

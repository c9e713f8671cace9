//! The beliefs after each letter: the vectors u_i, and o(w).

use automata::{Direction, Grammar, Letter};

use super::chart::Chart;
use crate::model::{Layout, Model, Shape, Weights, reference};

/// u_1 … u_ℓ of a word: after i letters, how strongly each non-terminal is believed to derive them.
#[derive(Clone, Debug, PartialEq)]
pub struct Beliefs {
    nonterminals: usize,
    /// `[ℓ][n']`.
    rows: Vec<f64>,
    /// `[ℓ]`: o of each prefix.
    confidences: Vec<f64>,
    confidence: f64,
}

impl Beliefs {
    /// The beliefs of a model; entry k is the belief in `A_{k+1}`. A model has no belief about the empty word: it reads
    /// at least one letter. Nothing derives a letter that the model does not know. A model trained on reversed words,
    /// for a right-regular grammar, reads the word from its end.
    #[must_use]
    pub fn of_model(model: &Model, word: &[Letter], direction: Direction) -> Option<Self> {
        let word = super::in_order(word, direction);
        (!word.is_empty()).then(|| Self::of_weights(model.layout(), &model.weights(), &word))
    }

    pub(super) fn of_weights(layout: Layout, weights: &Weights, word: &[Letter]) -> Self {
        let nonterminals = layout.nonterminals();
        let rows = rows(layout, weights, word);
        let sum = |u: &[f64]| weights.last.iter().zip(u).map(|(last, u)| last * u).sum::<f64>();
        let confidences: Vec<f64> = rows.chunks_exact(nonterminals).map(sum).collect();
        let confidence = confidences.last().copied().unwrap_or(0.0);
        Self { nonterminals, rows, confidences, confidence }
    }

    /// The beliefs of a grammar, as zeros and ones; the entries are its non-terminals in order, including the start
    /// symbol. The empty word has no vectors, and o(w) says whether it is in the language.
    #[must_use]
    pub fn of_grammar(grammar: &Grammar, word: &[Letter]) -> Self {
        let chart = Chart::new(grammar, word, None);
        let nonterminals = grammar.nonterminals().len();
        let mut rows = vec![0.0; chart.len() * nonterminals];
        for i in 1..=chart.len() {
            for a in chart.row(i) {
                rows[(i - 1) * nonterminals + a.index()] = 1.0;
            }
        }
        let accepted = |i: usize| if chart.contains(i, grammar.start()) { 1.0 } else { 0.0 };
        let confidences = (1..=chart.len()).map(accepted).collect();
        Self { nonterminals, rows, confidences, confidence: accepted(chart.len()) }
    }

    /// u_i, the belief after i letters, for i from 1 to ℓ.
    #[must_use]
    pub fn u(&self, i: usize) -> Option<&[f64]> {
        self.rows.chunks_exact(self.nonterminals).nth(i.checked_sub(1)?)
    }

    /// u_1 … u_ℓ in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.rows.chunks_exact(self.nonterminals)
    }

    /// o of the first i letters in reading order, for i from 1 to ℓ.
    #[must_use]
    pub fn confidence_after(&self, i: usize) -> Option<f64> {
        self.confidences.get(i.checked_sub(1)?).copied()
    }

    /// o(w): how strongly the whole word is believed to be in the language.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.confidence
    }
}

/// u_1 … u_ℓ, `[ℓ][n']`. From an unknown letter on, all beliefs are 0.
fn rows(layout: Layout, weights: &Weights, word: &[Letter]) -> Vec<f64> {
    let known = word.iter().take_while(|letter| letter.index() < layout.letters()).count();
    let mut rows = match known {
        0 => Vec::new(),
        known => reference::beliefs(weights, layout.shape() == Shape::Nfa, &word[..known]).concat(),
    };
    rows.resize(word.len() * layout.nonterminals(), 0.0);
    rows
}

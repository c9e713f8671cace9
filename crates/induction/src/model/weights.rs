//! Beliefs in productions: the parameters behind their sigmoids and softmaxes.
//!
//! Both shapes come down to the same three arrays, so that everything after this file is written once:
//! `u_1 = terminal[a_1]`, `u_{i+1} = step[a_{i+1}] u_i`, `o = last · u_ℓ`, each u clamped in the shape `nfa`.

use super::{Layout, Shape};

/// What a model believes of each production, between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// `[t][n']`: the belief in `A_k → c`.
    pub terminal: Vec<f64>,
    /// `[t][n'][n']`: the belief in `A_k → A_i c`, i last.
    pub step: Vec<f64>,
    /// `[n']`: how much a word that ends in `A_k` is accepted.
    pub last: Vec<f64>,
}

impl Weights {
    /// The beliefs of these parameters; production entries are read at a temperature, 1 unless it is annealed.
    #[must_use]
    pub fn of(layout: Layout, parameters: &[f64], temperature: f64) -> Self {
        let (n, t) = (layout.nonterminals(), layout.letters());
        let tempered = |at: usize| parameters[at] / temperature;
        let mut step = vec![0.0; t * n * n];
        for c in 0..t {
            for i in 0..n {
                let column: Vec<f64> = (0..n).map(|k| tempered(layout.step(c, k, i))).collect();
                let column: Vec<f64> = match layout.shape() {
                    Shape::Nfa => column.into_iter().map(sigmoid).collect(),
                    Shape::Dfa => softmax(&column),
                };
                for k in 0..n {
                    step[(c * n + k) * n + i] = column[k];
                }
            }
        }
        let letters_and_heads = (0..t).flat_map(|c| (0..n).map(move |k| (c, k)));
        let terminal = match layout.shape() {
            Shape::Nfa => letters_and_heads.map(|(c, k)| sigmoid(tempered(layout.terminal(c, k)))).collect(),
            // Words begin in A_1, so the first letter takes the first column.
            Shape::Dfa => letters_and_heads.map(|(c, k)| step[(c * n + k) * n]).collect(),
        };
        let last = &parameters[layout.last(0)..];
        let last = match layout.shape() {
            Shape::Nfa => softmax(last),
            Shape::Dfa => last.iter().copied().map(sigmoid).collect(),
        };
        Self { terminal, step, last }
    }
}

/// σ(x) = 1 / (1 + e⁻ˣ).
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// eˣ / Σ eˣ, safe for large entries.
#[must_use]
pub fn softmax(x: &[f64]) -> Vec<f64> {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = x.iter().map(|x| libm::exp(x - largest)).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

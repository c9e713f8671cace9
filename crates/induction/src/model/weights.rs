//! Beliefs in productions: the parameters passed through sigmoids and softmaxes, and the gradients back.
//!
//! Both shapes reduce to the same three arrays, so all later code is written once:
//! `u_1 = terminal[a_1]`, `u_{i+1} = step[a_{i+1}] u_i`, `o = last · u_ℓ`, each u clamped in the shape `nfa`.

use super::{Layout, Selector, Shape};

/// A model's belief in each production, between 0 and 1; or the gradient of a loss with respect to these beliefs.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// `[t][n']`: the belief in `A_k → c`.
    pub terminal: Vec<f64>,
    /// `[t][n'][n']`: the belief in `A_k → A_i c`, i last.
    pub step: Vec<f64>,
    /// `[n']`: how strongly a word that ends in `A_k` is accepted; zeros if a perceptron decides.
    pub last: Vec<f64>,
}

impl Weights {
    /// The beliefs of these parameters; production entries are read at a temperature, 1 unless annealed.
    ///
    /// # Panics
    /// When the number of parameters is not that of the layout.
    #[must_use]
    pub fn of(layout: Layout, parameters: &[f64], temperature: f64) -> Self {
        Self::with_selector(layout, Selector::Softmax, parameters, temperature)
    }

    /// The same for a model with this start selector.
    ///
    /// # Panics
    /// When the number of parameters is not [`Selector::parameters`].
    #[must_use]
    pub fn with_selector(layout: Layout, selector: Selector, parameters: &[f64], temperature: f64) -> Self {
        assert_eq!(parameters.len(), selector.parameters(layout), "as many parameters as the layout has");
        let (n, t) = (layout.nonterminals(), layout.letters());
        let tempered = |at: usize| parameters[at] / temperature;
        let mut step = vec![0.0; t * n * n];
        for c in 0..t {
            for i in 0..n {
                let column: Vec<f64> = (0..n).map(|k| tempered(layout.step(c, k, i))).collect();
                let column = match layout.shape() {
                    Shape::Nfa => sigmoids(&column),
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
            // Words start in A_1, so the first letter takes the first column.
            Shape::Dfa => letters_and_heads.map(|(c, k)| step[(c * n + k) * n]).collect(),
        };
        let own = &parameters[layout.last(0)..];
        let last = match (selector, layout.shape()) {
            (Selector::Softmax, Shape::Nfa) => softmax(own),
            (Selector::Softmax, Shape::Dfa) => sigmoids(own),
            (Selector::Fixed, _) => (0..n).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect(),
            (Selector::TwoLayers | Selector::ThreeLayers, _) => vec![0.0; n],
        };
        Self { terminal, step, last }
    }

    /// The gradient with respect to the parameters, in their order, from that with respect to the beliefs. Perceptron
    /// parameters are not behind beliefs: their gradient stays 0.
    #[must_use]
    pub fn backward(&self, layout: Layout, selector: Selector, temperature: f64, d_weights: &Self) -> Vec<f64> {
        let (n, t) = (layout.nonterminals(), layout.letters());
        let mut d_parameters = vec![0.0; selector.parameters(layout)];
        for c in 0..t {
            for i in 0..n {
                let at = |k: usize| (c * n + k) * n + i;
                let column: Vec<f64> = (0..n).map(|k| self.step[at(k)]).collect();
                let mut d_column: Vec<f64> = (0..n).map(|k| d_weights.step[at(k)]).collect();
                let d_column = match layout.shape() {
                    Shape::Nfa => sigmoids_backward(&column, &d_column),
                    Shape::Dfa => {
                        // The first column also served the first letter, as `terminal`.
                        if i == 0 {
                            (0..n).for_each(|k| d_column[k] += d_weights.terminal[c * n + k]);
                        }
                        softmax_backward(&column, &d_column)
                    }
                };
                for k in 0..n {
                    d_parameters[layout.step(c, k, i)] = d_column[k] / temperature;
                }
            }
        }
        if layout.shape() == Shape::Nfa {
            let d_terminal = sigmoids_backward(&self.terminal, &d_weights.terminal);
            for (at, d) in d_terminal.into_iter().enumerate() {
                d_parameters[layout.terminal(at / n, at % n)] = d / temperature;
            }
        }
        if selector == Selector::Softmax {
            d_parameters[layout.last(0)..].copy_from_slice(&match layout.shape() {
                Shape::Nfa => softmax_backward(&self.last, &d_weights.last),
                Shape::Dfa => sigmoids_backward(&self.last, &d_weights.last),
            });
        }
        d_parameters
    }

    /// All zero, to accumulate gradients.
    #[must_use]
    pub fn zeros(layout: Layout) -> Self {
        let (n, t) = (layout.nonterminals(), layout.letters());
        Self { terminal: vec![0.0; t * n], step: vec![0.0; t * n * n], last: vec![0.0; n] }
    }

    /// The entries that are read off as productions, [`Layout::entries`] of them: those that are sharpened and kept
    /// few.
    pub fn productions(&self, shape: Shape) -> impl Iterator<Item = f64> {
        let (one, other) = match shape {
            Shape::Nfa => (&self.terminal, &self.step),
            Shape::Dfa => (&self.step, &self.last),
        };
        one.iter().chain(other).copied()
    }

    /// The same entries, mutable.
    pub fn productions_mut(&mut self, shape: Shape) -> impl Iterator<Item = &mut f64> {
        let (one, other) = match shape {
            Shape::Nfa => (&mut self.terminal, &mut self.step),
            Shape::Dfa => (&mut self.step, &mut self.last),
        };
        one.iter_mut().chain(other)
    }
}

/// σ(x) = 1 / (1 + e⁻ˣ).
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

fn sigmoids(x: &[f64]) -> Vec<f64> {
    x.iter().copied().map(sigmoid).collect()
}

/// The gradient with respect to x from y = σ(x) and the gradient with respect to y: σ' = σ (1 − σ).
fn sigmoids_backward(y: &[f64], d_y: &[f64]) -> Vec<f64> {
    y.iter().zip(d_y).map(|(y, d_y)| d_y * y * (1.0 - y)).collect()
}

/// eˣ / Σ eˣ, safe for large entries.
fn softmax(x: &[f64]) -> Vec<f64> {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = x.iter().map(|x| libm::exp(x - largest)).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The gradient with respect to x from y = softmax(x) and the gradient with respect to y: entries compete, so each
/// gains by its excess over the mean under y.
fn softmax_backward(y: &[f64], d_y: &[f64]) -> Vec<f64> {
    let mean: f64 = y.iter().zip(d_y).map(|(y, d_y)| y * d_y).sum();
    y.iter().zip(d_y).map(|(y, d_y)| y * (d_y - mean)).collect()
}

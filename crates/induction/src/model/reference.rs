//! The model as in the paper: one word at a time, one number at a time, in `f64`.
//!
//! It is slow, and kept for good: it can be read alongside the paper, and everything fast is checked against it.
//! It is itself checked against finite differences and PyTorch's derivatives. The equations are in `docs/model.md`.

use automata::Letter;

use super::perceptron::Perceptron;
use super::{Layout, Selector, Shape, Weights, loss, units};

/// The terms of the loss, apart from the examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossSettings {
    /// β, the weight of the sharpening loss.
    pub beta: f64,
    /// γ, the weight of the production-use loss.
    pub gamma: f64,
    /// The divisor of the production parameters before their sigmoid or softmax; positive.
    pub temperature: f64,
    /// Whether the shape `nfa` clamps beliefs to 1, as the paper does. The shape `dfa` never clamps: its beliefs sum to
    /// 1, and a clamp would only cut gradients where rounding takes them above 1.
    pub clamp: bool,
    /// ε, below which the cross-entropy continues as a straight line of slope −1/ε; positive.
    pub slope_bound: f64,
}

/// A word with the weights of its labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example<'a> {
    /// The word, not empty: the model starts from the first letter, so the empty word is outside it.
    pub word: &'a [Letter],
    /// The weight of its acceptance: 1, or how often it was labelled so.
    pub accepted: f64,
    /// The weight of its rejection.
    pub rejected: f64,
}

/// The outputs and loss of a batch, with the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// o(w) for each example.
    pub outputs: Vec<f64>,
    /// The binary cross-entropy per unit of weight; 0 if the total weight is 0.
    pub prediction: f64,
    /// S, before its weight β.
    pub sharpening: f64,
    /// U, before its weight γ.
    pub production_use: f64,
    /// BCE + β S + γ U.
    pub total: f64,
    /// The gradient of the total with respect to the parameters, in their order.
    pub gradient: Vec<f64>,
}

/// The loss of a batch and its gradient.
///
/// # Panics
/// When the number of parameters is not what the selector needs, a word is empty, or a letter is not in the layout.
#[must_use]
pub fn evaluate(
    layout: Layout,
    selector: Selector,
    parameters: &[f64],
    examples: &[Example],
    settings: &LossSettings,
) -> Evaluation {
    let &LossSettings { beta, gamma, temperature, slope_bound, .. } = settings;
    let clamp = settings.clamp && layout.shape() == Shape::Nfa;
    let weights = Weights::with_selector(layout, selector, parameters, temperature);
    let start = Start::new(layout, selector, parameters, &weights);
    let mut d_weights = Weights::zeros(layout);
    let mut d_own = vec![0.0; parameters.len() - layout.last(0)];

    let mass: f64 = examples.iter().map(|example| example.accepted + example.rejected).sum();
    // Without any weight there is nothing to divide.
    let mass = if mass > 0.0 { mass } else { 1.0 };
    let mut outputs = Vec::with_capacity(examples.len());
    let mut prediction = 0.0;
    for &Example { word, accepted, rejected } in examples {
        let beliefs = beliefs(&weights, clamp, word);
        let selected = start.forward(&beliefs[word.len() - 1]);
        let o = selected.output;
        prediction += loss::cross_entropy_forward(o, accepted, rejected, slope_bound) / mass;
        let d_o = loss::cross_entropy_backward(o, accepted, rejected, slope_bound) / mass;
        let d_u = start.backward(&mut d_weights, &mut d_own, d_o, &selected);
        word_backward(&mut d_weights, d_u, &weights, clamp, word, &beliefs);
        outputs.push(o);
    }

    let sharpening = loss::sharpening_forward(layout, &weights);
    let production_use = loss::production_use_forward(layout, &weights);
    loss::sharpening_backward(&mut d_weights, beta, layout, &weights);
    loss::production_use_backward(&mut d_weights, gamma, layout);
    let mut gradient = weights.backward(layout, selector, temperature, &d_weights);
    if selector.is_perceptron() {
        gradient[layout.last(0)..].copy_from_slice(&d_own);
    }
    Evaluation {
        outputs,
        prediction,
        sharpening,
        production_use,
        total: prediction + beta * sharpening + gamma * production_use,
        gradient,
    }
}

/// Start Selector Unit, of any kind.
pub(crate) enum Start<'a> {
    /// o = lastᵀ u_ℓ.
    Linear(&'a [f64]),
    Perceptron(Perceptron<'a>),
}

/// The inputs and output of a start selector.
pub(crate) struct Selected {
    /// The beliefs, followed by the output of each layer for a perceptron.
    activations: Vec<Vec<f64>>,
    /// o.
    pub(crate) output: f64,
}

impl<'a> Start<'a> {
    pub(crate) fn new(layout: Layout, selector: Selector, parameters: &'a [f64], weights: &'a Weights) -> Self {
        match Perceptron::of(layout, selector, &parameters[layout.last(0)..]) {
            Some(perceptron) => Self::Perceptron(perceptron),
            None => Self::Linear(&weights.last),
        }
    }

    pub(crate) fn forward(&self, u: &[f64]) -> Selected {
        match self {
            Self::Linear(last) => Selected { output: units::start_forward(last, u), activations: vec![u.to_vec()] },
            Self::Perceptron(perceptron) => {
                let activations = perceptron.forward(u);
                Selected { output: activations[activations.len() - 1][0], activations }
            }
        }
    }

    /// The gradient with respect to the beliefs, given that of the output; the gradient of the selector's own
    /// parameters is added to `d_weights.last`, or to `d_own` for a perceptron.
    fn backward(&self, d_weights: &mut Weights, d_own: &mut [f64], d_o: f64, selected: &Selected) -> Vec<f64> {
        let u = &selected.activations[0];
        let mut d_u = vec![0.0; u.len()];
        match self {
            Self::Linear(last) => units::start_backward(&mut d_weights.last, &mut d_u, d_o, last, u),
            Self::Perceptron(perceptron) => perceptron.backward(d_own, &mut d_u, d_o, &selected.activations),
        }
        d_u
    }
}

/// u_1 … u_ℓ: after each letter, how strongly each non-terminal is believed to derive the prefix read. For hard
/// beliefs, 0 and 1, these are the partial parses.
///
/// Without the clamp, the beliefs of an ambiguous grammar count its parses and grow with them.
///
/// # Panics
/// When the word is empty or a letter is not in the model's alphabet.
#[must_use]
pub fn beliefs(weights: &Weights, clamp: bool, word: &[Letter]) -> Vec<Vec<f64>> {
    assert!(!word.is_empty(), "the empty word is outside the model");
    let mut beliefs: Vec<Vec<f64>> = Vec::with_capacity(word.len());
    for letter in word {
        let mut u = vec![0.0; weights.last.len()];
        match beliefs.last() {
            None => units::terminal_forward(&mut u, &weights.terminal, letter.index()),
            Some(before) => units::nonterminal_forward(&mut u, &weights.step, before, letter.index()),
        }
        if clamp {
            units::clamp_forward(&mut u);
        }
        beliefs.push(u);
    }
    beliefs
}

/// Adds a word's gradient with respect to the productions, given that of its last beliefs.
fn word_backward(
    d_weights: &mut Weights,
    mut d_u: Vec<f64>, // [n']
    weights: &Weights,
    clamp: bool,
    word: &[Letter],
    beliefs: &[Vec<f64>], // [ℓ][n']
) {
    let n = d_u.len();
    for i in (1..word.len()).rev() {
        let (c, before) = (word[i].index(), &beliefs[i - 1]);
        if clamp {
            // Recompute the sums: only the clamped ones were kept, which do not distinguish 1 from more.
            let mut z = vec![0.0; n];
            units::nonterminal_forward(&mut z, &weights.step, before, c);
            units::clamp_backward(&mut d_u, &z);
        }
        let d_z = d_u;
        d_u = vec![0.0; n];
        units::nonterminal_backward(&mut d_weights.step, &mut d_u, &d_z, &weights.step, before, c);
    }
    // The first letter's beliefs are sigmoids, at most 1, so the clamp passes everything there.
    units::terminal_backward(&mut d_weights.terminal, &d_u, word[0].index());
}

//! Start selectors: how the beliefs u_ℓ after the last letter become an output.
//!
//! The paper's is a softmax over all non-terminals. The others serve its ablation: always the first non-terminal, or a
//! perceptron over all beliefs. They need the shape `nfa`; in the shape `dfa`, acceptance (a sigmoid per state)
//! replaces the softmax.

use serde::{Deserialize, Serialize};

use super::Layout;

/// Units of a hidden layer per non-terminal.
const WIDTH: usize = 2;

/// How the model chooses the non-terminal for the whole word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Selector {
    /// A softmax over all non-terminals, as in the paper; acceptance in the shape `dfa`.
    #[default]
    Softmax,
    /// Always the first.
    Fixed,
    /// A two-layer perceptron over the beliefs.
    TwoLayers,
    /// A three-layer perceptron over the beliefs.
    ThreeLayers,
}

impl Selector {
    /// The number of parameters of a model with this selector: first those of the productions, in the order of the
    /// layout, then its own: n' for the softmax, none for the fixed one, `[outputs][inputs + 1]` per layer of a
    /// perceptron.
    #[must_use]
    pub fn parameters(self, layout: Layout) -> usize {
        match self {
            Self::Softmax => layout.len(),
            _ => layout.last(0) + self.layers(layout).map(|(inputs, outputs)| outputs * (inputs + 1)).sum::<usize>(),
        }
    }

    /// The inputs and outputs of each layer of the perceptron; empty for other selectors.
    pub(crate) fn layers(self, layout: Layout) -> impl Iterator<Item = (usize, usize)> {
        let hidden = match self {
            Self::Softmax | Self::Fixed => None,
            Self::TwoLayers => Some(1),
            Self::ThreeLayers => Some(2),
        };
        let n = layout.nonterminals();
        let size = move |layer: usize, hidden: usize| match layer {
            0 => n,
            layer if layer <= hidden => WIDTH * n,
            _ => 1,
        };
        let pairs = move |hidden| (0..=hidden).map(move |layer| (size(layer, hidden), size(layer + 1, hidden)));
        hidden.into_iter().flat_map(pairs)
    }

    /// Whether it is a perceptron, so that the model is not a grammar with one start symbol.
    #[must_use]
    pub fn is_perceptron(self) -> bool {
        matches!(self, Self::TwoLayers | Self::ThreeLayers)
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Softmax => "softmax",
            Self::Fixed => "fixed",
            Self::TwoLayers => "two_layers",
            Self::ThreeLayers => "three_layers",
        })
    }
}

//! The model: what its parameters are, what they mean, and how they are to change.
//!
//! [`Layout`] says where a parameter is, [`Weights`] what it is believed to mean; [`mod@reference`] applies these
//! beliefs to words and derives the gradient, unit by unit as the paper has them.

mod file;
mod layout;
mod loss;
mod perceptron;
pub mod reference;
mod selector;
mod units;
mod weights;

pub use file::ModelFileError;
pub use layout::{Layout, Shape};
pub use selector::Selector;
pub use weights::Weights;

use automata::Alphabet;

/// One trained (or untrained) model: parameters with their meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    alphabet: Alphabet,
    layout: Layout,
    parameters: Vec<f32>,
    /// `[n']`: what its non-terminals are called.
    names: Vec<String>,
}

/// The names of `count` non-terminals that no grammar has named: `A1`, `A2`, …
fn usual_names(count: usize) -> Vec<String> {
    (1..=count).map(|k| format!("A{k}")).collect()
}

impl Model {
    /// A model of these parameters, in the order of `layout`.
    ///
    /// # Panics
    /// When the number of letters or of parameters is not that of `layout`.
    #[must_use]
    pub fn new(alphabet: Alphabet, layout: Layout, parameters: Vec<f32>) -> Self {
        assert_eq!(alphabet.len(), layout.letters(), "one column for each letter");
        assert_eq!(parameters.len(), layout.len(), "as many parameters as the layout has");
        let names = usual_names(layout.nonterminals());
        Self { alphabet, layout, parameters, names }
    }

    /// The same model, its non-terminals called as in the grammar that was read off it: see
    /// [`Places::names`](crate::confidence::Places::names).
    ///
    /// # Panics
    /// When there are not as many names as non-terminals.
    #[must_use]
    pub fn with_names(self, names: Vec<String>) -> Self {
        assert_eq!(names.len(), self.layout.nonterminals(), "a name for each non-terminal");
        Self { names, ..self }
    }

    /// What its non-terminals are called, in order: `A1`, `A2`, … unless a grammar names them otherwise.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Where each parameter is.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The parameters, in the order of the layout.
    #[must_use]
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// What it believes of each production, at temperature 1.
    #[must_use]
    pub fn weights(&self) -> Weights {
        let parameters: Vec<f64> = self.parameters.iter().copied().map(f64::from).collect();
        Weights::of(self.layout, &parameters, 1.0)
    }
}

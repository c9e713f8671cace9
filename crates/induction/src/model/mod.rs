//! The model: its parameters, their meaning, and their gradient.
//!
//! [`Layout`] locates the parameters, [`Weights`] turns them into beliefs, and [`mod@reference`] applies these beliefs
//! to words and computes the gradient, unit by unit as in the paper.

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

/// A model, trained or not: parameters with their meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    alphabet: Alphabet,
    layout: Layout,
    parameters: Vec<f32>,
    /// `[n']`: the names of the non-terminals.
    names: Vec<String>,
}

/// The default names of `count` non-terminals: `A1`, `A2`, …
fn usual_names(count: usize) -> Vec<String> {
    (1..=count).map(|k| format!("A{k}")).collect()
}

impl Model {
    /// A model with these parameters, in the order of `layout`.
    ///
    /// # Panics
    /// When the number of letters or parameters differs from that of `layout`.
    #[must_use]
    pub fn new(alphabet: Alphabet, layout: Layout, parameters: Vec<f32>) -> Self {
        assert_eq!(alphabet.len(), layout.letters(), "one column for each letter");
        assert_eq!(parameters.len(), layout.len(), "as many parameters as the layout has");
        let names = usual_names(layout.nonterminals());
        Self { alphabet, layout, parameters, names }
    }

    /// The same model, with the names that the grammar read off it gives its non-terminals: see
    /// [`Places::names`](crate::confidence::Places::names).
    ///
    /// # Panics
    /// When the number of names is not n'.
    #[must_use]
    pub fn with_names(self, names: Vec<String>) -> Self {
        assert_eq!(names.len(), self.layout.nonterminals(), "a name for each non-terminal");
        Self { names, ..self }
    }

    /// The names of its non-terminals, in order: `A1`, `A2`, … unless a grammar names them otherwise.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The layout of the parameters.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The parameters, in the order of the layout.
    #[must_use]
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// Its belief in each production, at temperature 1.
    #[must_use]
    pub fn weights(&self) -> Weights {
        let parameters: Vec<f64> = self.parameters.iter().copied().map(f64::from).collect();
        Weights::of(self.layout, &parameters, 1.0)
    }
}

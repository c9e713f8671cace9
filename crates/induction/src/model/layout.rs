//! Where each parameter of a model lies: one array, named views.
//!
//! With n' non-terminals and t letters, the parameters are
//!
//! | shape | block | shape of the block | entry means, before σ or softmax |
//! |---|---|---|---|
//! | `nfa` | P_T | `[t][n']` | `terminal(c, k)`: `A_k → c` |
//! | `nfa` | P_N | `[t][n'][n']` | `step(c, k, i)`: `A_k → A_i c` |
//! | `nfa` | s | `[n']` | `last(k)`: the start symbol is `A_k` |
//! | `dfa` | transitions | `[t][n'][n']` | `step(c, k, i)`: from `A_i` the letter c leads to `A_k` |
//! | `dfa` | acceptance | `[n']` | `last(k)`: words may end in `A_k` |
//!
//! The letter comes first, though the paper's matrices have it last, since a letter's matrix is what is used at once.

use serde::{Deserialize, Serialize};

/// Which of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// The paper's: every production has a belief of its own, a sigmoid; beliefs are clamped to 1; one start symbol is
    /// chosen by a softmax.
    Nfa,
    /// The deterministic one: each state and letter chooses its successor by a softmax, the first state is `A_1`, and
    /// each state accepts or not by a sigmoid.
    Dfa,
}

/// The sizes of a model, and with them the place of every parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Shape,
    nonterminals: usize,
    letters: usize,
}

impl Layout {
    /// The layout of a model with n' non-terminals over t letters.
    ///
    /// # Panics
    /// When there is no non-terminal or no letter.
    #[must_use]
    pub fn new(shape: Shape, nonterminals: usize, letters: usize) -> Self {
        assert!(nonterminals > 0 && letters > 0, "a model has at least one non-terminal and one letter");
        Self { shape, nonterminals, letters }
    }

    /// Which model.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// n', the number of non-terminals.
    #[must_use]
    pub fn nonterminals(&self) -> usize {
        self.nonterminals
    }

    /// t, the number of letters.
    #[must_use]
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// The number of parameters.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a model is never empty")]
    pub fn len(&self) -> usize {
        self.last(0) + self.nonterminals
    }

    /// Where the belief in `A_k → c` is. The deterministic shape has none of its own: there it is that in
    /// `A_k → A_1 c`, words beginning in `A_1`.
    #[must_use]
    pub fn terminal(&self, c: usize, k: usize) -> usize {
        match self.shape {
            Shape::Nfa => c * self.nonterminals + k,
            Shape::Dfa => self.step(c, k, 0),
        }
    }

    /// Where the belief in `A_k → A_i c` is.
    #[must_use]
    pub fn step(&self, c: usize, k: usize, i: usize) -> usize {
        let n = self.nonterminals;
        self.terminals() + (c * n + k) * n + i
    }

    /// Where the belief is that words end in `A_k`: s, or acceptance.
    #[must_use]
    pub fn last(&self, k: usize) -> usize {
        self.terminals() + self.letters * self.nonterminals * self.nonterminals + k
    }

    /// How many entries of P_T there are.
    #[must_use]
    pub fn terminals(&self) -> usize {
        match self.shape {
            Shape::Nfa => self.letters * self.nonterminals,
            Shape::Dfa => 0,
        }
    }

    /// Over how many entries the sharpening and production-use losses are means: all of σ(P_T) and σ(P_N), that is
    /// n'(n' + 1)t; or all transitions and acceptances, (n't + 1)n'.
    #[must_use]
    pub fn entries(&self) -> usize {
        match self.shape {
            Shape::Nfa => self.last(0),
            Shape::Dfa => self.len(),
        }
    }
}

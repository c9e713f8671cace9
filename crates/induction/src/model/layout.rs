//! The layout of a model's parameters: one array with named views.
//!
//! With n' non-terminals and t letters, the parameters are:
//!
//! | shape | block | shape of the block | entry means, before σ or softmax |
//! |---|---|---|---|
//! | `nfa` | P_T | `[t][n']` | `terminal(c, k)`: `A_k → c` |
//! | `nfa` | P_N | `[t][n'][n']` | `step(c, k, i)`: `A_k → A_i c` |
//! | `nfa` | s | `[n']` | `last(k)`: the start symbol is `A_k` |
//! | `dfa` | transitions | `[t][n'][n']` | `step(c, k, i)`: from `A_i` the letter c leads to `A_k` |
//! | `dfa` | acceptance | `[n']` | `last(k)`: words may end in `A_k` |
//!
//! Unlike in the paper's matrices, the letter comes first, because one letter's matrix is used at a time.

use serde::{Deserialize, Serialize};

/// Which of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// The paper's model: each production has its own belief, a sigmoid; beliefs are clamped to 1; a softmax chooses
    /// one start symbol.
    Nfa,
    /// The deterministic model: for each state and letter a softmax chooses the successor, the initial state is `A_1`,
    /// and each state accepts or rejects by a sigmoid.
    Dfa,
}

/// The sizes of a model, which determine the index of every parameter.
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

    /// The index of the belief in `A_k → c`. The shape `dfa` has no separate one: there it is the belief in
    /// `A_k → A_1 c`, since words start in `A_1`.
    #[must_use]
    pub fn terminal(&self, c: usize, k: usize) -> usize {
        match self.shape {
            Shape::Nfa => c * self.nonterminals + k,
            Shape::Dfa => self.step(c, k, 0),
        }
    }

    /// The index of the belief in `A_k → A_i c`.
    #[must_use]
    pub fn step(&self, c: usize, k: usize, i: usize) -> usize {
        let n = self.nonterminals;
        self.terminals() + (c * n + k) * n + i
    }

    /// The index of the belief that words end in `A_k`: s, or acceptance.
    #[must_use]
    pub fn last(&self, k: usize) -> usize {
        self.terminals() + self.letters * self.nonterminals * self.nonterminals + k
    }

    /// The number of entries of P_T.
    #[must_use]
    pub fn terminals(&self) -> usize {
        match self.shape {
            Shape::Nfa => self.letters * self.nonterminals,
            Shape::Dfa => 0,
        }
    }

    /// The number of entries over which the sharpening and production-use losses are averaged: all of σ(P_T) and
    /// σ(P_N), n'(n' + 1)t; or all transitions and acceptances, (n't + 1)n'.
    #[must_use]
    pub fn entries(&self) -> usize {
        match self.shape {
            Shape::Nfa => self.last(0),
            Shape::Dfa => self.len(),
        }
    }
}

//! Settings of a search, and its errors.

use serde::{Deserialize, Serialize};

use super::price::MOST_STATES;
use super::tree::Tree;

/// Settings of a [`Search`](super::Search). The defaults suit a [`Minimising`](super::Minimising) that may try all
/// sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Total number of states; for a [`Minimising`](super::Minimising), the maximum.
    pub states: usize,
    /// Random seed.
    pub seed: u64,
    /// Number of walkers, each at its own temperature.
    pub rungs: usize,
    /// Temperature of the coldest walker, in units of the random fluctuation of a state's errors: the square root of
    /// the number of words per state, times the typical number of occurrences of a word.
    pub coldest: f64,
    /// Temperature of the hottest walker, in the same units.
    pub hottest: f64,
    /// Node visits of the hottest walker between two exchanges; the others visit fewer, in proportion to the square of
    /// the temperature.
    pub round: u64,
    /// Number of wrong examples at which an automaton is good enough.
    pub tolerated: u64,
}

impl Settings {
    /// Settings for automata with this many states.
    #[must_use]
    pub fn new(states: usize) -> Self {
        Self { states, seed: 0, rungs: 6, coldest: 0.08, hottest: 0.26, round: 200_000, tolerated: 0 }
    }

    /// Checks the settings, for this many letters that occur.
    pub(super) fn check(&self, letters: usize) -> Result<(), SearchError> {
        let (states, limit) = (self.states, usize::from(u16::MAX));
        let wrong = |what| Err(SearchError::Settings { what });
        if states == 0 || states > MOST_STATES {
            return Err(SearchError::States { states });
        }
        if states * letters > limit {
            return Err(SearchError::Cells { states, letters, limit });
        }
        if self.rungs == 0 {
            return wrong("at least one walker is needed");
        }
        if self.round == 0 {
            return wrong("the number of visits between two exchanges must be above 0");
        }
        if !(self.coldest > 0.0 && self.coldest <= self.hottest && self.hottest.is_finite()) {
            return wrong("temperatures must be positive, with the hottest at least the coldest");
        }
        Ok(())
    }

    /// The temperatures of the walkers, coldest first, in geometric progression.
    pub(super) fn temperatures(&self, tree: &Tree) -> Vec<f64> {
        let unit = tree.usual * libm::sqrt((tree.words as f64 / self.states as f64).max(1.0));
        let gaps = self.rungs.saturating_sub(1).max(1) as f64;
        let ratio = self.hottest / self.coldest;
        (0..self.rungs).map(|rung| unit * self.coldest * libm::pow(ratio, rung as f64 / gaps)).collect()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new(MOST_STATES)
    }
}

/// Why a search is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The number of states is 0, or too large.
    #[error("cannot search for {states} states; the number must be 1 to {MOST_STATES}")]
    States {
        /// The requested number.
        states: usize,
    },
    /// The table would be too large.
    #[error("{states} states and {letters} letters need more than the limit of {limit} transitions")]
    Cells {
        /// Number of states.
        states: usize,
        /// Number of letters that occur.
        letters: usize,
        /// Maximum number of transitions.
        limit: usize,
    },
    /// There are too many examples.
    #[error("{examples} examples are more than the limit of {limit}")]
    Examples {
        /// Number of examples.
        examples: u64,
        /// Maximum number of examples.
        limit: u64,
    },
    /// A word is too long.
    #[error("a word has {length} letters, more than the limit of {limit}")]
    Length {
        /// Length of the word.
        length: usize,
        /// Maximum length.
        limit: usize,
    },
    /// Invalid settings.
    #[error("{what}")]
    Settings {
        /// What is wrong.
        what: &'static str,
    },
    /// The checkpoint belongs to another sample.
    #[error("the checkpoint belongs to another sample")]
    OtherSample,
    /// The checkpoint is invalid.
    #[error("the checkpoint is broken: {what}")]
    Broken {
        /// What is wrong.
        what: &'static str,
    },
}

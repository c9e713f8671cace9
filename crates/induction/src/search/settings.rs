//! What a search is told, and why it may refuse.

use serde::{Deserialize, Serialize};

use super::price::MOST_STATES;
use super::tree::Tree;

/// What a [`Search`](super::Search) is told. Those by default are for a [`Minimising`](super::Minimising) that may try
/// all sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How many states the automaton has, all counted; to a [`Minimising`](super::Minimising), how many it may have.
    pub states: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How many walkers there are, each at its own temperature.
    pub rungs: usize,
    /// The temperature of the coldest walker, in units of what chance does to the errors of a state: the square root of
    /// the words a state, times how often a word usually comes.
    pub coldest: f64,
    /// The temperature of the hottest, in the same units.
    pub hottest: f64,
    /// How many nodes the hottest walker visits between two exchanges; the others fewer, as the square of the
    /// temperature.
    pub round: u64,
    /// With how many wrong examples an automaton is good enough.
    pub tolerated: u64,
}

impl Settings {
    /// Those for automata of this many states.
    #[must_use]
    pub fn new(states: usize) -> Self {
        Self { states, seed: 0, rungs: 6, coldest: 0.08, hottest: 0.26, round: 200_000, tolerated: 0 }
    }

    /// Whether a search may be told this, when so many letters occur.
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

    /// The temperatures of the walkers, coldest first, each the same multiple of the one before.
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

/// Why there can be no such search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The number of states is 0, or too large.
    #[error("cannot search for {states} states; the number must be 1 to {MOST_STATES}")]
    States {
        /// How many were asked for.
        states: usize,
    },
    /// The table would be too large.
    #[error("{states} states and {letters} letters need more than the limit of {limit} transitions")]
    Cells {
        /// How many states.
        states: usize,
        /// How many letters occur.
        letters: usize,
        /// How many transitions there may be.
        limit: usize,
    },
    /// There are more examples than can be counted.
    #[error("{examples} examples are more than the limit of {limit}")]
    Examples {
        /// How many there are.
        examples: u64,
        /// How many there may be.
        limit: u64,
    },
    /// A word is too long.
    #[error("a word has {length} letters, more than the limit of {limit}")]
    Length {
        /// How many it has.
        length: usize,
        /// How many it may have.
        limit: usize,
    },
    /// Settings that make no sense.
    #[error("{what}")]
    Settings {
        /// What is wrong with them.
        what: &'static str,
    },
    /// A checkpoint is of another sample.
    #[error("the checkpoint belongs to another sample")]
    OtherSample,
    /// A checkpoint holds what no search leaves.
    #[error("the checkpoint is broken: {what}")]
    Broken {
        /// What is wrong with it.
        what: &'static str,
    },
}

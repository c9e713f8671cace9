//! Saving and resuming searches.
//!
//! A walker's view of the tree follows from its table, and its random numbers from the position in their stream. So a
//! checkpoint is small, whatever the sample.

use serde::{Deserialize, Serialize};

use super::price::width;
use super::tree::Tree;
use super::{SearchError, Settings};

/// The state of a [`Search`](super::Search) between two rounds. Resumed on the same sample, it continues as if never
/// interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    pub(super) settings: Settings,
    /// The sample's fingerprint.
    pub(super) sample: u64,
    pub(super) rounds: u64,
    /// Position in the random stream for exchanges.
    pub(super) drawn: u64,
    pub(super) rungs: Vec<Walker>,
    /// Tables of the good automata with different languages.
    pub(super) rivals: Vec<Vec<u8>>,
}

/// The state of a [`Minimising`](super::Minimising) between two rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimisingCheckpoint {
    pub(super) settings: Settings,
    /// The sample's fingerprint.
    pub(super) sample: u64,
    pub(super) least: usize,
    /// The automaton found, as in `dfa.json`.
    pub(super) found: Option<String>,
    pub(super) fresh: Vec<Checkpoint>,
    pub(super) folded: Option<Checkpoint>,
    pub(super) step: usize,
    pub(super) hunter: Option<Checkpoint>,
    pub(super) turn: usize,
    pub(super) pass: u32,
    pub(super) begun: u64,
    pub(super) spent: u64,
    pub(super) residuals: Vec<(usize, u64)>,
}

/// The state of a walker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Walker {
    pub(super) temperature: f64,
    pub(super) table: Vec<u8>,
    pub(super) best: Vec<u8>,
    pub(super) visits: u64,
    pub(super) drawn: u64,
}

impl Checkpoint {
    /// Whether it can be the state of a search on this tree.
    pub(super) fn check(&self, tree: &Tree) -> Result<(), SearchError> {
        if self.sample != tree.fingerprint {
            return Err(SearchError::OtherSample);
        }
        self.settings.check(tree.letters.len())?;
        let broken = |what| Err(SearchError::Broken { what });
        if self.rungs.len() != self.settings.rungs {
            return broken("wrong number of walkers");
        }
        let (states, cells) = (self.settings.states, tree.letters.len() * width(self.settings.states));
        let sound = |table: &Vec<u8>| table.len() == cells && table.iter().all(|&next| usize::from(next) < states);
        let walkers = self.rungs.iter().flat_map(|walker| [&walker.table, &walker.best]);
        if !walkers.chain(&self.rivals).all(sound) {
            return broken("a transition table has the wrong size or leads to unknown states");
        }
        if self.rungs.iter().any(|walker| !(walker.temperature > 0.0 && walker.temperature.is_finite())) {
            return broken("a temperature is not positive");
        }
        Ok(())
    }
}

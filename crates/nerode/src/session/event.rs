//! What a step of a session came to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a step came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// There is more to do.
    Progress(Progress),
    /// A word that the examples leave open: answer it, skip it, or stop asking.
    Question(Question),
    /// There is nothing more to do.
    Done,
}

/// How far a session is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// Who is at work: `merging`, `neural`, `search`, `sat`, `rivals`, `strings` or `proof`.
    pub engine: String,
    /// At what.
    pub stage: String,
    /// Restarts trained so far.
    pub restarts: u64,
    /// Training steps so far, summed over all restarts.
    pub steps: u64,
    /// Nodes visited by search so far.
    pub moves: u64,
    /// Conflicts met by the solver so far.
    pub conflicts: u64,
    /// The best answer so far.
    pub best: Option<Brief>,
    /// How many languages agree with every example so far.
    pub consistent: usize,
}

/// An answer in brief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brief {
    /// Examples that it gets wrong.
    pub errors: u64,
    /// States of its minimal automaton.
    pub states: usize,
    /// Bits of its description.
    pub bits: f64,
    /// How often it was found independently.
    pub finds: u32,
}

/// A word that plausible answers disagree on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The word as it is written in a file.
    pub word: String,
    /// The word as one shows it to a person: the empty word and blanks are visible.
    pub shown: String,
    /// How many of the answers accept it.
    pub accepted_by: usize,
    /// How many answers there are.
    pub of: usize,
}

//! The events of a session.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::options::{SCHEMA_VERSION, version};

/// The result of a step. As JSON it also has a `schema_version`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Written", from = "Written")]
pub enum Event {
    /// There is more to do.
    Progress(Progress),
    /// A word that the examples leave open: answer it, skip it, or stop the questions.
    Question(Question),
    /// The session has finished.
    Done,
}

/// The result of a step.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Written {
    /// Version of this format.
    #[serde(deserialize_with = "version")]
    schema_version: u32,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Kind {
    /// There is more to do.
    Progress(Progress),
    /// A word that the examples leave open: answer it, skip it, or stop the questions.
    Question(Question),
    /// The session has finished.
    Done,
}

impl From<Event> for Written {
    fn from(event: Event) -> Self {
        let kind = match event {
            Event::Progress(progress) => Kind::Progress(progress),
            Event::Question(question) => Kind::Question(question),
            Event::Done => Kind::Done,
        };
        Self { schema_version: SCHEMA_VERSION, kind }
    }
}

impl From<Written> for Event {
    fn from(written: Written) -> Self {
        match written.kind {
            Kind::Progress(progress) => Self::Progress(progress),
            Kind::Question(question) => Self::Question(question),
            Kind::Done => Self::Done,
        }
    }
}

impl JsonSchema for Event {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Written::json_schema(generator)
    }
}

/// Progress of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The engine at work: `merging`, `neural`, `expressions`, `facts`, `search`, `sat`, `strings`, `rivals` or `proof`; empty
    /// between two turns.
    pub engine: String,
    /// What it is doing.
    pub stage: String,
    /// Restarts trained so far.
    pub restarts: u64,
    /// Training steps so far, summed over all restarts.
    pub steps: u64,
    /// Node visits of the search so far.
    pub moves: u64,
    /// Conflicts of the solver so far.
    pub conflicts: u64,
    /// The best answer so far.
    pub best: Option<Brief>,
    /// Number of languages that agree with every example so far.
    pub consistent: usize,
}

/// The key figures of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brief {
    /// Number of examples it gets wrong.
    pub errors: u64,
    /// States of its minimal automaton.
    pub states: usize,
    /// Bits of its description.
    pub bits: f64,
    /// Number of independent finds.
    pub finds: u32,
}

/// A word on which plausible answers disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The word as written in a file.
    pub word: String,
    /// The word as shown to a person: the empty word and blanks are visible.
    pub shown: String,
    /// How many of the answers accept it.
    pub accepted_by: usize,
    /// Number of answers.
    pub of: usize,
}

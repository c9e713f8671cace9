//! The outcome of a job, and its serialised form.

use automata::Formula;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::proving::Examined;
use super::{BlockRecord, Data};
use crate::learner::checkpoint::Kept;
use crate::learner::{ResumeError, Spent};
use crate::search::{Minimising, MinimisingCheckpoint};
use crate::selection::Candidate;
use crate::strings::Ended;
use crate::training::TrainError;

/// The outcome of a job.
#[derive(Debug, Default)]
pub struct Outcome {
    pub(in crate::learner) candidates: Vec<Candidate>,
    pub(in crate::learner) spent: Spent,
    /// The state of the search, for its next turn.
    pub(in crate::learner) search: Option<Box<Minimising>>,
    /// The training of a block of restarts.
    pub(in crate::learner) training: Option<BlockRecord>,
    /// The result of a search for a pattern.
    pub(in crate::learner) pattern: Option<Ended>,
    /// What the solver said about an automaton.
    pub(in crate::learner) examined: Option<Examined>,
    /// Formulas that explain a part of the labels for certain.
    pub(in crate::learner) narrowings: Vec<Formula>,
    /// Whether the automata are all that there are.
    pub(in crate::learner) is_complete: bool,
    /// Why the job failed.
    pub(in crate::learner) error: Option<TrainError>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    candidates: Vec<Kept>,
    spent: Spent,
    search: Option<MinimisingCheckpoint>,
    training: Option<BlockRecord>,
    pattern: Option<Ended>,
    examined: Option<Examined>,
    narrowings: Vec<Formula>,
    is_complete: bool,
    error: Option<String>,
}

impl Outcome {
    pub(in crate::learner) fn of(candidates: Vec<Candidate>) -> Self {
        Self { candidates, ..Self::default() }
    }

    /// The same candidates, none of which counts as an independent find.
    pub(super) fn uncounted(mut self) -> Self {
        self.candidates.iter_mut().for_each(|candidate| candidate.finds = 0);
        self
    }

    /// The outcome as JSON, for [`Outcome::read`].
    #[must_use]
    pub fn write(&self) -> Value {
        let written = Written {
            candidates: self.candidates.iter().map(Kept::of).collect(),
            spent: self.spent,
            search: self.search.as_deref().map(Minimising::checkpoint),
            training: self.training.clone(),
            pattern: self.pattern.clone(),
            examined: self.examined.clone(),
            narrowings: self.narrowings.clone(),
            is_complete: self.is_complete,
            error: self.error.as_ref().map(ToString::to_string),
        };
        serde_json::to_value(written).expect("numbers and text can be written")
    }

    /// Reads an outcome written elsewhere, for jobs on the same data.
    pub fn read(written: Value, data: &Data) -> Result<Self, ResumeError> {
        let unreadable = |error: String| ResumeError::Unreadable(error);
        let written: Written = serde_json::from_value(written).map_err(|error| unreadable(error.to_string()))?;
        let candidates = written.candidates.into_iter().map(|kept| kept.candidate(&data.jury));
        let search = written.search.map(|kept| Minimising::resume(&data.sample, kept).map(Box::new)).transpose();
        Ok(Self {
            candidates: candidates.collect::<Result<_, _>>()?,
            spent: written.spent,
            search: search.map_err(|error| unreadable(error.to_string()))?,
            training: written.training,
            pattern: written.pattern,
            examined: written.examined,
            narrowings: written.narrowings,
            is_complete: written.is_complete,
            error: written.error.map(TrainError::Elsewhere),
        })
    }
}

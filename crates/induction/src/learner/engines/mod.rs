//! Engines: what looks for candidates, each in a file of its own.
//!
//! An engine has *turns*. A turn is a list of *jobs* that do not depend on each other; when all are done, what they found
//! is gathered in the order of the list, so that the answer does not depend on who did which job when. A job can be
//! written down and done elsewhere ([`read_job`]). Once begun it is a *task*, which works in slices of bounded size: whoever
//! advances it decides between two slices whether to go on.
//!
//! A new engine is a file here and an entry in `schedule.rs`.

mod merging;
mod model;
mod outcome;
mod paper;
mod productions;
mod pruning;
mod rivals;
mod search;
mod solver;
mod strings;
mod written;

use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ledger::Spent;
use super::{LearnError, ResumeError, Settings, State};
use crate::lists;
use crate::sample::Sample;
use crate::strings::{Reading, Strings};
use crate::training::{Course, EpochRecord};

pub(super) use merging::{EDSM, MERGE_OFTEN, MERGE_ONCE, MERGE_WIDELY, RPNI};
pub(super) use model::{MODEL_DFA, MODEL_NFA};
pub use outcome::Outcome;
pub(super) use paper::PAPER;
pub(super) use productions::PRODUCTIONS;
pub(super) use pruning::PRUNE;
pub(super) use rivals::RIVALS;
pub(super) use search::SEARCH;
pub(super) use solver::SOLVER;
pub(super) use strings::STRINGS;

/// Looks for candidates.
pub(super) trait Engine: Sync {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// What it does in these turns; no two entries of the schedule share it unless they are the same.
    fn stage(&self) -> &'static str;

    /// Whether it can learn what was asked for.
    fn supports(&self, settings: &Settings) -> Result<(), LearnError> {
        let _ = settings;
        Ok(())
    }

    /// Whether there is anything it may do: its budget is not spent, and the examples are such that it can work.
    fn has_work(&self, state: &State) -> bool {
        let _ = state;
        true
    }

    /// The jobs of one part of a turn; none when the turn is over. Later parts see what earlier ones found.
    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>>;

    /// Takes in what the jobs came to, in their order.
    fn gather(&self, turn: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        let _ = turn;
        for outcome in outcomes {
            state.take(outcome)?;
        }
        Ok(())
    }
}

/// Whether two entries of the schedule are the same.
pub(super) fn is_same(a: &dyn Engine, b: &dyn Engine) -> bool {
    a.stage() == b.stage()
}

/// Which turn of an engine, and which part of it; both are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) number: u32,
    pub(super) part: u32,
}

/// Work that depends on nothing but itself and the sample. Everything that is [`Work`] is a job.
pub trait Job: Send {
    /// Begins it.
    fn start(self: Box<Self>, data: &Arc<Data>) -> Box<dyn Task>;

    /// The job as JSON, which [`read_job`] reads.
    fn write(&self) -> Value;
}

/// A kind of job.
pub(super) trait Work: Serialize + DeserializeOwned + Send + 'static {
    /// Tells it from other kinds.
    const KIND: &'static str;

    /// Begins it.
    fn start(self, data: &Arc<Data>) -> Box<dyn Task>;
}

impl<W: Work> Job for W {
    fn start(self: Box<Self>, data: &Arc<Data>) -> Box<dyn Task> {
        Work::start(*self, data)
    }

    fn write(&self) -> Value {
        json!({ "kind": W::KIND, "work": self })
    }
}

/// Reads one kind of job.
type Reader = (&'static str, fn(Value) -> serde_json::Result<Box<dyn Job>>);

const fn reader<W: Work>() -> Reader {
    (W::KIND, |work| Ok(Box::new(serde_json::from_value::<W>(work)?)))
}

/// All kinds of jobs.
const READERS: [Reader; 9] = [
    reader::<merging::Run>(),
    reader::<merging::Beam>(),
    reader::<pruning::Pruning>(),
    reader::<model::Block>(),
    reader::<productions::Walk>(),
    reader::<search::Search>(),
    reader::<solver::Smallest>(),
    reader::<rivals::Hunt>(),
    reader::<strings::Pattern>(),
];

/// Reads a job that [`Job::write`] wrote.
pub fn read_job(written: &Value) -> Result<Box<dyn Job>, ResumeError> {
    let kind = written["kind"].as_str().unwrap_or_default();
    let Some((_, read)) = READERS.iter().find(|(known, _)| *known == kind) else {
        return Err(ResumeError::Unreadable(format!("unknown kind of job {kind:?}")));
    };
    read(written["work"].clone()).map_err(|error| ResumeError::Unreadable(error.to_string()))
}

/// A job under way.
pub trait Task: Send {
    /// Works for about 50 ms; what the job came to, once it is done.
    fn advance(&mut self) -> Option<Outcome>;

    /// What it has spent so far.
    fn spent(&self) -> Spent {
        Spent::default()
    }

    /// Ends the job with what it has found so far.
    fn cut(self: Box<Self>) -> Outcome {
        Outcome::default()
    }
}

/// How one block of restarts was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRecord {
    /// Which block.
    pub block: u64,
    /// Its epochs.
    pub epochs: Vec<EpochRecord>,
    /// What its restarts believed at some moments, if that was recorded.
    pub course: Option<Course>,
}

/// The samples that jobs work on, shared by all of them.
#[derive(Debug)]
pub struct Data {
    /// All examples.
    pub(super) whole: Arc<Sample>,
    /// Those that engines learn from.
    pub(super) sample: Arc<Sample>,
    /// Those that candidates are judged by.
    pub(super) jury: Arc<Sample>,
    balanced: OnceLock<Arc<Sample>>,
    supposed: OnceLock<Option<[Arc<Sample>; 2]>>,
    /// The strings of all examples. All jobs on the same data read them in the same way.
    strings: OnceLock<Option<Arc<Strings>>>,
}

impl Data {
    pub(super) fn new(whole: Arc<Sample>, sample: Arc<Sample>, jury: Arc<Sample>) -> Self {
        let (balanced, supposed, strings) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { whole, sample, jury, balanced, supposed, strings }
    }

    /// The same with strings that were read already.
    pub(super) fn with_strings(self, strings: Option<&Arc<Strings>>) -> Self {
        match strings {
            Some(strings) => Self { strings: OnceLock::from(Some(Arc::clone(strings))), ..self },
            None => self,
        }
    }

    /// The strings of all examples; none if they cannot be read.
    pub(super) fn strings(&self, reading: &Reading) -> Option<Arc<Strings>> {
        self.strings.get_or_init(|| reading.strings(&self.whole).ok().map(Arc::new)).clone()
    }

    /// The sample with about as many examples of each label.
    pub(super) fn balanced(&self) -> &Arc<Sample> {
        self.balanced.get_or_init(|| Arc::new(self.sample.balanced()))
    }

    /// The sample whose lists are supposed to be complete, and the same balanced; none if no list leaves anything out.
    pub(super) fn supposed(&self) -> Option<&[Arc<Sample>; 2]> {
        let complete = || {
            let supposed = lists::supposed(&self.sample)?;
            let balanced = supposed.balanced();
            Some([Arc::new(supposed), Arc::new(balanced)])
        };
        self.supposed.get_or_init(complete).as_ref()
    }
}

/// How many nodes a slice visits: about 50 ms of one core.
pub(super) const SLICE: u64 = 5_000_000;

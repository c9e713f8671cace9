//! Engines look for candidates; one file each.
//!
//! An engine has *turns*. A turn is a list of independent *jobs*. When all are done, their results are gathered in the
//! order of the list, so the answer does not depend on who ran which job when. A job can be serialised and run
//! elsewhere ([`read_job`]). A started job is a *task*, which works in slices of bounded size; its caller decides
//! between two slices whether to continue.
//!
//! To add an engine, add a file here and an entry in `schedule.rs`.

mod expressions;
mod facts;
mod merging;
mod model;
mod narrowing;
mod outcome;
mod paper;
mod productions;
mod proving;
mod pruning;
mod rivals;
mod search;
mod solver;
mod strings;
mod walks;
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
use crate::symbolic::Tree;
use crate::training::{Course, EpochRecord};

pub(super) use expressions::EXPRESS;
pub(super) use facts::{FACTS, FACTS_ALONE};
pub(super) use merging::{EDSM, MERGE_OFTEN, MERGE_ONCE, MERGE_WIDELY, RPNI};
pub(super) use model::{MODEL_DFA, MODEL_NFA};
pub(super) use narrowing::NARROW;
pub use outcome::Outcome;
pub(super) use paper::PAPER;
pub(super) use productions::PRODUCTIONS;
pub(super) use proving::{Examined, PROVE};
pub(super) use pruning::PRUNE;
pub(super) use rivals::RIVALS;
pub(super) use search::SEARCH;
pub(super) use solver::SOLVER;
pub(super) use strings::{STRINGS, STRINGS_FIRST};
pub(super) use walks::{Rebuilt, WALK};

/// Looks for candidates.
pub(super) trait Engine: Sync {
    /// The name shown to users.
    fn name(&self) -> &'static str;

    /// What it does in these turns; unique in the schedule, except for repetitions of the same entry.
    fn stage(&self) -> &'static str;

    /// Whether it supports these settings.
    fn supports(&self, settings: &Settings) -> Result<(), LearnError> {
        let _ = settings;
        Ok(())
    }

    /// Whether it can handle words over these letters.
    fn reads(&self, sample: &Sample) -> Result<(), LearnError> {
        let _ = sample;
        Ok(())
    }

    /// Whether it has work: some budget is left, and it can handle the examples.
    fn has_work(&self, state: &State) -> bool {
        let _ = state;
        true
    }

    /// The jobs of one part of a turn; none when the turn is over. Later parts see the results of earlier ones.
    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>>;

    /// Takes in the outcomes of the jobs, in their order.
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

/// Whether answers that were learned from each half of the words are right about nearly all words.
fn predicts(halves: &[Outcome], state: &State) -> bool {
    let jury = &state.data.jury;
    let allowed = if jury.alphabet().len() > MANY_LETTERS { jury.words() / ONE_IN } else { 0 };
    let is_right = |outcome: &Outcome| outcome.candidates.first().is_some_and(|first| first.wrong_words <= allowed);
    halves.len() == 2 && halves.iter().all(is_right)
}

/// Over more letters than this, other engines have little hope with long words, so that a few wrong predictions are allowed,
const MANY_LETTERS: usize = 8;
/// one in this many.
const ONE_IN: u64 = 50;

/// A turn of an engine and a part of it, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) number: u32,
    pub(super) part: u32,
}

/// Work that depends only on itself and the sample. Every [`Work`] is a job.
pub trait Job: Send {
    /// Starts the job.
    fn start(self: Box<Self>, data: &Arc<Data>) -> Box<dyn Task>;

    /// The job as JSON, for [`read_job`].
    fn write(&self) -> Value;
}

/// A kind of job.
pub(super) trait Work: Serialize + DeserializeOwned + Send + 'static {
    /// Identifies the kind.
    const KIND: &'static str;

    /// Starts the job.
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
const READERS: [Reader; 17] = [
    reader::<merging::Run>(),
    reader::<merging::Beam>(),
    reader::<pruning::Pruning>(),
    reader::<model::Block>(),
    reader::<productions::Walk>(),
    reader::<search::Search>(),
    reader::<solver::Smallest>(),
    reader::<expressions::List>(),
    reader::<facts::Statement>(),
    reader::<narrowing::Rest>(),
    reader::<proving::Question>(),
    reader::<proving::Others>(),
    reader::<rivals::Hunt>(),
    reader::<rivals::Restate>(),
    reader::<strings::Pattern>(),
    reader::<walks::Walk>(),
    reader::<walks::Rebuild>(),
];

/// Reads a job that [`Job::write`] wrote.
pub fn read_job(written: &Value) -> Result<Box<dyn Job>, ResumeError> {
    let kind = written["kind"].as_str().unwrap_or_default();
    let Some((_, read)) = READERS.iter().find(|(known, _)| *known == kind) else {
        return Err(ResumeError::Unreadable(format!("unknown kind of job {kind:?}")));
    };
    read(written["work"].clone()).map_err(|error| ResumeError::Unreadable(error.to_string()))
}

/// A started job.
pub trait Task: Send {
    /// Works for about 50 ms. Returns the outcome once the job is done.
    fn advance(&mut self) -> Option<Outcome>;

    /// Work done so far.
    fn spent(&self) -> Spent {
        Spent::default()
    }

    /// Ends the job with what it has found so far.
    fn cut(self: Box<Self>) -> Outcome {
        Outcome::default()
    }
}

/// The training of one block of restarts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRecord {
    /// The number of the block.
    pub block: u64,
    /// Its epochs.
    pub epochs: Vec<EpochRecord>,
    /// The beliefs of its restarts over time, if recorded.
    pub course: Option<Course>,
}

/// The samples that all jobs share.
#[derive(Debug)]
pub struct Data {
    /// All examples.
    pub(super) whole: Arc<Sample>,
    /// The examples that engines learn from.
    pub(super) sample: Arc<Sample>,
    /// The examples on which candidates are scored.
    pub(super) jury: Arc<Sample>,
    balanced: OnceLock<Arc<Sample>>,
    supposed: OnceLock<Option<[Arc<Sample>; 2]>>,
    tree: OnceLock<Arc<Tree>>,
    /// The strings of all examples. All jobs on the same data read them in the same way.
    strings: OnceLock<Option<Arc<Strings>>>,
}

impl Data {
    pub(super) fn new(whole: Arc<Sample>, sample: Arc<Sample>, jury: Arc<Sample>) -> Self {
        let (balanced, supposed, tree, strings) = Default::default();
        Self { whole, sample, jury, balanced, supposed, tree, strings }
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

    /// The prefix tree of the sample, for merging by how accepted words go on.
    pub(super) fn tree(&self) -> &Arc<Tree> {
        self.tree.get_or_init(|| Arc::new(Tree::of(&self.sample)))
    }

    /// The sample completed under the assumption that its lists are complete, and the same balanced; `None` if no list
    /// leaves anything out.
    pub(super) fn supposed(&self) -> Option<&[Arc<Sample>; 2]> {
        let complete = || {
            let supposed = lists::supposed(&self.sample)?;
            let balanced = supposed.balanced();
            Some([Arc::new(supposed), Arc::new(balanced)])
        };
        self.supposed.get_or_init(complete).as_ref()
    }
}

/// Node visits per slice: about 50 ms of one core.
pub(super) const SLICE: u64 = 5_000_000;

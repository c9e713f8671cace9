//! The progress of a study, in numbers.

use std::collections::BTreeMap;

use induction::learner::StopReason;
use serde::Serialize;

use crate::plan::Plan;
use crate::record::Record;

/// Counts of the jobs of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The name of the plan.
    pub plan: String,
    /// All jobs.
    pub jobs: usize,
    /// Jobs with a record.
    pub done: usize,
    /// Jobs that ended with an error.
    pub failed: usize,
    /// Jobs without a record.
    pub left: usize,
    /// Jobs stopped by the time limit.
    pub cut: usize,
    /// By learner.
    pub learners: BTreeMap<String, Score>,
    /// The jobs that ended with an error, and why, by name.
    #[serde(skip)]
    pub failures: BTreeMap<String, String>,
}

/// The answers of a learner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Number of answers.
    pub answers: usize,
    /// Number of exact answers.
    pub exact: usize,
}

impl Tally {
    /// Before any job is done.
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            plan: plan.name.clone(),
            jobs: plan.jobs.len(),
            done: 0,
            failed: 0,
            left: plan.jobs.len(),
            cut: 0,
            learners: BTreeMap::new(),
            failures: BTreeMap::new(),
        }
    }

    /// Adds a finished job.
    pub(super) fn add(&mut self, record: &Record) {
        self.done += 1;
        self.left -= 1;
        if let Some(error) = &record.error {
            self.failed += 1;
            self.failures.insert(record.spec.name.clone(), error.clone());
        }
        if let Some(answer) = &record.answer {
            self.cut += usize::from(answer.stop_reason == StopReason::Cut);
            let score = self.learners.entry(record.spec.learner.name.clone()).or_default();
            score.answers += 1;
            score.exact += usize::from(answer.exact);
        }
    }
}

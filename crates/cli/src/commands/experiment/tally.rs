//! How far a study is, in numbers.

use std::collections::BTreeMap;

use lab::record::Record;
use serde_json::{Value, json};

use nerode::text::padded;

/// What has been counted.
#[derive(Default)]
pub(super) struct Tally {
    /// Jobs of which there is a record.
    pub(super) done: usize,
    /// Those of them that ended with an error.
    pub(super) failed: Vec<String>,
    /// Those that the clock cut.
    cut: usize,
    /// By learner: how many have an answer, and how many of these are exact.
    learners: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    pub(super) fn add(&mut self, record: &Record) {
        self.done += 1;
        let name = &record.spec.name;
        if let Some(error) = &record.error {
            self.failed.push(format!("{name}: {error}"));
        }
        if let Some(answer) = &record.answer {
            self.cut += usize::from(answer.stop_reason == induction::learner::StopReason::Cut);
            let learner = self.learners.entry(record.spec.learner.name.clone()).or_default();
            *learner = (learner.0 + 1, learner.1 + usize::from(answer.exact));
        }
    }

    pub(super) fn json(&self, plan: &str, jobs: usize) -> Value {
        let learners: serde_json::Map<String, Value> = self
            .learners
            .iter()
            .map(|(name, (answers, exact))| (name.clone(), json!({ "answers": answers, "exact": exact })))
            .collect();
        json!({
            "plan": plan,
            "jobs": jobs,
            "done": self.done,
            "failed": self.failed.len(),
            "left": jobs - self.done,
            "cut": self.cut,
            "learners": learners,
        })
    }

    pub(super) fn text(&self, plan: &str, jobs: usize) -> String {
        let left = jobs - self.done;
        let mut text =
            format!("{plan}: {} of {jobs} jobs done, {} failed, {left} left\n", self.done, self.failed.len());
        let width = self.learners.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, (answers, exact)) in &self.learners {
            text += &format!("  {}  {exact} of {answers} exact\n", padded(name, width));
        }
        if self.cut > 0 {
            text += &format!("{} were cut by the limit of time: these depend on the machine\n", self.cut);
        }
        for failed in self.failed.iter().take(FAILURES) {
            text += &format!("failed: {failed}\n");
        }
        if self.failed.len() > FAILURES {
            text += &format!("… and {} more\n", self.failed.len() - FAILURES);
        }
        text
    }
}

/// How many failures are told.
const FAILURES: usize = 5;

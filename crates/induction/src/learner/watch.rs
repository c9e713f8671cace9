//! Who watches a learner, from outside the crate: it has neither clock nor terminal of its own.

use std::sync::atomic::{AtomicU64, Ordering};

/// Watches a learner at work, from several threads at once.
pub trait Watch: Sync {
    /// Whether to stop as soon as can be.
    fn stopped(&self) -> bool {
        false
    }

    /// Is told of what is done, now and then.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }

    /// Is told of a training's epoch: which block, and its record.
    fn epoch(&self, block: u64, record: &crate::training::EpochRecord) {
        let _ = (block, record);
    }

    /// Whether epochs are wanted.
    fn wants_epochs(&self) -> bool {
        false
    }

    /// Of how many moments of each training, at the most, it is wanted what was believed; 0 for none.
    fn frames(&self) -> usize {
        0
    }

    /// Is given them at the end of a training: which block, and its course.
    fn course(&self, block: u64, course: crate::training::Course) {
        let _ = (block, course);
    }
}

/// Nobody watches.
impl Watch for () {}

/// How far a learner is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is at work: `merging`, `neural`, `search`, `sat` or `rivals`.
    pub engine: &'static str,
    /// Restarts trained so far.
    pub restarts: u64,
    /// Nodes visited by search so far.
    pub visits: u64,
    /// The fewest errors of any candidate.
    pub fewest_errors: Option<u64>,
    /// How many different languages get everything right.
    pub consistent: usize,
    /// How often the best was found.
    pub finds: u32,
}

/// What has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Spent {
    /// Restarts trained.
    pub restarts: u64,
    /// Steps made, those of all restarts together.
    pub steps: u64,
    /// Nodes visited by search.
    pub visits: u64,
    /// Conflicts met by the solver.
    #[serde(default)]
    pub conflicts: u64,
}

/// Steps counted from several threads.
#[derive(Debug, Default)]
pub(crate) struct Steps(AtomicU64);

impl Steps {
    pub(crate) fn add(&self, steps: u64) {
        self.0.fetch_add(steps, Ordering::Relaxed);
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

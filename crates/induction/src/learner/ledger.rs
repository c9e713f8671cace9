//! The ledger of budgets: work allowed and work done.

use serde::{Deserialize, Serialize};

use super::Settings;

/// Amounts of work, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Restarts trained.
    pub restarts: u64,
    /// Training steps, summed over all restarts.
    pub steps: u64,
    /// Nodes visited by search.
    pub visits: u64,
    /// Conflicts of the solver.
    #[serde(default)]
    pub conflicts: u64,
    /// Letters compared by the search for patterns.
    #[serde(default)]
    pub letters: u64,
}

impl Spent {
    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            restarts: self.restarts + other.restarts,
            steps: self.steps + other.steps,
            visits: self.visits + other.visits,
            conflicts: self.conflicts + other.conflicts,
            letters: self.letters + other.letters,
        }
    }
}

/// Work done, in total and since words were last added; each answer to a question renews the budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ledger {
    pub(super) spent: Spent,
    before: Spent,
}

impl Ledger {
    pub(super) fn add(&mut self, spent: Spent) {
        self.spent = self.spent.and(spent);
    }

    /// Starts a new budget.
    pub(super) fn renew(&mut self) {
        self.before = self.spent;
    }

    /// Restarts used of the current budget.
    pub(super) fn restarts(&self) -> u64 {
        self.spent.restarts - self.before.restarts
    }

    pub(super) fn restarts_left(&self, settings: &Settings) -> u64 {
        settings.restarts.saturating_sub(self.restarts())
    }

    pub(super) fn visits_left(&self, settings: &Settings) -> u64 {
        settings.visits.saturating_sub(self.spent.visits - self.before.visits)
    }

    /// Letters compared since words were last added.
    pub(super) fn letters(&self) -> u64 {
        self.spent.letters - self.before.letters
    }

    pub(super) fn conflicts_left(&self, settings: &Settings) -> u64 {
        settings.conflicts.saturating_sub(self.spent.conflicts - self.before.conflicts)
    }
}

//! Work meters, so that work can be interrupted and continued.
//!
//! An engine never looks at a clock. Its caller says how much work it may do before it returns, in units that are the
//! same on every machine: nodes visited, cells read. The engine checks its [`Meter`] between two units and returns
//! [`Pause`] when the slice is used up; the next call continues. So results do not depend on how the work is sliced,
//! and stopping, pausing and saving are up to the caller.

/// The slice is used up; the same call continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pause;

/// Counts work, and says when a slice is used up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    done: u64,
    end: u64,
}

impl Meter {
    /// Starts a slice. It allows at least one unit of work, so that every slice makes progress.
    pub(crate) fn begin(&mut self, slice: u64) {
        self.end = self.done.saturating_add(slice.max(1));
    }

    /// Adds work done.
    pub(crate) fn add(&mut self, work: u64) {
        self.done = self.done.saturating_add(work);
    }

    /// Total work so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Work left in the slice.
    pub(crate) fn left(&self) -> u64 {
        self.end.saturating_sub(self.done)
    }

    /// Call this before each unit of work.
    pub(crate) fn check(&self) -> Result<(), Pause> {
        if self.done < self.end { Ok(()) } else { Err(Pause) }
    }
}

//! Work, counted so that it can be put down and taken up again.
//!
//! An engine never looks at a clock. Whoever advances it says how much it may do before it returns, in units that are the
//! same on every machine: nodes visited, cells read. The engine checks its [`Meter`] between two units and leaves with
//! [`Pause`] when the slice is used up; the next call goes on where this one left. So results do not depend on how the work
//! is cut into slices, and stopping, pausing and saving are up to the caller.

/// The slice is used up; the same call goes on from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pause;

/// Counts work, and says when a slice is used up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    done: u64,
    end: u64,
}

impl Meter {
    /// Begins a slice. At least one unit of work is done in it, so that every slice makes progress.
    pub(crate) fn begin(&mut self, slice: u64) {
        self.end = self.done.saturating_add(slice.max(1));
    }

    /// Counts work that was done.
    pub(crate) fn add(&mut self, work: u64) {
        self.done = self.done.saturating_add(work);
    }

    /// All work so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// How much of the slice is left.
    pub(crate) fn left(&self) -> u64 {
        self.end.saturating_sub(self.done)
    }

    /// To be asked before a unit of work.
    pub(crate) fn check(&self) -> Result<(), Pause> {
        if self.done < self.end { Ok(()) } else { Err(Pause) }
    }
}

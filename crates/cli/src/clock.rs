//! The clock of the program: the libraries have none.

use std::time::{Duration, Instant};

/// Counts from its creation, up to a limit if there is one.
pub(crate) struct Clock {
    began: Instant,
    limit: Option<Duration>,
}

impl Clock {
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        Self { began: Instant::now(), limit }
    }

    /// Whether the limit was reached.
    pub(crate) fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.began.elapsed() >= limit)
    }
}

impl lab::study::Clock for Clock {
    fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}

//! Runs one job with a clock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use induction::learner::{Stop, StopReason};

use crate::job::{self, Watch};
use crate::record::{Record, Timing};
use crate::spec::Spec;

/// A source of time.
pub trait Clock: Sync {
    /// Seconds since a fixed moment.
    fn seconds(&self) -> f64;
}

/// Times learning, and stops it at the time limit. Abandons the job if the study is stopped.
struct Stopwatch<'a> {
    clock: &'a dyn Clock,
    stop: &'a Stop,
    /// Whether the job was stopped early, so that its record is incomplete.
    abandoned: AtomicBool,
    limit: Option<f64>,
    /// When learning started, and how long it took.
    learning: Mutex<(Option<f64>, f64)>,
}

impl Stopwatch<'_> {
    fn state(&self) -> MutexGuard<'_, (Option<f64>, f64)> {
        self.learning.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Stopwatch<'_> {
    fn stopped(&self) -> bool {
        let Some(limit) = self.limit else { return false };
        self.state().0.is_some_and(|began| self.clock.seconds() - began >= limit)
    }

    fn abandoned(&self) -> bool {
        let stopped = self.stop.is_set();
        self.abandoned.fetch_or(stopped, Ordering::Relaxed);
        stopped
    }

    fn learning(&self, begins: bool) {
        let now = self.clock.seconds();
        let mut state = self.state();
        *state = match (begins, state.0) {
            (false, Some(began)) => (None, now - began),
            _ => (Some(now), 0.0),
        };
    }
}

/// Runs a job and times it. A panic becomes the error of this job, so that the others continue. `None` if it was stopped
/// before its end.
#[must_use]
pub fn run_job(spec: &Spec, threads: usize, clock: &dyn Clock, stop: &Stop) -> Option<(Record, Timing)> {
    let began = clock.seconds();
    let abandoned = AtomicBool::new(false);
    let watch = Stopwatch { clock, stop, abandoned, limit: spec.seconds, learning: Mutex::new((None, 0.0)) };
    let record = catch_unwind(AssertUnwindSafe(|| job::run(spec, threads, &watch))).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        job::failed(spec, format!("a bug in nerode: {message}"))
    });
    if watch.abandoned.load(Ordering::Relaxed) {
        return None;
    }
    let learning_seconds = watch.state().1;
    let answer = record.answer.as_ref();
    let per_second = |work: u64| if learning_seconds > 0.0 { work as f64 / learning_seconds } else { 0.0 };
    let timing = Timing {
        name: spec.name.clone(),
        seconds: clock.seconds() - began,
        learning_seconds,
        steps_per_second: per_second(answer.map_or(0, |answer| answer.steps)),
        visits_per_second: per_second(answer.map_or(0, |answer| answer.visits)),
        cut: answer.is_some_and(|answer| answer.stop_reason == StopReason::Cut),
    };
    Some((record, timing))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;
    use crate::plan::{Plan, built_in};

    /// A clock that advances ten seconds each time it is read.
    struct Ticking(AtomicU32);

    impl Clock for Ticking {
        fn seconds(&self) -> f64 {
            f64::from(self.0.fetch_add(10, Ordering::Relaxed))
        }
    }

    #[test]
    fn the_clock_that_is_brought_ends_a_learner() {
        let job = Plan::read(built_in("smoke").unwrap()).unwrap().jobs.swap_remove(0);
        let run = |seconds| {
            let spec = Spec { seconds, ..job.clone() };
            run_job(&spec, 1, &Ticking(AtomicU32::new(0)), &Stop::new()).unwrap()
        };
        let (record, timing) = run(Some(5.0));
        assert_eq!(record.answer.unwrap().stop_reason, StopReason::Cut);
        assert!(timing.cut && timing.learning_seconds >= 20.0 && timing.seconds > timing.learning_seconds);
        let (record, timing) = run(None);
        assert_ne!(record.answer.unwrap().stop_reason, StopReason::Cut);
        // Read when learning starts and ends, but not in between if there is no limit.
        assert_eq!((timing.cut, timing.learning_seconds, timing.seconds), (false, 10.0, 30.0));
    }

    #[test]
    fn a_job_that_is_stopped_has_no_record() {
        let stop = Stop::new();
        stop.stop();
        for job in Plan::read(built_in("smoke").unwrap()).unwrap().jobs {
            assert!(run_job(&job, 1, &Ticking(AtomicU32::new(0)), &stop).is_none(), "{}", job.name);
        }
    }
}

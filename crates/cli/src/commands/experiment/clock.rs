//! One job with a clock beside it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use induction::learner::StopReason;
use lab::job::{self, Watch};
use lab::record::{Record, Timing};
use lab::spec::Spec;

/// Measures learning, and ends it when the time is over.
struct Clock {
    limit: Option<Duration>,
    /// When learning began, and how long it took.
    learning: Mutex<(Option<Instant>, Duration)>,
}

impl Clock {
    fn learning(&self) -> std::sync::MutexGuard<'_, (Option<Instant>, Duration)> {
        self.learning.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Watch for Clock {
    fn stopped(&self) -> bool {
        let Some(limit) = self.limit else { return false };
        self.learning().0.is_some_and(|began| began.elapsed() >= limit)
    }

    fn learning(&self, begins: bool) {
        let mut learning = self.learning();
        *learning = match (begins, learning.0) {
            (false, Some(began)) => (None, began.elapsed()),
            _ => (Some(Instant::now()), Duration::ZERO),
        };
    }
}

/// Runs a job. A mistake of the program itself is its error, and nobody else's.
pub(super) fn run(spec: &Spec, threads: usize) -> (Record, Timing) {
    let began = Instant::now();
    let limit = spec.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let clock = Clock { limit, learning: Mutex::new((None, Duration::ZERO)) };
    let record = catch_unwind(AssertUnwindSafe(|| job::run(spec, threads, &clock))).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why");
        job::failed(spec, format!("nerode made a mistake: {message}"))
    });
    let learning_seconds = clock.learning().1.as_secs_f64();
    let answer = record.answer.as_ref();
    let a_second = |work: u64| if learning_seconds > 0.0 { work as f64 / learning_seconds } else { 0.0 };
    let timing = Timing {
        name: spec.name.clone(),
        seconds: began.elapsed().as_secs_f64(),
        learning_seconds,
        steps_per_second: a_second(answer.map_or(0, |answer| answer.steps)),
        visits_per_second: a_second(answer.map_or(0, |answer| answer.visits)),
        cut: answer.is_some_and(|answer| answer.stop_reason == StopReason::Cut),
    };
    (record, timing)
}

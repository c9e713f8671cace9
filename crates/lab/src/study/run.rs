//! Runs the jobs of a study, several at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use induction::learner::Stop;

use super::{Clock, Folder, StudyError, Survey, Tally, run_job};

/// Runs the jobs that are left, in order, `threads` at a time. `progress` is called after each. A record that cannot be
/// written ends the run. So does `stop`: jobs under way are given up, and nothing of them is written.
pub fn run(
    survey: Survey<'_>,
    folder: &Folder,
    threads: usize,
    clock: &dyn Clock,
    stop: &Stop,
    progress: &(dyn Fn(&Tally) + Sync),
) -> Result<Tally, StudyError> {
    let left = &survey.left;
    let (next, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let tally = Mutex::new(survey.tally);
    let work = || -> Result<(), StudyError> {
        while !broken.load(Ordering::Relaxed)
            && !stop.is_set()
            && let Some(spec) = left.get(next.fetch_add(1, Ordering::Relaxed))
        {
            // The jobs keep the cores busy, so each gets one thread.
            let Some((record, timing)) = run_job(spec, 1, clock, stop) else { break };
            if let Err(error) = folder.write(&record, &timing) {
                broken.store(true, Ordering::Relaxed);
                return Err(error);
            }
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(&record);
            progress(&tally);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(left.len())).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join().expect("panics of jobs are caught");
        // Wait for all of them, even if one failed.
        let outcomes: Vec<Result<(), StudyError>> = workers.into_iter().map(join).collect();
        outcomes.into_iter().collect::<Result<(), StudyError>>()
    })?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

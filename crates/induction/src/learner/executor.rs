//! Executors run the jobs of a turn; here, on the threads of this machine.

use std::collections::VecDeque;
use std::sync::Arc;

use rayon::prelude::*;

use super::LearnError;
use super::engines::{Data, Job, Outcome, Task};
use super::ledger::Spent;

/// Runs jobs. Outcomes must not depend on which thread, process or machine runs which job, or in which order.
pub trait Executor: Send {
    /// Starts the jobs of a turn.
    fn begin(&mut self, jobs: Vec<Box<dyn Job>>, data: &Arc<Data>);

    /// Works for about 50 ms. Returns all outcomes, in the order of the jobs, once they are complete.
    fn advance(&mut self) -> Option<Vec<Outcome>>;

    /// Work done so far by the current jobs.
    fn spent(&self) -> Spent;

    /// Ends the turn and returns what each job has found so far, in order.
    fn cut(&mut self) -> Vec<Outcome>;
}

/// The threads of this machine. One job per thread advances at a time, slice by slice.
pub struct Threads {
    /// `None` to work on the caller's thread, as in a browser.
    pool: Option<rayon::ThreadPool>,
    threads: usize,
    data: Option<Arc<Data>>,
    waiting: VecDeque<(usize, Box<dyn Job>)>,
    running: Vec<(usize, Box<dyn Task>)>,
    outcomes: Vec<Option<Outcome>>,
}

impl Threads {
    /// With this many threads.
    pub fn new(threads: usize) -> Result<Self, LearnError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|_| LearnError::Threads { threads })?;
        Ok(Self { pool: Some(pool), threads, ..Self::inline() })
    }

    /// On the caller's thread only.
    #[must_use]
    pub fn inline() -> Self {
        Self { pool: None, threads: 1, data: None, waiting: VecDeque::new(), running: Vec::new(), outcomes: Vec::new() }
    }
}

impl Executor for Threads {
    fn begin(&mut self, jobs: Vec<Box<dyn Job>>, data: &Arc<Data>) {
        self.outcomes = jobs.iter().map(|_| None).collect();
        self.waiting = jobs.into_iter().enumerate().collect();
        self.running.clear();
        self.data = Some(Arc::clone(data));
    }

    fn advance(&mut self) -> Option<Vec<Outcome>> {
        let Self { pool, threads, data, waiting, running, outcomes } = self;
        let mut slice = || {
            if let Some(data) = data {
                while running.len() < *threads
                    && let Some((i, job)) = waiting.pop_front()
                {
                    running.push((i, job.start(data)));
                }
            }
            let ended: Vec<Option<Outcome>> = running.par_iter_mut().map(|(_, task)| task.advance()).collect();
            let mut at = 0;
            for outcome in ended {
                match outcome {
                    Some(outcome) => outcomes[running.remove(at).0] = Some(outcome),
                    None => at += 1,
                }
            }
        };
        match pool {
            Some(pool) => pool.install(slice),
            None => slice(),
        }
        let is_over = self.running.is_empty() && self.waiting.is_empty();
        is_over.then(|| std::mem::take(&mut self.outcomes).into_iter().flatten().collect())
    }

    fn spent(&self) -> Spent {
        let running = self.running.iter().map(|(_, task)| task.spent());
        let done = self.outcomes.iter().flatten().map(|outcome| outcome.spent);
        running.chain(done).fold(Spent::default(), Spent::and)
    }

    fn cut(&mut self) -> Vec<Outcome> {
        self.waiting.clear();
        for (i, task) in self.running.drain(..) {
            self.outcomes[i] = Some(task.cut());
        }
        std::mem::take(&mut self.outcomes).into_iter().flatten().collect()
    }
}

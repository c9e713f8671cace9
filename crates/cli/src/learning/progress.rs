//! Progress while a learner works: a line on a terminal, silence in a pipe; the clock and the record of training.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use induction::learner::{Progress, Watch};
use induction::model::Model;
use induction::training::{Course, EpochRecord};
use lab::training::Watched;

/// Watches a learner for a person and for the clock.
pub(crate) struct Bar {
    bar: ProgressBar,
    began: Instant,
    limit: Option<Duration>,
    /// The epochs of each block, as lines of JSON, if they are wanted.
    epochs: Option<Mutex<BTreeMap<u64, Vec<String>>>>,
    /// Of how many moments of a training it is kept what was believed, and that of each block.
    frames: usize,
    courses: Mutex<BTreeMap<u64, Course>>,
    /// When numbers were last told.
    last: Mutex<Option<(Instant, u64, u64)>>,
}

impl Bar {
    pub(crate) fn new(limit: Option<Duration>, keeps_epochs: bool, frames: usize) -> Self {
        // Hidden by itself where standard error is no terminal.
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is well-formed");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self {
            bar,
            began: Instant::now(),
            limit,
            epochs: keeps_epochs.then(Mutex::default),
            frames,
            courses: Mutex::default(),
            last: Mutex::new(None),
        }
    }

    /// Makes room for what `ask` has to say.
    pub(crate) fn aside<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.bar.suspend(ask)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// The record of all trainings, block after block, and their courses.
    pub(crate) fn training(&self) -> Vec<String> {
        let mut lines = self.epochs();
        for (&block, course) in &*held(&self.courses) {
            lines.push(line(&Watched { block, answer: None, course: course.clone() }));
        }
        lines
    }

    /// The same with one course: that of the block from which the answer was read, else of the first.
    pub(crate) fn training_of(&self, answer: Option<&Model>) -> Vec<String> {
        let mut lines = self.epochs();
        let courses = held(&self.courses);
        let restart = |course: &Course| answer.and_then(|model| course.restart_of(model));
        let found = courses.iter().find_map(|(block, course)| Some((block, course, Some(restart(course)?))));
        let first = || courses.iter().next().map(|(block, course)| (block, course, None));
        if let Some((&block, course, answer)) = found.or_else(first) {
            lines.push(line(&Watched { block, answer, course: course.clone() }));
        }
        lines
    }

    fn epochs(&self) -> Vec<String> {
        let Some(epochs) = &self.epochs else { return Vec::new() };
        held(epochs).values().flatten().cloned().collect()
    }

    /// The record of trainings before a break.
    pub(crate) fn recall(&self, lines: &[String]) {
        if let Some(epochs) = &self.epochs {
            for line in lines {
                if let Ok(watched) = serde_json::from_str::<Watched>(line) {
                    held(&self.courses).insert(watched.block, watched.course);
                    continue;
                }
                let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
                held(epochs).entry(value["block"].as_u64().unwrap_or(0)).or_default().push(line.clone());
            }
        }
    }
}

/// What a lock guards, also after a panic elsewhere.
fn held<T>(lock: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn line(watched: &Watched) -> String {
    serde_json::to_string(watched).expect("a course is numbers and names")
}

impl Watch for Bar {
    fn stopped(&self) -> bool {
        self.limit.is_some_and(|limit| self.began.elapsed() >= limit)
    }

    fn progress(&self, progress: &Progress) {
        let mut last = held(&self.last);
        let now = Instant::now();
        let speed = match *last {
            Some((then, restarts, visits)) if now > then => {
                let seconds = (now - then).as_secs_f64();
                match progress.engine {
                    "search" => per_second(progress.visits.saturating_sub(visits) as f64 / seconds, "prefixes"),
                    "neural" => per_second(progress.restarts.saturating_sub(restarts) as f64 / seconds, "restarts"),
                    _ => String::new(),
                }
            }
            _ => String::new(),
        };
        *last = Some((now, progress.restarts, progress.visits));
        let errors = progress.fewest_errors.map_or("–".to_owned(), |errors| errors.to_string());
        self.bar.set_message(format!(
            "{}: {} restarts, fewest errors {errors}, {} consistent{speed}",
            progress.engine, progress.restarts, progress.consistent
        ));
    }

    fn wants_epochs(&self) -> bool {
        self.epochs.is_some()
    }

    fn epoch(&self, block: u64, record: &EpochRecord) {
        if let Some(epochs) = &self.epochs {
            let mut line = serde_json::json!({ "block": block });
            let record = serde_json::to_value(record).expect("a record is numbers and names");
            if let (Some(line), serde_json::Value::Object(record)) = (line.as_object_mut(), record) {
                line.extend(record);
            }
            held(epochs).entry(block).or_default().push(line.to_string());
        }
    }

    fn frames(&self) -> usize {
        self.frames
    }

    fn course(&self, block: u64, course: Course) {
        held(&self.courses).insert(block, course);
    }
}

fn per_second(number: f64, what: &str) -> String {
    match number {
        n if n >= 1e6 => format!(", {:.0} million {what}/s", n / 1e6),
        n if n >= 1.0 => format!(", {n:.0} {what}/s"),
        _ => String::new(),
    }
}

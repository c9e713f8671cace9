//! Progress display, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use nerode::Progress;

/// Shows progress.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// Time of the last update in seconds, with restarts and visits by then.
    last: Option<(f64, u64, u64)>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        // Hides itself if standard error is not a terminal.
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is well-formed");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar, last: None }
    }

    /// Hides the bar while `ask` uses the terminal.
    pub(crate) fn aside<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.bar.suspend(ask)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn show(&mut self, progress: &Progress, now: f64) {
        let (restarts, visits) = (progress.restarts, progress.moves);
        let speed = match self.last {
            Some((then, restarts_then, visits_then)) if now > then => {
                let seconds = now - then;
                match &progress.engine[..] {
                    "search" => per_second(visits.saturating_sub(visits_then) as f64 / seconds, "prefixes"),
                    "neural" => per_second(restarts.saturating_sub(restarts_then) as f64 / seconds, "restarts"),
                    _ => String::new(),
                }
            }
            _ => String::new(),
        };
        self.last = Some((now, restarts, visits));
        let best = progress.best.as_ref().map_or_else(String::new, |best| {
            format!(": {} states, {} errors, {:.0} bits", best.states, best.errors, best.bits)
        });
        self.bar.set_message(format!("{}{best}; {} consistent{speed}", progress.stage, progress.consistent));
    }
}

fn per_second(number: f64, what: &str) -> String {
    match number {
        n if n >= 1e6 => format!(", {:.0} million {what}/s", n / 1e6),
        n if n >= 1.0 => format!(", {n:.0} {what}/s"),
        _ => String::new(),
    }
}

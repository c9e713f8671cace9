//! `nerode experiment run`.

use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use induction::learner::Stop;
use lab::study::{self, Folder, Tally};
use nerode::text::counted;

use super::super::learn::cores;
use super::{plan_text, read_plan, summary};
use crate::clock::Clock;
use crate::failures::Failures;
use crate::learning::again::quoted;
use crate::lock::{Lock, MARK};
use crate::signals::Signals;
use crate::{Answer, output};

/// Run all jobs of a plan that are not done yet.
///
/// Each result is a separate file, written whole, so a run that was killed can be resumed. The records do not depend on
/// the number of threads or on interruptions; times are in separate files. A failed job is recorded as such, and the
/// others continue.
///
/// SIGINT, SIGTERM and SIGHUP give up the jobs under way; the same command runs them, and those that are left. A second
/// signal exits immediately.
///
/// Exit code: 0 if every job has an answer, 1 if any failed, 130, 143 or 129 after a signal.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment run smoke --out study
  nerode experiment run mine.toml --out study --threads 8
  nerode experiment run paper --out study --json")]
pub(super) struct Arguments {
    /// A built-in plan, or a file.
    #[arg(value_name = "PLAN")]
    plan: String,

    /// Output folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Number of jobs run at once [default: all cores]. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print a summary as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let text = plan_text(&arguments.plan)?;
    let plan = read_plan(&text, &arguments.plan)?;
    let folder = Folder::of_plan(&arguments.out, &text)?;
    let _lock = Lock::of(&arguments.out, MARK)?;
    let survey = folder.survey(&plan)?;
    for (spec, why) in &survey.broken {
        let aside = folder.put_aside(&spec.name)?;
        crate::tell(&format!("{}: {why}; it was moved to {} and is run again", spec.name, aside.display()));
    }
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let bar = bar(&survey.tally);
    let progress = |tally: &Tally| {
        bar.set_message(format!("{} failed", tally.failed));
        bar.set_position(tally.done as u64);
    };
    let stop = Stop::new();
    let signals = Signals::listen(stop.clone())?;
    let tally = study::run(survey, &folder, threads, &Clock::new(None), &stop, &progress)?;
    bar.finish_and_clear();
    let mut failures = Failures::default();
    failures.note(match arguments.json {
        true => output::print_json(&tally),
        false => output::print(&summary(&tally)),
    });
    // A signal that came after the last job changed nothing.
    let signal = signals.exit_code().filter(|_| tally.left > 0);
    if signal.is_some() {
        let [plan, out] = [arguments.plan.clone(), arguments.out.display().to_string()].map(|text| quoted(&text));
        let left = counted(tally.left as u64, "job");
        crate::tell(&format!("stopped with {left} left; go on with: nerode experiment run {plan} --out {out}"));
    }
    failures.outcome(signal, if tally.failed == 0 { Answer::Yes } else { Answer::No })
}

/// A progress bar on a terminal; hidden otherwise.
fn bar(tally: &Tally) -> ProgressBar {
    let bar = ProgressBar::new(tally.jobs as u64).with_position(tally.done as u64);
    let template = "{spinner} {elapsed} {bar:30} {pos} of {len} jobs, {msg}, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
    bar.set_message(format!("{} failed", tally.failed));
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

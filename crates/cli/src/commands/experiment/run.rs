//! `nerode experiment run`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use lab::spec::Spec;

use super::folder::{Folder, State};
use super::tally::Tally;
use super::{clock, plan_text, read_plan};
use crate::{Answer, output};

/// Run all jobs of a plan that are not done yet.
///
/// Each result is a file of its own, written whole, so a run that was killed goes on where it was. The records do not depend
/// on the number of threads or on breaks; times stand in files beside them. A job that fails is recorded as such, and the
/// others go on.
///
/// Exit code 0 when every job has an answer, 1 when some failed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment run smoke --out study
  nerode experiment run mine.toml --out study --threads 8
  nerode experiment run paper --out study --json")]
pub(super) struct Arguments {
    /// A plan: one that comes with nerode, or a file.
    #[arg(value_name = "PLAN")]
    plan: String,

    /// The folder for the results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// How many jobs are run at once [default: all cores]. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print how it ended as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let text = plan_text(&arguments.plan)?;
    let plan = read_plan(&text, &arguments.plan)?;
    let folder = Folder::of_plan(&arguments.out, &text)?;
    let mut tally = Tally::default();
    let mut left = Vec::new();
    for spec in &plan.jobs {
        match folder.state(spec)? {
            State::Done(record) => tally.add(&record),
            State::Missing => left.push(spec),
            State::Broken(why) => {
                let aside = folder.put_aside(&spec.name)?;
                crate::tell(&format!("{}: {why}; it was moved to {} and is run again", spec.name, aside.display()));
                left.push(spec);
            }
        }
    }
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let tally = run_all(&left, tally, &folder, threads, plan.jobs.len())?;
    match arguments.json {
        true => output::print_json(&tally.json(&plan.name, plan.jobs.len()))?,
        false => output::print(&tally.text(&plan.name, plan.jobs.len()))?,
    }
    Ok(if tally.failed.is_empty() { Answer::Yes } else { Answer::No })
}

/// Runs jobs in order, so many at once; what cannot be written ends it.
fn run_all(left: &[&Spec], tally: Tally, folder: &Folder, threads: usize, all: usize) -> anyhow::Result<Tally> {
    let bar = bar(tally.done, all);
    let (next, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let tally = Mutex::new(tally);
    let work = || -> anyhow::Result<()> {
        while !broken.load(Ordering::Relaxed)
            && let Some(spec) = left.get(next.fetch_add(1, Ordering::Relaxed))
        {
            // Many jobs keep the cores busy: each has one thread.
            let (record, timing) = clock::run(spec, 1);
            if let Err(error) = folder.write(&record, &timing) {
                broken.store(true, Ordering::Relaxed);
                return Err(error);
            }
            let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            tally.add(&record);
            bar.set_message(format!("{} failed", tally.failed.len()));
            bar.inc(1);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(left.len())).map(|_| scope.spawn(work)).collect();
        let join =
            |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join().expect("what jobs panic with is caught");
        // All of them are waited for, whatever one of them met.
        let outcomes: Vec<anyhow::Result<()>> = workers.into_iter().map(join).collect();
        outcomes.into_iter().collect::<anyhow::Result<()>>()
    })?;
    bar.finish_and_clear();
    let mut tally = tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    tally.failed.sort();
    Ok(tally)
}

/// A line on a terminal, silence in a pipe.
fn bar(done: usize, all: usize) -> ProgressBar {
    let bar = ProgressBar::new(all as u64).with_position(done as u64);
    let template = "{spinner} {elapsed} {bar:30} {pos} of {len} jobs, {msg}, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
    bar.set_message("0 failed");
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

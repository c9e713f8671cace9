//! `nerode experiment run`.

use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use lab::study::{self, Folder, Tally};

use super::super::learn::cores;
use super::{plan_text, read_plan, summary};
use crate::clock::Clock;
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
    let tally = study::run(survey, &folder, threads, &Clock::new(None), &progress)?;
    bar.finish_and_clear();
    match arguments.json {
        true => output::print_json(&tally)?,
        false => output::print(&summary(&tally))?,
    }
    Ok(if tally.failed == 0 { Answer::Yes } else { Answer::No })
}

/// A line on a terminal, silence in a pipe.
fn bar(tally: &Tally) -> ProgressBar {
    let bar = ProgressBar::new(tally.jobs as u64).with_position(tally.done as u64);
    let template = "{spinner} {elapsed} {bar:30} {pos} of {len} jobs, {msg}, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
    bar.set_message(format!("{} failed", tally.failed));
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

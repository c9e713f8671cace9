//! `nerode experiment`: one file per subcommand.

mod export;
mod job;
mod report;
mod run;
mod show;
mod status;

use std::path::Path;

use anyhow::{Context, bail};
use lab::plan::{BUILT_IN, Plan, built_in};
use lab::study::Tally;
use nerode::text::padded;

use crate::Answer;

/// Run studies: many languages, many learners, one file per result.
///
/// A plan lists languages, how examples are drawn, learners, and the number of runs. It stands for a list of jobs, each
/// of which depends only on its specification. A run that was killed can be resumed; a finished job is never run again.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  nerode experiment show                          the built-in plans
  nerode experiment show paper > mine.toml        one of them, to edit
  nerode experiment run mine.toml --out study     run all its jobs, on all cores
  nerode experiment status study                  its progress
  nerode experiment report study                  its results: tables, pictures, tests
  nerode experiment export mine.toml --out sets   its examples and languages, for other programs
  nerode experiment show mine.toml --jobs | head -1 | nerode experiment job - --out study
                                                  one job, as a scheduler runs it"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Show(show::Arguments),
    Run(run::Arguments),
    Job(job::Arguments),
    Status(status::Arguments),
    Report(report::Arguments),
    Export(export::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    match &arguments.what {
        What::Show(arguments) => show::run(arguments),
        What::Run(arguments) => run::run(arguments),
        What::Job(arguments) => job::run(arguments),
        What::Status(arguments) => status::run(arguments),
        What::Report(arguments) => report::run(arguments),
        What::Export(arguments) => export::run(arguments),
    }
}

/// The text of a plan: a file, or a built-in plan.
fn plan_text(operand: &str) -> anyhow::Result<String> {
    if let Some(text) = built_in(operand) {
        return Ok(text.to_owned());
    }
    if !Path::new(operand).exists() && !operand.ends_with(".toml") {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        bail!("there is no plan or file named {operand}; built-in plans: {}", names.join(", "));
    }
    std::fs::read_to_string(operand).with_context(|| format!("cannot read {operand}"))
}

/// Parses a plan; errors say where they are.
fn read_plan(text: &str, operand: &str) -> anyhow::Result<Plan> {
    Plan::read(text).with_context(|| operand.to_owned())
}

/// Maximum number of failures listed.
const FAILURES: usize = 5;

/// The progress of a study, in a few lines.
fn summary(tally: &Tally) -> String {
    let Tally { plan, jobs, done, failed, left, .. } = tally;
    let mut text = format!("{plan}: {done} of {jobs} jobs done, {failed} failed, {left} left\n");
    let width = tally.learners.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, score) in &tally.learners {
        text += &format!("  {}  {} of {} exact\n", padded(name, width), score.exact, score.answers);
    }
    if tally.cut > 0 {
        text += &format!("{} stopped by the time limit: these depend on the machine\n", tally.cut);
    }
    for (name, error) in tally.failures.iter().take(FAILURES) {
        text += &format!("failed: {name}: {error}\n");
    }
    if tally.failures.len() > FAILURES {
        text += &format!("… and {} more\n", tally.failures.len() - FAILURES);
    }
    text
}

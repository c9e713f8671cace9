//! `nerode experiment status`.

use std::path::PathBuf;

use serde_json::json;

use super::folder::{Folder, State};
use super::read_plan;
use super::tally::Tally;
use crate::{Answer, output};

/// Say how far a study is: which jobs are done, failed, left.
///
/// Exit code 0 when all jobs are done, 1 when some are left.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment status study
  nerode experiment status study --json")]
pub(super) struct Arguments {
    /// The folder of `nerode experiment run`.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let (folder, text) = Folder::existing(&arguments.folder)?;
    let plan = read_plan(&text, &arguments.folder.join("plan.toml").display().to_string())?;
    let mut tally = Tally::default();
    let mut broken = Vec::new();
    for spec in &plan.jobs {
        match folder.state(spec)? {
            State::Done(record) => tally.add(&record),
            State::Missing => {}
            State::Broken(why) => broken.push(format!("{}: {why}", spec.name)),
        }
    }
    if arguments.json {
        let mut status = tally.json(&plan.name, plan.jobs.len());
        status["broken"] = json!(broken.len());
        output::print_json(&status)?;
    } else {
        let broken: String = broken.iter().map(|broken| format!("to be run again: {broken}\n")).collect();
        output::print(&(tally.text(&plan.name, plan.jobs.len()) + &broken))?;
    }
    Ok(if tally.done == plan.jobs.len() { Answer::Yes } else { Answer::No })
}

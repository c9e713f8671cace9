//! `nerode experiment status`.

use std::path::PathBuf;

use lab::study::{Folder, Tally};
use serde::Serialize;

use super::{read_plan, summary};
use crate::{Answer, output};

/// Show the progress of a study: jobs done, failed and left.
///
/// Exit code: 0 if all jobs are done, 1 if any are left.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment status study
  nerode experiment status study --json")]
pub(super) struct Arguments {
    /// The output folder of `nerode experiment run`.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The output of --json.
#[derive(Serialize)]
struct Status<'a> {
    #[serde(flatten)]
    tally: &'a Tally,
    broken: usize,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let (folder, text) = Folder::existing(&arguments.folder)?;
    let plan = read_plan(&text, &arguments.folder.join("plan.toml").display().to_string())?;
    let survey = folder.survey(&plan)?;
    let tally = &survey.tally;
    if arguments.json {
        output::print_json(&Status { tally, broken: survey.broken.len() })?;
    } else {
        let broken = survey.broken.iter().map(|(spec, why)| format!("to be run again: {}: {why}\n", spec.name));
        output::print(&(summary(tally) + &broken.collect::<String>()))?;
    }
    Ok(if tally.left == 0 { Answer::Yes } else { Answer::No })
}

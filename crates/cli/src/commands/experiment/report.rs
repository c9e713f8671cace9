//! `nerode experiment report`.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use lab::job::progression;
use lab::report;
use lab::study::Folder;
use serde_json::json;

use crate::{Answer, folder, output};

/// Write a report on a study: Markdown, an HTML page, tables and pictures.
///
/// Reads all records in the folder, even if the study is not finished, and writes `report.md`, `report.html` (a single
/// self-contained page), `records.csv`, `timings.csv` and `pictures/`. The same records give the same bytes. Files that
/// are not records are listed in the report and left out of its numbers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment report study
  nerode experiment report study --out results --json
  nerode experiment report study --progress t4-n3-p3-0.d8-even.paper.r0")]
pub(super) struct Arguments {
    /// The output folder of `nerode experiment run`.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Output folder [default: DIR/report].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Overwrite files in that folder that nerode did not write.
    #[arg(long)]
    force: bool,

    /// Show the training progress of this job, which is trained again for that. May be repeated.
    #[arg(long, value_name = "JOB")]
    progress: Vec<String>,

    /// Print a summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Maximum number of pictures of a training run, side by side.
const FRAMES: usize = 12;

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let mut study = Folder::read(&arguments.folder)?;
    for job in &arguments.progress {
        let record = study.records.iter().find(|record| record.spec.name == *job);
        let spec = &record.with_context(|| format!("there is no record of a job called {job}"))?.spec;
        study.progressions.push(progression(spec, FRAMES).map_err(|error| anyhow!("{job}: {error}"))?);
    }
    let out = arguments.out.clone().unwrap_or_else(|| arguments.folder.join("report"));
    let files = report::files(&study);
    let mut folder = folder::Folder::open(&out)?;
    // Older versions kept no list of their files, but their reports are recognised by their title.
    let is_report = |path| std::fs::read_to_string(path).is_ok_and(|markdown| report::is_report(&markdown));
    let names = || files.iter().map(|file| file.path.as_str());
    if folder.is_unmarked() && is_report(out.join("report.md")) {
        folder.adopt(names())?;
    }
    if !arguments.force {
        folder.check(names())?;
    }
    for file in &files {
        folder.put(&file.path, Some(&file.content))?;
    }
    if arguments.json {
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        output::print_json(&json!({
            "plan": study.name,
            "jobs": study.jobs,
            "records": study.records.len(),
            "exact": study.records.iter().filter(|record| record.is_exact()).count(),
            "broken": study.broken,
            "out": out.display().to_string(),
            "files": paths,
        }))?;
    } else {
        let broken: String =
            study.broken.iter().map(|broken| format!("left out: {}\n", output::one_line(broken))).collect();
        let records = study.records.len();
        output::print(&format!(
            "{}: {records} records, report in {}\n{broken}",
            study.name,
            output::one_line(&out.join("report.html").display().to_string())
        ))?;
    }
    Ok(Answer::Yes)
}

//! `nerode experiment report`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use lab::job::progression;
use lab::plan::{BUILT_IN, Plan};
use lab::record::{Record, Timing};
use lab::report::{self, Study};
use serde_json::json;

use crate::output::Output;
use crate::{Answer, output};

/// Write what a study found: Markdown, a page, tables and pictures.
///
/// Reads all records of the folder, also of a study that is not finished, and writes `report.md`, `report.html` (one page
/// that needs nothing else), `records.csv`, `timings.csv` and `pictures/`. The same records give the same bytes. Files that
/// are no records are named in the report and left out of its numbers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment report study
  nerode experiment report study --out results --json
  nerode experiment report study --progress t4-n3-p3-0.d8-even.paper.r0")]
pub(super) struct Arguments {
    /// The folder of `nerode experiment run`.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The folder for the report [default: DIR/report].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Show the course of the training of this job, which is trained again for it. May be given more than once.
    #[arg(long, value_name = "JOB")]
    progress: Vec<String>,

    /// Print what was written as JSON.
    #[arg(long)]
    json: bool,
}

/// So many pictures of a training stand side by side.
const FRAMES: usize = 12;

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let mut study = read(&arguments.folder)?;
    for job in &arguments.progress {
        let record = study.records.iter().find(|record| record.spec.name == *job);
        let spec = &record.with_context(|| format!("there is no record of a job called {job}"))?.spec;
        study.progressions.push(progression(spec, FRAMES).map_err(|error| anyhow!("{job}: {error}"))?);
    }
    let out = arguments.out.clone().unwrap_or_else(|| arguments.folder.join("report"));
    let files = report::files(&study);
    for file in &files {
        let path = out.join(&file.path);
        let folder = path.parent().unwrap_or(&out);
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Output::open(Some(&path))?.finish_bytes(&file.content)?;
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

/// Everything in the folder of a study. What is no record is told, and stops nothing.
fn read(folder: &Path) -> anyhow::Result<Study> {
    let jobs = folder.join("jobs");
    let nothing = || format!("{} has no records of a study", folder.display());
    let entries = std::fs::read_dir(&jobs).with_context(|| format!("{}: cannot read {}", nothing(), jobs.display()))?;
    let mut study = Study::default();
    let mut records = BTreeMap::new();
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<PathBuf>, _>>()?;
    paths.sort();
    for path in paths {
        // A name that is no text is none of ours.
        let Some(file) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let Some(name) = file.strip_suffix(".json").filter(|_| !file.starts_with('.')) else { continue };
        let text = std::fs::read(&path).map(String::from_utf8);
        let read = match (text, name.strip_suffix(".timing")) {
            (Err(error), _) => Err(format!("cannot be read: {error}")),
            (Ok(Err(_)), _) => Err("this is no text".to_owned()),
            (Ok(Ok(text)), Some(job)) => {
                timing(&text, job).map(|timing| drop(study.timings.insert(job.to_owned(), timing)))
            }
            (Ok(Ok(text)), None) => record(&text, name).map(|record| drop(records.insert(name.to_owned(), record))),
        };
        if let Err(why) = read {
            study.broken.push(format!("{file}: {why}"));
        }
    }
    let plan = std::fs::read_to_string(folder.join("plan.toml"));
    order(&mut study, records, plan.ok().as_deref());
    if study.records.is_empty() {
        match study.broken.first() {
            None => bail!(nothing()),
            Some(broken) => bail!("{} that can be read: {broken}", nothing()),
        }
    }
    Ok(study)
}

fn record(text: &str, name: &str) -> Result<Record, String> {
    let record = Record::from_json(text).map_err(|error| error.to_string())?;
    if record.spec.name == name { Ok(record) } else { Err("this is the record of another job".to_owned()) }
}

fn timing(text: &str, name: &str) -> Result<Timing, String> {
    let timing: Timing = serde_json::from_str(text).map_err(|error| format!("this tells no times: {error}"))?;
    if timing.name == name { Ok(timing) } else { Err("these are the times of another job".to_owned()) }
}

/// Records in the order of the plan, if it is there and can be read; what it does not know comes after, by name.
fn order(study: &mut Study, mut records: BTreeMap<String, Record>, text: Option<&str>) {
    match text.map(|text| (text, Plan::read(text))) {
        Some((text, Ok(plan))) => {
            for spec in &plan.jobs {
                match records.remove(&spec.name) {
                    Some(record) if record.spec == *spec => study.records.push(record),
                    Some(_) => study.broken.push(format!("{}.json: this is the record of another job", spec.name)),
                    None => {}
                }
            }
            let strangers = records.keys().map(|name| format!("{name}.json: the plan has no such job"));
            study.broken.extend(strangers);
            let built_in = BUILT_IN.iter().find(|(_, known)| *known == text);
            let operand = built_in.map_or("plan.toml", |(name, _)| name);
            study.command = format!("nerode experiment run {operand} --out study");
            (study.name, study.about, study.jobs) = (plan.name, plan.about, Some(plan.jobs.len()));
        }
        other => {
            if let Some((_, Err(error))) = other {
                study.broken.push(format!("plan.toml: {error}"));
            }
            study.records.extend(records.into_values());
            study.name = study.records.first().map_or(String::new(), |record| record.spec.plan.clone());
            study.command = "nerode experiment job JOB.json --out study".to_owned();
        }
    }
}

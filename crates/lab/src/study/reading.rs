//! Reads all records of a folder, for a report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Folder, StudyError};
use crate::plan::{BUILT_IN, Plan};
use crate::record::{Record, Timing};
use crate::report::Study;

impl Folder {
    /// Reads the folder of a study, even if it is not finished. Files that are not records are listed as such.
    pub fn read(path: &Path) -> Result<Study, StudyError> {
        let jobs = path.join("jobs");
        let paths = std::fs::read_dir(&jobs).and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<PathBuf>, _>>()
        });
        let mut paths =
            paths.map_err(|source| StudyError::NoJobs { folder: path.to_owned(), jobs: jobs.clone(), source })?;
        paths.sort();
        let mut study = Study::default();
        let mut records = BTreeMap::new();
        for path in paths {
            // We write no file names that are not text.
            let Some(file) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let Some(name) = file.strip_suffix(".json").filter(|_| !file.starts_with('.')) else { continue };
            let text = std::fs::read(&path).map(String::from_utf8);
            let read = match (text, name.strip_suffix(".timing")) {
                (Err(error), _) => Err(format!("cannot be read: {error}")),
                (Ok(Err(_)), _) => Err("not a text file".to_owned()),
                (Ok(Ok(text)), Some(job)) => {
                    timing(&text, job).map(|timing| drop(study.timings.insert(job.to_owned(), timing)))
                }
                (Ok(Ok(text)), None) => record(&text, name).map(|record| drop(records.insert(name.to_owned(), record))),
            };
            if let Err(why) = read {
                study.broken.push(format!("{file}: {why}"));
            }
        }
        let plan = std::fs::read_to_string(path.join("plan.toml"));
        order(&mut study, records, plan.ok().as_deref());
        match study.records.is_empty() {
            true => Err(StudyError::NoRecords { folder: path.to_owned(), broken: study.broken.into_iter().next() }),
            false => Ok(study),
        }
    }
}

fn record(text: &str, name: &str) -> Result<Record, String> {
    let record = Record::from_json(text).map_err(|error| error.to_string())?;
    if record.spec.name == name { Ok(record) } else { Err("this is the record of another job".to_owned()) }
}

fn timing(text: &str, name: &str) -> Result<Timing, String> {
    let timing: Timing = serde_json::from_str(text).map_err(|error| format!("not a timing file: {error}"))?;
    if timing.name == name { Ok(timing) } else { Err("these are the times of another job".to_owned()) }
}

/// Puts the records in the order of the plan; without a readable plan, in the order of their names.
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

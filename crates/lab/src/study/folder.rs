//! The folder of a study: `plan.toml`, and for each job `jobs/NAME.json` and `jobs/NAME.timing.json`.
//!
//! Records are written whole. If a record's file is not a record, or is the record of another job, it is moved aside
//! and the job is run again.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{StudyError, Tally};
use crate::files::{temporary, write_whole};
use crate::plan::Plan;
use crate::record::{Record, Timing};
use crate::spec::Spec;

/// A folder of records.
#[derive(Clone, Debug)]
pub struct Folder {
    pub(super) path: PathBuf,
}

/// The state of a job.
#[derive(Clone, Debug)]
pub enum State {
    /// It has no record.
    Missing,
    /// It has a record.
    Done(Box<Record>),
    /// Its file is not its record, and why.
    Broken(String),
}

/// The state of all jobs of a plan.
#[derive(Clone, Debug)]
pub struct Survey<'a> {
    /// The jobs that are done.
    pub tally: Tally,
    /// The jobs left, in the order of the plan.
    pub left: Vec<&'a Spec>,
    /// The jobs left whose file is not their record, and why.
    pub broken: Vec<(&'a Spec, String)>,
}

impl Folder {
    /// Opens the folder, creating it if necessary; fails before the work if it is not writable.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        let jobs = path.join("jobs");
        std::fs::create_dir_all(&jobs).map_err(StudyError::file("make the folder", &jobs))?;
        temporary(&jobs).map_err(StudyError::file("write to", &jobs))?;
        Ok(Self { path: path.to_owned() })
    }

    /// The same for the jobs of a plan, whose text is saved; a folder of another plan is refused.
    pub fn of_plan(path: &Path, text: &str) -> Result<Self, StudyError> {
        let kept = path.join("plan.toml");
        match std::fs::read_to_string(&kept) {
            Ok(other) if other != text => Err(StudyError::OtherPlan(path.to_owned())),
            Ok(_) => Self::open(path),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let folder = Self::open(path)?;
                write_whole(&kept, text.as_bytes()).map_err(StudyError::file("write to", &kept))?;
                Ok(folder)
            }
            Err(error) => Err(StudyError::file("read", &kept)(error)),
        }
    }

    /// Opens an existing folder, and reads the text of its plan.
    pub fn existing(path: &Path) -> Result<(Self, String), StudyError> {
        let plan = path.join("plan.toml");
        match std::fs::read_to_string(&plan) {
            Ok(text) => Ok((Self { path: path.to_owned() }, text)),
            Err(source) => Err(StudyError::NoStudy { folder: path.to_owned(), plan, source }),
        }
    }

    fn place(&self, name: &str, ending: &str) -> PathBuf {
        self.path.join("jobs").join(format!("{name}.{ending}"))
    }

    /// The state of a job.
    pub fn state(&self, spec: &Spec) -> Result<State, StudyError> {
        let path = self.place(&spec.name, "json");
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Missing),
            Err(error) => return Err(StudyError::file("read", &path)(error)),
        };
        let Ok(text) = String::from_utf8(bytes) else { return Ok(State::Broken("not a text file".to_owned())) };
        Ok(match Record::from_json(&text) {
            Ok(record) if record.spec == *spec => State::Done(Box::new(record)),
            Ok(_) => State::Broken("this is the record of another job".to_owned()),
            Err(error) => State::Broken(error.to_string()),
        })
    }

    /// The state of all jobs of a plan.
    pub fn survey<'a>(&self, plan: &'a Plan) -> Result<Survey<'a>, StudyError> {
        let mut survey = Survey { tally: Tally::new(plan), left: Vec::new(), broken: Vec::new() };
        for spec in &plan.jobs {
            match self.state(spec)? {
                State::Done(record) => {
                    survey.tally.add(&record);
                    continue;
                }
                State::Missing => {}
                State::Broken(why) => survey.broken.push((spec, why)),
            }
            survey.left.push(spec);
        }
        Ok(survey)
    }

    /// Moves a record's file aside, and returns its new path.
    pub fn put_aside(&self, name: &str) -> Result<PathBuf, StudyError> {
        let further = (2..).map(|number| self.place(name, &format!("json.broken.{number}")));
        let mut places = std::iter::once(self.place(name, "json.broken")).chain(further);
        let aside = places.find(|path| !path.exists()).expect("some name is free");
        let path = self.place(name, "json");
        std::fs::rename(&path, &aside).map_err(StudyError::file("move", &path))?;
        Ok(aside)
    }

    /// Writes the outcome of a job: the record last, because it marks the job as done.
    pub fn write(&self, record: &Record, timing: &Timing) -> Result<(), StudyError> {
        let name = &record.spec.name;
        let write = |ending: &str, text: String| {
            let path = self.place(name, ending);
            write_whole(&path, text.as_bytes()).map_err(StudyError::file("write to", &path))
        };
        write("timing.json", timing.to_json())?;
        write("json", record.to_json())
    }
}

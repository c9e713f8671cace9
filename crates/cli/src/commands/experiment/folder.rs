//! The folder of a study: `plan.toml`, and for each job `jobs/NAME.json` and `jobs/NAME.timing.json`.
//!
//! A record is written beside its place and then moved there, so it is whole or not there at all. One that is not whole all
//! the same, or belongs to another job, is put aside and its job run again: nothing is thrown away.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use lab::record::{Record, Timing};
use lab::spec::Spec;

use crate::output::Output;

/// A folder of records.
pub(super) struct Folder {
    path: PathBuf,
}

/// What there is of a job.
pub(super) enum State {
    Missing,
    Done(Box<Record>),
    /// Why what is there is no record of the job.
    Broken(String),
}

impl Folder {
    /// The folder, made if it is not there; one that cannot be written to fails before the work.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let jobs = path.join("jobs");
        std::fs::create_dir_all(&jobs).with_context(|| format!("cannot make the folder {}", jobs.display()))?;
        let folder = Self { path: path.to_owned() };
        Output::open(Some(&jobs.join("job.json"))).map(drop)?;
        Ok(folder)
    }

    /// The same for the jobs of a plan, whose text is kept; a folder of another plan is refused.
    pub(super) fn of_plan(path: &Path, text: &str) -> anyhow::Result<Self> {
        let kept = path.join("plan.toml");
        match std::fs::read_to_string(&kept) {
            Ok(other) if other != text => {
                bail!("{} is of another plan: its plan.toml is not the same text", path.display());
            }
            Ok(_) => Self::open(path),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let folder = Self::open(path)?;
                Output::open(Some(&kept))?.finish(text)?;
                Ok(folder)
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", kept.display())),
        }
    }

    /// A folder that is there, to be looked at, and the text of its plan.
    pub(super) fn existing(path: &Path) -> anyhow::Result<(Self, String)> {
        let kept = path.join("plan.toml");
        let text = std::fs::read_to_string(&kept);
        let text = text
            .with_context(|| format!("{} is no folder of a study: cannot read {}", path.display(), kept.display()))?;
        Ok((Self { path: path.to_owned() }, text))
    }

    fn place(&self, name: &str, ending: &str) -> PathBuf {
        self.path.join("jobs").join(format!("{name}.{ending}"))
    }

    /// What there is of a job.
    pub(super) fn state(&self, spec: &Spec) -> anyhow::Result<State> {
        let path = self.place(&spec.name, "json");
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(State::Missing),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let Ok(text) = String::from_utf8(bytes) else { return Ok(State::Broken("this is no text".to_owned())) };
        Ok(match Record::from_json(&text) {
            Ok(record) if record.spec == *spec => State::Done(Box::new(record)),
            Ok(_) => State::Broken("this is the record of another job".to_owned()),
            Err(error) => State::Broken(error.to_string()),
        })
    }

    /// Puts what is in the place of a record aside, and says where.
    pub(super) fn put_aside(&self, name: &str) -> anyhow::Result<PathBuf> {
        let free = |path: &PathBuf| !path.exists();
        let further = (2..).map(|number| self.place(name, &format!("json.broken.{number}")));
        let mut places = std::iter::once(self.place(name, "json.broken")).chain(further);
        let aside = places.find(free).expect("some name is free");
        let path = self.place(name, "json");
        std::fs::rename(&path, &aside).with_context(|| format!("cannot move {}", path.display()))?;
        Ok(aside)
    }

    /// Writes what came of a job: the record last, since where it is, the job is done.
    pub(super) fn write(&self, record: &Record, timing: &Timing) -> anyhow::Result<()> {
        let name = &record.spec.name;
        let timing = serde_json::to_string_pretty(timing)? + "\n";
        Output::open(Some(&self.place(name, "timing.json")))?.finish(&timing)?;
        Output::open(Some(&self.place(name, "json")))?.finish(&record.to_json())
    }
}

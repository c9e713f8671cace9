//! Studies on disk: the jobs of a plan, run and stored in a folder.
//!
//! ```text
//!   plan ──► Folder::survey ──► run (threads, a clock) ──► Folder ──► Folder::read ──► report
//!            (done, left)       (job by job)               (records)
//!   plan ──► export: the examples and truths, for other programs
//! ```
//!
//! Nothing here reads the time: the caller supplies a [`Clock`].

mod clock;
mod export;
mod folder;
mod reading;
mod run;
mod tally;

use std::io;
use std::path::{Path, PathBuf};

pub use clock::{Clock, run_job};
pub use export::{Exported, export, export_with, exported_files, list};
pub use folder::{Folder, State, Survey};
pub use run::run;
pub use tally::{Score, Tally};

/// Why the folder of a study cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The folder belongs to another plan.
    #[error("{} belongs to another plan: its plan.toml differs", .0.display())]
    OtherPlan(PathBuf),
    /// The folder has no plan.
    #[error("{} is not the folder of a study: cannot read {}", folder.display(), plan.display())]
    NoStudy {
        /// The folder.
        folder: PathBuf,
        /// The file that is missing.
        plan: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// The folder has no jobs.
    #[error("{} has no records of a study: cannot read {}", folder.display(), jobs.display())]
    NoJobs {
        /// The folder.
        folder: PathBuf,
        /// The folder that is missing.
        jobs: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// The folder has no readable record.
    #[error("{} has no records of a study{}", folder.display(), broken.as_ref().map_or(String::new(), |broken| format!(" that can be read: {broken}")))]
    NoRecords {
        /// The folder.
        folder: PathBuf,
        /// A file that is not a record, and why.
        broken: Option<String>,
    },
    /// A set of examples cannot be drawn.
    #[error("{name}: {message}")]
    Set {
        /// The set.
        name: String,
        /// Why it cannot be drawn.
        message: String,
    },
}

impl StudyError {
    fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }
}

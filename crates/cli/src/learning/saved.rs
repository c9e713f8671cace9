//! A session saved in a folder, so that an interrupted run can be resumed.

use std::path::{Path, PathBuf};

use anyhow::Context;
use nerode::Session;

use crate::lock::Lock;
use crate::output::Output;

/// The file that is locked while a process saves to the folder. A folder of results, which may be the same, has its own.
const LOCK: &str = ".session";

/// The file of a saved session, and its content if there was one.
pub(crate) struct Saved {
    path: PathBuf,
    content: Option<String>,
    _lock: Lock,
}

impl Saved {
    /// Opens the folder, creates it if needed, and reads a saved session. Fails if another process saves to it.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let lock = Lock::of(folder, LOCK)?;
        let path = folder.join("session.json");
        let content = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Ok(Self { path, content, _lock: lock })
    }

    /// The saved session, if there was one.
    pub(crate) fn content(&self) -> Option<&str> {
        self.content.as_deref()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the session.
    pub(crate) fn keep(&self, session: &Session) -> anyhow::Result<()> {
        Output::open(Some(&self.path))?.finish(&session.save())
    }

    /// Removes the saved session after the run has finished.
    pub(crate) fn done(self) -> anyhow::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

//! A session kept in a folder: one that was killed goes on from there.

use std::path::{Path, PathBuf};

use anyhow::Context;
use nerode::Session;

use crate::output::Output;

/// The place of a saved session, and what was in it.
pub(crate) struct Saved {
    path: PathBuf,
    content: Option<String>,
}

impl Saved {
    /// The folder, made if it is not there, with what was kept in it.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join("session.json");
        let content = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Ok(Self { path, content })
    }

    /// What was kept, if anything was.
    pub(crate) fn content(&self) -> Option<&str> {
        self.content.as_deref()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a session as it is now.
    pub(crate) fn keep(&self, session: &Session) -> anyhow::Result<()> {
        Output::open(Some(&self.path))?.finish(&session.save())
    }

    /// The run is over: nothing is left to go on from.
    pub(crate) fn done(self) -> anyhow::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

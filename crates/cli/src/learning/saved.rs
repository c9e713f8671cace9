//! A session saved in a folder, so that an interrupted run can be resumed.

use std::path::{Path, PathBuf};

use anyhow::Context;
use lab::study::Clock as _;
use nerode::Session;

use crate::clock::Clock;
use crate::lock::Lock;
use crate::output::Output;

/// The file that is locked while a process saves to the folder. A folder of results, which may be the same, has its own.
const LOCK: &str = ".session";

/// Seconds of work between two saves.
const INTERVAL: f64 = 2.0;

/// The file of a saved session, and its content if there was one.
pub(crate) struct Saved {
    path: PathBuf,
    content: Option<String>,
    /// When the session was last saved.
    at: f64,
    /// The error of the last save, if it failed.
    failure: Option<anyhow::Error>,
    /// Whether a failure was reported.
    warned: bool,
    _lock: Lock,
}

impl Saved {
    /// Opens the folder, creates it if needed, and reads a saved session. Fails if the folder is not writable, or if
    /// another process saves to it.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let lock = Lock::of(folder, LOCK)?;
        let path = folder.join("session.json");
        let content = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Output::open(Some(&path)).map(drop)?;
        Ok(Self { path, content, at: 0.0, failure: None, warned: false, _lock: lock })
    }

    /// The saved session, if there was one.
    pub(crate) fn content(&self) -> Option<&str> {
        self.content.as_deref()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether enough work was done since the last save.
    pub(crate) fn is_due(&self, clock: &Clock) -> bool {
        clock.seconds() - self.at >= INTERVAL
    }

    /// Saves the session. The run goes on if that fails: later saves may succeed, and the answer does not need them.
    pub(crate) fn keep(&mut self, session: &Session, clock: &Clock) {
        let saved = Output::open(Some(&self.path)).and_then(|output| output.finish(&session.save()));
        self.failure = saved.err();
        if let Some(error) = &self.failure
            && !std::mem::replace(&mut self.warned, true)
        {
            crate::note(&format!("{error:#}; the run goes on without a checkpoint"));
        }
        // Saving is not work.
        self.at = clock.seconds();
    }

    /// After the run: the session of one that was cut must have been saved, and that of another is removed.
    pub(crate) fn done(self, is_cut: bool) -> anyhow::Result<()> {
        if is_cut {
            return self.failure.map_or(Ok(()), Err);
        }
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

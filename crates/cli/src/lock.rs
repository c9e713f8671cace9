//! Locks on folders: only one process at a time writes there.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The file that is locked in a folder of results or of a study.
pub(crate) const MARK: &str = ".nerode";

/// A locked file. What it contains outlives the lock; an empty file is removed with it.
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks the file of this name in the folder, creating it if necessary. Fails at once if another process holds it.
    pub(crate) fn of(folder: &Path, name: &str) -> anyhow::Result<Self> {
        let path = folder.join(name);
        loop {
            let file = File::options().create(true).truncate(false).read(true).write(true).open(&path);
            let file = file.with_context(|| format!("cannot write to {}", folder.display()))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => bail!("another process is writing to {}", folder.display()),
                // Some file systems have no locks; there, two processes go undetected.
                Err(TryLockError::Error(_)) => {}
            }
            // Its last holder may have removed it after it was opened here.
            if path.exists() {
                return Ok(Self { file, path });
            }
        }
    }

    /// The text of the file.
    pub(crate) fn read(&mut self) -> std::io::Result<String> {
        let mut text = String::new();
        self.file.rewind()?;
        self.file.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Replaces the text of the file. It is not replaced as a whole, since the lock belongs to this file; the old end goes
    /// last, so that a full disk loses nothing.
    pub(crate) fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(text.len() as u64)
    }

    /// Adds to the text of the file.
    pub(crate) fn append(&mut self, text: &str) -> std::io::Result<()> {
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(text.as_bytes())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            // Harmless where it stays.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

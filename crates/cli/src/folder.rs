//! Output folders. Each file is written whole or not at all.
//!
//! The file `.nerode` lists the files that nerode wrote. Others of the same name belong to somebody else and are not
//! overwritten.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::lock::{Lock, MARK};
use crate::output::Output;

/// A writable folder, locked against other processes.
pub(crate) struct Folder {
    path: PathBuf,
    lock: Lock,
    /// The files that nerode wrote, in this run or an earlier one.
    ours: BTreeSet<String>,
}

impl Folder {
    /// Opens the folder and creates it if needed. Fails if the folder is not writable or if another process writes to it.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot create the folder {}", path.display()))?;
        let mut lock = Lock::of(path, MARK)?;
        let mark = lock.read().with_context(|| format!("cannot read {}", path.join(MARK).display()))?;
        let ours = mark.lines().map(str::to_owned).collect();
        Ok(Self { path: path.to_owned(), lock, ours })
    }

    /// Whether no file is listed as ours: the folder is new, somebody else's, or older than these lists.
    pub(crate) fn is_unmarked(&self) -> bool {
        self.ours.is_empty()
    }

    /// Fails if the folder holds a foreign file with one of these names, which are to be written.
    pub(crate) fn check<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> anyhow::Result<()> {
        let is_foreign = |name: &&str| !self.ours.contains(*name) && self.path.join(name).exists();
        match names.into_iter().find(is_foreign) {
            None => Ok(()),
            Some(theirs) => bail!(
                "{} has a {theirs} that nerode did not write; choose another folder, or overwrite it with --force",
                self.path.display()
            ),
        }
    }

    /// Lists those of these files that exist as ours.
    pub(crate) fn adopt<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> anyhow::Result<()> {
        let there = names.into_iter().filter(|name| self.path.join(name).exists());
        self.ours.extend(there.map(str::to_owned));
        self.list().with_context(|| self.cannot_list())
    }

    /// Writes a file, or removes an earlier one for `None`, and keeps the list of our files.
    pub(crate) fn put(&mut self, name: &str, bytes: Option<&[u8]>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        let written = bytes.map(|bytes| self.write(&path, bytes));
        let is_there = matches!(written, Some(Ok(())));
        // A file of an earlier run must not pass for one of this run.
        let removed = if is_there { Ok(()) } else { remove(&path) };
        let listed = match is_there {
            true if self.ours.insert(name.to_owned()) => self.lock.append(&format!("{name}\n")),
            false if self.ours.remove(name) => self.list(),
            _ => Ok(()),
        };
        let listed = listed.with_context(|| self.cannot_list());
        written.unwrap_or(Ok(())).and(removed).and(listed)
    }

    fn list(&mut self) -> std::io::Result<()> {
        self.lock.write(&self.ours.iter().map(|name| format!("{name}\n")).collect::<String>())
    }

    fn cannot_list(&self) -> String {
        format!("cannot write to {}", self.path.join(MARK).display())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let folder = path.parent().unwrap_or(&self.path);
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Output::open(Some(path))?.finish_bytes(bytes)
    }
}

fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

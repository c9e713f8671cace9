//! The output folder of a run. Each file is written whole or not at all.
//!
//! The file `.nerode` lists the files that nerode wrote. Others of the same name belong to somebody else and are not
//! overwritten.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use nerode::render::{self, FILES, folder};

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
    /// Opens the folder and creates it if needed. Fails before the work if the folder is not writable, if another
    /// process writes to it, or if it holds foreign files with our names.
    pub(crate) fn open<'a>(
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
        force: bool,
    ) -> anyhow::Result<Self> {
        let name = path.display();
        std::fs::create_dir_all(path).with_context(|| format!("cannot create the folder {name}"))?;
        // Never overwrite the input.
        let here = path.canonicalize().ok();
        for input in inputs {
            let file = input.file_name().and_then(|name| name.to_str());
            let whose = input.canonicalize().ok().and_then(|input| input.parent().map(Path::to_owned));
            if whose.is_some() && whose == here && file.is_some_and(|name| FILES.contains(&name)) {
                bail!("--out {name} would overwrite the examples in {}; choose another folder", input.display());
            }
        }
        let mut lock = Lock::of(path, MARK)?;
        let mark = lock.read().with_context(|| format!("cannot read {}", path.join(MARK).display()))?;
        let ours: BTreeSet<String> = mark.lines().map(str::to_owned).collect();
        if let Some(theirs) = FILES.iter().find(|file| !ours.contains(**file) && !force && path.join(file).exists()) {
            bail!(
                "{name} has a {theirs} that nerode did not write; choose another folder, or overwrite it with --force"
            );
        }
        Output::open(Some(&path.join("result.json"))).map(drop)?;
        Ok(Self { path: path.to_owned(), lock, ours })
    }

    /// Writes all files, and removes files of an earlier run that this one does not have. A file that cannot be written
    /// does not keep the others from being written; the first error is returned.
    pub(crate) fn fill(&mut self, learned: &nerode::Learned, context: &render::Context) -> anyhow::Result<()> {
        // `result.json` says that a run has ended, so it is removed first and written last.
        let files = folder::files(learned, context);
        let puts = std::iter::once(("result.json", None)).chain(files).map(|(name, bytes)| self.put(name, bytes));
        puts.fold(Ok(()), Result::and)
    }

    /// Writes or removes a file, and keeps the list of our files.
    fn put(&mut self, name: &str, bytes: Option<Vec<u8>>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        let written = bytes.map(|bytes| Output::open(Some(&path)).and_then(|output| output.finish_bytes(&bytes)));
        let is_there = matches!(written, Some(Ok(())));
        // A file of an earlier run must not pass for one of this run.
        let removed = if is_there { Ok(()) } else { remove(&path) };
        let is_new = if is_there { self.ours.insert(name.to_owned()) } else { self.ours.remove(name) };
        let listed = if is_new { self.list() } else { Ok(()) };
        written.unwrap_or(Ok(())).and(removed).and(listed)
    }

    fn list(&mut self) -> anyhow::Result<()> {
        let text: String = self.ours.iter().map(|name| format!("{name}\n")).collect();
        self.lock.write(&text).with_context(|| format!("cannot write to {}", self.path.join(MARK).display()))
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

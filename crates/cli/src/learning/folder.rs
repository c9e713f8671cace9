//! The folder of a run: everything about an answer as files, each written whole.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use nerode::render::{self, FILES, folder};

use crate::output::Output;

/// Says that nerode made the folder, and is locked while a process writes there.
const MARK: &str = ".nerode";

/// A folder that can be written to, and that no other process writes to meanwhile.
pub(crate) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// The folder, made if it is not there. One that cannot be written to, that another process writes to, or that holds
    /// files of somebody else's under the names of ours, is refused before the work.
    pub(crate) fn open<'a>(
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
        force: bool,
    ) -> anyhow::Result<Self> {
        let name = path.display();
        let is_new = !path.exists();
        std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {name}"))?;
        // What is learned from is not written over.
        let here = path.canonicalize().ok();
        for input in inputs {
            let file = input.file_name().and_then(|name| name.to_str());
            let whose = input.canonicalize().ok().and_then(|input| input.parent().map(Path::to_owned));
            if whose.is_some() && whose == here && file.is_some_and(|name| FILES.contains(&name)) {
                bail!("--out {name} would write over the examples in {}: name another folder", input.display());
            }
        }
        let mark = path.join(MARK);
        let is_ours = is_new || mark.exists();
        if let Some(theirs) = FILES.iter().find(|file| !is_ours && !force && path.join(file).exists()) {
            bail!("{name} has a {theirs} that nerode did not write: name another folder, or --force writes over it");
        }
        let cannot_write = || format!("cannot write to {name}");
        let lock = File::options().create(true).truncate(false).write(true).open(&mark).with_context(cannot_write)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another process is writing to {name}"),
            // Some file systems have no locks; there, two processes are told apart by nobody.
            Err(TryLockError::Error(_)) => {}
        }
        Output::open(Some(&path.join("result.json"))).map(drop)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Writes all files; those of an earlier run that this one has no use for are removed.
    pub(crate) fn fill(&self, learned: &nerode::Learned, context: &render::Context) -> anyhow::Result<()> {
        // Where it is, all are: so it goes first and comes last.
        self.put("result.json", None)?;
        folder::files(learned, context).into_iter().try_for_each(|(name, bytes)| self.put(name, bytes))
    }

    fn put(&self, name: &str, bytes: Option<Vec<u8>>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        match bytes {
            Some(bytes) => Output::open(Some(&path))?.finish_bytes(&bytes),
            None => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(error).with_context(|| format!("cannot remove {}", path.display()))
                }
                _ => Ok(()),
            },
        }
    }
}

//! The output folder of a run. Each file is written whole or not at all.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use nerode::render::{self, FILES, folder};

use crate::output::Output;

/// Marks a folder as written by nerode, and is locked while a process writes there.
const MARK: &str = ".nerode";

/// A writable folder, locked against other processes.
pub(crate) struct Folder {
    path: PathBuf,
    _lock: File,
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
        let is_new = !path.exists();
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
        let mark = path.join(MARK);
        let is_ours = is_new || mark.exists();
        if let Some(theirs) = FILES.iter().find(|file| !is_ours && !force && path.join(file).exists()) {
            bail!(
                "{name} has a {theirs} that nerode did not write; choose another folder, or overwrite it with --force"
            );
        }
        let cannot_write = || format!("cannot write to {name}");
        let lock = File::options().create(true).truncate(false).write(true).open(&mark).with_context(cannot_write)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another process is writing to {name}"),
            // Some file systems have no locks; there, two processes go undetected.
            Err(TryLockError::Error(_)) => {}
        }
        Output::open(Some(&path.join("result.json"))).map(drop)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Writes all files, and removes files of an earlier run that this one does not have.
    pub(crate) fn fill(&self, learned: &nerode::Learned, context: &render::Context) -> anyhow::Result<()> {
        // `result.json` marks a complete folder, so it is removed first and written last.
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

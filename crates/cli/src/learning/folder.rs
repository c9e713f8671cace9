//! The output folder of a run.

use std::path::Path;

use anyhow::bail;
use nerode::render::{self, FILES, folder};

use crate::folder::Folder;
use crate::output::Output;

/// Opens the folder of a run. Fails before the work if the folder is not writable, if another process writes to it, or if
/// it holds foreign files with our names.
pub(crate) fn open<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>, force: bool) -> anyhow::Result<Folder> {
    let folder = Folder::open(path)?;
    // Never overwrite the input.
    let here = path.canonicalize().ok();
    for input in inputs {
        let file = input.file_name().and_then(|name| name.to_str());
        let whose = input.canonicalize().ok().and_then(|input| input.parent().map(Path::to_owned));
        if whose.is_some() && whose == here && file.is_some_and(|name| FILES.contains(&name)) {
            let name = path.display();
            bail!("--out {name} would overwrite the examples in {}; choose another folder", input.display());
        }
    }
    if !force {
        folder.check(FILES)?;
    }
    Output::open(Some(&path.join("result.json"))).map(drop)?;
    Ok(folder)
}

/// Writes all files, and removes files of an earlier run that this one does not have. A file that cannot be written does
/// not keep the others from being written; the first error is returned.
pub(crate) fn fill(folder: &mut Folder, learned: &nerode::Learned, context: &render::Context) -> anyhow::Result<()> {
    // `result.json` says that a run has ended, so it is removed first and written last.
    let files = folder::files(learned, context);
    let puts = std::iter::once(("result.json", None)).chain(files);
    puts.map(|(name, bytes)| folder.put(name, bytes.as_deref())).fold(Ok(()), Result::and)
}

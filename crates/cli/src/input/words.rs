//! Words from the command line and from files.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{anyhow, bail};
use nerode::examples::{Reader, Written, unquoted, words};
use nerode::text::counted;

use super::open;

/// Calls `visit` with each word from the command line and then from a file. Blank lines of the file are skipped and
/// counted, unless they stand for the empty word.
pub(crate) fn each(
    reader: &Reader,
    given: &[OsString],
    file: Option<&Path>,
    empty_word: bool,
    mut visit: impl FnMut(Written) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    for word in given {
        let read = reader.read(unquoted(word.as_encoded_bytes()));
        visit(read.map_err(|message| anyhow!("the word {word:?}: {message}"))?)?;
    }
    let (mut blank, mut count) = (0, 0);
    let Some(file) = file else { return Ok(blank) };
    let source = open(file)?;
    source.check_encoding(Some(&reader.cut))?;
    for (line, word) in words(source.bytes(), &reader.cut, empty_word) {
        match word {
            Some(word) => visit(reader.read(word).map_err(|message| source.at(line, message))?)?,
            None => blank += 1,
        }
        count += usize::from(word.is_some());
    }
    if count == 0 {
        bail!("{}: there are no words{}", source.name, skipped(blank, " (", ")"));
    }
    Ok(blank)
}

/// The number of blank lines skipped, if any.
pub(crate) fn skipped(blank: usize, before: &str, after: &str) -> String {
    match blank {
        0 => String::new(),
        _ => format!("{before}{} skipped{after}", counted(blank as u64, "blank line")),
    }
}

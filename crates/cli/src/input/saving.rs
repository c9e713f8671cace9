//! Examples saved to files.
//!
//! Letters that a format cannot hold are refused when the file is opened, before there is anything to lose: a person who
//! answered questions about words will find a place for the answers.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use automata::{Alphabet, Examples, Label, Word};
use nerode::examples::{Format, detect, write};

use crate::output::Output;

/// A place for examples, opened before the work.
pub(crate) enum Saving {
    /// One file with labels.
    Labelled { output: Output, format: Format },
    /// Two files of words: those that belong, and those that do not.
    Text { positive: Output, negative: Output },
}

/// Writes the examples in the format that the ending of `path` is for: `.csv`, `.tsv`, `.jsonl`, `.abbadingo`; or, for
/// `NAME.txt`, as `NAME.positive.txt` and `NAME.negative.txt`.
#[cfg(test)]
pub(crate) fn write(path: &Path, examples: &Examples) -> anyhow::Result<()> {
    Saving::open(path, examples.alphabet())?.finish(examples, &[])
}

impl Saving {
    /// Opens the file or files for examples over letters like these.
    pub(crate) fn open(path: &Path, alphabet: &Alphabet) -> anyhow::Result<Self> {
        let place = || path.display().to_string();
        if let Some(format) = detect::by_name(path) {
            write::check(format, alphabet).with_context(place)?;
            return Ok(Saving::Labelled { output: Output::open(Some(path))?, format });
        }
        if path.extension().is_none_or(|ending| ending != "txt") {
            bail!("{}: examples are saved as .csv, .tsv, .jsonl, .abbadingo or .txt", path.display());
        }
        write::check(Format::Text, alphabet).with_context(place)?;
        let open = |kind: &str| Output::open(Some(&half(path, kind)));
        Ok(Saving::Text { positive: open("positive")?, negative: open("negative")? })
    }

    /// Whether answers to questions are told apart from what was given when the file is read again.
    pub(crate) fn marks_answers(&self) -> bool {
        matches!(self, Saving::Labelled { format, .. } if write::marks_answers(*format))
    }

    /// Writes the examples and the answers to questions.
    pub(crate) fn finish(self, examples: &Examples, answers: &[(Word, Label)]) -> anyhow::Result<()> {
        match self {
            Saving::Labelled { output, format } => output.finish_bytes(&write::labelled(format, examples, answers)?),
            Saving::Text { positive, negative } => {
                let lines = |label| write::lines(examples, answers, label);
                // Both are made before one is written.
                let (accepted, rejected) = (lines(Label::Accepted)?, lines(Label::Rejected)?);
                positive.finish_bytes(&accepted)?;
                negative.finish_bytes(&rejected)
            }
        }
    }
}

/// `NAME.positive.txt` for `NAME.txt`.
fn half(path: &Path, kind: &str) -> PathBuf {
    path.with_extension(format!("{kind}.txt"))
}

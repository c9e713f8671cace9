//! Saving examples to files.
//!
//! Letters that a format cannot represent are refused when the file is opened, before any work is done: someone who has
//! answered questions must not lose the answers.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use automata::{Alphabet, Examples, Label, Word};
use nerode::examples::{Format, detect, write};

use crate::output::Output;

/// Output files for examples, opened before the work.
pub(crate) enum Saving {
    /// One file with labels.
    Labelled { output: Output, format: Format },
    /// Two files, for accepted and rejected words.
    Text { positive: Output, negative: Output },
}

/// Writes the examples in the format given by the extension of `path`: `.csv`, `.tsv`, `.jsonl`, `.abbadingo`; or, for
/// `NAME.txt`, to `NAME.positive.txt` and `NAME.negative.txt`.
#[cfg(test)]
pub(crate) fn write(path: &Path, examples: &Examples) -> anyhow::Result<()> {
    Saving::open(path, examples.alphabet())?.finish(examples, &[])
}

impl Saving {
    /// Opens the file or files for examples over this alphabet.
    pub(crate) fn open(path: &Path, alphabet: &Alphabet) -> anyhow::Result<Self> {
        let place = || path.display().to_string();
        if let Some(format) = detect::by_name(path) {
            write::check(format, alphabet).with_context(place)?;
            return Ok(Saving::Labelled { output: Output::open(Some(path))?, format });
        }
        if path.extension().is_none_or(|ending| ending != "txt") {
            bail!("{}: examples can be saved as .csv, .tsv, .jsonl, .abbadingo or .txt", path.display());
        }
        write::check(Format::Text, alphabet).with_context(place)?;
        let open = |kind: &str| Output::open(Some(&half(path, kind)));
        Ok(Saving::Text { positive: open("positive")?, negative: open("negative")? })
    }

    /// Whether the format distinguishes answers to questions from given examples.
    pub(crate) fn marks_answers(&self) -> bool {
        matches!(self, Saving::Labelled { format, .. } if write::marks_answers(*format))
    }

    /// Writes the examples and the answers to questions.
    pub(crate) fn finish(self, examples: &Examples, answers: &[(Word, Label)]) -> anyhow::Result<()> {
        match self {
            Saving::Labelled { output, format } => output.finish_bytes(&write::labelled(format, examples, answers)?),
            Saving::Text { positive, negative } => {
                let lines = |label| write::lines(examples, answers, label);
                // Render both before writing either.
                let (accepted, rejected) = (lines(Label::Accepted)?, lines(Label::Rejected)?);
                let (positive, negative) = (positive.finish_bytes(&accepted), negative.finish_bytes(&rejected));
                positive.and(negative)
            }
        }
    }
}

/// `NAME.positive.txt` for `NAME.txt`.
fn half(path: &Path, kind: &str) -> PathBuf {
    path.with_extension(format!("{kind}.txt"))
}

//! Labelled words as people have them: read into one form with nothing lost on the way, and written again.
//!
//! ```text
//!   Source ──► text, csv, jsonl ──► rows ──┐
//!   (bytes)    (one row at a time)         ├──► Given ──► check
//!         └──► abbadingo ──────────────────┘
//! ```
//!
//! Every row is read, or the one that cannot be is reported by file and line; blank lines are counted. [`write`](mod@write)
//! writes what is read here.

mod abbadingo;
mod csv;
pub mod detect;
mod given;
mod jsonl;
mod label;
pub(crate) mod labels;
mod letters;
mod places;
mod rows;
mod source;
mod text;
pub mod write;
mod written;

use automata::{Examples, ExamplesBuilder, Label, Letter};

pub use given::Given;
pub use letters::Cut;
pub use source::Source;
pub use text::{unquoted, words};
pub use written::{Reader, Written};

use crate::Error;
use crate::error::bail;
use rows::Rows;

/// How examples are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One word a line; words of one label.
    Text,
    /// A table with columns `word` and `label`, separated by commas.
    Csv,
    /// The same, separated by tabs.
    Tsv,
    /// A JSON object a line, with keys `word` and `label`.
    Jsonl,
    /// A header `words letters`, then `label length letter …` a line.
    Abbadingo,
}

/// Reads one source that says of each word whether it belongs.
pub fn read_labelled(source: &Source, format: Format, cut: Option<Cut>) -> Result<Given, Error> {
    source.check_encoding(cut.as_ref())?;
    let mut rows = Rows::default();
    let usual = || cut.clone().unwrap_or(Cut::Chars);
    match format {
        Format::Text => bail!(
            "{}: the words have no labels: give a file of accepted words and a file of rejected words, or one file with \
             columns `word` and `label`",
            source.name
        ),
        Format::Csv => csv::read(source, b',', &usual(), &mut rows)?,
        Format::Tsv => csv::read(source, b'\t', &usual(), &mut rows)?,
        Format::Jsonl => jsonl::read(source, cut.as_ref(), &mut rows)?,
        Format::Abbadingo if cut.as_ref().is_some_and(|cut| *cut != Cut::Tokens) => {
            bail!(
                "{}: --letters and --separator do not apply to Abbadingo files, whose letters are numbers",
                source.name
            )
        }
        Format::Abbadingo => return abbadingo::read(source),
    }
    Ok(rows.finish())
}

/// Reads sources of words, one a line, all words of a source with the same label.
pub fn read_words(sources: &[(Source, Label)], cut: &Cut, empty_word: bool) -> Result<Given, Error> {
    let mut rows = Rows::default();
    for (source, label) in sources {
        source.check_encoding(Some(cut))?;
        text::read(source, cut, empty_word, *label, &mut rows)?;
    }
    Ok(rows.finish())
}

/// Something from a file in a message: quoted, on one line, and only its beginning when it is long.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

/// Words of characters: those that belong to the language, and those that do not.
pub fn of_words<A: AsRef<str>, R: AsRef<str>>(
    accepted: impl IntoIterator<Item = A>,
    rejected: impl IntoIterator<Item = R>,
) -> Result<Examples, Error> {
    let mut builder = ExamplesBuilder::default();
    let mut add = |word: &str, label: Label| {
        let word: Vec<Letter> = word.chars().map(|c| builder.letter(c.encode_utf8(&mut [0; 4]))).collect();
        builder.add(&word, label);
    };
    accepted.into_iter().for_each(|word| add(word.as_ref(), Label::Accepted));
    rejected.into_iter().for_each(|word| add(word.as_ref(), Label::Rejected));
    Ok(builder.build()?.0)
}

/// Words of tokens, each a list of names, with their labels.
pub fn of_tokens<'a, W: AsRef<[&'a str]>>(words: impl IntoIterator<Item = (W, Label)>) -> Result<Examples, Error> {
    let mut builder = ExamplesBuilder::default();
    for (names, label) in words {
        let word: Vec<Letter> = names.as_ref().iter().map(|name| builder.letter(name)).collect();
        builder.add(&word, label);
    }
    Ok(builder.build()?.0)
}

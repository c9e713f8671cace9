//! Examples as people have them: labelled words in files, read into one form, with nothing lost on the way.
//!
//! ```text
//!   files ──► source ──► text, csv, jsonl ──► rows ──┐
//!             (bytes)    (one row at a time)         ├──► Given ──► check
//!                   └──► abbadingo ──────────────────┘
//! ```
//!
//! Every row is read, or the one that cannot be is told by file and line; blank lines are counted. [`saving`] writes
//! what is read here.

mod abbadingo;
mod csv;
mod detect;
mod given;
mod jsonl;
mod label;
mod letters;
mod places;
mod rows;
pub(crate) mod saving;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod written;

use std::path::{Path, PathBuf};

use anyhow::bail;
use automata::formats::Label;
use clap::ValueEnum;

use crate::operand::Letters;

pub(crate) use given::Given;
pub(crate) use letters::Cut;
use rows::Rows;
pub(crate) use source::Source;
use text::{unquoted, words};
pub(crate) use written::{Reader, Written, skipped};

/// What to learn from: the same for every command that takes examples.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// The examples: one file with labels (CSV, TSV, JSON lines, Abbadingo), or two files with a word a line, first
    /// those that belong to the language, then those that do not. `-` is standard input, `example:paper` the example
    /// of the paper.
    #[arg(value_name = "FILE", num_args = 0..=2, conflicts_with_all = ["positive", "negative"])]
    files: Vec<PathBuf>,

    /// A file of words that belong to the language, one a line; may be given again.
    #[arg(long, value_name = "FILE")]
    positive: Vec<PathBuf>,

    /// A file of words that do not belong to it, likewise.
    #[arg(long, value_name = "FILE")]
    negative: Vec<PathBuf>,

    /// The format of the examples.
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    format: Format,

    /// What a letter is [default: chars; tokens where JSON has words as lists, or with --separator].
    #[arg(long, value_name = "KIND")]
    letters: Option<Letters>,

    /// What stands between two tokens, taken literally [default: any white space].
    #[arg(long, value_name = "TEXT")]
    separator: Option<String>,

    /// Take a blank line of a text file for the empty word. It is skipped otherwise, and `""` is the empty word.
    #[arg(long)]
    empty_word: bool,
}

/// How examples are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// By the ending of the file's name, else by how the file begins.
    Auto,
    /// A word a line, in two files.
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

impl Input {
    /// One file, read as it shows itself to be.
    pub(crate) fn of_file(path: &Path) -> Self {
        Self {
            files: vec![path.to_owned()],
            positive: Vec::new(),
            negative: Vec::new(),
            format: Format::Auto,
            letters: None,
            separator: None,
            empty_word: false,
        }
    }

    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.positive.is_empty() && self.negative.is_empty()
    }

    /// All files, as they were named.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().chain(&self.positive).chain(&self.negative).map(PathBuf::as_path)
    }

    /// Whether some of it is to be read from standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.paths().any(|path| path == Path::new("-"))
    }

    /// Reads everything. Words of both labels are needed; what else may be wrong is asked of [`Given::check`].
    pub(crate) fn read(&self) -> anyhow::Result<Given> {
        if self.paths().filter(|path| *path == Path::new("-")).count() > 1 {
            bail!("standard input can be read only once");
        }
        let cut = self.cut()?;
        let given = match &self.files[..] {
            [] if self.is_empty() => {
                bail!("there are no examples: give one file with labels, or one of words that belong and one of others")
            }
            [] => self.unlabelled(&self.positive, &self.negative, cut)?,
            [labelled] => self.labelled(labelled, cut)?,
            [positive, negative, ..] => {
                self.unlabelled(std::slice::from_ref(positive), std::slice::from_ref(negative), cut)?
            }
        };
        given.check_both_labels()?;
        Ok(given)
    }

    /// What the caller says of letters, if anything.
    fn cut(&self) -> anyhow::Result<Option<Cut>> {
        match (&self.separator, self.letters) {
            (Some(separator), _) if separator.is_empty() => bail!("--separator is empty: --letters chars needs none"),
            (Some(_), Some(Letters::Chars | Letters::Bytes)) => bail!("--separator goes with --letters tokens only"),
            (Some(separator), _) => Ok(Some(Cut::Separated(separator.clone()))),
            (None, letters) => Ok(letters.map(|letters| letters.spelling().into())),
        }
    }

    /// One file that says of each word whether it belongs.
    fn labelled(&self, path: &Path, cut: Option<Cut>) -> anyhow::Result<Given> {
        if let Some(example) = path.to_str().and_then(|path| path.strip_prefix("example:")) {
            if example != "paper" {
                bail!("no examples are called {example:?}: there are paper");
            }
            return Ok(Given::paper());
        }
        let source = Source::open(path)?;
        let format = match self.format {
            Format::Auto => detect::by_name(path).unwrap_or_else(|| detect::by_content(source.bytes())),
            told => told,
        };
        self.read_labelled(&source, format, cut)
    }

    fn read_labelled(&self, source: &Source, format: Format, cut: Option<Cut>) -> anyhow::Result<Given> {
        source.check_encoding(cut.as_ref())?;
        let mut rows = Rows::new();
        let usual = || cut.clone().unwrap_or(Cut::Chars);
        match format {
            Format::Auto | Format::Text => bail!(
                "{}: nothing here says which words belong to the language: give a second file with those that do not, \
                 or a file with columns `word` and `label`",
                source.name
            ),
            Format::Csv => csv::read(source, b',', &usual(), &mut rows)?,
            Format::Tsv => csv::read(source, b'\t', &usual(), &mut rows)?,
            Format::Jsonl => jsonl::read(source, cut.as_ref(), &mut rows)?,
            Format::Abbadingo if cut.as_ref().is_some_and(|cut| *cut != Cut::Tokens) => {
                bail!("{}: the letters of an Abbadingo file are numbers: they are not cut otherwise", source.name)
            }
            Format::Abbadingo => {
                let (examples, places, blank) = abbadingo::read(source)?;
                return Ok(Given::new(examples, places, blank));
            }
        }
        Ok(Given::of_rows(rows))
    }

    /// Files that hold words of one kind each.
    fn unlabelled(&self, positive: &[PathBuf], negative: &[PathBuf], cut: Option<Cut>) -> anyhow::Result<Given> {
        if !matches!(self.format, Format::Auto | Format::Text) {
            let format = self.format.to_possible_value().expect("every format has a name");
            bail!("--format {} is for one file that has labels: give it alone", format.get_name());
        }
        let cut = cut.unwrap_or(Cut::Chars);
        let mut rows = Rows::new();
        let positive = positive.iter().map(|path| (path, Label::Accepted));
        for (path, label) in positive.chain(negative.iter().map(|path| (path, Label::Rejected))) {
            if self.format == Format::Auto && detect::by_name(path).is_some() {
                let name = path.display();
                bail!("{name} has labels of its own: give it alone (--format text takes each of its lines for a word)");
            }
            let source = Source::open(path)?;
            source.check_encoding(Some(&cut))?;
            text::read(&source, &cut, self.empty_word, label, &mut rows)?;
        }
        Ok(Given::of_rows(rows))
    }
}

/// Something from a file in a message: quoted, on one line, and only its beginning when it is long.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

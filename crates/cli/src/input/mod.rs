//! Example files: their names and formats. `nerode::examples` reads their content.

pub(crate) mod saving;
#[cfg(test)]
mod tests;
mod words;

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use automata::Label;
use clap::ValueEnum;
use nerode::examples::{self, Cut, Given, Source, detect};

use crate::operand::Letters;

pub(crate) use words::{each, skipped};

/// Where the examples come from: the same options for every command that takes examples.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// The examples: one file with labels (CSV, TSV, JSON lines, Abbadingo), or two files with one word per line, first
    /// the accepted words, then the rejected ones. `-` is standard input, `example:paper` the paper's example.
    #[arg(value_name = "FILE", num_args = 0..=2, conflicts_with_all = ["positive", "negative"])]
    files: Vec<PathBuf>,

    /// A file of accepted words, one per line. May be repeated.
    #[arg(long, value_name = "FILE")]
    positive: Vec<PathBuf>,

    /// A file of rejected words, one per line. May be repeated.
    #[arg(long, value_name = "FILE")]
    negative: Vec<PathBuf>,

    /// The format of the examples.
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    format: Format,

    /// What counts as a letter [default: chars; tokens if JSON has words as lists, or with --separator].
    #[arg(long, value_name = "KIND")]
    letters: Option<Letters>,

    /// Separator between tokens, taken literally [default: any white space].
    #[arg(long, value_name = "TEXT")]
    separator: Option<String>,

    /// Read a blank line of a file with one word per line as the empty word. By default blank lines are skipped, and `""`
    /// is the empty word.
    #[arg(long)]
    empty_word: bool,
}

/// Formats of example files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// By file extension, else by content.
    Auto,
    /// One word per line, in two files.
    Text,
    /// Comma-separated, with columns `word` and `label`.
    Csv,
    /// The same, tab-separated.
    Tsv,
    /// One JSON object per line, with keys `word` and `label`.
    Jsonl,
    /// A header `words letters`, then one line `label length letter …` per word.
    Abbadingo,
}

impl Format {
    /// The requested format; `None` to detect it.
    fn given(self) -> Option<examples::Format> {
        match self {
            Format::Auto => None,
            Format::Text => Some(examples::Format::Text),
            Format::Csv => Some(examples::Format::Csv),
            Format::Tsv => Some(examples::Format::Tsv),
            Format::Jsonl => Some(examples::Format::Jsonl),
            Format::Abbadingo => Some(examples::Format::Abbadingo),
        }
    }
}

/// Reads a file of words, or standard input for `-`.
pub(crate) fn open(path: &Path) -> anyhow::Result<Source> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(Source::new("standard input", bytes));
    }
    let name = path.display().to_string();
    if path.is_dir() {
        bail!("{name} is a folder, not a file of words");
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!("there is no file {name}"),
        _ => anyhow::Error::new(error).context(format!("cannot read {name}")),
    })?;
    Ok(Source::new(name, bytes))
}

impl Input {
    /// One file, with its format detected.
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

    /// Whether no files were given.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.positive.is_empty() && self.negative.is_empty()
    }

    /// All files, as named.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().chain(&self.positive).chain(&self.negative).map(PathBuf::as_path)
    }

    /// Whether any of it is read from standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.paths().any(|path| path == Path::new("-"))
    }

    /// Refuses options about files where none of them is read.
    pub(crate) fn check_unread(&self, why: &str) -> anyhow::Result<()> {
        let given = [
            ("--format", self.format != Format::Auto),
            ("--letters", self.letters.is_some()),
            ("--separator", self.separator.is_some()),
            ("--empty-word", self.empty_word),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => bail!("{option} is for files of examples, but {why}"),
            None => Ok(()),
        }
    }

    /// Reads everything. Some label is required; [`Given::check`] and the session make all other checks.
    pub(crate) fn read(&self) -> anyhow::Result<Given> {
        if self.paths().filter(|path| *path == Path::new("-")).count() > 1 {
            bail!("standard input can be read only once");
        }
        let cut = self.cut()?;
        let given = match &self.files[..] {
            [] if self.is_empty() => {
                bail!(
                    "no examples given: give one file with labels, or a file of accepted and a file of rejected words"
                )
            }
            [] => self.unlabelled(&self.positive, &self.negative, cut)?,
            [labelled] => self.labelled(labelled, cut)?,
            [positive, negative, ..] => {
                self.unlabelled(std::slice::from_ref(positive), std::slice::from_ref(negative), cut)?
            }
        };
        given.check_labels()?;
        Ok(given)
    }

    /// How words are split into letters, if specified.
    fn cut(&self) -> anyhow::Result<Option<Cut>> {
        match (&self.separator, self.letters) {
            (Some(separator), _) if separator.is_empty() => bail!("--separator is empty; use --letters chars instead"),
            (Some(_), Some(Letters::Chars | Letters::Bytes)) => bail!("--separator requires --letters tokens"),
            (Some(separator), _) => Ok(Some(Cut::Separated(separator.clone()))),
            (None, letters) => Ok(letters.map(|letters| letters.spelling().into())),
        }
    }

    /// One file with labels.
    fn labelled(&self, path: &Path, cut: Option<Cut>) -> anyhow::Result<Given> {
        if let Some(example) = path.to_str().and_then(|path| path.strip_prefix("example:")) {
            if example != "paper" {
                bail!("there are no examples named {example:?}; available: paper");
            }
            self.check_unread("example:paper is part of the program")?;
            return Ok(Given::paper());
        }
        if self.empty_word {
            bail!("--empty-word is for text files with one word per line, but {} has labels", path.display());
        }
        let source = open(path)?;
        let found = || detect::by_name(path).unwrap_or_else(|| detect::by_content(source.bytes()));
        Ok(examples::read_labelled(&source, self.format.given().unwrap_or_else(found), cut)?)
    }

    /// Files with words of one label each.
    fn unlabelled(&self, positive: &[PathBuf], negative: &[PathBuf], cut: Option<Cut>) -> anyhow::Result<Given> {
        if !matches!(self.format, Format::Auto | Format::Text) {
            let format = self.format.to_possible_value().expect("every format has a name");
            bail!("--format {} is for a single file with labels", format.get_name());
        }
        let cut = cut.unwrap_or(Cut::Chars);
        let mut sources = Vec::new();
        let positive = positive.iter().map(|path| (path, Label::Accepted));
        for (path, label) in positive.chain(negative.iter().map(|path| (path, Label::Rejected))) {
            if self.format == Format::Auto && detect::by_name(path).is_some() {
                let name = path.display();
                bail!("{name} has labels, so give it alone (--format text reads each line as a word)");
            }
            sources.push((open(path)?, label));
        }
        Ok(examples::read_words(&sources, &cut, self.empty_word)?)
    }
}

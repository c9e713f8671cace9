//! Examples from files: which files, in which format. What is in them is read by `nerode::examples`.

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

impl Format {
    /// What was asked for; none to find out.
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
        bail!("{name} is a folder: the words stand in a file");
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!("there is no file {name}"),
        _ => anyhow::Error::new(error).context(format!("cannot read {name}")),
    })?;
    Ok(Source::new(name, bytes))
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
        let source = open(path)?;
        let found = || detect::by_name(path).unwrap_or_else(|| detect::by_content(source.bytes()));
        Ok(examples::read_labelled(&source, self.format.given().unwrap_or_else(found), cut)?)
    }

    /// Files that hold words of one kind each.
    fn unlabelled(&self, positive: &[PathBuf], negative: &[PathBuf], cut: Option<Cut>) -> anyhow::Result<Given> {
        if !matches!(self.format, Format::Auto | Format::Text) {
            let format = self.format.to_possible_value().expect("every format has a name");
            bail!("--format {} is for one file that has labels: give it alone", format.get_name());
        }
        let cut = cut.unwrap_or(Cut::Chars);
        let mut sources = Vec::new();
        let positive = positive.iter().map(|path| (path, Label::Accepted));
        for (path, label) in positive.chain(negative.iter().map(|path| (path, Label::Rejected))) {
            if self.format == Format::Auto && detect::by_name(path).is_some() {
                let name = path.display();
                bail!("{name} has labels of its own: give it alone (--format text takes each of its lines for a word)");
            }
            sources.push((open(path)?, label));
        }
        Ok(examples::read_words(&sources, &cut, self.empty_word)?)
    }
}

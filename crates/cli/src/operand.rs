//! Languages given as arguments: files of any format, `regex:…`, `example:…`, run folders, standard input.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use automata::formats::{self, Document, Format};
use automata::{Alphabet, DEFAULT_STATE_LIMIT, Dfa, Direction, Nfa, Regex, RegexError, Spelling, TooManyStates};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::examples;

/// How languages are read, the same for every command.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// Letters to add to those that occur; they widen `.`, `[^…]` and every alphabet. A list, or a class such as
    /// `[a-z0-9]`.
    #[arg(long, value_name = "LETTERS")]
    alphabet: Option<String>,

    /// What a letter is, in expressions, words and --alphabet [default: as in the other operand, else chars].
    #[arg(long, value_name = "KIND")]
    letters: Option<Letters>,

    /// Format of the input file [default: detected].
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,

    /// Maximum number of states of a deterministic automaton.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STATE_LIMIT)]
    pub(crate) max_states: usize,

    /// Letters known from elsewhere.
    #[arg(skip)]
    known: Option<Alphabet>,
}

/// The kinds of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Letters {
    /// Each Unicode character.
    Chars,
    /// Each byte.
    Bytes,
    /// Words separated by white space; in an expression, in angle brackets: `<login>`.
    Tokens,
}

impl Letters {
    /// As the library names it.
    pub(crate) fn spelling(self) -> Spelling {
        match self {
            Letters::Chars => Spelling::Chars,
            Letters::Bytes => Spelling::Bytes,
            Letters::Tokens => Spelling::Tokens,
        }
    }
}

/// Side of the letter on which a production has its non-terminal.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Side {
    /// `A -> B c`.
    Left,
    /// `A -> c B`.
    Right,
}

impl From<Side> for nerode::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => nerode::Side::Left,
            Side::Right => nerode::Side::Right,
        }
    }
}

impl From<Side> for Direction {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Direction::Left,
            Side::Right => Direction::Right,
        }
    }
}

/// Limits lengths, because counting by length takes memory for each length.
pub(crate) fn word_length() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u64).range(..=1_000_000).map(|length| length as usize)
}

/// A format by name; clap lists the names if it is wrong.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::named(&name).expect("only names of formats pass"))
}

/// The text of an operand, and its origin.
struct Source {
    name: String,
    text: String,
    format: Format,
    /// Whether the format is known from the operand, so that `--from` does not apply.
    is_known: bool,
}

impl Source {
    fn open(operand: &str, requested: Option<Format>) -> anyhow::Result<Self> {
        if let Some(pattern) = operand.strip_prefix("regex:") {
            let (name, text) = (operand.to_owned(), pattern.to_owned());
            return Ok(Self { name, text, format: Format::Regex, is_known: true });
        }
        let is_folder = Path::new(operand).is_dir();
        let is_known = is_folder || operand.starts_with("example:");
        let requested = requested.filter(|_| !is_known);
        let (name, bytes) = if let Some(example) = operand.strip_prefix("example:") {
            (operand.to_owned(), examples::grammar(example)?.as_bytes().to_vec())
        } else if operand == "-" {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            ("standard input".to_owned(), bytes)
        } else {
            let path = Path::new(operand);
            // The folder of a run means its automaton.
            let path = if is_folder { path.join("dfa.json") } else { path.to_owned() };
            if is_folder && !path.exists() {
                bail!("the folder {operand} has no dfa.json");
            }
            let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => anyhow::anyhow!(
                    "no such file: {operand} (write an expression as regex:PATTERN, an example as example:NAME)"
                ),
                _ => anyhow::Error::new(error).context(format!("cannot read {}", path.display())),
            })?;
            (path.display().to_string(), bytes)
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            anyhow::anyhow!("{name}:{line}: not UTF-8 text")
        })?;
        let by_name = match Path::new(&name).extension().and_then(|extension| extension.to_str()) {
            Some("att") => Some(Format::Att),
            Some("dot" | "gv") => Some(Format::Dot),
            Some("json") => Some(Format::Json),
            Some("regex") => Some(Format::Regex),
            _ => None,
        };
        let format = requested.or(by_name).unwrap_or_else(|| Format::detect(&text));
        Ok(Self { name, text, format, is_known })
    }

    fn read(&self, alphabet: &Alphabet, spelling: Spelling) -> anyhow::Result<Document> {
        // `regex:` takes the pattern literally, with its white space; a file is split into lines.
        if self.name.starts_with("regex:") {
            let regex = Regex::parse_spelled(&self.text, alphabet, spelling);
            return regex.map(Document::Regex).with_context(|| self.name.clone());
        }
        formats::read(&self.text, self.format, alphabet, spelling).map_err(|error| match error.line() {
            Some(line) => anyhow::anyhow!("{}:{line}: {}", self.name, error.message()),
            None => anyhow::anyhow!("{}: {}", self.name, error.message()),
        })
    }
}

/// A language as read.
pub(crate) struct Language {
    pub(crate) name: String,
    pub(crate) document: Document,
}

/// Reports that a construction exceeded its limit.
pub(crate) fn too_many_states(name: &str, TooManyStates { limit }: TooManyStates, allowed: usize) -> anyhow::Error {
    let advice = if limit == allowed { "raise the limit with --max-states" } else { "more would not fit into 1 GiB" };
    anyhow::anyhow!("{name}: the deterministic automaton needs more than {limit} states ({advice})")
}

impl Language {
    /// An automaton with the structure of the document.
    pub(crate) fn nfa(&self) -> anyhow::Result<Nfa> {
        self.document.to_nfa().map_err(|error| anyhow::anyhow!("{}: {error}", self.name))
    }

    /// The minimal automaton.
    pub(crate) fn minimal_dfa(&self, reading: &Reading) -> anyhow::Result<Dfa> {
        self.document.to_minimal_dfa(reading.max_states).map_err(|error| match error {
            RegexError::TooManyStates(error) => too_many_states(&self.name, error, reading.max_states),
            error => anyhow::anyhow!("{}: {error}", self.name),
        })
    }
}

impl Reading {
    /// The defaults, with these letters known.
    pub(crate) fn over(known: &Alphabet) -> Self {
        Self { alphabet: None, letters: None, from: None, max_states: DEFAULT_STATE_LIMIT, known: Some(known.clone()) }
    }

    /// The kind of letters given on the command line.
    pub(crate) fn requested_spelling(&self) -> Option<Spelling> {
        self.letters.map(Letters::spelling)
    }

    /// Reads the operands over one alphabet: the union of their letters and `--alphabet`.
    pub(crate) fn languages<const N: usize>(&self, operands: [&str; N]) -> anyhow::Result<[Language; N]> {
        self.read(operands, false)
    }

    /// The same for commands that also read words, which `--letters` is about.
    pub(crate) fn language_of_words(&self, operand: &str) -> anyhow::Result<Language> {
        self.read([operand], true).map(|[language]| language)
    }

    /// Refuses `--from` for operands whose format is known.
    pub(crate) fn check_known(&self, operand: &str) -> anyhow::Result<()> {
        match self.from {
            Some(_) => bail!("--from does not apply to {operand}, whose format is known"),
            None => Ok(()),
        }
    }

    /// Whether options say how to read the operand.
    pub(crate) fn is_requested(&self) -> bool {
        self.from.is_some() || self.letters.is_some()
    }

    fn read<const N: usize>(&self, operands: [&str; N], reads_words: bool) -> anyhow::Result<[Language; N]> {
        if operands.iter().filter(|operand| **operand == "-").count() > 1 {
            bail!("standard input can be read only once");
        }
        let mut sources = Vec::new();
        for operand in operands {
            sources.push(Source::open(operand, self.from)?);
        }
        if sources.iter().all(|source| source.is_known) {
            self.check_known(operands[0])?;
        }
        let spells = reads_words || self.alphabet.is_some() || sources.iter().any(|it| it.format == Format::Regex);
        if self.letters.is_some() && !spells {
            bail!("--letters is for expressions, words and --alphabet; {} has its own letters", operands[0]);
        }
        let requested = self.requested_spelling();
        let given = match &self.alphabet {
            None => Alphabet::of_chars(""),
            Some(text) if text.starts_with('[') && text.ends_with(']') && text.len() > 2 => {
                Regex::parse(text, &Alphabet::of_chars("")).context("--alphabet")?.alphabet().clone()
            }
            Some(text) => {
                let names = requested.unwrap_or(Spelling::Chars).split(text).context("--alphabet")?;
                Alphabet::new(names).context("--alphabet")?
            }
        };
        // First read everything that has its own letters, to know all letters and their spelling.
        let mut known = self.known.as_ref().map_or(given.clone(), |known| known.union(&given));
        let mut documents = Vec::new();
        for source in &sources {
            let document =
                if source.format == Format::Regex { None } else { Some(source.read(&known, Spelling::Chars)?) };
            known = document.as_ref().map_or(known.clone(), |document| known.union(document.alphabet()));
            documents.push(document);
        }
        let spelling = requested.unwrap_or_else(|| known.spelling());
        for source in sources.iter().filter(|source| source.format == Format::Regex) {
            known = known.union(source.read(&known, spelling)?.alphabet());
        }
        // Then extend all to the union; expressions are parsed again, because `.` depends on it.
        let mut languages = Vec::new();
        for (source, document) in sources.into_iter().zip(documents) {
            let document = match document {
                Some(document) if *document.alphabet() == known => document,
                Some(document) => document.over(&known),
                None => source.read(&known, spelling)?,
            };
            if let Document::Regex(regex) = &document
                && regex.has_vacuous_class()
            {
                let letters = regex.alphabet();
                crate::note(&format!("in {}, `.` or a class matches none of the known letters {letters}", source.name));
            }
            languages.push(Language { name: source.name, document });
        }
        Ok(languages.try_into().map_err(|_| ()).expect("one language for each operand"))
    }
}

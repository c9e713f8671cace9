//! Languages as files. Each reader accepts what its writer produces.
//!
//! | module | content | read as |
//! |---|---|---|
//! | [`grammar_text`] | productions, one per line: `A1 -> A1 b` | [`Grammar`] |
//! | [`json`] | `grammar.json`, `nfa.json`, `dfa.json` (schemas in `docs/`) | any |
//! | [`dot`] | Graphviz, also as written by AALpy and LearnLib | [`Dfa`] or [`Nfa`] |
//! | [`att`] | the AT&T text of OpenFst, foma and HFST | [`Dfa`] or [`Nfa`] |
//! | [`abbadingo`] | labelled words; as a language, the accepted ones | [`Examples`] |
//! | [`Regex`] | one line in the syntax of the `regex` crate | [`Regex`] |
//!
//! [`read`] reads any of them; [`Format::detect`] guesses the format.
//!
//! What is written can be read back. An expression that would be taken for another format is written with its first
//! character as a number; a grammar uses directives for what its productions do not say; AT&T text and DOT keep letters
//! that are on no edge. DOT has one edge per letter, as AALpy and LearnLib write it; pictures for people are the job of
//! `drawing`.

pub mod abbadingo;
pub mod att;
pub mod dot;
pub mod grammar_text;
pub mod json;

use crate::alphabet::{Alphabet, Spelling};
use crate::determinize::{as_deterministic, determinize};
use crate::dfa::Dfa;
use crate::examples::Examples;
use crate::grammar::Grammar;
use crate::minimize::minimize;
use crate::nfa::{Nfa, NfaBuilder};
use crate::regex::{Regex, RegexError};
use crate::{StateId, WordError};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct FormatError {
    line: Option<usize>,
    message: String,
}

impl FormatError {
    /// An error about the whole file.
    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    /// An error about one line, counted from 1.
    pub(crate) fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    /// The line of the error, counted from 1, if it concerns one line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What is wrong, without the line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<RegexError> for FormatError {
    fn from(error: RegexError) -> Self {
        Self::whole(error.to_string())
    }
}

impl From<WordError> for FormatError {
    fn from(error: WordError) -> Self {
        Self::whole(error.to_string())
    }
}

/// A file format for languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Productions as text.
    Grammar,
    /// A grammar, NFA or DFA as JSON.
    Json,
    /// Graphviz.
    Dot,
    /// AT&T text.
    Att,
    /// Labelled words.
    Abbadingo,
    /// A regular expression.
    Regex,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] =
        [Format::Grammar, Format::Json, Format::Dot, Format::Att, Format::Abbadingo, Format::Regex];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Grammar => "grammar",
            Format::Json => "json",
            Format::Dot => "dot",
            Format::Att => "att",
            Format::Abbadingo => "abbadingo",
            Format::Regex => "regex",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that `text` looks like.
    #[must_use]
    pub fn detect(text: &str) -> Self {
        let text = without_mark(text);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(first) = lines.next() else { return Format::Regex };
        let word = |name: &str| {
            first.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        if first.starts_with('{') {
            Format::Json
        } else if ["digraph", "strict"].into_iter().any(word) || first.starts_with("//") || first.starts_with("/*") {
            Format::Dot
        } else if grammar_text::looks_like(text) {
            Format::Grammar
        } else if abbadingo::looks_like(text) {
            Format::Abbadingo
        } else if att::looks_like(text) {
            Format::Att
        } else {
            Format::Regex
        }
    }
}

/// A language in the form in which it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// A regular grammar.
    Grammar(Grammar),
    /// A non-deterministic automaton.
    Nfa(Nfa),
    /// A deterministic automaton.
    Dfa(Dfa),
    /// A regular expression.
    Regex(Regex),
    /// Labelled words: the language is the finite set of accepted words.
    Examples(Examples),
}

/// The text without the byte-order mark that some editors prepend.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// An expression as a line of a file: its first character is written by number if the line would be read as another
/// format.
#[must_use]
pub fn write_regex(regex: &Regex) -> String {
    let pattern = regex.to_string();
    let blank = pattern.trim().is_empty() || pattern.starts_with('\u{feff}');
    match pattern.chars().next() {
        Some(first) if blank || Format::detect(&pattern) != Format::Regex => {
            format!("\\x{{{:X}}}{}\n", u32::from(first), &pattern[first.len_utf8()..])
        }
        _ => pattern + "\n",
    }
}

/// Reads `text` in the given format. `alphabet` and `spelling` are used for expressions, whose `.` ranges over the
/// known letters; automata and grammars are extended by the letters of `alphabet`.
pub fn read(text: &str, format: Format, alphabet: &Alphabet, spelling: Spelling) -> Result<Document, FormatError> {
    let text = without_mark(text);
    let document = match format {
        Format::Grammar => Document::Grammar(grammar_text::read(text)?),
        Format::Json => json::read(text)?,
        Format::Dot => Document::from_nfa(dot::read(text)?),
        Format::Att => Document::from_nfa(att::read(text)?),
        Format::Abbadingo => Document::Examples(abbadingo::read(text)?),
        Format::Regex => {
            let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let Some((_, pattern)) = lines.next() else {
                return Err(FormatError::whole("the file is empty; expected a grammar, automaton or expression"));
            };
            if let Some((more, _)) = lines.next() {
                return Err(FormatError::at(
                    more + 1,
                    "no format is recognised: not a grammar, JSON, DOT, AT&T or Abbadingo file, and a regular expression \
                     has a single line",
                ));
            }
            return Ok(Document::Regex(Regex::parse_spelled(pattern, alphabet, spelling)?));
        }
    };
    Ok(document.over(&document.alphabet().union(alphabet)))
}

impl Document {
    /// An automaton from a file: a DFA if it is deterministic.
    fn from_nfa(nfa: Nfa) -> Self {
        as_deterministic(&nfa).map_or(Document::Nfa(nfa), Document::Dfa)
    }

    /// The known letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        match self {
            Document::Grammar(grammar) => grammar.alphabet(),
            Document::Nfa(nfa) => nfa.alphabet(),
            Document::Dfa(dfa) => dfa.alphabet(),
            Document::Regex(regex) => regex.alphabet(),
            Document::Examples(examples) => examples.alphabet(),
        }
    }

    /// The same language over a larger alphabet. An expression is returned unchanged: which letters its `.` stands for
    /// was decided when it was read.
    #[must_use]
    pub fn over(&self, larger: &Alphabet) -> Self {
        match self {
            Document::Grammar(grammar) => Document::Grammar(grammar.over(larger)),
            Document::Nfa(nfa) => Document::Nfa(nfa.over(larger)),
            Document::Dfa(dfa) => Document::Dfa(dfa.over(larger)),
            Document::Regex(regex) => Document::Regex(regex.clone()),
            Document::Examples(examples) => Document::Examples(examples.over(larger)),
        }
    }

    /// An automaton for the language that keeps the structure of the document.
    pub fn to_nfa(&self) -> Result<Nfa, RegexError> {
        Ok(match self {
            Document::Grammar(grammar) => grammar.to_named_nfa(),
            Document::Nfa(nfa) => nfa.clone(),
            Document::Dfa(dfa) => Nfa::from(dfa),
            Document::Regex(regex) => regex.to_nfa()?,
            Document::Examples(examples) => examples.prefix_tree(),
        })
    }

    /// The minimal automaton of the language. Fails if determinisation takes more than `limit` states.
    pub fn to_minimal_dfa(&self, limit: usize) -> Result<Dfa, RegexError> {
        let dfa = match self {
            Document::Dfa(dfa) => return Ok(minimize(dfa)),
            other => determinize(&other.to_nfa()?, limit)?,
        };
        Ok(minimize(&dfa))
    }
}

/// An equivalent automaton with one initial state: unchanged if it has one, otherwise with a new first state that has
/// the edges of all initial states. For formats that allow only one initial state.
fn with_one_initial_state(nfa: &Nfa) -> Nfa {
    let initial: Vec<StateId> = nfa.initial().collect();
    if initial.len() == 1 {
        return nfa.clone();
    }
    let moved = |state: StateId| StateId::new(state.index() + 1);
    let mut builder = NfaBuilder::with_states(nfa.alphabet().clone(), nfa.len() + 1);
    let first = StateId::new(0);
    builder.initial(first);
    for (from, letter, to) in nfa.edges() {
        builder.edge(moved(from), letter, moved(to));
        if nfa.is_initial(from) {
            builder.edge(first, letter, moved(to));
        }
    }
    nfa.accepting().for_each(|state| builder.accepting(moved(state)));
    if nfa.accepts_empty_word() {
        builder.accepting(first);
    }
    builder.build()
}

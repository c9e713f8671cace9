//! Regular expressions: parsed in the syntax of the `regex` crate, and written as a person would write them.
//!
//! ```text
//!   pattern ──parse──► Regex ──compile──► Nfa
//!   Dfa ──eliminate──► Regex ──simplify, shorten, tidy──► Regex ──write──► pattern
//! ```
//!
//! An expression matches whole words. `.` and `[^…]` range over the *known* letters: those passed with the pattern
//! and those the pattern mentions. Expressions are written without either, so that the `regex` crate reads them the
//! same way.

mod compile;
mod eliminate;
mod factor;
mod parse;
mod shorten;
mod simplify;
mod tidy;
mod write;

pub use write::token_pattern;

use std::fmt;

use crate::alphabet::{Alphabet, Spelling};
use crate::determinize::{DEFAULT_STATE_LIMIT, TooManyStates, determinize};
use crate::dfa::Dfa;
use crate::ids::Letter;
use crate::minimize::minimize;
use crate::nfa::Nfa;
use shorten::Effort;

/// A regular expression over an alphabet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regex {
    alphabet: Alphabet,
    root: Node,
    vacuous: bool,
}

/// An expression or a part of one, built by the functions of `simplify`, which avoid obvious redundancy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// The empty language.
    Nothing,
    /// The empty word.
    Empty,
    /// One of these letters, which are sorted and non-empty.
    Class(Vec<Letter>),
    /// `node` from `min` to `max` times.
    Repeat {
        /// What is repeated.
        node: Box<Node>,
        /// At least this often.
        min: u32,
        /// At most this often, or any number of times.
        max: Option<u32>,
    },
    /// A concatenation of at least two parts.
    Concat(Vec<Node>),
    /// An alternation of at least two parts.
    Alt(Vec<Node>),
}

/// Why a pattern cannot be read, or an automaton cannot be written as an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegexError {
    /// The pattern is not an expression of the `regex` crate.
    #[error("at column {column} of the expression: {message}")]
    Syntax {
        /// The column, counted in characters from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A valid expression that does not describe whole words.
    #[error("{0} is not supported; an expression describes whole words")]
    Unsupported(&'static str),
    /// The expression or its automaton would be too large.
    #[error("the expression is too large: {0}")]
    TooLarge(String),
    /// The deterministic automaton would be too large.
    #[error(transparent)]
    TooManyStates(#[from] TooManyStates),
}

impl Regex {
    /// Reads a pattern. The known letters are those of `alphabet` and those that the pattern mentions.
    pub fn parse(pattern: &str, alphabet: &Alphabet) -> Result<Self, RegexError> {
        Self::parse_spelled(pattern, alphabet, Spelling::Chars)
    }

    /// Reads a pattern over characters, classes, bytes or tokens. Over tokens, a letter of more than one character is
    /// written in angle brackets: `<login>(<read>|<write>)*<logout>`. A pattern with `(?-u)` is read over bytes. A
    /// pattern over characters is read over classes if the known letters are classes, or if it names very many
    /// characters.
    pub fn parse_spelled(pattern: &str, alphabet: &Alphabet, spelling: Spelling) -> Result<Self, RegexError> {
        parse::parse(pattern, alphabet, spelling)
    }

    /// The expression with this tree over letters of this alphabet.
    #[must_use]
    pub fn new(alphabet: Alphabet, root: Node) -> Self {
        let root = tidy::tidy(root, &alphabet);
        Self { alphabet, root, vacuous: false }
    }

    /// A readable expression for the language of `dfa`. Expressions may grow exponentially with the automaton: it is an
    /// error if one would take more than about twenty thousand symbols.
    pub fn from_dfa(dfa: &Dfa) -> Result<Self, RegexError> {
        let minimal = minimize(dfa);
        let root = shorten::shorten(eliminate::eliminate(&minimal)?, &minimal, Effort::THOROUGH);
        Ok(Self::new(dfa.alphabet().clone(), root))
    }

    /// The same with little effort; `None` if the expression has more symbols than this before it is shortened.
    #[must_use]
    pub fn from_dfa_within(dfa: &Dfa, symbols: usize) -> Option<Self> {
        let minimal = minimize(dfa);
        let eliminated = eliminate::eliminate(&minimal).ok()?;
        let is_short = eliminated.iter().any(|node| node.size() <= symbols);
        is_short.then(|| Self::new(dfa.alphabet().clone(), shorten::shorten(eliminated, &minimal, Effort::QUICK)))
    }

    /// Whether `.`, `[^…]` or another class of the parsed pattern contains none of the known letters: most likely the
    /// alphabet is incomplete.
    #[must_use]
    pub fn has_vacuous_class(&self) -> bool {
        self.vacuous
    }

    /// The expression as a tree.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The known letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The position automaton of the expression (Glushkov's), with counted repetitions expanded.
    pub fn to_nfa(&self) -> Result<Nfa, RegexError> {
        compile::compile(&self.root, &self.alphabet, compile::POSITION_LIMIT)
    }

    /// The minimal automaton.
    pub fn to_dfa(&self) -> Result<Dfa, RegexError> {
        Ok(minimize(&determinize(&self.to_nfa()?, DEFAULT_STATE_LIMIT)?))
    }
}

/// The pattern, in the syntax of the `regex` crate.
impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write::pattern(&self.root, &self.alphabet))
    }
}

impl Node {
    /// Whether the empty word matches.
    fn nullable(&self) -> bool {
        match self {
            Node::Nothing | Node::Class(_) => false,
            Node::Empty => true,
            Node::Repeat { node, min, .. } => *min == 0 || node.nullable(),
            Node::Concat(parts) => parts.iter().all(Node::nullable),
            Node::Alt(parts) => parts.iter().any(Node::nullable),
        }
    }

    /// The approximate length of the expression.
    fn size(&self) -> usize {
        match self {
            Node::Nothing | Node::Empty | Node::Class(_) => 1,
            Node::Repeat { node, .. } => node.size() + 1,
            Node::Concat(parts) => parts.iter().map(Node::size).sum(),
            Node::Alt(parts) => 1 + parts.iter().map(Node::size).sum::<usize>(),
        }
    }

    /// The number of levels, from 1.
    fn depth(&self) -> usize {
        match self {
            Node::Nothing | Node::Empty | Node::Class(_) => 1,
            Node::Repeat { node, .. } => 1 + node.depth(),
            Node::Concat(parts) | Node::Alt(parts) => 1 + parts.iter().map(Node::depth).max().unwrap_or(0),
        }
    }
}

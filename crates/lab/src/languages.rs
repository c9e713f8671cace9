//! Languages from their specifications: each a function of its specification and a seed.

use automata::formats::grammar_text;
use automata::{
    Alphabet, DEFAULT_STATE_LIMIT, Dfa, Direction, Grammar, Regex, RegexError, count_to, determinize, minimize,
};
use rand_core::Rng;

use crate::chance::{self, seed_of};
use crate::dfas::{NoSuchSize, random_dfa_of_size, random_sparse_dfa_of_size};
use crate::grammars::{GrammarError, GrammarSettings, random_grammar};
use crate::spec::Language;
use crate::stamina::{self, random_automaton};
use crate::strings;
use crate::subregular::{self, Subregular};

/// Minimum number of words of at most [`REJECTS_WITHIN`] letters that a random grammar must reject, or a quarter of all
/// if there are few. Other grammars are drawn again: they accept nearly everything, and could not be distinguished from
/// the language of all words.
const REJECTS: u32 = 2000;
const REJECTS_WITHIN: usize = 8;
/// Minimum number of words of at most [`EXPRESSION_WITHIN`] letters that a random expression must accept, and reject.
const EXPRESSION_WORDS: u32 = 50;
const EXPRESSION_WITHIN: usize = 10;
/// Maximum number of attempts to draw a language.
const TRIES: u64 = 1000;

/// A language to be learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The grammar that was drawn, or that of the automaton.
    pub grammar: Grammar,
    /// The minimal complete automaton.
    pub dfa: Dfa,
    /// The formula of a subregular language.
    pub formula: Option<String>,
    /// The seed for drawing words.
    pub(crate) seed: u64,
}

/// Why a language could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LanguageError {
    /// The grammar could not be drawn.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// The automaton could not be drawn.
    #[error(transparent)]
    Size(#[from] NoSuchSize),
    /// The expression is invalid.
    #[error(transparent)]
    Expression(#[from] RegexError),
    /// Every language drawn accepts or rejects too few words.
    #[error("none of {TRIES} random languages accepts and rejects enough words to be learned")]
    Trivial,
    /// The automaton is too large.
    #[error(transparent)]
    TooManyStates(#[from] automata::TooManyStates),
    /// No everyday language has this name.
    #[error("there is no everyday language named {0}")]
    Everyday(String),
    /// There are seven Tomita languages.
    #[error("Tomita's languages are numbered 1 to 7, not {0}")]
    Tomita(usize),
}

impl Language {
    /// Draws the language.
    pub fn draw(&self, seed: u64) -> Result<Target, LanguageError> {
        match self {
            &Self::Grammar { letters, nonterminals, productions, index, reversed } => {
                let target = paper_grammar(letters, nonterminals, productions, index, seed)?;
                if !reversed {
                    return Ok(target);
                }
                let grammar = target.grammar.reversed();
                let dfa = minimize(&determinize(&grammar.to_nfa(), DEFAULT_STATE_LIMIT)?);
                Ok(Target { grammar, dfa, formula: None, seed: target.seed })
            }
            &Self::Automaton { letters, states, index } => {
                let seed = seed_of(seed, &[states as u64, index]);
                Ok(of_dfa(&random_dfa_of_size(states, letters, seed)?, seed))
            }
            &Self::Sparse { letters, states, transitions, index } => {
                let seed = seed_of(seed, &[states as u64, index, letters as u64]);
                Ok(of_dfa(&random_sparse_dfa_of_size(states, letters, transitions, seed)?, seed))
            }
            &Self::RandomExpression { letters, size, index } => random_expression(letters, size, index, seed),
            Self::Expression { expression, letters, .. } | Self::Exercise { expression, letters, .. } => {
                let regex = Regex::parse(expression, &Alphabet::of_chars(letters))?;
                Ok(of_dfa(&regex.to_dfa()?, seed))
            }
            &Self::Tomita { number } => {
                let grammar = tomita_grammar(number).ok_or(LanguageError::Tomita(number))?;
                let dfa = minimize(&determinize(&grammar.to_nfa(), DEFAULT_STATE_LIMIT)?);
                Ok(Target { grammar, dfa, formula: None, seed: seed_of(seed, &[number as u64]) })
            }
            Self::Everyday { name } => {
                let language = strings::named(name).ok_or_else(|| LanguageError::Everyday(name.clone()))?;
                Ok(of_dfa(language.dfa(), seed))
            }
            &Self::Stamina { letters, states, index } => {
                let seed = seed_of(seed, &[letters as u64, states as u64, index]);
                let none = NoSuchSize { states, letters, tries: stamina::TRIES };
                Ok(of_dfa(&random_automaton(letters, states, seed).ok_or(none)?, seed))
            }
            Self::Subregular { recipe } => {
                let seed = seed_of(seed, &[recipe.letters as u64, recipe.index]);
                let Subregular { formula, dfa } = subregular::draw(recipe, seed).ok_or(LanguageError::Trivial)?;
                let formula = Some(formula.text(dfa.alphabet()));
                Ok(Target { formula, ..of_dfa(&dfa, seed) })
            }
        }
    }

    /// The number of letters of the language when drawn: an expression may add letters to those given.
    #[must_use]
    pub fn letters(&self) -> usize {
        match self {
            Self::Grammar { letters, .. }
            | Self::Automaton { letters, .. }
            | Self::Sparse { letters, .. }
            | Self::Stamina { letters, .. }
            | Self::RandomExpression { letters, .. } => *letters,
            Self::Expression { expression, letters, .. } | Self::Exercise { expression, letters, .. } => {
                let named = Alphabet::of_chars(letters);
                Regex::parse(expression, &named).map_or(named.len(), |regex| regex.alphabet().len())
            }
            Self::Tomita { .. } => 2,
            Self::Everyday { .. } => strings::characters().len(),
            Self::Subregular { recipe } => recipe.letters,
        }
    }
}

/// The grammar of the Tomita language with this number.
fn tomita_grammar(number: usize) -> Option<Grammar> {
    const GRAMMARS: [&str; 7] = [
        include_str!("../../../testdata/languages/tomita1.txt"),
        include_str!("../../../testdata/languages/tomita2.txt"),
        include_str!("../../../testdata/languages/tomita3.txt"),
        include_str!("../../../testdata/languages/tomita4.txt"),
        include_str!("../../../testdata/languages/tomita5.txt"),
        include_str!("../../../testdata/languages/tomita6.txt"),
        include_str!("../../../testdata/languages/tomita7.txt"),
    ];
    let text = GRAMMARS.get(number.checked_sub(1)?)?;
    Some(grammar_text::read(text).expect("the grammars are tested"))
}

/// A grammar of the paper's grid, or of a similar one.
fn paper_grammar(
    letters: usize,
    nonterminals: usize,
    productions: usize,
    index: u64,
    seed: u64,
) -> Result<Target, LanguageError> {
    let settings =
        GrammarSettings { letters, nonterminals, productions: productions as f64, ..GrammarSettings::default() };
    let seed = seed_of(seed, &[nonterminals as u64, productions as u64, index]);
    let everything = Dfa::constant(crate::letters(letters), true);
    let enough = (count_to(&everything, REJECTS_WITHIN) / 4_u32).min(REJECTS.into());
    for number in 0..TRIES {
        let grammar = random_grammar(&settings, seed_of(seed, &[number]))?;
        let dfa = minimize(&determinize(&grammar.to_nfa(), DEFAULT_STATE_LIMIT)?);
        if count_to(&dfa.complement(), REJECTS_WITHIN) >= enough {
            return Ok(Target { grammar, dfa, formula: None, seed });
        }
    }
    Err(LanguageError::Trivial)
}

fn of_dfa(dfa: &Dfa, seed: u64) -> Target {
    let dfa = minimize(dfa);
    Target { grammar: Grammar::from_dfa(&dfa, Direction::Left), dfa, formula: None, seed }
}

fn random_expression(letters: usize, size: usize, index: u64, seed: u64) -> Result<Target, LanguageError> {
    let seed = seed_of(seed, &[letters as u64, size as u64, index]);
    let alphabet = crate::letters(letters);
    for number in 0..TRIES {
        let mut random = chance::stream(seed, number);
        let pattern = expression(&alphabet, size.max(1), &mut random);
        let target = of_dfa(&Regex::parse(&pattern, &alphabet)?.to_dfa()?.over(&alphabet), seed);
        let enough = |dfa: &Dfa| count_to(dfa, EXPRESSION_WITHIN) >= EXPRESSION_WORDS.into();
        if enough(&target.dfa) && enough(&target.dfa.complement()) {
            return Ok(target);
        }
    }
    Err(LanguageError::Trivial)
}

/// An expression with this many letters: split at a random point, the two parts concatenated or alternated, and one
/// part in three repeated or made optional.
fn expression(alphabet: &Alphabet, size: usize, random: &mut impl Rng) -> String {
    let body = if size == 1 {
        alphabet.names()[chance::below(alphabet.len(), random)].clone()
    } else {
        let cut = 1 + chance::below(size - 1, random);
        let (one, other) = (expression(alphabet, cut, random), expression(alphabet, size - cut, random));
        // Alternation is less frequent, as in expressions that people write.
        if chance::happens(0.35, random) { format!("({one}|{other})") } else { format!("({one}{other})") }
    };
    match chance::below(9, random) {
        0 => body + "*",
        1 => body + "+",
        2 => body + "?",
        _ => body,
    }
}

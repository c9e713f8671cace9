//! `nerode generate grammar`.

use std::path::PathBuf;

use automata::formats::grammar_text;
use lab::grammars::{GrammarSettings, random_grammar};

use crate::Answer;
use crate::output::Output;

/// Generate a random left-regular grammar, as in the paper.
///
/// Each non-terminal has a geometrically distributed number of productions of the form A -> c or A -> B c. The language
/// is not empty, and every non-terminal occurs in some derivation.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode generate grammar
  nerode generate grammar -t 2 -n 5 -p 2.5 --seed 7 -o grammar.txt
  nerode generate grammar --seed 3 | nerode convert - --to regex")]
pub(crate) struct Arguments {
    /// Number of letters.
    #[arg(short = 't', long, visible_alias = "letters-count", value_name = "T", default_value_t = 4)]
    letters: usize,

    /// Number of non-terminals.
    #[arg(short, long, value_name = "N", default_value_t = 3)]
    nonterminals: usize,

    /// Mean number of productions of a non-terminal; duplicates count once.
    #[arg(short, long, value_name = "P", default_value_t = 3.0)]
    productions: f64,

    /// Probability that a production has the form A -> c.
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.4)]
    terminal: f64,

    /// Random seed.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Output file [default: standard output]. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let &Arguments { letters, nonterminals, productions, terminal, seed, .. } = arguments;
    let output = Output::open(arguments.output.as_deref())?;
    let grammar = random_grammar(&GrammarSettings { letters, nonterminals, productions, terminal }, seed)?;
    output.finish(&grammar_text::write(&grammar))?;
    Ok(Answer::Yes)
}

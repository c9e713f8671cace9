//! `nerode generate dfa`.

use std::path::PathBuf;

use automata::formats::json;
use lab::dfas::{random_dfa, random_dfa_of_size};

use crate::Answer;
use crate::output::Output;

/// Maximum number of transitions.
const MOST_TRANSITIONS: usize = 50_000_000;

/// Generate a random minimal deterministic automaton, as the Abbadingo competition did.
///
/// A quarter more states are drawn than requested, with uniform transitions and a fair coin for acceptance. The reachable
/// part is minimised, which leaves about the requested number of states.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode generate dfa --states 20
  nerode generate dfa --states 64 --letters 4 --exact --seed 7 -o dfa.json")]
pub(crate) struct Arguments {
    /// Approximate number of states.
    #[arg(short = 'k', long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    states: u32,

    /// Number of letters.
    #[arg(short = 't', long, visible_alias = "letters-count", value_name = "T", default_value_t = 2)]
    letters: u32,

    /// Repeat until there are exactly that many states.
    #[arg(long)]
    exact: bool,

    /// Random seed.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Output file [default: standard output]. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let (states, letters) = (arguments.states as usize, arguments.letters as usize);
    if states.saturating_mul(letters.max(1)) > MOST_TRANSITIONS {
        anyhow::bail!(
            "{states} states with {letters} letters need more than the limit of {MOST_TRANSITIONS} transitions"
        );
    }
    let output = Output::open(arguments.output.as_deref())?;
    let dfa = match arguments.exact {
        true => random_dfa_of_size(states, letters, arguments.seed)?,
        false => random_dfa(states, letters, arguments.seed),
    };
    output.finish(&json::write_dfa(&dfa))?;
    Ok(Answer::Yes)
}

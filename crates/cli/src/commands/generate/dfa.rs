//! `nerode generate dfa`.

use std::path::PathBuf;

use automata::formats::json;
use lab::dfas::{random_dfa, random_dfa_of_size};

use crate::Answer;
use crate::output::Output;

/// More transitions than this are not drawn.
const MOST_TRANSITIONS: usize = 50_000_000;

/// Draw a random minimal deterministic automaton, as the Abbadingo competition did.
///
/// A quarter more states are drawn than asked for, with uniform transitions and a coin tossed for each whether it
/// accepts; those that are reached are minimised. That makes about as many states as asked for.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode generate dfa --states 20
  nerode generate dfa --states 64 --letters 4 --exact --seed 7 -o dfa.json")]
pub(crate) struct Arguments {
    /// About how many states it has.
    #[arg(short = 'k', long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    states: u32,

    /// How many letters there are.
    #[arg(short = 't', long, visible_alias = "letters-count", value_name = "T", default_value_t = 2)]
    letters: u32,

    /// Draw until it has exactly that many states.
    #[arg(long)]
    exact: bool,

    /// The seed of the draw.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// The file to write instead of standard output. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let (states, letters) = (arguments.states as usize, arguments.letters as usize);
    if states.saturating_mul(letters.max(1)) > MOST_TRANSITIONS {
        anyhow::bail!("{states} states with {letters} letters each are more than {MOST_TRANSITIONS} transitions");
    }
    let output = Output::open(arguments.output.as_deref())?;
    let dfa = match arguments.exact {
        true => random_dfa_of_size(states, letters, arguments.seed)?,
        false => random_dfa(states, letters, arguments.seed),
    };
    output.finish(&json::write_dfa(&dfa))?;
    Ok(Answer::Yes)
}

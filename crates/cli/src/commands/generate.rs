//! `nerode generate`: one file per subcommand.

mod dfa;
mod examples;
mod grammar;
mod labelled;

use crate::Answer;

/// Generate a random language, or examples of a language.
///
/// The output depends only on the arguments: the same seed gives the same bytes on every machine.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Grammar(grammar::Arguments),
    Dfa(dfa::Arguments),
    Examples(examples::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    match &arguments.what {
        What::Grammar(arguments) => grammar::run(arguments),
        What::Dfa(arguments) => dfa::run(arguments),
        What::Examples(arguments) => examples::run(arguments),
    }
}

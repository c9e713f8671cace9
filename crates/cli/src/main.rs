//! `nerode`: learns regular grammars from examples and answers questions about regular languages.
//!
//! One file per command under `commands/`. This one only parses the command line and turns the outcome into an exit
//! code: 0 yes, 1 a true "no", 2 a mistake by the caller, reported in one line on standard error.

mod clock;
mod commands;
mod examples;
mod failures;
mod folder;
mod input;
mod learning;
mod lock;
mod operand;
mod output;
mod signals;
mod subject;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Learn regular grammars from examples; compare, count and draw regular languages exactly.
///
/// A language is a file (grammar, JSON, DOT, AT&T, Abbadingo or expression; the format is detected), `regex:PATTERN`,
/// `example:NAME` (paper, tomita1 to tomita7), a folder with a `dfa.json`, or `-` for standard input.
#[derive(Parser)]
#[command(name = "nerode", version, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Learn(commands::learn::Arguments),
    Prove(commands::prove::Arguments),
    Convert(commands::convert::Arguments),
    Compare(commands::compare::Arguments),
    Words(commands::words::Arguments),
    Generate(commands::generate::Arguments),
    Accepts(commands::accepts::Arguments),
    Training(commands::training::Arguments),
    Parse(commands::parse::Arguments),
    Explain(commands::explain::Arguments),
    Experiment(commands::experiment::Arguments),
    Completions(commands::completions::Arguments),
}

/// The outcome of a command: exit code 0 for yes, 1 for a true "no".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// Ended by a signal; this is the exit code.
    Interrupted(u8),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let outcome = match arguments.command {
        Command::Learn(arguments) => commands::learn::run(&arguments),
        Command::Prove(arguments) => commands::prove::run(&arguments),
        Command::Convert(arguments) => commands::convert::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Words(arguments) => commands::words::run(&arguments),
        Command::Generate(arguments) => commands::generate::run(&arguments),
        Command::Accepts(arguments) => commands::accepts::run(&arguments),
        Command::Training(arguments) => commands::training::run(&arguments),
        Command::Parse(arguments) => commands::parse::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Experiment(arguments) => commands::experiment::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
    };
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Interrupted(code)) => ExitCode::from(code),
        // The reader of our output closed the pipe.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Prints help and version unchanged, and an error as one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // A closed pipe is not an error.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let text = error.to_string();
    let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let message = first.join(" ");
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: ")).map(|tip| format!("; {tip}"));
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    tell(&format!("{message}{} (see --help)", tip.unwrap_or_default()));
    ExitCode::from(2)
}

/// Prints one line on standard error, with control characters escaped.
fn tell(message: &str) {
    // There is nobody to tell that standard error cannot be written to.
    let _ = output::print_error(&format!("nerode: {}\n", output::one_line(message)));
}

/// Prints a note on standard error.
fn note(message: &str) {
    tell(&format!("note: {message}"));
}

//! `nerode`: regular grammars learned from examples, and all that can be asked of a regular language.
//!
//! One file per command under `commands/`; this one only reads the command line and turns the outcome into an exit
//! code: 0 yes, 1 a true "no", 2 the caller's mistake, told in one line on standard error.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the terminal's side of the house")]

mod commands;
mod examples;
mod input;
mod learning;
mod operand;
mod output;
mod subject;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Regular grammars learned from examples; regular languages compared, counted and drawn exactly.
///
/// A language is given as a file (grammar, JSON, DOT, AT&T, Abbadingo, expression; the format is detected), as
/// `regex:PATTERN`, as `example:NAME` (paper, tomita1 to tomita7), as a folder with a `dfa.json`, or as `-` for
/// standard input.
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

/// What a command found: exit code 0 for yes, 1 for a true "no".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// A signal ended it: the exit code says which.
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
        // Whoever reads our output has seen enough.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Help and version as they are; a mistake in one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // A reader that went away is no mistake.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let text = error.to_string();
    let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let message = first.join(" ");
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: ")).map(|tip| format!("; {tip}"));
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    tell(&format!("{message}{} (try --help)", tip.unwrap_or_default()));
    ExitCode::from(2)
}

/// One line on standard error, whatever the names in it contain.
fn tell(message: &str) {
    eprintln!("nerode: {}", output::one_line(message));
}

/// A remark on standard error that is no mistake.
fn note(message: &str) {
    tell(&format!("note: {message}"));
}

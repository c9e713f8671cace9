//! The repository's chores: `cargo xtask test` checks everything, `cargo xtask bench NAME` measures.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores write to the terminal")]

mod answers;
mod bench;
mod browser;
mod test;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use clap::{Parser, Subcommand};

/// Chores of the repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Formatting, clippy, all tests, documentation, pages in a browser: everything that must pass before merging.
    Test {
        /// Also slow checks: answers compared with earlier ones, a study with one and two threads, all benchmarks
        /// built.
        #[arg(long)]
        all: bool,
    },
    /// Only the pages in a browser, a part of `test`.
    Pages,
    /// Answers on every set of every suite, compared with earlier answers.
    Answers(answers::Options),
    /// Run a benchmark, print its table and write its figures to target/bench/NAME.json.
    Bench {
        /// The benchmark.
        #[command(subcommand)]
        name: bench::Name,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Test { all } => test::run(all),
        Chore::Pages => browser::check(),
        Chore::Answers(options) => answers::run(&options).map(drop),
        Chore::Bench { name } => bench::run(&name),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's root.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// The cargo that runs this.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command; fails with its name unless it succeeds.
fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// The output of a command, which must succeed.
fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let output =
        command.stderr(std::process::Stdio::inherit()).output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

//! `cargo xtask bench NAME`: measured programs run one after another, their figures printed as a table and kept as
//! JSON. Figures are for reading, and for comparing within one run; no test asserts them.

mod automata;
mod kept;
mod kernels;
mod learn;
mod process;
mod python;
mod statistics;
mod strings;
mod torch;

use std::process::Command;

use anyhow::Context;
use clap::Subcommand;
use comfy_table::{Table, presets};
use serde_json::Value;

use crate::{cargo, output_of, root};

/// The benchmarks.
#[derive(Subcommand)]
pub(crate) enum Name {
    /// Minimising, comparing and counting at scale, beside Python's libraries.
    Automata,
    /// Training, against the machine's peak, on one thread and two, with and without shared prefixes.
    Kernels,
    /// Training, beside PyTorch.
    Torch,
    /// What is learned from the fixed suites, by each engine and by all together, beside AALpy.
    Learn(learn::Options),
    /// What is learned from a few everyday strings, beside the same without classes, AALpy and grex.
    Strings(strings::Options),
}

/// Runs one.
pub(crate) fn run(name: &Name) -> anyhow::Result<()> {
    match name {
        Name::Automata => automata::run(),
        Name::Kernels => kernels::run(),
        Name::Torch => torch::run(),
        Name::Learn(options) => learn::run(options),
        Name::Strings(options) => strings::run(options),
    }
}

/// The executable of a benchmark target, built optimised.
pub(crate) fn built(package: &str, bench: &str) -> anyhow::Result<String> {
    executable(&["bench", "--package", package, "--bench", bench, "--no-run"], bench)
}

/// The executable of a target that cargo builds when called with these arguments.
fn executable(arguments: &[&str], target: &str) -> anyhow::Result<String> {
    let messages = output_of(cargo().args(arguments).args(["--locked", "--message-format", "json"]))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == target)
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
        .with_context(|| format!("cargo built no executable for {target}"))
}

/// The program, built optimised, if it has the command `learn`.
pub(crate) fn nerode() -> anyhow::Result<Option<String>> {
    let program = executable(&["build", "--release", "--package", "nerode-cli"], "nerode")?;
    let help = Command::new(&program).args(["learn", "--help"]).output()?;
    Ok(help.status.success().then_some(program))
}

/// The commit that is measured, and whether there is more than was committed.
fn commit() -> anyhow::Result<String> {
    let git = |arguments: &[&str]| output_of(Command::new("git").current_dir(root()).args(arguments));
    let commit = git(&["rev-parse", "--short", "HEAD"])?.trim().to_owned();
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(if changed { commit + "+" } else { commit })
}

/// Prints rows under a heading.
fn print_table(title: &str, header: &[&str], rows: &[Vec<String>]) {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header.iter().copied());
    for row in rows {
        table.add_row(row);
    }
    println!("\n{title}\n{table}");
}

/// Keeps the figures in `target/bench/NAME.json`.
fn keep(name: &str, figures: &Value) -> anyhow::Result<()> {
    let folder = root().join("target/bench");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.json"));
    std::fs::write(&path, serde_json::to_string_pretty(figures)? + "\n")?;
    println!("\nfigures: {}", path.display());
    Ok(())
}

/// Seconds in a unit that reads well.
fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

//! `cargo xtask bench NAME`: measured programs run one after another, their figures printed as a table and kept as
//! JSON. Figures are for reading, and for comparing within one run; no test asserts them.

mod automata;
mod kernels;
mod peers;
mod process;
mod python;
mod size;
mod stop;
mod torch;

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use clap::Subcommand;
use comfy_table::{Table, presets};
use serde::Deserialize;
use serde_json::Value;

use crate::{cargo, output_of, root};

/// The benchmarks.
#[derive(Subcommand)]
pub(crate) enum Name {
    /// Minimising, comparing and counting at scale, compared with Python libraries.
    Automata,
    /// Training, compared with the machine's peak, on one and two threads, with and without shared prefixes.
    Kernels,
    /// Training, compared with PyTorch.
    Torch,
    /// AALpy and grex on the sets of the plans grid, questions and strings.
    Peers(peers::Options),
    /// A million words: time and memory.
    Size,
    /// A time limit of three seconds on inputs that take much longer.
    Stop,
}

/// Runs a benchmark.
pub(crate) fn run(name: &Name) -> anyhow::Result<()> {
    match name {
        Name::Automata => automata::run(),
        Name::Kernels => kernels::run(),
        Name::Torch => torch::run(),
        Name::Peers(options) => peers::run(options),
        Name::Size => size::run(),
        Name::Stop => stop::run(),
    }
}

/// Builds a benchmark target with optimisation; returns its executable.
pub(crate) fn built(package: &str, bench: &str) -> anyhow::Result<String> {
    executable(&["bench", "--package", package, "--bench", bench, "--no-run"], bench)
}

/// The executable of a target, built by cargo with these arguments.
fn executable(arguments: &[&str], target: &str) -> anyhow::Result<String> {
    let messages = output_of(cargo().args(arguments).args(["--locked", "--message-format", "json"]))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == target)
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
        .with_context(|| format!("cargo built no executable for {target}"))
}

/// Builds the program with optimisation.
pub(crate) fn nerode() -> anyhow::Result<String> {
    executable(&["build", "--release", "--package", "nerode-cli"], "nerode")
}

/// A set of a plan, as `nerode experiment export` lists it.
#[derive(Deserialize)]
pub(crate) struct Set {
    pub(crate) set: String,
    pub(crate) language: String,
    pub(crate) draw: String,
    pub(crate) run: u64,
    pub(crate) seed: u64,
}

/// Writes the sets of a plan to a folder, and lists them.
pub(crate) fn exported(nerode: &str, plan: &str, folder: &Path) -> anyhow::Result<Vec<Set>> {
    let mut command = Command::new(nerode);
    // The folder is ours, whichever version filled it.
    let list = output_of(command.args(["experiment", "export", plan, "--force", "--json", "--out"]).arg(folder))?;
    Ok(list.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
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

/// Writes the figures to `target/bench/NAME.json`.
fn keep(name: &str, figures: &Value) -> anyhow::Result<()> {
    let folder = root().join("target/bench");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.json"));
    std::fs::write(&path, serde_json::to_string_pretty(figures)? + "\n")?;
    println!("\nfigures: {}", path.display());
    Ok(())
}

/// The median; the higher of two middle numbers.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// A time in a readable unit.
fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

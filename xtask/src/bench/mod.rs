//! `cargo xtask bench NAME`: measured programs run one after another, their figures printed as a table and kept as
//! JSON. Figures are for reading, and for comparing within one run; no test asserts them.

mod automata;
mod kernels;
mod python;
mod torch;

use anyhow::Context;
use clap::ValueEnum;
use comfy_table::{Table, presets};
use serde_json::Value;

use crate::{cargo, output_of, root};

/// The benchmarks.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Name {
    /// Minimising, comparing and counting at scale, beside Python's libraries.
    Automata,
    /// Training, against the machine's peak, on one thread and two, with and without shared prefixes.
    Kernels,
    /// Training, beside PyTorch.
    Torch,
}

/// Runs one.
pub(crate) fn run(name: Name) -> anyhow::Result<()> {
    match name {
        Name::Automata => automata::run(),
        Name::Kernels => kernels::run(),
        Name::Torch => torch::run(),
    }
}

/// The executable of a benchmark target, built optimised.
fn built(package: &str, bench: &str) -> anyhow::Result<String> {
    let arguments =
        ["bench", "--locked", "--package", package, "--bench", bench, "--no-run", "--message-format", "json"];
    let messages = output_of(cargo().args(arguments))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == bench)
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
        .with_context(|| format!("cargo built no executable for the benchmark {bench}"))
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

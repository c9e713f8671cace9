//! `cargo xtask bench learn`: what the learner makes of the fixed suites, each engine alone beside all together, and
//! AALpy beside both.
//!
//! Rows run one after another, and within a row set after set, since times are measured. Every set that is done is kept
//! at once, so that what takes hours can be cut and taken up again; tables are made of what is kept.

mod dense;
mod grid;
mod noise;
mod questions;
mod size;
mod tomita;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::kept::Kept;
use super::{built, commit, python};
use crate::{output_of, root};

/// What is measured, and how much of it.
#[derive(Args)]
pub(crate) struct Options {
    /// One row of the table alone.
    #[arg(long, value_name = "ROW")]
    only: Option<Row>,
    /// These engines alone, as far as a row has them.
    #[arg(long, value_delimiter = ',', value_name = "ENGINE,…")]
    engines: Vec<Engine>,
    /// Seconds after which a set is cut [default: 120 for dense and questions, 30 for others].
    #[arg(long)]
    seconds: Option<u32>,
    /// Of the row dense this cell alone, as 20,50,even; may be given several times.
    #[arg(long, value_name = "STATES,WORDS,LENGTHS")]
    cells: Vec<dense::Cell>,
    /// Of the row dense so many sets a cell.
    #[arg(long, default_value_t = 10)]
    sets: usize,
    /// Leave what is kept from before as it is, and measure only what is missing.
    #[arg(long)]
    resume: bool,
}

/// The rows, quick ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Row {
    /// The paper's grid of random grammars, four ways of drawing words.
    Grid,
    /// Tomita's languages.
    Tomita,
    /// The grid with wrong labels.
    Noise,
    /// How many questions it takes from twenty words.
    Questions,
    /// A million words.
    Size,
    /// Few words of random automata; hours.
    Dense,
}

/// Who learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// All engines together, as by default.
    Auto,
    /// The model alone.
    Neural,
    /// Search alone.
    Search,
    /// Merging by evidence, one run.
    Edsm,
    /// Merging in the order of a dictionary, one run.
    Rpni,
    /// Search that is told the size.
    Given,
    /// AALpy.
    Aalpy,
}

impl Engine {
    /// The engines of the learner.
    const OURS: [Engine; 5] = [Engine::Auto, Engine::Neural, Engine::Search, Engine::Edsm, Engine::Rpni];

    fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Neural => "neural",
            Engine::Search => "search",
            Engine::Edsm => "edsm",
            Engine::Rpni => "rpni",
            Engine::Given => "given",
            Engine::Aalpy => "aalpy",
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let program = built("nerode-lab", "learn")?;
    let mut bench = Bench { program, options, kept: Kept::open("learn")?, commit: commit()?, limit: 0 };
    let rows = options.only.map_or_else(|| Row::value_variants().to_vec(), |row| vec![row]);
    for row in rows {
        match row {
            Row::Grid => grid::run(&mut bench)?,
            Row::Tomita => tomita::run(&mut bench)?,
            Row::Noise => noise::run(&mut bench)?,
            Row::Questions => questions::run(&mut bench)?,
            Row::Size => size::run(&mut bench)?,
            Row::Dense => dense::run(&mut bench)?,
        }
    }
    println!("\nfigures: {}", bench.kept.path().display());
    Ok(())
}

/// What the rows share.
struct Bench<'a> {
    program: String,
    options: &'a Options,
    kept: Kept,
    /// The state of the repository.
    commit: String,
    /// After how many seconds a set of the row is cut.
    limit: u32,
}

impl Bench<'_> {
    /// Whether an engine was asked for.
    fn wants(&self, engine: Engine) -> bool {
        self.options.engines.is_empty() || self.options.engines.contains(&engine)
    }

    /// The learner's engines that were asked for.
    fn engines(&self) -> impl Iterator<Item = Engine> + use<> {
        let wanted = Engine::OURS.map(|engine| self.wants(engine).then_some(engine));
        wanted.into_iter().flatten()
    }

    /// After how many seconds a set is cut from here on: as asked for, or as is usual for the row.
    fn limit(&mut self, usual: u32) -> String {
        self.limit = self.options.seconds.unwrap_or(usual);
        self.limit.to_string()
    }

    /// Keeps what came of a set, with what it depends on besides.
    fn keep(&mut self, at: [&str; 3], mut line: Value) -> anyhow::Result<()> {
        line["commit"] = json!(self.commit);
        line["limit_seconds"] = json!(self.limit);
        self.kept.add(at, line)
    }

    /// Measures one set of a cell.
    fn one(&mut self, at: [&str; 3], arguments: &[&str]) -> anyhow::Result<()> {
        let line: Value = serde_json::from_str(&output_of(Command::new(&self.program).args(arguments))?)?;
        let took = line["seconds"].as_f64().unwrap_or(f64::NAN);
        let is = |field: &str| if line[field] == true { "" } else { "not " };
        eprintln!("{}: {}consistent, {}exact, {took:.1} s", at.join(" "), is("consistent"), is("exact"));
        self.keep(at, line)
    }

    /// Measures a cell of so many sets with one engine: the measured program with these arguments.
    fn measure(&mut self, at: [&str; 3], sets: usize, arguments: &[&str]) -> anyhow::Result<()> {
        let mut command = Command::new(&self.program);
        command.args(arguments);
        self.gather(at, sets, command)
    }

    /// Runs a command that prints a line of JSON a set, and keeps each line as soon as it is there. `at` is the row, the
    /// cell and the engine.
    fn gather(&mut self, at: [&str; 3], sets: usize, mut command: Command) -> anyhow::Result<()> {
        let [row, cell, engine] = at;
        if self.options.resume && self.kept.count(row, cell, engine) >= sets {
            return Ok(());
        }
        self.kept.forget(row, cell, engine);
        let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot run {command:?}"))?;
        let lines = BufReader::new(child.stdout.take().context("its output was asked for")?).lines();
        let (mut done, mut exact) = (0, 0);
        for line in lines {
            let line: Value = serde_json::from_str(&line?)?;
            done += 1;
            exact += usize::from(line["exact"] == true);
            self.keep(at, line)?;
            eprint!("\r{row} {cell} {engine}: {done} of {sets}, {exact} exact   ");
        }
        eprintln!();
        let status = child.wait()?;
        if !status.success() {
            bail!("{command:?} failed: {status}");
        }
        Ok(())
    }

    /// AALpy's learners on the sets of the grid, which are written for them.
    fn aalpy(&mut self, row: &str, depth: &str, draw: &str, learners: &[&str]) -> anyhow::Result<()> {
        let cell = format!("{depth} {draw}");
        let python = python::with_packages(&["aalpy"])?;
        let folder = root().join(format!("target/bench/learn/grid-{depth}-{draw}"));
        output_of(Command::new(&self.program).args(["export", "grid", depth, draw]).arg(&folder))?;
        for learner in learners {
            let mut command = Command::new(&python);
            command.arg(root().join("scripts/learn_peers.py")).arg(&folder).arg(self.limit.to_string()).arg(learner);
            self.gather([row, &cell, &format!("aalpy {learner}")], grid::SETS, command)?;
        }
        Ok(())
    }
}

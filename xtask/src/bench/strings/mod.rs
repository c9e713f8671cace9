//! `cargo xtask bench strings`: what is learned from a few strings of everyday languages, with classes of letters and
//! without, beside AALpy's EDSM and grex.
//!
//! Learners run one after another, since times are measured. Each is given the same examples and is judged by the same
//! program: by words it has not seen, and exactly, by automata. Every set that is done is kept at once; tables are made
//! of what is kept.

mod learners;
mod tables;

use std::path::PathBuf;
use std::process::Command;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};

use super::kept::Kept;
use super::{built, commit};
use crate::{output_of, root};
use learners::Peers;

/// What is measured, and how much of it.
#[derive(Args)]
pub(crate) struct Options {
    /// These languages alone.
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    only: Vec<String>,
    /// How many examples, half of which belong.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "10,20,50,200")]
    sizes: Vec<usize>,
    /// These learners alone.
    #[arg(long, value_delimiter = ',', value_name = "LEARNER,…")]
    learners: Vec<Learner>,
    /// So many sets of each size of each language.
    #[arg(long, default_value_t = 1)]
    sets: usize,
    /// Seconds after which a learner is cut.
    #[arg(long, default_value_t = 5)]
    seconds: u32,
    /// Also let nerode ask the reference, and count the questions until it is equal to it.
    #[arg(long)]
    questions: bool,
    /// Leave what is kept from before as it is, and measure only what is missing.
    #[arg(long)]
    resume: bool,
}

/// Who learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Learner {
    /// nerode with classes of letters.
    Classes,
    /// nerode over characters.
    Chars,
    /// Merging by evidence, AALpy's.
    Edsm,
    /// grex as it is by default, from the words that belong.
    Grex,
    /// grex told to write digits, word characters and repetitions as such.
    GrexClasses,
}

impl Learner {
    fn name(self) -> &'static str {
        match self {
            Learner::Classes => "nerode, classes",
            Learner::Chars => "nerode, characters",
            Learner::Edsm => "AALpy EDSM",
            Learner::Grex => "grex",
            Learner::GrexClasses => "grex -d -w -r",
        }
    }
}

/// A language of the suite.
#[derive(Deserialize)]
struct Language {
    name: String,
    regex: String,
    held_out: bool,
}

impl Language {
    /// Where figures are kept: those it may be tuned on, and those it may not.
    fn part(&self) -> &'static str {
        if self.held_out { HELD_OUT } else { TUNED }
    }
}

const TUNED: &str = "tuned";
const HELD_OUT: &str = "held out";

/// Examples of a language in a file.
struct Set<'a> {
    language: &'a Language,
    size: usize,
    number: usize,
    /// The examples as JSON lines.
    file: PathBuf,
}

impl Set<'_> {
    fn name(&self) -> String {
        format!("{}-{}", self.language.name, self.number)
    }

    /// As the measured program knows it.
    fn arguments(&self) -> [String; 3] {
        [self.language.name.clone(), self.size.to_string(), self.number.to_string()]
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let program = built("nerode-lab", "strings")?;
    let languages: Result<Vec<Language>, _> =
        output_of(Command::new(&program).arg("languages"))?.lines().map(serde_json::from_str).collect();
    let languages = languages?;
    if let Some(unknown) = options.only.iter().find(|name| !languages.iter().any(|known| known.name == **name)) {
        bail!("no language of the suite is called {unknown}");
    }
    let wanted = |language: &&Language| options.only.is_empty() || options.only.contains(&language.name);
    let learners = if options.learners.is_empty() { Learner::value_variants() } else { &options.learners };
    let folder = root().join("target/bench/strings");
    std::fs::create_dir_all(&folder)?;
    let mut bench = Bench {
        peers: Peers::new(program.clone(), learners, options)?,
        kept: Kept::open("strings")?,
        commit: commit()?,
        options,
    };
    for &size in &options.sizes {
        let mut sets = Vec::new();
        for language in languages.iter().filter(wanted) {
            for number in 0..options.sets {
                let file = folder.join(format!("{}-{size}-{number}.jsonl", language.name));
                let set = Set { language, size, number, file };
                output_of(Command::new(&program).arg("write").args(set.arguments()).arg(&set.file))?;
                sets.push(set);
            }
        }
        for &learner in learners {
            bench.measure(learner, size, &sets)?;
        }
    }
    for &size in &options.sizes {
        tables::print(&bench.kept, size);
    }
    println!("\nfigures: {}", bench.kept.path().display());
    Ok(())
}

struct Bench<'a> {
    options: &'a Options,
    peers: Peers,
    kept: Kept,
    commit: String,
}

impl Bench<'_> {
    fn measure(&mut self, learner: Learner, size: usize, sets: &[Set<'_>]) -> anyhow::Result<()> {
        let row = size.to_string();
        let Options { resume, seconds, .. } = *self.options;
        let missing: Vec<&Set> = sets
            .iter()
            .filter(|set| !(resume && self.kept.has([&row, set.language.part(), learner.name()], &set.name())))
            .collect();
        let (peers, kept, commit) = (&self.peers, &mut self.kept, &self.commit);
        let mut done = 0;
        peers.learn(learner, &missing, &mut |set: &Set<'_>, mut line: Value| {
            done += 1;
            eprint!("\r{size} examples, {}: {done} of {}   ", learner.name(), missing.len());
            line["set"] = json!(set.name());
            line["language"] = json!(set.language.name);
            line["commit"] = json!(commit);
            line["limit_seconds"] = json!(seconds);
            kept.add([&row, set.language.part(), learner.name()], line)
        })?;
        if done > 0 {
            eprintln!();
        }
        Ok(())
    }
}

//! `cargo xtask bench peers`: AALpy and grex on the sets that Nerode's plans learn from.
//!
//! Nerode's own figures on the same sets are those of `nerode experiment run grid`, `questions` and `strings`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{Set, built, exported, keep, median, nerode, print_table, python, time};
use crate::{output_of, root};

/// What to measure.
#[derive(Args)]
pub(crate) struct Options {
    /// Only the sets of this plan.
    #[arg(long, value_name = "PLAN")]
    only: Option<Plan>,
    /// Time limit of a learner in seconds.
    #[arg(long, default_value_t = 30)]
    seconds: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Plan {
    /// AALpy's RPNI and EDSM.
    Grid,
    /// AALpy's L*.
    Questions,
    /// AALpy's EDSM, and grex.
    Strings,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let nerode = nerode()?;
    let python = python::with_packages(&["aalpy"])?;
    let seconds = options.seconds.to_string();
    for &plan in Plan::value_variants().iter().filter(|plan| options.only.is_none_or(|only| only == **plan)) {
        let name = match plan {
            Plan::Grid => "grid",
            Plan::Questions => "questions",
            Plan::Strings => "strings",
        };
        let folder = root().join(format!("target/bench/sets/{name}"));
        let sets = exported(&nerode, name, &folder)?;
        let lines = match plan {
            Plan::Grid => learned(&python, &folder, &seconds, &["rpni", "edsm"], &sets)?,
            Plan::Questions => learned(&python, &folder, &seconds, &["lstar"], &sets)?,
            Plan::Strings => strings(&python, &folder, &seconds, &sets)?,
        };
        print(plan, &lines);
        keep(&format!("peers-{name}"), &json!(lines))?;
    }
    Ok(())
}

/// The lines of JSON printed by a Python script.
fn lines_of(command: &mut Command) -> anyhow::Result<Vec<Value>> {
    // AALpy warns about letters that are missing in some states, which is intended.
    command.env("PYTHONWARNINGS", "ignore").stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let output = BufReader::new(child.stdout.take().context("its output is piped")?);
    let mut lines = Vec::new();
    for line in output.lines() {
        lines.push(serde_json::from_str(&line?)?);
        eprint!("\r{} sets   ", lines.len());
    }
    eprintln!();
    let status = child.wait()?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(lines)
}

/// AALpy's learners on all sets of a folder.
fn learned(python: &Path, folder: &Path, seconds: &str, learners: &[&str], sets: &[Set]) -> anyhow::Result<Vec<Value>> {
    let mut command = Command::new(python);
    command.arg(root().join("scripts/learn_peers.py")).arg(folder).arg(seconds).args(learners);
    let mut lines = lines_of(&mut command)?;
    for line in &mut lines {
        let set = sets.iter().find(|set| line["set"] == set.set.as_str());
        line["draw"] = json!(set.with_context(|| format!("{} is not a set of the plan", line["set"]))?.draw);
        line["learner"] = json!(format!("AALpy's {}", line["learner"].as_str().unwrap_or_default()));
    }
    Ok(lines)
}

/// AALpy's EDSM and grex on everyday strings.
fn strings(python: &Path, folder: &Path, seconds: &str, sets: &[Set]) -> anyhow::Result<Vec<Value>> {
    let judge = built("nerode-lab", "peers")?;
    let mut lines = Vec::new();
    let mut command = Command::new(python);
    command.arg(root().join("scripts/learn_strings.py")).arg(seconds);
    command.args(sets.iter().map(|set| folder.join(format!("{}.jsonl", set.set))));
    for (set, learned) in sets.iter().zip(lines_of(&mut command)?) {
        let size = set.draw.trim_start_matches("strings-");
        // A stopped one gave no answer, which counts as a guess.
        let mut line = json!({ "accuracy": 0.5 });
        if !learned["automaton"].is_null() {
            let file = folder.join("answer.json");
            std::fs::write(&file, learned["automaton"].to_string())?;
            let mut command = Command::new(&judge);
            command.args(["judge", &set.language, size, "automaton"]).arg(&file);
            line = serde_json::from_str(&output_of(&mut command)?)?;
        }
        line["seconds"] = learned["seconds"].clone();
        add(&mut lines, line, set, "AALpy's edsm");
    }
    for set in sets {
        let size = set.draw.trim_start_matches("strings-");
        for (how, learner) in [("plain", "grex"), ("classes", "grex -d -w -r")] {
            let line = output_of(Command::new(&judge).args(["grex", &set.language, size, how]))?;
            add(&mut lines, serde_json::from_str(&line)?, set, learner);
        }
    }
    Ok(lines)
}

fn add(lines: &mut Vec<Value>, mut line: Value, set: &Set, learner: &str) {
    line["set"] = json!(set.set);
    line["draw"] = json!(set.draw);
    line["learner"] = json!(learner);
    lines.push(line);
}

fn print(plan: Plan, lines: &[Value]) {
    let mut cells: Vec<(&str, &str)> = Vec::new();
    for line in lines {
        let cell = (line["draw"].as_str().unwrap_or_default(), line["learner"].as_str().unwrap_or_default());
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    let rows: Vec<Vec<String>> = cells
        .into_iter()
        .map(|(draw, learner)| {
            let own: Vec<&Value> =
                lines.iter().filter(|line| line["draw"] == draw && line["learner"] == learner).collect();
            let numbers = |field: &str| own.iter().filter_map(|line| line[field].as_f64()).collect::<Vec<f64>>();
            let exact = own.iter().filter(|line| line["exact"] == true).count();
            let cut = own.iter().filter(|line| line["seconds"].is_null()).count();
            let figure = match plan {
                Plan::Grid => String::new(),
                Plan::Questions => median(numbers("labels")).map_or(String::new(), |labels| format!("{labels:.0}")),
                Plan::Strings => {
                    let accuracies = numbers("accuracy");
                    format!("{:.3}", accuracies.iter().sum::<f64>() / accuracies.len() as f64)
                }
            };
            let seconds = median(numbers("seconds")).map_or("–".to_owned(), time);
            let exact = format!("{exact} of {}", own.len());
            vec![draw.to_owned(), learner.to_owned(), exact, figure, seconds, cut.to_string()]
        })
        .collect();
    let figure = match plan {
        Plan::Grid => "",
        Plan::Questions => "words asked about, median",
        Plan::Strings => "accuracy on fresh words, mean",
    };
    print_table("Peers", &["sets", "learner", "exact", figure, "time, median", "stopped"], &rows);
}

//! `cargo xtask answers`: what `nerode learn` answers on every set of every suite, one line each, and what has changed
//! since such a file was written.
//!
//! A change that is not meant to change what is learned leaves this file as it is; one that is shows what it did.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use crate::bench::{Set, exported, nerode};
use crate::root;

/// Which answers are wanted, and what they are compared with.
#[derive(Args)]
pub(crate) struct Options {
    /// Suites whose names begin so; may be given several times [default: all].
    #[arg(long, value_name = "SUITE")]
    only: Vec<String>,
    /// Arguments for each call besides, such as `--threads 1`.
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    with: Option<String>,
    /// Where to write the answers.
    #[arg(long, value_name = "FILE", default_value = "target/answers.tsv")]
    out: PathBuf,
    /// Compare with these.
    #[arg(long, value_name = "FILE", default_value = "docs/results/answers.tsv")]
    against: PathBuf,
}

impl Options {
    /// One suite, compared with the answers in the repository.
    pub(crate) fn of_suite(suite: &str) -> Self {
        let (out, against) = ("target/answers.tsv".into(), "docs/results/answers.tsv".into());
        Self { only: vec![suite.to_owned()], with: None, out, against }
    }
}

/// The columns.
const HEADER: &str = "suite\tset\tbits\tstates\terrors\tfinder\tquestions\tstop\tlanguage\tregex";
/// A longer expression is cut: the automaton's fingerprint tells languages apart.
const EXPRESSION: usize = 80;

/// The plans whose sets are learned. The names of their suites begin with that of the plan.
const PLANS: [&str; 6] = ["grid", "tomita", "noise", "questions", "dense", "strings"];
/// Search ends after this many moves where it would take minutes: a budget, not a time, so that the answer is the same
/// everywhere.
const MOVES: &str = "--moves 1000000000";
/// The cells of the plan `dense` that are learned: states, lengths, words per state.
const DENSE: [(&str, &str, &str); 6] = [
    ("10", "even", "12"),
    ("10", "uniform", "12"),
    ("16", "even", "50"),
    ("20", "uniform", "25"),
    ("20", "even", "50"),
    ("30", "uniform", "50"),
];
/// The suites of wrong labels that are learned.
const NOISE: [&str; 2] = ["0.01", "0.05"];

/// Learns every set, prints the answers that differ from those of the file, and returns how many do.
pub(crate) fn run(options: &Options) -> anyhow::Result<usize> {
    let learner = nerode()?;
    let folder = root().join("target/suites");
    let out = root().join(&options.out);
    let mut text = format!("{HEADER}\n");
    let is_wanted = |name: &str| {
        options.only.is_empty() || options.only.iter().any(|only| name.starts_with(only) || only.starts_with(name))
    };
    for plan in PLANS.into_iter().filter(|plan| is_wanted(plan)) {
        let folder = folder.join(plan);
        for set in exported(&learner, plan, &folder)? {
            for Call { suite, name, arguments } in calls(plan, &set, &folder)? {
                if !options.only.is_empty() && !options.only.iter().any(|only| suite.starts_with(only)) {
                    continue;
                }
                let examples = folder.join(format!("{}.jsonl", set.set));
                let arguments = format!("{arguments} {}", options.with.as_deref().unwrap_or_default());
                let answer = answer(&learner, &examples, &folder.join("run"), &arguments);
                let answer = answer.with_context(|| format!("{suite} {name}"))?;
                let _ = writeln!(text, "{suite}\t{name}\t{answer}");
                eprint!("\r{suite} {name}                    ");
                std::fs::write(&out, &text)?;
            }
        }
    }
    eprintln!("\nanswers: {}", out.display());
    compare(&root().join(&options.against), &text)
}

/// A set as the file names it, and the arguments it is learned with.
struct Call {
    suite: String,
    name: String,
    arguments: String,
}

/// The ways in which a set is learned.
fn calls(plan: &str, set: &Set, folder: &Path) -> anyhow::Result<Vec<Call>> {
    let Set { set: file, language, draw, run, seed } = set;
    let of_grid = || language.trim_start_matches("t4-").to_owned();
    let call = |suite: String, name: String, arguments: &str| Call { suite, name, arguments: arguments.to_owned() };
    Ok(match plan {
        "grid" => {
            let engine = |engine| call(format!("{draw}-{engine}"), of_grid(), &format!("--learner {engine}"));
            let default = call(draw.clone(), of_grid(), "");
            std::iter::once(default).chain(["neural", "edsm", "rpni"].map(engine)).collect()
        }
        "tomita" => {
            let engine = |engine| {
                let arguments = format!("--seed {seed} --learner {engine}");
                call(format!("tomita-{engine}"), format!("{language}-{run}"), &arguments)
            };
            ["auto", "neural"].map(engine).into()
        }
        "noise" => match draw.strip_prefix("noise-").filter(|rate| NOISE.contains(rate)) {
            Some(rate) => vec![
                call(draw.clone(), of_grid(), &format!("--noise {rate}")),
                call(format!("{draw}-auto"), of_grid(), "--noise auto"),
            ],
            None => Vec::new(),
        },
        "questions" => {
            let oracle = folder.join(format!("{file}.dfa.json"));
            let arguments = format!("--questions 300 {MOVES} --oracle {}", oracle.display());
            vec![call(draw.clone(), of_grid(), &arguments)]
        }
        "dense" => {
            let parts = language.strip_prefix("automaton-t2-k").and_then(|rest| rest.split_once('-'));
            let drawn = draw.strip_prefix("d15-").and_then(|rest| rest.split_once("-s"));
            let (Some((states, index)), Some((lengths, words))) = (parts, drawn) else {
                bail!("{file} is not a set of the plan dense")
            };
            let name = format!("dense-k{states}-w{words}-{lengths}-{index}");
            match DENSE.contains(&(states, lengths, words)) {
                true => vec![
                    call("dense".to_owned(), name.clone(), MOVES),
                    call("dense-sat".to_owned(), name, "--learner sat"),
                ],
                false => Vec::new(),
            }
        }
        _ => vec![call(draw.clone(), language.clone(), "")],
    })
}

/// One set learned: its columns.
fn answer(learner: &str, examples: &Path, run: &Path, arguments: &str) -> anyhow::Result<String> {
    let mut command = Command::new(learner);
    command.arg("learn").arg(examples).args(arguments.split_whitespace()).arg("--out").arg(run).arg("--json");
    command.args(["--progress-frames", "0"]);
    let output = command.output()?;
    // 1 says that the answer does not agree with all examples, which is an answer.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Ok(format!("refused: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let result: Value = serde_json::from_slice(&output.stdout)?;
    let text = |name: &str| result[name].as_str().unwrap_or("-").to_owned();
    let regex: String = text("regex").chars().take(EXPRESSION).collect();
    Ok(format!(
        "{:.4}\t{}\t{}\t{}\t{}\t{}\t{:016x}\t{}",
        result["bits"].as_f64().unwrap_or(f64::NAN),
        result["dfa_states"],
        result["errors"],
        text("engine"),
        result["questions"],
        text("stop_reason"),
        fingerprint(&std::fs::read(run.join("dfa.json"))?),
        regex
    ))
}

/// Fowler, Noll and Vo's hash: the same on every machine.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Prints the sets whose answers differ, and counts them.
fn compare(against: &Path, text: &str) -> anyhow::Result<usize> {
    let before =
        std::fs::read_to_string(against).with_context(|| format!("cannot compare with {}", against.display()))?;
    let by_set = |text: &str| -> BTreeMap<(String, String), String> {
        let rows = text.lines().skip(1).filter_map(|line| {
            let (suite, rest) = line.split_once('\t')?;
            let (set, answer) = rest.split_once('\t')?;
            Some(((suite.to_owned(), set.to_owned()), answer.to_owned()))
        });
        rows.collect()
    };
    let (before, after) = (by_set(&before), by_set(text));
    let mut differences = 0;
    for ((suite, set), now) in &after {
        match before.get(&(suite.clone(), set.clone())) {
            Some(then) if then == now => {}
            then => {
                differences += 1;
                println!("{suite} {set}\n  - {}\n  + {now}", then.map_or("(not there)", String::as_str));
            }
        }
    }
    println!("{differences} of {} sets differ from {}", after.len(), against.display());
    Ok(differences)
}

//! `cargo xtask answers`: the answers of `nerode learn` on every set of every suite, one line each, and how they differ
//! from an earlier file of answers.
//!
//! A change that should not affect what is learned leaves this file unchanged; any other change shows its effect here.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use crate::bench::{Set, exported, nerode};
use crate::root;

/// Which answers to compute, and what to compare them with.
#[derive(Args)]
pub(crate) struct Options {
    /// Only suites whose names start with this; may be repeated [default: all].
    #[arg(long, value_name = "SUITE")]
    only: Vec<String>,
    /// Further arguments for each call, such as `--threads 1`.
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    with: Option<String>,
    /// Output file.
    #[arg(long, value_name = "FILE", default_value = "target/answers.tsv")]
    out: PathBuf,
    /// File to compare with.
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
/// Longer expressions are cut: the automaton's fingerprint distinguishes languages.
const EXPRESSION: usize = 80;

/// The plans whose sets are learned. The names of their suites start with the name of the plan.
const PLANS: [&str; 6] = ["grid", "tomita", "noise", "questions", "dense", "strings"];
/// The search budget where it would take minutes: in moves, not time, so that the answer is the same everywhere.
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
/// The noise suites that are learned.
const NOISE: [&str; 2] = ["0.01", "0.05"];

/// Learns every set, prints the answers that differ from the file, and returns their number.
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

/// A set by its name in the file, with the arguments for learning it.
struct Call {
    suite: String,
    name: String,
    arguments: String,
}

/// The calls for a set.
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

/// Learns one set and returns its columns.
fn answer(learner: &str, examples: &Path, run: &Path, arguments: &str) -> anyhow::Result<String> {
    let mut command = Command::new(learner);
    command.arg("learn").arg(examples).args(arguments.split_whitespace()).arg("--out").arg(run).arg("--json");
    command.args(["--progress-frames", "0"]);
    let output = command.output()?;
    // Exit code 1 means that the answer does not agree with all examples; it is still an answer.
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

/// The Fowler–Noll–Vo hash: the same on every machine.
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

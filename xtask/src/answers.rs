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

use crate::bench::{built, nerode};
use crate::{output_of, root};

/// What is asked.
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

/// The columns.
const HEADER: &str = "suite\tset\tbits\tstates\terrors\tfinder\tquestions\tstop\tlanguage\tregex";
/// A longer expression is cut: the automaton's fingerprint tells languages apart.
const EXPRESSION: usize = 80;

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let learner = nerode()?.context("the program cannot learn")?;
    let folder = root().join("target/suites");
    output_of(Command::new(built("nerode-lab", "learn")?).arg("suites").arg(&folder))?;
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv"))?;
    let out = root().join(&options.out);
    let mut text = format!("{HEADER}\n");
    for line in manifest.lines() {
        let [suite, set, arguments] = line.split('\t').collect::<Vec<_>>()[..] else { bail!("a line is {line:?}") };
        if !options.only.is_empty() && !options.only.iter().any(|only| suite.starts_with(only)) {
            continue;
        }
        let examples = folder.join(suite).join(format!("{set}.jsonl"));
        let arguments = format!("{arguments} {}", options.with.as_deref().unwrap_or_default());
        let answer = answer(&learner, &examples, &folder.join("run"), &arguments).with_context(|| line.to_owned())?;
        let _ = writeln!(text, "{suite}\t{set}\t{answer}");
        eprint!("\r{suite} {set}                    ");
        std::fs::write(&out, &text)?;
    }
    eprintln!("\nanswers: {}", out.display());
    compare(&root().join(&options.against), &text)
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

/// Prints the sets whose answers differ, and how many there are.
fn compare(against: &Path, text: &str) -> anyhow::Result<()> {
    let before = match std::fs::read_to_string(against) {
        Ok(before) => before,
        Err(_) => {
            println!("there is no {} to compare with", against.display());
            return Ok(());
        }
    };
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
    Ok(())
}

//! `nerode prove`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use automata::formats::{Document, json};
use automata::{Dfa, Spelling};
use induction::Sample;
use induction::proof::{Proof, ProofSettings, Verdict};
use serde_json::{Value, json};

use super::learn::seconds;
use crate::Answer;
use crate::input::{Given, Input};
use crate::learning::proving;
use crate::output::{self, Output};

/// Prove that an answer is the smallest that agrees with its examples, and the only one of its size.
///
/// RUN is a folder that `nerode learn --out` has written; it holds the answer and its examples. What is found out goes to
/// its `result.json`: `minimal` (no automaton of fewer states agrees with the examples) and `unique` (no other language
/// of that size does), each `proved`, `refuted` or `unknown`, and under `proof` the smaller or rival automaton and the
/// shortest word that decides. With examples of the caller's own the answer is held against those, and nothing is written.
///
/// Exit code 0 when nothing is refuted, 1 when something is.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode learn examples.csv --out run && nerode prove run
  nerode prove run --conflicts 10000000
  nerode prove run more.csv --json")]
pub(crate) struct Arguments {
    /// The folder of a run.
    #[arg(value_name = "RUN")]
    run: PathBuf,

    #[command(flatten)]
    input: Input,

    /// How many conflicts the solver meets at the most.
    #[arg(long, value_name = "N", default_value_t = ProofSettings::default().conflicts)]
    conflicts: u64,

    /// Stop after so many seconds. How far one gets depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let dfa = answer(&arguments.run)?;
    let own = arguments.input.is_empty();
    let given = if own { examples(&arguments.run)? } else { arguments.input.read()? };
    // What was learned with noise has its contradictions with it.
    given.check(own)?;
    // Letters that occur in no example are letters of the answer all the same.
    let examples = match dfa.alphabet().spelling() {
        Spelling::Classes => given.examples,
        _ => given.examples.over(&given.examples.alphabet.union(dfa.alphabet())),
    };
    let sample = Sample::new(&examples, own).with_context(|| given.source.clone())?;
    let sample = proving::spelled(&sample, &dfa);
    // The place is opened before the work, so that a bad one fails at once.
    let path = arguments.run.join("result.json");
    let result = if own { Some((read(&path)?, Output::open(Some(&path))?)) } else { None };

    let began = Instant::now();
    let stopped = || arguments.time_limit.is_some_and(|limit| began.elapsed() >= limit);
    let proof = proving::prove(sample, &dfa, &[], ProofSettings { conflicts: arguments.conflicts }, &stopped);
    if let Some((mut result, output)) = result {
        fill(&mut result, &proof, &dfa).with_context(|| path.display().to_string())?;
        output.finish(&(serde_json::to_string_pretty(&result)? + "\n"))?;
    }
    if arguments.json {
        output::print_json(&json!({
            "minimal": proving::claim(&proof.minimal),
            "unique": proving::claim(&proof.unique),
            "proof": proving::json(&proof, &dfa),
        }))?;
    } else {
        output::print(&format!("{}\n", proving::sentence(&proof, &dfa)))?;
    }
    let refuted = |verdict: &Verdict| matches!(verdict, Verdict::Refuted { .. });
    Ok(if refuted(&proof.minimal) || refuted(&proof.unique) { Answer::No } else { Answer::Yes })
}

/// The automaton of a run.
fn answer(run: &Path) -> anyhow::Result<Dfa> {
    if !run.is_dir() {
        bail!("{} is not the folder of a run: nerode learn --out DIR writes one", run.display());
    }
    let path = run.join("dfa.json");
    if !path.exists() {
        bail!("{} is a folder, and there is no dfa.json in it", run.display());
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    match json::read(&text).with_context(|| path.display().to_string())? {
        Document::Dfa(dfa) => Ok(dfa),
        _ => bail!("{}: this is no deterministic automaton", path.display()),
    }
}

/// The examples of a run.
fn examples(run: &Path) -> anyhow::Result<Given> {
    let path = run.join("examples.jsonl");
    if !path.exists() {
        bail!("{} has no examples.jsonl: give the examples it was learned from", run.display());
    }
    Input::of_file(&path).read()
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}: this is no result", path.display()))
}

/// Writes what was found out into a result. What was known before stays known when less was found out this time.
fn fill(result: &mut Value, proof: &Proof, dfa: &Dfa) -> anyhow::Result<()> {
    let Some(result) = result.as_object_mut() else { bail!("this is no result") };
    let mut knows_more = false;
    for (name, verdict) in [("minimal", &proof.minimal), ("unique", &proof.unique)] {
        let was_known = result.get(name).is_some_and(|claim| claim == "proved" || claim == "refuted");
        if was_known && matches!(verdict, Verdict::Unknown { .. }) {
            knows_more = true;
        } else {
            result.insert(name.to_owned(), proving::claim(verdict).into());
        }
    }
    if !knows_more || result.get("proof").is_none_or(Value::is_null) {
        result.insert("proof".to_owned(), proving::json(proof, dfa));
    }
    Ok(())
}

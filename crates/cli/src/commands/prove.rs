//! `nerode prove`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use automata::formats::{Document, json};
use automata::{Dfa, Spelling};
use induction::Sample;
use induction::learner::Stop;
use induction::proof::{ProofSettings, Prover, Verdict};
use nerode::answer::proof::spelled;
use nerode::answer::{Claim, Proof};
use nerode::examples::Given;
use serde::Serialize;

use super::learn::seconds;
use crate::Answer;
use crate::clock::Clock;
use crate::failures::Failures;
use crate::input::Input;
use crate::lock::{Lock, MARK};
use crate::output::{self, Output};
use crate::signals::Signals;

/// Prove that an answer is the smallest one that agrees with its examples, and the only one of its size.
///
/// RUN is a folder written by `nerode learn --out`, with the answer and its examples. The findings are added to its
/// `result.json`: `minimal` (no automaton with fewer states agrees with the examples) and `unique` (no other language of
/// that size does), each `proved`, `refuted` or `unknown`; `proof` holds the smaller or rival automaton and the shortest
/// word that decides between them. If other examples are given, the answer is checked against those and nothing is
/// written.
///
/// Exit code: 0 if nothing is refuted, 1 if something is.
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

    /// Maximum number of conflicts of the SAT solver.
    #[arg(long, value_name = "N", default_value_t = ProofSettings::default().conflicts)]
    conflicts: u64,

    /// Stop after this many seconds. How far the proof gets then depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    if !arguments.run.is_dir() {
        bail!("{} is not the folder of a run; `nerode learn --out DIR` writes one", arguments.run.display());
    }
    let own = arguments.input.is_empty();
    let _lock = own.then(|| Lock::of(&arguments.run, MARK)).transpose()?;
    let dfa = answer(&arguments.run)?;
    let given = if own {
        arguments.input.check_unread("none was given, so those of the run are used")?;
        examples(&arguments.run)?
    } else {
        arguments.input.read()?
    };
    // Examples of a run with noise may contradict each other.
    given.check(own)?;
    // Letters that occur in no example still belong to the answer.
    let examples = match dfa.alphabet().spelling() {
        Spelling::Classes => given.examples,
        _ => given.examples.over(&given.examples.alphabet().union(dfa.alphabet())),
    };
    let sample = Sample::new(&examples, own).with_context(|| given.source.clone())?;
    let sample = spelled(&sample, &dfa);
    // Open the output before the work, so that a bad path fails at once.
    let path = arguments.run.join("result.json");
    let result = if own { Some((read(&path)?, Output::open(Some(&path))?)) } else { None };

    let stop = Stop::new();
    let signals = Signals::listen(stop.clone())?;
    let clock = Clock::new(arguments.time_limit);
    let mut prover = Prover::new(Arc::new(sample), &dfa, &[], ProofSettings { conflicts: arguments.conflicts });
    let proof = loop {
        if clock.is_over() || stop.is_set() {
            break prover.stop();
        }
        if let ControlFlow::Break(proof) = prover.advance(SLICE) {
            break proof;
        }
    };
    let mut failures = Failures::default();
    if let Some((mut result, output)) = result {
        result.prove(&proof, &dfa);
        failures.note(output.finish(&result.write()));
    }
    let found = Proof::of(&proof, &dfa);
    failures.note(if arguments.json {
        let (minimal, unique) = (Claim::of(&proof.minimal), Claim::of(&proof.unique));
        output::print_json(&Found { minimal, unique, proof: found })
    } else {
        output::print(&format!("{}\n", found.sentence))
    });
    let refuted = |verdict: &Verdict| matches!(verdict, Verdict::Refuted { .. });
    let is_refuted = refuted(&proof.minimal) || refuted(&proof.unique);
    failures.outcome(signals.exit_code(), if is_refuted { Answer::No } else { Answer::Yes })
}

/// Work between two looks at the clock, in node visits.
const SLICE: u64 = 1_000_000;

/// The automaton of a run.
fn answer(run: &Path) -> anyhow::Result<Dfa> {
    let path = run.join("dfa.json");
    if !path.exists() {
        bail!("the folder {} has no dfa.json", run.display());
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    match json::read(&text).with_context(|| path.display().to_string())? {
        Document::Dfa(dfa) => Ok(dfa),
        _ => bail!("{}: not a deterministic automaton", path.display()),
    }
}

/// The examples of a run.
fn examples(run: &Path) -> anyhow::Result<Given> {
    let path = run.join("examples.jsonl");
    if !path.exists() {
        bail!("{} has no examples.jsonl; give the examples it was learned from", run.display());
    }
    Input::of_file(&path).read()
}

/// The output of --json.
#[derive(Serialize)]
struct Found {
    minimal: Claim,
    unique: Claim,
    proof: Proof,
}

fn read(path: &Path) -> anyhow::Result<nerode::Answer> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    nerode::Answer::read(&text).with_context(|| path.display().to_string())
}

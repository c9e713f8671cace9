//! Proofs, told to people and to machines.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::formats::abbadingo::{Examples, Label};
use automata::{Dfa, Letter, Regex, Spelling, Word, WordError};
use induction::proof::{Proof, ProofSettings, Prover, Unproved, Verdict};
use induction::{Counts, Sample};
use serde_json::{Value, json};

use super::told::counted;

/// How long an expression may be to be shown.
const EXPRESSION: usize = 100;

/// How much work is done between two looks at whether to stop.
const SLICE: u64 = 1_000_000;

/// What can be proved of an answer until someone says stop.
pub(crate) fn prove(
    sample: Sample,
    dfa: &Dfa,
    known: &[&Dfa],
    settings: ProofSettings,
    stopped: &dyn Fn() -> bool,
) -> Proof {
    let mut prover = Prover::new(Arc::new(sample), dfa, known, settings);
    loop {
        if stopped() {
            return prover.stop();
        }
        if let ControlFlow::Break(proof) = prover.advance(SLICE) {
            return proof;
        }
    }
}

/// The examples over the letters of an automaton, where these are classes that have all their characters.
pub(crate) fn spelled(sample: &Sample, dfa: &Dfa) -> Sample {
    let alphabet = dfa.alphabet();
    if alphabet.spelling() != Spelling::Classes {
        return sample.clone();
    }
    let word = |word: &[Letter]| alphabet.read(&sample.alphabet().write(word));
    let label = |counts: Counts| if counts.accepted > 0 { Label::Accepted } else { Label::Rejected };
    let rows = sample.rows().map(|(letters, counts)| Ok((word(letters)?, label(counts))));
    let rows = rows.collect::<Result<Vec<_>, WordError>>();
    let spelled = rows.ok().and_then(|rows| Sample::new(&Examples { alphabet: alphabet.clone(), rows }, true).ok());
    spelled.unwrap_or_else(|| sample.clone())
}

/// A verdict in one word.
pub(crate) fn claim(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Refuted { .. } => "refuted",
        Verdict::Unknown { .. } => "unknown",
    }
}

/// What `result.json` holds under `proof`.
pub(crate) fn json(proof: &Proof, answer: &Dfa) -> Value {
    let other = |verdict: &Verdict| match verdict {
        Verdict::Refuted { automaton, word } => json!({
            "states": automaton.len(),
            "regex": Regex::from_dfa(automaton).ok().map(|regex| regex.to_string()),
            "word": automaton.alphabet().write(word),
            "accepted": automaton.accepts(word),
        }),
        _ => Value::Null,
    };
    // What refutes that it is minimal is no rival of its size.
    let is_smaller = matches!(proof.minimal, Verdict::Refuted { .. });
    json!({
        "bound": proof.bound,
        "states": answer.len(),
        "conflicts": proof.conflicts,
        "cut": proof.cut,
        "smaller": other(&proof.minimal),
        "rival": if is_smaller { Value::Null } else { other(&proof.unique) },
        "why_unknown": why(proof).map(|why| why.to_string()),
    })
}

/// The proof in a sentence.
pub(crate) fn sentence(proof: &Proof, answer: &Dfa) -> String {
    let states = counted(answer.len() as u64, "state");
    match (&proof.minimal, &proof.unique) {
        (Verdict::Proved, Verdict::Proved) if answer.len() == 1 => {
            format!("minimal and unique: no other language of {states} agrees with the examples")
        }
        (Verdict::Proved, Verdict::Proved) => {
            format!("minimal and unique: no other language of {states} or fewer agrees with the examples")
        }
        (Verdict::Refuted { automaton, word }, _) => format!("not minimal: {}", another(automaton, word)),
        (Verdict::Proved, Verdict::Refuted { automaton, word }) => {
            format!("minimal: nothing smaller than {states} agrees; not unique: {}", another(automaton, word))
        }
        (Verdict::Proved, Verdict::Unknown { why }) => {
            format!("minimal: nothing smaller than {states} agrees; unique unknown: {why}{}", reached(proof))
        }
        (Verdict::Unknown { why }, Verdict::Refuted { automaton, word }) => {
            format!("not unique: {}; minimal unknown: {why}{}", another(automaton, word), reached(proof))
        }
        (Verdict::Unknown { why }, _) => {
            format!("unknown: {why}{}; {} at the least", reached(proof), counted(proof.bound as u64, "state"))
        }
    }
}

fn another(automaton: &Dfa, word: &Word) -> String {
    let states = counted(automaton.len() as u64, "state");
    let regex = Regex::from_dfa(automaton).ok().map(|regex| regex.to_string());
    let shown = regex.filter(|regex| regex.chars().count() <= EXPRESSION);
    let what = shown.map_or_else(|| format!("another language of {states}"), |regex| format!("{regex}, of {states},"));
    let side = if automaton.accepts(word) { "has" } else { "has not" };
    format!("{what} agrees too, and {side} {}", automaton.alphabet().show(word))
}

fn why(proof: &Proof) -> Option<Unproved> {
    match (&proof.minimal, &proof.unique) {
        (Verdict::Unknown { why }, _) | (_, Verdict::Unknown { why }) => Some(*why),
        _ => None,
    }
}

fn reached(proof: &Proof) -> String {
    match proof.conflicts {
        0 => String::new(),
        conflicts => format!(" ({})", counted(conflicts, "conflict")),
    }
}

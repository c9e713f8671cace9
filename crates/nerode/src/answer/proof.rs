//! The proof about an answer, for people and for machines.

use automata::{Dfa, Examples, Label, Letter, Regex, Spelling, Word, WordError};
use induction::Sample;
use induction::proof::{Proof as Proven, Unproved, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Answer;
use crate::options::{SCHEMA_VERSION, version};
use crate::text::counted;

/// Maximum length of an expression that is shown.
const EXPRESSION: usize = 100;

/// The examples over the letters of an automaton, if these are classes that cover all characters of the examples.
pub fn spelled(sample: &Sample, dfa: &Dfa) -> Sample {
    let alphabet = dfa.alphabet();
    if alphabet.spelling() != Spelling::Classes {
        return sample.clone();
    }
    let word = |word: &[Letter]| alphabet.read(&sample.alphabet().write(word));
    let rows = sample.rows().map(|(letters, counts)| Ok((word(letters)?, Label::from(counts.accepted > 0))));
    let rows = rows.collect::<Result<Vec<_>, WordError>>();
    let spelled = rows.ok().and_then(|rows| Sample::new(&Examples::of(alphabet, rows), true).ok());
    spelled.unwrap_or_else(|| sample.clone())
}

/// Whether something was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// The claim is true.
    Proved,
    /// The claim is false: another automaton shows it.
    Refuted,
    /// Not known.
    Unknown,
}

impl Claim {
    /// The claim for a verdict.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Proved => Self::Proved,
            Verdict::Refuted { .. } => Self::Refuted,
            Verdict::Unknown { .. } => Self::Unknown,
        }
    }
}

/// What was proved, and refutations of the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// Version of this format.
    #[serde(deserialize_with = "version")]
    pub schema_version: u32,
    /// A lower bound on the states of any automaton that agrees with the examples.
    pub bound: usize,
    /// Number of states of the answer.
    pub states: usize,
    /// Number of conflicts of the solver.
    pub conflicts: u64,
    /// Whether it was stopped, so that more time may decide it.
    pub cut: bool,
    /// A smaller automaton that agrees with the examples.
    pub smaller: Option<Other>,
    /// Another language whose automaton is as small.
    pub rival: Option<Other>,
    /// Why a claim is unknown.
    pub why_unknown: Option<String>,
    /// The proof as a sentence.
    pub sentence: String,
}

/// Another automaton that agrees with the examples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Other {
    /// Number of states.
    pub states: usize,
    /// Its expression; none if it is too long.
    pub regex: Option<String>,
    /// The shortest word on which it differs from the answer.
    pub word: String,
    /// Whether it accepts that word.
    pub accepted: bool,
}

impl Proof {
    /// The proof about an answer.
    #[must_use]
    pub fn of(proof: &Proven, answer: &Dfa) -> Self {
        let other = |verdict: &Verdict| match verdict {
            Verdict::Refuted { automaton, word } => Some(Other {
                states: automaton.len(),
                regex: Regex::from_dfa(automaton).ok().map(|regex| regex.to_string()),
                word: automaton.alphabet().write(word),
                accepted: automaton.accepts(word),
            }),
            _ => None,
        };
        // A smaller automaton is not a rival of the same size.
        let is_smaller = matches!(proof.minimal, Verdict::Refuted { .. });
        Self {
            schema_version: SCHEMA_VERSION,
            bound: proof.bound,
            states: answer.len(),
            conflicts: proof.conflicts,
            cut: proof.cut,
            smaller: other(&proof.minimal),
            rival: if is_smaller { None } else { other(&proof.unique) },
            why_unknown: why(proof).map(|why| why.to_string()),
            sentence: sentence(proof, answer),
        }
    }
}

impl Answer {
    /// Adds the results of a later proof. Earlier results are kept if the later proof decides less.
    pub fn prove(&mut self, proof: &Proven, dfa: &Dfa) {
        let mut knows_more = false;
        for (claim, verdict) in [(&mut self.minimal, &proof.minimal), (&mut self.unique, &proof.unique)] {
            match (*claim, Claim::of(verdict)) {
                (Claim::Proved | Claim::Refuted, Claim::Unknown) => knows_more = true,
                (_, found) => *claim = found,
            }
        }
        if !knows_more || self.proof.is_none() {
            self.proof = Some(Proof::of(proof, dfa));
        }
    }
}

/// The proof as a sentence.
fn sentence(proof: &Proven, answer: &Dfa) -> String {
    let states = counted(answer.len() as u64, "state");
    match (&proof.minimal, &proof.unique) {
        (Verdict::Proved, Verdict::Proved) if answer.len() == 1 => {
            format!("minimal and unique: no other language with {states} agrees with the examples")
        }
        (Verdict::Proved, Verdict::Proved) => {
            format!("minimal and unique: no other language with {states} or fewer agrees with the examples")
        }
        (Verdict::Refuted { automaton, word }, _) => format!("not minimal: {}", another(automaton, word)),
        (Verdict::Proved, Verdict::Refuted { automaton, word }) => {
            format!("minimal: no automaton with fewer than {states} agrees; not unique: {}", another(automaton, word))
        }
        (Verdict::Proved, Verdict::Unknown { why }) => {
            format!("minimal: no automaton with fewer than {states} agrees; unique unknown: {why}{}", reached(proof))
        }
        (Verdict::Unknown { why }, Verdict::Refuted { automaton, word }) => {
            format!("not unique: {}; minimal unknown: {why}{}", another(automaton, word), reached(proof))
        }
        (Verdict::Unknown { why }, _) => {
            format!("unknown: {why}{}; at least {}", reached(proof), counted(proof.bound as u64, "state"))
        }
    }
}

fn another(automaton: &Dfa, word: &Word) -> String {
    let states = counted(automaton.len() as u64, "state");
    let regex = Regex::from_dfa(automaton).ok().map(|regex| regex.to_string());
    let shown = regex.filter(|regex| regex.chars().count() <= EXPRESSION);
    let what =
        shown.map_or_else(|| format!("another language with {states}"), |regex| format!("{regex}, with {states},"));
    let side = if automaton.accepts(word) { "accepts" } else { "rejects" };
    format!("{what} agrees too; it {side} {}", automaton.alphabet().show(word))
}

fn why(proof: &Proven) -> Option<Unproved> {
    match (&proof.minimal, &proof.unique) {
        (Verdict::Unknown { why }, _) | (_, Verdict::Unknown { why }) => Some(*why),
        _ => None,
    }
}

fn reached(proof: &Proven) -> String {
    match proof.conflicts {
        0 => String::new(),
        conflicts => format!(" ({})", counted(conflicts, "conflict")),
    }
}

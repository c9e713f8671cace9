//! The result for machines: `result.json`, whose schema is `docs/result.schema.json`.

use automata::Direction;
use automata::formats::grammar_text;
use induction::learner::{Engine, Noise};
use induction::proof::Verdict;
use serde_json::{Value, json};

use super::{Run, origin, proving};
use crate::output::json_number;

/// Everything that is known of an answer. No time is in it: it is a function of examples, settings and seed alone, unless
/// a limit of time cut it, and then `stop_reason` says so.
pub(crate) fn json(run: &Run) -> Value {
    let Run { induced, settings, summary, questions, proof, evidence, command: _ } = run;
    let words = &induced.letters;
    let states = induced.dfa.len();
    let smallest = induced.alternatives.iter().map(|other| other.dfa.len()).min().unwrap_or(usize::MAX);
    let consistent = induced.certificate.is_consistent();
    // What another consistent answer refutes is refuted; to prove anything takes more.
    let claim = |verdict: Option<&Verdict>, refuted: bool| match verdict.map_or("unknown", proving::claim) {
        "unknown" if consistent && refuted => "refuted",
        claim => claim,
    };
    let ambiguous = run.ambiguity();
    json!({
        "consistent": consistent,
        "errors": induced.certificate.wrong,
        "examples": induced.certificate.examples,
        "words": summary.words,
        "unlabelled": summary.unlabelled,
        "wrong": induced.certificate.first_wrong.iter().map(|wrong| json!({
            "word": words.write(&wrong.word),
            "label": wrong.accepted,
            "times": wrong.times,
        })).collect::<Vec<_>>(),
        "alphabet": induced.dfa.alphabet().names(),
        "productions": grammar_text::productions(&induced.grammar).len(),
        "nonterminals": induced.grammar.nonterminals().len(),
        "nfa_states": run.nfa().len(),
        "dfa_states": states,
        "regex": run.regex(),
        "description": run.description().sentence(),
        "ambiguous": ambiguous.as_ref().map(Option::is_some),
        "ambiguous_word": ambiguous.flatten().map(|(word, trees)| json!({
            "word": induced.grammar.alphabet().write(&word),
            "trees": json_number(&trees),
        })),
        "evidence": evidence,
        "bits": induced.bits,
        "direction": match settings.direction {
            Direction::Left => "left",
            Direction::Right => "right",
        },
        "shape": induced.shape,
        "origin": origin(induced.origin),
        "engine": induced.origin,
        "finds": induced.finds,
        "minimal": claim(proof.map(|proof| &proof.minimal), smallest < states),
        "unique": claim(proof.map(|proof| &proof.unique), smallest <= states),
        "proof": proof.map(|proof| proving::json(proof, &induced.dfa)),
        "empty_word": {
            "accepted": induced.dfa.is_accepting(induced.dfa.initial()),
            "labelled": !induced.empty_word_chosen,
        },
        "alternatives": {
            "count": induced.alternatives.len(),
            "states": induced.alternatives.iter().map(|other| other.dfa.len()).collect::<Vec<_>>(),
            "bits": induced.alternatives.iter().map(|other| other.bits).collect::<Vec<_>>(),
            "regexes": induced.alternatives.iter().map(|other| &other.expression).collect::<Vec<_>>(),
            "words": induced.alternatives.iter().map(|other| &other.word).collect::<Vec<_>>(),
        },
        "undecided": induced.undecided.iter().map(|open| json!({
            "word": words.write(&open.word),
            "accepted_by": open.accepted_by,
            "of": open.of,
        })).collect::<Vec<_>>(),
        "noise": match settings.noise {
            Noise::None => Value::Null,
            Noise::Rate(rate) => json!(rate),
            Noise::Auto => json!("auto"),
        },
        "mislabelled": induced.suspects.iter().map(|suspect| json!({
            "word": words.write(&suspect.word),
            "label": suspect.accepted,
            "times": suspect.times,
            "doubted_by": suspect.doubted_by,
            "of": suspect.of,
        })).collect::<Vec<_>>(),
        "questions": questions,
        "learner": match settings.engine {
            Engine::Paper => json!("paper"),
            engine => json!(engine),
        },
        "paper_steps": run.paper_steps(),
        "restarts": induced.spent.restarts,
        "steps": induced.spent.steps,
        "moves": induced.spent.visits,
        "conflicts": induced.spent.conflicts,
        "seed": settings.seed,
        "stop_reason": induced.stop_reason,
    })
}

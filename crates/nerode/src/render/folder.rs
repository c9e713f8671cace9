//! Everything about an answer as files.

use automata::formats::{dot, grammar_text, json};
use automata::{Nfa, drawing};
use induction::model::Model;
use serde_json::json;

use super::{Context, page};
use crate::answer::Learned;
use crate::examples::write;
use crate::training::lines;

/// All files that a run may write to its folder. `result.json` comes last: if it exists, the run has ended.
pub const FILES: [&str; 14] = [
    "grammar.txt",
    "grammar.json",
    "dfa.json",
    "dfa.dot",
    "nfa.json",
    "regex.txt",
    "examples.jsonl",
    "report.html",
    "training.jsonl",
    "dfa.svg",
    "nfa.svg",
    "model.safetensors",
    "timing.json",
    "result.json",
];

/// A file: its name and content; `None` if this answer does not have it.
pub type File = (&'static str, Option<Vec<u8>>);

/// The files, in the order of [`FILES`].
#[must_use]
pub fn files(learned: &Learned, context: &Context) -> Vec<File> {
    let answer = &learned.answer;
    let dfa = Nfa::from(&learned.dfa);
    let picture = |nfa: &Nfa, title: &str| {
        let options = drawing::Options { dead_states: false, title: Some(title.to_owned()) };
        drawing::svg(nfa, &options).ok()
    };
    let dfa_picture = picture(&dfa, "The learned minimal automaton");
    let nfa_picture = picture(&learned.nfa, "The learned grammar as an automaton");
    let training = lines(&learned.training, learned.model.as_ref());
    let pictures = page::Pictures { dfa: dfa_picture.as_deref(), nfa: nfa_picture.as_deref() };
    let page = page::page(learned, context, &pictures, &training);
    let timing = json!({
        "seconds": context.seconds,
        "steps_per_second": answer.steps as f64 / context.seconds,
        "moves_per_second": answer.moves as f64 / context.seconds,
    });
    let text = |text: String| Some(text.into_bytes());
    let contents = [
        text(grammar_text::write(&learned.grammar)),
        text(json::write_grammar(&learned.grammar)),
        text(json::write_dfa(&learned.dfa)),
        text(dot::write(&dfa.clone().named_by_number().trimmed())),
        text(json::write_nfa(&learned.nfa)),
        answer.regex.clone().map(|regex| (regex + "\n").into_bytes()),
        Some(write::lines_of(&learned.sample)),
        text(page),
        text(training),
        dfa_picture.map(String::into_bytes),
        nfa_picture.map(String::into_bytes),
        learned.model.as_ref().map(Model::to_safetensors),
        text(format!("{timing:#}\n")),
        text(answer.write()),
    ];
    FILES.into_iter().zip(contents).collect()
}

//! What `parse` and `explain` work on: the folder of a run, a model, or any language.

use std::path::Path;

use anyhow::{Context, bail};
use automata::formats::Document;
use automata::{Dfa, Direction, Grammar};
use induction::model::Model;
use nerode::parsing::Subject;

use crate::operand::{Language, Reading, too_many_states};

/// Options about the model.
pub(crate) struct Choice {
    /// Whether to parse with the model alone.
    pub(crate) by_model: bool,
    pub(crate) threshold: Option<f64>,
}

/// Opens the operand.
pub(crate) fn open(operand: &str, reading: &Reading, choice: &Choice) -> anyhow::Result<Subject> {
    let path = Path::new(operand);
    let of_model = |model: Model, direction: Direction| {
        Subject::of_model(model, direction, choice.threshold, reading.max_states)
            .map_err(|error| too_many_states(operand, error, reading.max_states))
    };
    let is_model = path.extension().is_some_and(|ending| ending == "safetensors") && path.is_file();
    if is_model {
        reading.check_known(operand)?;
        return of_model(read_model(path)?, Direction::Left);
    }
    let (grammar, dfa) = parts(&reading.language_of_words(&of_folder(operand))?, reading)?;
    let in_folder = path.join("model.safetensors");
    let model = if path.is_dir() && in_folder.exists() { Some(read_model(&in_folder)?) } else { None };
    if choice.by_model {
        let Some(model) = model else {
            bail!("{operand} has no model: it is not a run, or another engine found its grammar")
        };
        return of_model(model, grammar.direction());
    }
    if choice.threshold.is_some() {
        bail!("--threshold needs a model: add --model, or give a model.safetensors");
    }
    Ok(Subject::of_grammar(grammar, dfa, model))
}

/// The operand's grammar in normal form, and its minimal automaton. The folder of a run means its grammar; an automaton
/// or expression gets one non-terminal per state.
pub(crate) fn language(operand: &str, reading: &Reading) -> anyhow::Result<(Grammar, Dfa)> {
    let [language] = reading.languages([&of_folder(operand)[..]])?;
    parts(&language, reading)
}

/// The grammar in the folder of a run; any other operand as it is.
fn of_folder(operand: &str) -> String {
    let path = Path::new(operand);
    let in_folder = Some(path.join("grammar.txt")).filter(|file| path.is_dir() && file.exists());
    in_folder.as_deref().and_then(Path::to_str).unwrap_or(operand).to_owned()
}

fn parts(language: &Language, reading: &Reading) -> anyhow::Result<(Grammar, Dfa)> {
    let dfa = language.minimal_dfa(reading)?;
    let grammar = match &language.document {
        Document::Grammar(grammar) => grammar.clone(),
        other => {
            let nfa = other.to_nfa().with_context(|| language.name.clone())?;
            let named = Grammar::from_named_nfa(&nfa, Direction::Left);
            named.unwrap_or_else(|| Grammar::from_nfa(&nfa, Direction::Left))
        }
    };
    Ok((grammar.normalized(), dfa))
}

/// Reads a model file.
pub(crate) fn read_model(path: &Path) -> anyhow::Result<Model> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Model::from_safetensors(&bytes).with_context(|| path.display().to_string())
}

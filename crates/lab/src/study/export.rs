//! Exports the sets of a plan as files, for other learners.

use std::collections::BTreeSet;
use std::path::Path;

use automata::formats::json;
use nerode::examples::{Format, write};
use serde::Serialize;

use super::StudyError;
use crate::files::write_whole;
use crate::job::drawn;
use crate::plan::Plan;
use crate::spec::{Language, Spec};

/// An exported set of examples: `SET.jsonl`, `SET.dat` and `SET.dfa.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The name of the set.
    pub set: String,
    /// The name of the language.
    pub language: String,
    /// The name of the draw.
    pub draw: String,
    /// The number of the run.
    pub run: u64,
    /// The seed of learners on this set.
    pub seed: u64,
    /// The number of examples.
    pub examples: usize,
    /// For an exercise, the teacher's expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
}

/// The list of all sets.
const LIST: &str = "sets.jsonl";

/// Each set of a plan once: its name, and a job that learns from it.
fn sets(plan: &Plan) -> impl Iterator<Item = (String, &Spec)> {
    let mut seen = BTreeSet::new();
    plan.jobs.iter().map(|spec| (spec.set_name(), spec)).filter(move |(name, _)| seen.insert(name.clone()))
}

/// The names of all files that [`export`] writes.
#[must_use]
pub fn exported_files(plan: &Plan) -> Vec<String> {
    let of_set = |name: String| ["jsonl", "dat", "dfa.json"].map(|ending| format!("{name}.{ending}"));
    sets(plan).flat_map(|(name, _)| of_set(name)).chain([LIST.to_owned()]).collect()
}

/// Writes each set of a plan once, and the list of them as `sets.jsonl`.
pub fn export(plan: &Plan, folder: &Path) -> Result<Vec<Exported>, StudyError> {
    std::fs::create_dir_all(folder).map_err(StudyError::file("make the folder", folder))?;
    export_with(plan, |name, bytes| {
        let path = folder.join(name);
        write_whole(&path, bytes).map_err(StudyError::file("write to", &path))
    })
}

/// The same, for callers that write the files themselves: `write` gets the name and the content of each.
pub fn export_with<E: From<StudyError>>(
    plan: &Plan,
    mut write: impl FnMut(&str, &[u8]) -> Result<(), E>,
) -> Result<Vec<Exported>, E> {
    let mut exported = Vec::new();
    for (name, spec) in sets(plan) {
        let failed = |message: String| StudyError::Set { name: name.clone(), message };
        let target = spec.language.draw(spec.seed).map_err(|error| failed(error.to_string()))?;
        let examples = drawn::draw(spec, &target).map_err(failed)?.examples;
        for (format, ending) in [(Format::Jsonl, "jsonl"), (Format::Abbadingo, "dat")] {
            let bytes = write::labelled(format, &examples, &[]).map_err(|error| failed(error.to_string()))?;
            write(&format!("{name}.{ending}"), &bytes)?;
        }
        write(&format!("{name}.dfa.json"), json::write_dfa(&target.dfa).as_bytes())?;
        exported.push(described(spec, name, examples.rows().count()));
    }
    write(LIST, list(&exported).as_bytes())?;
    Ok(exported)
}

fn described(spec: &Spec, set: String, examples: usize) -> Exported {
    Exported {
        set,
        language: spec.language.name(),
        draw: spec.draw.name.clone(),
        run: spec.words_run(),
        seed: spec.learner_seed(),
        examples,
        expression: match &spec.language {
            Language::Exercise { expression, .. } => Some(expression.clone()),
            _ => None,
        },
    }
}

/// Sets as JSON lines.
#[must_use]
pub fn list(sets: &[Exported]) -> String {
    sets.iter().map(|set| serde_json::to_string(set).expect("names and numbers") + "\n").collect()
}

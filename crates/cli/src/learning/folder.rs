//! The folder of a run: everything about an answer as files, each written whole.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use automata::formats::{dot, grammar_text, json};
use automata::{Nfa, drawing};
use induction::Sample;
use serde_json::json;

use super::progress::Bar;
use super::{Run, page, result};
use crate::input::saving;
use crate::output::Output;

/// All that a run may leave there.
const FILES: [&str; 14] = [
    "result.json",
    "grammar.txt",
    "grammar.json",
    "dfa.json",
    "dfa.dot",
    "dfa.svg",
    "nfa.json",
    "nfa.svg",
    "regex.txt",
    "examples.jsonl",
    "report.html",
    "training.jsonl",
    "model.safetensors",
    "timing.json",
];

/// A folder that can be written to.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder, made if it is not there; one that cannot be written to fails before the work.
    pub(crate) fn open<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<Self> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))?;
        // What is learned from is not written over.
        let here = path.canonicalize().ok();
        for input in inputs {
            let name = input.file_name().and_then(|name| name.to_str());
            let whose = input.canonicalize().ok().and_then(|input| input.parent().map(Path::to_owned));
            if whose.is_some() && whose == here && name.is_some_and(|name| FILES.contains(&name)) {
                bail!(
                    "--out {} would write over the examples in {}: name another folder",
                    path.display(),
                    input.display()
                );
            }
        }
        Output::open(Some(&path.join("result.json"))).map(drop)?;
        Ok(Self { path: path.to_owned() })
    }

    /// Writes all files; those of an earlier run that this one has no use for are removed.
    pub(crate) fn fill(&self, run: &Run, sample: &Sample, bar: &Bar) -> anyhow::Result<()> {
        let induced = run.induced;
        let (nfa, dfa) = (run.nfa(), Nfa::from(&induced.dfa));
        let picture = |nfa: &Nfa, title: &str| {
            let options = drawing::Options { dead_states: false, title: Some(title.to_owned()) };
            drawing::svg(nfa, &options).ok()
        };
        let (nfa_picture, dfa_picture) =
            (picture(&nfa, "The learned grammar as an automaton"), picture(&dfa, "The learned minimal automaton"));
        let lines = |lines: Vec<String>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let json_text = |value: &serde_json::Value| serde_json::to_string_pretty(value).map(|text| text + "\n");
        let result = result::json(run);

        // Where it is, all are: so it goes first and comes last.
        self.put("result.json", None)?;
        self.put("grammar.txt", Some(grammar_text::write(&induced.grammar)))?;
        self.put("grammar.json", Some(json::write_grammar(&induced.grammar)))?;
        self.put("dfa.json", Some(json::write_dfa(&induced.dfa)))?;
        self.put("dfa.dot", Some(dot::write(&Nfa::from(&induced.dfa.trimmed()))))?;
        self.put("nfa.json", Some(json::write_nfa(&nfa)))?;
        self.put("regex.txt", run.regex().map(|regex| regex + "\n"))?;
        self.put_bytes("examples.jsonl", Some(saving::lines_of(sample)))?;
        let training = lines(bar.training_of(induced.model.as_ref()));
        let pictures = page::Pictures { dfa: dfa_picture.as_deref(), nfa: nfa_picture.as_deref() };
        self.put("report.html", Some(page::page(run, sample, &result, &pictures, &training)))?;
        self.put("training.jsonl", Some(training))?;
        self.put("dfa.svg", dfa_picture)?;
        self.put("nfa.svg", nfa_picture)?;
        self.put_bytes("model.safetensors", induced.model.as_ref().map(induction::model::Model::to_safetensors))?;
        let timing = json!({
            "seconds": bar.seconds(),
            "steps_per_second": induced.spent.steps as f64 / bar.seconds(),
            "moves_per_second": induced.spent.visits as f64 / bar.seconds(),
        });
        self.put("timing.json", Some(json_text(&timing)?))?;
        self.put("result.json", Some(json_text(&result)?))
    }

    fn put(&self, name: &str, text: Option<String>) -> anyhow::Result<()> {
        self.put_bytes(name, text.map(String::into_bytes))
    }

    fn put_bytes(&self, name: &str, bytes: Option<Vec<u8>>) -> anyhow::Result<()> {
        debug_assert!(FILES.contains(&name), "{name} is not among the files of a run");
        let path = self.path.join(name);
        match bytes {
            Some(bytes) => Output::open(Some(&path))?.finish_bytes(&bytes),
            None => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(error).with_context(|| format!("cannot remove {}", path.display()))
                }
                _ => Ok(()),
            },
        }
    }
}

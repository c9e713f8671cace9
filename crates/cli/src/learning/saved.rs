//! What was found so far, kept in a folder: a learner that was killed goes on from there.

use std::path::{Path, PathBuf};

use anyhow::Context;
use automata::Word;
use automata::formats::Label;
use induction::learner::Learner;
use serde::{Deserialize, Serialize};

use super::progress::Bar;
use crate::output::Output;

/// A checkpoint's place, and what was in it.
pub(crate) struct Saved {
    path: PathBuf,
    content: Content,
}

#[derive(Default, Serialize, Deserialize)]
struct Content {
    /// The learner, as it writes itself down.
    learner: String,
    /// The record of training.
    training: Vec<String>,
    /// Words that were asked about: their letters' numbers, and whether they belong.
    answers: Vec<(Vec<u32>, bool)>,
}

impl Saved {
    /// The folder, made if it is not there, with what was kept in it.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join("learner.json");
        let content = match std::fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| format!("{}: no checkpoint", path.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Content::default(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Ok(Self { path, content })
    }

    /// The answers to questions that were asked before.
    pub(crate) fn answers(&self) -> &[(Vec<u32>, bool)] {
        &self.content.answers
    }

    /// Lets a learner go on from where it was, if it had begun.
    pub(crate) fn take_up(&self, learner: &mut Learner, bar: &Bar) -> anyhow::Result<()> {
        if !self.content.learner.is_empty() {
            learner.resume(&self.content.learner).with_context(|| self.path.display().to_string())?;
            bar.recall(&self.content.training);
        }
        Ok(())
    }

    /// Keeps a learner as it is now.
    pub(crate) fn keep(&mut self, learner: &Learner, bar: &Bar, answers: &[(Word, Label)]) -> anyhow::Result<()> {
        let numbers = |word: &Word| word.iter().map(|letter| letter.index() as u32).collect();
        self.content = Content {
            learner: learner.checkpoint(),
            training: bar.training(),
            answers: answers.iter().map(|(word, label)| (numbers(word), *label == Label::Accepted)).collect(),
        };
        Output::open(Some(&self.path))?.finish(&serde_json::to_string(&self.content)?)
    }

    /// The run is over: nothing is left to go on from.
    pub(crate) fn done(self) -> anyhow::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

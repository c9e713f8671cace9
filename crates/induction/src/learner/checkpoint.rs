//! A learner between two stages, written down and taken up again.
//!
//! Everything that the next stages depend on is kept: the pool, what was spent, what search stands at. What follows from
//! these and the examples is computed again. The examples and settings are not kept, only what tells them from others:
//! a checkpoint is taken up with the same ones or not at all.

use automata::formats::json::{write_dfa, write_grammar};
use automata::formats::{Document, json};
use automata::{Dfa, Grammar};
use serde::{Deserialize, Serialize};

use super::core_sample::Core;
use super::{Learner, Spent};
use crate::model::{Layout, Model, Shape};
use crate::search::{Minimising, MinimisingCheckpoint};
use crate::selection::{Candidate, Origin};

/// Why a checkpoint cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// It is no checkpoint.
    #[error("this is no checkpoint of a learner: {0}")]
    Unreadable(String),
    /// It belongs to something else.
    #[error("the checkpoint belongs to other {0}")]
    Other(&'static str),
}

/// How checkpoints are written; another number means another form.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    /// What tells the examples from others.
    sample: u64,
    settings: String,
    stage: u32,
    grown: bool,
    round: u32,
    search_is_over: bool,
    unchallenged: u32,
    visits_then: u64,
    spent: Spent,
    spent_before: Spent,
    hunted: Option<String>,
    core: Option<Vec<u32>>,
    pool: Vec<Kept>,
    search: Option<MinimisingCheckpoint>,
}

/// A candidate; what the sample says of it is asked again.
#[derive(Serialize, Deserialize)]
struct Kept {
    grammar: String,
    dfa: String,
    origin: Origin,
    finds: u32,
    shape: Option<Shape>,
    nonterminals: usize,
    parameters: Option<Vec<f32>>,
}

impl Learner {
    /// The learner as text.
    #[must_use]
    pub fn checkpoint(&self) -> String {
        let kept = |candidate: &Candidate| Kept {
            grammar: write_grammar(&candidate.grammar),
            dfa: write_dfa(&candidate.dfa),
            origin: candidate.origin,
            finds: candidate.finds,
            shape: candidate.shape,
            nonterminals: candidate.model.as_ref().map_or(0, |model| model.layout().nonterminals()),
            parameters: candidate.model.as_ref().map(|model| model.parameters().to_vec()),
        };
        let checkpoint = Checkpoint {
            version: VERSION,
            sample: self.whole.fingerprint(),
            settings: format!("{:?}", self.settings),
            stage: self.stage,
            grown: self.grown,
            round: self.round,
            search_is_over: self.search_is_over,
            unchallenged: self.unchallenged,
            visits_then: self.visits_then,
            spent: self.spent,
            spent_before: self.spent_before,
            hunted: self.hunted.as_ref().map(write_dfa),
            core: self.core.picked().map(<[u32]>::to_vec),
            pool: self.pool.candidates().iter().map(kept).collect(),
            search: self.search.as_ref().map(Minimising::checkpoint),
        };
        serde_json::to_string(&checkpoint).expect("numbers and text can be written")
    }

    /// Takes up what was written down, in a learner that has not begun.
    pub fn resume(&mut self, text: &str) -> Result<(), ResumeError> {
        let unreadable = |error: serde_json::Error| ResumeError::Unreadable(error.to_string());
        let checkpoint: Checkpoint = serde_json::from_str(text).map_err(unreadable)?;
        if checkpoint.version != VERSION {
            return Err(ResumeError::Other("versions of nerode"));
        }
        if checkpoint.sample != self.whole.fingerprint() {
            return Err(ResumeError::Other("examples"));
        }
        if checkpoint.settings != format!("{:?}", self.settings) {
            return Err(ResumeError::Other("settings"));
        }
        let words = self.whole.entries().len() as u32;
        if checkpoint.core.iter().flatten().any(|&number| number >= words) {
            return Err(ResumeError::Other("examples"));
        }
        let core = Core::restored(&self.whole, checkpoint.core);
        let mut pool = Vec::new();
        for kept in checkpoint.pool {
            let (grammar, dfa) = (read_grammar(&kept.grammar)?, read_dfa(&kept.dfa)?);
            let alphabet = core.sample().alphabet();
            if grammar.alphabet() != alphabet || dfa.alphabet() != alphabet || !dfa.is_complete() {
                return Err(ResumeError::Other("letters"));
            }
            let model = match (kept.shape, kept.parameters) {
                (Some(shape), Some(parameters)) => {
                    let layout = Layout::new(shape, kept.nonterminals.max(1), alphabet.len());
                    if layout.len() != parameters.len() {
                        return Err(ResumeError::Unreadable(
                            "a model has not as many parameters as it should".to_owned(),
                        ));
                    }
                    Some(Model::new(alphabet.clone(), layout, parameters))
                }
                _ => None,
            };
            let candidate = Candidate {
                shape: kept.shape,
                model,
                finds: kept.finds,
                ..Candidate::restored(&grammar, &dfa, core.jury(), kept.origin)
            };
            pool.push(candidate);
        }
        let search = match checkpoint.search {
            Some(kept) => Some(
                Minimising::resume(core.sample(), kept).map_err(|error| ResumeError::Unreadable(error.to_string()))?,
            ),
            None => None,
        };
        self.hunted = checkpoint.hunted.map(|text| read_dfa(&text)).transpose()?;
        self.core = core;
        self.pool = self.empty_pool();
        pool.into_iter().for_each(|candidate| self.pool.add(candidate));
        (self.stage, self.unchallenged) = (checkpoint.stage, checkpoint.unchallenged);
        (self.grown, self.visits_then) = (checkpoint.grown, checkpoint.visits_then);
        (self.spent, self.spent_before) = (checkpoint.spent, checkpoint.spent_before);
        (self.search, self.search_is_over, self.round) = (search, checkpoint.search_is_over, checkpoint.round);
        Ok(())
    }
}

fn read_grammar(text: &str) -> Result<Grammar, ResumeError> {
    match json::read(text) {
        Ok(Document::Grammar(grammar)) => Ok(grammar),
        Ok(_) => Err(ResumeError::Unreadable("there should be a grammar".to_owned())),
        Err(error) => Err(ResumeError::Unreadable(error.message().to_owned())),
    }
}

fn read_dfa(text: &str) -> Result<Dfa, ResumeError> {
    match json::read(text) {
        Ok(Document::Dfa(dfa)) => Ok(dfa),
        Ok(_) => Err(ResumeError::Unreadable("there should be an automaton".to_owned())),
        Err(error) => Err(ResumeError::Unreadable(error.message().to_owned())),
    }
}

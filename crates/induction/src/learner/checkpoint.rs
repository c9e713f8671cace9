//! Saving and resuming a learner between two steps.
//!
//! A checkpoint holds everything that the next steps depend on: the pool, the work done, the state of the search.
//! Whatever follows from these and the examples is computed again. Examples and settings are not saved, only hashes of
//! them: a checkpoint can be resumed only with the same ones.

use std::sync::Arc;

use automata::formats::json::{write_dfa, write_grammar};
use automata::formats::{Document, json};
use automata::{Dfa, Formula, Grammar, Label, Regex, Rule, Word};
use serde::{Deserialize, Serialize};

use super::core_sample::Core;
use super::engines::{BlockRecord, Examined, Rebuilt};
use super::ledger::Ledger;
use super::{Doing, Learner};
use crate::model::{Layout, Model, Shape};
use crate::sample::Sample;
use crate::search::{Minimising, MinimisingCheckpoint};
use crate::selection::{Candidate, Origin};
use crate::strings::{self, Patterns};

/// Why a checkpoint cannot be resumed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// Not a checkpoint.
    #[error("not a checkpoint of a learner: {0}")]
    Unreadable(String),
    /// Belongs to other examples, settings, or another version.
    #[error("the checkpoint belongs to other {0}")]
    Other(&'static str),
}

/// Version of the format.
const VERSION: u32 = 5;

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    /// Hash of the examples.
    sample: u64,
    settings: String,
    doing: Doing,
    turn: u32,
    grown: bool,
    round: u32,
    #[serde(default)]
    merged_all: bool,
    search_is_over: bool,
    unchallenged: u32,
    visits_then: u64,
    ledger: Ledger,
    #[serde(with = "perhaps_dfa")]
    hunted: Option<Dfa>,
    #[serde(with = "perhaps_dfa")]
    predicted: Option<Dfa>,
    #[serde(default)]
    narrowings: Vec<Formula>,
    #[serde(default)]
    rebuilt: Rebuilt,
    solved: bool,
    examined: Option<Examined>,
    #[serde(default)]
    listed: Option<bool>,
    core: Option<Vec<u32>>,
    pool: Vec<Kept>,
    search: Option<MinimisingCheckpoint>,
    records: Vec<BlockRecord>,
    patterns: Option<strings::Known>,
}

/// A candidate without its scores, which are computed again.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    grammar: String,
    dfa: String,
    origin: Origin,
    finds: u32,
    from_all: bool,
    /// Whether shorter descriptions were looked for; they are found again.
    shortened: bool,
    /// Its expression, if it was found as one.
    expression: Option<String>,
    /// The bits of its pattern over classes, if that is its shortest description.
    pattern: Option<f64>,
    /// Its formula with exceptions, if that is its shortest description.
    rule: Option<Rule>,
    shape: Option<Shape>,
    nonterminals: usize,
    parameters: Option<Vec<f32>>,
}

impl Kept {
    pub(super) fn of(candidate: &Candidate) -> Self {
        Self {
            grammar: write_grammar(&candidate.grammar),
            dfa: write_dfa(&candidate.dfa),
            origin: candidate.origin,
            finds: candidate.finds,
            from_all: candidate.from_all,
            shortened: candidate.shortened,
            expression: (candidate.origin == Origin::Expressions)
                .then(|| candidate.expression.as_ref().map(ToString::to_string))
                .flatten(),
            pattern: candidate.pattern.then_some(candidate.bits),
            rule: candidate.rule.clone(),
            shape: candidate.shape,
            nonterminals: candidate.model.as_ref().map_or(0, |model| model.layout().nonterminals()),
            parameters: candidate.model.as_ref().map(|model| model.parameters().to_vec()),
        }
    }

    /// The candidate, scored on this sample.
    pub(super) fn candidate(self, jury: &Sample) -> Result<Candidate, ResumeError> {
        let (grammar, dfa) = (read_grammar(&self.grammar)?, read_dfa(&self.dfa)?);
        let alphabet = jury.alphabet();
        if grammar.alphabet() != alphabet || dfa.alphabet() != alphabet || !dfa.is_complete() {
            return Err(ResumeError::Other("letters"));
        }
        let model = match (self.shape, self.parameters) {
            (Some(shape), Some(parameters)) => {
                let layout = Layout::new(shape, self.nonterminals.max(1), alphabet.len());
                if layout.len() != parameters.len() {
                    return Err(ResumeError::Unreadable("a model has the wrong number of parameters".to_owned()));
                }
                Some(Model::new(alphabet.clone(), layout, parameters))
            }
            _ => None,
        };
        let candidate = Candidate::restored(&grammar, &dfa, jury, self.origin);
        let candidate = if self.shortened { candidate.shortened() } else { candidate };
        let regex = self.expression.and_then(|text| Regex::parse_spelled(&text, alphabet, alphabet.spelling()).ok());
        let candidate = match regex {
            Some(regex) => candidate.described(regex),
            None => candidate,
        };
        let candidate = match self.rule.filter(|rule| rule.is_over(alphabet.len())) {
            Some(rule) => candidate.stated(rule),
            None => candidate,
        };
        let candidate = match self.pattern {
            Some(bits) => Candidate { bits, pattern: true, ..candidate },
            None => candidate,
        };
        Ok(Candidate { shape: self.shape, model, finds: self.finds, from_all: self.from_all, ..candidate })
    }
}

impl Learner {
    /// Writes the learner as text, without jobs in progress, which are repeated.
    #[must_use]
    pub fn checkpoint(&self) -> String {
        let state = &self.state;
        let checkpoint = Checkpoint {
            version: VERSION,
            sample: state.core.whole().fingerprint(),
            settings: format!("{:?}", state.settings),
            doing: self.doing.clone(),
            turn: self.turn,
            grown: self.grown,
            round: state.round,
            merged_all: state.merged_all,
            search_is_over: state.search_is_over,
            unchallenged: self.unchallenged,
            visits_then: self.visits_then,
            ledger: state.ledger,
            hunted: state.hunted.clone(),
            predicted: state.predicted.clone(),
            narrowings: state.narrowings.clone(),
            rebuilt: state.rebuilt,
            solved: state.solved,
            examined: state.examined.clone(),
            listed: state.listed,
            core: state.core.picked().map(<[u32]>::to_vec),
            pool: state.pool.candidates().iter().map(Kept::of).collect(),
            search: state.search.as_deref().map(Minimising::checkpoint),
            records: state.records.clone(),
            patterns: state.patterns.as_ref().map(|patterns| patterns.known().clone()),
        };
        serde_json::to_string(&checkpoint).expect("numbers and text can be written")
    }

    /// Resumes a checkpoint in a new learner; these words had been added before it was saved.
    pub fn resume(&mut self, text: &str, told: &[(Word, Label)]) -> Result<(), ResumeError> {
        let unreadable = |error: serde_json::Error| ResumeError::Unreadable(error.to_string());
        let checkpoint: Checkpoint = serde_json::from_str(text).map_err(unreadable)?;
        if !told.is_empty() {
            self.add(told).map_err(|_| ResumeError::Other("examples"))?;
        }
        let state = &mut self.state;
        let whole = Arc::clone(state.core.whole());
        if checkpoint.version != VERSION {
            return Err(ResumeError::Other("versions of nerode"));
        }
        if checkpoint.sample != whole.fingerprint() {
            return Err(ResumeError::Other("examples"));
        }
        if checkpoint.settings != format!("{:?}", state.settings) {
            return Err(ResumeError::Other("settings"));
        }
        let words = whole.entries().len() as u32;
        if checkpoint.core.iter().flatten().any(|&number| number >= words) {
            return Err(ResumeError::Other("examples"));
        }
        let core = Core::restored(whole, checkpoint.core);
        if let Some(known) = checkpoint.patterns {
            state.read_strings();
            state.patterns.iter_mut().for_each(|patterns| patterns.resume(known.clone()));
        }
        let data = Arc::new(core.data().with_strings(state.patterns.as_ref().map(Patterns::strings)));
        let pool: Vec<Candidate> =
            checkpoint.pool.into_iter().map(|kept| kept.candidate(&data.jury)).collect::<Result<_, _>>()?;
        let resumed = |kept| {
            let search = Minimising::resume(&data.sample, kept);
            search.map(Box::new).map_err(|error| ResumeError::Unreadable(error.to_string()))
        };
        let search = checkpoint.search.map(resumed).transpose()?;
        (state.core, state.data, state.hunted, state.ledger) = (core, data, checkpoint.hunted, checkpoint.ledger);
        (state.predicted, state.merged_all) = (checkpoint.predicted, checkpoint.merged_all);
        (state.narrowings, state.rebuilt) = (checkpoint.narrowings, checkpoint.rebuilt);
        (state.search, state.search_is_over, state.round) = (search, checkpoint.search_is_over, checkpoint.round);
        (state.solved, state.examined, state.listed) = (checkpoint.solved, checkpoint.examined, checkpoint.listed);
        state.records = checkpoint.records;
        state.pool = state.empty_pool().with(pool);
        (self.turn, self.unchallenged) = (checkpoint.turn, checkpoint.unchallenged);
        (self.grown, self.visits_then) = (checkpoint.grown, checkpoint.visits_then);
        self.doing = checkpoint.doing;
        // Restart the interrupted work.
        if let Some((engine, turn)) = self.at_work() {
            self.executor.begin(engine.jobs(turn, &self.state), &self.state.data);
        }
        Ok(())
    }
}

/// An optional automaton in a checkpoint.
pub(super) mod perhaps_dfa {
    use automata::Dfa;
    use automata::formats::json::write_dfa;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::learner) fn serialize<S: Serializer>(dfa: &Option<Dfa>, serializer: S) -> Result<S::Ok, S::Error> {
        dfa.as_ref().map(write_dfa).serialize(serializer)
    }

    pub(in crate::learner) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Dfa>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| super::read_dfa(&text).map_err(D::Error::custom)).transpose()
    }
}

fn read_grammar(text: &str) -> Result<Grammar, ResumeError> {
    match json::read(text) {
        Ok(Document::Grammar(grammar)) => Ok(grammar),
        Ok(_) => Err(ResumeError::Unreadable("expected a grammar".to_owned())),
        Err(error) => Err(ResumeError::Unreadable(error.message().to_owned())),
    }
}

pub(super) fn read_dfa(text: &str) -> Result<Dfa, ResumeError> {
    match json::read(text) {
        Ok(Document::Dfa(dfa)) => Ok(dfa),
        Ok(_) => Err(ResumeError::Unreadable("expected an automaton".to_owned())),
        Err(error) => Err(ResumeError::Unreadable(error.message().to_owned())),
    }
}

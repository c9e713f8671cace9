//! Options of a session.

use automata::Direction;
use induction::learner::{Engine, Noise, Recording, Settings, Shapes};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Error;
use crate::error::bail;
use crate::examples::labels;
use crate::session::{applies, choose};

/// Version of the format of options, events, answers, certificates and proofs.
pub const SCHEMA_VERSION: u32 = 1;

/// Refuses another version of a format.
pub(crate) fn check_version(what_has: &str, version: u32) -> Result<(), Error> {
    if version != SCHEMA_VERSION {
        bail!("{what_has} schema version {version}, but this nerode reads version {SCHEMA_VERSION}");
    }
    Ok(())
}

/// Reads a version, and refuses another one before it is read as something else.
pub(crate) fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    check_version("this JSON has", version).map_err(D::Error::custom)?;
    Ok(version)
}

/// Everything that determines what is learned from examples. Budgets are counted in work, never in time, so that the
/// same options give the same answer on every machine. Missing fields have their defaults; an option that the chosen
/// learner does not read is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Version of this format.
    #[serde(deserialize_with = "version")]
    pub schema_version: u32,
    /// The engine that looks for the answer.
    pub learner: Engine,
    /// Whether strings are learned over character classes.
    pub classes: Classes,
    /// The shapes of the neural model to train.
    pub shapes: Shapes,
    /// Number of non-terminals of the model; none to grow it until an answer agrees with the examples.
    pub nonterminals: Option<usize>,
    /// Maximum number of restarts of the model.
    pub restarts: Option<u64>,
    /// Maximum number of training steps of a restart.
    pub steps: Option<u64>,
    /// Maximum number of prefix-tree nodes that search visits.
    pub moves: Option<u64>,
    /// Maximum number of solver conflicts, for `sat` and for proofs.
    pub conflicts: Option<u64>,
    /// Whether labels may be wrong.
    pub noise: Noise,
    /// Whether the grammar is left-regular (`A → B c`) or right-regular (`A → c B`).
    pub direction: Side,
    /// Seed for all randomness.
    pub seed: u64,
    /// A grammar to start from, as text.
    pub start_from: Option<String>,
    /// Maximum number of questions; none to ask nothing.
    pub questions: Option<u64>,
    /// Whether to prove that the answer is minimal and unique.
    pub prove: bool,
    /// What to record of trainings.
    pub record: Recording,
}

/// Whether strings are learned over character classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Classes {
    /// If the examples look like strings.
    #[default]
    Auto,
    /// Never: letter by letter.
    None,
    /// Always, over these classes instead of the usual ones, such as `[0-9]`; ranges and sets of observed characters
    /// remain possible.
    Given(Vec<String>),
}

/// Side of the letter on which a production has its non-terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// `A → B c`.
    #[default]
    Left,
    /// `A → c B`.
    Right,
}

impl From<Side> for Direction {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Direction::Left,
            Side::Right => Direction::Right,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            learner: Engine::Auto,
            classes: Classes::Auto,
            shapes: Shapes::Both,
            nonterminals: None,
            restarts: None,
            steps: None,
            moves: None,
            conflicts: None,
            noise: Noise::None,
            direction: Side::Left,
            seed: 0,
            start_from: None,
            questions: None,
            prove: false,
            record: Recording::default(),
        }
    }
}

impl Options {
    /// Refuses another version, and options that the chosen learner does not read, as a session does.
    pub fn check(&self) -> Result<(), Error> {
        check_version("these options have", self.schema_version)?;
        applies::check(self)
    }

    /// Refuses examples of one label that the chosen learner cannot learn from, as a session does.
    pub fn check_labels(&self, examples: &automata::Examples) -> Result<(), Error> {
        labels::check(self, examples)
    }

    /// The same options without settings of engines that were not chosen: for programs that set all engines up in one place.
    /// Noise, direction and classes remain, since they say something about the examples.
    #[must_use]
    pub fn applicable(self) -> Self {
        applies::applicable(self)
    }

    /// Whether the chosen learner trains the model, so that there is a training to record.
    #[must_use]
    pub fn trains(&self) -> bool {
        applies::trains(self)
    }

    /// The settings for the engines.
    pub(crate) fn settings(&self, alphabet: &automata::Alphabet) -> Result<Settings, Error> {
        self.check()?;
        let default = Settings::default();
        // The paper's protocol has its own budget.
        let usual_steps = if self.learner == Engine::Paper { u64::MAX } else { default.steps };
        Ok(Settings {
            engine: self.learner,
            way: choose::way(self, alphabet),
            classes: self.given_classes(),
            shapes: self.shapes,
            nonterminals: self.nonterminals,
            restarts: self.restarts.unwrap_or(default.restarts),
            steps: self.steps.unwrap_or(usual_steps),
            visits: self.moves.unwrap_or(default.visits),
            conflicts: self.conflicts.unwrap_or(default.conflicts),
            prove: self.prove,
            narrows: default.narrows,
            noise: self.noise,
            direction: self.direction.into(),
            seed: self.seed,
            start_from: self.start_from.as_deref().map(|text| grammar(text, alphabet)).transpose()?,
        })
    }

    /// The classes to use instead of the usual ones.
    fn given_classes(&self) -> Option<Vec<String>> {
        match &self.classes {
            Classes::Given(classes) => Some(classes.clone()),
            Classes::Auto | Classes::None => None,
        }
    }
}

/// The start grammar, over the letters of the examples.
fn grammar(text: &str, alphabet: &automata::Alphabet) -> Result<automata::Grammar, Error> {
    let grammar = automata::formats::grammar_text::read(text).map_err(|error| Error::new(error).of("start_from"))?;
    let known = alphabet.names();
    let unknown: Vec<&String> = grammar.alphabet().names().iter().filter(|name| !known.contains(name)).collect();
    if let Some(letter) = unknown.first() {
        bail!("start_from: the grammar has the letter {letter}, which occurs in no example");
    }
    Ok(grammar.over(alphabet).directed(Direction::Left).normalized().trimmed())
}

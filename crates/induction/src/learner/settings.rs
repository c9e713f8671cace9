//! Settings of a learner.

use automata::{Direction, Grammar};
use serde::{Deserialize, Serialize};

use super::schedule;
use crate::model::Shape;

/// The engine that looks for the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Merging, the model and search; each builds on what the others found.
    #[default]
    Auto,
    /// The model alone; grammars read off it are repaired.
    Neural,
    /// Annealed search alone.
    Search,
    /// State merging in lexicographic order, one run.
    Rpni,
    /// Evidence-driven state merging, one run.
    Edsm,
    /// The smallest automaton, found by a SAT solver.
    Sat,
    /// Short formulas over facts about words; also from accepted words alone.
    Facts,
    /// State merging by how accepted words go on; also from these alone.
    Walks,
    /// The paper's protocol: one training, read off at its threshold, without repair.
    Paper,
}

impl Engine {
    /// Whether it learns from accepted words alone.
    #[must_use]
    pub fn learns_from_accepted(self) -> bool {
        schedule::learns_from_accepted(self)
    }

    /// The name in options and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Neural => "neural",
            Self::Search => "search",
            Self::Rpni => "rpni",
            Self::Edsm => "edsm",
            Self::Sat => "sat",
            Self::Facts => "facts",
            Self::Walks => "walks",
            Self::Paper => "paper",
        }
    }
}

/// What the letters of the answer are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// The letters of the examples.
    #[default]
    Letters,
    /// Classes of characters, or shapes of tokens.
    Classes,
    /// Either: the shortest description decides.
    Both,
}

/// Which shapes of the model are trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shapes {
    /// The paper's shape.
    Nfa,
    /// The deterministic shape.
    Dfa,
    /// Both, in turns.
    #[default]
    Both,
}

impl Shapes {
    /// Whether this shape is included.
    #[must_use]
    pub fn include(self, shape: Shape) -> bool {
        match self {
            Self::Nfa => shape == Shape::Nfa,
            Self::Dfa => shape == Shape::Dfa,
            Self::Both => true,
        }
    }
}

/// Whether labels may be wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Noise {
    /// All labels are right.
    #[default]
    None,
    /// About this share of the labels is wrong.
    Rate(f64),
    /// An unknown share of the labels is wrong.
    Auto,
}

/// Everything that determines what is learned from a sample. Budgets are counted in work, never in time, so that the
/// same settings give the same answer on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The engine that looks for the answer.
    pub engine: Engine,
    /// Whether words are learned letter by letter, over classes, or both; only [`Engine::Auto`] has the choice.
    pub way: Way,
    /// The classes to use instead of the usual ones, such as `[0-9]`.
    pub classes: Option<Vec<String>>,
    /// Which shapes of the model are trained.
    pub shapes: Shapes,
    /// n', the number of non-terminals; `None` to grow it until an answer agrees with the examples.
    pub nonterminals: Option<usize>,
    /// Maximum number of restarts of the model.
    pub restarts: u64,
    /// Maximum number of training steps of a restart.
    pub steps: u64,
    /// Maximum number of prefix-tree nodes that search visits.
    pub visits: u64,
    /// Maximum number of conflicts of the solver.
    pub conflicts: u64,
    /// Whether all of these may be spent on the proof that an answer is minimal and unique, instead of a few.
    pub prove: bool,
    /// Whether facts that explain a part of the labels leave the rest as a problem of its own.
    pub narrows: bool,
    /// Whether labels may be wrong.
    pub noise: Noise,
    /// `A → B c`, or `A → c B`; the latter reads words from the end.
    pub direction: Direction,
    /// Seed for all randomness.
    pub seed: u64,
    /// A grammar to start from.
    pub start_from: Option<Grammar>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            engine: Engine::Auto,
            way: Way::Letters,
            classes: None,
            shapes: Shapes::Both,
            nonterminals: None,
            restarts: 256,
            steps: 3_000,
            visits: 30_000_000_000,
            conflicts: crate::proof::ProofSettings::default().conflicts,
            prove: false,
            narrows: true,
            noise: Noise::None,
            direction: Direction::Left,
            seed: 0,
            start_from: None,
        }
    }
}

/// What to record of trainings. It does not affect them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Recording {
    /// Whether every epoch is recorded.
    pub epochs: bool,
    /// Number of points in each training at which the model's beliefs are recorded; 0 for none.
    pub frames: usize,
}

impl Settings {
    /// How patterns over classes are learned.
    pub(super) fn ways(&self) -> crate::strings::Ways {
        let Self { classes, noise, direction, .. } = self;
        crate::strings::Ways { classes: classes.clone(), noise: *noise, direction: *direction }
    }
}

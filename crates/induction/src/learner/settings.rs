//! What a learner is told besides the examples.

use automata::{Direction, Grammar};
use serde::{Deserialize, Serialize};

use crate::model::Shape;

/// Who looks for the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Merging, the model and search, each going on from what the others found.
    #[default]
    Auto,
    /// The model alone, with repair of what is read off it.
    Neural,
    /// Annealed search alone.
    Search,
    /// One run of merging in the order of a dictionary.
    Rpni,
    /// One run of merging by evidence.
    Edsm,
    /// The smallest automaton, exactly, by a solver.
    Sat,
    /// The paper's protocol: one training, read at its threshold and left as it is.
    Paper,
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
    /// Both ways begin, and the shorter description decides which goes on.
    Both,
}

/// Which shapes of the model are trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shapes {
    /// The paper's.
    Nfa,
    /// The deterministic one.
    Dfa,
    /// Each in its turn.
    #[default]
    Both,
}

impl Shapes {
    /// Whether this shape is one of them.
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
    /// They are all right.
    #[default]
    None,
    /// About this part of them is wrong.
    Rate(f64),
    /// Some are wrong, nobody knows how many.
    Auto,
}

/// Everything that decides what is learned from a sample. The budgets are counted in work, never in time, so that the same
/// settings give the same answer on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Who looks for the answer.
    pub engine: Engine,
    /// Whether words are learned letter by letter, over classes, or both; only [`Engine::Auto`] has the choice.
    pub way: Way,
    /// The classes to use instead of the usual ones, such as `[0-9]`.
    pub classes: Option<Vec<String>>,
    /// Which shapes of the model are trained.
    pub shapes: Shapes,
    /// n'; none for sizes that grow until something agrees with the examples.
    pub nonterminals: Option<usize>,
    /// How many restarts of the model are trained at the most.
    pub restarts: u64,
    /// How many steps a restart is trained at the most.
    pub steps: u64,
    /// How many nodes of the prefix tree search visits at the most.
    pub visits: u64,
    /// How many conflicts the solver meets at the most.
    pub conflicts: u64,
    /// Whether labels may be wrong.
    pub noise: Noise,
    /// `A → B c`, or `A → c B`: then words are read from their ends.
    pub direction: Direction,
    /// What all that is random comes from.
    pub seed: u64,
    /// A grammar to begin from.
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
            noise: Noise::None,
            direction: Direction::Left,
            seed: 0,
            start_from: None,
        }
    }
}

/// What is kept of trainings. It changes nothing in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Recording {
    /// Whether every epoch is recorded.
    pub epochs: bool,
    /// At how many moments of each training it is recorded what the model believed; 0 for none.
    pub frames: usize,
}

/// The most steps that the paper's protocol is given.
pub const PAPER_STEP_CAP: u64 = 100_000;

/// The steps of the paper's protocol: 60 epochs of all words over so many letters up to this length, in batches of 80,
/// [`PAPER_STEP_CAP`] at the most. They are fixed by the data's size alone, before anything is trained.
#[must_use]
pub fn paper_steps(letters: usize, longest: usize) -> u64 {
    let mut words: u64 = 0;
    let mut of_length: u64 = 1;
    for _ in 0..longest {
        of_length = of_length.saturating_mul(letters as u64);
        words = words.saturating_add(of_length);
    }
    words.div_ceil(80).saturating_mul(60).clamp(1, PAPER_STEP_CAP)
}

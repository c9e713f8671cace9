//! The specification of a job: a language, a way of drawing examples, a learner and a seed.
//!
//! A specification is complete. It contains every number that affects the outcome, even where a plan uses the defaults,
//! so that a record can be understood and its job repeated without the plan.

use induction::learner::{self, Engine, Shapes};
pub use induction::model::Selector;
use induction::training;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::subregular::Recipe;

/// One job. Its record is a pure function of this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The name of the plan.
    pub plan: String,
    /// The name of the job, unique in the plan, and valid as a file name.
    pub name: String,
    /// The language to learn.
    pub language: Language,
    /// How the examples are drawn.
    pub draw: Draw,
    /// The learner.
    pub learner: Learner,
    /// The seed of the plan, from which the seeds of language, words and learner are derived.
    pub seed: u64,
    /// The number of the run, from 0: each run has another learner seed and, unless `same_words` is set, other words.
    pub run: u64,
    /// Recall, precision and accuracy are computed over words of at most this many letters.
    pub evaluation_depth: usize,
    /// Maximum number of solver conflicts for each proof that the truth and the answer are smallest and unique. 0 for
    /// no proofs.
    #[serde(default)]
    pub proofs: u64,
    /// The learner is stopped after this many seconds; its answer then depends on the machine. `None` for no limit.
    pub seconds: Option<f64>,
}

/// A language, drawn at random or given explicitly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Language {
    /// A random grammar, drawn as in the paper.
    Grammar {
        /// t.
        letters: usize,
        /// n.
        nonterminals: usize,
        /// 𝔭, the mean number of productions per non-terminal.
        productions: usize,
        /// The number of the grammar among those of this configuration.
        index: u64,
        /// Whether words are reversed: then the model is unlikely to start near the language.
        reversed: bool,
    },
    /// A random minimal automaton with this many states and uniform transitions.
    Automaton {
        /// Its letters.
        letters: usize,
        /// Its states.
        states: usize,
        /// The number of the automaton among those of this configuration.
        index: u64,
    },
    /// A random minimal automaton with this many states plus a dead one, to which most letters lead.
    Sparse {
        /// Its letters.
        letters: usize,
        /// The number of states, not counting the dead one.
        states: usize,
        /// The mean number of letters per state that do not lead to the dead state.
        transitions: f64,
        /// The number of the automaton among those of this configuration.
        index: u64,
    },
    /// A random regular expression with this many letters.
    RandomExpression {
        /// The letters of the alphabet.
        letters: usize,
        /// The number of letters in the expression.
        size: usize,
        /// The number of the expression among those of this configuration.
        index: u64,
    },
    /// A regular expression.
    Expression {
        /// The name.
        name: String,
        /// The expression.
        expression: String,
        /// The alphabet, one character per letter; the letters of the expression are added.
        letters: String,
    },
    /// A Tomita language.
    Tomita {
        /// 1 to 7.
        number: usize,
    },
    /// An everyday language of [`strings`](crate::strings).
    Everyday {
        /// The name.
        name: String,
    },
    /// An exercise of [`textbook`](crate::textbook).
    Exercise {
        /// The name.
        name: String,
        /// The teacher's expression.
        expression: String,
        /// The alphabet, one character per letter.
        letters: String,
        /// Whether it is held out from tuning.
        held_out: bool,
    },
    /// A random automaton like those of the StaMInA competition.
    Stamina {
        /// Its letters.
        letters: usize,
        /// About how many states it has, not counting the dead one.
        states: usize,
        /// The number of the automaton among those of this configuration.
        index: u64,
    },
    /// A random subregular language.
    Subregular {
        /// Its class and sizes.
        recipe: Recipe,
    },
}

/// How examples are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The name in the plan.
    pub name: String,
    /// Maximum length of the words.
    pub depth: usize,
    /// Which words are drawn.
    pub lengths: Lengths,
    /// How many words are drawn.
    pub words: Words,
    /// The fraction of the distinct words whose labels are flipped.
    pub noise: f64,
    /// Whether all runs have the same words.
    pub same_words: bool,
    /// The seed of the words; `None` to derive it from the language and the run. Fixed suites have their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_seed: Option<u64>,
    /// The seed and the random stream of the wrong labels; `None` to derive them likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels_seed: Option<[u64; 2]>,
}

/// Which words are drawn if there are more than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lengths {
    /// Every word is equally likely, so most words are close to the maximum length.
    Uniform,
    /// Equal numbers of every length, as far as they exist.
    Even,
}

/// How many words are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Words {
    /// A number for each label.
    ByLabel {
        /// Maximum number of positive words.
        positives: usize,
        /// Maximum number of negative words.
        negatives: usize,
        /// Whether positive words are repeated to reach the number wanted.
        repeat: bool,
        /// Whether the four kinds of negative words get a quarter each, as in the paper, or rejected words are drawn
        /// alike.
        kinds: bool,
        /// Whether the empty word is labelled.
        empty_word: bool,
    },
    /// A number per state of the minimal automaton, drawn regardless of labels.
    Blind {
        /// Words per state.
        per_state: usize,
        /// Minimum length of the words.
        shortest: usize,
    },
    /// Words of an everyday language, and as many near misses.
    Strings {
        /// The number of both together.
        count: usize,
    },
    /// All short words, and some longer ones: half of them accepted, as far as there are as many.
    Short {
        /// Maximum length of the short words.
        all: usize,
        /// The number of longer words.
        longer: usize,
    },
    /// Words of random lengths: all lengths that still have words are equally likely, and so are all words of a length.
    Drawn {
        /// Maximum number of positive words.
        positives: usize,
        /// Maximum number of negative words.
        negatives: usize,
    },
    /// A part of the words of random walks, and of edits of such words. The others are for tests.
    Walks {
        /// The number of words that are drawn for examples and tests.
        count: usize,
        /// The part of the examples that is given, in percent.
        percent: f64,
    },
    /// As many accepted as rejected words, and as many of each length, as far as they exist.
    Balanced {
        /// The number of both together.
        count: usize,
        /// Minimum length of the words.
        shortest: usize,
    },
}

/// A learner and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// The name in the plan.
    pub name: String,
    /// The method.
    pub method: Method,
}

/// The method of a learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Learns as `nerode learn` does.
    Learn(Learning),
    /// Trains the model once and extracts a grammar at the threshold τ, without repair or selection by the examples.
    Train(Box<Training>),
}

/// The settings of `nerode learn`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// The engine.
    pub engine: Engine,
    /// Whether classes of characters may be used where the examples look like strings, as by default. All other
    /// settings are then the usual ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub classes: bool,
    /// The model shapes to train.
    pub shape: Shapes,
    /// n'; `None` for increasing sizes.
    pub nonterminals: Option<usize>,
    /// Maximum number of restarts.
    pub restarts: u64,
    /// Maximum number of steps per restart; `None` in the paper's protocol for its own budget.
    pub steps: Option<u64>,
    /// Maximum number of nodes that search visits.
    pub visits: u64,
    /// Maximum number of solver conflicts; `None` for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<u64>,
    /// What the learner is given to know about wrong labels.
    pub noise: Told,
    /// Whether words are read from the end, so that the grammar is right-regular.
    pub right: bool,
    /// Maximum number of questions about undecided words; `None` for no questions. They end when the answer is correct.
    pub questions: Option<u64>,
}

/// What a learner is given to know about wrong labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// Nothing: it takes all labels to be correct.
    #[default]
    Nothing,
    /// That some are wrong.
    Some,
    /// The fraction of wrong labels; the same as nothing if it is zero.
    Rate,
}

/// One training run of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// How the non-terminal for the whole word is chosen.
    pub selector: Selector,
    /// All other settings; the seed comes from the job.
    pub settings: training::Settings,
}

/// Why a specification is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// The name is not valid as a file name.
    #[error("{0:?} is not a valid job name: use 1 to 200 of a to z, 0 to 9, `-`, `_` and `.`, a letter or digit first")]
    Name(String),
    /// A number of the draw is out of bounds.
    #[error("{what} is {given}, but must be from {least} to {most}")]
    Draw {
        /// The number.
        what: &'static str,
        /// The value given.
        given: usize,
        /// The minimum.
        least: usize,
        /// The maximum.
        most: usize,
    },
    /// A number of the learner is out of bounds.
    #[error("{what} is {given}, but must be from {least} to {most}")]
    Learner {
        /// The number.
        what: &'static str,
        /// The value given.
        given: usize,
        /// The minimum.
        least: usize,
        /// The maximum.
        most: usize,
    },
    /// A size of the language is zero or too large.
    #[error("the language has {given} {what}, but must have more than 0 and at most {most}")]
    Language {
        /// What is counted.
        what: &'static str,
        /// The number given.
        given: f64,
        /// The maximum.
        most: usize,
    },
    /// The noise rate is out of range.
    #[error("the noise rate is {0}, but must be at least 0 and below 0.5")]
    Noise(f64),
    /// The parts do not fit together.
    #[error("{0}")]
    Combination(&'static str),
    /// The time limit is out of range.
    #[error("the time limit is {0} seconds, but must be above 0 and below 1000000000")]
    Seconds(f64),
}

/// Maximum length of the words of a job.
pub(crate) const MOST_LETTERS: usize = 1000;
/// Maximum number of non-terminals of a model: its parameters grow with their square.
pub(crate) const MOST_NONTERMINALS: usize = 256;
/// The bounds of plans, which also apply to jobs.
const MOST_RESTARTS: usize = 1_000_000;
const MOST_BATCH: usize = 1_000_000;
const MOST_WORDS: usize = 10_000_000;
const MOST_WORDS_A_STATE: usize = 1_000_000;
const MOST_STRINGS: usize = 100_000;

impl Spec {
    /// The name of the set of examples, the same for all learners of a plan.
    #[must_use]
    pub fn set_name(&self) -> String {
        format!("{}.{}.r{}", self.language.name(), self.draw.name, self.words_run())
    }

    /// The run that the words are drawn for.
    #[must_use]
    pub fn words_run(&self) -> u64 {
        if self.draw.same_words { 0 } else { self.run }
    }

    /// The seed of the learner.
    #[must_use]
    pub fn learner_seed(&self) -> u64 {
        self.seed.wrapping_add(self.run)
    }

    /// Whether the specification is valid. Jobs of plans always are.
    pub fn check(&self) -> Result<(), SpecError> {
        let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        let begins = self.name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !begins || self.name.len() > 200 || !self.name.chars().all(fit) {
            return Err(SpecError::Name(self.name.clone()));
        }
        let shortest = match self.draw.words {
            Words::Blind { shortest, .. } | Words::Balanced { shortest, .. } => shortest,
            Words::Short { all, .. } => all,
            Words::ByLabel { .. } | Words::Strings { .. } | Words::Drawn { .. } | Words::Walks { .. } => 1,
        };
        let within = |what, given, least, most| match (least..=most).contains(&given) {
            true => Ok(()),
            false => Err(SpecError::Draw { what, given, least, most }),
        };
        within("the depth of the examples", self.draw.depth, shortest.max(1), MOST_LETTERS)?;
        within("the depth of the evaluation", self.evaluation_depth, 0, MOST_LETTERS)?;
        match self.draw.words {
            Words::ByLabel { positives, negatives, .. } => {
                within("the number of positive words", positives, 0, MOST_WORDS)?;
                within("the number of negative words", negatives, 0, MOST_WORDS)?;
            }
            Words::Blind { per_state, .. } => within("the number of words a state", per_state, 1, MOST_WORDS_A_STATE)?,
            Words::Strings { count } => within("the number of strings", count, 2, MOST_STRINGS)?,
            Words::Short { longer, .. } => within("the number of longer words", longer, 0, MOST_STRINGS)?,
            Words::Drawn { positives, negatives } => {
                within("the number of positive words", positives, 0, MOST_STRINGS)?;
                within("the number of negative words", negatives, 0, MOST_STRINGS)?;
            }
            Words::Walks { count, percent } => {
                within("the number of words", count, 2, MOST_STRINGS)?;
                within("the part of the words in percent", percent.ceil() as usize, 1, 100)?;
            }
            Words::Balanced { count, .. } => within("the number of words", count, 2, MOST_STRINGS)?,
        }
        self.check_strings()?;
        self.learner.method.check()?;
        self.language.check()?;
        if !(0.0..0.5).contains(&self.draw.noise) {
            return Err(SpecError::Noise(self.draw.noise));
        }
        match self.seconds {
            Some(seconds) if !(seconds > 0.0 && seconds < 1e9) => Err(SpecError::Seconds(seconds)),
            _ => Ok(()),
        }
    }
}

impl Spec {
    /// Checks that everyday languages have their own kind of examples and learners.
    fn check_strings(&self) -> Result<(), SpecError> {
        let everyday = matches!(self.language, Language::Everyday { .. });
        if everyday != matches!(self.draw.words, Words::Strings { .. }) {
            return Err(SpecError::Combination("everyday languages, and only these, have words of kind `strings`"));
        }
        match &self.learner.method {
            Method::Train(_) if everyday => Err(SpecError::Combination("everyday languages have no `training`")),
            Method::Learn(how) if everyday && (how.noise != Told::Nothing || how.right || self.draw.noise > 0.0) => {
                Err(SpecError::Combination("everyday languages have no `noise` and no `right`"))
            }
            _ => Ok(()),
        }
    }
}

impl Learning {
    /// Whether everything but the questions is as `nerode learn` has it by default.
    fn is_usual(&self) -> bool {
        let usual = learner::Settings::default();
        let budgets = (self.restarts, self.steps, self.visits) == (usual.restarts, Some(usual.steps), usual.visits);
        budgets && self.engine == Engine::Auto && self.shape == usual.shapes && self.nonterminals.is_none()
    }
}

impl Method {
    fn check(&self) -> Result<(), SpecError> {
        if let Self::Learn(how) = self
            && how.classes
            && !how.is_usual()
        {
            return Err(SpecError::Combination("with `classes` the engine and its budgets are the usual ones"));
        }
        let (nonterminals, restarts, batch) = match self {
            Self::Learn(how) => (how.nonterminals, usize::try_from(how.restarts).unwrap_or(usize::MAX), None),
            Self::Train(how) => (Some(how.settings.nonterminals), how.settings.restarts, how.settings.batch),
        };
        let within = |what, given, least, most| match (least..=most).contains(&given) {
            true => Ok(()),
            false => Err(SpecError::Learner { what, given, least, most }),
        };
        within("the number of the learner's non-terminals", nonterminals.unwrap_or(1), 1, MOST_NONTERMINALS)?;
        within("the number of restarts", restarts, 0, MOST_RESTARTS)?;
        within("the batch", batch.unwrap_or(1), 1, MOST_BATCH)
    }
}

impl Language {
    fn check(&self) -> Result<(), SpecError> {
        let size = |what, given: f64, most: usize| match (0.0..=most as f64).contains(&given) && given > 0.0 {
            true => Ok(()),
            false => Err(SpecError::Language { what, given, most }),
        };
        let count = |what, given: usize, most| size(what, given as f64, most);
        match self {
            &Self::Grammar { letters, nonterminals, productions, .. } => {
                count("letters", letters, 1000)?;
                count("non-terminals", nonterminals, 64)?;
                count("productions a non-terminal", productions, 1000)
            }
            &Self::Automaton { letters, states, .. } => {
                count("letters", letters, 1000)?;
                count("states", states, 10_000)
            }
            &Self::Sparse { letters, states, transitions, .. } => {
                count("letters", letters, 1000)?;
                count("states", states, 10_000)?;
                size("transitions per state", transitions, 1000)
            }
            &Self::RandomExpression { letters, size, .. } => {
                count("letters", letters, 26)?;
                count("letters in its expression", size, 1000)
            }
            &Self::Stamina { letters, states, .. } => {
                count("letters", letters, 1000)?;
                count("states", states, 1000)
            }
            Self::Subregular { recipe } => {
                count("letters", recipe.letters, 64)?;
                count("letters in a pattern", recipe.width, 16)?;
                count("literals", recipe.literals, 8)
            }
            Self::Expression { .. } | Self::Tomita { .. } | Self::Everyday { .. } | Self::Exercise { .. } => Ok(()),
        }
    }

    /// n, if the language is given by a grammar with n non-terminals.
    #[must_use]
    pub fn nonterminals(&self) -> Option<usize> {
        match self {
            Self::Grammar { nonterminals, .. } => Some(*nonterminals),
            _ => None,
        }
    }

    /// Whether the language is held out from tuning; `None` if that is not part of its specification.
    #[must_use]
    pub fn is_held_out(&self) -> Option<bool> {
        match self {
            Self::Exercise { held_out, .. } => Some(*held_out),
            Self::Subregular { recipe } => Some(recipe.held_out),
            _ => None,
        }
    }

    /// A short name, the same for the same language.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Grammar { letters, nonterminals, productions, index, reversed } => {
                let reversed = if *reversed { "-reversed" } else { "" };
                format!("t{letters}-n{nonterminals}-p{productions}-{index}{reversed}")
            }
            Self::Automaton { letters, states, index } => format!("automaton-t{letters}-k{states}-{index}"),
            Self::Sparse { letters, states, transitions, index } => {
                format!("sparse-t{letters}-k{states}-m{transitions}-{index}")
            }
            Self::RandomExpression { letters, size, index } => format!("expression-t{letters}-m{size}-{index}"),
            Self::Expression { name, .. } | Self::Exercise { name, .. } => name.clone(),
            Self::Tomita { number } => format!("tomita{number}"),
            Self::Everyday { name } => name.clone(),
            Self::Stamina { letters, states, index } => format!("stamina-t{letters}-k{states}-{index}"),
            Self::Subregular { recipe } => recipe.name(),
        }
    }
}

//! What a job is: a language, a way of drawing examples, a learner and a seed.
//!
//! A specification is complete. Every number that decides the outcome is written out in it, also where a plan leaves it
//! to the defaults, so that a record can be understood, and its job run again, without the plan that it came from.

use induction::learner::{Engine, Shapes};
use induction::training;
use serde::{Deserialize, Serialize};

/// One job: a pure function of this gives its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The name of the plan.
    pub plan: String,
    /// The name of the job, unlike that of every other job of the plan, and fit for a file.
    pub name: String,
    /// What is to be learned.
    pub language: Language,
    /// From what.
    pub draw: Draw,
    /// By whom.
    pub learner: Learner,
    /// The seed of the plan: language, words and learner have theirs from it.
    pub seed: u64,
    /// The number of the run, from 0: each has other words, unless these are to stay the same, and another learner's seed.
    pub run: u64,
    /// Recall, precision and accuracy are counted over words of at most this many letters.
    pub evaluation_depth: usize,
    /// How many conflicts of the solver each proof may take: that the truth and the answer are the smallest and only ones.
    /// 0 for no proofs.
    #[serde(default)]
    pub proofs: u64,
    /// The learner is cut after so many seconds; what it gives then depends on the machine. None for never.
    pub seconds: Option<f64>,
}

/// A language, as it is drawn or named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Language {
    /// A random grammar as the paper draws them.
    Grammar {
        /// t.
        letters: usize,
        /// n.
        nonterminals: usize,
        /// 𝔭, the mean number of productions a non-terminal.
        productions: usize,
        /// The number of the grammar among those of this configuration.
        index: u64,
        /// Whether its words are read from their ends: then the language is outside what the model is likely to begin with.
        reversed: bool,
    },
    /// A random minimal automaton with so many states, in which each letter leads anywhere.
    Automaton {
        /// Its letters.
        letters: usize,
        /// Its states.
        states: usize,
        /// The number of the automaton among those of this configuration.
        index: u64,
    },
    /// A random minimal automaton with so many states besides the dead one, of which most letters lead there.
    Sparse {
        /// Its letters.
        letters: usize,
        /// Its states but for the dead one.
        states: usize,
        /// How many letters lead on from a state, on average.
        transitions: f64,
        /// The number of the automaton among those of this configuration.
        index: u64,
    },
    /// A random regular expression with so many letters in it.
    RandomExpression {
        /// The letters of the alphabet.
        letters: usize,
        /// How many letters stand in the expression.
        size: usize,
        /// The number of the expression among those of this configuration.
        index: u64,
    },
    /// A regular expression.
    Expression {
        /// What it is called.
        name: String,
        /// The expression.
        expression: String,
        /// The letters, each a character; those of the expression are among them in any case.
        letters: String,
    },
    /// A language of Tomita.
    Tomita {
        /// 1 to 7.
        number: usize,
    },
}

/// How examples are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// What the plan calls it.
    pub name: String,
    /// Words have at most this many letters.
    pub depth: usize,
    /// Which words are taken.
    pub lengths: Lengths,
    /// How many.
    pub words: Words,
    /// The part of the distinct words whose labels are turned around.
    pub noise: f64,
    /// Whether all runs have the same words.
    pub same_words: bool,
}

/// Which words are taken when there are more than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lengths {
    /// All words equally likely: most are about as long as can be.
    Uniform,
    /// Equal numbers of every length as far as they exist.
    Even,
}

/// How many words are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Words {
    /// So many of each label.
    ByLabel {
        /// At most so many positive words.
        positives: usize,
        /// At most so many negative words.
        negatives: usize,
        /// Whether positive words are repeated until there are as many as wanted.
        repeat: bool,
        /// Whether the four kinds of negative words have a quarter each, as in the paper, or all rejected words are alike.
        kinds: bool,
        /// Whether the empty word is labelled.
        empty_word: bool,
    },
    /// So many for each state of the minimal automaton, drawn without regard to their labels.
    Blind {
        /// Words a state.
        per_state: usize,
        /// Words have at least this many letters.
        shortest: usize,
    },
}

/// Who learns, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// What the plan calls it.
    pub name: String,
    /// What it does.
    pub method: Method,
}

/// What a learner does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// It learns as `nerode learn` does.
    Learn(Learning),
    /// It trains the model once and reads it off at the threshold τ: nothing is mended, nothing is chosen by the examples.
    Train(Box<Training>),
}

/// The settings of `nerode learn`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Who looks for the answer.
    pub engine: Engine,
    /// Which shapes of the model are trained.
    pub shape: Shapes,
    /// n'; none for sizes that grow.
    pub nonterminals: Option<usize>,
    /// How many restarts are trained at the most.
    pub restarts: u64,
    /// How many steps a restart is trained at the most; for the paper's protocol none is its own budget.
    pub steps: Option<u64>,
    /// How many nodes search visits at the most.
    pub visits: u64,
    /// How many conflicts the solver meets at the most; none for an engine without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<u64>,
    /// What is said of wrong labels.
    pub noise: Told,
    /// Whether words are read from their ends, so that the grammar is right-regular.
    pub right: bool,
    /// How many questions about undecided words may be asked; none for no questions. They end when the answer is right.
    pub questions: Option<u64>,
}

/// What a learner is told of wrong labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// Nothing: it takes all labels for right.
    #[default]
    Nothing,
    /// That some are wrong.
    Some,
    /// The part that is wrong; nothing where none is.
    Rate,
}

/// One training of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// How it is decided which non-terminal stands for the whole word.
    pub selector: Selector,
    /// Everything else; the seed is the job's.
    pub settings: training::Settings,
}

/// How the model decides which non-terminal stands for the whole word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selector {
    /// A softmax over all of them, as in the paper.
    #[default]
    Softmax,
    /// Always the first.
    Fixed,
    /// A perceptron of two layers over their beliefs.
    TwoLayers,
    /// A perceptron of three layers over their beliefs.
    ThreeLayers,
}

/// Why a specification cannot be meant.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// The name would be no name of a file.
    #[error(
        "{0:?} is no name for a job: it takes 1 to 200 of a to z, 0 to 9, `-`, `_` and `.`, a letter or digit first"
    )]
    Name(String),
    /// A number of the draw out of bounds.
    #[error("{what} is {given}, but must be from {least} to {most}")]
    Draw {
        /// Which.
        what: &'static str,
        /// What it is.
        given: usize,
        /// The least that it may be.
        least: usize,
        /// The most that it may be.
        most: usize,
    },
    /// A number of the learner out of bounds.
    #[error("{what} is {given}, but must be from {least} to {most}")]
    Learner {
        /// Which.
        what: &'static str,
        /// What it is.
        given: usize,
        /// The least that it may be.
        least: usize,
        /// The most that it may be.
        most: usize,
    },
    /// A size of the language that is none, or beyond all bounds.
    #[error("the language has {given} {what}, but must have more than 0 and at most {most}")]
    Language {
        /// Of what.
        what: &'static str,
        /// How many.
        given: f64,
        /// How many at the most.
        most: usize,
    },
    /// The rate of noise is no rate.
    #[error("the rate of noise is {0}, but must be at least 0 and below 0.5")]
    Noise(f64),
    /// A limit of time that is none.
    #[error("the limit of time is {0} seconds, but must be above 0 and below 1000000000")]
    Seconds(f64),
}

/// Words of a job have at most so many letters.
pub(crate) const MOST_LETTERS: usize = 1000;
/// The largest model has so many non-terminals: its parameters grow with their square.
pub(crate) const MOST_NONTERMINALS: usize = 256;
/// The bounds of plans, which jobs keep, too.
const MOST_RESTARTS: usize = 1_000_000;
const MOST_BATCH: usize = 1_000_000;
const MOST_WORDS: usize = 10_000_000;
const MOST_WORDS_A_STATE: usize = 1_000_000;

impl Spec {
    /// Whether this can be meant. Jobs of plans always can.
    pub fn check(&self) -> Result<(), SpecError> {
        let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        let begins = self.name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !begins || self.name.len() > 200 || !self.name.chars().all(fit) {
            return Err(SpecError::Name(self.name.clone()));
        }
        let shortest = match self.draw.words {
            Words::Blind { shortest, .. } => shortest,
            Words::ByLabel { .. } => 1,
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
        }
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

impl Method {
    fn check(&self) -> Result<(), SpecError> {
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
                size("transitions a state", transitions, 1000)
            }
            &Self::RandomExpression { letters, size, .. } => {
                count("letters", letters, 26)?;
                count("letters in its expression", size, 1000)
            }
            Self::Expression { .. } | Self::Tomita { .. } => Ok(()),
        }
    }

    /// n, if it is that of a grammar with so many non-terminals.
    #[must_use]
    pub fn nonterminals(&self) -> Option<usize> {
        match self {
            Self::Grammar { nonterminals, .. } => Some(*nonterminals),
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
            Self::Expression { name, .. } => name.clone(),
            Self::Tomita { number } => format!("tomita{number}"),
        }
    }
}

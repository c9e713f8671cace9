//! The outcome of a job: one JSON file with the schema `docs/record.schema.json`.
//!
//! A record is a function of its specification and the version of the program, so a repeated job writes the same bytes.
//! Times go to a [`Timing`] in a separate file.

use std::fmt;

use induction::learner::StopReason;
use induction::model::Shape;
use induction::selection::Origin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::spec::Spec;

/// The version of the format. It is incremented when the meaning of a field changes or a field is removed.
pub const FORMAT: u32 = 2;

/// The outcome of a job: its specification, and an answer or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// The job.
    pub spec: Spec,
    /// The language; `None` if it could not be drawn.
    pub truth: Option<Truth>,
    /// The examples; `None` if they could not be drawn.
    pub data: Option<Data>,
    /// What was learned; `None` if nothing was.
    pub answer: Option<Answer>,
    /// Why there is no answer.
    pub error: Option<String>,
}

/// The language that was to be learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// The number of letters.
    pub letters: usize,
    /// The number of states of the minimal complete automaton, including a dead state.
    pub states: usize,
    /// The number of non-terminals of the grammar that was drawn or, for other languages, of the automaton's grammar.
    pub nonterminals: usize,
    /// The number of productions of that grammar.
    pub productions: usize,
    /// The number of words up to the maximum length of the examples: all digits, in decimal.
    pub words_to_depth: String,
    /// The number of words up to the length of the evaluation.
    pub words_to_evaluation_depth: String,
    /// Whether the language is finite.
    pub finite: bool,
    /// The length of its shortest known description in bits.
    pub bits: f64,
    /// For a subregular language, the formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
}

/// The examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// The number of examples, including repetitions.
    pub examples: u64,
    /// The number of distinct words.
    pub words: u64,
    /// The number of distinct words that are in the language, whatever their labels.
    pub positives: u64,
    /// The number of distinct words that are not.
    pub negatives: u64,
    /// The length of the longest example.
    pub longest: usize,
    /// The number of distinct words with a wrong label.
    pub flipped: u64,
    /// Whether no automaton smaller than that of the truth agrees with the examples.
    pub truth_is_minimal: Claim,
    /// Whether no other language whose automaton is as small as that of the truth agrees with the examples. If both are
    /// proved, the examples identify the language.
    pub truth_is_unique: Claim,
}

/// The status of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Proved.
    Proved,
    /// Refuted.
    Refuted,
    /// Neither proved nor refuted.
    #[default]
    Unknown,
}

/// What was learned, and how good it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Whether the answer is exactly the language.
    pub exact: bool,
    /// A shortest word that is in only one of the two languages; `None` if they are equal.
    pub separating_word: Option<String>,
    /// The length of that word.
    pub separating_length: Option<usize>,
    /// The number of states of the minimal complete automaton.
    pub states: usize,
    /// The number of non-terminals of the grammar.
    pub nonterminals: usize,
    /// The number of productions of the grammar.
    pub productions: usize,
    /// The length of the description in bits.
    pub bits: f64,
    /// The evaluation over words up to the length given in the specification.
    pub evaluation: Evaluation,
    /// The evaluation by length, up to twice the maximum length of the examples; `None` if that takes too many states.
    pub by_length: Option<ByLength>,
    /// Whether the answer agrees with every example.
    pub consistent: bool,
    /// The number of examples it disagrees with.
    pub errors: u64,
    /// Whether no smaller automaton agrees with the examples.
    pub minimal: Claim,
    /// Whether no other automaton with at most as many states agrees with the examples.
    pub unique: Claim,
    /// How the answer was found.
    pub origin: Origin,
    /// The shape of the model it was extracted from, if any.
    pub shape: Option<Shape>,
    /// How many times the answer was found independently.
    pub finds: u32,
    /// How many times the truth was found independently; `None` if it was not found.
    pub truth_finds: Option<u32>,
    /// The number of restarts trained.
    pub restarts: u64,
    /// The number of epochs, summed over all blocks of up to sixteen restarts.
    pub epochs: u64,
    /// The number of steps, summed over all restarts.
    pub steps: u64,
    /// The number of nodes visited by search.
    pub visits: u64,
    /// Why learning stopped.
    pub stop_reason: StopReason,
    /// How the answer failed; `None` if it is exact, or if it is about strings and agrees with all examples.
    pub failure: Option<Failure>,
    /// Whether the truth was found all the same; `None` if the answer is exact, or about strings.
    pub miss: Option<Miss>,
    /// The outcome of the questions, if any were allowed.
    pub questions: Option<Questions>,
    /// With noise, how well wrong labels were identified; `None` without.
    pub suspects: Option<Suspects>,
    /// For an everyday language, how the answer does on fresh words and beside the reference expression.
    pub strings: Option<StringsScore>,
    /// For a language with test words, how the answer does on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Tested>,
    /// For an exercise, the expression; `None` if it is too long to be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// For a learner that is a single training run, the final state of the model.
    pub model: Option<Model>,
}

/// How far an answer overlaps the truth on all words up to a length, counted exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// The maximum length.
    pub depth: usize,
    /// |L ∩ L'| / |L|.
    pub recall: Share,
    /// |L ∩ L'| / |L'|.
    pub precision: Share,
    /// |L ∩ L'| / |L ∪ L'|, the accuracy of the paper.
    pub accuracy: Share,
}

/// A part of a whole; 0/0 counts as 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// As a number.
    pub value: f64,
    /// As a fraction in lowest terms: `3/4`, `0`, `1`.
    pub fraction: String,
}

/// How far an answer overlaps the truth on the words of each length; entry i of a list is about words of i letters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByLength {
    /// The maximum length: twice that of the examples.
    pub depth: usize,
    /// |L ∩ L'| / |L ∪ L'|; `None` if neither has a word of this length.
    pub accuracy: Vec<Option<f64>>,
    /// The fraction of the words of the language that are accepted; `None` if there are none.
    pub recall: Vec<Option<f64>>,
    /// The fraction of the words outside the language that are rejected; `None` if there are none.
    pub specificity: Vec<Option<f64>>,
    /// The mean of `accuracy` over all lengths where it is defined: every length has the same weight.
    pub mean_accuracy: f64,
    /// The mean of recall and specificity, each averaged over all lengths where it is defined.
    pub balanced_accuracy: f64,
}

/// Why an answer is not the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// It disagrees with examples, and so does the model it was extracted from, with more than one in a hundred.
    NotFitted,
    /// It disagrees with examples that the model gets right: entries that are not sharp were not extracted as intended.
    NotSharp,
    /// It is recognisably wrong: all entries are sharp and it disagrees with examples, or it agrees with all of them
    /// and is longer than the truth.
    SharpButWrong,
    /// It agrees with the examples as well as the truth does, and is not longer: the examples do not decide.
    UndecidedByTheData,
}

/// What became of the truth where another answer was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Miss {
    /// It was never found.
    NeverFound,
    /// It was found, but a shorter answer, or one with fewer errors, was preferred.
    NotPreferred,
    /// It was found, and takes as many bits as the answer.
    Tied,
}

/// How an answer does on an everyday language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StringsScore {
    /// Whether the language is held out from tuning.
    pub held_out: bool,
    /// The number of fresh words, half of them in the language as far as there are as many.
    pub fresh_words: u64,
    /// The mean of the fractions of fresh words correctly accepted and correctly rejected.
    pub balanced_accuracy: f64,
    /// The number of characters of the expression; `None` if it is too long to be written.
    pub length: Option<usize>,
    /// The number of characters of the reference expression.
    pub reference_length: usize,
}

/// How an answer does on test words, none of which is among the examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tested {
    /// The number of fresh words, drawn like the examples.
    pub fresh_words: u64,
    /// The fraction of them that is labelled correctly.
    pub fresh_accuracy: f64,
    /// The harmonic mean of the fractions of accepted and of rejected fresh words that are labelled correctly.
    pub balanced_rate: f64,
    /// The number of pairs of words one edit apart, of which one is in the language; 0 if there is no such test.
    pub pairs: u64,
    /// The fraction of the words of these pairs that is labelled correctly; `None` without pairs.
    pub pairs_accuracy: Option<f64>,
}

/// The outcome of questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// The number of questions asked.
    pub asked: u64,
    /// Why the questions ended.
    pub end: QuestionsEnd,
}

/// Why the questions ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionsEnd {
    /// The answer is the truth.
    Exact,
    /// The maximum number was asked.
    Used,
    /// No undecided word was left.
    NothingToAsk,
    /// The learner was stopped.
    Cut,
}

/// How well a learner identified wrong labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suspects {
    /// The number of words with a wrong label.
    pub flipped: u64,
    /// How many of these were reported.
    pub rightly: u64,
    /// How many others were reported.
    pub wrongly: u64,
}

/// The final state of a trained model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// n'.
    pub nonterminals: usize,
    /// The mean cross-entropy over the last epoch; `None` if it is not finite.
    pub prediction: Option<f64>,
    /// S.
    pub sharpening: f64,
    /// U.
    pub production_use: f64,
    /// The fraction of the last epoch's examples that were classified correctly, at a threshold of one half.
    pub accuracy: f64,
    /// The number of entries that are not sharp.
    pub unsharp: u64,
}

/// The times of a job. Never compared, since they differ between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The name of the job.
    pub name: String,
    /// From the specification to the record.
    pub seconds: f64,
    /// From the examples to the answer.
    pub learning_seconds: f64,
    /// Training steps per second while learning.
    pub steps_per_second: f64,
    /// Nodes visited by search per second while learning.
    pub visits_per_second: f64,
    /// Whether the learner was stopped by the time limit.
    pub cut: bool,
}

/// Why a text is not a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is incomplete or something else.
    #[error("not a record: {0}")]
    Json(#[from] serde_json::Error),
    /// It was written by another version of the program.
    #[error("the record has format {0}, but this version reads format {FORMAT}")]
    Format(u32),
}

impl Record {
    /// The file's content: indented JSON with a final newline.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a record is numbers and names") + "\n"
    }

    /// Reads the output of [`to_json`](Self::to_json).
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let Format { format } = serde_json::from_str(text)?;
        if format != FORMAT {
            return Err(RecordError::Format(format));
        }
        Ok(serde_json::from_str(text)?)
    }

    /// Whether the answer is exactly the language.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.exact)
    }
}

impl Timing {
    /// The file's content: indented JSON with a final newline.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("times are numbers and a name") + "\n"
    }
}

impl From<&automata::Ratio> for Share {
    fn from(ratio: &automata::Ratio) -> Self {
        // 0/0 is 1 both as a fraction and as a number.
        Self { value: ratio.to_f64(), fraction: ratio.to_string() }
    }
}

impl Failure {
    /// All failures, in order.
    pub const ALL: [Self; 4] = [Self::NotFitted, Self::NotSharp, Self::SharpButWrong, Self::UndecidedByTheData];
}

impl Miss {
    /// All kinds, in order.
    pub const ALL: [Self; 3] = [Self::NeverFound, Self::NotPreferred, Self::Tied];
}

/// As text.
impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NeverFound => "never found",
            Self::NotPreferred => "not preferred",
            Self::Tied => "tied",
        })
    }
}

/// As text.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFitted => "not fitted",
            Self::NotSharp => "not sharp",
            Self::SharpButWrong => "sharp but wrong",
            Self::UndecidedByTheData => "undecided by the data",
        })
    }
}

//! What came of a job: one JSON file, whose schema is `docs/record.schema.json`.
//!
//! A record is a function of its specification and the version of the program, so a job that is run twice writes the same
//! bytes. What the clock says goes to a [`Timing`] in a file beside it.

use std::fmt;

use induction::learner::StopReason;
use induction::model::Shape;
use induction::selection::Origin;
use serde::{Deserialize, Serialize};

use crate::spec::Spec;

/// The version of the format. It is raised when a field changes its meaning or goes away.
pub const FORMAT: u32 = 1;

/// What came of a job: its specification, and an answer or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// The job.
    pub spec: Spec,
    /// The language; none when it could not be drawn.
    pub truth: Option<Truth>,
    /// The examples; none when they could not be drawn.
    pub data: Option<Data>,
    /// What was learned; none when nothing could be.
    pub answer: Option<Answer>,
    /// Why there is no answer, if there is none.
    pub error: Option<String>,
}

/// The language that was to be learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// How many letters it has.
    pub letters: usize,
    /// How many states its minimal complete automaton has, a dead one included.
    pub states: usize,
    /// How many non-terminals the grammar that was drawn has; for others that of the automaton.
    pub nonterminals: usize,
    /// How many productions that grammar has.
    pub productions: usize,
    /// How many words it has of at most as many letters as the examples have: all digits, in decimal.
    pub words_to_depth: String,
    /// How many words it has of at most as many letters as the evaluation asks for.
    pub words_to_evaluation_depth: String,
    /// Whether it is finite.
    pub finite: bool,
    /// The length of its shortest known description in bits.
    pub bits: f64,
}

/// The examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// How many there are, repeated ones included.
    pub examples: u64,
    /// How many different words.
    pub words: u64,
    /// How many different words belong to the language, whatever their labels say.
    pub positives: u64,
    /// How many different words do not.
    pub negatives: u64,
    /// How many letters the longest has.
    pub longest: usize,
    /// How many different words have the wrong label.
    pub flipped: u64,
    /// Whether no smaller automaton than that of the truth agrees with the examples.
    pub truth_is_minimal: Claim,
    /// Whether no other language agrees with the examples whose automaton is as small as that of the truth. Where both are
    /// proved, the examples identify the language.
    pub truth_is_unique: Claim,
}

/// What is known of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// It was proved.
    Proved,
    /// The opposite was shown.
    Refuted,
    /// Nobody showed either.
    #[default]
    Unknown,
}

/// What was learned, and how good it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Whether it is the language.
    pub exact: bool,
    /// A shortest word that is in one of the two languages alone; none when they are equal.
    pub separating_word: Option<String>,
    /// How many letters that word has.
    pub separating_length: Option<usize>,
    /// How many states the minimal complete automaton has.
    pub states: usize,
    /// How many non-terminals the grammar has.
    pub nonterminals: usize,
    /// How many productions the grammar has.
    pub productions: usize,
    /// The length of the description in bits.
    pub bits: f64,
    /// Over words of at most as many letters as the specification asks for.
    pub evaluation: Evaluation,
    /// Length by length, to twice as many letters as the examples have; none when that takes too many states.
    pub by_length: Option<ByLength>,
    /// Whether it agrees with every example.
    pub consistent: bool,
    /// With how many examples it does not.
    pub errors: u64,
    /// Whether no smaller automaton agrees with the examples.
    pub minimal: Claim,
    /// Whether no other automaton of at most as many states agrees with the examples.
    pub unique: Claim,
    /// How it was found.
    pub origin: Origin,
    /// The shape of the model that it was read off, if it was.
    pub shape: Option<Shape>,
    /// How often it was found independently.
    pub finds: u32,
    /// How often the truth was found independently; none when it was not met.
    pub truth_finds: Option<u32>,
    /// How many restarts were trained.
    pub restarts: u64,
    /// How many epochs were trained, those of all blocks of up to sixteen restarts together.
    pub epochs: u64,
    /// How many steps were made, those of all restarts together.
    pub steps: u64,
    /// How many nodes search visited.
    pub visits: u64,
    /// Why no more was done.
    pub stop_reason: StopReason,
    /// How it failed; none when it is exact.
    pub failure: Option<Failure>,
    /// Whether the truth was met, but another answer was given.
    pub found_but_not_preferred: bool,
    /// What questions did, if any were allowed.
    pub questions: Option<Questions>,
    /// With noise, what is said of the labels; none without.
    pub suspects: Option<Suspects>,
    /// For a learner that is one training, how the model was in the end.
    pub model: Option<Model>,
}

/// How an answer overlaps with the truth on all words of at most so many letters, counted exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// How many letters.
    pub depth: usize,
    /// |L ∩ L'| / |L|.
    pub recall: Share,
    /// |L ∩ L'| / |L'|.
    pub precision: Share,
    /// |L ∩ L'| / |L ∪ L'|, the accuracy of the paper.
    pub accuracy: Share,
}

/// A part of a whole; nothing out of nothing is 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// As a number.
    pub value: f64,
    /// As a fraction in lowest terms: `3/4`, `0`, `1`.
    pub fraction: String,
}

/// How an answer overlaps with the truth on the words of each length; entry i of a list is about words of i letters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByLength {
    /// To how many letters: twice as many as the examples have.
    pub depth: usize,
    /// |L ∩ L'| / |L ∪ L'|; none where neither has a word.
    pub accuracy: Vec<Option<f64>>,
    /// The part of the words of the language that are accepted; none where there are no such words.
    pub recall: Vec<Option<f64>>,
    /// The part of the words outside the language that are rejected; none where there are no such words.
    pub specificity: Vec<Option<f64>>,
    /// The mean over all lengths of `accuracy`, where there is one: every length counts alike.
    pub mean_accuracy: f64,
    /// The mean of recall and specificity, each over all lengths where there is one.
    pub balanced_accuracy: f64,
}

/// How an answer that is not the truth came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// It disagrees with examples, and so does the model that it was read off, with more than one in a hundred.
    NotFitted,
    /// It disagrees with examples of which the model was right: what is not sharp is not read off as it was meant.
    NotSharp,
    /// It could have been known to be wrong: all is sharp and it disagrees with examples, or it agrees with them all and
    /// is longer than the truth.
    SharpButWrong,
    /// It agrees with the examples as well as the truth does, and is no longer: nobody could have told.
    UndecidedByTheData,
}

/// What came of questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// How many were asked.
    pub asked: u64,
    /// Why no more were.
    pub end: QuestionsEnd,
}

/// Why no more questions were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionsEnd {
    /// The answer is the truth.
    Exact,
    /// All that were allowed were asked.
    Used,
    /// There was nothing left to ask about.
    NothingToAsk,
    /// The learner was cut.
    Cut,
}

/// What a learner says of wrong labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspects {
    /// How many words have the wrong label.
    pub flipped: u64,
    /// How many of these were named.
    pub rightly: u64,
    /// How many others were named.
    pub wrongly: u64,
}

/// How a trained model was in the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// n'.
    pub nonterminals: usize,
    /// The mean cross-entropy over the last epoch; none when it was no finite number.
    pub prediction: Option<f64>,
    /// S.
    pub sharpening: f64,
    /// U.
    pub production_use: f64,
    /// The part of the last epoch's examples that were on the right side of one half.
    pub accuracy: f64,
    /// How many entries were not sharp.
    pub unsharp: u64,
}

/// What the clock says of a job. Never compared: no two runs have the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The name of the job.
    pub name: String,
    /// From the specification to the record.
    pub seconds: f64,
    /// From the examples to the answer.
    pub learning_seconds: f64,
    /// Steps of training a second while learning.
    pub steps_per_second: f64,
    /// Nodes visited by search a second while learning.
    pub visits_per_second: f64,
    /// Whether the learner was cut by the limit of time.
    pub cut: bool,
}

/// Why a text is no record of a job.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is not whole, or something else.
    #[error("this is no record: {0}")]
    Json(#[from] serde_json::Error),
    /// It was written by another version of the program.
    #[error("this record has format {0}, but {FORMAT} is the one that can be read")]
    Format(u32),
}

impl Record {
    /// As it is written: indented JSON, with a line's end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a record is numbers and names") + "\n"
    }

    /// What [`to_json`](Self::to_json) wrote.
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

    /// Whether the language was learned.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.exact)
    }
}

impl From<&automata::Ratio> for Share {
    fn from(ratio: &automata::Ratio) -> Self {
        // The fraction says 1 where the whole is nothing, as the number does.
        Self { value: ratio.to_f64(), fraction: ratio.to_string() }
    }
}

impl Failure {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::NotFitted, Self::NotSharp, Self::SharpButWrong, Self::UndecidedByTheData];
}

/// In words.
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

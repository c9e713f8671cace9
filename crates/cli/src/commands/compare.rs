//! `nerode compare`.

use automata::{BigUint, Dfa, Overlap, Ratio, Word, overlap, separating_word};
use nerode::Count;
use serde::Serialize;

use crate::Answer;
use crate::operand::{Reading, too_many_states, word_length};
use crate::output::{self, json_number, one_line};

/// Decide whether two languages are equal; if not, show a shortest word that separates them.
///
/// A is the truth and B the answer. Counted exactly over all words of at most DEPTH letters, with the empty word: recall
/// is the share of A's words that are in B, precision the share of B's words that are in A, and accuracy the share of the
/// words in either that are in both. 0/0 counts as 1. Both are compared over the union of their letters.
///
/// Exit code: 0 if the languages are equal, 1 if not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode compare example:paper 'regex:[ab]*c+'
  nerode compare truth.txt learned.dot --depth 20 --json")]
pub(crate) struct Arguments {
    /// The truth: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    a: String,

    /// The answer, given in the same way.
    b: String,

    /// Maximum length of the words that are counted.
    #[arg(long, value_name = "DEPTH", default_value = "16", value_parser = word_length())]
    depth: usize,

    /// Print JSON.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let [a, b] = arguments.reading.languages([&arguments.a, &arguments.b])?;
    let (truth, answer) = (a.minimal_dfa(&arguments.reading)?, b.minimal_dfa(&arguments.reading)?);
    let comparison = Comparison {
        word: separating_word(&truth, &answer),
        overlap: overlap(&truth, &answer, arguments.depth, arguments.reading.max_states).map_err(|error| {
            too_many_states(&format!("{} and {}", a.name, b.name), error, arguments.reading.max_states)
        })?,
        truth,
        answer,
    };
    if arguments.json {
        output::print_json(&comparison.json())?;
    } else {
        output::print(&comparison.text(&one_line(&a.name), &one_line(&b.name)))?;
    }
    Ok(if comparison.word.is_none() { Answer::Yes } else { Answer::No })
}

struct Comparison {
    truth: Dfa,
    answer: Dfa,
    word: Option<Word>,
    overlap: Overlap,
}

impl Comparison {
    fn ratios(&self) -> [(&'static str, Ratio); 3] {
        let Self { overlap, .. } = self;
        [("recall", overlap.recall()), ("precision", overlap.precision()), ("accuracy", overlap.accuracy())]
    }

    fn only_in(&self, word: &Word) -> &'static str {
        if self.truth.accepts(word) { "A" } else { "B" }
    }

    fn text(&self, a: &str, b: &str) -> String {
        let alphabet = self.truth.alphabet();
        let states = |dfa: &Dfa| format!("{} state{}", dfa.len(), if dfa.len() == 1 { "" } else { "s" });
        let mut text = format!("A  {a}, {}\nB  {b}, {}\n", states(&self.truth), states(&self.answer));
        match &self.word {
            None => text.push_str("equivalent\n"),
            Some(word) => {
                let written = if word.is_empty() { "ε".to_owned() } else { alphabet.show(word) };
                text.push_str(&format!("not equivalent: {written} is only in {}\n", self.only_in(word)));
            }
        }
        let depth = self.overlap.depth;
        text.push_str(&format!(
            "words to length {depth}: {} in A, {} in B, {} in both\n",
            short(&self.overlap.truth),
            short(&self.overlap.answer),
            short(&self.overlap.both)
        ));
        for (name, ratio) in self.ratios() {
            text.push_str(&format!("{name:<9}  {}\n", rounded(&ratio)));
        }
        text
    }

    fn json(&self) -> Json {
        let alphabet = self.truth.alphabet();
        let Overlap { depth, truth, answer, both } = &self.overlap;
        let [recall, precision, accuracy] = self.ratios().map(|(_, ratio)| ratio);
        Json {
            equivalent: self.word.is_none(),
            separating_word: self.word.as_ref().map(|word| alphabet.write(word)),
            only_in: self.word.as_ref().map(|word| self.only_in(word)),
            depth: *depth,
            recall: recall.to_f64(),
            precision: precision.to_f64(),
            accuracy: accuracy.to_f64(),
            exact: Exact {
                recall: recall.to_string(),
                precision: precision.to_string(),
                accuracy: accuracy.to_string(),
            },
            words: Words { a: json_number(truth), b: json_number(answer), both: json_number(both) },
            states: States { a: self.truth.len(), b: self.answer.len() },
        }
    }
}

#[derive(Serialize)]
struct Json {
    equivalent: bool,
    separating_word: Option<String>,
    only_in: Option<&'static str>,
    depth: usize,
    recall: f64,
    precision: f64,
    accuracy: f64,
    /// The same as exact fractions.
    exact: Exact,
    /// Number of words up to the depth.
    words: Words,
    /// The sizes of the minimal automata.
    states: States,
}

#[derive(Serialize)]
struct Exact {
    recall: String,
    precision: String,
    accuracy: String,
}

#[derive(Serialize)]
struct Words {
    a: Count,
    b: Count,
    both: Count,
}

#[derive(Serialize)]
struct States {
    a: usize,
    b: usize,
}

/// Six digits, but never rounded to exactly 0 or 1.
fn rounded(ratio: &Ratio) -> String {
    let value = ratio.to_f64();
    if ratio.is_one() {
        "1".to_owned()
    } else if value == 0.0 {
        "0".to_owned()
    } else if value > 0.999_999 {
        "0.999999…".to_owned()
    } else if value < 0.000_001 {
        format!("{value:.2e}")
    } else {
        format!("{value:.6}")
    }
}

/// The number, or its first digits and its order of magnitude.
fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= 20 { digits } else { format!("{}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1) }
}

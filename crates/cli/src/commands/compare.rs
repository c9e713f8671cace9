//! `nerode compare`.

use automata::{BigUint, Dfa, Overlap, Ratio, Word, overlap, separating_word};
use nerode::Count;
use serde::Serialize;

use crate::Answer;
use crate::operand::{Reading, too_many_states, word_length};
use crate::output::{self, json_number, one_line};

/// Decide whether two languages are equal; if not, show a shortest word that tells them apart.
///
/// A is the truth and B the answer: recall is the part of A's words that B has, precision the part of B's words that A
/// has, accuracy the part of all words of either that are in both, counted exactly over the words of at most DEPTH
/// letters, the empty word included. Of no words, all were found: a quotient of nothing by nothing is 1. Both are
/// compared over all their letters.
///
/// The exit code is 0 when they are equal and 1 when they are not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode compare example:paper 'regex:[ab]*c+'
  nerode compare truth.txt learned.dot --depth 20 --json")]
pub(crate) struct Arguments {
    /// The truth: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    a: String,

    /// The answer: likewise.
    b: String,

    /// Count words of at most this many letters.
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
    /// The same as quotients.
    exact: Exact,
    /// How many words each has to the depth.
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

/// Six digits, but never rounded up to a 1 or down to a 0 that it is not.
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

/// A number as it is, or its beginning and how many digits there are.
fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= 20 { digits } else { format!("{}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1) }
}

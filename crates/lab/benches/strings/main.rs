//! The measured program behind `cargo xtask bench strings`: it writes examples of the everyday languages for others to
//! learn from, and judges what they learned. A set is known by the name of its language, its size and its number.
//!
//! - `languages`: a line of JSON for each;
//! - `write NAME SIZE NUMBER FILE`: the examples of a set as JSON lines;
//! - `judge NAME SIZE NUMBER regex|automaton FILE`: an answer held against the examples, fresh words and the reference;
//! - `grex NAME SIZE NUMBER plain|classes`: what grex makes of the words that belong, and the judgement. With `classes`
//!   it is asked to write digits, word characters and repetitions as such.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

mod answer;

use std::fmt::Write;
use std::time::Instant;

use grex::RegExpBuilder;
use lab::strings::{Language, Strings, suite};
use serde_json::{Value, json};

use answer::Answer;

/// How many fresh words an answer is held against.
const FRESH: usize = 2_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["languages"] => {
            for Language { name, about, regex, held_out, .. } in suite() {
                println!("{}", json!({ "name": name, "about": about, "regex": regex, "held_out": held_out }));
            }
        }
        ["write", name, size, number, file] => {
            let mut text = String::new();
            let Strings { positives, negatives } = Set::of(name, size, number).examples;
            for (label, words) in [(1, positives), (0, negatives)] {
                for word in words {
                    writeln!(text, "{}", json!({ "word": word, "label": label })).expect("a text takes any text");
                }
            }
            std::fs::write(file, text).expect("the file can be written");
        }
        ["judge", name, size, number, form, file] => {
            let text = std::fs::read_to_string(file).expect("the answer was written");
            let answer = match form {
                "regex" => Answer::of_regex(text),
                "automaton" => Answer::of_automaton(&text),
                other => panic!("an answer is a regex or an automaton, not {other}"),
            };
            println!("{}", Set::of(name, size, number).judged(&answer));
        }
        ["grex", name, size, number, how] => {
            let set = Set::of(name, size, number);
            let begin = Instant::now();
            let mut builder = RegExpBuilder::from(&set.examples.positives);
            if how == "classes" {
                builder.with_conversion_of_digits().with_conversion_of_words().with_conversion_of_repetitions();
            }
            let regex = builder.build();
            let seconds = begin.elapsed().as_secs_f64();
            let mut line = set.judged(&Answer::of_regex(regex));
            line["seconds"] = json!(seconds);
            println!("{line}");
        }
        // `cargo test --benches` and the like call without arguments: there is nothing to measure then.
        _ => {}
    }
}

/// Examples of a language.
struct Set {
    language: Language,
    examples: Strings,
    seed: u64,
}

impl Set {
    fn of(name: &str, size: &str, number: &str) -> Self {
        let language = suite().into_iter().find(|language| language.name == name);
        let language = language.unwrap_or_else(|| panic!("no language is called {name}"));
        let [size, number] = [size, number].map(|text| text.parse::<u64>().expect("sizes and numbers are numbers"));
        let examples = Strings::examples(&language, size as usize, number);
        Self { language, examples, seed: number }
    }

    fn judged(&self, answer: &Answer) -> Value {
        let accepts = |word: &str| answer.accepts(word);
        let fresh = Strings::fresh(&self.language, FRESH, self.seed, &self.examples);
        json!({
            "consistent": self.examples.agrees(accepts),
            "accuracy": fresh.balanced_accuracy(accepts),
            "fresh": [fresh.positives.len(), fresh.negatives.len()],
            "equal": answer.equals(self.language.dfa()),
            "through": answer.through(),
            "regex": answer.regex(),
            "length": answer.regex().map(|regex| regex.chars().count()),
            "reference_length": self.language.regex.chars().count(),
        })
    }
}

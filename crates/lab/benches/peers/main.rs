//! The judge behind `cargo xtask bench peers`: what other programs made of the everyday strings that
//! `nerode experiment export strings` writes, tested as the plan `strings` tests Nerode.
//!
//! - `judge LANGUAGE SIZE regex|automaton FILE`: an answer compared with the examples, fresh words and the reference;
//! - `grex LANGUAGE SIZE plain|classes`: what grex makes of the words in the language, and the judgement. With `classes`
//!   it writes digits, word characters and repetitions as such.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

mod answer;

use std::time::Instant;

use grex::RegExpBuilder;
use lab::strings::{Language, Strings, named};
use serde_json::{Value, json};

use answer::Answer;

/// How many fresh words an answer is tested on.
const FRESH: usize = 2_000;
/// The seed of the sets of the plan.
const SEED: u64 = 0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["judge", name, size, form, file] => {
            let text = std::fs::read_to_string(file).expect("the answer was written");
            let answer = match form {
                "regex" => Answer::of_regex(&text),
                "automaton" => Answer::of_automaton(&text),
                other => panic!("an answer is a regex or an automaton, not {other}"),
            };
            println!("{}", Set::of(name, size).judged(&answer));
        }
        ["grex", name, size, how] => {
            let set = Set::of(name, size);
            let begin = Instant::now();
            let mut builder = RegExpBuilder::from(&set.examples.positives);
            if how == "classes" {
                builder.with_conversion_of_digits().with_conversion_of_words().with_conversion_of_repetitions();
            }
            let regex = builder.build();
            let seconds = begin.elapsed().as_secs_f64();
            let mut line = set.judged(&Answer::of_regex(&regex));
            line["seconds"] = json!(seconds);
            println!("{line}");
        }
        // `cargo test --benches` calls without arguments: there is nothing to judge then.
        _ => {}
    }
}

/// Examples of a language.
struct Set {
    language: Language,
    examples: Strings,
}

impl Set {
    fn of(name: &str, size: &str) -> Self {
        let language = named(name).unwrap_or_else(|| panic!("no language is called {name}"));
        let examples = Strings::examples(&language, size.parse().expect("a size is a number"), SEED);
        Self { language, examples }
    }

    fn judged(&self, answer: &Answer) -> Value {
        let accepts = |word: &str| answer.accepts(word);
        let fresh = Strings::fresh(&self.language, FRESH, SEED, &self.examples);
        json!({
            "held_out": self.language.entry.held_out,
            "consistent": self.examples.agrees(accepts),
            "accuracy": fresh.balanced_accuracy(accepts),
            "exact": answer.equals(self.language.dfa()),
        })
    }
}

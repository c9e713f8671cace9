//! A million words of thirty letters over twenty-six: whether so many can be learned from, in what time and memory.
//!
//! Half of them are drawn from the words of thirty letters that belong to the language and half from those that do not,
//! every such word equally likely.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use automata::formats::json;
use automata::{Alphabet, Dfa, Examples, Label, Regex, Sampler, Word};
use induction::Sample;
use induction::learner::{Learner, Settings, Stop};
use lab::dfas::random_dfa;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use crate::SEED;
use crate::case::THREADS;

const WORDS: usize = 1_000_000;
const LETTERS: usize = 26;
const LENGTH: usize = 30;

/// The languages by name.
fn language(case: &str) -> Dfa {
    let alphabet = lab::letters(LETTERS);
    match case {
        // Sparse: to be seen in few of the prefixes.
        "factor" => Regex::parse(".*key.*", &alphabet).and_then(|regex| regex.to_dfa()).expect("a good expression"),
        // Dense: each letter leads anywhere.
        // A quarter more states are drawn than asked for, and over so many letters all of them are reached: six.
        "random" => random_dfa(5, LETTERS, SEED),
        other => panic!("no case is called {other}"),
    }
}

/// Writes `words.csv` as a user might have it, and the truth beside it as `truth.json`.
pub(crate) fn write(case: &str, folder: &Path) -> serde_json::Value {
    let target = automata::minimize(&language(case));
    std::fs::create_dir_all(folder).expect("the folder can be made");
    std::fs::write(folder.join("truth.json"), json::write_dfa(&target)).expect("the file can be written");
    let samplers = [&target, &target.complement()].map(|dfa| Sampler::of_length(dfa, LENGTH).expect("such words"));
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let file = std::fs::File::create(folder.join("words.csv")).expect("the file can be written");
    let mut file = BufWriter::new(file);
    let mut line = |text: &str| writeln!(file, "{text}").expect("the file can be written");
    line("word,label");
    for i in 0..WORDS {
        let word = samplers[i % 2].draw(&mut random);
        line(&format!("{},{}", target.alphabet().write(&word), 1 - i % 2));
    }
    json!({ "case": case, "words": WORDS, "letters": LETTERS, "length": LENGTH, "target_states": target.len() })
}

/// Reads the words and learns, as a program that uses the library would.
pub(crate) fn learn(folder: &Path) -> serde_json::Value {
    let begin = Instant::now();
    let text = std::fs::read_to_string(folder.join("words.csv")).expect("the words were written");
    let alphabet = lab::letters(LETTERS);
    let rows = text.lines().skip(1).map(|line| row(line, &alphabet));
    let sample = Sample::new(&Examples::of(&alphabet, rows), false).expect("the examples are labelled one way");
    drop(text);
    let read = begin.elapsed().as_secs_f64();
    let mut learner = Learner::new(sample, Settings::default(), THREADS).expect("there are words of both labels");
    let reason = learner.learn(&Stop::new()).expect("the settings are good");
    let induced = learner.induced(reason);
    let truth = std::fs::read_to_string(folder.join("truth.json")).expect("the truth was written");
    json!({
        "seconds": begin.elapsed().as_secs_f64(), "reading_seconds": read, "states": induced.dfa.len(),
        "consistent": induced.certificate.is_consistent(), "errors": induced.certificate.wrong,
        "exact": json::write_dfa(&induced.dfa) == truth, "origin": induced.origin, "stop": induced.stop_reason,
    })
}

fn row(line: &str, alphabet: &Alphabet) -> (Word, Label) {
    let (word, label) = line.split_once(',').expect("a word and a label");
    let label = if label == "1" { Label::Accepted } else { Label::Rejected };
    (alphabet.read(word).expect("letters of the alphabet"), label)
}

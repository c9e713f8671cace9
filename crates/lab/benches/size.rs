//! The words behind `cargo xtask bench size`: `size CASE FOLDER` writes a million words of thirty letters over twenty-six
//! as `words.csv`, and the language as `truth.json`.
//!
//! Half of the words are drawn from the words of thirty letters in the language and half from the others, uniformly.

use std::io::{BufWriter, Write};
use std::path::Path;

use automata::formats::json;
use automata::{Dfa, Regex, Sampler};
use lab::dfas::random_dfa;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const WORDS: usize = 1_000_000;
const LETTERS: usize = 26;
const LENGTH: usize = 30;
const SEED: u64 = 0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    // `cargo test --benches` calls without arguments: there is nothing to write then.
    if let [case, folder] = &arguments[..] {
        write(case, Path::new(folder));
    }
}

/// The languages by name.
fn language(case: &str) -> Dfa {
    match case {
        // Sparse: visible in few of the prefixes.
        "factor" => {
            let regex = Regex::parse(".*key.*", &lab::letters(LETTERS));
            regex.and_then(|regex| regex.to_dfa()).expect("a valid expression")
        }
        // Dense: each letter leads anywhere. A quarter more states are drawn than requested, and over so many letters all
        // of them are reached: six.
        "random" => random_dfa(5, LETTERS, SEED),
        other => panic!("no case is called {other}"),
    }
}

fn write(case: &str, folder: &Path) {
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
}

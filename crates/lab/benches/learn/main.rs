//! The measured program behind `cargo xtask bench learn`: what the learner makes of the fixed suites, with two threads,
//! default settings and fixed seeds. Each call runs the sets of one cell of the table one after another, so that their
//! times are their own, and prints a line of JSON for each:
//!
//! - `grid DEPTH uniform|even ENGINE SECONDS`: the sixty languages of the grid;
//! - `tomita ENGINE SECONDS`: Tomita's seven languages, five seeds each;
//! - `dense STATES WORDS uniform|even INDEX ENGINE SECONDS`: one set of few words of a random automaton; the engine
//!   `given` is search told the size;
//! - `noise RATE told|auto ENGINE SECONDS`: the grid, depth 8, even, with labels flipped;
//! - `questions ENGINE SECONDS`: how many words have to be asked about, beginning with twenty;
//! - `size-write CASE FOLDER` and `size-learn FOLDER`: a million words;
//! - `export grid DEPTH uniform|even FOLDER`: the same sets for others to learn;
//! - `suites FOLDER`: every suite as files, for `cargo xtask answers`.
//!
//! SECONDS is when a set is cut; the answer is then the best so far.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

mod case;
mod noise;
mod questions;
mod size;
mod suites;

use std::path::Path;
use std::str::FromStr;

use automata::formats::json;
use induction::learner::{Engine, Settings};
use lab::examples::Draw;
use lab::suites::{Lengths, dense, grid, tomita};
use serde_json::Value;

use case::{Case, given_size};

/// The seed of every suite.
const SEED: u64 = 0;
/// How many sets each of Tomita's languages has.
const TOMITA_SEEDS: u64 = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["grid", depth, draw, engine, seconds] => {
            for set in grid(number(depth), draw_of(draw), SEED).expect("the grid can be drawn") {
                let settings = Settings { engine: engine_of(engine), ..Settings::default() };
                let case = Case { name: &set.name, target: &set.target, grammar: Some(&set.grammar) };
                print(&case.run(&(&set.examples).into(), settings, number(seconds)));
            }
        }
        ["tomita", engine, seconds] => {
            for seed in 0..TOMITA_SEEDS {
                for set in (1..=7).filter_map(|number| tomita(number, seed)) {
                    let settings = Settings { engine: engine_of(engine), seed, ..Settings::default() };
                    let name = format!("{}-{seed}", set.name);
                    let case = Case { name: &name, target: &set.target, grammar: None };
                    print(&case.run(&(&set.examples).into(), settings, number(seconds)));
                }
            }
        }
        ["dense", states, words, lengths, index, engine, seconds] => {
            let states = number(states);
            let set =
                dense(states, number(words), lengths_of(lengths), number(index), SEED).expect("such an automaton");
            let case = Case { name: &set.name, target: &set.target, grammar: None };
            let examples = (&set.examples).into();
            print(&match engine {
                "given" => given_size(&case, &examples, states, number(seconds)),
                engine => {
                    let settings = Settings { engine: engine_of(engine), ..Settings::default() };
                    case.run(&examples, settings, number(seconds))
                }
            });
        }
        ["noise", rate, told, engine, seconds] => {
            let rate = number(rate);
            noise::run(rate, told == "told", engine_of(engine), number(seconds)).for_each(|line| print(&line));
        }
        ["questions", engine, seconds] => {
            questions::run(engine_of(engine), number(seconds)).for_each(|line| print(&line));
        }
        ["size-write", case, folder] => print(&size::write(case, Path::new(folder))),
        ["size-learn", folder] => print(&size::learn(Path::new(folder))),
        ["export", "grid", depth, draw, folder] => export(number(depth), draw_of(draw), Path::new(folder)),
        ["suites", folder] => suites::write(Path::new(folder)),
        // `cargo test --benches` and the like call without arguments: there is nothing to measure then.
        _ => {}
    }
}

fn print(line: &Value) {
    println!("{line}");
}

fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is not the number that belongs here"))
}

fn engine_of(name: &str) -> Engine {
    serde_json::from_value(name.into()).unwrap_or_else(|_| panic!("no engine is called {name}"))
}

fn draw_of(name: &str) -> Draw {
    serde_json::from_value(name.into()).unwrap_or_else(|_| panic!("words are drawn uniform or even, not {name}"))
}

fn lengths_of(name: &str) -> Lengths {
    serde_json::from_value(name.into()).unwrap_or_else(|_| panic!("lengths are uniform or even, not {name}"))
}

/// For each set `NAME.dat`, its examples in the Abbadingo format, and `NAME.truth.json`, its minimal automaton.
fn export(depth: usize, draw: Draw, folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for set in grid(depth, draw, SEED).expect("the grid can be drawn") {
        let write = |ending: &str, text: String| {
            std::fs::write(folder.join(format!("{}.{ending}", set.name)), text).expect("the file can be written");
        };
        write("dat", set.examples.write_abbadingo());
        write("truth.json", json::write_dfa(&set.target));
    }
}

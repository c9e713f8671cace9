//! Languages to learn, examples to learn them from, and experiments.
//!
//! To evaluate a learner, draw a language, draw words that it accepts and words that it rejects, and compare what was
//! learned from them with the language. The main path through the crate:
//!
//! ```text
//!   grammars ──┐
//!   dfas     ──┼──► minimal Dfa ──► kinds ──► examples        suites: sets that never change
//!   a file   ──┘    (the target)    (why a word is rejected)
//!
//!   strings: everyday languages, words of them and near misses
//!   textbook: exercises over two or three letters, with the expression a teacher would write
//!   subregular: languages by formulas over factors, subsequences, tiers and counts; pairs of words on their border
//!   stamina: automata like models of software, words from random walks
//!
//!   plan ──► spec ──► job ──► record ──► report       study: all of it in a folder
//!   (TOML)   (one of  (draws, learns,  (JSON)
//!             many)    compares)
//! ```
//!
//! ```
//! use automata::{determinize, minimize};
//! use lab::examples::{ExampleSettings, draw};
//! use lab::grammars::{GrammarSettings, random_grammar};
//!
//! let grammar = random_grammar(&GrammarSettings { letters: 4, nonterminals: 3, ..GrammarSettings::default() }, 7)?;
//! let target = minimize(&determinize(&grammar.to_nfa(), 1000)?);
//! let examples = draw(&target, &ExampleSettings { depth: 8, ..ExampleSettings::default() })?;
//! assert!(examples.rows.iter().all(|example| target.accepts(&example.word) == example.is_positive()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! - Everything drawn is a function of its settings and a seed: the same bytes on every machine.
//! - Draws are exact: a word has exactly the stated probability, by counting, however many words there are.
//! - Words of one class are distinct, unless repetition was requested. Every word carries its kind.
//! - A record is a function of its specification: the same bytes on any number of threads and on every machine, unless
//!   the learner was stopped from outside. Nothing here reads the time: callers bring a clock.
//! - No input causes a panic or an endless loop: an impossible request is an error that says so.

mod chance;
pub mod dfas;
mod distinct;
pub mod examples;
pub mod files;
pub mod grammars;
pub mod job;
pub mod kinds;
pub mod languages;
pub mod pairs;
pub mod plan;
pub mod record;
pub mod report;
pub mod spec;
pub mod stamina;
pub mod strings;
pub mod study;
pub mod subregular;
pub mod suites;
pub mod textbook;

use automata::Alphabet;

/// The alphabet of `count` letters: `a` to `z`, or `a1`, `a2`, … if there are more than 26.
#[must_use]
pub fn letters(count: usize) -> Alphabet {
    let names: Vec<String> = match count {
        0..=26 => ('a'..='z').take(count).map(String::from).collect(),
        _ => (1..=count).map(|i| format!("a{i}")).collect(),
    };
    Alphabet::new(names).expect("every letter has a name")
}

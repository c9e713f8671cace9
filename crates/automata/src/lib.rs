//! Regular languages, exactly.
//!
//! This crate answers every question about a learned language: which words it contains, whether two languages are
//! equal and, if not, which word separates them, how far they overlap, and how a language looks as a regular
//! expression or as a picture. The main path through the crate:
//!
//! ```text
//!   grammar ──┐                                        ┌──► regex, drawing, grammar, formats, describe
//!   regex   ──┼──► Nfa ──determinize──► Dfa ──minimize─┼──► separating_word, overlap
//!   formats ──┘                                        └──► count, enumerate, draw words, nearest words
//! ```
//!
//! Where a non-deterministic automaton is shorter, [`shortest_grammar`] finds a grammar from one that [`reduce`] has made
//! smaller.
//!
//! The types are plain values; the algorithms are functions on them, one per file.
//!
//! ```
//! use automata::{Alphabet, Direction, Grammar, Regex, formats, minimize, overlap, separating_word};
//!
//! let grammar = formats::grammar_text::read("S -> C\nA -> a\nA -> b\nA -> A a\nA -> A b\nC -> c\nC -> A c\nC -> C c\n")?;
//! let learned = automata::determinize(&grammar.to_nfa(), 1000)?;
//! assert_eq!(Regex::from_dfa(&learned)?.to_string(), "[ab]*c+");
//!
//! let rival = Regex::parse("[ab]*c", grammar.alphabet())?.to_dfa()?;
//! let word = separating_word(&learned, &rival).expect("they differ");
//! assert_eq!(grammar.alphabet().write(&word), "cc");
//! assert!(overlap(&learned, &rival, 16, 1000)?.precision().is_one());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! - The crate has no source of randomness: callers that draw random words supply one.
//! - The same input gives the same bytes: no hash order, clock, locale or environment affects a result.
//! - No input causes a panic: readers return errors that say what was wrong and where.
//! - Equal languages over equal alphabets have equal minimal automata, and hence equal files.

mod alphabet;
mod ambiguity;
mod class;
mod count_table;
mod counting;
mod determinize;
mod dfa;
pub mod drawing;
mod equivalence;
mod examples;
mod facts;
pub mod formats;
mod grammar;
mod ids;
mod minimize;
mod nearest;
mod nfa;
mod product;
mod reach;
mod reduce;
pub mod regex;
mod shape;
mod shortest;
mod words;

use std::borrow::Cow;

pub use alphabet::{Alphabet, Embedding, Spelling, Word, WordError, byte_name, byte_of_name, is_obeyed};
pub use ambiguity::ambiguous_word;
pub use class::Class;
pub use counting::{Overlap, Ratio, cardinality, count_by_length, count_to, counts, overlap};
pub use determinize::{DEFAULT_STATE_LIMIT, TooManyStates, determinize};
pub use dfa::{Dfa, DfaError};
pub use equivalence::{equivalent, separating_word};
pub use examples::{Counts, Examples, ExamplesBuilder, Label};
pub use facts::{Description, Fact, Factor, Formula, Gap, Literal, Machine, Pattern, Rule, describe};
pub use grammar::{Body, Direction, Grammar, Production};
pub use ids::{Letter, Nonterminal, StateId};
pub use minimize::minimize;
pub use nearest::{Correction, Edit, Nearest, TooManyCells, Typed, nearest};
pub use nfa::{Nfa, NfaBuilder};
pub use num_bigint::BigUint;
pub use product::{combine, difference, intersection, symmetric_difference, union};
pub use reduce::reduce;
pub use regex::{Node as RegexNode, Regex, RegexError, token_pattern};
pub use shape::Shape;
pub use shortest::{shortest_grammar, smallest_automaton};
pub use words::{Sampler, TooLongToDraw, TooMuch, Words, enumerate, enumerate_from};

/// Both automata over the union of their alphabets; an automaton is copied only if it gains letters.
fn over_union<'a>(a: &'a Dfa, b: &'a Dfa) -> (Cow<'a, Dfa>, Cow<'a, Dfa>) {
    let alphabet = a.alphabet().union(b.alphabet());
    let over = |dfa: &'a Dfa| {
        if *dfa.alphabet() == alphabet { Cow::Borrowed(dfa) } else { Cow::Owned(dfa.over(&alphabet)) }
    };
    (over(a), over(b))
}

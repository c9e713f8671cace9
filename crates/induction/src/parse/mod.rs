//! Parsing: what a model or a grammar does with one word.
//!
//! The paper's model is interpretable: after each letter, its vector u_i says which non-terminals may derive the
//! letters so far. [`Beliefs`] are these vectors. If both a production and the non-terminal below it are believed, the
//! derivation continues. All derivations of a word form its [`Forest`]; each of them is a [`Tree`]. [`Rejection`] says
//! where a word without a tree fails. The [`Matrices`] are what the word queries on its way.
//!
//! ```
//! use automata::formats::grammar_text;
//! use induction::parse::{Forest, Rejection};
//!
//! let grammar = grammar_text::read("S -> C\nA -> a\nA -> b\nA -> A a\nA -> A b\nC -> c\nC -> A c\nC -> C c\n")?;
//! let read = |text| grammar.alphabet().read(text).unwrap();
//!
//! let forest = Forest::of_grammar(&grammar, &read("bbacc"));
//! let trees: Vec<String> = forest.trees().map(|tree| tree.to_string()).collect();
//! assert_eq!(trees, ["C(C(A(A(A(b) b) a) c) c)"]);
//!
//! let forest = Forest::of_grammar(&grammar, &read("acab"));
//! assert_eq!(forest.rejection(), Some(Rejection::Died { index: 2 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Direction
//! A left-regular grammar reads a word from its first letter, as the model does. A right-regular one reads from the last
//! letter, so "after i letters" means the last i. Everything else is the same.
//!
//! # Productions
//! A grammar is parsed in its [normal form](automata::Grammar::normalized), without `A → ε` and `A → B` except from the
//! start symbol, and without `S → S`: so no derivation loops without reading, and there are finitely many. Extracted
//! grammars already have that form.

mod beliefs;
mod chart;
mod forest;
mod matrices;
mod trees;

use automata::{Direction, Letter};

pub use beliefs::Beliefs;
pub use forest::{Forest, Rejection};
pub use matrices::Matrices;
pub use trees::{Tree, Trees};

/// A word in reading order.
fn in_order(word: &[Letter], direction: Direction) -> Vec<Letter> {
    match direction {
        Direction::Left => word.to_vec(),
        Direction::Right => word.iter().rev().copied().collect(),
    }
}

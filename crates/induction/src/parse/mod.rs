//! What a model or a grammar makes of one word.
//!
//! The paper's promise is that nothing inside the model has to be guessed: after each letter its vector u_i says which
//! non-terminals the letters so far may be derived from. [`Beliefs`] are these vectors. Where both a production and
//! the non-terminal under it are believed, the derivation goes on; all derivations of a word together are its
//! [`Forest`], and each of them is a [`Tree`]. A word without a tree died somewhere: [`Rejection`] says where. The
//! [`Matrices`] are what the word queries on its way.
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
//! # From which side
//! A left-regular grammar reads a word from its first letter, as the model does. A right-regular one is read from the
//! last letter, so that "after i letters" means the last i. Everything else is the same.
//!
//! # Which productions
//! A grammar is parsed in its [normal form](automata::Grammar::normalized), without `A → ε` and `A → B` except from the
//! start symbol, and without `S → S`: so that no derivation goes round without reading, and there are finitely many.
//! Extracted grammars are in that form already.

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

/// A word in the order in which it is read.
fn in_order(word: &[Letter], direction: Direction) -> Vec<Letter> {
    match direction {
        Direction::Left => word.to_vec(),
        Direction::Right => word.iter().rev().copied().collect(),
    }
}

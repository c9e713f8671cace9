//! The smallest automaton, exactly: by a solver of clauses.
//!
//! Merging and search find small automata; whether there is a smaller one they cannot say. Here it is asked and answered:
//!
//! ```text
//!   Sample ──► Tree ──► clique ────────► bound             no smaller automaton agrees: known at once
//!                  │    (folding)  │
//!                  └──► Colouring ─┴──► Solver ──► Found   an automaton of k states, or that there is none
//!                       (numbering)   (conflicts)
//! ```
//!
//! It is asked in slices: the question lives between two of them, with all that the solver has learned.
//!
//! [`Exact`] asks; [`proof`](crate::proof) asks it whether an answer is minimal, and the only one of its size.

mod clique;
mod colouring;
mod exact;
mod folding;
mod numbering;
mod question;
mod solver;
mod tree;

pub use exact::{Asked, Exact, Found, Limit};
pub use solver::Budget;

//! The smallest automaton, exactly, by a SAT solver.
//!
//! Merging and search find small automata but cannot say whether a smaller one exists. This module can:
//!
//! ```text
//!   Sample ──► Tree ──► clique ────────► bound             a lower bound on the states, known at once
//!                  │    (folding)  │
//!                  └──► Colouring ─┴──► Solver ──► Found   an automaton with k states, or that there is none
//!                       (numbering)   (conflicts)
//! ```
//!
//! The work is done in slices: a question persists between them, with everything the solver has learned.
//!
//! [`Exact`] asks the questions; [`proof`](crate::proof) uses it to decide whether an answer is minimal and unique.

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

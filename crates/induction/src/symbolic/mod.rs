//! State merging: automata made from a sample by folding its prefix tree.
//!
//! The tree of the accepted and rejected words is an automaton that knows its examples and nothing else. It is made
//! general by *merging*: two states are taken for one, then whatever the same letter leads to from both, and so on until
//! the automaton is deterministic again. What is merged has to agree on its labels, and the more labels agree, the better
//! the reason to believe in the merge. It takes milliseconds, and is hard to beat where short words abound.
//!
//! ```text
//!   Sample ──► Quotient ──► merge ──► Dfa      fold      the tree, partly folded, with merges that can be taken back
//!              (red core,   (RPNI,             merging   which merge comes next: by order, or by evidence
//!               trees)       EDSM)
//! ```
//!
//! The states found so far are *red*; a state one letter beyond them is *blue*, and the root of a tree. Each step either
//! merges a blue state into a red one or makes it red.

mod fold;
mod merging;

pub use merging::{Merging, Randomness, Rule, merge};

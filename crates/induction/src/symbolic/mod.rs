//! State merging: automata made from a sample by folding its prefix tree.
//!
//! The tree of the accepted and rejected words is an automaton that knows its examples and nothing else. It is made
//! general by *merging*: two states are taken for one, then whatever the same letter leads to from both, and so on until
//! the automaton is deterministic again. What is merged has to agree on its labels, and the more labels agree, the better
//! the reason to believe in the merge. It takes milliseconds, and is hard to beat where short words abound.
//!
//! The states found so far are *red*; a state one letter beyond them is *blue*, and the root of a tree. Each step either
//! merges a blue state into a red one or makes it red.
//!
//! ```text
//!   Sample ──► Quotient ──► Fringe ──┬── merge          merging    one run: RPNI or EDSM
//!              (fold: red   (blue    ├── merge_widely   beam       the best few quotients at a time
//!               and trees)   states) └── merge_many     ensemble   many runs with some chance in them
//! ```
//!
//! [`Merger`] and [`Beam`] do the same in slices, so that whoever advances them can stop or put them away at any time.
//!
//! [`sat`] asks a solver instead: it takes longer, and what it says is certain.
//!
//! `noise` says what a merge is worth and whether it may be, when labels may be wrong.

mod beam;
mod ensemble;
mod fold;
mod fringe;
mod merging;
mod noise;
pub mod sat;

pub use beam::{Beam, merge_widely};
pub use ensemble::{merge_many, varied};
pub use merging::{Merger, Merging, Randomness, Rule, merge};

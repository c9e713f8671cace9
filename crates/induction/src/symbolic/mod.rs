//! State merging: builds automata from a sample by folding its prefix tree.
//!
//! The prefix tree of the accepted and rejected words is an automaton that knows exactly its examples. It is
//! generalised by *merging*: two states become one, then the targets of equal letters, and so on until the automaton is
//! deterministic again. Merged states must agree on their labels, and the more labels agree, the stronger the evidence
//! for the merge. This takes milliseconds and is hard to beat with many short words.
//!
//! The states found so far are *red*; a state one letter beyond them is *blue*, and the root of a tree. Each step
//! either merges a blue state into a red one or makes it red.
//!
//! ```text
//!   Sample ──► Quotient ──► Fringe ──┬── merge          merging    one run: RPNI or EDSM
//!              (fold: red   (blue    ├── merge_widely   beam       the best few quotients
//!               and trees)   states) └── merge_many     ensemble   many randomised runs
//! ```
//!
//! [`Merger`] and [`Beam`] do the same in slices, so that the caller can stop or set them aside at any time.
//!
//! [`sat`] uses a SAT solver instead: slower, but its results are certain.
//!
//! `walks` merges states whose accepted words go on in the same way, for samples in which few prefixes have labels.
//!
//! `expressions` lists short expressions, shortest first, until some agree with the examples.
//!
//! `noise` scores and tests merges if labels may be wrong.

mod beam;
mod ensemble;
pub(crate) mod expressions;
mod fold;
mod fringe;
mod merging;
mod noise;
pub mod sat;
mod walks;

pub use beam::{Beam, merge_widely};
pub use ensemble::{merge_many, varied};
pub use merging::{Merger, Merging, Randomness, Rule, merge};
pub use walks::{Choice, Rebuilder, Rebuilding, Tree, Walker, Walking};

//! Problems like those of the StaMInA competition (Walkinshaw et al., 2013): automata that resemble models of software,
//! with many letters and few transitions, and words from random walks through them.
//!
//! ```text
//!   forest: a random automaton of about 50 states ──► walks: 20,000 words ──► half of the distinct ones: test words
//!                                                                        └──► the other half: examples, or a part of them
//! ```

mod forest;
mod walks;

pub(crate) use forest::TRIES;
pub use forest::{Forest, random_automaton};
pub use walks::{Walks, walks};

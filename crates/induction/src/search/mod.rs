//! Annealed search for small deterministic automata that agree with labelled words.

mod candidate;
mod checkpoint;
mod price;
mod rung;
mod seeds;
mod settings;
mod tempering;
#[cfg(test)]
mod tests;
mod tree;

pub use checkpoint::Checkpoint;
pub use settings::{SearchError, Settings};
pub use tempering::{MOST_RIVALS, Search};

//! Annealed search for small deterministic automata that agree with labelled words.

mod candidate;
mod checkpoint;
mod price;
mod rung;
mod seeds;
mod settings;
mod sizes;
mod tempering;
#[cfg(test)]
mod tests;
mod tree;

pub use checkpoint::{Checkpoint, MinimisingCheckpoint};
pub use settings::{SearchError, Settings};
pub use sizes::{Minimising, Progress};
pub use tempering::{MOST_RIVALS, Search};

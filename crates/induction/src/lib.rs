//! Regular grammars, learned from accepted and rejected words.
//!
//! The heart is the model of *A Neural Model for Regular Grammar Induction* (Belcak, Hofer, Wattenhofer 2022): beliefs
//! in productions behind sigmoids, applied along the word, trained from labels alone, then read off as a grammar.

mod bits;
pub mod extraction;
mod kernels;
pub mod model;
pub mod parse;
mod replay;
mod sample;
pub mod training;

pub use kernels::{InstructionSet, LANES};
pub use replay::errors;
pub use sample::{Counts, Entry, Sample, SampleError};

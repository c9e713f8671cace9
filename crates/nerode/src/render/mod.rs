//! Renderers: an answer as text for a terminal, as a page, and as files in a folder. They show fields of the answer and
//! compute nothing.

pub mod folder;
mod page;
pub mod phrases;
pub mod terminal;

pub use folder::{FILES, File};

/// What the answer itself does not contain: where its examples came from, and how to reproduce it.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The name of the input, for a sentence.
    pub source: String,
    /// Whether no examples were given, so that the paper's were used.
    pub is_example: bool,
    /// Number of blank lines that were skipped.
    pub blank: usize,
    /// The command that reproduces the answer.
    pub command: String,
    /// Duration in seconds, for `timing.json`.
    pub seconds: f64,
}

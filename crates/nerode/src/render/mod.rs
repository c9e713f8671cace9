//! Renderers: an answer as text for a terminal, as a page, and as the files of a folder. They show fields of the answer and
//! compute nothing.

pub mod folder;
mod page;
pub mod phrases;
pub mod terminal;

pub use folder::{FILES, File};

/// What an answer does not know: where its examples came from, and how to have it again.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// What to call the input in a sentence.
    pub source: String,
    /// Whether nothing was given, and the paper's example was taken.
    pub is_example: bool,
    /// Blank lines that were skipped.
    pub blank: usize,
    /// What to type to have the answer again.
    pub command: String,
    /// How long it took in seconds, for `timing.json`.
    pub seconds: f64,
}

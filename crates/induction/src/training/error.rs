//! Why training is impossible.

use super::SettingsError;
use crate::kernels::InstructionSet;

/// Why training is impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// The settings are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The sample has no non-empty word.
    #[error("there is no word to learn from: the model reads words of at least one letter")]
    NoWords,
    /// The population exceeds any memory.
    #[error(
        "{restarts} restarts with {nonterminals} non-terminals over {letters} letters are more than memory can hold"
    )]
    TooLarge {
        /// The number of restarts.
        restarts: usize,
        /// n'.
        nonterminals: usize,
        /// t.
        letters: usize,
    },
    /// Training done elsewhere failed there.
    #[error("{0}")]
    Elsewhere(String),
    /// Even a few restarts would take too much memory: there are too many letters, or a word is too long.
    #[error(
        "training with {nonterminals} non-terminals over {letters} letters and words of up to {longest} letters would take \
         more than {} MiB for {restarts} restarts", limit >> 20
    )]
    OutOfReach {
        /// The fewest restarts trained at once.
        restarts: usize,
        /// n'.
        nonterminals: usize,
        /// t.
        letters: usize,
        /// The length of the longest word.
        longest: usize,
        /// The limit in bytes.
        limit: u64,
    },
    /// The start selector does not fit the shape.
    #[error("a start selector other than the softmax requires the shape nfa")]
    Selector,
    /// This machine lacks the instructions, or its threads cannot be started.
    #[error("this machine cannot train with {instructions} on {threads} threads")]
    Hardware {
        /// The instructions asked for.
        instructions: InstructionSet,
        /// The threads asked for.
        threads: usize,
    },
}

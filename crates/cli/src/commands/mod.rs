//! One file per command: an `Arguments` struct, whose comments are the help, and `run`.

pub(crate) mod accepts;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod experiment;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod learn;
pub(crate) mod parse;
pub(crate) mod prove;
pub(crate) mod training;
pub(crate) mod words;

//! What surrounds a session on the command line: progress while it works, questions, signals, and the folder of a run.

pub(crate) mod again;
pub(crate) mod asking;
pub(crate) mod folder;
pub(crate) mod progress;
pub(crate) mod saved;
pub(crate) mod signals;

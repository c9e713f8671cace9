//! The parts of `learn` around a session: progress, questions, output folder, saved sessions.

pub(crate) mod again;
pub(crate) mod asking;
pub(crate) mod folder;
pub(crate) mod progress;
pub(crate) mod saved;

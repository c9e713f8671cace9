//! Training: a population of restarts, step by step.
//!
//! [`Trainer`] decides what is shown and with which rates; the kernels do it for all restarts side by side. What comes
//! out depends on sample and settings alone: every batch is a function of the seed and the epoch's number, every
//! restart's beginning of the seed and the restart's.

mod batches;
mod checkpoint;
mod course;
mod memory;
mod record;
mod schedule;
mod settings;
#[cfg(test)]
mod tests;
mod trainer;

pub use checkpoint::CheckpointError;
pub use course::{Beliefs, Course, Frame, Thinned};
pub use record::{EpochRecord, RestartRecord, StopReason};
pub use schedule::Schedule;
pub use settings::{EarlyStop, Settings, SettingsError};
pub use trainer::{Hardware, Observer, TrainError, Trained, Trainer, train};

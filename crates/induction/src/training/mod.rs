//! Training: a population of restarts, step by step.
//!
//! [`Trainer`] decides what is shown and at which rates; a [`Population`] computes it for all restarts. The result
//! depends on sample and settings alone: every batch is a function of the seed and the epoch number, every restart's
//! initial values of the seed and the restart number.

mod batches;
mod beginning;
mod checkpoint;
mod course;
mod error;
mod population;
mod record;
mod reference;
mod schedule;
mod settings;
#[cfg(test)]
mod tests;
mod trainer;

pub(crate) use batches::EPOCH_STEPS;
pub use checkpoint::CheckpointError;
pub use course::{Beliefs, Course, Frame, Thinned};
pub use error::TrainError;
pub use population::{
    BETA_1, BETA_2, Backend, EPSILON, Epoch, Halt, Judgement, Kind, Outcome, Population, Precision, Restart, Shown,
    Step, Sums,
};
pub use record::{EpochRecord, RestartRecord, StopReason};
pub use reference::Reference;
pub use schedule::Schedule;
pub use settings::{EarlyStop, Settings, SettingsError};
pub(crate) use trainer::ROUND_STEPS;
pub use trainer::{Observer, Trained, Trainer, train};

pub use crate::kernels::Hardware;

//! The records of a training run.

use serde::{Deserialize, Deserializer, Serialize};

/// Why training of a restart stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// All steps were taken.
    Budget,
    /// It had learned enough.
    Converged,
    /// Its loss or gradient was not finite; its parameters are those from before that step.
    Diverged,
    /// Training was cancelled.
    Cancelled,
}

/// One epoch: a pass over the words in use, or as many passes as give enough steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochRecord {
    /// Counted from 0.
    pub epoch: u64,
    /// The number of steps taken by its end.
    pub steps: u64,
    /// The maximum word length.
    pub length_limit: usize,
    /// The number of examples shown.
    pub examples: u64,
    /// Adam's learning rate in the last step.
    pub learning_rate: f64,
    /// β in the last step.
    pub beta: f64,
    /// γ in the last step.
    pub gamma: f64,
    /// The temperature in the last step.
    pub temperature: f64,
    /// The restarts trained in it.
    pub restarts: Vec<RestartRecord>,
}

/// The result of an epoch for one restart. A non-finite loss is `null` in JSON, and NaN when read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestartRecord {
    /// The number of the restart, counted from 0.
    pub restart: usize,
    /// The mean cross-entropy over the examples shown, each with the parameters of its step.
    #[serde(deserialize_with = "number_or_null")]
    pub prediction: f64,
    /// S at the end.
    pub sharpening: f64,
    /// U at the end.
    pub production_use: f64,
    /// The sum of the three with the last weights.
    #[serde(deserialize_with = "number_or_null")]
    pub total: f64,
    /// The share of examples shown on the right side of one half.
    pub accuracy: f64,
    /// The number of entries that are not sharp at the end.
    pub unsharp: u32,
    /// Why this was the restart's last epoch, if it was.
    pub stopped: Option<StopReason>,
}

fn number_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

//! What training says of itself.

use serde::{Deserialize, Deserializer, Serialize};

/// Why a restart is trained no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// All steps were made.
    Budget,
    /// It had learned enough.
    Converged,
    /// Its loss or gradient was no longer a finite number; its parameters are those from before that step.
    Diverged,
    /// Training was told to end.
    Cancelled,
}

/// One epoch: a pass over the words that take part, or as many passes as make enough steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochRecord {
    /// Counted from 0.
    pub epoch: u64,
    /// How many steps there had been when it ended.
    pub steps: u64,
    /// How long words could be.
    pub length_limit: usize,
    /// How many examples were shown.
    pub examples: u64,
    /// Adam's rate in the last step.
    pub learning_rate: f64,
    /// β in the last step.
    pub beta: f64,
    /// γ in the last step.
    pub gamma: f64,
    /// The temperature in the last step.
    pub temperature: f64,
    /// Each restart that was trained in it.
    pub restarts: Vec<RestartRecord>,
}

/// What an epoch did to a restart. A loss that is no finite number is `null` in JSON, and NaN when read again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestartRecord {
    /// Which, counted from 0.
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
    /// The part of the examples shown that were on the right side of one half.
    pub accuracy: f64,
    /// How many entries were not sharp at the end.
    pub unsharp: u32,
    /// Whether, and why, it was the restart's last epoch.
    pub stopped: Option<StopReason>,
}

fn number_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

//! Everything besides the sample that determines the result of training.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::schedule::Schedule;
use crate::model::Shape;

/// How restarts are trained. The same sample and settings give the same bits, on any instruction set and with any
/// number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Settings {
    /// Which model.
    pub shape: Shape,
    /// n'.
    pub nonterminals: usize,
    /// The number of models trained, each from different initial values.
    pub restarts: usize,
    /// Seed for all randomness.
    pub seed: u64,
    /// Maximum number of steps: batches, not epochs, because steps decide how far parameters can move.
    pub steps: u64,
    /// Examples per batch; none for the whole sample at once.
    pub batch: Option<usize>,
    /// The mean of the initial parameters.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// Adam's learning rate.
    pub learning_rate: Schedule,
    /// β, the weight of the sharpening loss.
    pub beta: Schedule,
    /// γ, the weight of the production-use loss.
    pub gamma: Schedule,
    /// The divisor of the parameters before σ or softmax.
    pub temperature: Schedule,
    /// The curriculum: words up to this fraction of the longest length are shown. 1 for all.
    pub length_limit: Schedule,
    /// Whether beliefs are clamped to 1. The deterministic shape never clamps.
    pub clamp: bool,
    /// The cross-entropy is linear below this, so that its slope is at most the inverse.
    pub slope_bound: f64,
    /// τ: an entry is sharp when it is at least this, or at most one minus this.
    pub sharp: f64,
    /// When a restart may stop before all steps are taken; none for never.
    pub early_stop: Option<EarlyStop>,
}

/// When a restart has learned enough: at the end of an epoch in which all words were shown and classified correctly,
/// and these conditions hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EarlyStop {
    /// The mean cross-entropy is below this.
    pub loss: f64,
    /// Whether every entry must also be sharp.
    pub sharp: bool,
}

/// Invalid settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {given}, but must be {expected}")]
pub struct SettingsError {
    name: String,
    given: String,
    expected: String,
}

impl SettingsError {
    fn new(name: &str, given: impl ToString, expected: String) -> Self {
        Self { name: name.to_owned(), given: given.to_string(), expected }
    }
}

impl Settings {
    /// The paper's protocol: its optimiser, batch, schedule, clamp and threshold, one restart, no curriculum.
    ///
    /// The paper trains for 60 epochs and does not say how many examples an epoch has. Here it has 40,000, whatever the
    /// length of the words: 500 batches of 80, for which smaller samples are shown again and again. That makes 30,000
    /// steps. An epoch of each example once would make far fewer from short words or small languages, too few at a rate
    /// of 0.005 (docs/model.md compares the readings).
    #[must_use]
    pub fn paper() -> Self {
        Self {
            shape: Shape::Nfa,
            nonterminals: 5,
            restarts: 1,
            seed: 0,
            steps: 60 * 500,
            batch: Some(80),
            mean: 0.0,
            deviation: 1.0,
            learning_rate: Schedule::Constant(0.005),
            beta: Schedule::Switch { before: 0.0, after: 0.05, at: 0.6 },
            gamma: Schedule::Constant(0.0),
            temperature: Schedule::Constant(1.0),
            length_limit: Schedule::Constant(1.0),
            clamp: true,
            slope_bound: 1e-6,
            sharp: 0.95,
            early_stop: None,
        }
    }

    /// What works well in practice, for either shape: sparse initial values, a high learning rate, a bounded slope, a
    /// curriculum, 16 restarts.
    #[must_use]
    pub fn practical(shape: Shape) -> Self {
        let temperature = match shape {
            Shape::Nfa => Schedule::Constant(1.0),
            Shape::Dfa => Schedule::Geometric { from: 1.0, to: 0.1, begin: 0.0, end: 1.0 },
        };
        let mean = match shape {
            Shape::Nfa => -1.0,
            Shape::Dfa => 0.0,
        };
        Self {
            shape,
            restarts: 16,
            steps: 3_000,
            mean,
            learning_rate: Schedule::Constant(0.05),
            temperature,
            length_limit: Schedule::Linear { from: 0.2, to: 1.0, begin: 0.0, end: 0.6 },
            clamp: shape == Shape::Nfa,
            slope_bound: 0.01,
            early_stop: Some(EarlyStop { loss: 0.01, sharp: true }),
            ..Self::paper()
        }
    }

    /// Checks that these settings are valid.
    pub fn check(&self) -> Result<(), SettingsError> {
        at_least_one("the number of non-terminals", self.nonterminals)?;
        at_least_one("the number of restarts", self.restarts)?;
        at_least_one("the batch", self.batch.unwrap_or(1))?;
        within("the mean", self.mean, -LARGE..=LARGE)?;
        within("the deviation", self.deviation, 0.0..=LARGE)?;
        scheduled("the learning rate", &self.learning_rate, 0.0..=LARGE)?;
        scheduled("beta", &self.beta, 0.0..=LARGE)?;
        scheduled("gamma", &self.gamma, 0.0..=LARGE)?;
        scheduled("the temperature", &self.temperature, 1.0 / LARGE..=LARGE)?;
        scheduled("the length limit", &self.length_limit, f64::MIN_POSITIVE..=1.0)?;
        within("the slope's bound", self.slope_bound, 1e-12..=0.5)?;
        within("the threshold", self.sharp, 0.5..=0.999_999)?;
        self.early_stop.map_or(Ok(()), |stop| within("the loss to stop at", stop.loss, 0.0..=LARGE))
    }
}

/// Upper bound of all numbers: the kernels compute with 32 bits, where squares of much larger ones overflow.
const LARGE: f64 = 1e6;

fn at_least_one(name: &str, given: usize) -> Result<(), SettingsError> {
    match given {
        0 => Err(SettingsError::new(name, given, "at least 1".to_owned())),
        _ => Ok(()),
    }
}

fn within(name: &str, given: f64, range: RangeInclusive<f64>) -> Result<(), SettingsError> {
    match range.contains(&given) {
        true => Ok(()),
        false => {
            let expected = match range.into_inner() {
                (f64::MIN_POSITIVE, most) => format!("above 0 and at most {most}"),
                (least, most) => format!("from {least} to {most}"),
            };
            Err(SettingsError::new(name, given, expected))
        }
    }
}

fn scheduled(name: &str, schedule: &Schedule, range: RangeInclusive<f64>) -> Result<(), SettingsError> {
    let (begin, end) = schedule.times();
    for time in [begin, end] {
        within(&format!("the part of the training at which {name} changes"), time, -LARGE..=LARGE)?;
    }
    let (least, most) = schedule.range();
    let by_factors = matches!(schedule, Schedule::Geometric { .. });
    if by_factors && least <= 0.0 {
        return Err(SettingsError::new(name, least, "above 0, to change by factors".to_owned()));
    }
    within(name, least, range.clone())?;
    within(name, most, range)
}

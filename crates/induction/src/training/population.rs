//! The interface between the trainer and the computation: a population of restarts.
//!
//! The trainer decides what is shown and at which rates. A [`Population`] holds the restarts' parameters and trains
//! them, a stretch of batches at a time, judging each epoch at its end; how is up to the implementation. A [`Backend`]
//! makes populations; there are two:
//!
//! - [`Hardware`](super::Hardware), the processor: `f32`, many restarts at once, on several threads;
//! - [`Reference`](super::Reference): `f64`, one word after another, slow and readable, with every start selector.
//!
//! Numbers cross the interface as `f64`, which holds every `f32` exactly.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Settings, TrainError};
use crate::model::{Layout, Selector};
use crate::sample::Sample;

/// Adam's constants, as in the paper that introduced it and in PyTorch.
pub const BETA_1: f64 = 0.9;
/// The decay of the second moment.
pub const BETA_2: f64 = 0.999;
/// The term added to the denominator.
pub const EPSILON: f64 = 1e-8;

/// Makes populations.
pub trait Backend {
    /// What its populations compute.
    fn kind(&self) -> Kind;

    /// Checks that it can train with these settings, which are valid. Nothing is allocated to find out.
    fn check(&self, sample: &Sample, settings: &Settings) -> Result<(), TrainError>;

    /// A population of these restarts, with settings that passed [`Backend::check`].
    fn population(
        &self,
        layout: Layout,
        restarts: &mut dyn ExactSizeIterator<Item = Restart>,
    ) -> Result<Box<dyn Population>, TrainError>;
}

/// What a population computes. Two of the same kind give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// The precision of its numbers.
    pub precision: Precision,
    /// The start selector of its models.
    pub selector: Selector,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let precision = match self.precision {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        };
        write!(f, "{precision} with the selector {}", self.selector)
    }
}

/// The precision of a population's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32 bits.
    F32,
    /// 64 bits.
    F64,
}

impl Precision {
    /// The nearest representable number.
    #[must_use]
    pub fn round(self, x: f64) -> f64 {
        match self {
            Self::F32 => f64::from(x as f32),
            Self::F64 => x,
        }
    }
}

/// Restarts of one layout, trained on the same batches, each with its own parameters. Restarts do not influence each
/// other, so a restart's bits do not depend on their number.
pub trait Population: std::fmt::Debug + Send {
    /// Trains the active restarts through these epochs, or the requested part of the last one.
    ///
    /// The result is `[restarts][epochs that end]`, with `None` for epochs in which the restart was not trained.
    /// Training of a restart ends when the judgement stops it, or after a non-finite loss or gradient.
    fn train(
        &mut self,
        sample: &Sample,
        epochs: &[&Epoch],
        judgement: Judgement,
        active: &[bool],
    ) -> Vec<Vec<Option<Outcome>>>;

    /// The current state of a restart.
    fn restart(&self, restart: usize) -> Restart;

    /// Replaces a restart.
    fn set_restart(&mut self, restart: usize, to: &Restart);

    /// The current parameters of a restart.
    fn parameters(&self, restart: usize) -> Vec<f64>;

    /// The cost of one multiply-add for every restart, in vector instructions. It affects how soon the trainer returns
    /// to its caller, never what is learned.
    fn cost(&self) -> u64;
}

/// The state of a restart: everything that training changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// The parameters: see [`Selector::parameters`].
    pub parameters: Vec<f64>,
    /// Adam's first moment of each.
    pub first: Vec<f64>,
    /// Adam's second moment of each.
    pub second: Vec<f64>,
    /// Sums over the part of the epoch trained so far.
    pub sums: Sums,
}

impl Restart {
    /// An untrained restart.
    #[must_use]
    pub fn new(parameters: Vec<f64>) -> Self {
        let zeros = vec![0.0; parameters.len()];
        Self { first: zeros.clone(), second: zeros, parameters, sums: Sums::default() }
    }
}

/// A restart's sums over an epoch that has not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The cross-entropy, summed over examples.
    pub loss: f64,
    /// The number of examples on the wrong side of one half.
    pub wrong: f64,
    /// Whether a loss or gradient was not finite. The restart has not moved since.
    pub diverged: bool,
}

/// One example of a batch: a word of the sample, and how often it is shown with each label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The index of the sample's entry.
    pub entry: u32,
    /// How often it is shown as accepted.
    pub accepted: f32,
    /// How often it is shown as rejected.
    pub rejected: f32,
}

/// The settings of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Counted from 0, for Adam's bias corrections.
    pub number: u64,
    /// Adam's learning rate.
    pub learning_rate: f64,
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
    /// The divisor of the production parameters.
    pub temperature: f64,
    /// The cross-entropy's slope bound.
    pub slope_bound: f64,
    /// Whether beliefs are clamped to 1.
    pub clamp: bool,
}

/// A stretch of training: batches, and the settings of each step.
#[derive(Clone, Debug)]
pub struct Epoch {
    /// The examples of all batches.
    pub shown: Vec<Shown>,
    /// The batches as ranges of `shown`; if all are the same, `shown` holds it once.
    pub batches: Vec<Range<usize>>,
    /// `[batches]`
    pub steps: Vec<Step>,
    /// Whether it contains all examples of the sample.
    pub complete: bool,
    /// The batches to train now: a large epoch is trained in parts. Restarts are judged after the last batch.
    pub part: Range<usize>,
    /// The number of examples in the batches before this part.
    pub shown_before: f64,
}

impl Epoch {
    /// The number of examples in a batch.
    #[must_use]
    pub fn examples(&self, batch: usize) -> f64 {
        self.shown[self.batches[batch].clone()].iter().map(|s| f64::from(s.accepted) + f64::from(s.rejected)).sum()
    }

    /// Whether the part is the last one.
    #[must_use]
    pub fn ends(&self) -> bool {
        self.part.end == self.batches.len()
    }

    /// Moves on to the next part.
    pub(super) fn go_on(&mut self) {
        self.shown_before = self.part.clone().fold(self.shown_before, |sum, batch| sum + self.examples(batch));
        self.part = self.part.end..self.part.end;
    }
}

/// How restarts are judged at the end of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// An entry is sharp when it is at least this, or at most one minus this.
    pub sharp: f64,
    /// A restart that made no mistake in a complete epoch stops if its mean cross-entropy is below this.
    pub stop_below: Option<f64>,
    /// Whether its entries must also be sharp.
    pub stop_sharp: bool,
}

impl Judgement {
    /// Whether a restart with these sums stops after an epoch.
    #[must_use]
    pub fn halt(&self, sums: Sums, prediction: f64, unsharp: u32, complete: bool) -> Option<Halt> {
        let sharp_enough = !self.stop_sharp || unsharp == 0;
        let converged = |bound: f64| complete && sums.wrong == 0.0 && prediction < bound && sharp_enough;
        match sums.diverged {
            true => Some(Halt::Diverged),
            false => self.stop_below.filter(|&bound| converged(bound)).map(|_| Halt::Converged),
        }
    }
}

/// Why training of a restart stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It has learned enough.
    Converged,
    /// A loss or gradient was not finite.
    Diverged,
}

/// The result of an epoch for one restart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The mean cross-entropy, each batch with the parameters of its step.
    pub prediction: f64,
    /// The number of examples shown on the wrong side of one half.
    pub wrong: f64,
    /// S at the end.
    pub sharpening: f64,
    /// U at the end.
    pub production_use: f64,
    /// The number of entries that are not sharp at the end.
    pub unsharp: u32,
    /// Whether the restart stops here.
    pub halt: Option<Halt>,
}

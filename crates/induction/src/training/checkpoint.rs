//! Stopping training and resuming it, bit for bit.
//!
//! A checkpoint is a `safetensors` file: every restart's parameters and Adam's moments, each `[restarts, parameters]`
//! in `f64`, and, as text, the settings and the progress made. Batches are not stored: they follow from the settings
//! and the epoch number.

use std::collections::HashMap;
use std::sync::Arc;

use safetensors::tensor::{SafeTensorError, SafeTensors, serialize};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::trainer::checked;
use super::{Backend, Kind, Restart, Settings, StopReason, Sums, TrainError, Trainer};
use crate::sample::Sample;
use crate::tensors::{TensorError, bytes, numbers, view};

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file is not a checkpoint, or is corrupt.
    #[error("not a checkpoint: {0}")]
    Broken(String),
    /// It was written by another version of this program.
    #[error("the checkpoint has format {0}, but this version reads format {FORMAT}")]
    Format(u32),
    /// Its population is of another kind.
    #[error("the checkpoint was trained in {checkpoint}, but would resume in {backend}")]
    OtherKind {
        /// The kind it was trained in.
        checkpoint: Kind,
        /// The kind it would resume in.
        backend: Kind,
    },
    /// It was trained on another sample.
    #[error("the checkpoint was trained on another sample over the same letters")]
    OtherSample,
    /// It was trained on another sample, with other letters.
    #[error("the checkpoint was trained over {checkpoint}, but the sample is over {sample}")]
    OtherAlphabet {
        /// The letters of the checkpoint.
        checkpoint: String,
        /// The letters of the sample.
        sample: String,
    },
    /// Training cannot resume here.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl From<SafeTensorError> for CheckpointError {
    fn from(error: SafeTensorError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<TensorError> for CheckpointError {
    fn from(error: TensorError) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Incremented when earlier versions would misread new checkpoints. Format 1 had blocks of 16 restarts.
const FORMAT: u32 = 2;

/// The format number, read first: other formats may have unknown fields. Format 1 did not store it.
#[derive(Deserialize)]
struct Format {
    #[serde(rename = "settings")]
    _settings: IgnoredAny,
    #[serde(default = "first_format")]
    format: u32,
}

fn first_format() -> u32 {
    1
}

/// The text part of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Progress {
    format: u32,
    kind: Kind,
    settings: Settings,
    letters: Vec<String>,
    /// The sample's fingerprint.
    sample: u64,
    step: u64,
    epoch: u64,
    stopped: Vec<Option<StopReason>>,
    trained_steps: Vec<u64>,
    /// The part of the next epoch that was trained, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
}

/// A part of an epoch.
#[derive(Serialize, Deserialize)]
struct Part {
    /// The number of batches trained.
    batches: usize,
    /// `[restarts]`: their sums.
    sums: Vec<Bits>,
}

/// Sums as bits: JSON has no non-finite numbers.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Bits {
    loss: u64,
    wrong: u64,
    diverged: bool,
}

impl From<Sums> for Bits {
    fn from(Sums { loss, wrong, diverged }: Sums) -> Self {
        Self { loss: loss.to_bits(), wrong: wrong.to_bits(), diverged }
    }
}

impl From<Bits> for Sums {
    fn from(Bits { loss, wrong, diverged }: Bits) -> Self {
        Self { loss: f64::from_bits(loss), wrong: f64::from_bits(wrong), diverged }
    }
}

/// The metadata key of the text.
const KEY: &str = "nerode.training";
/// The names of the tensors.
const PARAMETERS: &str = "parameters";
const FIRST: &str = "first_moment";
const SECOND: &str = "second_moment";

impl Trainer {
    /// The current state of the training, as the bytes of a file.
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        let (mut parameters, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
        let mut sums = Vec::new();
        for restart in (0..self.settings.restarts).map(|restart| self.population.restart(restart)) {
            parameters.extend(bytes(restart.parameters));
            first.extend(bytes(restart.first));
            second.extend(bytes(restart.second));
            sums.push(restart.sums.into());
        }
        let shape = [self.settings.restarts, self.kind.selector.parameters(self.layout)];
        let tensors = [(PARAMETERS, &parameters), (FIRST, &first), (SECOND, &second)];
        let views = tensors.map(|(name, bytes)| (name, view::<f64>(shape.to_vec(), bytes)));
        let progress = Progress {
            format: FORMAT,
            kind: self.kind,
            settings: self.settings.clone(),
            letters: self.sample().alphabet().names().to_vec(),
            sample: self.sample().fingerprint(),
            step: self.step,
            epoch: self.epoch,
            stopped: self.stopped.clone(),
            trained_steps: self.trained_steps.clone(),
            part: self.begun.as_ref().map(|begun| Part { batches: begun.epoch.part.end, sums }),
        };
        let text = serde_json::to_string(&progress).expect("numbers and names are JSON");
        serialize(views, Some(HashMap::from([(KEY.to_owned(), text)]))).expect("three small tensors make a file")
    }

    /// Resumes the training saved by [`Trainer::checkpoint`], on the same sample and a backend of the same kind. The
    /// hardware may differ, except for sharing, which would change the last bits. Cancelled training continues.
    pub fn resume(sample: Arc<Sample>, checkpoint: &[u8], backend: impl Backend) -> Result<Self, CheckpointError> {
        let progress = read_progress(checkpoint)?;
        let layout = checked(&sample, &progress.settings, &backend)?;
        progress.check(&sample, backend.kind())?;
        let restarts = progress.settings.restarts;
        let shape = [restarts, progress.kind.selector.parameters(layout)];
        let tensors = SafeTensors::deserialize(checkpoint)?;
        let tensor = |name| numbers(&tensors, name, &shape).map(Iterator::collect::<Vec<f64>>);
        let [parameters, first, second] = [tensor(PARAMETERS)?, tensor(FIRST)?, tensor(SECOND)?];
        let precision = progress.kind.precision;
        let sound = |numbers: &[f64]| numbers.iter().all(|&x| x.is_finite() && precision.round(x) == x);
        if !sound(&parameters) || !sound(&first) || !sound(&second) || second.iter().any(|&x| x < 0.0) {
            return Err(broken("it holds numbers that training cannot produce"));
        }
        let row = |numbers: &[f64], restart: usize| numbers[restart * shape[1]..][..shape[1]].to_vec();
        let mut population = (0..restarts).map(|restart| Restart {
            parameters: row(&parameters, restart),
            first: row(&first, restart),
            second: row(&second, restart),
            sums: progress.part.as_ref().map_or(Sums::default(), |part| part.sums[restart].into()),
        });
        let population = backend.population(layout, &mut population)?;
        let cancelled = Some(StopReason::Cancelled);
        let stopped = progress.stopped.into_iter().map(|why| why.filter(|_| why != cancelled)).collect();
        let mut trainer = Self::of(sample, progress.settings, progress.kind, layout, population);
        (trainer.stopped, trainer.trained_steps) = (stopped, progress.trained_steps);
        (trainer.step, trainer.epoch) = (progress.step, progress.epoch);
        if let Some(Part { batches, .. }) = progress.part {
            let mut begun = trainer.planned(trainer.epoch, trainer.step);
            if batches >= begun.epoch.batches.len() {
                return Err(broken(NO_PART));
            }
            begun.epoch.part = 0..batches;
            trainer.begun = Some(begun);
        }
        Ok(trainer)
    }
}

const NO_PART: &str = "its partial epoch does not exist";

fn broken(what: &str) -> CheckpointError {
    CheckpointError::Broken(what.to_owned())
}

fn read_progress(checkpoint: &[u8]) -> Result<Progress, CheckpointError> {
    let (_, metadata) = SafeTensors::read_metadata(checkpoint)?;
    let text = metadata.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
    let text = text.ok_or_else(|| broken("the file has no text under the key nerode.training"))?;
    let not_read = |error: serde_json::Error| CheckpointError::Broken(error.to_string());
    let Format { format, .. } = serde_json::from_str(text).map_err(not_read)?;
    if format != FORMAT {
        return Err(CheckpointError::Format(format));
    }
    serde_json::from_str(text).map_err(not_read)
}

impl Progress {
    /// Checks that it can continue with this sample and kind of population, as far as the text shows.
    fn check(&self, sample: &Sample, backend: Kind) -> Result<(), CheckpointError> {
        if self.kind != backend {
            return Err(CheckpointError::OtherKind { checkpoint: self.kind, backend });
        }
        if self.letters != sample.alphabet().names() {
            let (checkpoint, sample) = (self.letters.join(", "), sample.alphabet().names().join(", "));
            return Err(CheckpointError::OtherAlphabet { checkpoint, sample });
        }
        if self.sample != sample.fingerprint() {
            return Err(CheckpointError::OtherSample);
        }
        let restarts = self.settings.restarts;
        if self.stopped.len() != restarts || self.trained_steps.len() != restarts {
            return Err(broken("its number of restarts is inconsistent"));
        }
        if self.epoch > self.step {
            return Err(broken("it has more epochs than steps"));
        }
        if let Some(Part { batches, sums }) = &self.part {
            let steps_left = self.settings.steps.saturating_sub(self.step);
            if sums.len() != restarts || *batches == 0 || *batches as u64 >= steps_left {
                return Err(broken(NO_PART));
            }
        }
        Ok(())
    }
}

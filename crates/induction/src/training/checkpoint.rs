//! Training put down and taken up again, bit for bit.
//!
//! A checkpoint is a `safetensors` file: every block's parameters and Adam's moments as they lie in memory,
//! `[blocks, parameters, 16]`, and beside them, as text, the settings and how far they had come. Batches need not be kept:
//! they follow from the settings and the number of the epoch.

use std::collections::HashMap;
use std::sync::Arc;

use safetensors::tensor::{SafeTensorError, SafeTensors, serialize};
use serde::{Deserialize, Serialize};

use super::trainer::Hardware;
use super::{Settings, StopReason, TrainError, Trainer};
use crate::kernels::{Block, LANES, Sums};
use crate::sample::Sample;
use crate::tensors::{TensorError, bytes, numbers, view};

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file is no such file, or broken.
    #[error("not a checkpoint: {0}")]
    Broken(String),
    /// It is of another sample.
    #[error("the checkpoint is of a training on another sample, over the same letters")]
    OtherSample,
    /// It is of another sample, as the letters tell.
    #[error("the checkpoint is of a training over {checkpoint}, but the sample is over {sample}")]
    OtherAlphabet {
        /// The letters it knows.
        checkpoint: String,
        /// The letters of the sample.
        sample: String,
    },
    /// Training cannot go on here.
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

/// What a checkpoint says beside its numbers.
#[derive(Serialize, Deserialize)]
struct Progress {
    settings: Settings,
    letters: Vec<String>,
    /// The sample's fingerprint.
    sample: u64,
    step: u64,
    epoch: u64,
    stopped: Vec<Option<StopReason>>,
    trained_steps: Vec<u64>,
    /// What was trained of the next epoch, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
}

/// A part of an epoch.
#[derive(Serialize, Deserialize)]
struct Part {
    /// How many of its batches were trained.
    batches: usize,
    /// `[blocks]`: what they summed up to.
    sums: Vec<Bits>,
}

/// Sums as their bits: numbers that are not finite have no JSON.
#[derive(Serialize, Deserialize)]
struct Bits {
    loss: [u64; LANES],
    wrong: [u64; LANES],
    diverged: u16,
}

impl From<Sums> for Bits {
    fn from(Sums { loss, wrong, diverged }: Sums) -> Self {
        Self { loss: loss.map(f64::to_bits), wrong: wrong.map(f64::to_bits), diverged }
    }
}

impl From<Bits> for Sums {
    fn from(Bits { loss, wrong, diverged }: Bits) -> Self {
        Self { loss: loss.map(f64::from_bits), wrong: wrong.map(f64::from_bits), diverged }
    }
}

/// The key of the text in the file.
const KEY: &str = "nerode.training";
/// The names of the tensors.
const PARAMETERS: &str = "parameters";
const FIRST: &str = "first_moment";
const SECOND: &str = "second_moment";

impl Trainer {
    /// The training as it is now, as the bytes of a file.
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        let all = |part: fn(&Block) -> &Vec<f32>| bytes(self.blocks.iter().flat_map(part).copied());
        let tensors = [
            (PARAMETERS, all(|block| &block.parameters)),
            (FIRST, all(|block| &block.first)),
            (SECOND, all(|block| &block.second)),
        ];
        let shape = [self.blocks.len(), self.layout.len(), LANES];
        let views = tensors.iter().map(|(name, bytes)| (*name, view(shape.to_vec(), bytes)));
        let progress = Progress {
            settings: self.settings.clone(),
            letters: self.letters(),
            sample: self.fingerprint(),
            step: self.step,
            epoch: self.epoch,
            stopped: self.stopped.clone(),
            trained_steps: self.trained_steps.clone(),
            part: self.begun.as_ref().map(|begun| Part {
                batches: begun.epoch.part.end,
                sums: self.blocks.iter().map(|block| block.sums.into()).collect(),
            }),
        };
        let text = serde_json::to_string(&progress).expect("numbers and names are JSON");
        serialize(views, Some(HashMap::from([(KEY.to_owned(), text)]))).expect("three small tensors make a file")
    }

    /// The training that was put down with [`Trainer::checkpoint`], on the same sample. The hardware may be another, but
    /// for sharing, which would change the last bits. A training that was cancelled goes on.
    pub fn resume(sample: Arc<Sample>, checkpoint: &[u8], hardware: Hardware) -> Result<Self, CheckpointError> {
        let broken = |what: &str| CheckpointError::Broken(what.to_owned());
        let (_, metadata) = SafeTensors::read_metadata(checkpoint)?;
        let text = metadata.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
        let text = text.ok_or_else(|| broken("the file says nothing of a training"))?;
        let progress: Progress = serde_json::from_str(text).map_err(|error| broken(&error.to_string()))?;

        let mut trainer = Self::unborn(sample, progress.settings, hardware)?;
        if progress.letters != trainer.letters() {
            let (checkpoint, sample) = (progress.letters.join(", "), trainer.letters().join(", "));
            return Err(CheckpointError::OtherAlphabet { checkpoint, sample });
        }
        if progress.sample != trainer.fingerprint() {
            return Err(CheckpointError::OtherSample);
        }
        let restarts = trainer.settings.restarts;
        if progress.stopped.len() != restarts || progress.trained_steps.len() != restarts {
            return Err(broken("it is of another number of restarts than it says"));
        }
        if progress.epoch > progress.step {
            return Err(broken("it had more epochs than steps"));
        }
        let (blocks, len) = (progress.stopped.len().div_ceil(LANES), trainer.layout.len());
        let tensors = SafeTensors::deserialize(checkpoint)?;
        let tensor = |name| numbers(&tensors, name, &[blocks, len, LANES]).map(Iterator::collect::<Vec<f32>>);
        let [parameters, first, second] = [tensor(PARAMETERS)?, tensor(FIRST)?, tensor(SECOND)?];
        let sound = |numbers: &[f32]| numbers.iter().all(|x| x.is_finite());
        if !sound(&parameters) || !sound(&first) || !sound(&second) || second.iter().any(|&x| x < 0.0) {
            return Err(broken("it holds numbers that no training leaves"));
        }
        let cancelled = Some(StopReason::Cancelled);
        let stopped: Vec<_> = progress.stopped.into_iter().map(|why| why.filter(|_| why != cancelled)).collect();
        let rows = |numbers: &[f32], block: usize| numbers[block * len * LANES..][..len * LANES].to_vec();
        trainer.blocks = (0..blocks)
            .map(|block| Block {
                parameters: rows(&parameters, block),
                first: rows(&first, block),
                second: rows(&second, block),
                active: going_on(&stopped[block * LANES..]),
                sums: Sums::default(),
            })
            .collect();
        (trainer.stopped, trainer.step, trainer.epoch) = (stopped, progress.step, progress.epoch);
        trainer.trained_steps = progress.trained_steps;
        if let Some(Part { batches, sums }) = progress.part {
            let steps_left = trainer.settings.steps.saturating_sub(trainer.step);
            if sums.len() != blocks || batches == 0 || batches as u64 >= steps_left {
                return Err(broken("it is of a part of an epoch that there is not"));
            }
            let mut begun = trainer.planned(trainer.epoch, trainer.step);
            if batches >= begun.epoch.batches.len() {
                return Err(broken("it is of a part of an epoch that there is not"));
            }
            begun.epoch.part = 0..batches;
            trainer.begun = Some(begun);
            for (block, sums) in trainer.blocks.iter_mut().zip(sums) {
                block.sums = sums.into();
                block.active &= !block.sums.diverged;
            }
        }
        Ok(trainer)
    }
}

/// The lanes of a block that go on, a bit each: those of its restarts that have not stopped.
fn going_on(stopped: &[Option<StopReason>]) -> u16 {
    let lanes = stopped.iter().take(LANES).enumerate();
    lanes.fold(0, |lanes, (lane, stopped)| lanes | u16::from(stopped.is_none()) << lane)
}

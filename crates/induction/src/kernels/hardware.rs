//! The CPU as a backend: instruction set and number of threads.

use super::population::Blocks;
use super::{InstructionSet, LANES};
use crate::model::{Layout, Selector};
use crate::sample::Sample;
use crate::training::{Backend, Kind, Population, Precision, Restart, Settings, TrainError};

/// The most bytes that restarts sharing a vector may take.
const MOST_MEMORY: u64 = 1 << 30;

/// What to train with. Instruction set and threads affect only the speed, never the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// The instruction set.
    pub instructions: InstructionSet,
    /// The number of threads; blocks of 16 restarts are distributed among them.
    pub threads: usize,
    /// Whether prefixes are shared within a batch. This changes the order of sums, and so the last bits; it is on
    /// except to measure its benefit.
    pub sharing: bool,
}

impl Hardware {
    /// The best instruction set of this machine, with this many threads.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        Self { instructions: InstructionSet::best(), threads, sharing: true }
    }
}

impl Backend for Hardware {
    fn kind(&self) -> Kind {
        Kind { precision: Precision::F32, selector: Selector::Softmax }
    }

    fn check(&self, sample: &Sample, settings: &Settings) -> Result<(), TrainError> {
        let &Settings { restarts, nonterminals, .. } = settings;
        let letters = sample.alphabet().len();
        if settings.memory(sample, self.threads) > isize::MAX as u64 {
            return Err(TrainError::TooLarge { restarts, nonterminals, letters });
        }
        let restarts = restarts.min(LANES);
        let block = Settings { restarts, ..settings.clone() };
        if block.memory(sample, 1) > MOST_MEMORY {
            let (longest, limit) = (sample.longest(), MOST_MEMORY);
            return Err(TrainError::OutOfReach { restarts, nonterminals, letters, longest, limit });
        }
        Ok(())
    }

    fn population(
        &self,
        layout: Layout,
        restarts: &mut dyn ExactSizeIterator<Item = Restart>,
    ) -> Result<Box<dyn Population>, TrainError> {
        let &Self { instructions, threads, .. } = self;
        let blocks = Blocks::new(*self, layout, restarts).ok_or(TrainError::Hardware { instructions, threads })?;
        Ok(Box::new(blocks))
    }
}

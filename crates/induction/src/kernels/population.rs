//! The population on the CPU: blocks of restarts, and the threads that train them.
//!
//! A block is 16 restarts, whatever the register width; a narrow register processes it in parts, one after the other.
//! Blocks are independent, so any thread may train any of them with the same result. Outside the kernels there are only
//! restarts: restart r is lane r mod 16 of block r / 16.

use fearless_simd::{Fallback, Level};
use rayon::prelude::*;

use super::Hardware;
use super::crew::Crew;
use crate::model::Layout;
use crate::sample::Sample;
use crate::training::{Epoch, Judgement, Outcome, Population, Restart, Sums};

/// The number of restarts trained side by side.
pub(crate) const LANES: usize = 16;

/// Restarts in blocks, with the instructions and threads that train them.
#[derive(Debug)]
pub(super) struct Blocks {
    layout: Layout,
    /// Lanes beyond the last restart exist but are never trained.
    blocks: Vec<Block>,
    level: Level,
    /// `None` for one thread: then the caller's thread is used.
    pool: Option<rayon::ThreadPool>,
    sharing: bool,
}

/// Sixteen restarts: parameters and Adam's moments, each `[layout.len()][LANES]`.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) parameters: Vec<f32>,
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
    /// Lanes being trained, one bit each.
    pub(super) active: u16,
    pub(super) sums: LaneSums,
}

/// The sums of a block's lanes over an epoch that has not ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneSums {
    /// `[lanes]`
    pub(super) loss: [f64; LANES],
    pub(super) wrong: [f64; LANES],
    /// Lanes with a non-finite loss or gradient, one bit each.
    pub(super) diverged: u16,
}

impl Block {
    fn new(layout: Layout) -> Self {
        let zeros = vec![0.0; layout.len() * LANES];
        Self { parameters: zeros.clone(), first: zeros.clone(), second: zeros, active: 0, sums: LaneSums::default() }
    }

    fn lane(&self, lane: usize) -> Restart {
        let LaneSums { loss, wrong, diverged } = self.sums;
        Restart {
            parameters: column(&self.parameters, lane),
            first: column(&self.first, lane),
            second: column(&self.second, lane),
            sums: Sums { loss: loss[lane], wrong: wrong[lane], diverged: diverged & (1 << lane) != 0 },
        }
    }

    fn set_lane(&mut self, lane: usize, to: &Restart) {
        set_column(&mut self.parameters, lane, &to.parameters);
        set_column(&mut self.first, lane, &to.first);
        set_column(&mut self.second, lane, &to.second);
        self.sums.loss[lane] = to.sums.loss;
        self.sums.wrong[lane] = to.sums.wrong;
        self.sums.diverged &= !(1 << lane);
        self.sums.diverged |= u16::from(to.sums.diverged) << lane;
    }
}

/// The numbers of one lane.
fn column(rows: &[f32], lane: usize) -> Vec<f64> {
    rows.chunks_exact(LANES).map(|row| f64::from(row[lane])).collect()
}

fn set_column(rows: &mut [f32], lane: usize, numbers: &[f64]) {
    for (row, &number) in rows.chunks_exact_mut(LANES).zip(numbers) {
        row[lane] = number as f32;
    }
}

impl Blocks {
    /// `None` if this machine lacks the instructions, or threads cannot be started.
    pub(super) fn new(
        hardware: Hardware,
        layout: Layout,
        restarts: &mut dyn ExactSizeIterator<Item = Restart>,
    ) -> Option<Self> {
        let Hardware { instructions, threads, sharing } = hardware;
        let level = instructions.level()?;
        let count = restarts.len().div_ceil(LANES);
        // More threads than blocks would be idle.
        let pool = match threads.min(count) {
            0 | 1 => None,
            threads => Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?),
        };
        let mut blocks: Vec<Block> = (0..count).map(|_| Block::new(layout)).collect();
        for (i, restart) in restarts.enumerate() {
            blocks[i / LANES].set_lane(i % LANES, &restart);
        }
        Some(Self { layout, blocks, level, pool, sharing })
    }
}

impl Population for Blocks {
    fn train(
        &mut self,
        sample: &Sample,
        epochs: &[&Epoch],
        judgement: Judgement,
        active: &[bool],
    ) -> Vec<Vec<Option<Outcome>>> {
        for (block, active) in self.blocks.iter_mut().zip(active.chunks(LANES)) {
            let lanes = active.iter().enumerate().fold(0, |lanes, (lane, &active)| lanes | u16::from(active) << lane);
            block.active = lanes & !block.sums.diverged;
        }
        let &mut Self { layout, level, sharing, .. } = self;
        let train = |blocks: &mut [Block]| match level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(simd) => Crew { simd, sample, layout, sharing }.train(blocks, epochs, judgement),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => Crew { simd, sample, layout, sharing }.train(blocks, epochs, judgement),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => Crew { simd, sample, layout, sharing }.train(blocks, epochs, judgement),
            _ => Crew { simd: Fallback::new(), sample, layout, sharing }.train(blocks, epochs, judgement),
        };
        let mut outcomes: Vec<Vec<Option<Outcome>>> = match &self.pool {
            None => train(&mut self.blocks),
            Some(pool) => {
                let share = self.blocks.len().div_ceil(pool.current_num_threads()).max(1);
                pool.install(|| self.blocks.par_chunks_mut(share).flat_map_iter(train).collect())
            }
        };
        outcomes.truncate(active.len());
        outcomes
    }

    fn restart(&self, restart: usize) -> Restart {
        self.blocks[restart / LANES].lane(restart % LANES)
    }

    fn set_restart(&mut self, restart: usize, to: &Restart) {
        self.blocks[restart / LANES].set_lane(restart % LANES, to);
    }

    fn parameters(&self, restart: usize) -> Vec<f64> {
        column(&self.blocks[restart / LANES].parameters, restart % LANES)
    }

    fn cost(&self) -> u64 {
        self.blocks.len() as u64
    }
}

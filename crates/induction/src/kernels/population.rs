//! Blocks of restarts, and the threads that train them.
//!
//! A block is 16 restarts whatever the width of a register; a narrow register takes it in parts, one after the other.
//! Blocks know nothing of each other, so any thread may train any of them, and the result is the same.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Fallback, Level};
use rayon::prelude::*;

use super::plan::{Planner, Plans, Shown, bounds};
use super::step::{Inspection, Lanes, StepSettings, Workspace};
use super::{InstructionSet, Instructions, V};
use crate::model::Layout;
use crate::sample::Sample;

/// How many restarts are trained side by side.
pub const LANES: usize = 16;

/// A stretch of training: batches, and what each step is told.
#[derive(Debug)]
pub(crate) struct Epoch {
    pub(crate) shown: Vec<Shown>,
    /// Where the batches are in `shown`; when all are the same, `shown` holds it once.
    pub(crate) batches: Vec<Range<usize>>,
    /// `[batches]`
    pub(crate) settings: Vec<StepSettings>,
    /// Whether all examples of the sample are in it.
    pub(crate) complete: bool,
    /// Which of the batches are taken now: a large epoch is trained in parts. Restarts are judged after the last batch.
    pub(crate) part: Range<usize>,
    /// How many examples the batches before have.
    pub(crate) shown_before: f64,
}

impl Epoch {
    /// How many examples a batch has.
    fn examples(&self, batch: usize) -> f64 {
        examples(&self.shown[self.batches[batch].clone()])
    }

    /// Goes on after the part that was trained.
    pub(crate) fn go_on(&mut self) {
        self.shown_before = self.part.clone().fold(self.shown_before, |sum, batch| sum + self.examples(batch));
        self.part = self.part.end..self.part.end;
    }

    /// Whether the part is the last one.
    pub(crate) fn ends(&self) -> bool {
        self.part.end == self.batches.len()
    }
}

fn examples(batch: &[Shown]) -> f64 {
    batch.iter().map(|s| f64::from(s.accepted) + f64::from(s.rejected)).sum()
}

/// What a block has met in an epoch that is not at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    /// `[lanes]`
    pub(crate) loss: [f64; LANES],
    pub(crate) wrong: [f64; LANES],
    /// Which lanes had a loss that is no finite number, a bit each.
    pub(crate) diverged: u16,
}

/// How lanes are judged at the end of an epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// An entry is sharp when it is at least this, or at most one minus this.
    pub(crate) sharp: f32,
    /// Stop a lane that made no mistake in a complete epoch with a mean cross-entropy below this.
    pub(crate) stop_below: Option<f32>,
    /// But only if its entries are sharp.
    pub(crate) stop_sharp: bool,
}

/// Why a lane is trained no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Converged,
    Diverged,
}

/// What an epoch did to a lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneOutcome {
    /// Whether it was trained at all.
    pub(crate) trained: bool,
    /// The mean cross-entropy, each batch with the parameters it found.
    pub(crate) prediction: f64,
    /// How many of the examples shown were on the wrong side of one half.
    pub(crate) wrong: f64,
    pub(crate) inspection: Inspection,
    pub(crate) halt: Option<Halt>,
}

/// What an epoch did to a block.
pub(crate) type Outcome = [LaneOutcome; LANES];

/// Sixteen restarts: parameters and Adam's moments, each `[layout.len()][LANES]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) parameters: Vec<f32>,
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    /// Which lanes are still trained, a bit each.
    pub(crate) active: u16,
    pub(crate) sums: Sums,
}

/// What trains: instructions and threads.
#[derive(Debug)]
pub(crate) struct Machine {
    level: Level,
    /// None for one thread: then the caller's is used.
    pool: Option<rayon::ThreadPool>,
    sharing: bool,
}

impl Machine {
    /// None when this machine lacks the instructions, or no threads can be started.
    pub(crate) fn new(instructions: InstructionSet, threads: usize, sharing: bool) -> Option<Self> {
        let pool = match threads {
            0 | 1 => None,
            threads => Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?),
        };
        Some(Self { level: instructions.level()?, pool, sharing })
    }

    /// Trains all blocks through these epochs. For each block there is an outcome an epoch that comes to its end.
    pub(crate) fn train(
        &self,
        sample: &Sample,
        layout: Layout,
        blocks: &mut [Block],
        epochs: &[&Epoch],
        judgement: Judgement,
    ) -> Vec<Vec<Outcome>> {
        let train = |blocks: &mut [Block]| match self.level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(simd) => {
                Crew { simd, sample, layout, sharing: self.sharing }.train(blocks, epochs, judgement)
            }
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => Crew { simd, sample, layout, sharing: self.sharing }.train(blocks, epochs, judgement),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => Crew { simd, sample, layout, sharing: self.sharing }.train(blocks, epochs, judgement),
            _ => Crew { simd: Fallback::new(), sample, layout, sharing: self.sharing }.train(blocks, epochs, judgement),
        };
        match &self.pool {
            None => train(blocks),
            Some(pool) => {
                let share = blocks.len().div_ceil(pool.current_num_threads()).max(1);
                pool.install(|| blocks.par_chunks_mut(share).flat_map_iter(train).collect())
            }
        }
    }
}

/// One thread with the blocks it trains, on one instruction set.
struct Crew<'a, S: Instructions> {
    simd: S,
    sample: &'a Sample,
    layout: Layout,
    sharing: bool,
}

impl<S: Instructions> Crew<'_, S> {
    /// Batch by batch: each is planned once, and then all blocks take their step on it.
    fn train(&self, blocks: &mut [Block], epochs: &[&Epoch], judgement: Judgement) -> Vec<Vec<Outcome>> {
        let simd = self.simd;
        let largest = epochs.iter().flat_map(|epoch| &epoch.batches).map(Range::len).max().unwrap_or(0);
        let (slots, width) = bounds(self.sample, largest);
        let mut workspace = Workspace::new(simd, self.layout, slots, width);
        let mut planner = Planner::new(self.sample, self.sharing);
        let mut plans = Plans::default();
        let mut batch: &[Shown] = &[];
        let mut parts: Vec<Part<S>> = Part::of(simd, blocks).collect();
        let mut outcomes = vec![Vec::with_capacity(epochs.len()); blocks.len()];
        for epoch in epochs {
            let mut planned: Option<&Range<usize>> = None;
            let mut examples_shown = epoch.shown_before;
            for (range, settings) in
                epoch.batches.iter().zip(&epoch.settings).take(epoch.part.end).skip(epoch.part.start)
            {
                if planned != Some(range) {
                    batch = &epoch.shown[range.clone()];
                    planner.plan(batch, &mut plans);
                    planned = Some(range);
                }
                let examples = examples(batch);
                examples_shown += examples;
                for part in parts.iter_mut().filter(|part| part.lanes.active != 0) {
                    let report = workspace.step(simd, &mut part.lanes, &plans, examples as f32, settings);
                    part.count(report.loss.as_slice(), report.wrong.as_slice());
                }
            }
            let Some(last) = epoch.settings.last().filter(|_| epoch.ends()) else { continue };
            for (i, part) in parts.iter_mut().enumerate() {
                let (block, begin) = (i / Part::<S>::PER_BLOCK, i % Part::<S>::PER_BLOCK * V::<S>::LEN);
                if begin == 0 {
                    outcomes[block].push(Outcome::default());
                }
                if part.lanes.active | part.diverged != 0 {
                    let seen = workspace.inspect(simd, &part.lanes, last.temperature, judgement.sharp);
                    let outcome = outcomes[block].last_mut().map_or(&mut [][..], |o| &mut o[begin..][..V::<S>::LEN]);
                    part.judge(outcome, &seen, examples_shown, epoch.complete, judgement);
                }
            }
        }
        Part::give_back(parts, blocks);
        outcomes
    }
}

/// Numbers of lanes from this one on, those of lanes beyond the last being 0.
fn from_lane(lanes: &[f64; LANES], begin: usize) -> [f64; LANES] {
    std::array::from_fn(|lane| lanes.get(begin + lane).copied().unwrap_or(0.0))
}

/// The lanes of a block that one register holds.
struct Part<S: Instructions> {
    lanes: Lanes<S>,
    /// `[lanes]`: sums over an epoch.
    loss: [f64; LANES],
    wrong: [f64; LANES],
    /// Which lanes had a loss that is no finite number in this epoch, a bit each.
    diverged: u64,
}

impl<S: Instructions> Part<S> {
    const PER_BLOCK: usize = LANES / V::<S>::LEN;

    /// The parts of blocks, in order.
    fn of(simd: S, blocks: &[Block]) -> impl Iterator<Item = Self> {
        let load = move |from: &[f32], begin: usize| {
            from.chunks_exact(LANES).map(|row| V::<S>::from_slice(simd, &row[begin..][..V::<S>::LEN])).collect()
        };
        blocks.iter().flat_map(move |block| {
            (0..LANES).step_by(V::<S>::LEN).map(move |begin| Self {
                lanes: Lanes {
                    parameters: load(&block.parameters, begin),
                    first: load(&block.first, begin),
                    second: load(&block.second, begin),
                    active: u64::from(block.active >> begin) & ((1 << V::<S>::LEN) - 1),
                },
                loss: from_lane(&block.sums.loss, begin),
                wrong: from_lane(&block.sums.wrong, begin),
                diverged: u64::from(block.sums.diverged >> begin) & ((1 << V::<S>::LEN) - 1),
            })
        })
    }

    fn give_back(parts: Vec<Self>, blocks: &mut [Block]) {
        for (block, parts) in blocks.iter_mut().zip(parts.chunks_exact(Self::PER_BLOCK)) {
            block.active = 0;
            block.sums = Sums::default();
            for (part, begin) in parts.iter().zip((0..LANES).step_by(V::<S>::LEN)) {
                let store = |from: &[V<S>], to: &mut [f32]| {
                    for (lanes, row) in from.iter().zip(to.chunks_exact_mut(LANES)) {
                        lanes.store_slice(&mut row[begin..][..V::<S>::LEN]);
                    }
                };
                store(&part.lanes.parameters, &mut block.parameters);
                store(&part.lanes.first, &mut block.first);
                store(&part.lanes.second, &mut block.second);
                block.active |= (part.lanes.active as u16) << begin;
                let lanes = begin..begin + V::<S>::LEN;
                block.sums.loss[lanes.clone()].copy_from_slice(&part.loss[..V::<S>::LEN]);
                block.sums.wrong[lanes].copy_from_slice(&part.wrong[..V::<S>::LEN]);
                block.sums.diverged |= (part.diverged as u16) << begin;
            }
        }
    }

    /// Counts a step. A lane whose loss is no finite number was not moved by it, and is not by any later one.
    fn count(&mut self, loss: &[f32], wrong: &[f32]) {
        for (lane, (sum, &loss)) in self.loss.iter_mut().zip(loss).enumerate() {
            *sum += f64::from(loss);
            if !loss.is_finite() && self.lanes.active & (1 << lane) != 0 {
                self.lanes.active &= !(1 << lane);
                self.diverged |= 1 << lane;
            }
        }
        for (sum, &wrong) in self.wrong.iter_mut().zip(wrong) {
            *sum += f64::from(wrong);
        }
    }

    /// Writes down what an epoch did, and stops the lanes that need no more.
    fn judge(
        &mut self,
        outcomes: &mut [LaneOutcome],
        seen: &[Inspection],
        examples: f64,
        complete: bool,
        judgement: Judgement,
    ) {
        for (lane, outcome) in outcomes.iter_mut().enumerate() {
            let prediction = std::mem::take(&mut self.loss[lane]) / examples;
            let wrong = std::mem::take(&mut self.wrong[lane]);
            let diverged = self.diverged & (1 << lane) != 0;
            if self.lanes.active & (1 << lane) == 0 && !diverged {
                continue;
            }
            let sharp_enough = !judgement.stop_sharp || seen[lane].unsharp == 0;
            let converged = |bound: f32| complete && wrong == 0.0 && prediction < f64::from(bound) && sharp_enough;
            let halt = if diverged {
                Some(Halt::Diverged)
            } else {
                judgement.stop_below.filter(|bound| converged(*bound)).map(|_| Halt::Converged)
            };
            if halt.is_some() {
                self.lanes.active &= !(1 << lane);
            }
            *outcome = LaneOutcome { trained: true, prediction, wrong, inspection: seen[lane], halt };
        }
        self.diverged = 0;
    }
}

//! One thread and the blocks it trains: batches, steps, and the judgement at the end of an epoch.

use std::ops::Range;

use fearless_simd::prelude::*;

use super::plan::{Planner, Plans, bounds};
use super::population::{Block, LANES, LaneSums};
use super::step::{Inspection, Lanes, StepSettings, Workspace};
use super::{Instructions, V};
use crate::model::Layout;
use crate::sample::Sample;
use crate::training::{Epoch, Judgement, Outcome, Sums};

/// One thread with the blocks it trains, on one instruction set.
pub(super) struct Crew<'a, S: Instructions> {
    pub(super) simd: S,
    pub(super) sample: &'a Sample,
    pub(super) layout: Layout,
    pub(super) sharing: bool,
}

impl<S: Instructions> Crew<'_, S> {
    /// Trains batch by batch: each is planned once, then every block takes a step on it. The result is
    /// `[lanes of all blocks][epochs that end]`.
    pub(super) fn train(
        &self,
        blocks: &mut [Block],
        epochs: &[&Epoch],
        judgement: Judgement,
    ) -> Vec<Vec<Option<Outcome>>> {
        let simd = self.simd;
        let largest = epochs.iter().flat_map(|epoch| &epoch.batches).map(Range::len).max().unwrap_or(0);
        let (slots, width) = bounds(self.sample, largest);
        let mut workspace = Workspace::new(simd, self.layout, slots, width);
        let mut planner = Planner::new(self.sample, self.sharing);
        let mut plans = Plans::default();
        let mut parts: Vec<Part<S>> = Part::of(simd, blocks).collect();
        let lanes = blocks.len() * LANES;
        let mut outcomes: Vec<_> = (0..lanes).map(|_| Vec::with_capacity(epochs.len())).collect();
        for epoch in epochs {
            let mut planned: Option<&Range<usize>> = None;
            let mut examples_shown = epoch.shown_before;
            for batch in epoch.part.clone() {
                let range = &epoch.batches[batch];
                if planned != Some(range) {
                    planner.plan(&epoch.shown[range.clone()], &mut plans);
                    planned = Some(range);
                }
                let examples = epoch.examples(batch);
                examples_shown += examples;
                let settings = StepSettings::of(&epoch.steps[batch]);
                for part in parts.iter_mut().filter(|part| part.lanes.active != 0) {
                    let report = workspace.step(simd, &mut part.lanes, &plans, examples as f32, &settings);
                    part.count(report.loss.as_slice(), report.wrong.as_slice());
                }
            }
            let Some(last) = epoch.steps.last().filter(|_| epoch.ends()) else { continue };
            for (part, outcomes) in parts.iter_mut().zip(outcomes.chunks_exact_mut(V::<S>::LEN)) {
                if part.lanes.active | part.diverged == 0 {
                    outcomes.iter_mut().for_each(|outcomes| outcomes.push(None));
                    continue;
                }
                let (temperature, sharp) = (last.temperature as f32, judgement.sharp as f32);
                let seen = workspace.inspect(simd, &part.lanes, temperature, sharp);
                for (lane, outcomes) in outcomes.iter_mut().enumerate() {
                    outcomes.push(part.judge(lane, seen[lane], examples_shown, epoch.complete, judgement));
                }
                part.diverged = 0;
            }
        }
        Part::give_back(parts, blocks);
        outcomes
    }
}

/// The numbers of lanes from `begin` on, padded with 0.
fn from_lane(lanes: &[f64; LANES], begin: usize) -> [f64; LANES] {
    std::array::from_fn(|lane| lanes.get(begin + lane).copied().unwrap_or(0.0))
}

/// The lanes of a block that fit in one register.
struct Part<S: Instructions> {
    lanes: Lanes<S>,
    /// `[lanes]`: sums over an epoch.
    loss: [f64; LANES],
    wrong: [f64; LANES],
    /// Lanes with a non-finite loss in this epoch, one bit each.
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
            block.sums = LaneSums::default();
            for (part, begin) in parts.iter().zip((0..LANES).step_by(V::<S>::LEN)) {
                let store = |from: &[V<S>], to: &mut [f32]| {
                    for (lanes, row) in from.iter().zip(to.chunks_exact_mut(LANES)) {
                        lanes.store_slice(&mut row[begin..][..V::<S>::LEN]);
                    }
                };
                store(&part.lanes.parameters, &mut block.parameters);
                store(&part.lanes.first, &mut block.first);
                store(&part.lanes.second, &mut block.second);
                let lanes = begin..begin + V::<S>::LEN;
                block.sums.loss[lanes.clone()].copy_from_slice(&part.loss[..V::<S>::LEN]);
                block.sums.wrong[lanes].copy_from_slice(&part.wrong[..V::<S>::LEN]);
                block.sums.diverged |= (part.diverged as u16) << begin;
            }
        }
    }

    /// Counts a step. A lane with a non-finite loss is not moved by it, or by any later step.
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

    /// The result of an epoch for one lane, which stops if it is done; `None` if it was not trained.
    fn judge(
        &mut self,
        lane: usize,
        seen: Inspection,
        examples: f64,
        complete: bool,
        judgement: Judgement,
    ) -> Option<Outcome> {
        let bit = 1 << lane;
        let (loss, wrong) = (std::mem::take(&mut self.loss[lane]), std::mem::take(&mut self.wrong[lane]));
        let diverged = self.diverged & bit != 0;
        if self.lanes.active & bit == 0 && !diverged {
            return None;
        }
        let prediction = loss / examples;
        let Inspection { sharpening, production_use, unsharp } = seen;
        let halt = judgement.halt(Sums { loss, wrong, diverged }, prediction, unsharp, complete);
        if halt.is_some() {
            self.lanes.active &= !bit;
        }
        let (sharpening, production_use) = (f64::from(sharpening), f64::from(production_use));
        Some(Outcome { prediction, wrong, sharpening, production_use, unsharp, halt })
    }
}

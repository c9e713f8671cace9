//! The training step, at the speed of the machine.
//!
//! A restart is a lane of a vector, and 16 restarts are a block.

mod instruction_set;
mod math;
mod plan;
mod population;
mod propagate;
mod step;

use fearless_simd::prelude::*;

/// A vector of lanes: as many restarts as one register holds.
pub(crate) type V<S> = <S as Simd>::f32s;

/// The same number in every lane.
#[inline(always)]
fn splat<S: Simd>(simd: S, x: f32) -> V<S> {
    V::<S>::splat(simd, x)
}

pub use instruction_set::InstructionSet;
pub(crate) use plan::Shown;
pub use population::LANES;
pub(crate) use population::{Block, Epoch, Halt, Judgement, LaneOutcome, Machine, Outcome};
pub(crate) use step::{Adam, BETA_1, BETA_2, StepSettings};

//! The training step, in SIMD.
//!
//! Each restart is a lane of a vector. 16 restarts form a block, whose lanes do the same operations on the same words,
//! each with its own parameters. Nothing is ever added across lanes, and every operation is an IEEE operation rounded
//! once, in an order that depends on the batch alone; so every instruction set gives the same bits.
//!
//! ```text
//!   plan        which prefixes a batch has, level by level, letter by letter
//!   propagate   beliefs forwards, gradients backwards: where the time goes
//!   step        one training step of a vector of restarts
//!   crew        one thread: batches, epochs, judgement
//!   population  blocks and threads, as the trainer's `Population`
//!   hardware    instruction set and threads; memory: how much training takes
//!   math        exp and ln
//! ```
//!
//! There is no `unsafe` here. `fearless_simd` provides vectors of the register's width and selects instructions at run
//! time; slices of constant size leave one bounds check per row. Tiles depend on the instruction set, which affects
//! only the speed: every result is the same chain of multiply-adds whatever the tile. A thread trains whole blocks and
//! plans a batch once for all of them.
//!
//! See `docs/model.md` for how and why.

mod crew;
mod hardware;
mod instruction_set;
mod math;
mod memory;
mod plan;
mod population;
mod propagate;
mod step;
#[cfg(test)]
mod tests;

use fearless_simd::prelude::*;

/// A vector of lanes: as many restarts as fit in one register.
pub(crate) type V<S> = <S as Simd>::f32s;

/// What tiling needs to know about an instruction set.
pub(crate) trait Instructions: Simd {
    /// The number of vector registers; 0 if unknown, where tiles do not help.
    const REGISTERS: usize;
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Instructions for fearless_simd::Avx512 {
    const REGISTERS: usize = 32;
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Instructions for fearless_simd::Avx2 {
    const REGISTERS: usize = 16;
}

#[cfg(target_arch = "aarch64")]
impl Instructions for fearless_simd::Neon {
    const REGISTERS: usize = 32;
}

impl Instructions for fearless_simd::Fallback {
    const REGISTERS: usize = 0;
}

/// The same number in every lane.
#[inline(always)]
fn splat<S: Simd>(simd: S, x: f32) -> V<S> {
    V::<S>::splat(simd, x)
}

pub use hardware::Hardware;
pub use instruction_set::InstructionSet;
pub(crate) use population::LANES;

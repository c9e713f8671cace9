//! The training step, at the speed of the machine.
//!
//! A restart is a lane of a vector: 16 restarts are a block, whose lanes do the same operations on the same words, each
//! with its own parameters. So nothing is ever added across lanes, and as every operation is an IEEE operation rounded
//! once, in an order that depends on the batch alone, every instruction set gives the same bits.
//!
//! ```text
//!   plan        which prefixes a batch has, level by level, letter by letter
//!   propagate   beliefs forwards, gradients backwards: where the time goes
//!   step        one training step of a vector of restarts
//!   crew        one thread: batches, epochs, judgement
//!   population  blocks and threads, as the population that the trainer asks for
//!   hardware    which instructions, how many threads; memory: how much it takes
//!   math        exp and ln
//! ```
//!
//! There is no `unsafe` here. `fearless_simd` provides vectors of the register's width and chooses instructions at run
//! time; slices of constant size leave one bounds check per row. Tiles are chosen by instruction set, which may change
//! only the speed: every result is the same chain of multiply-adds whatever the tile. A thread trains whole blocks, and
//! plans a batch once for all of them.
//!
//! How it is done and why is told in `docs/model.md`.

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

/// A vector of lanes: as many restarts as one register holds.
pub(crate) type V<S> = <S as Simd>::f32s;

/// What the tiles have to know of an instruction set.
pub(crate) trait Instructions: Simd {
    /// How many vectors can be held at once; 0 when that is unknown, and tiles are of no use.
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

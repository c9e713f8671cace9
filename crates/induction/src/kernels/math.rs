//! Exponential and logarithm, lane by lane, with the same bits everywhere.
//!
//! The standard library's versions differ between machines. These are fixed sequences of IEEE operations, each rounded
//! once, so every instruction set gives the same result. Accuracy, tested on a grid of arguments in every binade: `exp`
//! within 1 ulp on [−87, 88], `ln` within 1 ulp on the positive normal numbers.

use fearless_simd::prelude::*;

use super::{Instructions, V, splat};

/// eˣ for x in [−87, 88], the range to which x is clamped.
#[inline(always)]
pub(super) fn exp<S: Instructions>(simd: S, x: V<S>) -> V<S> {
    let x = x.min(splat(simd, 88.0)).max(splat(simd, -87.0));
    // x = k ln 2 + r with |r| ≤ ½ ln 2. ln 2 is split in two; the first part has few bits, so that k times it is exact.
    let k = (x * splat(simd, std::f32::consts::LOG2_E)).round_ties_even();
    let r = k.mul_add_precise(splat(simd, -0.693_359_4), x);
    let r = k.mul_add_precise(splat(simd, 2.121_944_4e-4), r);
    // eʳ = 1 + r + r² p(r).
    let mut p = splat(simd, 1.987_569_2e-4);
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_6e-1, 0.5] {
        p = p.mul_add_precise(r, splat(simd, coefficient));
    }
    let power = (r * r).mul_add_precise(p, r) + splat(simd, 1.0);
    // Multiply by 2ᵏ by adding k to the exponent.
    let k = k.to_int::<S::i32s>();
    let bits = power.bitcast::<S::i32s>() + (k << 23);
    bits.bitcast()
}

/// ln x for positive normal x.
#[inline(always)]
pub(super) fn ln<S: Instructions>(simd: S, x: V<S>) -> V<S> {
    // x = 2ᵏ m with m in [√½, √2).
    let bits = x.bitcast::<S::i32s>();
    let shifted = bits - S::i32s::splat(simd, 0x3f35_04f3);
    let k = shifted >> 23;
    let m = (bits - (k << 23)).bitcast::<V<S>>();
    let k = k.to_float::<V<S>>();
    let f = m - splat(simd, 1.0);
    let mut p = splat(simd, 7.037_683_6e-2);
    for coefficient in [
        -1.151_461e-1,
        1.167_699_9e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_5e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ] {
        p = p.mul_add_precise(f, splat(simd, coefficient));
    }
    let square = f * f;
    // ln m = f − f²/2 + f³ p(f); small terms are added first.
    let small = (square * f).mul_add_precise(p, k * splat(simd, -2.121_944_4e-4));
    let small = square.mul_add_precise(splat(simd, -0.5), small);
    k.mul_add_precise(splat(simd, 0.693_359_4), small + f)
}

/// σ(x) = 1 / (1 + e⁻ˣ).
#[inline(always)]
pub(super) fn sigmoid<S: Instructions>(simd: S, x: V<S>) -> V<S> {
    let one = splat(simd, 1.0);
    one / (one + exp(simd, -x))
}

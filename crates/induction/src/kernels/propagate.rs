//! The two products that take all the time: beliefs forward, gradients backward.
//!
//! On one level, all slots with the same last letter c share that letter's matrix M = `step[c]`, whose entries are
//! vectors of lanes. With z the value of a slot before the clamp and u = min(z, 1), for each slot and its parent:
//!
//! ```text
//! forwards    z[slot]    = M · u[parent]
//! backwards   dM        += g[slot] ⊗ u[parent]
//!             g[parent] += Mᵀ · g[slot], where z[parent] ≤ 1
//! ```
//!
//! Each is a small matrix product whose elements are vectors, and is computed as such: a tile of results stays in
//! registers while the sum runs. Whatever the tiles, each result is the same chain of fused multiply-adds in the same
//! order, over non-terminals or over slots, so tiling may differ between instruction sets but the bits do not.
//!
//! `z ≥ 0` always, being a sum of products of sigmoids, so the clamp needs no lower bound.
//!
//! Products of small numbers would soon become subnormal, which is a hundred times slower on most machines. So sums of
//! beliefs start from 2⁻¹⁷ and sums of gradients from 2⁻³⁷, which are subtracted at the end: this leaves multiples of
//! 2⁻⁴⁰ and 2⁻⁶¹, including zero, for the price of one subtraction. Numbers that are not small lose at most their last
//! bit, and 1 stays 1, since 1 + 2⁻¹⁷ is exact.
//!
//! `N` is n' if small, a compile-time constant for which everything is unrolled; otherwise it is 0.

#![allow(clippy::needless_range_loop, reason = "a tile is addressed by row and column, as its formula is")]

use std::ops::Range;

use fearless_simd::prelude::*;

use super::plan::Group;
use super::{Instructions, V, splat};

/// One letter's part in one level of a plan.
pub(super) struct Letter<'a, S: Instructions> {
    /// n'.
    pub(super) n: usize,
    /// `[n'][n']`: the letter's matrix.
    pub(super) matrix: &'a [V<S>],
    /// `[slots]`: of the whole plan.
    pub(super) parents: &'a [u32],
    pub(super) group: Group,
}

/// The initial value of belief sums.
const BELIEF_BIAS: f32 = 1.0 / (1u64 << 17) as f32;
/// The initial value of gradient sums.
const GRADIENT_BIAS: f32 = 1.0 / (1u64 << 37) as f32;

/// The most results in a tile such that they and their inputs stay in registers.
const fn room<S: Instructions>() -> usize {
    match S::REGISTERS {
        0..16 => 2,
        16..32 => 12,
        _ => 25,
    }
}

/// Maximum rows of a tile.
const fn tallest<S: Instructions>() -> usize {
    match S::REGISTERS {
        0..16 => 1,
        16..32 => 4,
        _ => 8,
    }
}

/// Maximum columns of a tile with this many rows.
const fn columns<S: Instructions>(rows: usize) -> usize {
    match room::<S>().checked_div(rows) {
        Some(0) | None => 1,
        Some(columns) if columns > 6 => 6,
        Some(columns) => columns,
    }
}

/// Whether a whole matrix fits in the registers, beside one row of results and two working vectors.
const fn fits<S: Instructions>(n: usize) -> bool {
    n * (n + 1) + 2 <= S::REGISTERS
}

/// Calls a function with a number as a constant. Impossible constants are not compiled.
macro_rules! with_constant {
    ($number:expr, $name:ident in [$($value:literal)*] if $possible:expr, $call:expr) => {
        match $number {
            $($value if const { const $name: usize = $value; $possible } => { const $name: usize = $value; $call })*
            _ => unreachable!("tiles have sizes from a short list"),
        }
    };
}

/// Splits 0..n into as few tiles as possible, of nearly equal height.
#[inline(always)]
fn tiles(n: usize, tallest: usize) -> impl Iterator<Item = Range<usize>> {
    let count = n.div_ceil(tallest);
    (0..count).map(move |tile| tile * n / count..(tile + 1) * n / count)
}

/// The possible heights of tiles when n' is not known at compile time.
const fn is_height<S: Instructions>(height: usize) -> bool {
    height <= tallest::<S>()
}

/// The possible widths of tiles with a known number of rows: if N is known too, only those that occur.
const fn is_width<S: Instructions, const N: usize>(width: usize, rows: usize) -> bool {
    let most = columns::<S>(rows);
    if N == 0 {
        return width <= most;
    }
    let count = N.div_ceil(most);
    width == N / count || width == N.div_ceil(count)
}

/// `z[slot] = M · u[parent]`. `before` holds the rows of all earlier levels, `level` those of this one, which starts at
/// slot `first`; each row is n' vectors.
#[inline(always)]
pub(super) fn forward<S: Instructions, const N: usize, const CLAMP: bool>(
    simd: S,
    letter: &Letter<'_, S>,
    before: &[V<S>],
    level: &mut [V<S>],
    first: usize,
) {
    let slots = letter.group.begin as usize..letter.group.end as usize;
    let rows = &mut level[(slots.start - first) * letter.n..(slots.end - first) * letter.n];
    let parents = &letter.parents[slots];
    if const { N > 0 && fits::<S>(N) } {
        forward_held::<S, N, CLAMP>(simd, letter.matrix, before, parents, rows);
    } else if const { N > 0 } {
        forward_heads::<S, N, N, CLAMP>(simd, letter, 0, before, parents, rows);
    } else {
        for tile in tiles(letter.n, const { tallest::<S>() }) {
            with_constant!(tile.len(), K in [1 2 3 4 5 6 7 8] if is_height::<S>(K),
                forward_heads::<S, 0, K, CLAMP>(simd, letter, tile.start, before, parents, rows));
        }
    }
}

/// With the matrix in registers.
#[inline(always)]
fn forward_held<S: Instructions, const N: usize, const CLAMP: bool>(
    simd: S,
    matrix: &[V<S>],
    before: &[V<S>],
    parents: &[u32],
    rows: &mut [V<S>],
) {
    let matrix = held::<S, N>(simd, matrix);
    let bias = splat(simd, BELIEF_BIAS);
    let before = before.as_chunks::<N>().0;
    for (&parent, row) in parents.iter().zip(rows.as_chunks_mut::<N>().0) {
        let z = &before[parent as usize];
        let mut sums = [bias; N];
        for i in 0..N {
            let u = clamped::<S, CLAMP>(simd, z[i]);
            for k in 0..N {
                sums[k] = matrix[k][i].mul_add_precise(u, sums[k]);
            }
        }
        for k in 0..N {
            row[k] = sums[k] - bias;
        }
    }
}

/// A letter's matrix by value.
#[inline(always)]
fn held<S: Instructions, const N: usize>(simd: S, matrix: &[V<S>]) -> [[V<S>; N]; N] {
    let mut held = [[splat(simd, 0.0); N]; N];
    for k in 0..N {
        for i in 0..N {
            held[k][i] = matrix[k * N + i];
        }
    }
    held
}

#[inline(always)]
fn forward_heads<S: Instructions, const N: usize, const K: usize, const CLAMP: bool>(
    simd: S,
    letter: &Letter<'_, S>,
    head: usize,
    before: &[V<S>],
    parents: &[u32],
    rows: &mut [V<S>],
) {
    with_constant!(const { columns::<S>(K) }, W in [1 2 3 4 5 6] if W == columns::<S>(K),
        forward_words::<S, N, K, W, CLAMP>(simd, letter, head, before, parents, rows));
}

#[inline(always)]
fn forward_words<S: Instructions, const N: usize, const K: usize, const W: usize, const CLAMP: bool>(
    simd: S,
    letter: &Letter<'_, S>,
    head: usize,
    before: &[V<S>],
    parents: &[u32],
    rows: &mut [V<S>],
) {
    let n = if const { N > 0 } { N } else { letter.n };
    let (groups, rest) = parents.as_chunks::<W>();
    let (tiles, single) = rows.split_at_mut(groups.len() * W * n);
    for (parents, rows) in groups.iter().zip(tiles.chunks_exact_mut(W * n)) {
        forward_tile::<S, N, K, W, CLAMP>(simd, n, letter.matrix, head, before, parents, rows);
    }
    for (&parent, rows) in rest.iter().zip(single.chunks_exact_mut(n)) {
        forward_tile::<S, N, K, 1, CLAMP>(simd, n, letter.matrix, head, before, &[parent], rows);
    }
}

#[inline(always)]
fn forward_tile<S: Instructions, const N: usize, const K: usize, const W: usize, const CLAMP: bool>(
    simd: S,
    n: usize,
    matrix: &[V<S>],
    head: usize,
    before: &[V<S>],
    parents: &[u32; W],
    rows: &mut [V<S>],
) {
    let bias = splat(simd, BELIEF_BIAS);
    let mut z: [&[V<S>]; W] = [&[]; W];
    for w in 0..W {
        z[w] = &before[parents[w] as usize * n..][..n];
    }
    let mut heads: [&[V<S>]; K] = [&[]; K];
    for k in 0..K {
        heads[k] = &matrix[(head + k) * n..][..n];
    }
    let mut sums = [[bias; W]; K];
    for i in 0..n {
        let mut u = [bias; W];
        for w in 0..W {
            u[w] = clamped::<S, CLAMP>(simd, z[w][i]);
        }
        for k in 0..K {
            let belief = heads[k][i];
            for w in 0..W {
                sums[k][w] = belief.mul_add_precise(u[w], sums[k][w]);
            }
        }
    }
    for w in 0..W {
        for k in 0..K {
            rows[w * n + head + k] = sums[k][w] - bias;
        }
    }
}

/// `dM += g[slot] ⊗ u[parent]`. `gradients` holds the rows of this level, which starts at slot `first`.
#[inline(always)]
pub(super) fn accumulate<S: Instructions, const N: usize, const CLAMP: bool>(
    simd: S,
    letter: &Letter<'_, S>,
    before: &[V<S>],
    gradients: &[V<S>],
    first: usize,
    matrix_gradient: &mut [V<S>],
) {
    let slots = letter.group.begin as usize..letter.group.end as usize;
    let gradients = &gradients[(slots.start - first) * letter.n..(slots.end - first) * letter.n];
    let parents = &letter.parents[slots];
    if const { N > 0 } {
        accumulate_heads::<S, N, N, CLAMP>(simd, letter, 0, before, parents, gradients, matrix_gradient);
    } else {
        for tile in tiles(letter.n, const { tallest::<S>() }) {
            with_constant!(tile.len(), K in [1 2 3 4 5 6 7 8] if is_height::<S>(K),
                accumulate_heads::<S, 0, K, CLAMP>(simd, letter, tile.start, before, parents, gradients, matrix_gradient));
        }
    }
}

#[inline(always)]
fn accumulate_heads<S: Instructions, const N: usize, const K: usize, const CLAMP: bool>(
    simd: S,
    letter: &Letter<'_, S>,
    head: usize,
    before: &[V<S>],
    parents: &[u32],
    gradients: &[V<S>],
    matrix_gradient: &mut [V<S>],
) {
    let n = if const { N > 0 } { N } else { letter.n };
    for tails in tiles(n, const { columns::<S>(K) }) {
        with_constant!(tails.len(), J in [1 2 3 4 5 6] if is_width::<S, N>(J, K),
            accumulate_tile::<S, N, K, J, CLAMP>(simd, n, head, tails.start, before, parents, gradients, matrix_gradient));
    }
}

#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "a tile is what it covers and what it reads")]
fn accumulate_tile<S: Instructions, const N: usize, const K: usize, const J: usize, const CLAMP: bool>(
    simd: S,
    n: usize,
    head: usize,
    tail: usize,
    before: &[V<S>],
    parents: &[u32],
    gradients: &[V<S>],
    matrix_gradient: &mut [V<S>],
) {
    let zero = splat(simd, 0.0);
    let mut sums = [[zero; J]; K];
    for k in 0..K {
        for j in 0..J {
            sums[k][j] = matrix_gradient[(head + k) * n + tail + j];
        }
    }
    for (&parent, g) in parents.iter().zip(gradients.chunks_exact(n)) {
        let z: &[V<S>; J] = before[parent as usize * n + tail..].first_chunk().expect("a row has n' entries");
        let g: &[V<S>; K] = g[head..].first_chunk().expect("a row has n' entries");
        let mut u = [zero; J];
        for j in 0..J {
            u[j] = clamped::<S, CLAMP>(simd, z[j]);
        }
        for k in 0..K {
            for j in 0..J {
                sums[k][j] = g[k].mul_add_precise(u[j], sums[k][j]);
            }
        }
    }
    for k in 0..K {
        for j in 0..J {
            matrix_gradient[(head + k) * n + tail + j] = sums[k][j];
        }
    }
}

/// `g[parent] += Mᵀ · g[slot]` where the parent was not clamped. `gradients` holds the rows of this level, which starts
/// at slot `first`, `above` those of the level before, which starts at slot `first_above`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "two levels, each with where it begins")]
pub(super) fn pull<S: Instructions, const N: usize, const CLAMP: bool>(
    simd: S,
    letter: &Letter<'_, S>,
    before: &[V<S>],
    gradients: &[V<S>],
    first: usize,
    above: &mut [V<S>],
    first_above: usize,
) {
    let Group { begin, late, end, .. } = letter.group;
    for (slots, adds) in [(begin as usize..late as usize, false), (late as usize..end as usize, true)] {
        if slots.is_empty() {
            continue;
        }
        let gradients = &gradients[(slots.start - first) * letter.n..(slots.end - first) * letter.n];
        let parents = &letter.parents[slots];
        let mut pull = Pull { letter, before, parents, gradients, above, first_above };
        if const { N > 0 && fits::<S>(N) } {
            if adds {
                pull.held::<N, CLAMP, true>(simd);
            } else {
                pull.held::<N, CLAMP, false>(simd);
            }
        } else if const { N > 0 } {
            pull.tails::<N, N, CLAMP>(simd, 0, adds);
        } else {
            for tile in tiles(letter.n, const { tallest::<S>() }) {
                with_constant!(tile.len(), J in [1 2 3 4 5 6 7 8] if is_height::<S>(J), pull.tails::<0, J, CLAMP>(simd, tile.start, adds));
            }
        }
    }
}

struct Pull<'a, S: Instructions> {
    letter: &'a Letter<'a, S>,
    before: &'a [V<S>],
    parents: &'a [u32],
    gradients: &'a [V<S>],
    above: &'a mut [V<S>],
    first_above: usize,
}

impl<S: Instructions> Pull<'_, S> {
    /// With the matrix in registers.
    #[inline(always)]
    fn held<const N: usize, const CLAMP: bool, const ADDS: bool>(&mut self, simd: S) {
        let matrix = held::<S, N>(simd, self.letter.matrix);
        let (zero, one, bias) = (splat(simd, 0.0), splat(simd, 1.0), splat(simd, GRADIENT_BIAS));
        let before = self.before.as_chunks::<N>().0;
        let above = self.above.as_chunks_mut::<N>().0;
        for (&parent, g) in self.parents.iter().zip(self.gradients.as_chunks::<N>().0) {
            let z = &before[parent as usize];
            let out = &mut above[parent as usize - self.first_above];
            let mut sums = [bias; N];
            if ADDS {
                for i in 0..N {
                    sums[i] += out[i];
                }
            }
            for k in 0..N {
                for i in 0..N {
                    sums[i] = matrix[k][i].mul_add_precise(g[k], sums[i]);
                }
            }
            for i in 0..N {
                let sum = sums[i] - bias;
                out[i] = if CLAMP { z[i].simd_le(one).select(sum, zero) } else { sum };
            }
        }
    }

    #[inline(always)]
    fn tails<const N: usize, const J: usize, const CLAMP: bool>(&mut self, simd: S, tail: usize, adds: bool) {
        with_constant!(const { columns::<S>(J) }, W in [1 2 3 4 5 6] if W == columns::<S>(J), {
            if adds {
                self.words::<N, J, W, CLAMP, true>(simd, tail);
            } else {
                self.words::<N, J, W, CLAMP, false>(simd, tail);
            }
        });
    }

    #[inline(always)]
    fn words<const N: usize, const J: usize, const W: usize, const CLAMP: bool, const ADDS: bool>(
        &mut self,
        simd: S,
        tail: usize,
    ) {
        let n = if const { N > 0 } { N } else { self.letter.n };
        let (groups, rest) = self.parents.as_chunks::<W>();
        let (tiles, single) = self.gradients.split_at(groups.len() * W * n);
        for (parents, g) in groups.iter().zip(tiles.chunks_exact(W * n)) {
            self.tile::<J, W, CLAMP, ADDS>(simd, n, tail, parents, g);
        }
        for (&parent, g) in rest.iter().zip(single.chunks_exact(n)) {
            self.tile::<J, 1, CLAMP, ADDS>(simd, n, tail, &[parent], g);
        }
    }

    #[inline(always)]
    fn tile<const J: usize, const W: usize, const CLAMP: bool, const ADDS: bool>(
        &mut self,
        simd: S,
        n: usize,
        tail: usize,
        parents: &[u32; W],
        gradients: &[V<S>],
    ) {
        let zero = splat(simd, 0.0);
        let one = splat(simd, 1.0);
        let mut above = [0; W];
        for w in 0..W {
            above[w] = (parents[w] as usize - self.first_above) * n + tail;
        }
        let bias = splat(simd, GRADIENT_BIAS);
        let mut sums = [[bias; W]; J];
        if ADDS {
            for w in 0..W {
                let g: &[V<S>; J] = self.above[above[w]..].first_chunk().expect("a row has n' entries");
                for j in 0..J {
                    sums[j][w] += g[j];
                }
            }
        }
        let mut g: [&[V<S>]; W] = [&[]; W];
        for w in 0..W {
            g[w] = &gradients[w * n..][..n];
        }
        // Otherwise the compiler would first copy the whole matrix to the stack, as it is the same for every tile.
        let matrix = std::hint::black_box(self.letter.matrix);
        for k in 0..n {
            let row: &[V<S>; J] = matrix[k * n + tail..].first_chunk().expect("a row has n' entries");
            for j in 0..J {
                for w in 0..W {
                    sums[j][w] = row[j].mul_add_precise(g[w][k], sums[j][w]);
                }
            }
        }
        for w in 0..W {
            let z: &[V<S>; J] =
                self.before[parents[w] as usize * n + tail..].first_chunk().expect("a row has n' entries");
            let out: &mut [V<S>; J] = self.above[above[w]..].first_chunk_mut().expect("a row has n' entries");
            for j in 0..J {
                let sum = sums[j][w] - bias;
                out[j] = if CLAMP { z[j].simd_le(one).select(sum, zero) } else { sum };
            }
        }
    }
}

/// u = min(z, 1), in the shape that clamps.
#[inline(always)]
pub(super) fn clamped<S: Instructions, const CLAMP: bool>(simd: S, z: V<S>) -> V<S> {
    if CLAMP { z.min(splat(simd, 1.0)) } else { z }
}

//! The cost of every target of a cell, all at once.
//!
//! A vector lane is a target: while the tree below a cell is walked once, each lane holds the state that a node would
//! have if the cell led to that target. Reading a letter is one byte shuffle, with states as indices into the letter's
//! row of the table, and a comparison that inserts the target wherever the walk takes the cell again. So pricing all
//! targets takes about as long as walking two or three of them one by one.

use fearless_simd::prelude::*;
use fearless_simd::{Fallback, Level, u8x16, u8x32, u8x64, u16x32};

use super::candidate::{Candidate, Cell};
use super::tree::Tree;

/// Maximum number of states of an automaton: what two vectors of the widest kind can hold.
pub const MOST_STATES: usize = 128;
/// Maximum number of targets priced at once.
pub(super) const MOST_LANES: usize = 64;

/// Length of a table row: as small as the states allow, since narrow vectors are cheaper.
pub(super) fn width(size: usize) -> usize {
    size.next_power_of_two().max(16)
}

/// One vector of bytes, aligned so that a load crosses no cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u8; MOST_LANES]);

/// The shape of a walk: the width of the table, and the vector type.
trait Width {
    /// States in a row of the table, a power of two.
    const STATES: usize;
    /// The vector.
    type V<S: Simd>: SimdInt<S, Element = u8, ByteVector = Self::V<S>>;
}

struct Width16;
struct Width32;
struct Width64;
struct Width128;

impl Width for Width16 {
    const STATES: usize = 16;
    type V<S: Simd> = u8x16<S>;
}

impl Width for Width32 {
    const STATES: usize = 32;
    type V<S: Simd> = u8x32<S>;
}

impl Width for Width64 {
    const STATES: usize = 64;
    type V<S: Simd> = u8x64<S>;
}

impl Width for Width128 {
    const STATES: usize = 128;
    type V<S: Simd> = u8x64<S>;
}

/// Reusable buffers for walks, and the results of the last one.
#[derive(Clone, Debug)]
pub(super) struct Pricer {
    /// `[depths]`: the states at the nodes on the path to the current node.
    slots: Vec<Line>,
    /// `[letters][2]`: the table; the second line holds states from 64 on.
    rows: Vec<Line>,
    /// `[letters]`: the state in which the letter takes the cell, or [`NOWHERE`].
    takes: Vec<Line>,
    /// Letters whose rows have changed since they were copied; [`EVERY`] stands for all.
    stale: Vec<u16>,
    /// The letter of the last priced cell.
    priced: u16,
    /// The targets, as a vector.
    aims: Line,
    /// `[words]`: the states in which the walked words end, and one spare.
    met: Vec<Line>,
    /// `[words]`: the nodes at which they end, and one spare.
    ends: Vec<u32>,
    /// `[lanes][width]`: the contribution of the walked words to the sums.
    sums: Vec<i32>,
    /// `[states]`: the sums of the words that were not walked.
    rest: Vec<i32>,
    /// The targets to price, one per lane.
    pub(super) targets: Vec<u8>,
    /// `[targets]`: number of wrong examples.
    pub(super) errors: Vec<u64>,
    /// The topmost nodes that use the cell.
    pub(super) touched: Vec<u32>,
}

/// Number of cell numbers compared at once.
pub(super) const BLOCK: usize = 64;
/// A state that does not exist.
const NOWHERE: u8 = u8::MAX;
/// Stands for all letters; real letters are smaller.
const EVERY: u16 = u16::MAX;

impl Pricer {
    pub(super) fn new(tree: &Tree, size: usize) -> Self {
        let zero = Line([0; MOST_LANES]);
        let lanes = size.min(MOST_LANES);
        Self {
            slots: vec![zero; tree.deepest + 1],
            rows: vec![zero; tree.letters.len() * 2],
            takes: vec![Line([NOWHERE; MOST_LANES]); tree.letters.len()],
            stale: vec![EVERY],
            priced: 0,
            aims: zero,
            met: vec![zero; tree.words + 1],
            ends: vec![0; tree.words + 1],
            sums: vec![0; lanes.next_multiple_of(4) * width(size)],
            rest: vec![0; size],
            targets: (0..lanes).map(|lane| lane as u8).collect(),
            errors: vec![0; lanes],
            touched: Vec::with_capacity(tree.len()),
        }
    }

    /// Prices each target, and returns the number of nodes walked.
    pub(super) fn price(&mut self, level: Level, tree: &Tree, now: &Candidate, cell: Cell) -> u64 {
        match level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(simd) => self.price_with(simd, tree, now, cell),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => self.price_with(simd, tree, now, cell),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => self.price_with(simd, tree, now, cell),
            _ => self.price_with(Fallback::new(), tree, now, cell),
        }
    }

    #[inline(always)]
    fn price_with<S: Simd>(&mut self, simd: S, tree: &Tree, now: &Candidate, cell: Cell) -> u64 {
        match now.width {
            16 => simd.vectorize(|| self.walk::<S, Width16>(simd, tree, now, cell)),
            32 => simd.vectorize(|| self.walk::<S, Width32>(simd, tree, now, cell)),
            64 => simd.vectorize(|| self.walk::<S, Width64>(simd, tree, now, cell)),
            _ => simd.vectorize(|| self.walk::<S, Width128>(simd, tree, now, cell)),
        }
    }

    #[inline(always)]
    fn walk<S: Simd, W: Width>(&mut self, simd: S, tree: &Tree, now: &Candidate, cell: Cell) -> u64 {
        let lanes = W::V::<S>::LEN;
        let load = |line: &Line| W::V::<S>::from_slice(simd, &line.0[..lanes]);
        self.prepare::<W>(now, cell);
        let targets = load(&self.aims);
        let name = now.name(cell);
        let (slots, rows, takes) = (&mut self.slots[..], &self.rows[..], &self.takes[..]);
        let (met, ends) = (&mut self.met[..], &mut self.ends[..]);
        let mut words = 0;
        let mut walked = 0;
        let mut from = 1;
        while from < tree.len() {
            // The nodes that take the cell, among the 64 around here.
            let block = from / BLOCK;
            let mut found = matches(simd, &now.cells[block * BLOCK..][..BLOCK], name) & u64::MAX << (from % BLOCK);
            from = (block + 1) * BLOCK;
            while found != 0 {
                let top = block * BLOCK + found.trailing_zeros() as usize;
                let end = tree.ends[top] as usize;
                self.touched.push(top as u32);
                walked += (end - top) as u64;
                let steps = &tree.steps[top..end];
                slots[usize::from(steps[0].depth) - 1].0.fill(cell.state);
                for (node, step) in (top as u32..).zip(steps) {
                    let (depth, letter) = (usize::from(step.depth), usize::from(step.letter));
                    let before = load(&slots[depth - 1]);
                    let row = load(&rows[2 * letter]);
                    let next = if W::STATES > MOST_LANES {
                        row.concat_swizzle_dyn(load(&rows[2 * letter + 1]), before)
                    } else {
                        row.swizzle_dyn(before)
                    };
                    let next = before.simd_eq(load(&takes[letter])).select(targets, next);
                    next.store_slice(&mut slots[depth].0[..lanes]);
                    // Stored at every node but kept only at word ends, so that there is no branch to mispredict.
                    next.store_slice(&mut met[words].0[..lanes]);
                    ends[words] = node;
                    words += usize::from(step.weight != 0);
                }
                if end >= from {
                    from = end;
                    break;
                }
                found &= u64::MAX << (end % BLOCK);
            }
        }
        for (after, &node) in met[..words].iter().zip(&ends[..words]) {
            let weight = tree.steps[node as usize].weight;
            self.rest[usize::from(now.states[node as usize])] -= weight;
            count::<W>(&mut self.sums, &after.0, weight);
        }
        for (errors, walked) in self.errors.iter_mut().zip(self.sums.chunks_exact(W::STATES)) {
            let sums = self.rest.iter().zip(walked).map(|(rest, walked)| rest + walked);
            *errors = tree.errors(sums);
        }
        walked
    }

    /// Notes that the row of a letter has changed since the last walk.
    pub(super) fn changed(&mut self, letter: u16) {
        self.stale.push(letter);
    }

    /// Notes that the whole table has changed since the last walk.
    pub(super) fn replaced(&mut self) {
        self.stale.clear();
        self.stale.push(EVERY);
    }

    /// Copies only what has changed: with thousands of letters the table is larger than most walks.
    #[inline(always)]
    fn prepare<W: Width>(&mut self, now: &Candidate, cell: Cell) {
        let rows = &mut self.rows[..];
        let mut copy = |letter: usize| {
            let row = &now.table[letter * W::STATES..][..W::STATES];
            for (line, part) in rows[2 * letter..].iter_mut().zip(row.chunks(MOST_LANES)) {
                line.0[..part.len()].copy_from_slice(part);
            }
        };
        match self.stale.contains(&EVERY) {
            true => (0..now.table.len() / W::STATES).for_each(copy),
            false => self.stale.iter().for_each(|&letter| copy(usize::from(letter))),
        }
        self.stale.clear();
        self.takes[usize::from(self.priced)].0.fill(NOWHERE);
        self.takes[usize::from(cell.letter)].0.fill(cell.state);
        self.priced = cell.letter;
        self.aims.0[..self.targets.len()].copy_from_slice(&self.targets);
        self.sums.fill(0);
        self.rest.copy_from_slice(&now.sums);
        self.touched.clear();
    }
}

/// Counts a word that ends in these states, one per lane.
#[inline(always)]
fn count<W: Width>(sums: &mut [i32], after: &[u8; MOST_LANES], weight: i32) {
    // Four lanes at a time, to reduce loop overhead.
    for (sums, after) in sums.chunks_exact_mut(4 * W::STATES).zip(after.chunks_exact(4)) {
        sums[usize::from(after[0]) % W::STATES] += weight;
        sums[W::STATES + usize::from(after[1]) % W::STATES] += weight;
        sums[2 * W::STATES + usize::from(after[2]) % W::STATES] += weight;
        sums[3 * W::STATES + usize::from(after[3]) % W::STATES] += weight;
    }
}

/// Which of 64 cell numbers equal this one, as bits.
#[inline(always)]
fn matches<S: Simd>(simd: S, names: &[u16], name: u16) -> u64 {
    let half = |names: &[u16]| u16x32::from_slice(simd, names).simd_eq(name).to_bitmask();
    half(&names[..BLOCK / 2]) | half(&names[BLOCK / 2..]) << (BLOCK / 2)
}

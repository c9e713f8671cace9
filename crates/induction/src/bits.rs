//! Sets of non-terminals as rows of bits.
//!
//! Replay and parsing keep one set per prefix. All of them lie in one array, so that a thousand prefixes are one
//! allocation, and a set of up to 64 non-terminals is one integer.

const BITS: usize = u64::BITS as usize;

/// Many sets of numbers below a common bound.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    /// Number of 64-bit blocks per set.
    blocks: usize,
    /// `[sets][blocks]`.
    bits: Vec<u64>,
}

impl Sets {
    /// `count` empty sets of numbers below `bound`.
    pub(crate) fn new(count: usize, bound: usize) -> Self {
        let blocks = bound.div_ceil(BITS);
        Self { blocks, bits: vec![0; count * blocks] }
    }

    /// The blocks of a set.
    pub(crate) fn set(&self, at: usize) -> &[u64] {
        &self.bits[at * self.blocks..][..self.blocks]
    }

    /// A mutable set, together with an earlier one.
    pub(crate) fn earlier_and(&mut self, earlier: usize, at: usize) -> (&[u64], &mut [u64]) {
        let (before, rest) = self.bits.split_at_mut(at * self.blocks);
        (&before[earlier * self.blocks..][..self.blocks], &mut rest[..self.blocks])
    }

    /// Adds `i` to a set.
    pub(crate) fn insert(&mut self, at: usize, i: usize) {
        let (block, bit) = place(i);
        self.bits[at * self.blocks + block] |= bit;
    }

    /// Whether `i` is in a set; false if it is out of range.
    pub(crate) fn contains(&self, at: usize, i: usize) -> bool {
        let (block, bit) = place(i);
        self.set(at).get(block).is_some_and(|mask| mask & bit != 0)
    }
}

/// The block of `i`, and its mask.
pub(crate) fn place(i: usize) -> (usize, u64) {
    (i / BITS, 1 << (i % BITS))
}

/// Whether two sets have a member in common.
pub(crate) fn intersect(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The members of a set, ascending.
pub(crate) fn ones(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let some = |mask: u64| (mask != 0).then_some(mask);
    set.iter().enumerate().flat_map(move |(block, &mask)| {
        let without_lowest = move |&mask: &u64| some(mask & (mask - 1));
        std::iter::successors(some(mask), without_lowest).map(move |mask| block * BITS + mask.trailing_zeros() as usize)
    })
}

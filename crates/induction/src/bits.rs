//! Sets of non-terminals as rows of bits.
//!
//! Replay and parsing keep one set for each prefix. All of them lie side by side in one array, so that a thousand
//! prefixes are one allocation, and a set of up to 64 non-terminals is one number.

const BITS: usize = u64::BITS as usize;

/// Many sets of numbers below the same bound.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    /// How many blocks of 64 a set takes.
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

    /// A set to be changed, beside an earlier one to be read.
    pub(crate) fn earlier_and(&mut self, earlier: usize, at: usize) -> (&[u64], &mut [u64]) {
        let (before, rest) = self.bits.split_at_mut(at * self.blocks);
        (&before[earlier * self.blocks..][..self.blocks], &mut rest[..self.blocks])
    }

    /// Puts `i` into a set.
    pub(crate) fn insert(&mut self, at: usize, i: usize) {
        let (block, bit) = place(i);
        self.bits[at * self.blocks + block] |= bit;
    }

    /// Whether `i` is in a set; what it has no room for is not.
    pub(crate) fn contains(&self, at: usize, i: usize) -> bool {
        let (block, bit) = place(i);
        self.set(at).get(block).is_some_and(|mask| mask & bit != 0)
    }
}

/// The block in which `i` is, and the mask that is `i` alone.
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

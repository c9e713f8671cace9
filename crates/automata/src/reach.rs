//! Reachability in a graph: the one search behind trimming, emptiness and finiteness.

use fixedbitset::FixedBitSet;

/// The vertices among 0 … `vertices` − 1 that are reachable from `sources` along `edges`, including the sources.
pub(crate) fn reachable(
    vertices: usize,
    sources: impl IntoIterator<Item = usize>,
    edges: impl Iterator<Item = (usize, usize)> + Clone,
) -> FixedBitSet {
    Successors::new(vertices, edges).reachable(sources)
}

/// A graph as flat lists of successors.
pub(crate) struct Successors {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Successors {
    /// Groups `edges` by source in two passes.
    pub(crate) fn new(vertices: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut offsets = vec![0; vertices + 1];
        for (from, _) in edges.clone() {
            offsets[from + 1] += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        let mut free = offsets.clone();
        let mut targets = vec![0; offsets[vertices]];
        for (from, to) in edges {
            targets[free[from]] = to as u32;
            free[from] += 1;
        }
        Self { offsets, targets }
    }

    /// The successors of `vertex`, in the order in which the edges were given.
    pub(crate) fn of(&self, vertex: usize) -> &[u32] {
        &self.targets[self.offsets[vertex]..self.offsets[vertex + 1]]
    }

    /// The vertices that are reachable from `sources`, including these.
    pub(crate) fn reachable(&self, sources: impl IntoIterator<Item = usize>) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.offsets.len() - 1);
        let mut stack: Vec<usize> = sources.into_iter().filter(|&source| !seen.put(source)).collect();
        while let Some(vertex) = stack.pop() {
            for &next in self.of(vertex) {
                if !seen.put(next as usize) {
                    stack.push(next as usize);
                }
            }
        }
        seen
    }
}

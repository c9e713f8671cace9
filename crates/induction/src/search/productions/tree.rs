//! The sample for walkers: nodes in depth-first order, so that a subtree is a contiguous range.

use crate::sample::Sample;

/// A node of the prefix tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The parent.
    pub(super) parent: u32,
    /// The last letter.
    pub(super) letter: u32,
    /// The first node after the subtree.
    pub(super) end: u32,
    /// The cost of rejecting the word that ends here.
    pub(super) accepted: u32,
    /// The cost of accepting it.
    pub(super) rejected: u32,
}

/// The prefix tree; the root is the first node.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// `[t]`: the nodes reached by a letter, in order.
    pub(super) by_letter: Vec<Vec<u32>>,
    /// The nodes where a labelled word ends, except the root.
    pub(super) labelled: Vec<u32>,
}

impl Tree {
    /// Each word counts as often as it was labelled. The empty word does not count: no production decides about it.
    pub(super) fn new(sample: &Sample) -> Self {
        let counts = sample.counts_by_node();
        let node = |i: usize| {
            let (parent, letter) = (sample.parents()[i], sample.letters()[i].index() as u32);
            let (accepted, rejected) = if i == 0 { (0, 0) } else { (counts[i].accepted, counts[i].rejected) };
            Node { parent, letter, end: i as u32 + 1, accepted, rejected }
        };
        let mut nodes: Vec<Node> = (0..counts.len()).map(node).collect();
        let mut by_letter = vec![Vec::new(); sample.alphabet().len()];
        for i in (1..nodes.len()).rev() {
            let parent = nodes[i].parent as usize;
            nodes[parent].end = nodes[parent].end.max(nodes[i].end);
        }
        for (i, node) in (0..).zip(&nodes).skip(1) {
            by_letter[node.letter as usize].push(i);
        }
        let labelled = (0..).zip(&nodes).filter(|(_, node)| node.accepted != node.rejected).map(|(i, _)| i).collect();
        Self { nodes, by_letter, labelled }
    }
}

//! Which prefixes cannot lead to the same state.
//!
//! If two prefixes lead to the same state, so do their extensions by equal letters, and so on: the tree is folded. If
//! this brings an accepted and a rejected word together, the prefixes are *apart*: they lead to different states in
//! every automaton that agrees with the examples. This finds more than comparing words with equal endings, because
//! folded nodes may have to be folded with a third.
//!
//! Each query starts with the unfolded tree; the changes of the previous query are undone first.

use super::tree::Tree;
use crate::work::Meter;

/// Maximum number of pairs per query; prefixes that are apart usually show it soon.
const MOST_PAIRS: usize = 4_000;
/// Maximum work per query; with thousands of letters, each pair may have thousands of children.
const MOST_WORK: u64 = 500_000;

/// The tree, folded for one query after the other.
pub(super) struct Folding {
    /// `[nodes]`: a node that it was folded with; itself if it represents its class.
    with: Vec<u32>,
    labels: Vec<Option<bool>>,
    /// `[nodes]`: the range of the children of the class; beyond the tree's own children they are in `merged`.
    ranges: Vec<(u32, u32)>,
    merged: Vec<(u32, u32)>,
    touched: Vec<u32>,
    waiting: Vec<(u32, u32)>,
    /// Work done: pairs folded and children listed.
    work: u64,
}

impl Folding {
    pub(super) fn new(tree: &Tree) -> Self {
        let nodes = 0..tree.len() as u32;
        Self {
            with: nodes.clone().collect(),
            labels: nodes.clone().map(|node| tree.label(node)).collect(),
            ranges: nodes.map(|node| tree.range(node)).collect(),
            merged: Vec::new(),
            touched: Vec::new(),
            waiting: Vec::new(),
            work: 0,
        }
    }

    /// Whether two prefixes lead to different states in every automaton that agrees with the examples. True is certain;
    /// false means unknown. The work is counted.
    pub(super) fn apart(&mut self, tree: &Tree, a: u32, b: u32, meter: &mut Meter) -> bool {
        self.work = 1;
        self.waiting.clear();
        self.waiting.push((a, b));
        let apart = self.contradicts(tree);
        for node in self.touched.drain(..) {
            self.with[node as usize] = node;
            self.labels[node as usize] = tree.label(node);
            self.ranges[node as usize] = tree.range(node);
        }
        self.merged.clear();
        meter.add(self.work);
        apart
    }

    fn contradicts(&mut self, tree: &Tree) -> bool {
        let mut pairs = 0;
        while let Some((a, b)) = self.waiting.pop() {
            let (a, b) = (self.class(a), self.class(b));
            if a == b {
                continue;
            }
            pairs += 1;
            self.work += 1;
            if pairs > MOST_PAIRS || self.work > MOST_WORK {
                return false;
            }
            let (of_a, of_b) = (self.labels[a as usize], self.labels[b as usize]);
            if of_a.is_some() && of_b.is_some() && of_a != of_b {
                return true;
            }
            self.touched.extend([a, b]);
            self.with[b as usize] = a;
            self.labels[a as usize] = of_a.or(of_b);
            self.ranges[a as usize] = self.merge(tree, self.ranges[a as usize], self.ranges[b as usize]);
        }
        false
    }

    fn class(&mut self, mut node: u32) -> u32 {
        while self.with[node as usize] != node {
            let above = self.with[self.with[node as usize] as usize];
            self.with[node as usize] = above;
            node = above;
        }
        node
    }

    fn child(&self, tree: &Tree, at: u32) -> (u32, u32) {
        let own = tree.children();
        if (at as usize) < own.len() { own[at as usize] } else { self.merged[at as usize - own.len()] }
    }

    /// The merged children of two classes; if a letter has two, they wait to be folded.
    fn merge(&mut self, tree: &Tree, (mut a, end_a): (u32, u32), (mut b, end_b): (u32, u32)) -> (u32, u32) {
        if b == end_b {
            return (a, end_a);
        }
        if a == end_a {
            return (b, end_b);
        }
        let own = tree.children().len();
        let begin = own + self.merged.len();
        while a < end_a || b < end_b {
            self.work += 1;
            let of_a = (a < end_a).then(|| self.child(tree, a));
            let of_b = (b < end_b).then(|| self.child(tree, b));
            let child = match (of_a, of_b) {
                (Some(of_a), Some(of_b)) if of_a.0 == of_b.0 => {
                    self.waiting.push((of_a.1, of_b.1));
                    (a, b) = (a + 1, b + 1);
                    of_a
                }
                (Some(of_a), Some(of_b)) if of_b.0 < of_a.0 => {
                    b += 1;
                    of_b
                }
                (Some(of_a), _) => {
                    a += 1;
                    of_a
                }
                (None, Some(of_b)) => {
                    b += 1;
                    of_b
                }
                (None, None) => break,
            };
            self.merged.push(child);
        }
        (begin as u32, (own + self.merged.len()) as u32)
    }
}

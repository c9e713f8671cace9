//! The sample as a labelled tree, for the questions in this module.

use std::sync::Arc;

use automata::{Counts, Dfa, StateId};

use crate::sample::Sample;

/// A sample's prefix tree, root first. A word with both labels counts by majority, and not at all on a tie, as in state
/// merging.
pub(super) struct Tree {
    sample: Arc<Sample>,
    /// `[nodes]`: whether the word that ends there is accepted.
    labels: Vec<Option<bool>>,
    /// `[nodes + 1]`: the start of each node's children.
    begins: Vec<u32>,
    /// The last letter of each child and its node, in alphabet order.
    children: Vec<(u32, u32)>,
}

impl Tree {
    pub(super) fn new(sample: Arc<Sample>) -> Self {
        let voted = |counts: Counts| match counts.accepted.cmp(&counts.rejected) {
            std::cmp::Ordering::Greater => Some(true),
            std::cmp::Ordering::Less => Some(false),
            std::cmp::Ordering::Equal => None,
        };
        let parents = sample.parents();
        let mut begins = vec![0_u32; parents.len() + 1];
        parents[1..].iter().for_each(|&parent| begins[parent as usize + 1] += 1);
        for node in 0..parents.len() {
            begins[node + 1] += begins[node];
        }
        let mut ends = begins.clone();
        let mut children = vec![(0, 0); parents.len() - 1];
        for (node, letter) in sample.letters().iter().enumerate().skip(1) {
            let end = &mut ends[parents[node] as usize];
            children[*end as usize] = (letter.index() as u32, node as u32);
            *end += 1;
        }
        let labels = sample.counts_by_node().into_iter().map(voted).collect();
        Self { sample, labels, begins, children }
    }

    pub(super) fn sample(&self) -> &Sample {
        &self.sample
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(super) fn label(&self, node: u32) -> Option<bool> {
        self.labels[node as usize]
    }

    pub(super) fn parent(&self, node: u32) -> u32 {
        self.sample.parents()[node as usize]
    }

    /// The length of a node's word.
    pub(super) fn depth(&self, node: u32) -> usize {
        std::iter::successors(Some(node), |&node| (node != 0).then(|| self.parent(node))).count() - 1
    }

    pub(super) fn letter(&self, node: u32) -> usize {
        self.sample.letters()[node as usize].index()
    }

    /// The range of a node's children.
    pub(super) fn range(&self, node: u32) -> (u32, u32) {
        (self.begins[node as usize], self.begins[node as usize + 1])
    }

    /// All children: letters and nodes.
    pub(super) fn children(&self) -> &[(u32, u32)] {
        &self.children
    }

    /// This many nodes, shortest prefixes first, then in alphabet order.
    pub(super) fn shortest(&self, most: usize) -> Vec<u32> {
        let mut nodes = vec![0];
        let mut read = 0;
        while read < nodes.len() && nodes.len() < most {
            let (begin, end) = self.range(nodes[read]);
            nodes.extend(self.children[begin as usize..end as usize].iter().map(|&(_, node)| node));
            read += 1;
        }
        nodes.truncate(most);
        nodes
    }

    /// The state of each prefix in a complete automaton over the sample's letters.
    pub(super) fn states(&self, dfa: &Dfa) -> Vec<StateId> {
        let mut states = vec![dfa.initial(); self.len()];
        let nodes = self.sample.parents().iter().zip(self.sample.letters()).enumerate();
        for (node, (&parent, &letter)) in nodes.skip(1) {
            states[node] = dfa.next(states[parent as usize], letter).expect("the automaton is complete");
        }
        states
    }

    /// The nodes where a complete automaton contradicts the label, shortest words first.
    pub(super) fn wrong(&self, dfa: &Dfa, most: usize) -> Vec<u32> {
        let states = self.states(dfa);
        let words = std::iter::once(0).chain(self.sample.entries().iter().map(|entry| entry.node));
        let is_wrong =
            |&node: &u32| self.label(node).is_some_and(|accepted| dfa.is_accepting(states[node as usize]) != accepted);
        words.filter(is_wrong).take(most).collect()
    }
}

//! Builds the unfolded prefix tree, a part at a time.

use automata::Counts;

use super::parts::NO_PART;
use super::{Labels, NONE, Node, Quotient, RED};
use crate::sample::Sample;
use crate::work::Pause;

/// Progress of the construction.
#[derive(Clone, Copy)]
pub(super) enum Unfolded {
    /// Letters are set for this many nodes.
    Nodes(usize),
    /// Labels are set for this many words.
    Labels(usize),
    /// Nodes from this one on are in the lists of their parents.
    Lists(usize),
    Whole,
}

/// Nodes built between two checks of the meter.
const CHUNK: usize = 1024;
/// Nodes built in the time of one visit.
const NODES: u64 = 4;

impl Quotient {
    /// Builds the tree, whose root is the only red state; false if it has too many nodes to number. Must be finished
    /// before anything else is called.
    pub(in super::super) fn unfold(&mut self, sample: &Sample) -> Result<bool, Pause> {
        let count = sample.parents().len();
        if count >= RED as usize {
            return Ok(false);
        }
        loop {
            if matches!(self.unfolded, Unfolded::Whole) {
                return Ok(true);
            }
            self.meter.check()?;
            self.meter.add(CHUNK as u64 / NODES);
            self.unfolded = match self.unfolded {
                Unfolded::Nodes(begin) if begin < count => {
                    let end = (begin + CHUNK).min(count);
                    self.nodes.reserve_exact(count - self.nodes.len());
                    self.nodes.extend(sample.letters()[begin..end].iter().map(|letter| Node {
                        labels: Labels::default(),
                        letter: letter.index() as u32,
                        first: NONE,
                        sibling: NONE,
                    }));
                    Unfolded::Nodes(end)
                }
                Unfolded::Nodes(_) => {
                    self.nodes[0].labels = voted(sample.empty_word());
                    Unfolded::Labels(0)
                }
                Unfolded::Labels(begin) if begin < sample.entries().len() => {
                    let end = (begin + CHUNK).min(sample.entries().len());
                    for entry in &sample.entries()[begin..end] {
                        self.nodes[entry.node as usize].labels = voted(entry.counts);
                    }
                    Unfolded::Labels(end)
                }
                Unfolded::Labels(_) => Unfolded::Lists(count),
                Unfolded::Lists(end) if end > 1 => {
                    let begin = end.saturating_sub(CHUNK).max(1);
                    // From back to front, so that each list begins with the first child.
                    for node in (begin..end).rev() {
                        let parent = sample.parents()[node] as usize;
                        self.nodes[node].sibling = self.nodes[parent].first;
                        self.nodes[parent].first = node as u32;
                    }
                    Unfolded::Lists(begin)
                }
                Unfolded::Lists(_) => {
                    let root = self.parts.add(NO_PART);
                    self.redden(0, root);
                    Unfolded::Whole
                }
                Unfolded::Whole => Unfolded::Whole,
            };
        }
    }
}

fn voted(counts: Counts) -> Labels {
    Labels {
        accepted: u32::from(counts.accepted > counts.rejected),
        rejected: u32::from(counts.rejected > counts.accepted),
    }
}

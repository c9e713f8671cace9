//! What a grammar of up to 64 non-terminals gets wrong, replayed over the prefix tree by looking up tables.
//!
//! The set of non-terminals from which a prefix can be derived is one number, and where a letter leads from a set is
//! looked up eight members at a time. Up to eight non-terminals, so, a node of the tree costs one look-up. A replay ends
//! as soon as there are more errors than are of interest: most flips are bad, and show it early.

use super::productions::Productions;
use crate::sample::{Counts, Sample};

/// A sample made ready to be replayed often.
#[derive(Clone, Debug)]
pub(crate) struct Scorer {
    nodes: Vec<Node>,
    /// `[nodes]`: from which non-terminals the prefix can be derived.
    sets: Vec<u64>,
    /// `[t][chunks][256]`
    table: Vec<u64>,
    /// `[t]`: where words begin.
    first: Vec<u64>,
    chunks: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    letter: u32,
    accepted: u32,
    rejected: u32,
}

impl Scorer {
    /// Each word counts as often as it was labelled, or once, as it was labelled more often. The empty word is left out:
    /// no production decides about it.
    pub(crate) fn new(sample: &Sample, distinct: bool) -> Self {
        let counts = sample.counts_by_node();
        let of_node = |node: usize| {
            let Counts { accepted, rejected } = counts[node];
            let (accepted, rejected) = match distinct {
                true => (u32::from(accepted > rejected), u32::from(rejected > accepted)),
                false => (accepted, rejected),
            };
            Node { parent: sample.parents()[node], letter: sample.letters()[node].index() as u32, accepted, rejected }
        };
        let nodes: Vec<Node> = (1..counts.len()).map(of_node).collect();
        Self { sets: vec![0; nodes.len() + 1], nodes, table: Vec::new(), first: Vec::new(), chunks: 0 }
    }

    /// Takes a grammar in place of the one before.
    pub(crate) fn load(&mut self, productions: &Productions) {
        self.chunks = productions.chunks();
        self.table.resize(productions.letters() * self.chunks * 256, 0);
        self.first.resize(productions.letters(), 0);
        (0..productions.letters()).for_each(|letter| self.load_letter(productions, letter));
    }

    /// Takes what a grammar has for one letter; the others are as before.
    pub(crate) fn load_letter(&mut self, productions: &Productions, letter: usize) {
        self.first[letter] = productions.beginning(letter);
        productions.tabulate(letter, &mut self.table);
    }

    /// How many examples are wrong when words may end in `ends`; some number above `limit` when there are more.
    pub(crate) fn errors(&mut self, ends: u64, limit: u64) -> u64 {
        match self.chunks {
            1 => self.replay(ends, limit, |table, set| table[(set & 255) as usize]),
            chunks => self.replay(ends, limit, |table, set| {
                (0..chunks).fold(0, |next, chunk| next | table[chunk * 256 + (set >> (8 * chunk) & 255) as usize])
            }),
        }
    }

    fn replay(&mut self, ends: u64, limit: u64, follow: impl Fn(&[u64], u64) -> u64) -> u64 {
        let stride = self.chunks * 256;
        let mut wrong = 0;
        let sets = &mut self.sets[..];
        let mut at = 1;
        for part in self.nodes.chunks(512) {
            for node in part {
                let letter = node.letter as usize;
                let set = match node.parent {
                    0 => self.first[letter],
                    parent => follow(&self.table[letter * stride..][..stride], sets[parent as usize]),
                };
                sets[at] = set;
                at += 1;
                wrong += u64::from(if set & ends != 0 { node.rejected } else { node.accepted });
            }
            if wrong > limit {
                break;
            }
        }
        wrong
    }
}

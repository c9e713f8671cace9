//! Counts the errors of a grammar with up to 64 non-terminals, by table lookups over the prefix tree.
//!
//! The set of non-terminals that derive a prefix is one integer, and where a letter leads from a set is looked up eight
//! members at a time. So with up to eight non-terminals, a tree node costs one lookup. A replay ends as soon as there
//! are more errors than the limit: most flips are bad, and show it early.

use automata::Counts;

use super::productions::Productions;
use crate::sample::Sample;
use crate::work::{Meter, Pause};

/// A sample prepared for many replays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scorer {
    nodes: Vec<Node>,
    /// `[nodes]`: the non-terminals that derive the prefix.
    sets: Vec<u64>,
    /// `[t][chunks][256]`
    table: Vec<u64>,
    /// `[t]`: where a letter leads from the start of words.
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

/// The progress of a replay, and its errors so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Replay {
    nodes: usize,
    wrong: u64,
}

/// Nodes replayed between two checks of the meter.
const CHUNK: usize = 512;

impl Scorer {
    /// Each word counts as often as it was labelled, or with `distinct` once, by majority. The empty word is left out:
    /// no production decides about it.
    pub(crate) fn new(sample: &Sample, distinct: bool) -> Self {
        let counts = sample.counts_by_node();
        let of_node = |node: usize| {
            let Counts { accepted, rejected, .. } = counts[node];
            let (accepted, rejected) = match distinct {
                true => (u32::from(accepted > rejected), u32::from(rejected > accepted)),
                false => (accepted, rejected),
            };
            Node { parent: sample.parents()[node], letter: sample.letters()[node].index() as u32, accepted, rejected }
        };
        let nodes: Vec<Node> = (1..counts.len()).map(of_node).collect();
        Self { sets: vec![0; nodes.len() + 1], nodes, table: Vec::new(), first: Vec::new(), chunks: 0 }
    }

    /// Loads a grammar in place of the previous one.
    pub(crate) fn load(&mut self, productions: &Productions) {
        self.make_room(productions);
        (0..productions.letters()).for_each(|letter| self.load_letter(productions, letter));
    }

    /// Allocates space for grammars of this size; their letters must be loaded afterwards.
    pub(super) fn make_room(&mut self, productions: &Productions) {
        self.chunks = productions.chunks();
        self.table.resize(productions.letters() * self.chunks * 256, 0);
        self.first.resize(productions.letters(), 0);
    }

    /// Number of nodes of a replay.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Loads the productions of one letter; the others stay.
    pub(crate) fn load_letter(&mut self, productions: &Productions, letter: usize) {
        self.first[letter] = productions.beginning(letter);
        productions.tabulate(letter, &mut self.table);
    }

    /// Number of wrong examples if words may end in `ends`; if there are more than `limit`, some number above it.
    pub(crate) fn errors(&mut self, ends: u64, limit: u64) -> u64 {
        let mut meter = Meter::default();
        meter.begin(u64::MAX);
        self.resume(&mut Replay::default(), ends, limit, &mut meter).expect("the slice has no end")
    }

    /// The same in slices.
    pub(super) fn resume(
        &mut self,
        replay: &mut Replay,
        ends: u64,
        limit: u64,
        meter: &mut Meter,
    ) -> Result<u64, Pause> {
        match self.chunks {
            1 => self.replay(replay, ends, limit, meter, |table, set| table[(set & 255) as usize]),
            chunks => self.replay(replay, ends, limit, meter, |table, set| {
                (0..chunks).fold(0, |next, chunk| next | table[chunk * 256 + (set >> (8 * chunk) & 255) as usize])
            }),
        }
    }

    fn replay(
        &mut self,
        replay: &mut Replay,
        ends: u64,
        limit: u64,
        meter: &mut Meter,
        follow: impl Fn(&[u64], u64) -> u64,
    ) -> Result<u64, Pause> {
        let stride = self.chunks * 256;
        let sets = &mut self.sets[..];
        while replay.nodes < self.nodes.len() && replay.wrong <= limit {
            meter.check()?;
            let end = (replay.nodes + CHUNK).min(self.nodes.len());
            meter.add((end - replay.nodes) as u64);
            let mut wrong = 0;
            for (at, node) in self.nodes[replay.nodes..end].iter().enumerate() {
                let letter = node.letter as usize;
                let set = match node.parent {
                    0 => self.first[letter],
                    parent => follow(&self.table[letter * stride..][..stride], sets[parent as usize]),
                };
                sets[replay.nodes + at + 1] = set;
                wrong += u64::from(if set & ends != 0 { node.rejected } else { node.accepted });
            }
            replay.wrong += wrong;
            replay.nodes = end;
        }
        Ok(replay.wrong)
    }
}

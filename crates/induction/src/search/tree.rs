//! The sample as the search reads it: a list of steps.
//!
//! Nodes come depth first, so that what lies below a node is the range right after it, and a walk through a range needs
//! one slot a depth: the state at depth d is overwritten when the next branch comes by. Letters that occur in no word are
//! left out, since nothing depends on where they lead.

use automata::{Alphabet, Dfa, Letter};

use super::SearchError;
use super::candidate::Candidate;
use crate::sample::Sample;

/// A node of the tree: how a walk gets there, and what it counts for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The number of letters read.
    pub(super) depth: u16,
    /// The rank of the last letter among those that occur.
    pub(super) letter: u16,
    /// How much oftener the word that ends here was accepted than rejected: nothing at most nodes.
    pub(super) weight: i32,
}

/// The prefix tree of a sample, depth first.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    alphabet: Alphabet,
    /// The letters that occur, by rank.
    pub(super) letters: Vec<Letter>,
    /// `[nodes]`; the first is the root, whose letter means nothing.
    pub(super) steps: Vec<Step>,
    /// `[nodes]`: the node one letter shorter.
    pub(super) parents: Vec<u32>,
    /// `[nodes]`: the first node after those below this one.
    pub(super) ends: Vec<u32>,
    /// The length of the longest word.
    pub(super) deepest: usize,
    /// How many nodes have a weight.
    pub(super) words: usize,
    /// How many examples there are.
    pub(super) examples: u64,
    /// The sample's fingerprint.
    pub(super) fingerprint: u64,
}

impl Tree {
    pub(super) fn new(sample: &Sample) -> Result<Self, SearchError> {
        let counts = sample.counts_by_node();
        let examples = counts.iter().map(|counts| u64::from(counts.accepted) + u64::from(counts.rejected)).sum();
        // So that sums over states fit their numbers.
        if examples > i32::MAX as u64 {
            return Err(SearchError::Examples { examples, limit: i32::MAX as u64 });
        }
        let (deepest, longest) = (sample.longest(), usize::from(u16::MAX));
        if deepest > longest {
            return Err(SearchError::Length { length: deepest, limit: longest });
        }
        let parents = sample.parents().to_vec();
        let nodes = parents.len();
        let mut ranks = vec![None; sample.alphabet().len()];
        for letter in &sample.letters()[1..] {
            ranks[letter.index()] = Some(0);
        }
        let letters: Vec<Letter> =
            sample.alphabet().letters().filter(|letter| ranks[letter.index()].is_some()).collect();
        for (rank, letter) in letters.iter().enumerate() {
            ranks[letter.index()] = Some(rank as u16);
        }
        let mut steps: Vec<Step> = Vec::with_capacity(nodes);
        for node in 0..nodes {
            let depth = if node == 0 { 0 } else { steps[parents[node] as usize].depth + 1 };
            let letter = if node == 0 { None } else { ranks[sample.letters()[node].index()] };
            let weight = counts[node].accepted as i32 - counts[node].rejected as i32;
            steps.push(Step { depth, letter: letter.unwrap_or(0), weight });
        }
        let mut ends: Vec<u32> = (1..=nodes as u32).collect();
        for node in (1..nodes).rev() {
            let parent = parents[node] as usize;
            ends[parent] = ends[parent].max(ends[node]);
        }
        let words = steps.iter().filter(|step| step.weight != 0).count();
        let (alphabet, fingerprint) = (sample.alphabet().clone(), sample.fingerprint());
        Ok(Self { alphabet, letters, steps, parents, ends, deepest, words, examples, fingerprint })
    }

    /// How many nodes there are, the root included.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// How many examples are wrong when states take sides by these sums: the fewer of both kinds in each state.
    #[inline(always)]
    pub(super) fn errors(&self, sums: impl Iterator<Item = i32>) -> u64 {
        let agreed: u32 = sums.map(i32::unsigned_abs).sum();
        (self.examples - u64::from(agreed)) / 2
    }

    /// The names of the letters that occur.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.letters.iter().map(|letter| self.alphabet.names()[letter.index()].as_str())
    }

    /// The candidate as an automaton over the whole alphabet. A state in which as many examples are accepted as rejected
    /// does not accept, and letters that occur in no word change nothing.
    pub(super) fn dfa(&self, candidate: &Candidate) -> Dfa {
        let mut rows: Vec<Vec<Option<usize>>> = vec![Vec::new(); candidate.size];
        for (state, row) in rows.iter_mut().enumerate() {
            row.resize(self.alphabet.len(), Some(state));
            for (rank, letter) in self.letters.iter().enumerate() {
                row[letter.index()] = Some(usize::from(candidate.table[rank * candidate.width + state]));
            }
        }
        let accepting = (0..candidate.size).filter(|&state| candidate.sums[state] > 0);
        Dfa::new(self.alphabet.clone(), 0, accepting, &rows).expect("next states are below the number of states")
    }
}

//! The sample as a list of steps for the search.
//!
//! Nodes are in depth-first order, so that a subtree is a contiguous range, and a walk through a range needs one slot
//! per depth: the state at depth d is overwritten by the next branch. Letters that occur in no word are left out, since
//! nothing depends on where they lead.

use automata::{Alphabet, Dfa, Letter};

use super::SearchError;
use super::candidate::Candidate;
use super::price::MOST_STATES;
use crate::sample::Sample;

/// A tree node: how a walk gets there, and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The number of letters read.
    pub(super) depth: u16,
    /// The rank of the last letter among those that occur.
    pub(super) letter: u16,
    /// How often the word that ends here was accepted, minus rejected; 0 at most nodes.
    pub(super) weight: i32,
}

/// The prefix tree of a sample, depth first.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    alphabet: Alphabet,
    /// The letters that occur, by rank.
    pub(super) letters: Vec<Letter>,
    /// `[nodes]`; the first is the root, whose letter is meaningless.
    pub(super) steps: Vec<Step>,
    /// `[nodes]`: the parent.
    pub(super) parents: Vec<u32>,
    /// `[nodes]`: the first node after the subtree.
    pub(super) ends: Vec<u32>,
    /// The length of the longest word.
    pub(super) deepest: usize,
    /// Number of nodes with a weight.
    pub(super) words: usize,
    /// The typical weight of a word: the median.
    pub(super) usual: f64,
    /// Number of examples.
    pub(super) examples: u64,
    /// The sample's fingerprint.
    pub(super) fingerprint: u64,
}

impl Tree {
    pub(super) fn new(sample: &Sample) -> Result<Self, SearchError> {
        let counts = sample.counts_by_node();
        let examples = counts.iter().map(|counts| u64::from(counts.accepted) + u64::from(counts.rejected)).sum();
        // Sums over states must fit into `i32`.
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
        let mut weights: Vec<u32> = steps.iter().map(|step| step.weight.unsigned_abs()).filter(|&w| w != 0).collect();
        let words = weights.len();
        // Not the mean: a few very frequent words must not raise the temperature for all others.
        let usual = if words == 0 { 1.0 } else { f64::from(*weights.select_nth_unstable(words / 2).1) };
        let (alphabet, fingerprint) = (sample.alphabet().clone(), sample.fingerprint());
        Ok(Self { alphabet, letters, steps, parents, ends, deepest, words, usual, examples, fingerprint })
    }

    /// Number of nodes, including the root.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Number of wrong examples for these sums: the minority in each state.
    #[inline(always)]
    pub(super) fn errors(&self, sums: impl Iterator<Item = i32>) -> u64 {
        let agreed: u32 = sums.map(i32::unsigned_abs).sum();
        (self.examples - u64::from(agreed)) / 2
    }

    /// The names of the letters that occur.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.letters.iter().map(|letter| self.alphabet.names()[letter.index()].as_str())
    }

    /// The maximum number of states at which an automaton takes at most this many bits per word: transitions and
    /// acceptance, minus the arbitrary numbering of states.
    pub(super) fn telling_states(&self, bits_per_word: f64) -> usize {
        let bits = |states: usize| {
            let (n, letters) = (states as f64, self.letters.len() as f64);
            let names: f64 = (1..=states).map(|name| libm::log2(name as f64)).sum();
            n * letters * libm::log2(n) + n - names
        };
        let room = self.words as f64 * bits_per_word;
        (2..=MOST_STATES).take_while(|&states| bits(states) <= room).last().unwrap_or(1)
    }

    /// Number of examples that an automaton over any alphabet gets wrong.
    pub(super) fn errors_of(&self, dfa: &Dfa) -> u64 {
        let letters: Vec<_> = self.names().map(|name| dfa.alphabet().letter_for(name)).collect();
        let mut states = vec![Some(dfa.initial())];
        let mut agreed = 0;
        for (node, step) in self.steps.iter().enumerate() {
            if node > 0 {
                let before = states[self.parents[node] as usize];
                let letter = letters[usize::from(step.letter)];
                states.push(before.and_then(|state| dfa.next(state, letter?)));
            }
            let accepted = states[node].is_some_and(|state| dfa.is_accepting(state));
            agreed += i64::from(if accepted { step.weight } else { -step.weight });
        }
        (self.examples as i64 - agreed) as u64 / 2
    }

    /// The candidate as an automaton over the whole alphabet. A state with as many accepted as rejected examples does
    /// not accept, and letters that occur in no word are self-loops.
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

//! The size of a grammar, updated with each flip: recounting would visit every letter.

use super::productions::{Flip, MOST, Productions};

/// Counts of a grammar's parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    letters: usize,
    nonterminals: usize,
    productions: usize,
    /// The k with `S → A_k`.
    ends: u64,
    /// For each non-terminal, how many productions that read a letter have it as their head, and as their source.
    heads: [u32; MOST],
    sources: [u32; MOST],
}

impl Tally {
    pub(super) fn new(productions: &Productions) -> Self {
        let mut tally = Self {
            letters: productions.letters(),
            nonterminals: productions.nonterminals(),
            productions: 0,
            ends: 0,
            heads: [0; MOST],
            sources: [0; MOST],
        };
        productions.present().for_each(|flip| tally.flip(flip, true));
        tally
    }

    /// Updates the counts for a production that was added or removed.
    pub(super) fn flip(&mut self, flip: Flip, there: bool) {
        let count = |counter: &mut u32| if there { *counter += 1 } else { *counter -= 1 };
        match flip {
            Flip::Edge((_, from, to)) => {
                count(&mut self.heads[to]);
                if from < self.nonterminals {
                    count(&mut self.sources[from]);
                }
            }
            Flip::End(k) => self.ends ^= 1 << k,
        }
        self.productions = if there { self.productions + 1 } else { self.productions - 1 };
    }

    pub(super) fn letters(&self) -> usize {
        self.letters
    }

    /// Number of productions, including `S → A_k`.
    pub(super) fn productions(&self) -> usize {
        self.productions
    }

    /// Number of productions `S → A_k`.
    pub(super) fn ends(&self) -> usize {
        self.ends.count_ones() as usize
    }

    /// Number of non-terminals in use.
    pub(super) fn used(&self) -> usize {
        (0..self.nonterminals).filter(|&k| self.reads(k) || self.ends >> k & 1 == 1).count()
    }

    /// Whether a production that reads a letter names the non-terminal.
    pub(super) fn reads(&self, k: usize) -> bool {
        self.heads[k] > 0 || self.sources[k] > 0
    }
}

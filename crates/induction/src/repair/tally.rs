//! How much of a grammar there is, kept while productions are flipped: counting anew would look at every letter.

use super::productions::{Flip, MOST, Productions};

/// What there is of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    letters: usize,
    nonterminals: usize,
    productions: usize,
    /// The k with `S → A_k`.
    ends: u64,
    /// How many productions that read a letter have a non-terminal as their head, and how many as their source.
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

    /// A production is there now, or no longer.
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

    /// How many productions there are, `S → A_k` included.
    pub(super) fn productions(&self) -> usize {
        self.productions
    }

    /// How many of them are `S → A_k`.
    pub(super) fn ends(&self) -> usize {
        self.ends.count_ones() as usize
    }

    /// How many non-terminals some production names.
    pub(super) fn used(&self) -> usize {
        (0..self.nonterminals).filter(|&k| self.reads(k) || self.ends >> k & 1 == 1).count()
    }

    /// Whether a production that reads a letter names the non-terminal.
    pub(super) fn reads(&self, k: usize) -> bool {
        self.heads[k] > 0 || self.sources[k] > 0
    }
}

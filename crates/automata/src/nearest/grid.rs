//! The search for the distance: a grid of how many letters have been dealt with, by the states of the automaton.

use crate::dfa::{Dfa, MISSING};
use crate::ids::Letter;

/// The cells: letters dealt with · states + state.
pub(super) struct Grid<'a> {
    pub(super) dfa: &'a Dfa,
    pub(super) typed: &'a [Option<Letter>],
    /// Where some letter leads from each state, each state once.
    successors: Vec<Vec<u32>>,
}

impl<'a> Grid<'a> {
    pub(super) fn new(dfa: &'a Dfa, typed: &'a [Option<Letter>]) -> Self {
        let successors = (0..dfa.len()).map(|state| {
            let mut next: Vec<u32> = dfa.row(state).iter().copied().filter(|&next| next != MISSING).collect();
            next.sort_unstable();
            next.dedup();
            next
        });
        Self { dfa, typed, successors: successors.collect() }
    }

    pub(super) fn cell(&self, dealt_with: usize, state: usize) -> u32 {
        (dealt_with * self.dfa.len() + state) as u32
    }

    fn split(&self, cell: u32) -> (usize, usize) {
        (cell as usize / self.dfa.len(), cell as usize % self.dfa.len())
    }

    pub(super) fn is_end(&self, cell: u32) -> bool {
        let (i, state) = self.split(cell);
        i == self.typed.len() && self.dfa.accepting_set().contains(state)
    }

    /// The cell after keeping a letter, which costs nothing.
    pub(super) fn kept(&self, cell: u32) -> Option<u32> {
        let (i, state) = self.split(cell);
        let letter = (*self.typed.get(i)?)?;
        Some(self.dfa.row(state)[letter.index()]).filter(|&next| next != MISSING).map(|q| self.cell(i + 1, q as usize))
    }

    /// Calls `visit` with the cells after one edit, and with how many letters more than typed it writes: one when it
    /// inserts, none when it replaces, one less when it deletes.
    ///
    /// Replacing a letter by itself is among them. That is never a cheapest way, since keeping it is cheaper.
    pub(super) fn edited(&self, cell: u32, mut visit: impl FnMut(u32, i32)) {
        let (i, state) = self.split(cell);
        let has_letter = i < self.typed.len();
        if has_letter {
            visit(self.cell(i + 1, state), -1);
        }
        for &next in &self.successors[state] {
            if has_letter {
                visit(self.cell(i + 1, next as usize), 0);
            }
            visit(self.cell(i, next as usize), 1);
        }
    }

    /// How many edits lead to each cell, and one more; zero where the search did not come. It stops at the distance.
    pub(super) fn reach(&self) -> (Vec<u32>, usize) {
        let mut reached = vec![0; (self.typed.len() + 1) * self.dfa.len()];
        let mut layer = vec![self.cell(0, self.dfa.initial().index())];
        reached[layer[0] as usize] = 1;
        for edits in 0.. {
            // All that costs no more first, so that nothing is put off to the next layer that belongs to this one.
            let mut read = 0;
            while read < layer.len() {
                if let Some(next) = self.kept(layer[read]).filter(|&next| reached[next as usize] == 0) {
                    reached[next as usize] = edits + 1;
                    layer.push(next);
                }
                read += 1;
            }
            if layer.iter().any(|&cell| self.is_end(cell)) {
                return (reached, edits as usize);
            }
            let mut next = Vec::new();
            for &cell in &layer {
                self.edited(cell, |other, _| {
                    if reached[other as usize] == 0 {
                        reached[other as usize] = edits + 2;
                        next.push(other);
                    }
                });
            }
            // An accepted word can be written from anywhere, so the search ends before the cells do.
            layer = next;
        }
        (reached, 0)
    }
}

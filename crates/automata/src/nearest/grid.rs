//! The search for the distance, on a grid of the number of letters consumed by the states of the automaton.

use crate::dfa::{Dfa, MISSING};
use crate::ids::Letter;

/// The cells: letters consumed · states + state.
pub(super) struct Grid<'a> {
    pub(super) dfa: &'a Dfa,
    pub(super) typed: &'a [Option<Letter>],
    /// The successors of each state, without duplicates.
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

    /// Calls `visit` with the cells after one edit, and with the number of letters it writes minus the number it
    /// consumes: 1 for an insertion, 0 for a replacement, −1 for a deletion.
    ///
    /// Replacing a letter by itself is included. That is never optimal, since keeping it is cheaper.
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

    /// The number of edits to reach each cell plus one; zero for cells not reached. The search stops at the distance.
    pub(super) fn reach(&self) -> (Vec<u32>, usize) {
        let mut reached = vec![0; (self.typed.len() + 1) * self.dfa.len()];
        let mut layer = vec![self.cell(0, self.dfa.initial().index())];
        reached[layer[0] as usize] = 1;
        for edits in 0.. {
            // First follow all moves of cost zero, so that no cell of this layer ends up in the next.
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
            // An accepted word can be written from any cell, so the search ends before the cells run out.
            layer = next;
        }
        (reached, 0)
    }
}

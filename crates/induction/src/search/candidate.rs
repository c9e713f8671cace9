//! A candidate automaton: its table, and the state of every tree node.

use super::price::{BLOCK, width};
use super::tree::Tree;

/// A cell of the table: the transition from a state by a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) state: u8,
    /// The letter's rank among those that occur.
    pub(super) letter: u16,
}

/// A complete automaton, run through the tree. State 0 is initial; a state accepts if most examples that end in it are
/// accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Number of states.
    pub(super) size: usize,
    /// Length of a row of the table.
    pub(super) width: usize,
    /// `[letters][width]`: the next states.
    pub(super) table: Vec<u8>,
    /// `[nodes]`: the state that the prefix leads to.
    pub(super) states: Vec<u8>,
    /// `[nodes]`: the number of the cell that the last letter took; padded with [`NONE`] to fill the last block.
    pub(super) cells: Vec<u16>,
    /// `[states]`: accepted minus rejected examples that end there.
    pub(super) sums: Vec<i32>,
}

/// The cell of the root, which has none.
const NONE: u16 = u16::MAX;

impl Candidate {
    /// The automaton with these next states, which must be below `size`.
    pub(super) fn new(tree: &Tree, size: usize, mut next: impl FnMut(Cell) -> u8) -> Self {
        let width = width(size);
        let mut table = vec![0; tree.letters.len() * width];
        for (letter, row) in table.chunks_exact_mut(width).enumerate() {
            for (state, cell) in row[..size].iter_mut().enumerate() {
                *cell = next(Cell { state: state as u8, letter: letter as u16 });
            }
        }
        let (states, cells) = (vec![0; tree.len()], vec![NONE; tree.len().next_multiple_of(BLOCK)]);
        let mut new = Self { size, width, table, states, cells, sums: vec![0; size] };
        new.sums[0] += tree.steps[0].weight;
        new.run(tree, 1..tree.len());
        new
    }

    /// The automaton with this table, which must have the right size.
    pub(super) fn with_table(tree: &Tree, size: usize, table: &[u8]) -> Self {
        let width = width(size);
        Self::new(tree, size, |cell| table[usize::from(cell.letter) * width + usize::from(cell.state)])
    }

    /// The number that stands for a cell in `cells`.
    #[inline(always)]
    pub(super) fn name(&self, cell: Cell) -> u16 {
        cell.letter * self.size as u16 + u16::from(cell.state)
    }

    /// The next state.
    pub(super) fn target(&self, cell: Cell) -> u8 {
        self.table[usize::from(cell.letter) * self.width + usize::from(cell.state)]
    }

    /// Number of wrong examples.
    pub(super) fn errors(&self, tree: &Tree) -> u64 {
        tree.errors(self.sums.iter().copied())
    }

    /// Redirects a cell; `touched` are the topmost nodes that use it.
    pub(super) fn send(&mut self, tree: &Tree, cell: Cell, target: u8, touched: &[u32]) {
        self.table[usize::from(cell.letter) * self.width + usize::from(cell.state)] = target;
        for &top in touched {
            let range = top as usize..tree.ends[top as usize] as usize;
            for (state, step) in self.states[range.clone()].iter().zip(&tree.steps[range.clone()]) {
                self.sums[usize::from(*state)] -= step.weight;
            }
            self.run(tree, range);
        }
    }

    /// Computes the states of these nodes, and counts the examples that end there.
    fn run(&mut self, tree: &Tree, nodes: std::ops::Range<usize>) {
        for node in nodes {
            let step = tree.steps[node];
            let state = self.states[tree.parents[node] as usize];
            let cell = Cell { state, letter: step.letter };
            let next = self.target(cell);
            self.states[node] = next;
            self.cells[node] = self.name(cell);
            self.sums[usize::from(next)] += step.weight;
        }
    }
}

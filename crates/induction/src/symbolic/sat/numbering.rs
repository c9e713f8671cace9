//! One numbering for each automaton, so that the solver does not refute the same one k! times.
//!
//! The prefixes of a clique lead to different states in every automaton that is looked for: the first state is that of the
//! first of them, and so on. The other states are numbered as a breadth-first walk meets them that begins with those:
//! a state's *parent* is the first state from which a letter leads to it. Then
//!
//! - every state beyond the clique has a parent that comes before it;
//! - the parents of two states in a row come in the same order, or are the same;
//! - if they are the same, the first letter that leads to the one comes before the first that leads to the other.
//!
//! Every automaton whose states can all be reached has exactly one such numbering (Ulyantsev, Zakirzyanov and Shalyto
//! have it for a walk that begins with the initial state alone). So each automaton that has as few states as can be is
//! one model of the clauses, and is excluded by one clause.

use automata::{Dfa, StateId};

use super::colouring::Colouring;
use super::solver::{no, yes};

/// The variables that say how states are numbered.
#[derive(Clone, Copy)]
pub(super) struct Numbering {
    /// The first state that is numbered breadth-first.
    first: usize,
    states: usize,
    letters: usize,
    connected: u32,
    parents: u32,
    early: u32,
}

impl Numbering {
    /// t(i, j): some letter leads from i to j.
    fn t(&self, i: usize, j: usize) -> u32 {
        self.connected + ((j - self.first) * self.states + i) as u32
    }

    /// p(j, i): i is the parent of j.
    fn p(&self, j: usize, i: usize) -> u32 {
        self.parents + ((j - self.first) * self.states + i) as u32
    }

    /// e(c, i, j): if so, c or a letter before it leads from i to j.
    fn e(&self, c: usize, i: usize, j: usize) -> u32 {
        self.early + (((j - self.first) * self.states + i) * self.letters + c) as u32
    }
}

impl Colouring {
    /// The states from this one on are to be numbered breadth-first: none if there are no such states.
    pub(super) fn begin_numbering(&mut self, first: usize) -> Option<Numbering> {
        let (states, letters) = (self.states, self.letters);
        let numbered = states.checked_sub(first).filter(|numbered| *numbered > 0)?;
        let connected = self.solver.variables(numbered * states);
        let parents = self.solver.variables(numbered * states);
        let early = self.solver.variables(numbered * states * letters);
        Some(Numbering { first, states, letters, connected, parents, early })
    }

    /// Says what is to be said of the numbering, a part at a time: false if there is no part of this number.
    pub(super) fn number(&mut self, numbering: &Numbering, part: usize) -> bool {
        let numbered = numbering.states - numbering.first;
        match part.checked_sub(numbered) {
            None => self.number_parents(numbering, numbering.first + part),
            Some(part) if part + 1 < numbered => self.number_pair(numbering, numbering.first + part),
            Some(_) => return false,
        }
        true
    }

    /// What makes a state the parent of another.
    fn number_parents(&mut self, numbering: &Numbering, j: usize) {
        let (t, p) = (|i, j| numbering.t(i, j), |j, i| numbering.p(j, i));
        for i in 0..j {
            let ways: Vec<u32> = (0..self.letters).map(|letter| self.transition(letter, i, j)).collect();
            ways.iter().for_each(|&way| self.solver.add([no(way), yes(t(i, j))]));
            self.solver.add(ways.iter().map(|&way| yes(way)).chain([no(t(i, j))]));
            self.solver.add([no(p(j, i)), yes(t(i, j))]);
            (0..i).for_each(|before| self.solver.add([no(p(j, i)), no(t(before, j))]));
            for (letter, &way) in ways.iter().enumerate() {
                let earlier = (letter > 0).then(|| yes(numbering.e(letter - 1, i, j)));
                self.solver.add([no(numbering.e(letter, i, j)), yes(way)].into_iter().chain(earlier));
            }
        }
        self.solver.add((0..j).map(|i| yes(p(j, i))));
    }

    /// A state and the next one are in order.
    fn number_pair(&mut self, numbering: &Numbering, j: usize) {
        let p = |j, i| numbering.p(j, i);
        for i in 0..j {
            (0..i).for_each(|before| self.solver.add([no(p(j, i)), no(p(j + 1, before))]));
            for letter in 0..self.letters {
                let way = self.transition(letter, i, j + 1);
                let earlier = (letter > 0).then(|| yes(numbering.e(letter - 1, i, j)));
                let clause = [no(p(j, i)), no(p(j + 1, i)), no(way)];
                self.solver.add(clause.into_iter().chain(earlier));
            }
        }
    }
}

/// An automaton whose states are numbered as the solver numbers them: its table and what accepts. The clique leads to
/// the states given. None if that is not possible: two of them are the same, or some state cannot be reached.
pub(super) fn numbered(dfa: &Dfa, clique: &[StateId]) -> Option<(Vec<Vec<usize>>, Vec<bool>)> {
    let mut order = clique.to_vec();
    let mut number = vec![None; dfa.len()];
    for (i, state) in clique.iter().enumerate() {
        if number[state.index()].replace(i).is_some() {
            return None;
        }
    }
    let mut table = Vec::new();
    while table.len() < order.len() {
        let from = order[table.len()];
        let mut row = Vec::new();
        for letter in dfa.alphabet().letters() {
            let to = dfa.next(from, letter)?;
            row.push(*number[to.index()].get_or_insert_with(|| {
                order.push(to);
                order.len() - 1
            }));
        }
        table.push(row);
    }
    let accepting = order.iter().map(|&state| dfa.is_accepting(state)).collect();
    (order.len() == dfa.len()).then_some((table, accepting))
}

//! One numbering per automaton, so that the solver does not refute the same one k! times.
//!
//! The prefixes of a clique lead to different states in every automaton searched for, and these states come first, in the
//! order of the clique. The other states are numbered by a breadth-first walk that starts from those: a state's *parent* is
//! the first state with a transition to it. Then
//!
//! - every state beyond the clique has an earlier state as its parent;
//! - the parents of two consecutive states are in the same order, or equal;
//! - if they are equal, the first letter that leads to the one comes before the first that leads to the other.
//!
//! Every automaton whose states are all reachable has exactly one such numbering (Ulyantsev, Zakirzyanov and Shalyto have it
//! for a walk from the initial state alone). So each automaton with the minimal number of states is one model of the
//! clauses, and one clause excludes it.

use automata::{Dfa, StateId};

use super::colouring::Colouring;
use super::solver::{no, yes};

/// The variables for the numbering of states.
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

    /// e(c, i, j): if t(i, j), then c or an earlier letter leads from i to j.
    fn e(&self, c: usize, i: usize, j: usize) -> u32 {
        self.early + (((j - self.first) * self.states + i) * self.letters + c) as u32
    }
}

impl Colouring {
    /// Numbers the states from this one on breadth-first; `None` if there are no such states.
    pub(super) fn begin_numbering(&mut self, first: usize) -> Option<Numbering> {
        let (states, letters) = (self.states, self.letters);
        let numbered = states.checked_sub(first).filter(|numbered| *numbered > 0)?;
        let connected = self.solver.variables(numbered * states);
        let parents = self.solver.variables(numbered * states);
        let early = self.solver.variables(numbered * states * letters);
        Some(Numbering { first, states, letters, connected, parents, early })
    }

    /// Adds one part of the numbering's clauses; false if there is no part with this number.
    pub(super) fn number(&mut self, numbering: &Numbering, part: usize) -> bool {
        let numbered = numbering.states - numbering.first;
        match part.checked_sub(numbered) {
            None => self.number_parents(numbering, numbering.first + part),
            Some(part) if part + 1 < numbered => self.number_pair(numbering, numbering.first + part),
            Some(_) => return false,
        }
        true
    }

    /// Defines the parent of a state.
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

    /// Orders two consecutive states.
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

/// An automaton in the solver's numbering: its table and its accepting states. `clique` gives the states of the clique.
/// `None` if that is impossible: two of them are equal, or some state is unreachable.
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

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

impl Colouring<'_> {
    /// The states from this one on are numbered breadth-first.
    pub(super) fn number_from(&mut self, first: usize) {
        let (k, letters) = (self.states, self.letters);
        if first >= k {
            return;
        }
        let numbered = k - first;
        // t(i, j): some letter leads from i to j. p(j, i): i is the parent of j.
        let connected = self.solver.variables(numbered * k);
        let parents = self.solver.variables(numbered * k);
        // e(c, i, j): if so, c or a letter before it leads from i to j.
        let early = self.solver.variables(numbered * k * letters);
        let t = |i: usize, j: usize| connected + ((j - first) * k + i) as u32;
        let p = |j: usize, i: usize| parents + ((j - first) * k + i) as u32;
        let e = |c: usize, i: usize, j: usize| early + (((j - first) * k + i) * letters + c) as u32;
        for j in first..k {
            for i in 0..j {
                let ways: Vec<u32> = (0..letters).map(|letter| self.transition(letter, i, j)).collect();
                ways.iter().for_each(|&way| self.solver.add([no(way), yes(t(i, j))]));
                self.solver.add(ways.iter().map(|&way| yes(way)).chain([no(t(i, j))]));
                self.solver.add([no(p(j, i)), yes(t(i, j))]);
                (0..i).for_each(|before| self.solver.add([no(p(j, i)), no(t(before, j))]));
                for (letter, &way) in ways.iter().enumerate() {
                    let earlier = (letter > 0).then(|| yes(e(letter - 1, i, j)));
                    self.solver.add([no(e(letter, i, j)), yes(way)].into_iter().chain(earlier));
                }
            }
            self.solver.add((0..j).map(|i| yes(p(j, i))));
        }
        for j in first..k - 1 {
            for i in 0..j {
                (0..i).for_each(|before| self.solver.add([no(p(j, i)), no(p(j + 1, before))]));
                for letter in 0..letters {
                    let way = self.transition(letter, i, j + 1);
                    let earlier = (letter > 0).then(|| yes(e(letter - 1, i, j)));
                    let clause = [no(p(j, i)), no(p(j + 1, i)), no(way)];
                    self.solver.add(clause.into_iter().chain(earlier));
                }
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

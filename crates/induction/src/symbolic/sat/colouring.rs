//! "Some automaton with k states agrees with these words", as clauses.
//!
//! Heule and Verwer's colouring of the prefix tree: each prefix gets the number of the state it leads to.
//!
//! - y(c, i, j): the letter c leads from state i to state j. For each c and i, exactly one j.
//! - z(i): state i accepts.
//! - x(v, i): prefix v leads to state i, for at least one i. x(v, i) and y(c, i, j) imply x(vc, j); x(v, i) and x(vc, j)
//!   imply y(c, i, j); for an accepted word v, x(v, i) implies z(i), for a rejected one ¬z(i).
//!
//! Words can be added between two calls, which is how a large sample is reduced to a few hundred words: whatever the solver
//! has learned from fewer words stays true for more. What `folding` knows about all words is added from the start: a prefix
//! that is apart from a prefix of the clique does not lead to the state of the latter.

use automata::Dfa;

use super::solver::{Budget, Solver, Verdict, no, yes};
use super::tree::Tree;

/// No variable.
const NONE: u32 = u32::MAX;

/// The clauses for a given number of states.
pub(super) struct Colouring {
    pub(super) solver: Solver,
    pub(super) states: usize,
    pub(super) letters: usize,
    /// The first y and z.
    transitions: u32,
    accepting: u32,
    /// `[nodes]`: the first x of a node; [`NONE`] if it is not included.
    colours: Vec<u32>,
    nodes: usize,
}

impl Colouring {
    /// Creates the variables for automata with this many states; [`exclude`](Self::exclude) adds their constraints.
    pub(super) fn new(states: usize, tree: &Tree) -> Self {
        let letters = tree.sample().alphabet().len();
        let mut solver = Solver::new();
        let transitions = solver.variables(letters * states * states);
        let accepting = solver.variables(states);
        Self { solver, states, letters, transitions, accepting, colours: vec![NONE; tree.len()], nodes: 0 }
    }

    /// A letter leads from a state to exactly one state.
    pub(super) fn exclude(&mut self, letter: usize, from: usize) {
        let first = self.transition(letter, from, 0);
        let targets = first..first + self.states as u32;
        self.solver.add(targets.clone().map(yes));
        for (a, b) in targets.clone().flat_map(|a| (a + 1..targets.end).map(move |b| (a, b))) {
            self.solver.add([no(a), no(b)]);
        }
    }

    /// y.
    pub(super) fn transition(&self, letter: usize, from: usize, to: usize) -> u32 {
        self.transitions + ((letter * self.states + from) * self.states + to) as u32
    }

    /// z.
    pub(super) fn accepts(&self, state: usize) -> u32 {
        self.accepting + state as u32
    }

    /// x, for an included node.
    fn colour(&self, node: u32, state: usize) -> u32 {
        self.colours[node as usize] + state as u32
    }

    /// Number of included prefixes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Fixes the state of a prefix.
    pub(super) fn fix(&mut self, node: u32, state: usize) {
        let colour = self.colour(node, state);
        self.solver.add([yes(colour)]);
    }

    /// The prefixes of a word that are not included yet, longest first.
    pub(super) fn missing(&self, node: u32, tree: &Tree) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = node;
        while self.colours[at as usize] == NONE {
            path.push(at);
            if at == 0 {
                break;
            }
            at = tree.parent(at);
        }
        path
    }

    /// Excludes a state for a prefix.
    pub(super) fn keep_out(&mut self, node: u32, state: usize) {
        let colour = self.colour(node, state);
        self.solver.add([no(colour)]);
    }

    /// Includes a prefix with its label, if any; its parent must be included.
    pub(super) fn include(&mut self, node: u32, tree: &Tree) {
        let k = self.states;
        self.colours[node as usize] = self.solver.variables(k);
        self.nodes += 1;
        let first = self.colours[node as usize];
        self.solver.add((first..first + k as u32).map(yes));
        if let Some(accepted) = tree.label(node) {
            for state in 0..k {
                let (colour, accepts) = (first + state as u32, self.accepts(state));
                self.solver.add([no(colour), if accepted { yes(accepts) } else { no(accepts) }]);
            }
        }
        if node == 0 {
            return;
        }
        let (parent, letter) = (tree.parent(node), tree.letter(node));
        for (from, to) in (0..k).flat_map(|from| (0..k).map(move |to| (from, to))) {
            let (before, after) = (self.colour(parent, from), self.colour(node, to));
            let transition = self.transition(letter, from, to);
            self.solver.add([no(before), no(transition), yes(after)]);
            self.solver.add([no(before), no(after), yes(transition)]);
        }
    }

    /// Looks for an automaton.
    pub(super) fn solve(&mut self, budget: &mut Budget) -> Verdict {
        self.solver.solve(budget)
    }

    /// The automaton found.
    pub(super) fn automaton(&self, tree: &Tree) -> Dfa {
        let target = |from: usize, letter: usize| {
            (0..self.states).find(|&to| self.solver.is_true(self.transition(letter, from, to)))
        };
        let row = |from: usize| (0..self.letters).map(|letter| target(from, letter)).collect::<Vec<_>>();
        let rows: Vec<Vec<Option<usize>>> = (0..self.states).map(row).collect();
        let accepting = (0..self.states).filter(|&state| self.solver.is_true(self.accepts(state)));
        // The empty prefix is the first of every clique.
        Dfa::new(tree.sample().alphabet().clone(), 0, accepting, &rows).expect("all states are in range")
    }

    /// Forbids one automaton with as many states, numbered like those searched for.
    pub(super) fn forbid(&mut self, table: &[Vec<usize>], accepting: &[bool]) {
        let mut clause = Vec::new();
        for (from, row) in table.iter().enumerate() {
            clause.extend(row.iter().enumerate().map(|(letter, &to)| no(self.transition(letter, from, to))));
            let accepts = self.accepts(from);
            clause.push(if accepting[from] { no(accepts) } else { yes(accepts) });
        }
        self.solver.add(clause);
    }
}

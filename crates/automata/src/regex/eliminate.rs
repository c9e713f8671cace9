//! From automaton to expression by state elimination: remove one state after another, and add edges that bypass it
//! and spell the paths through it.
//!
//! The order decides whether the result is a line or a page. Each step removes the state whose removal adds least to
//! the expression, by one of two measures; for a small automaton every order is tried; and since a language may be
//! simpler when reversed, the automaton of the reversed language is tried as well. All results are candidates, and the
//! shortest wins.

use std::collections::{BTreeMap, BTreeSet};

use super::{Node, RegexError};
use crate::determinize::determinize;
use crate::dfa::Dfa;
use crate::minimize::minimize;
use crate::nfa::Nfa;

/// Maximum total size of all edges; beyond it the elimination fails.
const SIZE_LIMIT: usize = 20_000;
/// Maximum number of live states. Expressions of larger automata would be unreadable and too deeply nested.
const STATE_LIMIT: usize = 300;

/// Every order is tried for automata with at most this many live states.
const ALL_ORDERS: usize = 5;

/// The order in which states are removed.
#[derive(Clone)]
enum Order {
    /// Smallest growth of the expressions first (Delgado and Morais).
    Growth,
    /// Fewest added edges first, then smallest growth.
    Edges,
    /// As listed.
    Listed(Vec<usize>),
}

/// The orders to try on an automaton with this many states.
fn orders(states: usize) -> Vec<Order> {
    let mut orders = vec![Order::Growth, Order::Edges];
    if states <= ALL_ORDERS {
        let mut listed = vec![Vec::new()];
        for state in 0..states {
            // Insert the new state at every position of each shorter list.
            let insert = |list: &Vec<usize>, at: usize| [&list[..at], &[state + 2], &list[at..]].concat();
            listed = listed.iter().flat_map(|list| (0..=list.len()).map(move |at| insert(list, at))).collect();
        }
        orders.extend(listed.into_iter().map(Order::Listed));
    }
    orders
}

/// Expressions for the language of a minimal automaton, at least one.
pub(super) fn eliminate(dfa: &Dfa) -> Result<Vec<Node>, RegexError> {
    let forward = Nfa::from(dfa).trimmed();
    let backward = determinize(&forward.reversed(), 2 * dfa.len() + 8)
        .map(|reversed| Nfa::from(&minimize(&reversed)).trimmed().reversed());
    let mut candidates = Vec::new();
    let mut failure = None;
    for nfa in std::iter::once(&forward).chain(backward.as_ref()) {
        for order in orders(nfa.len()) {
            match Generalized::new(nfa)?.eliminate_all(&order) {
                Ok(node) if candidates.contains(&node) => {}
                Ok(node) => candidates.push(node),
                Err(error) => failure = Some(error),
            }
        }
    }
    match failure {
        Some(error) if candidates.is_empty() => Err(error),
        _ => Ok(candidates),
    }
}

/// An automaton whose edges carry expressions. State 0 is initial, state 1 is final, and the others are to be removed.
struct Generalized {
    out: Vec<BTreeMap<usize, Edge>>,
    into: Vec<BTreeSet<usize>>,
    /// The total size of all edges.
    size: usize,
}

#[derive(Clone)]
struct Edge {
    node: Node,
    size: usize,
}

const BEGIN: usize = 0;
const END: usize = 1;

impl Generalized {
    fn new(nfa: &Nfa) -> Result<Self, RegexError> {
        if nfa.len() > STATE_LIMIT {
            return Err(RegexError::TooLarge(format!(
                "its automaton has {} states; the limit is {STATE_LIMIT}",
                nfa.len()
            )));
        }
        let mut letters: BTreeMap<(usize, usize), Vec<_>> = BTreeMap::new();
        for (from, letter, to) in nfa.edges() {
            letters.entry((from.index() + 2, to.index() + 2)).or_default().push(letter);
        }
        let states = nfa.len() + 2;
        let mut this = Self { out: vec![BTreeMap::new(); states], into: vec![BTreeSet::new(); states], size: 0 };
        for ((from, to), letters) in letters {
            this.add(from, to, Node::class(letters));
        }
        for state in nfa.initial() {
            this.add(BEGIN, state.index() + 2, Node::Empty);
        }
        for state in nfa.accepting() {
            this.add(state.index() + 2, END, Node::Empty);
        }
        Ok(this)
    }

    /// Adds an alternative to the edge from `from` to `to`.
    fn add(&mut self, from: usize, to: usize, node: Node) {
        let node = match self.take(from, to) {
            Some(known) => Node::alt([known.node, node]),
            None => node,
        };
        let size = node.size();
        self.size += size;
        self.out[from].insert(to, Edge { node, size });
        self.into[to].insert(from);
    }

    fn take(&mut self, from: usize, to: usize) -> Option<Edge> {
        let edge = self.out[from].remove(&to)?;
        self.into[to].remove(&from);
        self.size -= edge.size;
        Some(edge)
    }

    fn eliminate_all(mut self, order: &Order) -> Result<Node, RegexError> {
        let mut open: BTreeSet<usize> = (2..self.out.len()).collect();
        while let Some(state) = self.next(&open, order) {
            open.remove(&state);
            self.eliminate(state)?;
        }
        Ok(self.out[BEGIN].remove(&END).map_or(Node::Nothing, |edge| edge.node))
    }

    fn next(&self, open: &BTreeSet<usize>, order: &Order) -> Option<usize> {
        match order {
            Order::Growth => open.iter().copied().min_by_key(|&state| self.price(state).0),
            Order::Edges => open.iter().copied().min_by_key(|&state| {
                let (growth, edges) = self.price(state);
                (edges, growth)
            }),
            Order::Listed(states) => states.iter().copied().find(|state| open.contains(state)),
        }
    }

    /// How much the expressions would grow if `state` were removed, and how many edges would be added.
    fn price(&self, state: usize) -> (i64, i64) {
        let looped = self.out[state].get(&state).map_or(0, |edge| edge.size as i64);
        let others = |set: &BTreeSet<usize>| set.iter().filter(|&&other| other != state).count() as i64;
        let sources = others(&self.into[state]);
        let targets = self.out[state].len() as i64 - i64::from(looped > 0);
        let read_in: i64 = self.into[state]
            .iter()
            .filter(|&&from| from != state)
            .map(|&from| self.out[from][&state].size as i64)
            .sum();
        let read_out: i64 =
            self.out[state].iter().filter(|&(&to, _)| to != state).map(|(_, edge)| edge.size as i64).sum();
        let growth = read_in * (targets - 1) + read_out * (sources - 1) + looped * (sources * targets - 1);
        (growth, sources * targets - sources - targets)
    }

    fn eliminate(&mut self, state: usize) -> Result<(), RegexError> {
        let looped = self.take(state, state).map_or(Node::Empty, |edge| Node::star(edge.node));
        let targets: Vec<usize> = self.out[state].keys().copied().collect();
        let after: Vec<(usize, Node)> =
            targets.into_iter().filter_map(|to| Some((to, self.take(state, to)?.node))).collect();
        let sources: Vec<usize> = self.into[state].iter().copied().collect();
        for from in sources {
            let before = self.take(from, state).expect("the edge is known at both ends").node;
            for (to, after) in &after {
                self.add(from, *to, Node::concat([before.clone(), looped.clone(), after.clone()]));
                if self.size > SIZE_LIMIT {
                    return Err(RegexError::TooLarge(format!("it needs more than {SIZE_LIMIT} symbols")));
                }
            }
        }
        Ok(())
    }
}

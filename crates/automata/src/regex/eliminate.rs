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
/// Maximum depth of an expression: what walks through it calls itself once per level, and when it is read again, groups count
/// as well as repetitions.
const DEPTH_LIMIT: usize = 640;
/// Maximum work of one elimination, in states looked at and symbols copied: some tenths of a second.
const WORK_LIMIT: usize = 10_000_000;

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
            match Generalized::new(nfa).eliminate_all(&order) {
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
    /// The prices of states whose edges have not changed since they were computed.
    prices: Vec<Option<Price>>,
    work: usize,
}

/// What it costs to remove a state.
#[derive(Clone, Copy)]
struct Price {
    /// How much the expressions grow,
    growth: i64,
    /// and how many edges are added.
    edges: i64,
}

#[derive(Clone)]
struct Edge {
    node: Node,
    size: usize,
}

const BEGIN: usize = 0;
const END: usize = 1;

impl Generalized {
    fn new(nfa: &Nfa) -> Self {
        let mut letters: BTreeMap<(usize, usize), Vec<_>> = BTreeMap::new();
        for (from, letter, to) in nfa.edges() {
            letters.entry((from.index() + 2, to.index() + 2)).or_default().push(letter);
        }
        let states = nfa.len() + 2;
        let mut this = Self {
            out: vec![BTreeMap::new(); states],
            into: vec![BTreeSet::new(); states],
            size: 0,
            prices: vec![None; states],
            work: 0,
        };
        for ((from, to), letters) in letters {
            this.add(from, to, Node::class(letters));
        }
        for state in nfa.initial() {
            this.add(BEGIN, state.index() + 2, Node::Empty);
        }
        for state in nfa.accepting() {
            this.add(state.index() + 2, END, Node::Empty);
        }
        this
    }

    /// Adds an alternative to the edge from `from` to `to`.
    fn add(&mut self, from: usize, to: usize, node: Node) {
        let node = match self.take(from, to) {
            Some(known) => Node::alt([known.node, node]),
            None => node,
        };
        let size = node.size();
        self.size += size;
        self.work += size;
        self.out[from].insert(to, Edge { node, size });
        self.into[to].insert(from);
        (self.prices[from], self.prices[to]) = (None, None);
    }

    fn take(&mut self, from: usize, to: usize) -> Option<Edge> {
        let edge = self.out[from].remove(&to)?;
        self.into[to].remove(&from);
        self.size -= edge.size;
        (self.prices[from], self.prices[to]) = (None, None);
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

    fn next(&mut self, open: &BTreeSet<usize>, order: &Order) -> Option<usize> {
        if let Order::Listed(states) = order {
            return states.iter().copied().find(|state| open.contains(state));
        }
        self.work += open.len();
        open.iter().copied().min_by_key(|&state| {
            let Price { growth, edges } = self.price(state);
            match order {
                Order::Edges => (edges, growth),
                _ => (growth, 0),
            }
        })
    }

    fn price(&mut self, state: usize) -> Price {
        if let Some(price) = self.prices[state] {
            return price;
        }
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
        let price = Price { growth, edges: sources * targets - sources - targets };
        self.prices[state] = Some(price);
        self.work += self.into[state].len() + self.out[state].len();
        price
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
                self.check(from, *to)?;
            }
        }
        Ok(())
    }
    /// Whether the edge from `from` to `to`, which was just added, keeps to all limits.
    fn check(&self, from: usize, to: usize) -> Result<(), RegexError> {
        let too_large = |what: String| Err(RegexError::TooLarge(what));
        if self.size > SIZE_LIMIT {
            return too_large(format!("it needs more than {SIZE_LIMIT} symbols"));
        }
        if self.work > WORK_LIMIT {
            let states = self.out.len() - 2;
            return too_large(format!("its automaton has {states} states, which takes too long"));
        }
        match self.out[from].get(&to) {
            Some(edge) if edge.node.depth() > DEPTH_LIMIT => {
                too_large(format!("it needs more than {DEPTH_LIMIT} levels of parentheses"))
            }
            _ => Ok(()),
        }
    }
}

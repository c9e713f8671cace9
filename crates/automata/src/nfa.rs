//! Non-deterministic automata.
//!
//! An [`Nfa`] may have several initial states and has no ε-edges: an [`NfaBuilder`] accepts them where they arise
//! (expressions, AT&T files) and eliminates them. So reversal is a swap, and every algorithm reads plain edges.

use fixedbitset::FixedBitSet;

use crate::alphabet::Alphabet;
use crate::dfa::Dfa;
use crate::ids::{Letter, StateId};
use crate::reach::reachable;

/// A non-deterministic finite automaton without ε-edges.
///
/// States are numbered, and may have names that people know them by: those of the non-terminals of a grammar. Names are
/// kept when states are renumbered, and are no part of what makes two automata equal.
#[derive(Clone)]
pub struct Nfa {
    alphabet: Alphabet,
    initial: FixedBitSet,
    accepting: FixedBitSet,
    /// The edges of state `q` are `edges[offsets[q]..offsets[q + 1]]`, sorted by letter, then target, each once.
    offsets: Vec<usize>,
    edges: Vec<(Letter, StateId)>,
    names: Option<Vec<String>>,
}

impl PartialEq for Nfa {
    fn eq(&self, other: &Self) -> bool {
        self.alphabet == other.alphabet
            && self.initial == other.initial
            && self.accepting == other.accepting
            && self.offsets == other.offsets
            && self.edges == other.edges
    }
}

impl Eq for Nfa {}

impl Nfa {
    /// The same automaton with a name for each state.
    ///
    /// # Panics
    /// When there are not as many names as states.
    #[must_use]
    pub fn with_names(self, names: Vec<String>) -> Self {
        assert_eq!(names.len(), self.len(), "a name for each state");
        Self { names: Some(names), ..self }
    }

    /// The same automaton whose states are named by their numbers: they stay known by these when others go.
    #[must_use]
    pub fn named_by_number(self) -> Self {
        let names = (0..self.len()).map(|state| state.to_string()).collect();
        self.with_names(names)
    }

    /// The names of the states, if they have other names than their numbers.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        let is_number = |(state, name): (usize, &String)| *name == state.to_string();
        self.names.as_deref().filter(|names| !names.iter().enumerate().all(is_number))
    }

    /// What a state is called: its name, or its number.
    #[must_use]
    pub fn name(&self, state: StateId) -> String {
        self.names.as_ref().map_or_else(|| state.index().to_string(), |names| names[state.index()].clone())
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no state, and hence no word.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The states in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + Clone + use<> {
        (0..self.len()).map(StateId::new)
    }

    /// The initial states in order.
    pub fn initial(&self) -> impl Iterator<Item = StateId> + '_ {
        self.initial.ones().map(StateId::new)
    }

    /// The accepting states in order.
    pub fn accepting(&self) -> impl Iterator<Item = StateId> + '_ {
        self.accepting.ones().map(StateId::new)
    }

    /// Whether words may begin at `state`.
    #[must_use]
    pub fn is_initial(&self, state: StateId) -> bool {
        self.initial.contains(state.index())
    }

    /// Whether words may end at `state`.
    #[must_use]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting.contains(state.index())
    }

    /// The edges that leave `state`, sorted by letter, then target.
    #[must_use]
    pub fn edges_from(&self, state: StateId) -> &[(Letter, StateId)] {
        &self.edges[self.offsets[state.index()]..self.offsets[state.index() + 1]]
    }

    /// All edges as (from, letter, to), sorted.
    pub fn edges(&self) -> impl Iterator<Item = (StateId, Letter, StateId)> + '_ {
        self.states().flat_map(|from| self.edges_from(from).iter().map(move |&(letter, to)| (from, letter, to)))
    }

    /// Whether some path from an initial to an accepting state spells `word`.
    #[must_use]
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut here = self.initial.clone();
        let mut there = FixedBitSet::with_capacity(self.len());
        for &letter in word {
            there.clear();
            for state in here.ones().map(StateId::new) {
                let edges = self.edges_from(state);
                let first = edges.partition_point(|edge| edge.0 < letter);
                for &(_, to) in edges[first..].iter().take_while(|edge| edge.0 == letter) {
                    there.insert(to.index());
                }
            }
            std::mem::swap(&mut here, &mut there);
        }
        !here.is_disjoint(&self.accepting)
    }

    /// Whether the empty word is accepted.
    #[must_use]
    pub fn accepts_empty_word(&self) -> bool {
        !self.initial.is_disjoint(&self.accepting)
    }

    /// The automaton of the reversed words.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut builder = NfaBuilder::with_states(self.alphabet.clone(), self.len());
        for (from, letter, to) in self.edges() {
            builder.edge(to, letter, from);
        }
        builder.initial = self.accepting.ones().map(StateId::new).collect();
        builder.accepting = self.initial.ones().map(StateId::new).collect();
        Self { names: self.names.clone(), ..builder.build() }
    }

    /// The states on some path from an initial to an accepting state: those that accepted words visit.
    #[must_use]
    pub fn useful_states(&self) -> FixedBitSet {
        let backwards = self.edge_pairs().map(|(from, to)| (to, from));
        let mut useful = reachable(self.len(), self.initial.ones(), self.edge_pairs());
        useful.intersect_with(&reachable(self.len(), self.accepting.ones(), backwards));
        useful
    }

    /// The automaton restricted to its [useful](Nfa::useful_states) states, in their old order.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let kept: Vec<usize> = self.useful_states().ones().collect();
        self.renumbered(&kept)
    }

    /// The same automaton without unreachable states, numbered breadth-first from the initial states, in the order of
    /// the edges.
    #[must_use]
    pub fn numbered_breadth_first(&self) -> Self {
        let mut seen = self.initial.clone();
        let mut order: Vec<usize> = self.initial.ones().collect();
        let mut read = 0;
        while read < order.len() {
            for &(_, to) in self.edges_from(StateId::new(order[read])) {
                if !seen.put(to.index()) {
                    order.push(to.index());
                }
            }
            read += 1;
        }
        self.renumbered(&order)
    }

    /// Only the states in `kept`, numbered by their position there.
    fn renumbered(&self, kept: &[usize]) -> Self {
        let mut new_name = vec![None; self.len()];
        for (new, &old) in kept.iter().enumerate() {
            new_name[old] = Some(StateId::new(new));
        }
        let mut builder = NfaBuilder::with_states(self.alphabet.clone(), kept.len());
        for (from, letter, to) in self.edges() {
            if let (Some(from), Some(to)) = (new_name[from.index()], new_name[to.index()]) {
                builder.edge(from, letter, to);
            }
        }
        builder.initial = self.initial().filter_map(|state| new_name[state.index()]).collect();
        builder.accepting = self.accepting().filter_map(|state| new_name[state.index()]).collect();
        let names = self.names.as_ref().map(|names| kept.iter().map(|&old| names[old].clone()).collect());
        Self { names, ..builder.build() }
    }

    /// The same language over a larger alphabet. Where a class becomes several letters, its edges are copied.
    ///
    /// # Panics
    /// If `larger` lacks a letter of this automaton.
    #[must_use]
    pub fn over(&self, larger: &Alphabet) -> Self {
        if *larger == self.alphabet {
            return self.clone();
        }
        let letters = self.alphabet.embedding(larger);
        if letters.is_by_name() {
            // Both alphabets are sorted, so the order of the edges is preserved.
            let edges = self.edges.iter().map(|&(letter, to)| (letters.of(letter)[0], to)).collect();
            return Self { alphabet: larger.clone(), edges, ..self.clone() };
        }
        let mut builder = NfaBuilder::with_states(larger.clone(), self.len());
        for (from, letter, to) in self.edges() {
            letters.of(letter).iter().for_each(|&letter| builder.edge(from, letter, to));
        }
        builder.initial = self.initial().collect();
        builder.accepting = self.accepting().collect();
        Self { names: self.names.clone(), ..builder.build() }
    }

    fn edge_pairs(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        self.states().flat_map(|from| self.edges_from(from).iter().map(move |&(_, to)| (from.index(), to.index())))
    }
}

/// Every DFA is an NFA with one initial state; missing transitions stay missing.
impl From<&Dfa> for Nfa {
    fn from(dfa: &Dfa) -> Self {
        let mut builder = NfaBuilder::with_states(dfa.alphabet().clone(), dfa.len());
        for (from, letter, to) in dfa.transitions() {
            builder.edge(from, letter, to);
        }
        builder.initial(dfa.initial());
        builder.accepting = dfa.accepting().collect();
        builder.build()
    }
}

/// Collects states, edges and ε-edges in any order, and builds an [`Nfa`] without ε-edges.
#[derive(Clone, Debug)]
pub struct NfaBuilder {
    alphabet: Alphabet,
    states: usize,
    initial: Vec<StateId>,
    accepting: Vec<StateId>,
    edges: Vec<(StateId, Letter, StateId)>,
    empty_edges: Vec<(StateId, StateId)>,
}

impl NfaBuilder {
    /// A builder without states.
    #[must_use]
    pub fn new(alphabet: Alphabet) -> Self {
        Self::with_states(alphabet, 0)
    }

    /// The states 0 to `states` − 1, without edges.
    #[must_use]
    pub fn with_states(alphabet: Alphabet, states: usize) -> Self {
        Self {
            alphabet,
            states,
            initial: Vec::new(),
            accepting: Vec::new(),
            edges: Vec::new(),
            empty_edges: Vec::new(),
        }
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of states added so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states
    }

    /// Whether no state has been added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Adds a state.
    pub fn state(&mut self) -> StateId {
        self.states += 1;
        StateId::new(self.states - 1)
    }

    /// Makes `state` initial.
    pub fn initial(&mut self, state: StateId) {
        self.initial.push(state);
    }

    /// Makes `state` accepting.
    pub fn accepting(&mut self, state: StateId) {
        self.accepting.push(state);
    }

    /// Adds an edge that reads `letter`.
    pub fn edge(&mut self, from: StateId, letter: Letter, to: StateId) {
        self.edges.push((from, letter, to));
    }

    /// Adds an ε-edge, which reads nothing.
    pub fn empty_edge(&mut self, from: StateId, to: StateId) {
        self.empty_edges.push((from, to));
    }

    /// Builds the automaton. Closing an ε-edge gives its source the outgoing edges and the acceptance of its target.
    #[must_use]
    pub fn build(mut self) -> Nfa {
        if !self.empty_edges.is_empty() {
            self.close_empty_edges();
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        let mut offsets = vec![0; self.states + 1];
        for &(from, ..) in &self.edges {
            offsets[from.index() + 1] += 1;
        }
        for q in 0..self.states {
            offsets[q + 1] += offsets[q];
        }
        let set = |states: &[StateId]| {
            let mut set = FixedBitSet::with_capacity(self.states);
            set.extend(states.iter().map(|state| state.index()));
            set
        };
        Nfa {
            initial: set(&self.initial),
            accepting: set(&self.accepting),
            offsets,
            edges: self.edges.iter().map(|&(_, letter, to)| (letter, to)).collect(),
            alphabet: self.alphabet,
            names: None,
        }
    }

    fn close_empty_edges(&mut self) {
        let mut empty_from = vec![Vec::new(); self.states];
        for &(from, to) in &self.empty_edges {
            empty_from[from.index()].push(to.index());
        }
        let mut edges_from = vec![Vec::new(); self.states];
        for &(from, letter, to) in &self.edges {
            edges_from[from.index()].push((letter, to));
        }
        let mut accepts = FixedBitSet::with_capacity(self.states);
        accepts.extend(self.accepting.iter().map(|state| state.index()));
        let mut seen = FixedBitSet::with_capacity(self.states);
        let mut stack = Vec::new();
        // Close only initial states and targets of ordinary edges: without ε-edges no run visits any other state.
        let mut stood_on = FixedBitSet::with_capacity(self.states);
        stood_on.extend(self.initial.iter().chain(self.edges.iter().map(|(_, _, to)| to)).map(|state| state.index()));
        for from in (0..self.states).filter(|&from| stood_on.contains(from) && !empty_from[from].is_empty()) {
            seen.clear();
            seen.insert(from);
            stack.push(from);
            while let Some(state) = stack.pop() {
                for &next in &empty_from[state] {
                    if !seen.put(next) {
                        stack.push(next);
                        self.edges
                            .extend(edges_from[next].iter().map(|&(letter, to)| (StateId::new(from), letter, to)));
                        if accepts.contains(next) {
                            self.accepting.push(StateId::new(from));
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (a|b)*cc* with ε-edges in every awkward place, including a cycle.
    fn with_empty_edges() -> Nfa {
        let alphabet = Alphabet::of_chars("abc");
        let [a, b, c] = [0, 1, 2].map(Letter::new);
        let mut builder = NfaBuilder::new(alphabet);
        let [start, looping, middle, end] = [(); 4].map(|()| builder.state());
        builder.initial(start);
        builder.empty_edge(start, looping);
        builder.empty_edge(looping, start);
        builder.edge(looping, a, looping);
        builder.edge(looping, b, looping);
        builder.empty_edge(looping, middle);
        builder.edge(middle, c, middle);
        builder.edge(middle, c, end);
        builder.accepting(end);
        builder.build()
    }

    #[test]
    fn empty_edges_are_closed() {
        let nfa = with_empty_edges();
        for (text, expected) in
            [("c", true), ("abc", true), ("cc", true), ("", false), ("ab", false), ("cab", false), ("acac", false)]
        {
            assert_eq!(nfa.accepts(&nfa.alphabet().read(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn reversal_reads_backwards() {
        let nfa = with_empty_edges();
        let reversed = nfa.reversed();
        for text in ["c", "cba", "ccab", "ab", "", "bac"] {
            let word = nfa.alphabet().read(text).unwrap();
            assert_eq!(reversed.accepts(&word), nfa.accepts(&word.reversed()), "{text}");
        }
        assert_eq!(reversed.reversed(), nfa);
    }

    #[test]
    fn trimming_keeps_what_matters() {
        let mut builder = NfaBuilder::with_states(Alphabet::of_chars("a"), 5);
        let [q0, q1, q2, q3, q4] = [0, 1, 2, 3, 4].map(StateId::new);
        let a = Letter::new(0);
        builder.initial(q1);
        builder.accepting(q3);
        builder.edge(q1, a, q3);
        builder.edge(q1, a, q2); // a dead end
        builder.edge(q0, a, q3); // unreachable
        builder.edge(q4, a, q4); // unreachable, too
        let trimmed = builder.build().trimmed();
        assert_eq!(trimmed.len(), 2);
        assert_eq!(trimmed.edges().count(), 1);
        assert!(trimmed.accepts(&[a]));
    }
}

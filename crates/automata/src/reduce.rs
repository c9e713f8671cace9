//! Smaller non-deterministic automata for the same language.
//!
//! "The fifth letter from the end is a 1" takes 32 states if the automaton is deterministic and six if it is not. The
//! smallest non-deterministic automaton is hard to find (PSPACE), but a good one is not: [`reduce`] starts from any
//! automaton, such as the positions of an expression, and removes what simulation shows to be superfluous.
//!
//! State q′ *simulates* q forwards if it accepts where q does, and follows each edge of q by an edge on the same letter
//! to a state that simulates the target. Then every word accepted from q is accepted from q′. Simulation backwards is
//! the same in the reversed automaton. Two things follow, each of which keeps the language:
//!
//! 1. States that simulate each other can be merged.
//! 2. An edge p → t can be removed if there is another, p′ → t′ on the same letter, where p′ simulates p backwards, t′
//!    simulates t forwards, and t does not simulate t′. In the same way, an initial state can stop being one if another
//!    initial state simulates it and not the other way round.
//!
//! All these edges can be removed at once. A path that uses one has a substitute: any path to p′, the edge, and what
//! follows t′ as it followed t. Compare paths from their ends: the states after the edge are replaced by states that
//! simulate them, and t by a state that is truly larger. So substitution never returns to an earlier path, and ends with
//! a path that uses none of the removed edges. This works because the truly larger state is always at the same end of
//! the edge. To remove some edges because of t and others because of p would be wrong: each could be the other's
//! substitute. So the mirrored rule is a separate step, with relations computed anew.
//!
//! The two steps, forwards and in the reversed automaton, alternate until neither finds anything.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};
use crate::reach::{Successors, reachable};

/// Maximum number of states; larger automata are only trimmed.
const STATE_LIMIT: usize = 2_000;
/// Maximum number of states times edges, to which the time for one simulation is proportional.
const WORK_LIMIT: usize = 1 << 26;
/// Maximum number of rounds, of two steps each. Few automata need more than three.
const ROUNDS: usize = 16;

/// An automaton of the same language with at most as many states and edges: without useless states, with states merged
/// and edges removed as simulation allows. Its states are numbered breadth-first and have no names.
///
/// An automaton of more than 2,000 useful states, or with very many edges, is only trimmed.
#[must_use]
pub fn reduce(nfa: &Nfa) -> Nfa {
    let trimmed = nfa.trimmed();
    let (mut graph, letters) = Graph::of(&trimmed);
    if !graph.is_within_limits() {
        return trimmed.numbered_breadth_first();
    }
    for _ in 0..ROUNDS {
        let before = graph.size();
        graph = graph.reduced_forwards().reversed().reduced_forwards().reversed();
        if graph.size() == before {
            break;
        }
    }
    graph.to_nfa(&trimmed, &letters).numbered_breadth_first()
}

/// The edges of an automaton. Letters with the same edges behave alike, so they are one group here.
struct Graph {
    initial: FixedBitSet,
    accepting: FixedBitSet,
    /// The edges of each group as (from, to), sorted.
    edges: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    /// The graph of an automaton, and the letters of each group.
    fn of(nfa: &Nfa) -> (Self, Vec<Vec<Letter>>) {
        let mut by_letter = vec![Vec::new(); nfa.alphabet().len()];
        for (from, letter, to) in nfa.edges() {
            by_letter[letter.index()].push((from.index(), to.index()));
        }
        let mut groups: BTreeMap<Vec<(usize, usize)>, Vec<Letter>> = BTreeMap::new();
        for (letter, edges) in by_letter.into_iter().enumerate().filter(|(_, edges)| !edges.is_empty()) {
            groups.entry(edges).or_default().push(Letter::new(letter));
        }
        let set = |states: &mut dyn Iterator<Item = StateId>| {
            let mut set = FixedBitSet::with_capacity(nfa.len());
            set.extend(states.map(StateId::index));
            set
        };
        let (edges, letters) = groups.into_iter().unzip();
        (Self { initial: set(&mut nfa.initial()), accepting: set(&mut nfa.accepting()), edges }, letters)
    }

    fn to_nfa(&self, original: &Nfa, letters: &[Vec<Letter>]) -> Nfa {
        let mut builder = NfaBuilder::with_states(original.alphabet().clone(), self.states());
        for (edges, letters) in self.edges.iter().zip(letters) {
            for &(from, to) in edges {
                letters.iter().for_each(|&letter| builder.edge(StateId::new(from), letter, StateId::new(to)));
            }
        }
        self.initial.ones().for_each(|state| builder.initial(StateId::new(state)));
        self.accepting.ones().for_each(|state| builder.accepting(StateId::new(state)));
        builder.build()
    }

    fn states(&self) -> usize {
        self.initial.len()
    }

    /// States, edges, initial and accepting states: each step makes one of them smaller, or changes nothing.
    fn size(&self) -> [usize; 4] {
        let edges = self.edges.iter().map(Vec::len).sum();
        [self.states(), edges, self.initial.count_ones(..), self.accepting.count_ones(..)]
    }

    fn is_within_limits(&self) -> bool {
        let [states, edges, ..] = self.size();
        states <= STATE_LIMIT && states.saturating_mul(edges) <= WORK_LIMIT
    }

    fn reversed(self) -> Self {
        let turned = |edges: Vec<(usize, usize)>| {
            let mut turned: Vec<_> = edges.into_iter().map(|(from, to)| (to, from)).collect();
            turned.sort_unstable();
            turned
        };
        Self { initial: self.accepting, accepting: self.initial, edges: self.edges.into_iter().map(turned).collect() }
    }

    /// Merges states that simulate each other forwards, then removes what a truly larger target makes superfluous.
    fn reduced_forwards(self) -> Self {
        let above = simulators(self.states(), &self.accepting, &self.edges, false);
        let (graph, above) = self.merged(&above);
        let before = simulators(graph.states(), &graph.initial, &graph.edges, true);
        graph.pruned(&above, &before).trimmed()
    }

    /// Merges states that simulate each other; also returns the relation between the merged states.
    fn merged(self, above: &[FixedBitSet]) -> (Self, Vec<FixedBitSet>) {
        // Each state becomes the first that is equivalent to it.
        let mut class: Vec<usize> = Vec::with_capacity(self.states());
        let mut first: Vec<usize> = Vec::new();
        for state in 0..self.states() {
            let earlier = above[state].ones().take_while(|&other| other < state);
            let known = earlier.into_iter().find(|&other| above[other].contains(state));
            class.push(known.map_or(first.len(), |other| class[other]));
            if known.is_none() {
                first.push(state);
            }
        }
        let relation = first.iter().map(|&low| {
            let mut row = FixedBitSet::with_capacity(first.len());
            row.extend((0..first.len()).filter(|&high| above[low].contains(first[high])));
            row
        });
        let relation = relation.collect();
        (self.renumbered(first.len(), |state| Some(class[state])), relation)
    }

    /// Without the edges and initial states that rule 2 removes. `above` is a partial order: equivalent states have been
    /// merged.
    fn pruned(mut self, above: &[FixedBitSet], before: &[FixedBitSet]) -> Self {
        let states = self.states();
        for edges in &mut self.edges {
            let mut sources = vec![FixedBitSet::new(); states];
            for &(from, to) in &*edges {
                sources[to].grow(states);
                sources[to].insert(from);
            }
            edges.retain(|&(from, to)| {
                !above[to].ones().any(|larger| larger != to && !sources[larger].is_disjoint(&before[from]))
            });
        }
        let all = self.initial.clone();
        for state in all.ones() {
            let larger = above[state].intersection(&all).any(|larger| larger != state);
            self.initial.set(state, !larger);
        }
        self
    }

    /// Without states that no accepted word visits.
    fn trimmed(self) -> Self {
        let states = self.states();
        let all = || self.edges.iter().flatten().copied();
        let mut useful = reachable(states, self.initial.ones(), all());
        useful.intersect_with(&reachable(states, self.accepting.ones(), all().map(|(from, to)| (to, from))));
        let mut number = vec![None; states];
        useful.ones().enumerate().for_each(|(new, old)| number[old] = Some(new));
        self.renumbered(useful.count_ones(..), |state| number[state])
    }

    /// The same graph with new numbers; states without one are left out.
    fn renumbered(&self, states: usize, number: impl Fn(usize) -> Option<usize>) -> Self {
        let set = |old: &FixedBitSet| {
            let mut set = FixedBitSet::with_capacity(states);
            set.extend(old.ones().filter_map(&number));
            set
        };
        let edges = self.edges.iter().map(|edges| {
            let mut new: Vec<_> = edges.iter().filter_map(|&(from, to)| Some((number(from)?, number(to)?))).collect();
            new.sort_unstable();
            new.dedup();
            new
        });
        Self { initial: set(&self.initial), accepting: set(&self.accepting), edges: edges.collect() }
    }
}

/// For each state, the states that simulate it; with `backwards`, along reversed edges. `ends` are the accepting states,
/// or the initial ones.
///
/// This is the algorithm of Henzinger, Henzinger and Kopke: at first every state is taken to simulate every other, and
/// pairs are removed. For a letter, a state q′ and a target t, a counter says how many edges of q′ lead to states that
/// simulate t. When it reaches zero, q′ simulates none of the states with an edge to t. Each pair is removed once, and
/// then visits the edges that enter its second state, so the time is that of states times edges.
fn simulators(states: usize, ends: &FixedBitSet, edges: &[Vec<(usize, usize)>], backwards: bool) -> Vec<FixedBitSet> {
    let mut letters: Vec<Counters> = edges.iter().map(|edges| Counters::new(states, edges, backwards)).collect();
    let mut everything = FixedBitSet::with_capacity(states);
    everything.insert_range(..);
    let mut above = vec![everything; states];
    for end in ends.ones() {
        above[end].intersect_with(ends);
    }
    for letter in &letters {
        letter.sources.ones().for_each(|source| above[source].intersect_with(&letter.sources));
    }
    let mut removed: Vec<(u32, u32)> = Vec::new();
    for (low, row) in above.iter().enumerate() {
        removed.extend(row.zeroes().map(|high| (low as u32, high as u32)));
    }
    while let Some((low, high)) = removed.pop() {
        for letter in &mut letters {
            let Some(column) = letter.column[low as usize] else { continue };
            for &source in letter.into.of(high as usize) {
                let counter = &mut letter.counts[letter.row[source as usize] + column];
                *counter -= 1;
                if *counter > 0 {
                    continue;
                }
                for &simulated in letter.into.of(low as usize) {
                    if above[simulated as usize].contains(source as usize) {
                        above[simulated as usize].set(source as usize, false);
                        removed.push((simulated, source));
                    }
                }
            }
        }
    }
    above
}

/// The counters of one letter.
struct Counters {
    /// The states with an edge.
    sources: FixedBitSet,
    /// For each state, those with an edge to it.
    into: Successors,
    /// For each source, where its counters begin.
    row: Vec<usize>,
    /// For each target, the place of its counter in a row.
    column: Vec<Option<usize>>,
    counts: Vec<u32>,
}

impl Counters {
    fn new(states: usize, edges: &[(usize, usize)], backwards: bool) -> Self {
        let edges = || edges.iter().map(move |&(from, to)| if backwards { (to, from) } else { (from, to) });
        let mut column = vec![None; states];
        let mut targets = 0;
        for (_, to) in edges() {
            column[to].get_or_insert_with(|| {
                targets += 1;
                targets - 1
            });
        }
        let mut degree = vec![0; states];
        edges().for_each(|(from, _)| degree[from] += 1);
        let mut sources = FixedBitSet::with_capacity(states);
        let mut row = vec![0; states];
        let mut counts = Vec::new();
        for source in (0..states).filter(|&source| degree[source] > 0) {
            sources.insert(source);
            row[source] = counts.len();
            counts.resize(counts.len() + targets, degree[source]);
        }
        Self { sources, into: Successors::new(states, edges().map(|(from, to)| (to, from))), row, column, counts }
    }
}

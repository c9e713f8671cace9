//! From an automaton to what is drawn of it: the states to show, and one arrow for all edges between two of them.

use fixedbitset::FixedBitSet;

use super::label::{Label, Labels};
use super::name::{shortened, visible};
use crate::ids::{Letter, StateId};
use crate::nfa::Nfa;

/// Longer names do not fit into a state.
const LONGEST_NAME: usize = 8;

/// A state as it is drawn.
#[derive(Debug)]
pub(super) struct State {
    /// Its name in the automaton, with nothing in it that would not show.
    pub(super) name: String,
    pub(super) initial: bool,
    pub(super) accepting: bool,
    /// The letters that lead back to it.
    pub(super) looping: Option<Label>,
}

/// All edges from one state to another one; both are places in [`Graph::states`].
#[derive(Debug)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Label,
}

/// The picture before anything has a place.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) states: Vec<State>,
    pub(super) arrows: Vec<Arrow>,
}

/// The states to draw: all of them, or those that some accepted word visits.
pub(super) fn shown(nfa: &Nfa, dead_states: bool) -> FixedBitSet {
    if !dead_states {
        return nfa.useful_states();
    }
    let mut shown = FixedBitSet::with_capacity(nfa.len());
    shown.insert_range(..);
    shown
}

/// How many arrows the picture has, loops included.
pub(super) fn arrow_count(nfa: &Nfa, shown: &FixedBitSet) -> usize {
    shown.ones().map(|state| targets(nfa, shown, state).chunk_by(|a, b| a.0 == b.0).count()).sum()
}

/// The edges of `state` to shown states, grouped by target.
fn targets(nfa: &Nfa, shown: &FixedBitSet, state: usize) -> Vec<(usize, Letter)> {
    let edges = nfa.edges_from(StateId::new(state)).iter();
    let mut targets: Vec<(usize, Letter)> =
        edges.map(|&(letter, to)| (to.index(), letter)).filter(|&(to, _)| shown.contains(to)).collect();
    targets.sort_unstable();
    targets
}

impl Graph {
    /// The picture of the states in `shown`.
    pub(super) fn new(nfa: &Nfa, shown: &FixedBitSet) -> Self {
        let labels = Labels::new(nfa.alphabet());
        let mut place = vec![0; nfa.len()];
        for (new, old) in shown.ones().enumerate() {
            place[old] = new;
        }
        let mut graph = Self { states: Vec::new(), arrows: Vec::new() };
        for number in shown.ones() {
            let mut looping = None;
            for group in targets(nfa, shown, number).chunk_by(|a, b| a.0 == b.0) {
                let letters: Vec<Letter> = group.iter().map(|&(_, letter)| letter).collect();
                let label = labels.of(&letters);
                if group[0].0 == number {
                    looping = Some(label);
                } else {
                    graph.arrows.push(Arrow { from: place[number], to: place[group[0].0], label });
                }
            }
            let state = StateId::new(number);
            let (initial, accepting) = (nfa.is_initial(state), nfa.is_accepting(state));
            let name = shortened(&visible(&nfa.name(state)), LONGEST_NAME);
            graph.states.push(State { name, initial, accepting, looping });
        }
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::Alphabet;
    use crate::nfa::NfaBuilder;

    #[test]
    fn parallel_edges_merge_and_useless_states_hide() {
        let mut builder = NfaBuilder::with_states(Alphabet::of_chars("ab"), 4);
        let [q0, q1, q2, q3] = [0, 1, 2, 3].map(StateId::new);
        let [a, b] = [0, 1].map(Letter::new);
        builder.initial(q1);
        builder.accepting(q3);
        builder.edge(q1, a, q3);
        builder.edge(q1, b, q3);
        builder.edge(q3, b, q3);
        builder.edge(q1, a, q2); // leads nowhere
        builder.edge(q0, a, q3); // is never reached
        let nfa = builder.build();

        let useful = Graph::new(&nfa, &shown(&nfa, false));
        let names: Vec<&str> = useful.states.iter().map(|state| state.name.as_str()).collect();
        assert_eq!(names, ["1", "3"]);
        let named = nfa.clone().with_names(["S", "A1", "A2", "Subject of a sentence"].map(str::to_owned).to_vec());
        let named = Graph::new(&named, &shown(&named, false));
        assert_eq!(named.states.iter().map(|state| state.name.as_str()).collect::<Vec<_>>(), ["A1", "Subj…ce"]);
        let [arrow] = useful.arrows.as_slice() else { panic!("one arrow, not {:?}", useful.arrows) };
        assert_eq!((arrow.from, arrow.to, arrow.label.lines()), (0, 1, ["a, b".to_owned()].as_slice()));
        assert!(useful.states[1].looping.is_some() && useful.states[0].looping.is_none());

        let all = shown(&nfa, true);
        let graph = Graph::new(&nfa, &all);
        assert_eq!((graph.states.len(), graph.arrows.len()), (4, 3));
        assert_eq!(arrow_count(&nfa, &all), 4);
    }
}

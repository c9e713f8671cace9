//! Starting points of walkers: random, or a given automaton.

use automata::{Dfa, StateId};
use rand_core::Rng;

use super::candidate::Candidate;
use super::tree::Tree;
use crate::random::below;

/// A random automaton.
pub(super) fn random(tree: &Tree, size: usize, random: &mut impl Rng) -> Candidate {
    Candidate::new(tree, size, |_| below(size as u64, random) as u8)
}

/// An automaton with `size` states that keeps as much of another as possible: the states that most prefixes lead to,
/// and always the first. Transitions to dropped states and from new states are random.
pub(super) fn fold(tree: &Tree, size: usize, dfa: &Dfa, random: &mut impl Rng) -> Candidate {
    let letters: Vec<_> = tree.names().map(|name| dfa.alphabet().letter_for(name)).collect();
    let next = |state: StateId, rank: usize| dfa.next(state, letters[rank]?);
    let mut prefixes = vec![0_u32; dfa.len()];
    let mut states = vec![Some(dfa.initial())];
    for (step, &parent) in tree.steps.iter().zip(&tree.parents).skip(1) {
        let state = states[parent as usize].and_then(|state| next(state, usize::from(step.letter)));
        states.push(state);
        if let Some(state) = state {
            prefixes[state.index()] += 1;
        }
    }
    let mut kept: Vec<StateId> = dfa.states().filter(|&state| state != dfa.initial()).collect();
    kept.sort_by_key(|state| std::cmp::Reverse(prefixes[state.index()]));
    kept.insert(0, dfa.initial());
    kept.truncate(size);
    let mut names = vec![None; dfa.len()];
    for (name, state) in kept.iter().enumerate() {
        names[state.index()] = Some(name as u8);
    }
    Candidate::new(tree, size, |cell| {
        let old = kept.get(usize::from(cell.state));
        let known = old.and_then(|&state| names[next(state, usize::from(cell.letter))?.index()]);
        known.unwrap_or_else(|| below(size as u64, random) as u8)
    })
}

//! Random deterministic automata, drawn as the Abbadingo competition drew its targets: dense languages, with no
//! structure but what chance gives.

use automata::{Dfa, minimize};

use crate::chance;

/// How often an automaton of exactly the size asked for is tried at the most.
const TRIES: usize = 100_000;
/// How many transitions are drawn for that in all: large automata are tried less often.
const TRANSITIONS: usize = 200_000_000;

/// Chance gave no automaton of the size asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("of {tries} random automata over {letters} letters none had exactly {states} states when minimised")]
pub struct NoSuchSize {
    /// The states asked for.
    pub states: usize,
    /// The letters asked for.
    pub letters: usize,
    /// How many were drawn.
    pub tries: usize,
}

/// A random minimal complete automaton of about `states` states over [`letters`](crate::letters).
///
/// A quarter more states are drawn than asked for, with every transition uniform and every state accepting or not by
/// the toss of a coin; those that are reached are kept, four fifths of them over two letters, and minimised.
#[must_use]
pub fn random_dfa(states: usize, letters: usize, seed: u64) -> Dfa {
    attempt(states, letters, seed, 0)
}

/// A random minimal complete automaton of exactly `states` states: [`random_dfa`] again until it has that many.
pub fn random_dfa_of_size(states: usize, letters: usize, seed: u64) -> Result<Dfa, NoSuchSize> {
    let tries = (TRANSITIONS / states.saturating_mul(letters).max(1)).clamp(10, TRIES);
    (0..tries)
        .map(|number| attempt(states, letters, seed, number as u64))
        .find(|dfa| dfa.len() == states)
        .ok_or(NoSuchSize { states, letters, tries })
}

/// A random minimal automaton in which most letters lead to the dead state: so many letters lead on from a state on
/// average, to any other, and every state accepts or not by the toss of a coin. It has exactly `states` states besides the
/// dead one, or is drawn again with some more or fewer to begin with.
pub fn random_sparse_dfa_of_size(
    states: usize,
    letters: usize,
    transitions: f64,
    seed: u64,
) -> Result<Dfa, NoSuchSize> {
    let tries = (TRANSITIONS / states.saturating_mul(letters).max(1)).clamp(10, TRIES);
    let more = states + 1;
    (0..tries)
        .map(|number| sparse(states + number % more, letters, transitions, seed, number as u64))
        .find(|dfa| dfa.trimmed().len() == states)
        .ok_or(NoSuchSize { states, letters, tries })
}

fn sparse(drawn: usize, letters: usize, transitions: f64, seed: u64, number: u64) -> Dfa {
    let mut random = chance::stream(seed, number);
    let leads_on = transitions / letters.max(1) as f64;
    let mut next = || chance::happens(leads_on, &mut random).then(|| chance::below(drawn, &mut random));
    let rows: Vec<Vec<Option<usize>>> = (0..drawn).map(|_| (0..letters).map(|_| next()).collect()).collect();
    let accepting: Vec<usize> = (0..drawn).filter(|_| chance::happens(0.5, &mut random)).collect();
    minimize(&Dfa::new(crate::letters(letters), 0, accepting, &rows).expect("every number is that of a state"))
}

fn attempt(states: usize, letters: usize, seed: u64, number: u64) -> Dfa {
    let drawn = (states + states / 4).max(1);
    let mut random = chance::stream(seed, number);
    let rows: Vec<Vec<Option<usize>>> =
        (0..drawn).map(|_| (0..letters).map(|_| Some(chance::below(drawn, &mut random))).collect()).collect();
    let accepting: Vec<usize> = (0..drawn).filter(|_| chance::happens(0.5, &mut random)).collect();
    minimize(&Dfa::new(crate::letters(letters), 0, accepting, &rows).expect("every number is that of a state"))
}

//! Random deterministic automata, drawn as the Abbadingo competition drew its targets: dense languages, with no
//! structure but what chance gives.

use automata::{Dfa, minimize};

use crate::chance;

/// How often an automaton of exactly the size asked for is tried.
const TRIES: u64 = 100_000;

/// Chance gave no automaton of the size asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("of {TRIES} random automata over {letters} letters none was minimal with exactly {states} states")]
pub struct NoSuchSize {
    /// The states asked for.
    pub states: usize,
    /// The letters asked for.
    pub letters: usize,
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
    (0..TRIES)
        .map(|number| attempt(states, letters, seed, number))
        .find(|dfa| dfa.len() == states)
        .ok_or(NoSuchSize { states, letters })
}

fn attempt(states: usize, letters: usize, seed: u64, number: u64) -> Dfa {
    let drawn = (states + states / 4).max(1);
    let mut random = chance::stream(seed, number);
    let rows: Vec<Vec<Option<usize>>> =
        (0..drawn).map(|_| (0..letters).map(|_| Some(chance::below(drawn, &mut random))).collect()).collect();
    let accepting: Vec<usize> = (0..drawn).filter(|_| chance::happens(0.5, &mut random)).collect();
    minimize(&Dfa::new(crate::letters(letters), 0, accepting, &rows).expect("every number is that of a state"))
}

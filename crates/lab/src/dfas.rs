//! Random deterministic automata, drawn like the targets of the Abbadingo competition: dense languages without any
//! structure but chance.

use automata::{Dfa, minimize};

use crate::chance;

/// Maximum number of attempts to draw an automaton of exactly the requested size.
const TRIES: usize = 100_000;
/// Maximum total number of transitions drawn for that, so large automata are tried less often.
const TRANSITIONS: usize = 200_000_000;

/// No automaton of the requested size was drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("none of {tries} random automata over {letters} letters had exactly {states} states when minimised")]
pub struct NoSuchSize {
    /// The requested number of states.
    pub states: usize,
    /// The requested number of letters.
    pub letters: usize,
    /// The number of attempts.
    pub tries: usize,
}

/// A random minimal complete automaton with about `states` states over [`letters`](crate::letters).
///
/// A quarter more states are drawn than requested, with every transition uniform and every state accepting with
/// probability one half; the reachable ones are kept, four fifths of them over two letters, and minimised.
#[must_use]
pub fn random_dfa(states: usize, letters: usize, seed: u64) -> Dfa {
    attempt(states, letters, seed, 0)
}

/// A random minimal complete automaton with exactly `states` states: repeats [`random_dfa`] until it has that many.
pub fn random_dfa_of_size(states: usize, letters: usize, seed: u64) -> Result<Dfa, NoSuchSize> {
    let tries = (TRANSITIONS / states.saturating_mul(letters).max(1)).clamp(10, TRIES);
    (0..tries)
        .map(|number| attempt(states, letters, seed, number as u64))
        .find(|dfa| dfa.len() == states)
        .ok_or(NoSuchSize { states, letters, tries })
}

/// A random minimal automaton in which most letters lead to the dead state: on average `transitions` letters per state
/// lead to a random state instead, and every state accepts with probability one half. It is drawn again, starting from
/// `states` to twice as many states, until it has exactly `states` states besides the dead one.
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

//! Automata by exploring states, and several of them run at once.

use std::collections::HashMap;
use std::hash::Hash;

use automata::{Alphabet, Dfa, Letter, StateId, minimize};

/// The states after each letter, by state and letter. No transition is missing.
type Rows = Vec<Vec<Option<usize>>>;

/// The states that are reached from the first, numbered in the order in which they are met; `None` if there are more
/// than `limit`.
fn reach<S: Clone + Eq + Hash>(
    alphabet: &Alphabet,
    first: S,
    limit: usize,
    step: impl Fn(&S, Letter) -> S,
) -> Option<(Vec<S>, Rows)> {
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut rows = Vec::new();
    while let Some(state) = states.get(rows.len()).cloned() {
        let mut row = Vec::with_capacity(alphabet.len());
        for letter in alphabet.letters() {
            let number = *numbers.entry(step(&state, letter)).or_insert_with_key(|next| {
                states.push(next.clone());
                states.len() - 1
            });
            row.push(Some(number));
        }
        rows.push(row);
        if states.len() > limit {
            return None;
        }
    }
    Some((states, rows))
}

fn automaton(alphabet: &Alphabet, rows: &Rows, accepts: impl Fn(usize) -> bool) -> Dfa {
    let accepting = (0..rows.len()).filter(|&state| accepts(state));
    Dfa::new(alphabet.clone(), 0, accepting, rows).expect("every number is that of a state")
}

/// The complete automaton of the states that are reached from the first.
pub(super) fn explore<S: Clone + Eq + Hash>(
    alphabet: &Alphabet,
    first: S,
    step: impl Fn(&S, Letter) -> S,
    accepts: impl Fn(&S) -> bool,
) -> Dfa {
    let (states, rows) = reach(alphabet, first, usize::MAX, step).expect("there is no limit");
    automaton(alphabet, &rows, |state| accepts(&states[state]))
}

/// Several automata over the same letters that read a word at the same time.
pub(super) struct Product {
    alphabet: Alphabet,
    rows: Rows,
    /// Which of the automata accept, by state.
    holds: Vec<Vec<bool>>,
}

impl Product {
    /// The product of complete automata; `None` if it has more than `limit` states.
    pub(super) fn new(alphabet: &Alphabet, parts: &[Dfa], limit: usize) -> Option<Self> {
        let step = |states: &Vec<StateId>, letter: Letter| {
            let next = |(part, &state): (&Dfa, &StateId)| part.next(state, letter).expect("they are complete");
            parts.iter().zip(states).map(next).collect()
        };
        let (states, rows) = reach(alphabet, parts.iter().map(Dfa::initial).collect(), limit, step)?;
        let holds = |state: &Vec<StateId>| parts.iter().zip(state).map(|(part, &one)| part.is_accepting(one)).collect();
        Some(Self { alphabet: alphabet.clone(), rows, holds: states.iter().map(holds).collect() })
    }

    /// Which of the automata accept, by state.
    pub(super) fn holds(&self) -> &[Vec<bool>] {
        &self.holds
    }

    /// The minimal automaton of the words for which `rule` says so, from which of the parts accept.
    pub(super) fn language(&self, rule: impl Fn(&[bool]) -> bool) -> Dfa {
        minimize(&automaton(&self.alphabet, &self.rows, |state| rule(&self.holds[state])))
    }

    /// For each length up to `longest`, the share of all words that end in each state.
    pub(super) fn shares(&self, longest: usize) -> Vec<Vec<f64>> {
        let letters = self.alphabet.len() as f64;
        let mut first = vec![0.0; self.rows.len()];
        first[0] = 1.0;
        let mut shares = vec![first];
        for length in 0..longest {
            let mut next = vec![0.0; self.rows.len()];
            for (row, &share) in self.rows.iter().zip(&shares[length]).filter(|(_, share)| **share > 0.0) {
                for &state in row.iter().flatten() {
                    next[state] += share / letters;
                }
            }
            shares.push(next);
        }
        shares
    }
}

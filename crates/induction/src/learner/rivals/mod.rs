//! Rivals: other languages near an answer that get every example right, too.
//!
//! An answer is settled when nobody contradicts it, so contradiction is looked for: each transition of the minimal
//! automaton is sent elsewhere, each state accepts where it did not, each pair of states is made one; and one transition
//! at a time is sent to a copy of its state that differs in one respect. Whatever then still agrees with all examples is a
//! rival, and a word on which it differs from the answer is one worth asking about. A
//! change that contradicts an example is given up at the first that it contradicts, so most cost a few words.

use automata::Dfa;

use crate::description::automaton_bits;
use crate::sample::Sample;

/// A complete automaton as a table, with the examples that visit each of its cells.
struct Neighbourhood<'a> {
    sample: &'a Sample,
    letters: usize,
    /// `[k][t]`
    next: Vec<u32>,
    accepting: Vec<bool>,
    initial: u32,
    /// `[nodes]`: what is asked of the word that ends there: accepted, rejected, or neither.
    wanted: Vec<Option<bool>>,
    /// `[nodes]`: the first node that does not begin with this word.
    after: Vec<u32>,
    /// `[nodes]`
    states: Vec<u32>,
    /// The nodes sorted by the cell that leads to them, and `[k·t + 1]` where each cell's begin.
    visits: Vec<u32>,
    begins: Vec<usize>,
    /// `[nodes]`: scratch, the states along a path that is replayed.
    replayed: Vec<u32>,
}

/// Languages that differ from that of `dfa` by one change and agree with every example, at most `limit` of each kind,
/// fewest states first. The automaton is minimal and complete over the sample's letters, and agrees with every example.
pub(crate) fn rivals(dfa: &Dfa, sample: &Sample, limit: usize) -> Vec<Dfa> {
    let mut near = Neighbourhood::new(dfa, sample);
    let mut rivals: Vec<Dfa> = Vec::new();
    for found in [near.smaller(dfa), near.redirected(dfa), near.split(dfa)] {
        let mut kind: Vec<Dfa> = Vec::new();
        for rival in found.iter().map(automata::minimize) {
            if rival != *dfa && !rivals.contains(&rival) && !kind.contains(&rival) {
                kind.push(rival);
            }
        }
        kind.sort_by(|a, b| automaton_bits(a).total_cmp(&automaton_bits(b)));
        kind.truncate(limit);
        rivals.extend(kind);
    }
    rivals
}

/// Of each kind so many are looked at: what comes first in the automaton's order.
const MOST_FOUND: usize = 500;
/// Above so many outcomes, splitting states is not tried.
const MOST_SPLIT: usize = 100_000;

impl<'a> Neighbourhood<'a> {
    fn new(dfa: &Dfa, sample: &'a Sample) -> Self {
        let letters = dfa.alphabet().len();
        let cells = dfa.len() * letters;
        let mut next = vec![0; cells];
        for (from, letter, to) in dfa.transitions() {
            next[from.index() * letters + letter.index()] = to.index() as u32;
        }
        let counts = sample.counts_by_node();
        let wanted = counts.iter().map(|counts| match (counts.accepted, counts.rejected) {
            (0, 0) => None,
            (accepted, rejected) => Some(accepted > rejected),
        });
        let nodes = counts.len();
        let mut after: Vec<u32> = (1..=nodes as u32).collect();
        // Words that begin alike stand together, so a node's last descendant ends where its last child's does.
        for node in (1..nodes).rev() {
            let parent = sample.parents()[node] as usize;
            after[parent] = after[parent].max(after[node]);
        }
        let initial = dfa.initial().index() as u32;
        let mut states = vec![initial; nodes];
        let mut begins = vec![0; cells + 1];
        let cell_of = |states: &[u32], node: usize| {
            states[sample.parents()[node] as usize] as usize * letters + sample.letters()[node].index()
        };
        for node in 1..nodes {
            let cell = cell_of(&states, node);
            states[node] = next[cell];
            begins[cell + 1] += 1;
        }
        for cell in 0..cells {
            begins[cell + 1] += begins[cell];
        }
        let mut fill = begins.clone();
        let mut visits = vec![0; nodes - 1];
        for node in 1..nodes {
            let at = &mut fill[cell_of(&states, node)];
            visits[*at] = node as u32;
            *at += 1;
        }
        Self {
            sample,
            letters,
            next,
            accepting: dfa.states().map(|state| dfa.is_accepting(state)).collect(),
            initial,
            wanted: wanted.collect(),
            after,
            replayed: states.clone(),
            states,
            visits,
            begins,
        }
    }

    /// Two states made one.
    fn smaller(&mut self, dfa: &Dfa) -> Vec<Dfa> {
        let states = self.accepting.len() as u32;
        let mut found = Vec::new();
        for gone in (0..states).rev() {
            for kept in (0..states).filter(|kept| *kept != gone) {
                if self.merged_is_consistent(kept, gone) {
                    found.push(self.merged(dfa, kept, gone));
                }
            }
        }
        found
    }

    /// A transition that leads elsewhere, or a state that accepts where it did not.
    fn redirected(&mut self, dfa: &Dfa) -> Vec<Dfa> {
        let states = self.accepting.len() as u32;
        let mut found = Vec::new();
        for cell in 0..self.next.len() {
            if found.len() >= MOST_FOUND {
                break;
            }
            let old = self.next[cell];
            for target in (0..states).filter(|target| *target != old) {
                if self.redirected_is_consistent(cell, target) {
                    self.next[cell] = target;
                    found.push(self.to_dfa(dfa));
                    self.next[cell] = old;
                }
            }
        }
        for state in 0..states {
            if self.is_never_decided(state) {
                self.accepting[state as usize] ^= true;
                found.push(self.to_dfa(dfa));
                self.accepting[state as usize] ^= true;
            }
        }
        found
    }

    /// A transition that leads to a copy of its state, one respect of which is another.
    fn split(&mut self, dfa: &Dfa) -> Vec<Dfa> {
        let (states, letters) = (self.accepting.len(), self.letters);
        let mut found = Vec::new();
        if self.next.len() * letters * states > MOST_SPLIT {
            return found;
        }
        let copy = states as u32;
        for cell in 0..self.next.len() {
            if found.len() >= MOST_FOUND {
                break;
            }
            let old = self.next[cell];
            let of = old as usize;
            let row: Vec<u32> = self.next[of * letters..][..letters].to_vec();
            self.next.extend(&row);
            self.accepting.push(!self.accepting[of]);
            if self.redirected_is_consistent(cell, copy) {
                found.push(self.with(cell, copy, dfa));
            }
            self.accepting[states] ^= true;
            for (letter, &before) in row.iter().enumerate() {
                for target in (0..copy).filter(|target| *target != before) {
                    self.next[states * letters + letter] = target;
                    if self.redirected_is_consistent(cell, copy) {
                        found.push(self.with(cell, copy, dfa));
                    }
                }
                self.next[states * letters + letter] = before;
            }
            self.next.truncate(states * letters);
            self.accepting.truncate(states);
        }
        found
    }

    fn with(&mut self, cell: usize, target: u32, dfa: &Dfa) -> Dfa {
        let old = std::mem::replace(&mut self.next[cell], target);
        let dfa = self.to_dfa(dfa);
        self.next[cell] = old;
        dfa
    }

    fn redirected_is_consistent(&mut self, cell: usize, target: u32) -> bool {
        let old = std::mem::replace(&mut self.next[cell], target);
        let range = self.begins[cell]..self.begins[cell + 1];
        let mut seen = 0;
        let consistent = range.into_iter().all(|at| {
            let node = self.visits[at];
            // What lies below one that was replayed was replayed with it.
            if node < seen {
                return true;
            }
            seen = self.after[node as usize];
            self.subtree_is_consistent(node, target)
        });
        self.next[cell] = old;
        consistent
    }

    fn merged_is_consistent(&mut self, kept: u32, gone: u32) -> bool {
        let before = self.next.clone();
        let initial = self.initial;
        self.next.iter_mut().filter(|next| **next == gone).for_each(|next| *next = kept);
        self.initial = if initial == gone { kept } else { initial };
        let consistent = self.subtree_is_consistent(0, self.initial);
        (self.next, self.initial) = (before, initial);
        consistent
    }

    /// Whether all words that begin as the node's come out right when the node is in this state.
    fn subtree_is_consistent(&mut self, node: u32, state: u32) -> bool {
        let right = |near: &Self, node: usize, state: u32| {
            near.wanted[node].is_none_or(|wanted| wanted == near.accepting[state as usize])
        };
        self.replayed[node as usize] = state;
        if !right(self, node as usize, state) {
            return false;
        }
        for below in node + 1..self.after[node as usize] {
            let below = below as usize;
            let parent = self.sample.parents()[below] as usize;
            let cell = self.replayed[parent] as usize * self.letters + self.sample.letters()[below].index();
            self.replayed[below] = self.next[cell];
            if !right(self, below, self.next[cell]) {
                return false;
            }
        }
        true
    }

    fn is_never_decided(&self, state: u32) -> bool {
        self.states.iter().zip(&self.wanted).all(|(at, wanted)| *at != state || wanted.is_none())
    }

    fn merged(&self, dfa: &Dfa, kept: u32, gone: u32) -> Dfa {
        let renamed = |state: u32| if state == gone { kept } else { state };
        self.build(dfa, renamed(self.initial), renamed)
    }

    fn to_dfa(&self, dfa: &Dfa) -> Dfa {
        self.build(dfa, self.initial, |state| state)
    }

    fn build(&self, dfa: &Dfa, initial: u32, renamed: impl Fn(u32) -> u32) -> Dfa {
        let row = |row: &[u32]| row.iter().map(|next| Some(renamed(*next) as usize)).collect();
        let rows: Vec<Vec<Option<usize>>> = match self.letters {
            0 => vec![Vec::new(); self.accepting.len()],
            letters => self.next.chunks_exact(letters).map(row).collect(),
        };
        let accepting = (0..self.accepting.len()).filter(|state| self.accepting[*state]);
        Dfa::new(dfa.alphabet().clone(), initial as usize, accepting, &rows).expect("all states are in range")
    }
}

#[cfg(test)]
mod tests {
    use automata::formats::abbadingo::{Examples, Label};
    use automata::{Alphabet, Regex, StateId, enumerate, minimize};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against all words to length 4 and some labels: a rival agrees with them and is another language; and where
        /// one transition can be sent elsewhere without harm, some rival is found.
        #[test]
        fn rivals_agree_with_the_examples_and_differ(
            pattern in "(a|b|ab|ba|\\(ab\\)\\*|a\\*|b\\*|\\(a\\|bb\\)\\*){1,3}",
            shown in prop::collection::vec(any::<bool>(), 31),
        ) {
            let alphabet = Alphabet::of_chars("ab");
            let dfa = minimize(&Regex::parse(&pattern, &alphabet).unwrap().to_dfa().unwrap());
            let words = enumerate(&Dfa::constant(alphabet.clone(), true)).take(31).zip(&shown);
            let label = |accepted| if accepted { Label::Accepted } else { Label::Rejected };
            let rows: Vec<_> = words.filter(|(_, shown)| **shown).map(|(word, _)| (word.clone(), label(dfa.accepts(&word)))).collect();
            let sample = Sample::new(&Examples { alphabet: alphabet.clone(), rows: rows.clone() }, false).unwrap();
            let found = rivals(&dfa, &sample, 1_000);
            for rival in &found {
                prop_assert!(*rival != dfa);
                prop_assert!(rows.iter().all(|(word, label)| rival.accepts(word) == (*label == Label::Accepted)));
            }
            let mut table: Vec<Vec<Option<usize>>> = dfa.states().map(|state| {
                alphabet.letters().map(|letter| dfa.next(state, letter).map(StateId::index)).collect()
            }).collect();
            for state in 0..dfa.len() {
                for letter in 0..2 {
                    for target in 0..dfa.len() {
                        let old = table[state][letter].replace(target);
                        let accepting = dfa.accepting().map(StateId::index);
                        let changed = minimize(&Dfa::new(alphabet.clone(), dfa.initial().index(), accepting, &table).unwrap());
                        let agrees = rows.iter().all(|(word, label)| changed.accepts(word) == (*label == Label::Accepted));
                        prop_assert!(!agrees || changed == dfa || found.contains(&changed));
                        table[state][letter] = old;
                    }
                }
            }
        }
    }
}

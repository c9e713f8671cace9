//! Small complete automata over classes of letters that act alike.
//!
//! A fact about `ab` treats all letters but a and b in the same way. So its automaton has three columns, not one for each
//! letter of the alphabet, and so has the product of several facts, which makes formulas over many letters cheap.

use std::collections::BTreeMap;
use std::hash::Hash;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::alphabet::Alphabet;
use crate::dfa::{Dfa, MISSING};
use crate::ids::{Letter, StateId};

/// A complete automaton over classes of letters. State 0 is the initial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The class of each letter.
    classes: Vec<u32>,
    /// Number of classes.
    width: usize,
    /// `[states][width]`.
    table: Vec<u32>,
    accepting: Vec<bool>,
}

impl Machine {
    /// The automaton that is reached from a state by a rule; `None` beyond `limit` states.
    pub(super) fn explore_within<S: Clone + Eq + Hash>(
        initial: S,
        width: usize,
        classes: Vec<u32>,
        limit: usize,
        next: impl Fn(&S, usize) -> S,
        accepts: impl Fn(&S) -> bool,
    ) -> Option<Self> {
        let mut states = vec![initial.clone()];
        let mut numbers: HashMap<S, u32> = HashMap::new();
        numbers.insert(initial, 0);
        let mut table = Vec::new();
        let mut at = 0;
        while at < states.len() {
            for class in 0..width {
                let to = next(&states[at], class);
                let number = match numbers.get(&to) {
                    Some(&number) => number,
                    None => {
                        let number = states.len() as u32;
                        numbers.insert(to.clone(), number);
                        states.push(to);
                        number
                    }
                };
                table.push(number);
            }
            if states.len() > limit.min(MISSING as usize - 1) {
                return None;
            }
            at += 1;
        }
        let accepting = states.iter().map(accepts).collect();
        Some(Self { classes, width, table, accepting })
    }

    /// Reads an automaton over all letters.
    pub(super) fn of(dfa: &Dfa) -> Self {
        let dfa = dfa.completed().canonical();
        let mut columns: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let (mut classes, mut representatives) = (Vec::new(), Vec::new());
        for letter in 0..dfa.alphabet().len() {
            let column: Vec<u32> = (0..dfa.len()).map(|state| dfa.row(state)[letter]).collect();
            let new = columns.len() as u32;
            let class = *columns.entry(column).or_insert(new);
            if class == new {
                representatives.push(letter);
            }
            classes.push(class);
        }
        let cells = (0..dfa.len()).flat_map(|state| representatives.iter().map(move |&letter| (state, letter)));
        let table = cells.map(|(state, letter)| dfa.row(state)[letter]).collect();
        let accepting = dfa.states().map(|state| dfa.is_accepting(state)).collect();
        Self { classes, width: representatives.len(), table, accepting }
    }

    /// Runs several automata at once; `accepts` decides by what each of them says. `None` beyond `limit` states.
    #[must_use]
    pub fn product(machines: &[&Self], limit: usize, accepts: impl Fn(&[bool]) -> bool) -> Option<Self> {
        let letters = machines.first().map_or(0, |machine| machine.classes.len());
        let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let (mut classes, mut tuples) = (Vec::with_capacity(letters), Vec::new());
        for letter in 0..letters {
            let tuple: Vec<u32> = machines.iter().map(|machine| machine.classes[letter]).collect();
            let new = known.len() as u32;
            let class = *known.entry(tuple.clone()).or_insert(new);
            if class == new {
                tuples.push(tuple);
            }
            classes.push(class);
        }
        let next = |states: &Vec<u32>, class: usize| -> Vec<u32> {
            let both = machines.iter().zip(states).zip(&tuples[class]);
            both.map(|((machine, &state), &class)| machine.table[state as usize * machine.width + class as usize])
                .collect()
        };
        let says = |states: &Vec<u32>| {
            let each: Vec<bool> =
                machines.iter().zip(states).map(|(machine, &state)| machine.accepting[state as usize]).collect();
            accepts(&each)
        };
        Self::explore_within(vec![0; machines.len()], tuples.len(), classes, limit, next, says)
    }

    /// Number of states.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an automaton has at least one state")]
    pub fn len(&self) -> usize {
        self.accepting.len()
    }

    /// Number of classes of letters.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The class of each letter.
    #[must_use]
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// The next state for each class of letters.
    #[must_use]
    pub fn row(&self, state: usize) -> &[u32] {
        &self.table[state * self.width..][..self.width]
    }

    /// Whether words that lead to a state are accepted.
    #[must_use]
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// Whether it accepts a word.
    #[must_use]
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let next = |state: usize, letter: &Letter| self.row(state)[self.classes[letter.index()] as usize] as usize;
        self.accepting[word.iter().fold(0, next)]
    }

    /// The same automaton over all letters of an alphabet.
    pub(super) fn to_dfa(&self, alphabet: &Alphabet) -> Dfa {
        let mut accepting = FixedBitSet::with_capacity(self.len());
        accepting.extend((0..self.len()).filter(|&state| self.accepting[state]));
        let cells = (0..self.len()).flat_map(|state| self.classes.iter().map(move |&class| (state, class)));
        let table = cells.map(|(state, class)| self.row(state)[class as usize]).collect();
        Dfa::from_table(alphabet.clone(), StateId::new(0), accepting, table)
    }
}

/// Divides letters into classes by the sets that they are in.
pub(super) struct MachineBuilder {
    classes: Vec<u32>,
    count: u32,
}

impl MachineBuilder {
    pub(super) fn new(letters: usize) -> Self {
        Self { classes: vec![0; letters], count: 1 }
    }

    /// Tells the letters of a set from all others.
    pub(super) fn distinguish(&mut self, set: &[Letter]) {
        let mut new: BTreeMap<u32, u32> = BTreeMap::new();
        let outside = self.sizes();
        let mut inside = vec![0_usize; self.count as usize];
        let known = || set.iter().filter(|letter| letter.index() < self.classes.len());
        known().for_each(|letter| inside[self.classes[letter.index()] as usize] += 1);
        let letters: Vec<usize> = known().map(|letter| letter.index()).collect();
        for letter in letters {
            let class = self.classes[letter];
            if inside[class as usize] < outside[class as usize] {
                let count = &mut self.count;
                self.classes[letter] = *new.entry(class).or_insert_with(|| {
                    *count += 1;
                    *count - 1
                });
            }
        }
    }

    fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count as usize];
        self.classes.iter().for_each(|&class| sizes[class as usize] += 1);
        sizes
    }

    /// A letter of each class, and the class of each letter.
    pub(super) fn classes(self) -> (Vec<usize>, Vec<u32>) {
        let mut representatives = vec![0; if self.classes.is_empty() { 0 } else { self.count as usize }];
        for (letter, &class) in self.classes.iter().enumerate().rev() {
            representatives[class as usize] = letter;
        }
        (representatives, self.classes)
    }
}

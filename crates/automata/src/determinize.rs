//! The subset construction.
//!
//! A state of the new automaton is the set of states the old one may be in. The sets are stored back to back in one
//! array of bit blocks and looked up in a table of their numbers, so a set costs its bits and one table slot.

use std::hash::BuildHasher;

use fixedbitset::{Block, FixedBitSet};
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::dfa::{Dfa, MISSING};
use crate::ids::StateId;
use crate::nfa::Nfa;

/// Default maximum number of states of a construction.
pub const DEFAULT_STATE_LIMIT: usize = 1_000_000;

/// Maximum memory of a construction in bytes, whatever its limit.
const MEMORY_LIMIT: usize = 1 << 30;

/// A construction exceeded its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deterministic automaton needs more than {limit} states")]
pub struct TooManyStates {
    /// The limit that was exceeded.
    pub limit: usize,
}

/// The deterministic automaton of the same language, numbered breadth-first. It is partial: the empty set of states
/// is left out, and transitions to it are missing.
///
/// A non-deterministic automaton with n states may need 2ⁿ: the construction fails beyond `limit` states, or beyond as
/// many as fit into a gibibyte.
pub fn determinize(nfa: &Nfa, limit: usize) -> Result<Dfa, TooManyStates> {
    if let Some(dfa) = as_deterministic(nfa) {
        // Singleton sets would waste n bits each.
        let dfa = dfa.canonical();
        let limit = limit.max(1);
        return if dfa.len() <= limit { Ok(dfa) } else { Err(TooManyStates { limit }) };
    }
    let letters = nfa.alphabet().len();
    let mut subsets = Subsets::new(nfa.len(), letters, limit);
    let mut start = FixedBitSet::with_capacity(nfa.len());
    start.extend(nfa.initial().map(StateId::index));
    subsets.number_of(start.as_slice())?;

    let mut table: Vec<u32> = Vec::new();
    // The targets of the current state: a set for each letter that leads anywhere, in order of appearance.
    let mut targets: Vec<FixedBitSet> = Vec::new();
    let mut touched: Vec<(usize, usize)> = Vec::new();
    let mut set_of = vec![usize::MAX; letters];
    let mut here = FixedBitSet::with_capacity(nfa.len());
    let mut state = 0;
    while state < subsets.len() {
        here.as_mut_slice().copy_from_slice(subsets.get(state));
        for old in here.ones().map(StateId::new) {
            for &(letter, to) in nfa.edges_from(old) {
                let set = &mut set_of[letter.index()];
                if *set == usize::MAX {
                    *set = touched.len();
                    touched.push((letter.index(), *set));
                    if targets.len() < touched.len() {
                        targets.push(FixedBitSet::with_capacity(nfa.len()));
                    }
                }
                targets[*set].insert(to.index());
            }
        }
        table.resize((state + 1) * letters, MISSING);
        // In alphabet order, so that the numbering is breadth-first.
        touched.sort_unstable();
        for (letter, set) in touched.drain(..) {
            table[state * letters + letter] = subsets.number_of(targets[set].as_slice())?;
            targets[set].clear();
            set_of[letter] = usize::MAX;
        }
        state += 1;
    }

    let mut accepting = FixedBitSet::with_capacity(subsets.len());
    let mut ends = FixedBitSet::with_capacity(nfa.len());
    ends.extend(nfa.accepting().map(StateId::index));
    for state in 0..subsets.len() {
        accepting.set(state, subsets.get(state).iter().zip(ends.as_slice()).any(|(set, end)| set & end != 0));
    }
    Ok(Dfa::from_table(nfa.alphabet().clone(), StateId::new(0), accepting, table))
}

/// The automaton itself if it is already deterministic: one initial state, and no state with two edges on one letter.
/// `None` also if there are so many letters that its table would exceed the memory limit.
pub(crate) fn as_deterministic(nfa: &Nfa) -> Option<Dfa> {
    let mut initial = nfa.initial();
    let (initial, None) = (initial.next()?, initial.next()) else { return None };
    let letters = nfa.alphabet().len();
    let cells = nfa.len().checked_mul(letters).filter(|&cells| cells <= MEMORY_LIMIT / size_of::<u32>())?;
    let twice = |state| nfa.edges_from(state).windows(2).any(|pair| pair[0].0 == pair[1].0);
    if nfa.states().any(twice) {
        return None;
    }
    let mut table = vec![MISSING; cells];
    for (from, letter, to) in nfa.edges() {
        table[from.index() * letters + letter.index()] = to.index() as u32;
    }
    let mut accepting = FixedBitSet::with_capacity(nfa.len());
    accepting.extend(nfa.accepting().map(StateId::index));
    Some(Dfa::from_table(nfa.alphabet().clone(), initial, accepting, table))
}

/// Sets of old states, numbered in order of appearance.
struct Subsets {
    /// Number of blocks per set.
    width: usize,
    blocks: Vec<Block>,
    count: usize,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    limit: usize,
}

impl Subsets {
    fn new(states: usize, letters: usize, limit: usize) -> Self {
        let width = FixedBitSet::with_capacity(states).as_slice().len();
        // A state costs its set, its row in the table, and its slot.
        let bytes = (width * Block::BITS as usize / 8) + letters * size_of::<u32>() + 8;
        let limit = limit.min(MEMORY_LIMIT / bytes);
        Self {
            width,
            blocks: Vec::new(),
            count: 0,
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            limit: limit.clamp(1, MISSING as usize - 1),
        }
    }

    fn len(&self) -> usize {
        self.count
    }

    fn get(&self, number: usize) -> &[Block] {
        &self.blocks[number * self.width..(number + 1) * self.width]
    }

    fn number_of(&mut self, set: &[Block]) -> Result<u32, TooManyStates> {
        let (width, blocks, hasher) = (self.width, &self.blocks, &self.hasher);
        let stored = |number: u32| &blocks[number as usize * width..(number as usize + 1) * width];
        let hash = hasher.hash_one(set);
        if let Some(&known) = self.table.find(hash, |&number| stored(number) == set) {
            return Ok(known);
        }
        if self.count == self.limit {
            return Err(TooManyStates { limit: self.limit });
        }
        let number = self.count as u32;
        self.table.insert_unique(hash, number, |&other| hasher.hash_one(stored(other)));
        self.blocks.extend_from_slice(set);
        self.count += 1;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::Alphabet;
    use crate::ids::Letter;
    use crate::nfa::NfaBuilder;

    /// Words over {a, b} whose n-th letter from the end is an a: n + 1 states, 2ⁿ when deterministic.
    fn nth_from_the_end(n: usize) -> Nfa {
        let [a, b] = [0, 1].map(Letter::new);
        let mut builder = NfaBuilder::with_states(Alphabet::of_chars("ab"), n + 1);
        let state = StateId::new;
        builder.initial(state(0));
        builder.accepting(state(n));
        builder.edge(state(0), a, state(0));
        builder.edge(state(0), b, state(0));
        builder.edge(state(0), a, state(1));
        for q in 1..n {
            builder.edge(state(q), a, state(q + 1));
            builder.edge(state(q), b, state(q + 1));
        }
        builder.build()
    }

    #[test]
    fn the_classical_explosion_has_its_size_and_meets_its_limit() {
        assert_eq!(determinize(&nth_from_the_end(10), DEFAULT_STATE_LIMIT).unwrap().len(), 1024);
        assert_eq!(determinize(&nth_from_the_end(10), 1023), Err(TooManyStates { limit: 1023 }));
        assert_eq!(determinize(&nth_from_the_end(60), 5000), Err(TooManyStates { limit: 5000 }));
    }

    #[test]
    fn an_automaton_without_states_has_no_words() {
        let nothing = NfaBuilder::new(Alphabet::of_chars("ab")).build();
        assert!(determinize(&nothing, 10).unwrap().is_empty_language());
    }
}

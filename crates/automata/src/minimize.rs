//! The minimal deterministic automaton of a language, by Hopcroft's algorithm after a few rounds of Moore's.
//!
//! Both begin with two blocks, accepting and rejecting states, and split blocks until no letter separates two states
//! of one block.
//!
//! - *Moore* considers all states at once: states of a block stay together if their successors on every letter are in
//!   the same blocks. A round is one pass over the table. Most automata need only three or four rounds, but some need
//!   n rounds.
//! - *Hopcroft* splits by one block at a time and revisits only the smaller part of each split, so that a state is
//!   visited O(log n) times per letter.
//!
//! So Moore's rounds continue as long as each at least doubles the number of blocks, plus a few more; if the blocks
//! still change after that, Hopcroft continues from there. There are at most O(log n) rounds, so the total is
//! O(k n log n).
//!
//! All data is flat: Hopcroft's part keeps the states in one array in which each block is contiguous. A block is a
//! range, moving a state within its block is a swap, and splitting a block means choosing a boundary inside it.
//!
//! On random automata Moore's rounds find everything in less than half of Hopcroft's time (0.56 s instead of 1.26 s for
//! 10⁶ states); `cargo xtask bench automata` includes a family on which they do not help.
//!
//! Hopcroft's queue is the list of blocks. The part that splits off is always the smaller one, and exactly the one that
//! must be used later, so no separate set of waiting blocks is needed.

use fixedbitset::FixedBitSet;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::dfa::{Dfa, MISSING};
use crate::ids::StateId;

/// The minimal complete automaton of the same language in canonical form: two automata accept the same language over
/// the same alphabet exactly when their minimal automata are equal.
#[must_use]
pub fn minimize(dfa: &Dfa) -> Dfa {
    let dfa = dfa.canonical().completed();
    let classes = match moore(&dfa) {
        Rounds::Stable(classes) => classes,
        Rounds::Unfinished(classes) => hopcroft(&dfa, &classes),
    };
    let letters = dfa.alphabet().len();
    let mut accepting = FixedBitSet::with_capacity(classes.count);
    let mut table = vec![MISSING; classes.count * letters];
    let mut done = FixedBitSet::with_capacity(classes.count);
    for (state, &class) in classes.class_of.iter().enumerate() {
        if !done.put(class as usize) {
            accepting.set(class as usize, dfa.accepting_set().contains(state));
            let row = &mut table[class as usize * letters..][..letters];
            for (next, &old) in row.iter_mut().zip(dfa.row(state)) {
                *next = classes.class_of[old as usize];
            }
        }
    }
    let initial = StateId::new(classes.class_of[dfa.initial().index()] as usize);
    Dfa::from_table(dfa.alphabet().clone(), initial, accepting, table).canonical()
}

/// States grouped into classes numbered from 0.
struct Classes {
    class_of: Vec<u32>,
    count: usize,
}

/// The outcome of Moore's rounds.
enum Rounds {
    /// No letter separates two states of one class.
    Stable(Classes),
    /// Some classes may still split.
    Unfinished(Classes),
}

/// Number of rounds that may fail to double the classes before giving up on reaching a stable partition.
const PATIENCE: usize = 4;

/// Moore's rounds on a complete automaton.
fn moore(dfa: &Dfa) -> Rounds {
    let class_of: Vec<u32> = (0..dfa.len()).map(|state| u32::from(dfa.accepting_set().contains(state))).collect();
    let both = class_of.contains(&0) && class_of.contains(&1);
    let mut classes =
        if both { Classes { class_of, count: 2 } } else { Classes { class_of: vec![0; dfa.len()], count: 1 } };
    let mut patience = PATIENCE;
    while patience > 0 {
        let finer = round(dfa, &classes);
        if finer.count == classes.count {
            return Rounds::Stable(classes);
        }
        if finer.count < 2 * classes.count {
            patience -= 1;
        }
        classes = finer;
    }
    Rounds::Unfinished(classes)
}

/// One round: states stay together if they and their successors on every letter are in the same classes.
fn round(dfa: &Dfa, classes: &Classes) -> Classes {
    let class_of = &classes.class_of;
    let signature = |state: usize| {
        std::iter::once(class_of[state]).chain(dfa.row(state).iter().map(|&next| class_of[next as usize]))
    };
    let hash = |state: usize| {
        let mixed = signature(state)
            .fold(0_u64, |hash, class| (hash.rotate_left(5) ^ u64::from(class)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed ^ (mixed >> 32)
    };
    // A representative state for each new class, since equal hashes do not imply equal signatures.
    let mut first: Vec<u32> = Vec::with_capacity(2 * classes.count);
    let mut table: HashTable<u32> = HashTable::with_capacity(2 * classes.count);
    let mut finer = Vec::with_capacity(dfa.len());
    for state in 0..dfa.len() {
        let entry = table.entry(
            hash(state),
            |&class| signature(first[class as usize] as usize).eq(signature(state)),
            |&class| hash(first[class as usize] as usize),
        );
        finer.push(match entry {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let class = first.len() as u32;
                free.insert(class);
                first.push(state as u32);
                class
            }
        });
    }
    Classes { class_of: finer, count: first.len() }
}

/// Hopcroft's algorithm on a complete automaton, starting from classes that must not be merged.
///
/// Each block is used once to split the others, for every letter. The largest block can be skipped, since the states
/// that lead to it are those that lead to no other. When a block splits later, it keeps its larger part, and the
/// smaller part becomes a new block. If the old block has not been used yet, both parts must be used; if it has, the
/// smaller part is enough, since the larger one then gives no further splits. Either way only the new block has to be
/// added, so the list of blocks is itself the queue.
fn hopcroft(dfa: &Dfa, classes: &Classes) -> Classes {
    let incoming = Incoming::new(dfa);
    let mut blocks = Partition::new(classes);
    let mut splitter = Vec::new();
    let mut used = 1;
    while used < blocks.bounds.len() {
        // A copy: the block may be split in the loop below.
        splitter.clear();
        splitter.extend_from_slice(blocks.members(used));
        for letter in 0..dfa.alphabet().len() {
            for &target in &splitter {
                for &source in incoming.of(target as usize, letter) {
                    blocks.mark(source);
                }
            }
            blocks.split_marked();
        }
        used += 1;
    }
    Classes { count: blocks.bounds.len(), class_of: blocks.block_of }
}

/// The reversed transitions: which states lead to a state on a letter.
struct Incoming {
    letters: usize,
    /// The sources of (state, letter) are `sources[offsets[i]..offsets[i + 1]]` for i = state · letters + letter.
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Incoming {
    fn new(dfa: &Dfa) -> Self {
        let letters = dfa.alphabet().len();
        let mut offsets = vec![0_u32; dfa.len() * letters + 1];
        for state in 0..dfa.len() {
            for (letter, &next) in dfa.row(state).iter().enumerate() {
                offsets[next as usize * letters + letter] += 1;
            }
        }
        // Each entry first becomes the end of its run and then, as the run is filled from the back, its start.
        let mut end = 0;
        for offset in &mut offsets {
            end += *offset;
            *offset = end;
        }
        let mut sources = vec![0; end as usize];
        for state in (0..dfa.len()).rev() {
            for (letter, &next) in dfa.row(state).iter().enumerate() {
                let slot = &mut offsets[next as usize * letters + letter];
                *slot -= 1;
                sources[*slot as usize] = state as u32;
            }
        }
        Self { letters, offsets, sources }
    }

    #[inline]
    fn of(&self, state: usize, letter: usize) -> &[u32] {
        let i = state * self.letters + letter;
        &self.sources[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

/// States grouped into blocks, some of them marked.
struct Partition {
    /// The states, block by block; within a block the marked ones first.
    members: Vec<u32>,
    /// The position of each state in `members`.
    position: Vec<u32>,
    /// The block of each state.
    block_of: Vec<u32>,
    bounds: Vec<Bounds>,
    /// The blocks that contain marked states.
    touched: Vec<u32>,
}

/// The range of a block in `members`: `begin..end`, of which `begin..marked_end` are marked.
#[derive(Clone, Copy)]
struct Bounds {
    begin: u32,
    end: u32,
    marked_end: u32,
}

impl Partition {
    /// The classes as blocks, with a largest one first.
    fn new(classes: &Classes) -> Self {
        let mut sizes = vec![0_u32; classes.count];
        for &class in &classes.class_of {
            sizes[class as usize] += 1;
        }
        let largest = (0..classes.count).max_by_key(|&class| sizes[class]).unwrap_or(0) as u32;
        let block = |class: u32| {
            if class == largest {
                0
            } else if class == 0 {
                largest
            } else {
                class
            }
        };
        sizes.swap(0, largest as usize);
        let mut end = 0;
        let bounds = sizes.iter().map(|size| {
            let begin = end;
            end += size;
            Bounds { begin, end, marked_end: begin }
        });
        let bounds: Vec<Bounds> = bounds.collect();
        let mut free: Vec<u32> = bounds.iter().map(|bounds| bounds.begin).collect();
        let block_of: Vec<u32> = classes.class_of.iter().map(|&class| block(class)).collect();
        let mut members = vec![0; block_of.len()];
        let mut position = vec![0; block_of.len()];
        for (state, &block) in block_of.iter().enumerate() {
            let at = &mut free[block as usize];
            members[*at as usize] = state as u32;
            position[state] = *at;
            *at += 1;
        }
        Self { members, position, block_of, bounds, touched: Vec::new() }
    }

    fn members(&self, block: usize) -> &[u32] {
        let Bounds { begin, end, .. } = self.bounds[block];
        &self.members[begin as usize..end as usize]
    }

    #[inline]
    fn mark(&mut self, state: u32) {
        let block = self.block_of[state as usize];
        let bounds = &mut self.bounds[block as usize];
        // A block of one state cannot be split.
        if bounds.end - bounds.begin == 1 {
            return;
        }
        let at = self.position[state as usize];
        let marked_end = bounds.marked_end;
        if at < marked_end {
            return;
        }
        if marked_end == bounds.begin {
            self.touched.push(block);
        }
        bounds.marked_end += 1;
        let other = self.members[marked_end as usize];
        self.members[marked_end as usize] = state;
        self.members[at as usize] = other;
        self.position[state as usize] = marked_end;
        self.position[other as usize] = at;
    }

    /// Splits every block in which some but not all states are marked: the smaller part becomes a new block, so that
    /// no state is renamed more than log n times. Clears all marks.
    fn split_marked(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        for block in touched.drain(..) {
            let Bounds { begin, end, marked_end } = self.bounds[block as usize];
            self.bounds[block as usize].marked_end = begin;
            if marked_end == end {
                continue;
            }
            let marked = (begin, marked_end);
            let unmarked = (marked_end, end);
            let (new, kept) =
                if marked_end - begin <= end - marked_end { (marked, unmarked) } else { (unmarked, marked) };
            for &state in &self.members[new.0 as usize..new.1 as usize] {
                self.block_of[state as usize] = self.bounds.len() as u32;
            }
            self.bounds.push(Bounds { begin: new.0, end: new.1, marked_end: new.0 });
            self.bounds[block as usize] = Bounds { begin: kept.0, end: kept.1, marked_end: kept.0 };
        }
        self.touched = touched;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::Alphabet;

    #[test]
    fn states_that_accept_the_same_words_become_one() {
        // Words over {a, b} with an even number of a's, each state twice, and one state that is never reached.
        let rows = [[1, 2], [2, 3], [3, 0], [0, 1], [4, 4]].map(|row| row.map(Some).to_vec());
        let dfa = Dfa::new(Alphabet::of_chars("ab"), 0, [0, 2, 4], &rows).unwrap();
        let minimal = minimize(&dfa);
        assert_eq!(minimal.len(), 2);
        assert_eq!(minimize(&minimal), minimal);
    }

    /// Over one letter: a line of `length` states, of which the last accepts. Each round of Moore's finds one class.
    fn line(length: usize) -> Dfa {
        let rows: Vec<Vec<Option<usize>>> = (0..length).map(|state| vec![Some((state + 1).min(length - 1))]).collect();
        Dfa::new(Alphabet::of_chars("a"), 0, [length - 1], &rows).unwrap()
    }

    #[test]
    fn what_takes_many_rounds_is_left_to_hopcroft() {
        let line = line(1000);
        let Rounds::Unfinished(classes) = moore(&line) else { panic!("a thousand classes, one a round") };
        assert!(classes.count < 20);
        assert_eq!(hopcroft(&line, &classes).count, 1000);
        assert_eq!(minimize(&line), line);
    }

    #[test]
    fn hopcroft_alone_finds_the_same_classes() {
        // From the coarsest partition, and from any partition that Moore's rounds leave.
        for dfa in [line(50), minimize(&line(50)), Dfa::constant(Alphabet::of_chars("ab"), true)] {
            let class_of = (0..dfa.len()).map(|state| u32::from(dfa.accepting_set().contains(state))).collect();
            let count = 1 + usize::from(dfa.accepting().count() < dfa.len());
            let coarsest =
                if count == 1 { Classes { class_of: vec![0; dfa.len()], count } } else { Classes { class_of, count } };
            assert_eq!(hopcroft(&dfa, &coarsest).count, minimize(&dfa).len());
        }
    }

    #[test]
    fn all_or_nothing_is_one_state() {
        for everything in [false, true] {
            let one = Dfa::constant(Alphabet::of_chars("abc"), everything);
            assert_eq!(minimize(&one), one);
        }
    }

    #[test]
    fn a_dead_state_is_added_only_where_it_is_needed() {
        // {a}: two states and a dead state.
        let dfa = Dfa::new(Alphabet::of_chars("a"), 0, [1], &[vec![Some(1)], vec![None]]).unwrap();
        assert_eq!(minimize(&dfa).len(), 3);
    }
}

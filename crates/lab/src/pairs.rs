//! Pairs of words one edit apart, of which one is in a language and the other is not.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use automata::{Dfa, Letter, Sampler, StateId, Word};
use rand_core::Rng;

use crate::chance;

/// Words in a row without a new pair before the search for more ends.
const PATIENCE: usize = 2_000;

/// Two words one edit apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The word in the language.
    pub accepted: Word,
    /// The word outside.
    pub rejected: Word,
}

/// Distinct pairs with words of these lengths, none of them `taken`; fewer only if hardly any word has a neighbour with
/// the other label.
///
/// In turns, a word of each length and label is drawn uniformly, and then one of its neighbours with the other label. A
/// side that has no such words leaves all pairs to the other.
#[must_use]
pub fn draw(
    language: &Dfa,
    lengths: RangeInclusive<usize>,
    count: usize,
    taken: &BTreeSet<Word>,
    seed: u64,
    stream: u64,
) -> BTreeSet<Pair> {
    let complete = language.completed();
    let (shortest, longest) = lengths.clone().into_inner();
    let samplers: Vec<Sampler> = [&complete, &complete.complement()]
        .into_iter()
        .filter_map(|class| Sampler::between(class, shortest, longest))
        .collect();
    let mut random = chance::stream(seed, stream);
    let mut pairs = BTreeSet::new();
    let mut failed = vec![0; samplers.len()];
    for turn in 0.. {
        let open: Vec<usize> = (0..samplers.len()).filter(|&side| failed[side] < PATIENCE).collect();
        if pairs.len() == count || open.is_empty() {
            break;
        }
        let side = open[turn % open.len()];
        let length = shortest + turn / open.len() % (longest - shortest + 1);
        let pair = samplers[side].draw_of_length(length, &mut random).and_then(|word| {
            let other = neighbour(&complete, &word, &lengths, &mut random)?;
            let is_new = !taken.contains(&word) && !taken.contains(&other);
            let (accepted, rejected) = if complete.accepts(&word) { (word, other) } else { (other, word) };
            is_new.then_some(Pair { accepted, rejected })
        });
        failed[side] = if pair.is_some_and(|pair| pairs.insert(pair)) { 0 } else { failed[side] + 1 };
    }
    pairs
}

/// A change of one letter.
#[derive(Clone, Copy)]
enum Change {
    Replace(usize, Letter),
    Insert(usize, Letter),
    Delete(usize),
}

/// A random word one edit away that has the other label, all such edits being equally likely; `None` if there is none.
fn neighbour(dfa: &Dfa, word: &Word, lengths: &RangeInclusive<usize>, random: &mut impl Rng) -> Option<Word> {
    let step = |state: StateId, letter: Letter| dfa.next(state, letter).expect("the automaton is complete");
    // The state before each letter, and whether the rest of the word is accepted from each state.
    let mut before = vec![dfa.initial()];
    for &letter in word.iter() {
        before.push(step(*before.last().expect("there is one"), letter));
    }
    let mut rest: Vec<Vec<bool>> = vec![dfa.states().map(|state| dfa.is_accepting(state)).collect()];
    for &letter in word.iter().rev() {
        let after = rest.last().expect("there is one");
        rest.push(dfa.states().map(|state| after[step(state, letter).index()]).collect());
    }
    rest.reverse();
    let label = rest[0][dfa.initial().index()];
    let other = |state: StateId, place: usize| rest[place][state.index()] != label;
    let mut changes = Vec::new();
    for (place, &here) in before.iter().enumerate() {
        for letter in dfa.alphabet().letters() {
            let next = step(here, letter);
            if lengths.contains(&(word.len() + 1)) && other(next, place) {
                changes.push(Change::Insert(place, letter));
            }
            if place < word.len() && other(next, place + 1) {
                changes.push(Change::Replace(place, letter));
            }
        }
        if place < word.len() && lengths.contains(&(word.len() - 1)) && other(here, place + 1) {
            changes.push(Change::Delete(place));
        }
    }
    if changes.is_empty() {
        return None;
    }
    let mut letters = word.to_vec();
    match changes[chance::below(changes.len(), random)] {
        Change::Replace(place, letter) => letters[place] = letter,
        Change::Insert(place, letter) => letters.insert(place, letter),
        Change::Delete(place) => {
            letters.remove(place);
        }
    }
    Some(Word::from(letters))
}

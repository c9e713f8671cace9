//! Facts about the order of letters: which letter may come directly after another, or anywhere after it.
//!
//! If accepted words visit all states of an automaton, the label of any path is a factor of some word, wherever the
//! path begins. So what can follow a letter is what can be read from the states that the letter leads to.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::find::WORK;
use super::{Fact, Factor};
use crate::dfa::{Dfa, MISSING};
use crate::ids::Letter;

/// If more factors of a length, or orders, are missing, they are considered noise, and none is reported.
const MOST_TOLD: usize = 6;
/// Orders of three and four letters are examined for alphabets up to this size.
const MOST_ORDERED: usize = 5;

/// Which letters can follow each letter.
pub(super) struct Orders<'a> {
    dfa: &'a Dfa,
    /// For each letter, the letters that never occur anywhere after it.
    never_later: Vec<FixedBitSet>,
    /// For each letter, the letters that never occur directly after it.
    never_next: Vec<FixedBitSet>,
}

impl<'a> Orders<'a> {
    /// `None` if the automaton is too large.
    pub(super) fn new(dfa: &'a Dfa) -> Option<Self> {
        let letters = dfa.alphabet().len();
        if dfa.len() * letters * letters > WORK {
            return None;
        }
        let everywhere = all_states(dfa);
        let (mut never_later, mut never_next) = (Vec::new(), Vec::new());
        for letter in 0..letters {
            let targets = step(dfa, &everywhere, letter);
            never_next.push(unread(dfa, &targets));
            never_later.push(unread(dfa, &closed(dfa, targets)));
        }
        Some(Self { dfa, never_later, never_next })
    }

    /// Letters that occur only first, or only last.
    pub(super) fn at_ends(&self) -> Vec<Fact> {
        let first = self.only_first();
        let last = self.only_last();
        let fact =
            |set: FixedBitSet, fact: fn(Vec<Letter>) -> Fact| Some(fact(letters_of(&set))).filter(|_| !set.is_clear());
        [fact(first, Fact::OnlyFirst), fact(last, Fact::OnlyLast)].into_iter().flatten().collect()
    }

    fn only_first(&self) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.never_later.len());
        set.insert_range(..);
        self.never_later.iter().for_each(|never| set.intersect_with(never));
        set
    }

    fn only_last(&self) -> FixedBitSet {
        let full = |letter: &usize| self.never_later[*letter].is_full();
        let mut set = FixedBitSet::with_capacity(self.never_later.len());
        set.extend((0..self.never_later.len()).filter(full));
        set
    }

    /// Letters that never occur anywhere after others, unless [`Orders::at_ends`] covers it.
    pub(super) fn later(&self) -> Vec<Fact> {
        let (only_first, only_last) = (self.only_first(), self.only_last());
        let mut by_later: BTreeMap<Vec<Letter>, Vec<Letter>> = BTreeMap::new();
        for letter in self.dfa.alphabet().letters().filter(|letter| !only_last.contains(letter.index())) {
            let mut never = self.never_later[letter.index()].clone();
            never.difference_with(&only_first);
            // A letter that occurs at most once is covered by the counts.
            never.remove(letter.index());
            if !never.is_clear() {
                by_later.entry(letters_of(&never)).or_default().push(letter);
            }
        }
        let mut facts: Vec<(Vec<Letter>, Vec<Letter>)> =
            by_later.into_iter().map(|(later, first)| (first, later)).collect();
        facts.sort_unstable();
        facts.into_iter().map(|(first, later)| Fact::NotAfter { first, later }).collect()
    }

    /// Pairs of letters that are never adjacent, unless [`Orders::later`] covers it.
    pub(super) fn pairs(&self) -> Vec<Fact> {
        let mut by_next: BTreeMap<Vec<Letter>, Vec<Letter>> = BTreeMap::new();
        for letter in self.dfa.alphabet().letters() {
            let mut never = self.never_next[letter.index()].clone();
            never.difference_with(&self.never_later[letter.index()]);
            if !never.is_clear() {
                by_next.entry(letters_of(&never)).or_default().push(letter);
            }
        }
        let mut facts: Vec<Vec<Vec<Letter>>> = by_next.into_iter().map(|(next, before)| vec![before, next]).collect();
        facts.sort_unstable();
        as_facts(facts, Fact::Without)
    }

    /// Factors of `length` letters, three or four, that do not occur although all their proper factors do.
    pub(super) fn factors(&self, length: usize) -> Vec<Fact> {
        let words = self.minimal(length, |word, smaller: &HashSet<Vec<usize>>| smaller.contains(&word[1..]), false);
        as_facts(products(words), Fact::Without)
    }

    /// Orders of three or four letters that do not occur, with anything in between, although all their parts do.
    pub(super) fn orders(&self, length: usize) -> Vec<Fact> {
        if self.never_later.len() > MOST_ORDERED {
            return Vec::new();
        }
        let all_parts = |word: &[usize], smaller: &HashSet<Vec<usize>>| {
            (0..word.len()).all(|i| smaller.contains(&[&word[..i], &word[i + 1..]].concat()))
        };
        let mut words = self.minimal(length, all_parts, true);
        words.retain(|word| word.iter().any(|letter| *letter != word[0]));
        as_facts(products(words), Fact::NeverInOrder)
    }

    /// The words of `length` letters that cannot be read from any state although their parts can, with or without gaps
    /// between the letters. Empty if there are too many to try.
    fn minimal(
        &self,
        length: usize,
        parts_occur: impl Fn(&[usize], &HashSet<Vec<usize>>) -> bool,
        with_gaps: bool,
    ) -> Vec<Vec<usize>> {
        let letters = self.never_later.len();
        if letters.saturating_pow(length as u32 + 1).saturating_mul(self.dfa.len()) > WORK {
            return Vec::new();
        }
        let mut smaller: Vec<(Vec<usize>, FixedBitSet)> = vec![(Vec::new(), all_states(self.dfa))];
        for size in 1..=length {
            let known: HashSet<Vec<usize>> = smaller.iter().map(|(word, _)| word.clone()).collect();
            let (mut larger, mut minimal) = (Vec::new(), Vec::new());
            for (word, states) in &smaller {
                for letter in 0..letters {
                    let longer: Vec<usize> = word.iter().copied().chain([letter]).collect();
                    let targets = step(self.dfa, states, letter);
                    let targets = if with_gaps { closed(self.dfa, targets) } else { targets };
                    if !targets.is_clear() {
                        larger.push((longer, targets));
                    } else if size == length && parts_occur(&longer, &known) && !self.is_out_of_order(&longer) {
                        minimal.push(longer);
                    }
                }
            }
            if size == length {
                return minimal;
            }
            smaller = larger;
        }
        Vec::new()
    }

    /// Whether some letter of the word can never come after an earlier one.
    fn is_out_of_order(&self, word: &[usize]) -> bool {
        let mut after = word.iter().enumerate();
        after.any(|(i, &letter)| word[i + 1..].iter().any(|&later| self.never_later[letter].contains(later)))
    }
}

fn all_states(dfa: &Dfa) -> FixedBitSet {
    let mut all = FixedBitSet::with_capacity(dfa.len());
    all.insert_range(..);
    all
}

/// The states that a letter leads to.
fn step(dfa: &Dfa, states: &FixedBitSet, letter: usize) -> FixedBitSet {
    let mut targets = FixedBitSet::with_capacity(dfa.len());
    targets.extend(states.ones().map(|state| dfa.row(state)[letter]).filter(|&to| to != MISSING).map(|to| to as usize));
    targets
}

/// These states and all states reachable from them.
fn closed(dfa: &Dfa, mut states: FixedBitSet) -> FixedBitSet {
    let mut stack: Vec<usize> = states.ones().collect();
    while let Some(state) = stack.pop() {
        for &to in dfa.row(state).iter().filter(|&&to| to != MISSING) {
            if !states.put(to as usize) {
                stack.push(to as usize);
            }
        }
    }
    states
}

/// The letters that none of the states can read.
fn unread(dfa: &Dfa, states: &FixedBitSet) -> FixedBitSet {
    let mut unread = FixedBitSet::with_capacity(dfa.alphabet().len());
    unread.insert_range(..);
    for state in states.ones() {
        for (letter, _) in dfa.row(state).iter().enumerate().filter(|&(_, &to)| to != MISSING) {
            unread.remove(letter);
        }
    }
    unread
}

fn letters_of(set: &FixedBitSet) -> Vec<Letter> {
    set.ones().map(Letter::new).collect()
}

/// The facts, unless there are too many.
fn as_facts(factors: Vec<Factor>, fact: fn(Factor) -> Fact) -> Vec<Fact> {
    let few = if factors.len() <= MOST_TOLD { factors } else { Vec::new() };
    few.into_iter().map(fact).collect()
}

/// The words as products of sets: words that differ in only one position are merged.
fn products(words: Vec<Vec<usize>>) -> Vec<Factor> {
    let length = words.first().map_or(0, Vec::len);
    let mut products: Vec<Factor> =
        words.iter().map(|word| word.iter().map(|&letter| vec![Letter::new(letter)]).collect()).collect();
    for place in (0..length).rev() {
        let mut alike: BTreeMap<Factor, Vec<Letter>> = BTreeMap::new();
        for mut product in products {
            let letters = std::mem::take(&mut product[place]);
            alike.entry(product).or_default().extend(letters);
        }
        let filled = |(mut product, mut letters): (Factor, Vec<Letter>)| {
            letters.sort_unstable();
            product[place] = letters;
            product
        };
        products = alike.into_iter().map(filled).collect();
    }
    products
}

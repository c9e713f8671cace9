//! Words from random walks through an automaton, and edits of such words.

use std::collections::BTreeSet;

use automata::{Dfa, Letter, Word};
use rand_core::Rng;

use crate::chance;

/// Maximum number of test words.
const TEST_WORDS: usize = 1_500;
/// Failed attempts in a row before there are said to be no more words.
const PATIENCE: usize = 100_000;
/// e⁻³, for numbers of edits by Poisson's distribution with mean 3.
const NO_EDITS: f64 = 0.049_787_068_367_863_944;

/// Words to learn from, which may be there several times, and distinct other words to be tested on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walks {
    /// In random order, so that the first so many are a random part.
    pub examples: Vec<Word>,
    /// Half of them accepted, as far as there are as many.
    pub tests: BTreeSet<Word>,
}

/// The words of a problem. `count` words are drawn, half of them accepted. Half of the distinct words of each label are for
/// tests, at most 1,500 together; the occurrences of the others are the examples. `None` if the language has hardly any
/// words of a label with at most `longest` letters.
#[must_use]
pub fn walks(language: &Dfa, count: usize, longest: usize, seed: u64) -> Option<Walks> {
    let walker = &Walker::new(language, longest);
    let (mut examples, mut tests) = (Vec::new(), BTreeSet::new());
    for (accepted, stream) in [(true, 0), (false, 1)] {
        let random = &mut chance::stream(seed, stream);
        let mut words = Vec::new();
        while words.len() < count / 2 {
            let word = (0..PATIENCE).find_map(|_| {
                let word = walker.walk(random)?;
                if accepted { Some(word) } else { walker.edited(word, random) }
            });
            words.push(word?);
        }
        let mut distinct: Vec<Word> = words.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        shuffle(&mut distinct, random);
        let held_back: BTreeSet<Word> = distinct[..distinct.len() / 2].iter().cloned().collect();
        tests.extend(distinct[..(distinct.len() / 2).min(TEST_WORDS / 2)].iter().cloned());
        examples.extend(words.into_iter().filter(|word| !held_back.contains(word)));
    }
    shuffle(&mut examples, &mut chance::stream(seed, 2));
    Some(Walks { examples, tests })
}

fn shuffle<T>(items: &mut [T], random: &mut impl Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, chance::below(i + 1, random));
    }
}

struct Walker<'a> {
    language: &'a Dfa,
    /// The automaton without its dead state.
    live: Dfa,
    longest: usize,
}

impl<'a> Walker<'a> {
    fn new(language: &'a Dfa, longest: usize) -> Self {
        Self { language, live: language.trimmed(), longest }
    }

    /// An accepted word: at each state all transitions are equally likely, and at an accepting one the walk ends with
    /// probability 1 / (1 + 2 · transitions). `None` if it gets too long.
    fn walk(&self, random: &mut impl Rng) -> Option<Word> {
        let mut state = self.live.initial();
        let mut word = Vec::new();
        loop {
            let steps =
                self.live.alphabet().letters().filter_map(|letter| Some((letter, self.live.next(state, letter)?)));
            let steps: Vec<_> = steps.collect();
            if self.live.is_accepting(state) && chance::below(1 + 2 * steps.len(), random) == 0 {
                return Some(Word::from(word));
            }
            if steps.is_empty() || word.len() == self.longest {
                return None;
            }
            let (letter, next) = steps[chance::below(steps.len(), random)];
            word.push(letter);
            state = next;
        }
    }

    /// The word after a few edits at random places; `None` if it is still accepted, or too long.
    fn edited(&self, word: Word, random: &mut impl Rng) -> Option<Word> {
        let mut letters = word.to_vec();
        for _ in 0..edits(random) {
            let letter = Letter::new(chance::below(self.language.alphabet().len(), random));
            let place = chance::below(letters.len() + 1, random);
            match chance::below(3, random) {
                0 if place < letters.len() => letters[place] = letter,
                1 if place < letters.len() => {
                    letters.remove(place);
                }
                _ => letters.insert(place, letter),
            }
        }
        let word = Word::from(letters);
        (word.len() <= self.longest && !self.language.accepts(&word)).then_some(word)
    }
}

/// A random number by Poisson's distribution with mean 3, by Knuth's method.
fn edits(random: &mut impl Rng) -> usize {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let (mut number, mut product) = (0, uniform());
    while product > NO_EDITS {
        number += 1;
        product *= uniform();
    }
    number
}

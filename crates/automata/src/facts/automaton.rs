//! Each fact as the language of all words that satisfy it. This is what makes facts provable.

use super::{Fact, Factor, Machine};
use crate::alphabet::Alphabet;
use crate::determinize::{DEFAULT_STATE_LIMIT, determinize};
use crate::dfa::{Dfa, MISSING};
use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};

use fixedbitset::FixedBitSet;

impl Fact {
    /// The automaton of all words over `alphabet` that satisfy the fact, including the empty word if it does.
    ///
    /// # Panics
    /// If the fact names a letter that is not in the alphabet.
    #[must_use]
    pub fn automaton(&self, alphabet: &Alphabet) -> Dfa {
        let all = |letters: &[Letter]| Membership::new(alphabet, letters);
        match self {
            Fact::Nothing => Dfa::constant(alphabet.clone(), false),
            Fact::OnlyEmptyWord => machine(alphabet, 1, |_| true, |_, _| None),
            Fact::Everything => Dfa::constant(alphabet.clone(), true),
            Fact::Words(words) => of_words(alphabet, words),
            Fact::Never(letters) => {
                let letters = all(letters);
                machine(alphabet, 1, |_| true, |_, c| (!letters.has(c)).then_some(0))
            }
            Fact::Begins(factor) => {
                let sets: Vec<Membership> = factor.iter().map(|letters| all(letters)).collect();
                let next = |q: usize, c| match sets.get(q) {
                    None => Some(q),
                    Some(set) => set.has(c).then_some(q + 1),
                };
                machine(alphabet, sets.len() + 1, |q| q == sets.len(), next)
            }
            Fact::Ends(factor) => of_nfa(&anywhere(alphabet, factor, false)),
            Fact::Contains(factor) => of_nfa(&anywhere(alphabet, factor, true)),
            Fact::Without(factor) => of_nfa(&anywhere(alphabet, factor, true)).complement(),
            Fact::NeverInOrder(factor) => {
                let sets: Vec<Membership> = factor.iter().map(|letters| all(letters)).collect();
                let next = |q: usize, c| if sets[q].has(c) { Some(q + 1).filter(|&q| q < sets.len()) } else { Some(q) };
                machine(alphabet, sets.len().max(1), |_| true, next)
            }
            Fact::Has(pattern) => pattern.machine(alphabet.len()).to_dfa(alphabet),
            Fact::NotAfter { first, later } => {
                let (first, later) = (all(first), all(later));
                let next = |q: usize, c| (q == 0 || !later.has(c)).then(|| if first.has(c) { 1 } else { q });
                machine(alphabet, 2, |_| true, next)
            }
            Fact::Between { first, last, letters } => {
                // Count the first letters, then those from the first letter that is not in the set onwards.
                let (letters, end) = (all(letters), first + last);
                let next = |q: usize, c| match q {
                    q if q < *first => Some(q + 1),
                    q if q == *first && letters.has(c) => Some(q),
                    q => (q < end).then_some(q + 1),
                };
                machine(alphabet, end + 1, |_| true, next)
            }
            Fact::OnlyFirst(letters) => {
                let letters = all(letters);
                machine(alphabet, 2, |_| true, |q, c| (q == 0 || !letters.has(c)).then_some(1))
            }
            Fact::OnlyLast(letters) => {
                let letters = all(letters);
                machine(alphabet, 2, |_| true, |q, c| (q == 0).then(|| usize::from(letters.has(c))))
            }
            Fact::Count { letters, least, most } => {
                let letters = all(letters);
                counting(alphabet, |c| letters.has(c), *least, *most)
            }
            Fact::Length { least, most } => counting(alphabet, |_| true, *least, *most),
            Fact::CountModulo { letters, modulus, remainder } => {
                let letters = all(letters);
                modular(alphabet, |c| usize::from(letters.has(c)), *modulus, *remainder)
            }
            Fact::RunModulo { letters, modulus } => {
                let (letters, modulus) = (all(letters), (*modulus).max(1));
                let next = |q: usize, c| if letters.has(c) { Some((q + 1) % modulus) } else { (q == 0).then_some(0) };
                machine(alphabet, modulus, |q| q == 0, next)
            }
            Fact::LengthModulo { modulus, remainder } => modular(alphabet, |_| 1, *modulus, *remainder),
            Fact::DifferenceModulo { letters, others, modulus, remainder } => {
                let (letters, others) = (all(letters), all(others));
                let step = |c| usize::from(letters.has(c)) + usize::from(others.has(c)) * modulus.saturating_sub(1);
                modular(alphabet, step, *modulus, *remainder)
            }
        }
    }

    /// The same as an automaton over classes of letters.
    ///
    /// # Panics
    /// If the fact names a letter that is not in the alphabet.
    #[must_use]
    pub fn machine(&self, alphabet: &Alphabet) -> Machine {
        match self {
            Fact::Has(pattern) => pattern.machine(alphabet.len()),
            _ => Machine::of(&self.automaton(alphabet)),
        }
    }

    /// The same; `None` beyond `limit` states.
    ///
    /// # Panics
    /// If the fact names a letter that is not in the alphabet.
    #[must_use]
    pub fn machine_within(&self, alphabet: &Alphabet, limit: usize) -> Option<Machine> {
        match self {
            Fact::Has(pattern) => pattern.machine_within(alphabet.len(), limit),
            _ => Some(self.machine(alphabet)).filter(|machine| machine.len() <= limit),
        }
    }

    /// Whether the fact can be used in a formula over this many letters.
    pub(super) fn is_over(&self, letters: usize) -> bool {
        const MOST: usize = 1_000;
        let known = |set: &[Letter]| {
            !set.is_empty() && set.is_sorted_by(|a, b| a < b) && set.iter().all(|letter| letter.index() < letters)
        };
        match self {
            Fact::Has(pattern) => pattern.is_over(letters),
            Fact::CountModulo { letters, modulus, remainder } => {
                known(letters) && (2..=MOST).contains(modulus) && remainder < modulus
            }
            Fact::LengthModulo { modulus, remainder } => (2..=MOST).contains(modulus) && remainder < modulus,
            Fact::Length { least, most } => *least <= MOST && most.is_none_or(|most| *least <= most && most <= MOST),
            _ => false,
        }
    }

    /// Whether the empty word violates the fact.
    pub(super) fn refuses_empty_word(&self) -> bool {
        match self {
            Fact::Nothing | Fact::Has(_) => true,
            Fact::Words(words) => !words.iter().any(Vec::is_empty),
            Fact::Begins(factor) | Fact::Ends(factor) | Fact::Contains(factor) => !factor.is_empty(),
            Fact::Count { least, .. } | Fact::Length { least, .. } => *least > 0,
            Fact::CountModulo { remainder, .. }
            | Fact::DifferenceModulo { remainder, .. }
            | Fact::LengthModulo { remainder, .. } => *remainder > 0,
            Fact::Without(factor) | Fact::NeverInOrder(factor) => factor.is_empty(),
            Fact::OnlyEmptyWord | Fact::Everything | Fact::Never(_) | Fact::NotAfter { .. } => false,
            Fact::Between { .. } | Fact::OnlyFirst(_) | Fact::OnlyLast(_) | Fact::RunModulo { .. } => false,
        }
    }
}

/// A set of letters.
struct Membership(FixedBitSet);

impl Membership {
    fn new(alphabet: &Alphabet, letters: &[Letter]) -> Self {
        let mut set = FixedBitSet::with_capacity(alphabet.len());
        letters.iter().for_each(|letter| set.insert(letter.index()));
        Self(set)
    }

    fn has(&self, letter: usize) -> bool {
        self.0.contains(letter)
    }
}

/// The automaton with these transitions and initial state 0.
fn machine(
    alphabet: &Alphabet,
    states: usize,
    accepts: impl Fn(usize) -> bool,
    next: impl Fn(usize, usize) -> Option<usize>,
) -> Dfa {
    let mut accepting = FixedBitSet::with_capacity(states);
    accepting.extend((0..states).filter(|&q| accepts(q)));
    let row = |q: usize| (0..alphabet.len()).map(move |c| (q, c));
    let table = (0..states).flat_map(row).map(|(q, c)| next(q, c).map_or(MISSING, |q| q as u32)).collect();
    Dfa::from_table(alphabet.clone(), StateId::new(0), accepting, table)
}

/// At least `least` and at most `most` letters of a set.
fn counting(alphabet: &Alphabet, has: impl Fn(usize) -> bool, least: usize, most: Option<usize>) -> Dfa {
    let last = most.unwrap_or(least);
    let next = |q: usize, c| match (has(c), most) {
        (false, _) => Some(q),
        (true, Some(most)) => (q < most).then_some(q + 1),
        (true, None) => Some((q + 1).min(last)),
    };
    machine(alphabet, last + 1, |q| q >= least, next)
}

/// The sum of `step` over the letters has this remainder.
fn modular(alphabet: &Alphabet, step: impl Fn(usize) -> usize, modulus: usize, remainder: usize) -> Dfa {
    let modulus = modulus.max(1);
    machine(alphabet, modulus, |q| q == remainder, |q, c| Some((q + step(c)) % modulus))
}

/// The factor after any prefix and, if `and_more` is set, before any suffix.
fn anywhere(alphabet: &Alphabet, factor: &Factor, and_more: bool) -> Nfa {
    let mut builder = NfaBuilder::with_states(alphabet.clone(), factor.len() + 1);
    let (begin, end) = (StateId::new(0), StateId::new(factor.len()));
    builder.initial(begin);
    builder.accepting(end);
    for letter in alphabet.letters() {
        builder.edge(begin, letter, begin);
        if and_more {
            builder.edge(end, letter, end);
        }
    }
    for (i, letters) in factor.iter().enumerate() {
        letters.iter().for_each(|&letter| builder.edge(StateId::new(i), letter, StateId::new(i + 1)));
    }
    builder.build()
}

fn of_words(alphabet: &Alphabet, words: &[Factor]) -> Dfa {
    let mut builder = NfaBuilder::new(alphabet.clone());
    for word in words {
        let mut here = builder.state();
        builder.initial(here);
        for letters in word {
            let next = builder.state();
            letters.iter().for_each(|&letter| builder.edge(here, letter, next));
            here = next;
        }
        builder.accepting(here);
    }
    of_nfa(&builder.build())
}

/// Determinises; the limit is never reached, since factors are a few letters long and words are few.
fn of_nfa(nfa: &Nfa) -> Dfa {
    determinize(nfa, DEFAULT_STATE_LIMIT).unwrap_or_else(|_| Dfa::constant(nfa.alphabet().clone(), true))
}

//! A formula with exceptions: a short sentence, and the words for which it is not true.
//!
//! A sentence that is right about all but a few words of a list still says more than the list. With those words named, it
//! defines a language that agrees with the whole list.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use super::formula::Formula;
use super::write;
use crate::alphabet::Alphabet;
use crate::dfa::Dfa;
use crate::ids::{Letter, StateId};
use crate::minimize::minimize;

/// A formula, and the words that are in the language if and only if the formula rejects them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    formula: Formula,
    /// Non-empty words, the shortest first, none of them twice.
    exceptions: Vec<Vec<Letter>>,
}

impl Rule {
    /// A formula with these exceptions, in any order. The empty word is left out.
    #[must_use]
    pub fn new(formula: Formula, mut exceptions: Vec<Vec<Letter>>) -> Self {
        exceptions.retain(|word| !word.is_empty());
        exceptions.sort_unstable_by(order);
        exceptions.dedup();
        Self { formula, exceptions }
    }

    /// The formula.
    #[must_use]
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The words about which the formula is wrong.
    #[must_use]
    pub fn exceptions(&self) -> &[Vec<Letter>] {
        &self.exceptions
    }

    /// Whether all letters are below `letters` and everything is well formed, as after reading it from a file.
    #[must_use]
    pub fn is_over(&self, letters: usize) -> bool {
        let known = |word: &Vec<Letter>| !word.is_empty() && word.iter().all(|letter| letter.index() < letters);
        let is_sorted = self.exceptions.is_sorted_by(|a, b| order(a, b).is_lt());
        self.formula.is_over(letters) && is_sorted && self.exceptions.iter().all(known)
    }

    /// The minimal complete automaton; `None` if more than `limit` states are needed on the way.
    #[must_use]
    pub fn automaton(&self, alphabet: &Alphabet, limit: usize) -> Option<Dfa> {
        let formula = self.formula.automaton(alphabet, limit)?;
        let letters: usize = self.exceptions.iter().map(Vec::len).sum();
        match self.exceptions.is_empty() {
            true => Some(formula),
            false if formula.len().saturating_add(letters) >= limit => None,
            false => Some(minimize(&with_exceptions(&formula, &self.exceptions))),
        }
    }

    /// The rule as one sentence. It says so if the empty word is in the language although the formula rejects it, or the
    /// other way round.
    #[must_use]
    pub fn sentence(&self, alphabet: &Alphabet, empty_word: bool) -> String {
        let sentence = self.formula.sentence(alphabet, empty_word);
        if self.exceptions.is_empty() {
            return sentence;
        }
        let exceptions = write::exceptions(&self.exceptions, alphabet);
        format!("{}, except for {exceptions}.", sentence.trim_end_matches('.'))
    }
}

/// Shorter words first.
fn order(a: &Vec<Letter>, b: &Vec<Letter>) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// The automaton that says the opposite of a complete one about some words. Beginnings of these words have states of their
/// own, numbered after those of the automaton; everything else goes on as before.
fn with_exceptions(dfa: &Dfa, words: &[Vec<Letter>]) -> Dfa {
    let begin = dfa.len();
    let mut states: Vec<u32> = vec![dfa.initial().index() as u32];
    let mut children: BTreeMap<(usize, Letter), usize> = BTreeMap::new();
    let mut is_exception: Vec<bool> = vec![false];
    for word in words {
        let mut node = 0;
        for &letter in word {
            node = *children.entry((node, letter)).or_insert_with(|| {
                states.push(dfa.row(states[node] as usize)[letter.index()]);
                is_exception.push(false);
                states.len() - 1
            });
        }
        is_exception[node] = true;
    }
    let mut accepting = FixedBitSet::with_capacity(begin + states.len());
    accepting.extend(dfa.accepting().map(StateId::index));
    let mut table: Vec<u32> = (0..begin).flat_map(|state| dfa.row(state).iter().copied()).collect();
    for (node, &state) in states.iter().enumerate() {
        accepting.set(begin + node, dfa.is_accepting(StateId::new(state as usize)) != is_exception[node]);
        let first = table.len();
        table.extend(dfa.row(state as usize));
        for (&(_, letter), &child) in children.range((node, Letter::new(0))..(node + 1, Letter::new(0))) {
            table[first + letter.index()] = (begin + child) as u32;
        }
    }
    Dfa::from_table(dfa.alphabet().clone(), StateId::new(begin), accepting, table)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::facts::pattern::tests::words;
    use crate::facts::{Fact, Gap, Literal, Pattern};

    /// No `ab`.
    fn without_ab() -> Formula {
        let letters = vec![vec![Letter::new(0)], vec![Letter::new(1)]];
        let pattern = Pattern::new(letters, vec![Gap::Free, Gap::Adjacent, Gap::Free], 1).unwrap();
        Formula { every: true, clauses: vec![vec![Literal { fact: Fact::Has(pattern), holds: false }]] }
    }

    proptest! {
        /// Exactly the exceptions change sides.
        #[test]
        fn exceptions_change_sides(chosen in proptest::collection::vec(proptest::collection::vec(0_usize..2, 0..6), 0..8)) {
            let alphabet = Alphabet::of_chars("ab");
            let exceptions = chosen.iter().map(|word| word.iter().map(|&letter| Letter::new(letter)).collect());
            let rule = Rule::new(without_ab(), exceptions.collect());
            prop_assert!(rule.is_over(2));
            let (with, without) =
                (rule.automaton(&alphabet, 1_000).unwrap(), rule.formula().automaton(&alphabet, 1_000).unwrap());
            for word in words(2, 7) {
                let is_exception = rule.exceptions().iter().any(|other| other[..] == word[..]);
                prop_assert_eq!(with.accepts(&word), without.accepts(&word) != is_exception, "{:?}", word);
            }
        }
    }

    #[test]
    fn sentences_name_a_few_exceptions() {
        let alphabet = Alphabet::of_chars("ab");
        let sentence = |words: &[&str]| {
            let word = |text: &str| text.bytes().map(|byte| Letter::new(usize::from(byte - b'a'))).collect();
            Rule::new(without_ab(), words.iter().map(|text| word(text)).collect()).sentence(&alphabet, true)
        };
        assert_eq!(sentence(&[]), "All words over a, b with no ab.");
        assert_eq!(sentence(&["ab"]), "All words over a, b with no ab, except for ab.");
        assert_eq!(sentence(&["bba", "ab"]), "All words over a, b with no ab, except for ab and bba.");
        assert_eq!(
            sentence(&["a", "b", "aa", "ab", "ba", "bb", "aab"]),
            "All words over a, b with no ab, except for 7 words: a, b, aa, ab and 3 others."
        );
    }
}

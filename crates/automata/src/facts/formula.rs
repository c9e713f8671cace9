//! Formulas: facts joined by *and* and *or*.
//!
//! Facts that are true of all words of a language say what it is only together, and some languages need an *or*: all words
//! that contain ab or end in c. A formula has two levels, in one of two forms; more levels are not easy to read.

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use super::{Fact, write};
use crate::alphabet::Alphabet;
use crate::dfa::Dfa;
use crate::minimize::minimize;

/// A fact, or its opposite.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Literal {
    /// The fact.
    pub fact: Fact,
    /// Whether the word must have it, or must not.
    pub holds: bool,
}

/// Facts joined by *and* and *or*.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Formula {
    /// Whether every clause must hold, each by one of its literals; otherwise one clause must hold, with all its literals.
    pub every: bool,
    /// The clauses, none of them empty.
    pub clauses: Vec<Vec<Literal>>,
}

impl Formula {
    /// Whether all letters are below `letters` and all facts can be used in a formula, as after reading it from a file.
    #[must_use]
    pub fn is_over(&self, letters: usize) -> bool {
        let mut all = self.clauses.iter().flatten();
        self.clauses.iter().all(|clause| !clause.is_empty()) && all.all(|literal| literal.fact.is_over(letters))
    }

    /// Whether a word is in the language, by what each literal's fact says, in order.
    #[must_use]
    pub fn says(&self, mut facts: impl Iterator<Item = bool>) -> bool {
        let mut clause_holds = |clause: &Vec<Literal>| {
            let mut any = false;
            let mut all = true;
            for literal in clause {
                let holds = facts.next().unwrap_or(false) == literal.holds;
                any |= holds;
                all &= holds;
            }
            if self.every { any } else { all }
        };
        let mut every = true;
        let mut some = false;
        for clause in &self.clauses {
            let holds = clause_holds(clause);
            every &= holds;
            some |= holds;
        }
        if self.every { every } else { some }
    }

    /// The minimal complete automaton; `None` if more than `limit` states are needed on the way.
    #[must_use]
    pub fn automaton(&self, alphabet: &Alphabet, limit: usize) -> Option<Dfa> {
        let literals = || self.clauses.iter().flatten();
        if literals().next().is_none() {
            return Some(Dfa::constant(alphabet.clone(), self.every));
        }
        let machines = literals().map(|literal| literal.fact.machine_within(alphabet, limit));
        let machines: Vec<Machine> = machines.collect::<Option<_>>()?;
        let machines: Vec<&Machine> = machines.iter().collect();
        let product = Machine::product(&machines, limit, |facts| self.says(facts.iter().copied()))?;
        Some(minimize(&product.to_dfa(alphabet)))
    }

    /// Whether the empty word satisfies it.
    #[must_use]
    pub fn accepts_empty_word(&self) -> bool {
        self.says(self.clauses.iter().flatten().map(|literal| !literal.fact.refuses_empty_word()))
    }

    /// The formula as one sentence about the words over these letters. It says so if the empty word is in the language
    /// although the formula rejects it, or the other way round.
    #[must_use]
    pub fn sentence(&self, alphabet: &Alphabet, empty_word: bool) -> String {
        write::formula(self, alphabet, empty_word)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::facts::pattern::tests::{naive, words};
    use crate::facts::{Gap, Pattern};
    use crate::ids::Letter;

    fn set(mask: usize) -> Vec<Letter> {
        (0..3).filter(|letter| mask >> letter & 1 == 1).map(Letter::new).collect()
    }

    fn fact() -> impl Strategy<Value = Fact> {
        let gap = |number: usize| match number {
            0..3 => Gap::Adjacent,
            3..6 => Gap::Free,
            mask => Gap::Without(set(mask - 5)),
        };
        let pattern =
            (proptest::collection::vec(1_usize..8, 1..4), proptest::collection::vec(0_usize..13, 4), 1_usize..4);
        let pattern = pattern.prop_map(move |(sets, gaps, least)| {
            let gaps: Vec<Gap> = gaps.into_iter().take(sets.len() + 1).map(gap).collect();
            let least = if gaps.last() == Some(&Gap::Free) { least } else { 1 };
            Fact::Has(Pattern::new(sets.into_iter().map(set).collect(), gaps, least).unwrap())
        });
        let count = (1_usize..8, 2_usize..6, 0_usize..6).prop_map(|(mask, modulus, remainder)| Fact::CountModulo {
            letters: set(mask),
            modulus,
            remainder: remainder % modulus,
        });
        let length = (0_usize..5, proptest::option::of(0_usize..5))
            .prop_map(|(least, more)| Fact::Length { least, most: more.map(|more| least + more) });
        let modulo = (2_usize..5, 0_usize..5)
            .prop_map(|(modulus, remainder)| Fact::LengthModulo { modulus, remainder: remainder % modulus });
        prop_oneof![4 => pattern, 2 => count, 1 => length, 1 => modulo]
    }

    /// What a fact says about a word, by its definition.
    fn holds(fact: &Fact, word: &[Letter]) -> bool {
        match fact {
            Fact::Has(pattern) => naive(pattern, word),
            Fact::CountModulo { letters, modulus, remainder } => {
                word.iter().filter(|letter| letters.contains(letter)).count() % modulus == *remainder
            }
            Fact::LengthModulo { modulus, remainder } => word.len() % modulus == *remainder,
            Fact::Length { least, most } => word.len() >= *least && most.is_none_or(|most| word.len() <= most),
            _ => unreachable!("no other facts are drawn"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// The automaton of a formula accepts exactly the words that satisfy it, up to eight letters.
        #[test]
        fn automata_agree_with_the_definition(
            every: bool,
            clauses in proptest::collection::vec(proptest::collection::vec((fact(), any::<bool>()), 1..3), 1..4),
        ) {
            let literal = |(fact, holds): (Fact, bool)| Literal { fact, holds };
            let clauses = clauses.into_iter().map(|clause| clause.into_iter().map(literal).collect()).collect();
            let formula = Formula { every, clauses };
            prop_assert!(formula.is_over(3));
            let dfa = formula.automaton(&Alphabet::of_chars("abc"), 100_000).unwrap();
            for word in words(3, 8) {
                let is_true = |literal: &Literal| holds(&literal.fact, &word) == literal.holds;
                let expected = match every {
                    true => formula.clauses.iter().all(|clause| clause.iter().any(is_true)),
                    false => formula.clauses.iter().any(|clause| clause.iter().all(is_true)),
                };
                prop_assert_eq!(dfa.accepts(&word), expected, "{:?} {:?}", formula, word);
            }
            prop_assert_eq!(formula.accepts_empty_word(), dfa.accepts(&[]));
        }
    }
}

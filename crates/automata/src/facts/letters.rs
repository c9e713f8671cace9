//! Merges interchangeable letters.
//!
//! In the automaton of `[a-z]+[0-9]*` over characters the ten digits have the same transitions everywhere. They are
//! interchangeable, so every fact holds for all of them or for none.

use std::collections::BTreeMap;

use super::{Fact, Factor};
use crate::alphabet::Alphabet;
use crate::dfa::{Dfa, MISSING};
use crate::ids::Letter;

/// The letters of an automaton in groups of interchangeable letters.
pub(super) struct Letters {
    /// Groups that occur, ordered by their first letters.
    groups: Vec<Vec<Letter>>,
    never: Vec<Letter>,
}

impl Letters {
    pub(super) fn new(minimal: &Dfa) -> Self {
        let trimmed = minimal.trimmed();
        let mut columns: BTreeMap<Vec<u32>, Vec<Letter>> = BTreeMap::new();
        for letter in trimmed.alphabet().letters() {
            let column = (0..trimmed.len()).map(|state| trimmed.row(state)[letter.index()]).collect();
            columns.entry(column).or_default().push(letter);
        }
        let never = columns.remove(&vec![MISSING; trimmed.len()]).unwrap_or_default();
        let mut groups: Vec<Vec<Letter>> = columns.into_values().collect();
        groups.sort_unstable();
        Self { groups, never }
    }

    /// The letters that do not occur.
    pub(super) fn never(&self) -> &[Letter] {
        &self.never
    }

    /// Whether several letters occur, and all are interchangeable.
    pub(super) fn are_alike(&self) -> bool {
        matches!(&self.groups[..], [only] if only.len() > 1)
    }

    /// The same language, trimmed, with each group represented by its first letter.
    pub(super) fn quotient(&self, minimal: &Dfa) -> Dfa {
        let trimmed = minimal.trimmed();
        let first = |group: &Vec<Letter>| trimmed.alphabet().name(group[0]).to_owned();
        let alphabet = Alphabet::new(self.groups.iter().map(first)).expect("names of letters are not empty");
        let row = |state| self.groups.iter().map(move |group: &Vec<Letter>| (state, group[0].index()));
        let table = (0..trimmed.len()).flat_map(row).map(|(state, letter)| trimmed.row(state)[letter]).collect();
        Dfa::from_table(alphabet, trimmed.initial(), trimmed.accepting_set().clone(), table)
    }

    /// Turns a fact about groups into a fact about their letters.
    pub(super) fn expand(&self, fact: Fact) -> Fact {
        let set = |groups: Vec<Letter>| -> Vec<Letter> {
            let mut letters: Vec<Letter> =
                groups.iter().flat_map(|group| &self.groups[group.index()]).copied().collect();
            letters.sort_unstable();
            letters
        };
        let factor = |factor: Factor| -> Factor { factor.into_iter().map(set).collect() };
        match fact {
            Fact::Begins(f) => Fact::Begins(factor(f)),
            Fact::Ends(f) => Fact::Ends(factor(f)),
            Fact::Contains(f) => Fact::Contains(factor(f)),
            Fact::Without(f) => Fact::Without(factor(f)),
            Fact::NeverInOrder(f) => Fact::NeverInOrder(factor(f)),
            Fact::Has(pattern) => Fact::Has(pattern.mapped(set)),
            Fact::Never(letters) => Fact::Never(set(letters)),
            Fact::NotAfter { first, later } => Fact::NotAfter { first: set(first), later: set(later) },
            Fact::OnlyFirst(letters) => Fact::OnlyFirst(set(letters)),
            Fact::OnlyLast(letters) => Fact::OnlyLast(set(letters)),
            Fact::Count { letters, least, most } => Fact::Count { letters: set(letters), least, most },
            Fact::CountModulo { letters, modulus, remainder } => {
                Fact::CountModulo { letters: set(letters), modulus, remainder }
            }
            Fact::RunModulo { letters, modulus } => Fact::RunModulo { letters: set(letters), modulus },
            Fact::DifferenceModulo { letters, others, modulus, remainder } => {
                Fact::DifferenceModulo { letters: set(letters), others: set(others), modulus, remainder }
            }
            Fact::Words(words) => Fact::Words(words.into_iter().map(factor).collect()),
            Fact::Between { first, last, letters } => Fact::Between { first, last, letters: set(letters) },
            Fact::Nothing | Fact::OnlyEmptyWord | Fact::Everything => fact,
            Fact::Length { .. } | Fact::LengthModulo { .. } => fact,
        }
    }
}

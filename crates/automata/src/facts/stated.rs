//! Facts as literals of a formula.
//!
//! Descriptions use the words that people use, formulas one family of patterns and a few counts. Most facts are in both
//! vocabularies under different names.

use super::formula::{Formula, Literal};
use super::pattern::{Gap, Pattern};
use super::{Description, Fact, Factor};
use crate::ids::Letter;

impl Description {
    /// The description as a formula; `None` if it is incomplete, or says something that formulas cannot. Whether the empty
    /// word is in the language is left open.
    #[must_use]
    pub fn formula(&self) -> Option<Formula> {
        if !self.complete {
            return None;
        }
        let all: Vec<Letter> = self.alphabet.letters().collect();
        let literals = self.facts.iter().map(|fact| literals(fact, &all)).collect::<Option<Vec<_>>>()?;
        let clauses = literals.into_iter().flatten().map(|literal| vec![literal]).collect();
        Some(Formula { every: true, clauses })
    }
}

/// Literals that say together what a fact says.
fn literals(fact: &Fact, all: &[Letter]) -> Option<Vec<Literal>> {
    let pattern = |factor: &Factor, start: Gap, inner: Gap, end: Gap, holds| {
        let mut gaps = vec![inner; factor.len() + 1];
        (gaps[0], gaps[factor.len()]) = (start, end);
        Some(vec![Literal { fact: Fact::Has(Pattern::new(factor.clone(), gaps, 1)?), holds }])
    };
    let factor = |factor: &Factor, holds| pattern(factor, Gap::Free, Gap::Adjacent, Gap::Free, holds);
    let occurs = |letters: &[Letter], least: usize, holds| {
        let fact = Fact::Has(Pattern::new(vec![letters.to_vec()], vec![Gap::Free, Gap::Free], least)?);
        Some(Literal { fact, holds })
    };
    match fact {
        Fact::Everything => Some(Vec::new()),
        Fact::Never(letters) => Some(vec![occurs(letters, 1, false)?]),
        Fact::Begins(start) => pattern(start, Gap::Adjacent, Gap::Adjacent, Gap::Free, true),
        Fact::Ends(end) => pattern(end, Gap::Free, Gap::Adjacent, Gap::Adjacent, true),
        Fact::Contains(inside) => factor(inside, true),
        Fact::Without(inside) => factor(inside, false),
        Fact::NeverInOrder(order) => pattern(order, Gap::Free, Gap::Free, Gap::Free, false),
        Fact::NotAfter { first, later } => {
            pattern(&vec![first.clone(), later.clone()], Gap::Free, Gap::Free, Gap::Free, false)
        }
        Fact::OnlyFirst(letters) => factor(&vec![all.to_vec(), letters.clone()], false),
        Fact::OnlyLast(letters) => factor(&vec![letters.clone(), all.to_vec()], false),
        Fact::Count { letters, least, most } => {
            let least = (*least > 0).then_some((*least, true));
            let bounds = least.into_iter().chain(most.map(|most| (most + 1, false)));
            bounds.map(|(times, holds)| occurs(letters, times, holds)).collect()
        }
        Fact::Has(_) | Fact::CountModulo { .. } | Fact::Length { .. } | Fact::LengthModulo { .. } => {
            Some(vec![Literal { fact: fact.clone(), holds: true }])
        }
        Fact::Nothing
        | Fact::OnlyEmptyWord
        | Fact::Words(_)
        | Fact::Between { .. }
        | Fact::RunModulo { .. }
        | Fact::DifferenceModulo { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::describe;
    use crate::{Alphabet, Regex, equivalent, union};

    use super::*;

    const UNSTATED: [&str; 1] = ["a[abc]*b|a"];

    /// The formula has the words of the language, up to the empty word.
    #[test]
    fn descriptions_can_be_stated() {
        let alphabet = Alphabet::of_chars("abc");
        let patterns = [
            "[abc]*",
            "[ab]*",
            "[ab]*c+",
            "a[abc]*",
            "[abc]*bc",
            "[abc]*ab[abc]*",
            "[bc]*a[bc]*a[bc]*",
            "c?[ab]*",
            "[ab]*c?",
            "([bc]*a[bc]*a[bc]*)*",
            "([abc]{3})*",
            "[abc]{2,5}",
            "a*b*c*",
            "a[abc]*b|a",
            "[bc]*(a[bc]*){0,3}",
        ];
        for pattern in patterns {
            let dfa = Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap();
            let formula = describe(&dfa).formula();
            // Two ends joined by an *or* take two sentences.
            assert_eq!(formula.is_none(), UNSTATED.contains(&pattern), "{pattern}: {formula:?}");
            let Some(formula) = formula else { continue };
            let automaton = formula.automaton(&alphabet, 10_000).unwrap();
            let empty = Fact::OnlyEmptyWord.automaton(&alphabet);
            let with = |dfa| union(dfa, &empty, 10_000).unwrap();
            assert!(equivalent(&with(&automaton), &with(&dfa)), "{pattern}: {formula:?}");
        }
    }

    #[test]
    fn what_is_incomplete_is_not_stated() {
        let alphabet = Alphabet::of_chars("ab");
        let dfa = Regex::parse("(ab|ba)*(aab|b)?a", &alphabet).unwrap().to_dfa().unwrap();
        let description = describe(&dfa);
        assert!(!description.complete);
        assert_eq!(description.formula(), None);
    }
}

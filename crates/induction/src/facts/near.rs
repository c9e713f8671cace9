//! Formulas that differ from another in one literal and agree with every example: its rivals.
//!
//! What tells them apart is a short word, so a question about it is easy to answer: does `abab` belong?

use std::ops::ControlFlow;

use automata::{Fact, Formula, Letter, Literal};

use super::counts;
use super::refine::{neighbours, place, truth_of};
use super::text::{Text, of_words};
use crate::measure::formula_bits;
use crate::sample::Sample;

/// The search for formulas near another, one literal at a time.
pub(crate) struct Near {
    formula: Formula,
    text: Text,
    lengths: Vec<usize>,
    accepted: Vec<u64>,
    /// For each literal, the words that have its fact; empty until the search begins.
    facts: Vec<Vec<u64>>,
    /// The next literal,
    at: usize,
    /// and what is to be tried in its place.
    waiting: Vec<Literal>,
    limit: usize,
    found: Vec<(f64, Formula)>,
}

impl Near {
    /// A search for at most `limit` formulas.
    pub(crate) fn new(formula: Formula, sample: &Sample, limit: usize) -> Self {
        let rows: Vec<(&[Letter], bool)> =
            sample.rows().map(|(word, counts)| (word, counts.accepted >= counts.rejected)).collect();
        let text = Text::new(sample.alphabet().len(), rows.iter().map(|(word, _)| *word));
        let lengths = rows.iter().map(|(word, _)| word.len()).collect();
        let accepted = of_words(rows.iter().map(|(_, accepted)| *accepted));
        let (facts, waiting, found) = (Vec::new(), Vec::new(), Vec::new());
        Self { formula, text, lengths, accepted, facts, at: 0, waiting, limit, found }
    }

    /// Compares facts with about so many letters. Returns the formulas at the end, shortest first.
    pub(crate) fn advance(&mut self, letters: u64) -> ControlFlow<Vec<Formula>> {
        let literals = self.formula.clauses.iter().flatten();
        if self.facts.is_empty() {
            self.facts = literals.map(|literal| self.words(&literal.fact)).collect();
        }
        let all: usize = self.lengths.iter().sum();
        for _ in 0..=letters / (all as u64 + 1) {
            match self.waiting.pop() {
                Some(literal) => self.put(literal),
                None if self.at == self.facts.len() => {
                    return ControlFlow::Break(self.found.drain(..).map(|(_, formula)| formula).collect());
                }
                None => {
                    self.drop_literal();
                    let (clause, literal) = place(&self.formula, self.at);
                    self.waiting = others(&self.formula.clauses[clause][literal], self.text.letters());
                    self.at += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The formula without the literal.
    fn drop_literal(&mut self) {
        if self.facts.len() == 1 {
            return;
        }
        let (clause, literal) = place(&self.formula, self.at);
        let mut formula = self.formula.clone();
        formula.clauses[clause].remove(literal);
        formula.clauses.retain(|clause| !clause.is_empty());
        let mut facts = self.facts.clone();
        facts.remove(self.at);
        self.keep(formula, &facts);
    }

    /// The formula with this in place of the literal before the next one.
    fn put(&mut self, other: Literal) {
        let at = self.at - 1;
        let (clause, literal) = place(&self.formula, at);
        let words = self.words(&other.fact);
        let mut formula = self.formula.clone();
        formula.clauses[clause][literal] = other;
        let before = std::mem::replace(&mut self.facts[at], words);
        let facts = std::mem::take(&mut self.facts);
        self.keep(formula, &facts);
        self.facts = facts;
        self.facts[at] = before;
    }

    /// Keeps a formula that accepts the accepted words.
    fn keep(&mut self, formula: Formula, facts: &[Vec<u64>]) {
        if truth_of(&formula, self.text.words(), |fact, block| facts[fact][block]) == self.accepted {
            let bits = formula_bits(&formula, self.text.letters());
            let before = |known: &(f64, Formula)| known.0.total_cmp(&bits).then_with(|| known.1.cmp(&formula)).is_lt();
            let at = self.found.partition_point(before);
            if self.found.get(at).is_none_or(|known| known.1 != formula) {
                self.found.insert(at, (bits, formula));
                self.found.truncate(self.limit);
            }
        }
    }

    fn words(&self, fact: &Fact) -> Vec<u64> {
        match fact {
            Fact::Has(pattern) => self.text.having(pattern),
            fact => counts::having(&self.text, &self.lengths, fact),
        }
    }
}

/// Literals that differ from this one in one respect.
fn others(literal: &Literal, letters: usize) -> Vec<Literal> {
    let others = match &literal.fact {
        Fact::Has(pattern) => {
            let mut others = Vec::new();
            neighbours(pattern, letters, |other| others.push(Fact::Has(other)));
            others
        }
        Fact::CountModulo { letters: counted, modulus, remainder } => {
            let toggled = (0..letters).map(Letter::new).filter_map(|letter| {
                let mut set = counted.clone();
                match set.binary_search(&letter) {
                    Ok(at) => drop(set.remove(at)),
                    Err(at) => set.insert(at, letter),
                }
                let (modulus, remainder) = (*modulus, *remainder);
                (!set.is_empty()).then_some(Fact::CountModulo { letters: set, modulus, remainder })
            });
            let remainders = (0..*modulus).filter(|other| other != remainder).map(|remainder| {
                let (letters, modulus) = (counted.clone(), *modulus);
                Fact::CountModulo { letters, modulus, remainder }
            });
            toggled.chain(remainders).collect()
        }
        Fact::Length { least, most } => {
            let least_of = [least.checked_sub(1), Some(least + 1)].into_iter().flatten().map(|least| (least, *most));
            let most_of =
                most.iter().flat_map(|most| [most.saturating_sub(1), most + 1]).map(|most| (*least, Some(most)));
            let bounds = least_of.chain(most_of).filter(|(least, most)| most.is_none_or(|most| *least <= most));
            bounds.map(|(least, most)| Fact::Length { least, most }).collect()
        }
        Fact::LengthModulo { modulus, remainder } => {
            let remainders = (0..*modulus).filter(|other| other != remainder);
            remainders.map(|remainder| Fact::LengthModulo { modulus: *modulus, remainder }).collect()
        }
        _ => Vec::new(),
    };
    let holds = literal.holds;
    let opposite = Literal { fact: literal.fact.clone(), holds: !holds };
    others.into_iter().map(|fact| Literal { fact, holds }).chain([opposite]).collect()
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Gap, Label, Pattern, Word};

    use super::*;

    fn without(letters: &str, alphabet: &Alphabet) -> Literal {
        let factor = letters.chars().map(|c| alphabet.read(&c.to_string()).unwrap().to_vec()).collect::<Vec<_>>();
        let mut gaps = vec![Gap::Adjacent; factor.len() + 1];
        (gaps[0], gaps[factor.len()]) = (Gap::Free, Gap::Free);
        Literal { fact: Fact::Has(Pattern::new(factor, gaps, 1).unwrap()), holds: false }
    }

    /// No example has `ba`, so nothing says that it is forbidden, or that it is not.
    #[test]
    fn what_the_examples_leave_open_is_found() {
        let alphabet = Alphabet::of_chars("abc");
        let read = |word: &str, label| (alphabet.read(word).unwrap(), label);
        let accepted = ["c", "ac", "bc", "cc", "aac", "acb", "bcb"].map(|word| read(word, Label::Accepted));
        let rejected = ["ab", "cab", "abc", "aab"].map(|word| read(word, Label::Rejected));
        let rows: Vec<(Word, Label)> = accepted.into_iter().chain(rejected).collect();
        let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
        let clauses = vec![vec![without("ab", &alphabet)], vec![without("ba", &alphabet)]];
        let mut near = Near::new(Formula { every: true, clauses }, &sample, 50);
        let found = loop {
            if let ControlFlow::Break(found) = near.advance(1) {
                break found;
            }
        };
        let alone = Formula { every: true, clauses: vec![vec![without("ab", &alphabet)]] };
        assert_eq!(found.first(), Some(&alone));
        assert!(found.len() > 3 && found.len() <= 50, "{}", found.len());
        for formula in &found {
            let dfa = formula.automaton(&alphabet, 1_000).unwrap();
            for (word, counts) in sample.rows() {
                assert_eq!(dfa.accepts(word), counts.accepted > 0, "{formula:?}");
            }
        }
    }
}

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
        let machines: Vec<Machine> = literals().map(|literal| literal.fact.machine(alphabet)).collect();
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

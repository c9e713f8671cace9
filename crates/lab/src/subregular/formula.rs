//! Boolean formulas over facts.

use automata::{Alphabet, Dfa, Letter};

use super::facts::Fact;
use super::product::Product;

/// A language by a formula over facts about its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The facts.
    pub facts: Vec<Fact>,
    /// How they are combined.
    pub rule: Rule,
}

/// A Boolean combination of facts, which are named by their numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The fact is true.
    Fact(usize),
    /// The part is false.
    Not(Box<Rule>),
    /// All parts are true.
    All(Vec<Rule>),
    /// Some part is true.
    Any(Vec<Rule>),
    /// If the first part is true, so is the second.
    If(Box<[Rule; 2]>),
    /// Exactly one of the parts is true.
    Xor(Box<[Rule; 2]>),
}

impl Rule {
    /// Whether the rule is true, from the truth of each fact.
    #[must_use]
    pub fn holds(&self, facts: &[bool]) -> bool {
        match self {
            Self::Fact(number) => facts[*number],
            Self::Not(part) => !part.holds(facts),
            Self::All(parts) => parts.iter().all(|part| part.holds(facts)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(facts)),
            Self::If(parts) => !parts[0].holds(facts) || parts[1].holds(facts),
            Self::Xor(parts) => parts[0].holds(facts) != parts[1].holds(facts),
        }
    }

    /// The fact with this number, or its opposite.
    pub(super) fn literal(number: usize, positive: bool) -> Self {
        if positive { Self::Fact(number) } else { Self::Not(Box::new(Self::Fact(number))) }
    }

    /// The rule with `or` in place of `xor`; `None` if it has no `xor`.
    pub(super) fn without_xor(&self) -> Option<Self> {
        match self {
            Self::Xor(parts) => Some(Self::Any(parts.to_vec())),
            Self::All(parts) => {
                let place = parts.iter().position(|part| matches!(part, Self::Xor(_)))?;
                let mut parts = parts.clone();
                parts[place] = parts[place].without_xor()?;
                Some(Self::All(parts))
            }
            _ => None,
        }
    }

    /// All of the parts; a single one is itself.
    pub(super) fn all(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 { parts.remove(0) } else { Self::All(parts) }
    }

    /// Any of the parts; a single one is itself.
    pub(super) fn any(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 { parts.remove(0) } else { Self::Any(parts) }
    }

    fn text(&self, facts: &[String]) -> String {
        let joined = |parts: &[Self], with: &str| {
            let part = |part: &Self| match part {
                Self::Fact(_) | Self::Not(_) => part.text(facts),
                _ => format!("({})", part.text(facts)),
            };
            parts.iter().map(part).collect::<Vec<_>>().join(with)
        };
        match self {
            Self::Fact(number) => facts[*number].clone(),
            Self::Not(part) => format!("no {}", part.text(facts)),
            Self::All(parts) => joined(parts, " and "),
            Self::Any(parts) => joined(parts, " or "),
            Self::If(parts) => format!("if {} then {}", joined(&parts[..1], ""), joined(&parts[1..], "")),
            Self::Xor(parts) => joined(&parts[..], " xor "),
        }
    }
}

impl Formula {
    /// Whether the formula is true of a word, by looking at the word.
    #[must_use]
    pub fn accepts(&self, word: &[Letter]) -> bool {
        self.rule.holds(&self.facts.iter().map(|fact| fact.holds(word)).collect::<Vec<_>>())
    }

    /// The minimal automaton.
    ///
    /// # Panics
    /// Never: products have no limit here.
    #[must_use]
    pub fn to_dfa(&self, alphabet: &Alphabet) -> Dfa {
        self.product(alphabet, usize::MAX).expect("there is no limit").language(|facts| self.rule.holds(facts))
    }

    /// The automata of all facts at once; `None` if they have more than `limit` states together.
    pub(super) fn product(&self, alphabet: &Alphabet, limit: usize) -> Option<Product> {
        let parts: Vec<Dfa> = self.facts.iter().map(|fact| fact.to_dfa(alphabet)).collect();
        Product::new(alphabet, &parts, limit)
    }

    /// The formula in short: `no ab and (a…b or ^c)`.
    #[must_use]
    pub fn text(&self, alphabet: &Alphabet) -> String {
        self.rule.text(&self.facts.iter().map(|fact| fact.text(alphabet)).collect::<Vec<_>>())
    }
}

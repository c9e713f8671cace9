//! The question asked: is there an automaton of k states that agrees with every example?
//!
//! All examples at once are more than the solver needs. It begins with a few short words; when it finds an automaton,
//! that is held against all of them, and the words it gets wrong are added. If there is none for some of the words there is
//! none for all, and if one gets all of them right it does not matter how few the solver knew.

use automata::{Dfa, StateId};

use super::clique::clique;
use super::colouring::Colouring;
use super::folding::Folding;
use super::numbering::numbered;
use super::solver::{Budget, Verdict};
use super::tree::Tree;
use crate::sample::Sample;

/// How many words there are to begin with. By measurement: with all of them a question takes fewer conflicts but as long,
/// with a few it takes twice as many.
const FIRST_WORDS: usize = 100;
/// How many words that are wrong are added at once.
const WRONG_WORDS: usize = 100;
/// How many clauses a question may have: an estimate of what fits into some hundred megabytes.
const MOST_CLAUSES: usize = 10_000_000;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// An automaton that agrees with every example.
    Automaton(Dfa),
    /// There is none.
    Nothing,
    /// It is not known.
    Unknown(Limit),
}

/// Why something is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// The conflicts that were allowed are used up.
    #[error("the limit of conflicts was reached")]
    Conflicts,
    /// It was stopped from outside.
    #[error("it was stopped")]
    Cut,
    /// There are too many clauses.
    #[error("the question is too large for the solver")]
    TooLarge,
}

/// Questions about one sample.
pub struct Exact<'s> {
    tree: Tree<'s>,
    clique: Vec<u32>,
    /// The words that questions so far came down to.
    telling: Vec<u32>,
}

impl<'s> Exact<'s> {
    /// Makes ready to ask, and finds how many states there are at the least.
    #[must_use]
    pub fn new(sample: &'s Sample, stopped: &dyn Fn() -> bool) -> Self {
        let tree = Tree::new(sample);
        let clique = clique(&tree, &mut Folding::new(&tree), stopped);
        let first = sample.entries().iter().map(|entry| entry.node);
        let telling = first.take(FIRST_WORDS).collect();
        Self { tree, clique, telling }
    }

    /// No automaton of fewer states agrees with every example: known without a solver.
    #[must_use]
    pub fn bound(&self) -> usize {
        // Words of both labels do not end in one state.
        let labels =
            [false, true].map(|label| (0..self.tree.len() as u32).any(|node| self.tree.label(node) == Some(label)));
        self.clique.len().max(labels.iter().filter(|has| **has).count())
    }

    /// Whether an automaton, complete and over the sample's letters, agrees with every example.
    #[must_use]
    pub fn agrees(&self, dfa: &Dfa) -> bool {
        self.tree.wrong(dfa, 1).is_empty()
    }

    /// An automaton of so many states, or fewer, that agrees with every example.
    pub fn automaton(&mut self, states: usize, budget: &mut Budget<'_>) -> Found {
        self.find(states, None, budget)
    }

    /// Another language than that of `known`, which is minimal and complete, that an automaton of as many states has. No
    /// smaller automaton must agree with the examples.
    pub fn rival(&mut self, known: &Dfa, budget: &mut Budget<'_>) -> Found {
        self.find(known.len(), Some(known), budget)
    }

    fn find(&mut self, states: usize, but: Option<&Dfa>, budget: &mut Budget<'_>) -> Found {
        if states < self.bound() {
            return Found::Nothing;
        }
        let letters = self.tree.sample().alphabet().len();
        if letters == 0 {
            return self.without_letters(but);
        }
        // Exclusions, and what is said of the numbering.
        let fixed = letters.saturating_mul(states.saturating_pow(3));
        if fixed > MOST_CLAUSES {
            return Found::Unknown(Limit::TooLarge);
        }
        let mut folding = Folding::new(&self.tree);
        let mut colouring = Colouring::new(states, &self.tree, budget.stopped());
        for (state, &node) in self.clique.iter().enumerate() {
            colouring.include(node, &self.tree, &self.clique, &mut folding);
            colouring.fix(node, state);
        }
        colouring.number_from(self.clique.len());
        if let Some(dfa) = but {
            let at = self.tree.states(dfa);
            let clique: Vec<StateId> = self.clique.iter().map(|&node| at[node as usize]).collect();
            if let Some((table, accepting)) = numbered(dfa, &clique) {
                colouring.forbid(&table, &accepting);
            }
        }
        let mut joining = self.telling.clone();
        loop {
            for &node in &joining {
                if budget.asks_to_stop() {
                    return Found::Unknown(Limit::Cut);
                }
                // Before the clauses are made: of long words and many states a few are too many.
                let nodes = colouring.nodes() + self.tree.depth(node);
                if nodes.saturating_mul(2 * states * states).saturating_add(fixed) > MOST_CLAUSES {
                    return Found::Unknown(Limit::TooLarge);
                }
                colouring.include(node, &self.tree, &self.clique, &mut folding);
            }
            match colouring.solve(budget) {
                Verdict::Unsatisfiable => return Found::Nothing,
                Verdict::Exhausted => return Found::Unknown(Limit::Conflicts),
                Verdict::Cut => return Found::Unknown(Limit::Cut),
                Verdict::Satisfiable => {}
            }
            let dfa = colouring.automaton(&self.tree);
            let wrong = self.tree.wrong(&dfa, WRONG_WORDS);
            if wrong.is_empty() {
                return Found::Automaton(dfa);
            }
            self.telling.extend(&wrong);
            joining = wrong;
        }
    }

    /// Without letters there is the empty word, and two languages.
    fn without_letters(&self, but: Option<&Dfa>) -> Found {
        let constant = |everything| Dfa::constant(self.tree.sample().alphabet().clone(), everything);
        let label = self.tree.label(0);
        let mut agreeing = [false, true].into_iter().filter(|&accepted| label.is_none_or(|label| label == accepted));
        let other = agreeing.find(|&accepted| but.is_none_or(|dfa| dfa.is_accepting(dfa.initial()) != accepted));
        other.map_or(Found::Nothing, |accepted| Found::Automaton(constant(accepted)))
    }
}

//! The question asked: is there an automaton of k states that agrees with every example?

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;

use super::clique::CliqueSearch;
use super::folding::Folding;
use super::question::Question;
use super::solver::Budget;
use super::tree::Tree;
use crate::sample::Sample;
use crate::work::{Meter, Pause};

/// How many words there are to begin with. By measurement: with all of them a question takes fewer conflicts but as long,
/// with a few it takes twice as many.
const FIRST_WORDS: usize = 100;

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
    #[error("the conflict limit was reached")]
    Conflicts,
    /// It was stopped from outside.
    #[error("stopped")]
    Cut,
    /// There are too many clauses.
    #[error("the problem is too large for the solver")]
    TooLarge,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub enum Asked {
    /// An automaton of so many states, or fewer, that agrees with every example.
    Automaton(usize),
    /// Another language than that of this automaton, which is minimal and complete, that an automaton of as many states
    /// has. No smaller automaton must agree with the examples.
    Rival(Dfa),
}

/// Questions about one sample, one after the other.
pub struct Exact {
    tree: Tree,
    folding: Folding,
    /// None once it has found its clique.
    search: Option<CliqueSearch>,
    clique: Vec<u32>,
    /// How many labels there are.
    labels: usize,
    /// The words that questions so far came down to.
    telling: Vec<u32>,
    question: Option<Question>,
    meter: Meter,
}

impl Exact {
    /// Makes ready to ask.
    #[must_use]
    pub fn new(sample: Arc<Sample>) -> Self {
        let first = sample.entries().iter().map(|entry| entry.node);
        let telling = first.take(FIRST_WORDS).collect();
        let tree = Tree::new(sample);
        let has = |label| (0..tree.len() as u32).any(|node| tree.label(node) == Some(label));
        Self {
            labels: usize::from(has(false)) + usize::from(has(true)),
            folding: Folding::new(&tree),
            search: Some(CliqueSearch::new(&tree)),
            tree,
            clique: Vec::new(),
            telling,
            question: None,
            meter: Meter::default(),
        }
    }

    /// Finds how many states there are at the least, in about so much work, counted in visits of a node.
    pub fn prepare(&mut self, work: u64) -> ControlFlow<()> {
        self.meter.begin(work);
        match self.find_clique() {
            Ok(()) => ControlFlow::Break(()),
            Err(Pause) => ControlFlow::Continue(()),
        }
    }

    fn find_clique(&mut self) -> Result<(), Pause> {
        if let Some(search) = &mut self.search {
            self.clique = search.find(&self.tree, &mut self.folding, &mut self.meter)?;
            self.search = None;
        }
        Ok(())
    }

    /// No automaton of fewer states agrees with every example: known without a solver. Before all is
    /// [prepared](Self::prepare) it says less than it could.
    #[must_use]
    pub fn bound(&self) -> usize {
        // Words of both labels do not end in one state.
        self.clique.len().max(self.labels)
    }

    /// Whether an automaton, complete and over the sample's letters, agrees with every example.
    #[must_use]
    pub fn agrees(&self, dfa: &Dfa) -> bool {
        self.tree.wrong(dfa, 1).is_empty()
    }

    /// Asks. A question that was not answered is given up.
    pub fn ask(&mut self, asked: Asked) {
        self.question = Some(Question::new(asked));
    }

    /// Goes on with the question for about so much work, counted in visits of a node; at the end there is what was found.
    /// Nothing is found where nothing was asked.
    ///
    /// Neither what is found nor the number of conflicts depends on the slices. A slice may be exceeded by one portion of
    /// the solver's work, and by one pass over the sample.
    pub fn advance(&mut self, work: u64, budget: &mut Budget) -> ControlFlow<Found> {
        self.meter.begin(work);
        match self.answer(budget) {
            Ok(found) => {
                self.question = None;
                ControlFlow::Break(found)
            }
            Err(Pause) => ControlFlow::Continue(()),
        }
    }

    fn answer(&mut self, budget: &mut Budget) -> Result<Found, Pause> {
        self.find_clique()?;
        let bound = self.bound();
        let Self { tree, folding, clique, telling, question, meter, .. } = self;
        let Some(question) = question else { return Ok(Found::Nothing) };
        question.answer(bound, tree, folding, clique, telling, budget, meter)
    }

    /// All work so far, in visits of a node.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.meter.done()
    }

    /// [Asks](Self::ask) for an automaton of so many states, or fewer, in one go.
    pub fn automaton(&mut self, states: usize, budget: &mut Budget) -> Found {
        self.answered(Asked::Automaton(states), budget)
    }

    /// [Asks](Self::ask) for another language than that of `known` in one go.
    pub fn rival(&mut self, known: &Dfa, budget: &mut Budget) -> Found {
        self.answered(Asked::Rival(known.clone()), budget)
    }

    fn answered(&mut self, asked: Asked, budget: &mut Budget) -> Found {
        self.ask(asked);
        loop {
            if let ControlFlow::Break(found) = self.advance(u64::MAX, budget) {
                return found;
            }
        }
    }
}

//! The question: does some automaton with k states agree with every example?

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

/// Number of words at the start. Measured: with all words a question takes fewer conflicts but as much time; with very
/// few, twice as many conflicts.
const FIRST_WORDS: usize = 100;

/// The result of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// An automaton that agrees with every example.
    Automaton(Dfa),
    /// No such automaton exists.
    Nothing,
    /// Not known.
    Unknown(Limit),
}

/// Why a question was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// The conflict limit was reached.
    #[error("the conflict limit was reached")]
    Conflicts,
    /// Stopped from outside.
    #[error("stopped")]
    Cut,
    /// There are too many clauses.
    #[error("the problem is too large for the solver")]
    TooLarge,
}

/// A question.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Is there an automaton with this many states, or fewer, that agrees with every example?
    Automaton(usize),
    /// Is there another language than those of these automata, with as many states? They must be minimal and complete and
    /// of one size, and no smaller one may agree with the examples.
    Rival(Vec<Dfa>),
}

/// Questions about one sample, one after the other.
pub struct Exact {
    tree: Tree,
    folding: Folding,
    /// `None` once the clique is found.
    search: Option<CliqueSearch>,
    clique: Vec<u32>,
    /// Number of different labels.
    labels: usize,
    /// The words that earlier questions turned out to need.
    telling: Vec<u32>,
    question: Option<Question>,
    meter: Meter,
}

impl Exact {
    /// A new one, before any question.
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

    /// Finds the lower bound on the number of states, in about this much work, in node visits.
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

    /// No automaton with fewer states agrees with every example: known without the solver. Weaker before
    /// [preparation](Self::prepare) is finished.
    #[must_use]
    pub fn bound(&self) -> usize {
        // Words with different labels do not end in the same state.
        self.clique.len().max(self.labels)
    }

    /// Whether an automaton, complete and over the sample's letters, agrees with every example.
    #[must_use]
    pub fn agrees(&self, dfa: &Dfa) -> bool {
        self.tree.wrong(dfa, 1).is_empty()
    }

    /// Asks a question. An unanswered one is dropped.
    pub fn ask(&mut self, asked: Asked) {
        self.question = Some(Question::new(asked));
    }

    /// Continues with the question for about this much work, in node visits. Returns the result when finished;
    /// `Nothing` if there was no question.
    ///
    /// Neither the result nor the number of conflicts depends on the slices. A slice may be exceeded by one portion of
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

    /// Total work so far, in node visits.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.meter.done()
    }

    /// [Asks](Self::ask) for an automaton with this many states, or fewer, in one go.
    pub fn automaton(&mut self, states: usize, budget: &mut Budget) -> Found {
        self.answered(Asked::Automaton(states), budget)
    }

    /// [Asks](Self::ask) for another language than that of `known`, in one go.
    pub fn rival(&mut self, known: &Dfa, budget: &mut Budget) -> Found {
        self.answered(Asked::Rival(vec![known.clone()]), budget)
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

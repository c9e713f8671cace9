//! One question, from its clauses to its answer.
//!
//! The solver does not need all examples. It starts with a few short words; when it finds an automaton, that is checked
//! against all examples, and the words it gets wrong are added. If no automaton agrees with some of the words, none
//! agrees with all; and an automaton that gets all of them right is an answer, however few words the solver saw.

use automata::{Dfa, StateId};

use super::colouring::Colouring;
use super::exact::{Asked, Found, Limit};
use super::folding::Folding;
use super::numbering::{Numbering, numbered};
use super::solver::{Budget, Verdict};
use super::tree::Tree;
use crate::work::{Meter, Pause};

/// Maximum number of wrong words added at once.
const WRONG_WORDS: usize = 100;
/// Maximum number of clauses of a question: an estimate of what fits into a few hundred megabytes.
const MOST_CLAUSES: usize = 10_000_000;

/// A question, its clauses, and the next step.
pub(super) struct Question {
    states: usize,
    /// The languages that are excluded.
    but: Vec<Dfa>,
    step: Step,
    /// Present once the question is known to be small enough.
    colouring: Option<Colouring>,
    /// The words to add, the next one last, and the prefixes of one of them.
    joining: Vec<u32>,
    path: Vec<u32>,
    /// An added prefix, to be compared with this member of the clique.
    compared: Option<(u32, usize)>,
}

/// The next step.
#[derive(Clone, Copy)]
enum Step {
    Begin,
    /// Say that this transition leads to exactly one state.
    Exclude(usize),
    /// Add this member of the clique.
    Clique(usize),
    /// Fix its state.
    Fix(usize),
    /// Number the states beyond the clique, from this part on.
    Number(Numbering, usize),
    /// Exclude the known automaton with this number.
    Forbid(usize),
    /// Add words.
    Join,
    Solve,
}

impl Question {
    pub(super) fn new(asked: Asked) -> Self {
        let (states, but) = match asked {
            Asked::Automaton(states) => (states, Vec::new()),
            Asked::Rival(known) => (known.first().map_or(0, Dfa::len), known),
        };
        Self { states, but, step: Step::Begin, colouring: None, joining: Vec::new(), path: Vec::new(), compared: None }
    }

    /// Continues until it is answered. `clique` are prefixes that lead to different states; `telling` are the words
    /// that matter, and words found to matter are added.
    #[expect(clippy::too_many_arguments, reason = "what a question needs of the sample belongs to all questions")]
    pub(super) fn answer(
        &mut self,
        bound: usize,
        tree: &Tree,
        folding: &mut Folding,
        clique: &[u32],
        telling: &mut Vec<u32>,
        budget: &mut Budget,
        meter: &mut Meter,
    ) -> Result<Found, Pause> {
        let (states, letters) = (self.states, tree.sample().alphabet().len());
        // Exclusions and the numbering.
        let fixed = letters.saturating_mul(states.saturating_pow(3));
        if let Step::Begin = self.step {
            if states < bound {
                return Ok(Found::Nothing);
            }
            if letters == 0 {
                return Ok(self.without_letters(tree));
            }
            if fixed > MOST_CLAUSES {
                return Ok(Found::Unknown(Limit::TooLarge));
            }
            self.joining = telling.iter().rev().copied().collect();
            self.step = Step::Exclude(0);
        }
        let colouring = self.colouring.get_or_insert_with(|| Colouring::new(states, tree));
        loop {
            meter.check()?;
            let before = colouring.solver.work();
            // A prefix that is apart from a member of the clique does not lead to that member's state.
            if let Some((node, member)) = self.compared {
                self.compared = match clique.get(member).filter(|_| member < states) {
                    Some(&other) => {
                        if folding.apart(tree, other, node, meter) {
                            colouring.keep_out(node, member);
                        }
                        Some((node, member + 1))
                    }
                    None => None,
                };
                meter.add(1 + colouring.solver.work() - before);
                continue;
            }
            if let Some(node) = self.path.pop() {
                colouring.include(node, tree);
                self.compared = Some((node, 0));
                meter.add(1 + colouring.solver.work() - before);
                continue;
            }
            self.step = match self.step {
                Step::Begin => Step::Exclude(0),
                Step::Exclude(cell) if cell == letters * states => Step::Clique(0),
                Step::Exclude(cell) => {
                    colouring.exclude(cell / states, cell % states);
                    Step::Exclude(cell + 1)
                }
                Step::Clique(member) => match clique.get(member) {
                    Some(&node) => {
                        self.path = colouring.missing(node, tree);
                        Step::Fix(member)
                    }
                    None => colouring
                        .begin_numbering(clique.len())
                        .map_or(Step::Forbid(0), |numbering| Step::Number(numbering, 0)),
                },
                Step::Fix(member) => {
                    colouring.fix(clique[member], member);
                    Step::Clique(member + 1)
                }
                Step::Number(numbering, part) => match colouring.number(&numbering, part) {
                    true => Step::Number(numbering, part + 1),
                    false => Step::Forbid(0),
                },
                Step::Forbid(number) => match self.but.get(number) {
                    Some(dfa) => {
                        let at = tree.states(dfa);
                        meter.add(at.len() as u64);
                        let clique: Vec<StateId> = clique.iter().map(|&node| at[node as usize]).collect();
                        if let Some((table, accepting)) = numbered(dfa, &clique) {
                            colouring.forbid(&table, &accepting);
                        }
                        Step::Forbid(number + 1)
                    }
                    None => Step::Join,
                },
                Step::Join => match self.joining.pop() {
                    Some(word) => {
                        // Check before building the clauses: with many states, a few long words are too many.
                        let depth = tree.depth(word);
                        let nodes = colouring.nodes() + depth;
                        if nodes.saturating_mul(2 * states * states).saturating_add(fixed) > MOST_CLAUSES {
                            return Ok(Found::Unknown(Limit::TooLarge));
                        }
                        meter.add(depth as u64);
                        self.path = colouring.missing(word, tree);
                        Step::Join
                    }
                    None => Step::Solve,
                },
                Step::Solve => match colouring.solve(budget) {
                    Verdict::Unsatisfiable => return Ok(Found::Nothing),
                    Verdict::Exhausted => return Ok(Found::Unknown(Limit::Conflicts)),
                    Verdict::Unfinished => Step::Solve,
                    Verdict::Satisfiable => {
                        let dfa = colouring.automaton(tree);
                        meter.add(tree.len() as u64);
                        let wrong = tree.wrong(&dfa, WRONG_WORDS);
                        if wrong.is_empty() {
                            return Ok(Found::Automaton(dfa));
                        }
                        telling.extend(&wrong);
                        self.joining = wrong.into_iter().rev().collect();
                        Step::Join
                    }
                },
            };
            meter.add(1 + colouring.solver.work() - before);
        }
    }

    /// Without letters there is only the empty word, and two languages.
    fn without_letters(&self, tree: &Tree) -> Found {
        let constant = |everything| Dfa::constant(tree.sample().alphabet().clone(), everything);
        let label = tree.label(0);
        let mut agreeing = [false, true].into_iter().filter(|&accepted| label.is_none_or(|label| label == accepted));
        let is_other = |accepted: &bool| self.but.iter().all(|dfa| dfa.is_accepting(dfa.initial()) != *accepted);
        agreeing.find(is_other).map_or(Found::Nothing, |accepted| Found::Automaton(constant(accepted)))
    }
}

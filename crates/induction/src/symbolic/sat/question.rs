//! One question, from its clauses to its answer.
//!
//! All examples at once are more than the solver needs. It begins with a few short words; when it finds an automaton,
//! that is held against all of them, and the words it gets wrong are added. If there is none for some of the words there is
//! none for all, and if one gets all of them right it does not matter how few the solver knew.

use automata::{Dfa, StateId};

use super::colouring::Colouring;
use super::exact::{Asked, Found, Limit};
use super::folding::Folding;
use super::numbering::{Numbering, numbered};
use super::solver::{Budget, Verdict};
use super::tree::Tree;
use crate::work::{Meter, Pause};

/// How many words that are wrong are added at once.
const WRONG_WORDS: usize = 100;
/// How many clauses a question may have: an estimate of what fits into some hundred megabytes.
const MOST_CLAUSES: usize = 10_000_000;

/// A question, its clauses, and what comes next.
pub(super) struct Question {
    states: usize,
    /// The language that is not asked for.
    but: Option<Dfa>,
    step: Step,
    /// There once the question is known to be no larger than may be.
    colouring: Option<Colouring>,
    /// The words that are added, the next one last, and the prefixes of one of them.
    joining: Vec<u32>,
    path: Vec<u32>,
    /// A prefix that was added, to be compared with this member of the clique.
    compared: Option<(u32, usize)>,
}

/// What comes next.
#[derive(Clone, Copy)]
enum Step {
    Begin,
    /// That this transition leads to one state.
    Exclude(usize),
    /// This member of the clique is added.
    Clique(usize),
    /// That it leads to a state of its own.
    Fix(usize),
    /// How the states beyond the clique are numbered, from this part on.
    Number(Numbering, usize),
    /// That it is not the automaton which is known.
    Forbid,
    /// What the words say.
    Join,
    Solve,
}

impl Question {
    pub(super) fn new(asked: Asked) -> Self {
        let (states, but) = match asked {
            Asked::Automaton(states) => (states, None),
            Asked::Rival(known) => (known.len(), Some(known)),
        };
        Self { states, but, step: Step::Begin, colouring: None, joining: Vec::new(), path: Vec::new(), compared: None }
    }

    /// Goes on until it is answered. `clique` are prefixes that lead to different states, `telling` the words that matter:
    /// those that turn out to are added.
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
        // Exclusions, and what is said of the numbering.
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
            // A prefix that is apart from a member of the clique does not lead to that one's state.
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
                        .map_or(Step::Forbid, |numbering| Step::Number(numbering, 0)),
                },
                Step::Fix(member) => {
                    colouring.fix(clique[member], member);
                    Step::Clique(member + 1)
                }
                Step::Number(numbering, part) => match colouring.number(&numbering, part) {
                    true => Step::Number(numbering, part + 1),
                    false => Step::Forbid,
                },
                Step::Forbid => {
                    if let Some(dfa) = &self.but {
                        let at = tree.states(dfa);
                        meter.add(at.len() as u64);
                        let clique: Vec<StateId> = clique.iter().map(|&node| at[node as usize]).collect();
                        if let Some((table, accepting)) = numbered(dfa, &clique) {
                            colouring.forbid(&table, &accepting);
                        }
                    }
                    Step::Join
                }
                Step::Join => match self.joining.pop() {
                    Some(word) => {
                        // Before the clauses are made: of long words and many states a few are too many.
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

    /// Without letters there is the empty word, and two languages.
    fn without_letters(&self, tree: &Tree) -> Found {
        let constant = |everything| Dfa::constant(tree.sample().alphabet().clone(), everything);
        let label = tree.label(0);
        let mut agreeing = [false, true].into_iter().filter(|&accepted| label.is_none_or(|label| label == accepted));
        let is_other =
            |accepted: &bool| self.but.as_ref().is_none_or(|dfa| dfa.is_accepting(dfa.initial()) != *accepted);
        agreeing.find(is_other).map_or(Found::Nothing, |accepted| Found::Automaton(constant(accepted)))
    }
}

//! The answer, with everything known about it.

use automata::{Alphabet, Counts, Dfa, Direction, Grammar, Regex, Word, determinize, minimize, separating_word};

use super::schedule::Choice;
use super::undecided::undecided;
use super::{Examined, Learner, Noise, Spent, StopReason, Undecided};
use crate::certificate::{Certificate, certify};
use crate::confidence::named_as;
use crate::model::{Model, Shape};
use crate::proof::Proof;
use crate::selection::{Candidate, Origin};

/// The result of learning.
#[derive(Clone, Debug)]
pub struct Induced {
    /// The grammar, in the requested direction.
    pub grammar: Grammar,
    /// The minimal complete automaton.
    pub dfa: Dfa,
    /// The learned expression, if an expression was learned; others can be derived from the automaton.
    pub expression: Option<String>,
    /// The formula over facts as a sentence, with its exceptions, if that is the shortest description.
    pub formula: Option<String>,
    /// The letters of the examples, in which words are shown; the automaton's letters may be classes of these.
    pub letters: Alphabet,
    /// The replay of all examples through the automaton.
    pub certificate: Certificate,
    /// The length of the description in bits.
    pub bits: f64,
    /// How it was found.
    pub origin: Origin,
    /// The shape of the model that it was read off, if any.
    pub shape: Option<Shape>,
    /// That model; its non-terminals are named as in the grammar.
    pub model: Option<Model>,
    /// Number of independent finds.
    pub finds: u32,
    /// Whether the empty word is unlabelled. It then gets the label that makes the automaton smaller.
    pub empty_word_chosen: bool,
    /// Other languages that agree with the examples and are not much longer to describe, shortest first.
    pub alternatives: Vec<Alternative>,
    /// Words on which these and the answer differ.
    pub undecided: Vec<Undecided>,
    /// Words on which the answer and much longer ones differ, to ask about when nothing else is open.
    pub doubtful: Vec<Undecided>,
    /// With noise, the examples that are probably mislabelled, most certain first.
    pub suspects: Vec<Suspect>,
    /// What a proof on the way decided.
    pub proof: Option<Proof>,
    /// Work done.
    pub spent: Spent,
    /// Why learning stopped.
    pub stop_reason: StopReason,
}

/// An alternative answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its minimal complete automaton.
    pub dfa: Dfa,
    /// Number of productions of its grammar.
    pub productions: usize,
    /// The length of its description in bits.
    pub bits: f64,
    /// Number of independent finds.
    pub finds: u32,
    /// The learned expression, if an expression was learned.
    pub expression: Option<String>,
    /// A shortest word on which it differs from the answer, as text.
    pub word: String,
}

/// An example that is probably mislabelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The word.
    pub word: Word,
    /// Its label: whether it is in the language.
    pub accepted: bool,
    /// How often it has this label.
    pub times: u32,
    /// How many of the best answers contradict the label.
    pub doubted_by: usize,
    /// How many answers were compared.
    pub of: usize,
}

/// Answers that are longer than the best one by more bits than this are not worth a question.
const PLAUSIBLE_BITS: f64 = 16.0;
/// Maximum number of answers compared with each other.
const COMPARED: usize = 24;
/// Maximum number of undecided words.
const UNDECIDED: usize = 20;
/// Number of best answers that vote on whether a label is wrong.
const JURY: usize = 9;

impl Induced {
    pub(super) fn of(learner: &Learner, stop_reason: StopReason) -> Self {
        let state = &learner.state;
        let direction = state.settings.direction;
        let fewest = state.pool.consistent().map(|known| known.dfa.len()).min();
        let is_preferred = |known: &&Candidate| match learner.schedule().answer {
            Choice::Shortest => false,
            Choice::Own => known.finds > 0,
            Choice::Smallest => known.errors == 0 && Some(known.dfa.len()) == fewest,
        };
        let candidates = state.pool.candidates().iter();
        let candidates = candidates.clone().filter(is_preferred).chain(candidates);
        let mut answers = candidates.filter_map(|candidate| Some((candidate, as_written(candidate, direction)?)));
        let (best, (grammar, dfa)) = answers.next().expect("the obvious answers are always there, and small");
        let plausible = plausible(learner);
        let alternatives: Vec<Alternative> = plausible
            .iter()
            .filter(|candidate| candidate.dfa != best.dfa)
            .filter_map(|other| {
                let other_dfa = as_written(other, direction)?.1;
                let word = separating_word(&dfa, &other_dfa).map(|word| dfa.alphabet().write(&word))?;
                Some(Alternative {
                    dfa: other_dfa,
                    productions: other.grammar.productions().len(),
                    bits: other.bits,
                    finds: other.finds,
                    expression: expression(other, direction),
                    word,
                })
            })
            .collect();
        Self {
            certificate: match direction {
                Direction::Left => certify(&dfa, state.core.whole()),
                Direction::Right => certify(&dfa, &state.core.whole().reversed()),
            },
            model: best.model.clone().map(|model| named_as(model, &grammar)),
            grammar,
            letters: dfa.alphabet().clone(),
            dfa,
            expression: expression(best, direction),
            formula: formula(best, direction),
            bits: best.bits,
            origin: best.origin,
            shape: best.shape,
            finds: best.finds,
            empty_word_chosen: state.core.whole().empty_word().labelled() == 0,
            alternatives,
            undecided: learner.undecided_between(&plausible),
            doubtful: learner.doubtful(),
            suspects: suspects(learner),
            proof: state.examined_best().and_then(Examined::proof),
            spent: state.ledger.spent,
            stop_reason,
        }
    }
}

impl Learner {
    /// Words on which the plausible answers differ.
    #[must_use]
    pub fn undecided(&self) -> Vec<Undecided> {
        self.undecided_between(&plausible(self))
    }

    /// Words on which the best answer and much longer ones differ.
    fn doubtful(&self) -> Vec<Undecided> {
        match self.state.settings.noise {
            Noise::None if !self.state.is_core() => {
                self.undecided_between(&self.state.pool.consistent().take(COMPARED).collect::<Vec<_>>())
            }
            _ => Vec::new(),
        }
    }

    /// Words on which these answers differ, in their original direction.
    fn undecided_between(&self, answers: &[&Candidate]) -> Vec<Undecided> {
        let compared: Vec<(&Dfa, f64)> = answers.iter().map(|answer| (&answer.dfa, answer.total(None))).collect();
        let mut open = undecided(&compared, UNDECIDED);
        // Labelled words are not open.
        open.retain(|open| !self.state.core.whole().rows().any(|(word, _)| *word == open.word[..]));
        if self.state.settings.direction == Direction::Right {
            open.iter_mut().for_each(|open| open.word = open.word.reversed());
        }
        open
    }
}

/// The grammar and the minimal automaton in the original direction; `None` if reversal takes too many states.
fn as_written(candidate: &Candidate, direction: Direction) -> Option<(Grammar, Dfa)> {
    const MOST_STATES: usize = 20_000;
    match direction {
        Direction::Left => Some((candidate.grammar.clone(), candidate.dfa.clone())),
        Direction::Right => {
            let grammar = candidate.grammar.reversed();
            let dfa = determinize(&grammar.to_nfa(), MOST_STATES).ok()?;
            Some((grammar, minimize(&dfa)))
        }
    }
}

/// The expression of a candidate that was found as one. The automata of others are written as expressions with more care.
fn expression(candidate: &Candidate, direction: Direction) -> Option<String> {
    let is_found = candidate.origin == Origin::Expressions && direction == Direction::Left;
    candidate.expression.as_ref().filter(|_| is_found).map(Regex::to_string)
}

/// The formula of a candidate, as a sentence; read from the end, it would say something else.
fn formula(candidate: &Candidate, direction: Direction) -> Option<String> {
    let rule = candidate.rule.as_ref().filter(|_| direction == Direction::Left)?;
    Some(rule.sentence(candidate.dfa.alphabet(), candidate.dfa.is_accepting(candidate.dfa.initial())))
}

/// The answers that agree with the examples as well as the best one and are not much longer, best first.
fn plausible(learner: &Learner) -> Vec<&Candidate> {
    let Some(best) = learner.state.pool.best() else { return Vec::new() };
    let is_noisy = learner.state.settings.noise != Noise::None;
    let words = is_noisy.then(|| learner.state.data.jury.words());
    let fits = |candidate: &&Candidate| {
        (is_noisy || candidate.errors == best.errors) && candidate.total(words) <= best.total(words) + PLAUSIBLE_BITS
    };
    let mut plausible: Vec<&Candidate> = learner.state.pool.candidates().iter().filter(fits).take(COMPARED).collect();
    if learner.state.is_core() && learner.state.settings.noise == Noise::None && best.errors == 0 {
        // A candidate that is right on the jury may be wrong on other words.
        plausible.retain(|candidate| certify(&candidate.dfa, learner.state.core.whole()).is_consistent());
    }
    plausible
}

/// With noise, the examples that the best answer gets wrong; first those that most other good answers get wrong, too.
fn suspects(learner: &Learner) -> Vec<Suspect> {
    if learner.state.settings.noise == Noise::None {
        return Vec::new();
    }
    let jury: Vec<&Dfa> = learner.state.pool.candidates().iter().take(JURY).map(|candidate| &candidate.dfa).collect();
    let [best, ..] = jury[..] else { return Vec::new() };
    let mut suspects = Vec::new();
    for (word, Counts { accepted, rejected, .. }) in learner.state.core.whole().rows() {
        let verdict = best.accepts(word);
        let times = if verdict { rejected } else { accepted };
        if times > 0 {
            let doubted_by = jury.iter().filter(|dfa| dfa.accepts(word) == verdict).count();
            let word: Word = match learner.state.settings.direction {
                Direction::Left => word.iter().copied().collect(),
                Direction::Right => word.iter().rev().copied().collect(),
            };
            suspects.push(Suspect { word, accepted: !verdict, times, doubted_by, of: jury.len() });
        }
    }
    // Words come shortest first, and the sort is stable.
    suspects.sort_by_key(|suspect| std::cmp::Reverse(suspect.doubted_by));
    suspects
}

//! Proofs as a step of learning: if the best answer is the smallest automaton and the only one of its size, engines need not
//! look for another.
//!
//! If it is minimal but not unique, the solver lists the others of its size, up to a few. If there are no more, the pool has all
//! smallest automata, and the shortest message among them is as good as settled.
//!
//! First the solver looks for the smallest automaton itself, which takes milliseconds where examples are dense. Then it is
//! asked whether the best answer is minimal and unique. A refutation is an automaton that joins the pool, and if it is now
//! the best, it is examined in turn. The budget is small, unless a proof was asked for.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Dfa, Direction, minimize, separating_word};
use serde::{Deserialize, Serialize};

use super::solver::Smallest;
use super::{Data, Engine, Job, Outcome, SLICE, Task, Turn, Work};
use crate::learner::{LearnError, Noise, Settings, Spent, State};
use crate::proof::{Proof, ProofSettings, Prover, Verdict};
use crate::selection::{Candidate, Origin};
use crate::symbolic::sat::{Asked, Budget, Exact, Found};

/// Looks for the smallest automaton and proves the best answer, with a small budget.
pub(in crate::learner) const PROVE: Proving = Proving;

/// Conflicts of one question: some tenths of a second. Of dense samples with 8 to 16 states, the solver decides 98 % within
/// this.
const CONFLICTS: u64 = 2_000;
/// Maximum number of answers that are examined in one turn.
const MOST_PROOFS: u32 = 6;
/// Maximum number of automata of the smallest size that are listed. If there are more, the examples leave much open, and a
/// search by bits finds better ones than the solver happens to give.
const MOST_OTHERS: usize = 24;
/// With more nodes in the prefix tree the lower bound alone takes seconds.
const MOST_NODES: usize = 20_000;

pub(in crate::learner) struct Proving;

impl Engine for Proving {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn stage(&self) -> &'static str {
        "proving"
    }

    fn supports(&self, settings: &Settings) -> Result<(), LearnError> {
        match (settings.noise, settings.direction) {
            (Noise::Rate(_) | Noise::Auto, _) => Err(LearnError::NoisySat),
            (Noise::None, Direction::Right) => Err(LearnError::BackwardSat),
            (Noise::None, Direction::Left) => Ok(()),
        }
    }

    fn has_work(&self, state: &State) -> bool {
        self.supports(&state.settings).is_ok()
            && state.core.whole().parents().len() <= MOST_NODES
            && state.ledger.conflicts_left(&state.settings) > 0
            && (!state.solved || state.unproved_best().is_some() || is_one_of_several(state))
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let most = if state.settings.prove { u64::MAX } else { CONFLICTS };
        let conflicts = most.min(state.ledger.conflicts_left(&state.settings));
        if !state.solved {
            return vec![Box::new(Smallest { conflicts })];
        }
        match state.unproved_best() {
            Some(best) if turn.part < MOST_PROOFS && conflicts > 0 => {
                vec![Box::new(Question { dfa: best.dfa.clone(), conflicts })]
            }
            None if conflicts > 0 && is_one_of_several(state) => {
                let best = state.pool.best().map(|best| Others { dfa: best.dfa.clone(), conflicts });
                best.into_iter().map(|job| Box::new(job) as Box<dyn Job>).collect()
            }
            _ => Vec::new(),
        }
    }

    fn gather(&self, _: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        for mut outcome in outcomes {
            match outcome.examined.take() {
                Some(examined) => state.examined = Some(examined),
                None if !state.solved => state.solved = true,
                None => state.listed = Some(outcome.is_complete),
            }
            state.take(outcome)?;
        }
        Ok(())
    }
}

/// Whether the best answer is minimal but not unique, and the others of its size were not listed yet.
fn is_one_of_several(state: &State) -> bool {
    let is_refuted = |examined: &Examined| examined.minimal == Some(true) && examined.unique == Some(false);
    state.listed.is_none() && state.examined_best().is_some_and(is_refuted)
}

/// The other automata as small as this one, which is among the smallest.
#[derive(Serialize, Deserialize)]
pub(super) struct Others {
    #[serde(with = "super::written")]
    dfa: Dfa,
    conflicts: u64,
}

impl Work for Others {
    const KIND: &'static str = "others";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let mut exact = Exact::new(Arc::clone(&data.whole));
        let known = vec![self.dfa];
        exact.ask(Asked::Rival(known.clone()));
        Box::new(Listing { data: Arc::clone(data), known, exact, budget: Budget::new(self.conflicts) })
    }
}

struct Listing {
    data: Arc<Data>,
    /// The first was known before.
    known: Vec<Dfa>,
    exact: Exact,
    budget: Budget,
}

impl Task for Listing {
    fn advance(&mut self) -> Option<Outcome> {
        let ControlFlow::Break(found) = self.exact.advance(SLICE, &mut self.budget) else { return None };
        match found {
            Found::Automaton(dfa) if self.known.len() <= MOST_OTHERS => {
                self.known.push(minimize(&dfa));
                self.exact.ask(Asked::Rival(self.known.clone()));
                None
            }
            found => Some(Outcome { is_complete: found == Found::Nothing, ..self.outcome() }),
        }
    }

    fn spent(&self) -> Spent {
        Spent { conflicts: self.budget.spent(), ..Spent::default() }
    }

    fn cut(self: Box<Self>) -> Outcome {
        self.outcome()
    }
}

impl Listing {
    fn outcome(&self) -> Outcome {
        let candidate = |dfa: &Dfa| Candidate { finds: 0, ..Candidate::from_dfa(dfa, &self.data.jury, Origin::Sat) };
        let candidates = self.known[1..].iter().map(candidate).collect();
        Outcome { spent: self.spent(), ..Outcome::of(candidates) }
    }
}

/// Whether an automaton is minimal and unique.
#[derive(Serialize, Deserialize)]
pub(super) struct Question {
    #[serde(with = "super::written")]
    dfa: Dfa,
    conflicts: u64,
}

impl Work for Question {
    const KIND: &'static str = "proof";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let settings = ProofSettings { conflicts: self.conflicts };
        let prover = Prover::new(Arc::clone(&data.whole), &self.dfa, &[], settings);
        Box::new(Examining { data: Arc::clone(data), dfa: self.dfa, prover })
    }
}

struct Examining {
    data: Arc<Data>,
    dfa: Dfa,
    prover: Prover,
}

impl Task for Examining {
    fn advance(&mut self) -> Option<Outcome> {
        let proof = match self.prover.advance(SLICE) {
            ControlFlow::Continue(()) => return None,
            ControlFlow::Break(proof) => proof,
        };
        let examined = Examined::new(self.dfa.clone(), &proof);
        let candidate = |dfa: &Dfa| Candidate { finds: 0, ..Candidate::from_dfa(dfa, &self.data.jury, Origin::Sat) };
        let candidates = examined.other.iter().map(candidate).collect();
        let spent = Spent { conflicts: proof.conflicts, ..Spent::default() };
        Some(Outcome { spent, examined: Some(examined), ..Outcome::of(candidates) })
    }
}

/// What the solver said about an automaton. A checkpoint keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::learner) struct Examined {
    #[serde(with = "super::written")]
    pub(in crate::learner) dfa: Dfa,
    minimal: Option<bool>,
    unique: Option<bool>,
    /// The automaton that refutes one of them.
    #[serde(with = "crate::learner::checkpoint::perhaps_dfa")]
    other: Option<Dfa>,
    bound: usize,
    conflicts: u64,
}

impl Examined {
    fn new(dfa: Dfa, proof: &Proof) -> Self {
        let decided = |verdict: &Verdict| match verdict {
            Verdict::Proved => Some(true),
            Verdict::Refuted { .. } => Some(false),
            Verdict::Unknown { .. } => None,
        };
        let other = |verdict: &Verdict| match verdict {
            Verdict::Refuted { automaton, .. } => Some(automaton.clone()),
            _ => None,
        };
        Self {
            minimal: decided(&proof.minimal),
            unique: decided(&proof.unique),
            other: other(&proof.minimal).or_else(|| other(&proof.unique)),
            bound: proof.bound,
            conflicts: proof.conflicts,
            dfa,
        }
    }

    /// Whether no other language has as small an automaton.
    pub(in crate::learner) fn is_proved(&self) -> bool {
        self.minimal == Some(true) && self.unique == Some(true)
    }

    /// Whether no automaton is smaller.
    pub(in crate::learner) fn is_minimal(&self) -> bool {
        self.minimal == Some(true)
    }

    /// The proof, if both claims are decided.
    pub(in crate::learner) fn proof(&self) -> Option<Proof> {
        let verdict = |claim: bool| match (claim, &self.other) {
            (true, _) => Some(Verdict::Proved),
            (false, Some(other)) => {
                let word = separating_word(&self.dfa, other)?;
                Some(Verdict::Refuted { automaton: other.clone(), word })
            }
            (false, None) => None,
        };
        let (minimal, unique) = (verdict(self.minimal?)?, verdict(self.unique?)?);
        Some(Proof { minimal, unique, bound: self.bound, conflicts: self.conflicts, cut: false })
    }
}

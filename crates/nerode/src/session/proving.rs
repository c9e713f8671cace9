//! The proof that an answer is minimal and unique, in slices.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use induction::Sample;
use induction::learner::{Induced, Settings};
use induction::proof::{Proof, ProofSettings, Prover};

use crate::answer::proof::spelled;

/// Node visits per slice: about 50 ms.
const SLICE: u64 = 5_000_000;

pub(super) struct Proving {
    pub(super) induced: Induced,
    prover: Option<Prover>,
    pub(super) proof: Option<Proof>,
}

impl Proving {
    pub(super) fn new(induced: Induced, sample: &Sample, settings: &Settings) -> Self {
        let known: Vec<&Dfa> = induced.alternatives.iter().map(|other| &other.dfa).collect();
        let allowed = ProofSettings { conflicts: settings.conflicts };
        let prover = Prover::new(Arc::new(spelled(sample, &induced.dfa)), &induced.dfa, &known, allowed);
        Self { induced, prover: Some(prover), proof: None }
    }

    /// Continues for a slice; returns whether the proof is finished.
    pub(super) fn advance(&mut self) -> bool {
        if let Some(prover) = &mut self.prover
            && let ControlFlow::Break(proof) = prover.advance(SLICE)
        {
            (self.prover, self.proof) = (None, Some(proof));
        }
        self.prover.is_none()
    }

    /// Ends the proof with what is known.
    pub(super) fn cut(&mut self) {
        if let Some(prover) = self.prover.take() {
            self.proof = Some(prover.stop());
        }
    }
}

//! The paper's protocol: one training, read off at the paper's threshold, without repair.

use super::model::Block;
use super::{Engine, Job, Turn};
use crate::learner::State;
use crate::training;

/// The paper's protocol.
pub(in crate::learner) const PAPER: Paper = Paper;

pub(in crate::learner) struct Paper;

impl Engine for Paper {
    fn name(&self) -> &'static str {
        "neural"
    }

    fn stage(&self) -> &'static str {
        "training as in the paper"
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        if turn.part > 0 {
            return Vec::new();
        }
        let paper = training::Settings::paper();
        let training = training::Settings {
            nonterminals: state.settings.nonterminals.unwrap_or(paper.nonterminals),
            steps: paper.steps.min(state.settings.steps),
            seed: state.settings.seed,
            ..paper
        };
        let recording = state.recording;
        vec![Box::new(Block {
            number: 0,
            training,
            begin: None,
            supposing: false,
            costs: None,
            distinct: false,
            recording,
        })]
    }
}

//! The progress of training: the model's belief in every production, from its random start to its end.
//!
//! Records do not include it, but a job is a function of its specification, so the training is repeated and observed.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Alphabet;
use induction::Sample;
use induction::learner::Engine;
use induction::model::{Model, Weights};
use induction::training::{EpochRecord, Hardware, Observer, Settings, Thinned, Trainer};

use super::{Case, drawn};
use crate::spec::{Method, Selector, Spec};

/// A model's beliefs during training.
#[derive(Clone, Debug, PartialEq)]
pub struct Progression {
    /// The name of the job.
    pub job: String,
    /// The letters, in order.
    pub alphabet: Alphabet,
    /// n'.
    pub nonterminals: usize,
    /// From start to end.
    pub frames: Vec<Frame>,
}

/// A model's beliefs at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The number of epochs before it.
    pub epochs: u64,
    /// The belief in each production.
    pub weights: Weights,
}

/// Why there is no progress to show.
const NO_TRAINING: &str = "its learner is not a single training run";

/// Repeats the training of the job's first restart and keeps at most `most` frames, at least two: the start, the end,
/// and others evenly spaced in between. Fails for jobs whose learner is not a single training run of the model.
pub fn progression(spec: &Spec, most: usize) -> Result<Progression, String> {
    spec.check().map_err(|error| error.to_string())?;
    let target = spec.language.draw(spec.seed).map_err(|error| error.to_string())?;
    let examples = drawn::draw(spec, &target)?.examples;
    let sample = Sample::new(&examples, true).map_err(|error| error.to_string())?;
    let case = Case::new(spec, &target, &examples, &sample);
    let settings = settings(&case).ok_or(NO_TRAINING)?;
    let nonterminals = settings.nonterminals;
    let balanced = sample.balanced();
    let trainer = Trainer::new(Arc::new(balanced), settings, Hardware::with_threads(1));
    let mut trainer = trainer.map_err(|error| error.to_string())?;
    let mut kept = Kept(Thinned::new(most));
    let weights = |trainer: &Trainer| trainer.model(0).map(|model| model.weights()).ok_or(NO_TRAINING);
    kept.0.keep(0, weights(&trainer)?);
    while trainer.advance(&mut kept).is_continue() {}
    let frames = kept.0.finish(trainer.epochs(), weights(&trainer)?);
    let frames = frames.into_iter().map(|(epochs, weights)| Frame { epochs, weights }).collect();
    Ok(Progression { job: spec.name.clone(), alphabet: sample.alphabet().clone(), nonterminals, frames })
}

/// The settings of the job's training, if it is a single training run.
fn settings(case: &Case) -> Option<Settings> {
    let seed = case.seed();
    match &case.spec.learner.method {
        Method::Train(how) if how.selector == Selector::Softmax => Some(Settings { seed, ..how.settings.clone() }),
        Method::Learn(how) if how.engine == Engine::Paper && !how.right => {
            let paper = Settings::paper();
            Some(Settings {
                nonterminals: how.nonterminals.unwrap_or(paper.nonterminals),
                steps: how.steps.map_or(paper.steps, |most| paper.steps.min(most)),
                seed,
                ..paper
            })
        }
        _ => None,
    }
}

/// The frames of the first restart.
struct Kept(Thinned<Weights>);

impl Observer for Kept {
    fn epoch(&mut self, _: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_models(&self, epoch: u64) -> bool {
        self.0.wants(epoch + 1)
    }

    fn models(&mut self, epoch: u64, models: &mut dyn Iterator<Item = Model>) {
        if let Some(model) = models.next() {
            self.0.keep(epoch + 1, model.weights());
        }
    }
}

//! The course of a training: what the model believes of every production, from its random beginning to its end.
//!
//! A record has no room for it, but a job is a function of its specification: so the training is made again, and watched.

use std::ops::ControlFlow;

use automata::Alphabet;
use induction::Sample;
use induction::learner::{Engine, paper_steps};
use induction::model::{Model, Weights};
use induction::training::{EpochRecord, Hardware, Observer, Settings, Trainer};

use super::{Case, drawn};
use crate::spec::{Method, Selector, Spec};

/// What a model believed in the course of its training.
#[derive(Clone, Debug, PartialEq)]
pub struct Progression {
    /// The name of the job.
    pub job: String,
    /// The letters, in order.
    pub alphabet: Alphabet,
    /// n'.
    pub nonterminals: usize,
    /// From the beginning to the end.
    pub frames: Vec<Frame>,
}

/// What a model believed at some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// After so many epochs.
    pub epochs: u64,
    /// What it believed of each production.
    pub weights: Weights,
}

/// Trains again as the job did, the first of its restarts, and keeps at most so many frames, at least two: the beginning,
/// the end, and others evenly between them. An error for jobs whose learner is not one training of the model.
pub fn progression(spec: &Spec, most: usize) -> Result<Progression, String> {
    spec.check().map_err(|error| error.to_string())?;
    let target = spec.language.draw(spec.seed).map_err(|error| error.to_string())?;
    let examples = drawn::draw(spec, &target).map_err(|error| error.to_string())?.examples;
    let sample = Sample::new(&examples, true).map_err(|error| error.to_string())?;
    let case = Case::new(spec, &target, &sample);
    let settings = settings(&case).ok_or("its learner is not one training of the model")?;
    let nonterminals = settings.nonterminals;
    let balanced = sample.balanced();
    let trainer = Trainer::new(&balanced, settings, Hardware::with_threads(1));
    let mut trainer = trainer.map_err(|error| error.to_string())?;
    let mut kept = Kept { frames: Vec::new(), last: Some(frame(0, &trainer.model(0))), stride: 1, most: most.max(2) };
    kept.take_last();
    while trainer.advance(&mut kept).is_continue() {}
    kept.take_last();
    Ok(Progression { job: spec.name.clone(), alphabet: sample.alphabet().clone(), nonterminals, frames: kept.frames })
}

/// How the job trains, if one training is what it does.
fn settings(case: &Case) -> Option<Settings> {
    let seed = case.seed();
    match &case.spec.learner.method {
        Method::Train(how) if how.selector == Selector::Softmax => Some(Settings { seed, ..how.settings.clone() }),
        Method::Learn(how) if how.engine == Engine::Paper && !how.right => {
            let paper = Settings::paper();
            let steps = paper_steps(case.sample.alphabet().len(), case.sample.longest());
            Some(Settings {
                nonterminals: how.nonterminals.unwrap_or(paper.nonterminals),
                steps: how.steps.map_or(steps, |most| steps.min(most)),
                seed,
                ..paper
            })
        }
        _ => None,
    }
}

fn frame(epochs: u64, model: &Model) -> Frame {
    Frame { epochs, weights: model.weights() }
}

/// Frames of every so many epochs; when there are too many, every other one goes.
struct Kept {
    frames: Vec<Frame>,
    /// The newest, which is kept in the end.
    last: Option<Frame>,
    stride: u64,
    most: usize,
}

impl Kept {
    fn take_last(&mut self) {
        let last = self.last.take();
        self.frames.extend(last);
        if self.frames.len() > self.most {
            // The beginning and the end stay.
            let end = self.frames.pop();
            self.thin();
            self.frames.extend(end);
        }
    }

    fn thin(&mut self) {
        self.stride *= 2;
        let stride = self.stride;
        self.frames.retain(|frame| frame.epochs.is_multiple_of(stride));
    }
}

impl Observer for Kept {
    fn epoch(&mut self, _: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_models(&self, _: u64) -> bool {
        true
    }

    fn models(&mut self, epoch: u64, models: &mut dyn Iterator<Item = Model>) {
        let epochs = epoch + 1;
        let Some(model) = models.next() else { return };
        let frame = frame(epochs, &model);
        if epochs.is_multiple_of(self.stride) {
            self.frames.push(frame);
            self.last = None;
            if self.frames.len() > self.most {
                // What goes now may have been the newest.
                let newest = self.frames.last().cloned();
                self.thin();
                self.last = newest.filter(|newest| !newest.epochs.is_multiple_of(self.stride));
            }
        } else {
            self.last = Some(frame);
        }
    }
}

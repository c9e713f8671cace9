//! The slow population: the model of [`model::reference`](crate::model::reference), trained word by word in `f64`.
//!
//! It supports every start selector, for the ablation, and fast populations are checked against it.

use super::population::{BETA_1, BETA_2, EPSILON};
use super::{
    Backend, Epoch, Judgement, Kind, Outcome, Population, Precision, Restart, Settings, Step, Sums, TrainError,
};
use crate::model::reference::{Evaluation, Example, LossSettings, evaluate};
use crate::model::{Layout, Selector, Shape, Weights};
use crate::sample::Sample;

/// The most bytes a restart may take.
const MOST_MEMORY: u128 = 1 << 30;

/// Trains with readable code and any start selector; those other than the softmax require the shape `nfa`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// The start selector.
    pub selector: Selector,
}

impl Backend for Reference {
    fn kind(&self) -> Kind {
        Kind { precision: Precision::F64, selector: self.selector }
    }

    fn check(&self, sample: &Sample, settings: &Settings) -> Result<(), TrainError> {
        if self.selector != Selector::Softmax && settings.shape != Shape::Nfa {
            return Err(TrainError::Selector);
        }
        let &Settings { restarts, nonterminals, .. } = settings;
        let (letters, longest) = (sample.alphabet().len(), sample.longest());
        // An upper bound: P_T and P_N, and for a perceptron less than eight matrices of n' by n'.
        let n = nonterminals as u128;
        let parameters = n.saturating_mul(n + 1).saturating_mul(letters as u128 + 8);
        // A restart keeps three numbers of 8 bytes per parameter. A step takes about as many again for beliefs and
        // gradients, plus those of one word.
        let kept = parameters.saturating_mul(3 * 8);
        let step = parameters.saturating_mul(6 * 8).saturating_add(n.saturating_mul(16 * longest as u128));
        if kept.saturating_mul(restarts as u128).saturating_add(step) > isize::MAX as u128 {
            return Err(TrainError::TooLarge { restarts, nonterminals, letters });
        }
        if kept.saturating_add(step) > MOST_MEMORY {
            let limit = MOST_MEMORY as u64;
            return Err(TrainError::OutOfReach { restarts: 1, nonterminals, letters, longest, limit });
        }
        Ok(())
    }

    fn population(
        &self,
        layout: Layout,
        restarts: &mut dyn ExactSizeIterator<Item = Restart>,
    ) -> Result<Box<dyn Population>, TrainError> {
        Ok(Box::new(Restarts { layout, selector: self.selector, restarts: restarts.collect() }))
    }
}

#[derive(Debug)]
struct Restarts {
    layout: Layout,
    selector: Selector,
    restarts: Vec<Restart>,
}

impl Population for Restarts {
    fn train(
        &mut self,
        sample: &Sample,
        epochs: &[&Epoch],
        judgement: Judgement,
        active: &[bool],
    ) -> Vec<Vec<Option<Outcome>>> {
        let (layout, selector) = (self.layout, self.selector);
        let mut outcomes = Vec::with_capacity(self.restarts.len());
        for (restart, &active) in self.restarts.iter_mut().zip(active) {
            let mut active = active;
            let mut of_restart = Vec::new();
            for epoch in epochs {
                if active {
                    train(restart, layout, selector, sample, epoch);
                }
                if epoch.ends() {
                    let outcome = active.then(|| judge(restart, layout, selector, epoch, judgement));
                    active = outcome.is_some_and(|outcome| outcome.halt.is_none());
                    of_restart.push(outcome);
                }
            }
            outcomes.push(of_restart);
        }
        outcomes
    }

    fn restart(&self, restart: usize) -> Restart {
        self.restarts[restart].clone()
    }

    fn set_restart(&mut self, restart: usize, to: &Restart) {
        self.restarts[restart] = to.clone();
    }

    fn parameters(&self, restart: usize) -> Vec<f64> {
        self.restarts[restart].parameters.clone()
    }

    fn cost(&self) -> u64 {
        // Roughly: one number at a time, prefixes not shared, memory allocated for every letter.
        16 * self.restarts.len() as u64
    }
}

/// Trains a restart on the batches of a part of an epoch, until its loss or gradient is not finite.
fn train(restart: &mut Restart, layout: Layout, selector: Selector, sample: &Sample, epoch: &Epoch) {
    for batch in epoch.part.clone() {
        if restart.sums.diverged {
            return;
        }
        let shown = &epoch.shown[epoch.batches[batch].clone()];
        let example = |word: &super::Shown| Example {
            word: sample.word(&sample.entries()[word.entry as usize]),
            accepted: f64::from(word.accepted),
            rejected: f64::from(word.rejected),
        };
        let examples: Vec<Example> = shown.iter().map(example).collect();
        let step = &epoch.steps[batch];
        let &Step { beta, gamma, temperature, clamp, slope_bound, .. } = step;
        let settings = LossSettings { beta, gamma, temperature, clamp, slope_bound };
        let evaluation = evaluate(layout, selector, &restart.parameters, &examples, &settings);
        count(&mut restart.sums, &evaluation, &examples, epoch.examples(batch));
        if !restart.sums.diverged {
            update(restart, &evaluation.gradient, step);
        }
    }
}

/// Adds the results of a step.
fn count(sums: &mut Sums, evaluation: &Evaluation, examples: &[Example], mass: f64) {
    sums.loss += evaluation.prediction * mass;
    let wrong = |(o, example): (&f64, &Example)| if *o < 0.5 { example.accepted } else { example.rejected };
    sums.wrong += evaluation.outputs.iter().zip(examples).map(wrong).sum::<f64>();
    // Adam squares the gradient.
    let squares: f64 = evaluation.gradient.iter().map(|d| d * d).sum();
    sums.diverged |= !evaluation.prediction.is_finite() || !squares.is_finite();
}

/// Adam.
fn update(restart: &mut Restart, gradient: &[f64], step: &Step) {
    let correction = |beta: f64| 1.0 - libm::pow(beta, (step.number + 1) as f64);
    let (first, second) = (correction(BETA_1), correction(BETA_2));
    let moments = restart.first.iter_mut().zip(&mut restart.second);
    for ((parameter, (m, v)), d) in restart.parameters.iter_mut().zip(moments).zip(gradient) {
        *m = BETA_1 * *m + (1.0 - BETA_1) * d;
        *v = BETA_2 * *v + (1.0 - BETA_2) * d * d;
        *parameter -= step.learning_rate * (*m / first) / ((*v / second).sqrt() + EPSILON);
    }
}

/// The result of an epoch, at its end.
fn judge(restart: &mut Restart, layout: Layout, selector: Selector, epoch: &Epoch, judgement: Judgement) -> Outcome {
    let sums = std::mem::take(&mut restart.sums);
    let examples = epoch.part.clone().fold(epoch.shown_before, |sum, batch| sum + epoch.examples(batch));
    let temperature = epoch.steps.last().map_or(1.0, |step| step.temperature);
    let weights = Weights::with_selector(layout, selector, &restart.parameters, temperature);
    let side = |e: f64| 2.0 * e - 1.0;
    let beliefs = || weights.productions(layout.shape());
    let entries = layout.entries() as f64;
    let unsharp = beliefs().filter(|&e| side(e).abs() < side(judgement.sharp)).count() as u32;
    let prediction = sums.loss / examples;
    Outcome {
        prediction,
        wrong: sums.wrong,
        sharpening: beliefs().map(|e| 1.0 - side(e) * side(e)).sum::<f64>() / entries,
        production_use: beliefs().sum::<f64>() / entries,
        unsharp,
        halt: judgement.halt(sums, prediction, unsharp, epoch.complete),
    }
}

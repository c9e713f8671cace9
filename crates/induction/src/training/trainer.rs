//! The training loop.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::batches::Batches;
use super::{
    Backend, Epoch, EpochRecord, Halt, Judgement, Kind, Outcome, Population, RestartRecord, Settings, Step, StopReason,
    TrainError, beginning,
};
use crate::model::{Layout, Model, Selector, Shape};
use crate::sample::Sample;

/// Observes training.
pub trait Observer {
    /// Called after every epoch, in order; may stop the training. By then, later epochs of the same round may have been
    /// trained, or part of one.
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()>;

    /// Whether `models` should be called after this epoch.
    fn wants_models(&self, epoch: u64) -> bool {
        let _ = epoch;
        false
    }

    /// Called with the models after an epoch for which they were wanted.
    fn models(&mut self, epoch: u64, models: &mut dyn Iterator<Item = Model>) {
        let _ = (epoch, models);
    }
}

/// No observer.
impl Observer for () {
    fn epoch(&mut self, _: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A function called after every epoch.
impl<F: FnMut(&EpochRecord) -> ControlFlow<()>> Observer for F {
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self(record)
    }
}

/// The result of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The restarts' models; none if the start selector is a perceptron.
    pub models: Vec<Model>,
    /// Why each restart stopped.
    pub stopped: Vec<StopReason>,
    /// The number of steps taken.
    pub steps: u64,
}

/// Trains a population until it stops.
pub fn train(
    sample: &Sample,
    settings: &Settings,
    backend: impl Backend,
    observer: &mut dyn Observer,
) -> Result<Trained, TrainError> {
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings.clone(), backend)?;
    while trainer.advance(observer).is_continue() {}
    Ok(trainer.finish())
}

/// A training run in progress.
#[derive(Debug)]
pub struct Trainer {
    sample: Arc<Sample>,
    pub(super) settings: Settings,
    pub(super) layout: Layout,
    pub(super) kind: Kind,
    pub(super) population: Box<dyn Population>,
    /// `[restarts]`
    pub(super) stopped: Vec<Option<StopReason>>,
    /// `[restarts]`: the number of steps when it was last trained.
    pub(super) trained_steps: Vec<u64>,
    /// Completed steps and epochs.
    pub(super) step: u64,
    pub(super) epoch: u64,
    /// The next epoch, if partly trained.
    pub(super) begun: Option<Planned>,
    /// The work that makes a round.
    pub(super) round_work: u64,
}

/// An epoch with its number, its first step, and its maximum word length.
#[derive(Debug)]
pub(super) struct Planned {
    number: u64,
    first: u64,
    length_limit: usize,
    pub(super) epoch: Epoch,
}

/// A round ends, and observers are called, at the end of the epoch that reaches this many steps.
pub(crate) const ROUND_STEPS: usize = 256;
/// A round ends earlier, even within an epoch, after this much work (roughly, in vector instructions), but never
/// within a step.
const ROUND_WORK: u64 = 1 << 24;

impl Trainer {
    /// A training run that has not started.
    pub fn new(sample: Arc<Sample>, settings: Settings, backend: impl Backend) -> Result<Self, TrainError> {
        let layout = checked(&sample, &settings, &backend)?;
        let selector = backend.kind().selector;
        let mut restarts =
            (0..settings.restarts).map(|restart| beginning::at_random(&settings, layout, selector, restart));
        let population = backend.population(layout, &mut restarts)?;
        Ok(Self::of(sample, settings, backend.kind(), layout, population))
    }

    /// A training run of this population, before its first step.
    pub(super) fn of(
        sample: Arc<Sample>,
        settings: Settings,
        kind: Kind,
        layout: Layout,
        population: Box<dyn Population>,
    ) -> Self {
        Self {
            stopped: vec![None; settings.restarts],
            trained_steps: vec![0; settings.restarts],
            sample,
            settings,
            layout,
            kind,
            population,
            step: 0,
            epoch: 0,
            begun: None,
            round_work: ROUND_WORK,
        }
    }

    /// The sample.
    pub(super) fn sample(&self) -> &Sample {
        &self.sample
    }

    /// The number of steps taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.step + self.begun.as_ref().map_or(0, |begun| begun.epoch.part.end as u64)
    }

    /// The number of completed epochs.
    #[must_use]
    pub fn epochs(&self) -> u64 {
        self.epoch
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The layout of the production parameters.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The start selector of the models.
    #[must_use]
    pub fn selector(&self) -> Selector {
        self.kind.selector
    }

    /// The restarts' current models; none if the start selector is a perceptron.
    pub fn models(&self) -> impl Iterator<Item = Model> {
        (0..self.settings.restarts).filter_map(|restart| self.model(restart))
    }

    /// One restart's current model, with the parameters of [`Trainer::parameters`]. None if there is no such restart,
    /// or if the start selector is a perceptron, which models do not support.
    #[must_use]
    pub fn model(&self, restart: usize) -> Option<Model> {
        // A fully decided softmax.
        let preference = |k: usize| if k == 0 { 0.0 } else { -1e3 };
        let own: Vec<f64> = match self.kind.selector {
            Selector::Softmax => Vec::new(),
            Selector::Fixed => (0..self.layout.nonterminals()).map(preference).collect(),
            Selector::TwoLayers | Selector::ThreeLayers => return None,
        };
        let parameters = self.parameters(restart)?.into_iter().chain(own).map(|parameter| parameter as f32).collect();
        Some(Model::new(self.sample.alphabet().clone(), self.layout, parameters))
    }

    /// One restart's current parameters: see [`Selector::parameters`]. They are converted to temperature 1, dividing
    /// the production parameters by the temperature they were trained at, so the beliefs are those of the last record.
    /// None if there is no such restart.
    #[must_use]
    pub fn parameters(&self, restart: usize) -> Option<Vec<f64>> {
        let last_step = self.trained_steps.get(restart)?.saturating_sub(1);
        let temperature = self.kind.precision.round(self.step_settings(last_step).temperature);
        let mut parameters = self.population.parameters(restart);
        parameters[..self.layout.last(0)].iter_mut().for_each(|parameter| *parameter /= temperature);
        Some(parameters)
    }

    /// Why each restart stopped, if it did.
    #[must_use]
    pub fn stopped(&self) -> &[Option<StopReason>] {
        &self.stopped
    }

    /// The result; restarts that could continue are reported as having used up their steps.
    #[must_use]
    pub fn finish(self) -> Trained {
        Trained {
            models: self.models().collect(),
            stopped: self.stopped.iter().map(|stopped| stopped.unwrap_or(StopReason::Budget)).collect(),
            steps: self.steps(),
        }
    }

    /// Trains for one round: some epochs, or part of a large one, but at least one step. Returns whether to continue.
    /// The bits do not depend on how rounds are cut.
    pub fn advance(&mut self, observer: &mut dyn Observer) -> ControlFlow<()> {
        if self.is_over() {
            return ControlFlow::Break(());
        }
        let mut round = self.plan_round(observer);
        let epochs: Vec<&Epoch> = round.iter().map(|planned| &planned.epoch).collect();
        let active: Vec<bool> = self.stopped.iter().map(Option::is_none).collect();
        let judgement = self.judgement();
        let outcomes = self.population.train(&self.sample, &epochs, judgement, &active);
        self.begun = round.pop_if(|last| !last.epoch.ends());

        let mut cancelled = false;
        let before = self.epoch;
        for (e, planned) in round.iter().enumerate() {
            let outcomes = outcomes.iter().map(|of_restart| of_restart[e]);
            let record = self.record(planned, outcomes);
            // Once all restarts have stopped, the rest of the round was not trained.
            if record.restarts.is_empty() {
                break;
            }
            (self.step, self.epoch) = (record.steps, planned.number + 1);
            // Epochs after the cancelling one were trained too, so they are recorded.
            cancelled = cancelled || observer.epoch(&record).is_break();
        }
        if self.stopped.iter().all(Option::is_some) {
            self.begun = None;
        }
        if let Some(begun) = &self.begun {
            let made = begun.first + begun.epoch.part.end as u64;
            let going_on = self.trained_steps.iter_mut().zip(&self.stopped).filter(|(_, stopped)| stopped.is_none());
            going_on.for_each(|(steps, _)| *steps = made);
        }
        if cancelled {
            self.cancel();
        }
        let last = self.epoch.wrapping_sub(1);
        if self.epoch > before && self.begun.is_none() && observer.wants_models(last) {
            observer.models(last, &mut self.models());
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_over(&self) -> bool {
        self.step >= self.settings.steps || self.stopped.iter().all(Option::is_some)
    }

    /// The epochs of a round; the last may be partial.
    fn plan_round(&mut self, observer: &dyn Observer) -> Vec<Planned> {
        let mut round: Vec<Planned> = Vec::new();
        let (mut steps, mut work) = (0, 0);
        let mut begun = self.begun.take();
        let mut first = self.step;
        let mut number = self.epoch;
        while steps < ROUND_STEPS && work < self.round_work && first < self.settings.steps {
            let mut planned = match begun.take() {
                Some(mut begun) => {
                    begun.epoch.go_on();
                    begun
                }
                None => self.planned(number, first),
            };
            let epoch = &mut planned.epoch;
            while !epoch.ends() && work < self.round_work {
                work += self.work(epoch, epoch.part.end);
                epoch.part.end += 1;
            }
            steps += epoch.part.len();
            first += epoch.batches.len() as u64;
            number += 1;
            let is_last = !epoch.ends() || observer.wants_models(planned.number);
            round.push(planned);
            if is_last {
                break;
            }
        }
        round
    }

    /// The epoch with this number, untrained.
    pub(super) fn planned(&self, number: u64, first: u64) -> Planned {
        let progress = first as f64 / self.settings.steps as f64;
        let batches = Batches::new(&self.sample, &self.settings, number, progress, self.settings.steps - first);
        let steps = (first..).take(batches.batches.len()).map(|step| self.step_settings(step)).collect();
        let Batches { shown, batches, length_limit, complete } = batches;
        Planned {
            number,
            first,
            length_limit,
            epoch: Epoch { shown, batches, steps, complete, part: 0..0, shown_before: 0.0 },
        }
    }

    /// The work of a step: a few multiply-adds per letter and pair of non-terminals, and about a dozen per parameter.
    pub(super) fn work(&self, epoch: &Epoch, batch: usize) -> u64 {
        const OF_A_PARAMETER: u64 = 12;
        let entries = self.sample.entries();
        let shown = epoch.shown[epoch.batches[batch].clone()].iter();
        let letters: u64 = shown.map(|shown| u64::from(entries[shown.entry as usize].length)).sum();
        // Prefixes are shared.
        let letters = letters.min(self.sample.parents().len() as u64);
        let square = (self.settings.nonterminals as u64).saturating_pow(2);
        let parameters = OF_A_PARAMETER.saturating_mul(self.layout.len() as u64);
        self.population.cost().saturating_mul(letters.saturating_mul(square).saturating_add(parameters))
    }

    /// Stops all restarts that are still training.
    pub fn cancel(&mut self) {
        self.stopped.iter_mut().for_each(|stopped| *stopped = stopped.or(Some(StopReason::Cancelled)));
    }

    fn judgement(&self) -> Judgement {
        let early_stop = self.settings.early_stop;
        Judgement {
            sharp: self.settings.sharp,
            stop_below: early_stop.map(|stop| self.kind.precision.round(stop.loss)),
            stop_sharp: early_stop.is_some_and(|stop| stop.sharp),
        }
    }

    /// The settings of this step, counted from 0.
    fn step_settings(&self, step: u64) -> Step {
        let settings = &self.settings;
        let progress = step as f64 / settings.steps as f64;
        Step {
            number: step,
            learning_rate: settings.learning_rate.at(progress),
            beta: settings.beta.at(progress),
            gamma: settings.gamma.at(progress),
            temperature: settings.temperature.at(progress),
            slope_bound: settings.slope_bound,
            clamp: settings.clamp && settings.shape == Shape::Nfa,
        }
    }

    /// Records an epoch, and which restarts it stopped.
    fn record(&mut self, planned: &Planned, outcomes: impl Iterator<Item = Option<Outcome>>) -> EpochRecord {
        let &Planned { number, first, length_limit, ref epoch } = planned;
        let steps = epoch.batches.len() as u64;
        let progress = (first + steps - 1) as f64 / self.settings.steps as f64;
        let shown = |range: &std::ops::Range<usize>| epoch.shown[range.clone()].iter();
        let examples: f64 =
            epoch.batches.iter().flat_map(shown).map(|s| f64::from(s.accepted) + f64::from(s.rejected)).sum();
        let (beta, gamma) = (self.settings.beta.at(progress), self.settings.gamma.at(progress));
        let mut restarts = Vec::with_capacity(self.settings.restarts);
        for (restart, outcome) in outcomes.enumerate() {
            let Some(Outcome { prediction, wrong, sharpening, production_use, unsharp, halt }) = outcome else {
                continue;
            };
            let stopped = match halt {
                Some(Halt::Converged) => Some(StopReason::Converged),
                Some(Halt::Diverged) => Some(StopReason::Diverged),
                None if first + steps >= self.settings.steps => Some(StopReason::Budget),
                None => None,
            };
            self.trained_steps[restart] = first + steps;
            self.stopped[restart] = stopped;
            restarts.push(RestartRecord {
                restart,
                prediction,
                sharpening,
                production_use,
                total: prediction + beta * sharpening + gamma * production_use,
                accuracy: 1.0 - wrong / examples,
                unsharp,
                stopped,
            });
        }
        EpochRecord {
            epoch: number,
            steps: first + steps,
            length_limit,
            examples: examples as u64,
            learning_rate: self.settings.learning_rate.at(progress),
            beta,
            gamma,
            temperature: self.settings.temperature.at(progress),
            restarts,
        }
    }
}

/// Checks that the training is possible and returns its layout. Nothing is allocated whose size depends on the
/// settings.
pub(super) fn checked(sample: &Sample, settings: &Settings, backend: &impl Backend) -> Result<Layout, TrainError> {
    settings.check()?;
    if sample.entries().is_empty() {
        return Err(TrainError::NoWords);
    }
    backend.check(sample, settings)?;
    Ok(Layout::new(settings.shape, settings.nonterminals, sample.alphabet().len()))
}

//! The training itself.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::batches::Batches;
use super::{
    Backend, Epoch, EpochRecord, Halt, Judgement, Kind, Outcome, Population, RestartRecord, Settings, Step, StopReason,
    TrainError, beginning,
};
use crate::model::{Layout, Model, Selector, Shape};
use crate::sample::Sample;

/// Who watches.
pub trait Observer {
    /// Is told of every epoch, in order, and may end the training. Others, or a part of one, may have been trained after
    /// it by then: as much as makes a round.
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()>;

    /// Whether the models are wanted as they are after this epoch.
    fn wants_models(&self, epoch: u64) -> bool {
        let _ = epoch;
        false
    }

    /// Is given them.
    fn models(&mut self, epoch: u64, models: &mut dyn Iterator<Item = Model>) {
        let _ = (epoch, models);
    }
}

/// Nobody watches.
impl Observer for () {
    fn epoch(&mut self, _: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A function that is told of every epoch.
impl<F: FnMut(&EpochRecord) -> ControlFlow<()>> Observer for F {
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self(record)
    }
}

/// What came of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The restarts' models; none if the start selector is a perceptron.
    pub models: Vec<Model>,
    /// Why each was trained no more.
    pub stopped: Vec<StopReason>,
    /// How many steps were made.
    pub steps: u64,
}

/// Trains a population to its end.
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

/// A training under way.
#[derive(Debug)]
pub struct Trainer {
    sample: Arc<Sample>,
    pub(super) settings: Settings,
    pub(super) layout: Layout,
    pub(super) kind: Kind,
    pub(super) population: Box<dyn Population>,
    /// `[restarts]`
    pub(super) stopped: Vec<Option<StopReason>>,
    /// `[restarts]`: how many steps there had been when it was last trained.
    pub(super) trained_steps: Vec<u64>,
    /// Steps and epochs that came to their end.
    pub(super) step: u64,
    pub(super) epoch: u64,
    /// The epoch after these, if a part of it was trained.
    pub(super) begun: Option<Planned>,
    /// How much work makes a round.
    pub(super) round_work: u64,
}

/// An epoch with its number, its first step, and how long its words may be.
#[derive(Debug)]
pub(super) struct Planned {
    number: u64,
    first: u64,
    length_limit: usize,
    pub(super) epoch: Epoch,
}

/// A round ends, and observers are told, at the end of the epoch in which so many steps are made.
pub(crate) const ROUND_STEPS: usize = 256;
/// Or before, in the midst of an epoch if need be, when so much work is done: vector instructions, about. A step is not
/// divided.
const ROUND_WORK: u64 = 1 << 24;

impl Trainer {
    /// A training that has not begun.
    pub fn new(sample: Arc<Sample>, settings: Settings, backend: impl Backend) -> Result<Self, TrainError> {
        let layout = checked(&sample, &settings, &backend)?;
        let selector = backend.kind().selector;
        let mut restarts =
            (0..settings.restarts).map(|restart| beginning::at_random(&settings, layout, selector, restart));
        let population = backend.population(layout, &mut restarts)?;
        Ok(Self::of(sample, settings, backend.kind(), layout, population))
    }

    /// A training of this population, before its first step.
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

    /// How many steps have been made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.step + self.begun.as_ref().map_or(0, |begun| begun.epoch.part.end as u64)
    }

    /// How many epochs have been made, each to its end.
    #[must_use]
    pub fn epochs(&self) -> u64 {
        self.epoch
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where the parameters of productions are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The start selector of the models.
    #[must_use]
    pub fn selector(&self) -> Selector {
        self.kind.selector
    }

    /// The restarts' models as they are now; none if the start selector is a perceptron.
    pub fn models(&self) -> impl Iterator<Item = Model> {
        (0..self.settings.restarts).filter_map(|restart| self.model(restart))
    }

    /// One restart's model as it is now, with the parameters of [`Trainer::parameters`]. None if there is no such restart,
    /// or if the start selector is a perceptron, which no model has.
    #[must_use]
    pub fn model(&self, restart: usize) -> Option<Model> {
        // A softmax that has made up its mind.
        let preference = |k: usize| if k == 0 { 0.0 } else { -1e3 };
        let own: Vec<f64> = match self.kind.selector {
            Selector::Softmax => Vec::new(),
            Selector::Fixed => (0..self.layout.nonterminals()).map(preference).collect(),
            Selector::TwoLayers | Selector::ThreeLayers => return None,
        };
        let parameters = self.parameters(restart)?.into_iter().chain(own).map(|parameter| parameter as f32).collect();
        Some(Model::new(self.sample.alphabet().clone(), self.layout, parameters))
    }

    /// One restart's parameters as they are now: see [`Selector::parameters`]. What was trained at a temperature is given
    /// at temperature 1, the parameters of productions divided by it: so its beliefs are those that its last record
    /// speaks of. None if there is no such restart.
    #[must_use]
    pub fn parameters(&self, restart: usize) -> Option<Vec<f64>> {
        let last_step = self.trained_steps.get(restart)?.saturating_sub(1);
        let temperature = self.kind.precision.round(self.step_settings(last_step).temperature);
        let mut parameters = self.population.parameters(restart);
        parameters[..self.layout.last(0)].iter_mut().for_each(|parameter| *parameter /= temperature);
        Some(parameters)
    }

    /// Why each restart is trained no more, if it is so.
    #[must_use]
    pub fn stopped(&self) -> &[Option<StopReason>] {
        &self.stopped
    }

    /// What came of it; restarts that could go on are said to have used their steps.
    #[must_use]
    pub fn finish(self) -> Trained {
        Trained {
            models: self.models().collect(),
            stopped: self.stopped.iter().map(|stopped| stopped.unwrap_or(StopReason::Budget)).collect(),
            steps: self.steps(),
        }
    }

    /// Goes on for a round: some epochs, or a part of one where epochs are large, but at least a step. Says whether there is
    /// more to do. The bits do not depend on what makes a round.
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
            // After all restarts have stopped, the rest of a round was not trained.
            if record.restarts.is_empty() {
                break;
            }
            (self.step, self.epoch) = (record.steps, planned.number + 1);
            // The epochs after the one that was the last straw were trained too, so what became of them is noted.
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

    /// The epochs of a round, the last of them perhaps not to its end.
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

    /// The epoch with this number, of which nothing is trained yet.
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

    /// The work of a step: each letter asks for as many multiply-adds as there are pairs of non-terminals, a few times, and
    /// each parameter for about a dozen.
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

    /// Ends the training: restarts that could go on are stopped.
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

    /// The settings of the step with this number, counted from 0.
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

    /// Writes down an epoch, and which restarts it stopped.
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

/// The layout of a training that can be done. Nothing is made here whose size the settings decide.
pub(super) fn checked(sample: &Sample, settings: &Settings, backend: &impl Backend) -> Result<Layout, TrainError> {
    settings.check()?;
    if sample.entries().is_empty() {
        return Err(TrainError::NoWords);
    }
    backend.check(sample, settings)?;
    Ok(Layout::new(settings.shape, settings.nonterminals, sample.alphabet().len()))
}

//! The training itself.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::batches::Batches;
use super::{EpochRecord, RestartRecord, Settings, SettingsError, StopReason};
use crate::extraction;
use crate::kernels::{
    Adam, BETA_1, BETA_2, Block, Epoch, Halt, InstructionSet, Judgement, LANES, LaneOutcome, Machine, Outcome,
    StepSettings, Sums,
};
use crate::model::{Layout, Model, Shape};
use crate::random;
use crate::repair::{Flip, Productions};
use crate::sample::Sample;

/// With what to train. Instructions and threads decide how long it takes and never what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// Which instructions.
    pub instructions: InstructionSet,
    /// How many threads; blocks of 16 restarts are shared out among them.
    pub threads: usize,
    /// Whether prefixes are shared inside a batch. It changes the order of sums, and so the last bits; it is on except
    /// to measure what it gains.
    pub sharing: bool,
}

impl Hardware {
    /// The best instructions this machine has, on so many threads.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        Self { instructions: InstructionSet::best(), threads, sharing: true }
    }
}

/// Why there is no training.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// The settings cannot be meant.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There is nothing to show.
    #[error("there is no word to learn from: the model reads words of at least one letter")]
    NoWords,
    /// The population is larger than any memory.
    #[error(
        "{restarts} restarts with {nonterminals} non-terminals over {letters} letters are more than memory can hold"
    )]
    TooLarge {
        /// How many restarts.
        restarts: usize,
        /// n'.
        nonterminals: usize,
        /// t.
        letters: usize,
    },
    /// A training that was done elsewhere failed there.
    #[error("{0}")]
    Elsewhere(String),
    /// One block of restarts would take too much memory: the letters are too many, or a word is too long.
    #[error(
        "training with {nonterminals} non-terminals over {letters} letters and words of up to {longest} letters would take \
         more than {} MiB for 16 restarts", MOST_MEMORY >> 20
    )]
    OutOfReach {
        /// n'.
        nonterminals: usize,
        /// t.
        letters: usize,
        /// The length of the longest word.
        longest: usize,
    },
    /// This machine lacks the instructions, or its threads cannot be started.
    #[error("this machine cannot train with {instructions} on {threads} threads")]
    Hardware {
        /// The instructions asked for.
        instructions: InstructionSet,
        /// The threads asked for.
        threads: usize,
    },
}

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
    /// The restarts' models.
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
    hardware: Hardware,
    observer: &mut dyn Observer,
) -> Result<Trained, TrainError> {
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings.clone(), hardware)?;
    while trainer.advance(observer).is_continue() {}
    Ok(trainer.finish())
}

/// A training under way.
#[derive(Debug)]
pub struct Trainer {
    sample: Arc<Sample>,
    machine: Machine,
    pub(super) settings: Settings,
    pub(super) layout: Layout,
    pub(super) blocks: Vec<Block>,
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

/// Threads meet, and observers are told, at the end of the epoch in which so many steps are made.
pub(super) const ROUND_STEPS: usize = 256;
/// Or before, in the midst of an epoch if need be, when so much work is done: multiply-adds of 16 lanes, about. A step is
/// not divided.
const ROUND_WORK: u64 = 1 << 24;
/// So many bytes one block of restarts may take.
const MOST_MEMORY: u64 = 1 << 30;

impl Trainer {
    /// A training that has not begun.
    pub fn new(sample: Arc<Sample>, settings: Settings, hardware: Hardware) -> Result<Self, TrainError> {
        let mut trainer = Self::unborn(sample, settings, hardware)?;
        trainer.stopped = vec![None; trainer.settings.restarts];
        trainer.trained_steps = vec![0; trainer.settings.restarts];
        trainer.blocks = (0..trainer.settings.restarts.div_ceil(LANES)).map(|block| trainer.beginning(block)).collect();
        Ok(trainer)
    }

    /// A training without its restarts. Nothing is made here whose size the settings decide.
    pub(super) fn unborn(sample: Arc<Sample>, settings: Settings, hardware: Hardware) -> Result<Self, TrainError> {
        settings.check()?;
        if sample.entries().is_empty() {
            return Err(TrainError::NoWords);
        }
        let Hardware { instructions, threads, sharing } = hardware;
        let Settings { shape, restarts, nonterminals, .. } = settings;
        let letters = sample.alphabet().len();
        if settings.memory(&sample, threads) > isize::MAX as u64 {
            return Err(TrainError::TooLarge { restarts, nonterminals, letters });
        }
        let block = Settings { restarts: restarts.min(LANES), ..settings.clone() };
        if block.memory(&sample, 1) > MOST_MEMORY {
            return Err(TrainError::OutOfReach { nonterminals, letters, longest: sample.longest() });
        }
        // More threads than blocks would have nothing to do.
        let busy = threads.min(restarts.div_ceil(LANES));
        let machine =
            Machine::new(instructions, busy, sharing).ok_or(TrainError::Hardware { instructions, threads })?;
        let layout = Layout::new(shape, nonterminals, letters);
        Ok(Self {
            sample,
            machine,
            settings,
            layout,
            blocks: Vec::new(),
            stopped: Vec::new(),
            trained_steps: Vec::new(),
            step: 0,
            epoch: 0,
            begun: None,
            round_work: ROUND_WORK,
        })
    }

    /// A block before its first step. Lanes beyond the last restart are there but never trained.
    fn beginning(&self, block: usize) -> Block {
        let len = self.layout.len();
        let mut parameters = vec![0.0; len * LANES];
        let restarts = (self.settings.restarts - block * LANES).min(LANES);
        for lane in 0..restarts {
            let mut random = random::stream(self.settings.seed, (block * LANES + lane) as u64);
            for row in parameters.chunks_exact_mut(LANES) {
                row[lane] = (self.settings.mean + self.settings.deviation * random::normal(&mut random)) as f32;
            }
        }
        let zeros = vec![0.0; len * LANES];
        let active = ((1_u32 << restarts) - 1) as u16;
        Block { parameters, first: zeros.clone(), second: zeros, active, sums: Sums::default() }
    }

    /// Lets all restarts begin near a grammar that has no more non-terminals: what it has is believed, what it has not is
    /// not, both without much conviction and each restart with its own doubts. The others begin by chance as before.
    pub(crate) fn begin_from(&mut self, productions: &Productions) {
        const CONVICTION: f32 = 2.0;
        const DOUBT: f32 = 0.5;
        let (n, mean) = (productions.nonterminals(), self.settings.mean as f32);
        let mut believe = |at: usize, there: bool| {
            for block in &mut self.blocks {
                for parameter in &mut block.parameters[at * LANES..][..LANES] {
                    *parameter = DOUBT * (*parameter - mean) + if there { CONVICTION } else { -CONVICTION };
                }
            }
        };
        for (c, from, to) in extraction::all_edges(n, productions.letters()) {
            let there = productions.has(Flip::Edge((c, from, to)));
            match (from == n, self.layout.shape()) {
                (false, _) => believe(self.layout.step(c, to, from), there),
                (true, Shape::Nfa) => believe(self.layout.terminal(c, to), there),
                // Words begin in the first one, whose steps were seen to.
                (true, Shape::Dfa) => {}
            }
        }
        (0..n).for_each(|k| believe(self.layout.last(k), productions.has(Flip::End(k))));
    }

    /// The names of the letters.
    pub(super) fn letters(&self) -> Vec<String> {
        self.sample.alphabet().names().to_vec()
    }

    /// What tells the sample from others.
    pub(super) fn fingerprint(&self) -> u64 {
        self.sample.fingerprint()
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

    /// The restarts' models as they are now.
    pub fn models(&self) -> impl Iterator<Item = Model> {
        (0..self.settings.restarts).map(|restart| self.model(restart))
    }

    /// One restart's model as it is now. What was trained at a temperature is given at temperature 1, the parameters
    /// of productions divided by it: so its beliefs are those that its last record speaks of.
    ///
    /// # Panics
    /// When there is no such restart.
    #[must_use]
    pub fn model(&self, restart: usize) -> Model {
        assert!(restart < self.settings.restarts, "restarts are counted from 0");
        let last_step = self.trained_steps[restart].saturating_sub(1);
        let temperature = self.step_settings(last_step).temperature;
        let rows = self.blocks[restart / LANES].parameters.chunks_exact(LANES);
        let mut parameters: Vec<f32> = rows.map(|row| row[restart % LANES]).collect();
        parameters[..self.layout.last(0)].iter_mut().for_each(|parameter| *parameter /= temperature);
        Model::new(self.sample.alphabet().clone(), self.layout, parameters)
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
        let judgement = self.judgement();
        let outcomes = self.machine.train(&self.sample, self.layout, &mut self.blocks, &epochs, judgement);
        self.begun = round.pop_if(|last| !last.epoch.ends());

        let mut cancelled = false;
        let before = self.epoch;
        for (e, planned) in round.iter().enumerate() {
            let outcomes = outcomes.iter().map(|block| &block[e]);
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
        let settings = (first..).take(batches.batches.len()).map(|step| self.step_settings(step)).collect();
        let Batches { shown, batches, length_limit, complete } = batches;
        Planned {
            number,
            first,
            length_limit,
            epoch: Epoch { shown, batches, settings, complete, part: 0..0, shown_before: 0.0 },
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
        (self.blocks.len() as u64).saturating_mul(letters.saturating_mul(square).saturating_add(parameters))
    }

    fn cancel(&mut self) {
        self.stopped.iter_mut().for_each(|stopped| *stopped = stopped.or(Some(StopReason::Cancelled)));
        self.blocks.iter_mut().for_each(|block| block.active = 0);
    }

    fn judgement(&self) -> Judgement {
        Judgement {
            sharp: self.settings.sharp as f32,
            stop_below: self.settings.early_stop.map(|stop| stop.loss as f32),
            stop_sharp: self.settings.early_stop.is_some_and(|stop| stop.sharp),
        }
    }

    /// What the step with this number, counted from 0, is told.
    fn step_settings(&self, step: u64) -> StepSettings {
        let settings = &self.settings;
        let progress = step as f64 / settings.steps as f64;
        let correction = |beta: f32| 1.0 - libm::pow(f64::from(beta), (step + 1) as f64);
        StepSettings {
            beta: settings.beta.at(progress) as f32,
            gamma: settings.gamma.at(progress) as f32,
            temperature: settings.temperature.at(progress) as f32,
            clamp: settings.clamp && settings.shape == Shape::Nfa,
            slope_bound: settings.slope_bound as f32,
            adam: Adam {
                rate: (settings.learning_rate.at(progress) / correction(BETA_1)) as f32,
                scale: (1.0 / correction(BETA_2).sqrt()) as f32,
            },
        }
    }

    /// Writes down an epoch, and which restarts it stopped.
    fn record<'o>(&mut self, planned: &Planned, outcomes: impl Iterator<Item = &'o Outcome>) -> EpochRecord {
        let &Planned { number, first, length_limit, ref epoch } = planned;
        let steps = epoch.batches.len() as u64;
        let progress = (first + steps - 1) as f64 / self.settings.steps as f64;
        let shown = |range: &std::ops::Range<usize>| epoch.shown[range.clone()].iter();
        let examples: f64 =
            epoch.batches.iter().flat_map(shown).map(|s| f64::from(s.accepted) + f64::from(s.rejected)).sum();
        let (beta, gamma) = (self.settings.beta.at(progress), self.settings.gamma.at(progress));
        let mut restarts = Vec::with_capacity(self.settings.restarts);
        let lanes = outcomes.flatten().enumerate().filter(|(_, lane)| lane.trained);
        for (restart, &LaneOutcome { prediction, wrong, inspection, halt, .. }) in lanes {
            let stopped = match halt {
                Some(Halt::Converged) => Some(StopReason::Converged),
                Some(Halt::Diverged) => Some(StopReason::Diverged),
                None if first + steps >= self.settings.steps => Some(StopReason::Budget),
                None => None,
            };
            self.trained_steps[restart] = first + steps;
            self.stopped[restart] = stopped;
            let (sharpening, production_use) = (f64::from(inspection.sharpening), f64::from(inspection.production_use));
            restarts.push(RestartRecord {
                restart,
                prediction,
                sharpening,
                production_use,
                total: prediction + beta * sharpening + gamma * production_use,
                accuracy: 1.0 - wrong / examples,
                unsharp: inspection.unsharp,
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

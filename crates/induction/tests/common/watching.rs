//! Observers of a training, and what can be said of its end.
#![allow(dead_code, reason = "each test file uses its part")]

use std::ops::ControlFlow;

use induction::model::Model;
use induction::training::{EpochRecord, Hardware, Observer, Settings, StopReason, Trained, train};
use induction::{InstructionSet, Sample};

/// Keeps every record, and the models of the epochs that are asked for.
#[derive(Default)]
pub(crate) struct Watcher {
    pub(crate) records: Vec<EpochRecord>,
    pub(crate) models: Vec<(u64, Vec<Model>)>,
    pub(crate) wanted: Vec<u64>,
}

impl Watcher {
    /// One that wants the models of all epochs, and so has the trainer come back after each.
    pub(crate) fn of_all() -> Self {
        Self { wanted: (0..1000).collect(), ..Self::default() }
    }
}

impl Observer for Watcher {
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self.records.push(record.clone());
        ControlFlow::Continue(())
    }

    fn wants_models(&self, epoch: u64) -> bool {
        self.wanted.contains(&epoch)
    }

    fn models(&mut self, epoch: u64, models: &mut dyn Iterator<Item = Model>) {
        self.models.push((epoch, models.collect()));
    }
}

/// The fastest instructions, on the thread of the test.
pub(crate) fn here() -> Hardware {
    Hardware::with_threads(1)
}

pub(crate) fn on(instructions: InstructionSet, threads: usize) -> Hardware {
    Hardware { instructions, threads, sharing: true }
}

/// What training gives, to be compared bit for bit.
#[derive(Debug, PartialEq)]
pub(crate) struct Bits {
    pub(crate) parameters: Vec<Vec<u32>>,
    pub(crate) stopped: Vec<StopReason>,
    pub(crate) steps: u64,
}

impl Bits {
    pub(crate) fn of(trained: &Trained) -> Self {
        Self {
            parameters: trained.models.iter().map(bits).collect(),
            stopped: trained.stopped.clone(),
            steps: trained.steps,
        }
    }
}

pub(crate) fn bits(model: &Model) -> Vec<u32> {
    model.parameters().iter().map(|x| x.to_bits()).collect()
}

/// A training to its end: the models, why they stopped, and a record of every epoch.
pub(crate) fn trained(sample: &Sample, settings: &Settings, hardware: Hardware) -> (Trained, Vec<EpochRecord>) {
    let mut watcher = Watcher::default();
    let trained = train(sample, settings, hardware, &mut watcher).unwrap();
    (trained, watcher.records)
}

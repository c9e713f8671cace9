//! One block of restarts, from training to candidates.

use std::ops::ControlFlow;

use super::Watch;
use super::watch::Steps;
use crate::extraction::{Reading, best_productions, extract};
use crate::model::Model;
use crate::random;
use crate::repair::{Cost, Productions, Scorer, repair};
use crate::sample::Sample;
use crate::selection::{Candidate, Origin};
use crate::training::{
    Beliefs, Course, EpochRecord, Frame, Hardware, Observer, Settings, Thinned, TrainError, Trainer,
};

/// What is trained, and how what comes out is mended.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Tells it from other blocks of the same learner.
    pub(super) number: u64,
    pub(super) training: Settings,
    /// What all restarts begin near; none for chance.
    pub(super) begin: Option<Productions>,
    /// Whether it learns from what the sample's lists leave out, too.
    pub(super) supposing: bool,
    /// What errors and productions cost while mending and while pruning; none to read at the usual threshold and to leave
    /// the grammar as it was read.
    pub(super) costs: Option<(Cost, Cost)>,
    /// Whether each word counts once, however often it was labelled.
    pub(super) distinct: bool,
}

/// Replays that a repair may take: as many as make a second of no sample that one meets.
pub(super) fn repair_budget(sample: &Sample) -> u64 {
    const NODES: u64 = 40_000_000;
    (NODES / sample.parents().len() as u64).clamp(100, 4_000)
}

/// Trains a block on the balanced sample; reads and mends each of its restarts, in order, by the sample itself, and judges
/// it by the jury.
pub(super) fn run(
    sample: &Sample,
    balanced: &Sample,
    jury: &Sample,
    block: &Block,
    steps: &Steps,
    watch: &dyn Watch,
) -> Result<Vec<Candidate>, TrainError> {
    let balanced = std::sync::Arc::new(balanced.clone());
    let mut trainer = match Trainer::new(balanced, block.training.clone(), Hardware::with_threads(1)) {
        // Too many letters, or too long a word: other engines can learn from them.
        Err(TrainError::OutOfReach { .. }) => return Ok(Vec::new()),
        trainer => trainer?,
    };
    if let Some(begin) = &block.begin {
        trainer.begin_from(begin);
    }
    let mut onlooker = Onlooker { block: block.number, watch, kept: kept(watch.frames(), &trainer) };
    while trainer.advance(&mut onlooker).is_continue() {}
    if let Some(kept) = onlooker.kept {
        let frames = kept.finish(trainer.epochs(), beliefs(&mut trainer.models()));
        let frames = frames.into_iter().map(|(epochs, beliefs)| Frame { epochs, beliefs }).collect();
        let Settings { shape, nonterminals, .. } = block.training;
        watch
            .course(block.number, Course { shape, nonterminals, alphabet: sample.alphabet().names().to_vec(), frames });
    }
    let trained = trainer.finish();
    steps.add(trained.steps * trained.models.len() as u64);

    let shape = block.training.shape;
    let mut scorer = Scorer::new(sample, block.distinct);
    let mut candidates = Vec::new();
    for (restart, model) in trained.models.into_iter().enumerate() {
        if watch.stopped() {
            break;
        }
        let (grammar, origin) = match (block.costs, best_productions(&model, &mut scorer)) {
            (Some(costs), Some((read, errors))) => {
                let mut random = random::stream(block.training.seed, REPAIRS | restart as u64);
                let (mended, _) = repair(&mut scorer, read, costs, repair_budget(sample), &mut random);
                let origin = if errors == 0 { Origin::Neural } else { Origin::Repaired };
                (mended.to_grammar(sample.alphabet(), false), origin)
            }
            _ => (extract(&model, Reading::of(shape)), Origin::Neural),
        };
        if let Some(candidate) = Candidate::new(&grammar, jury, origin) {
            // What it began from it did not find.
            let finds = u32::from(block.begin.is_none());
            candidates.push(Candidate { shape: Some(shape), model: Some(model), finds, ..candidate });
        }
    }
    Ok(candidates)
}

/// Tells who watches a learner of the trainings in it.
struct Onlooker<'a> {
    block: u64,
    watch: &'a dyn Watch,
    /// What was believed, if that is wanted.
    kept: Option<Thinned<Vec<Beliefs>>>,
}

impl Observer for Onlooker<'_> {
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        if self.watch.wants_epochs() {
            self.watch.epoch(self.block, record);
        }
        if self.watch.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_models(&self, epoch: u64) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.wants(epoch + 1))
    }

    fn models(&mut self, epoch: u64, models: &mut dyn Iterator<Item = Model>) {
        if let Some(kept) = &mut self.kept {
            kept.keep(epoch + 1, beliefs(models));
        }
    }
}

/// A place for what is believed, at the beginning of a training: fewer moments where models are large.
fn kept(frames: usize, trainer: &Trainer) -> Option<Thinned<Vec<Beliefs>>> {
    if frames == 0 {
        return None;
    }
    let beginning = beliefs(&mut trainer.models());
    let bytes = beginning.iter().map(|beliefs| beliefs.bytes().len()).sum::<usize>();
    let mut kept = Thinned::new(frames.min(COURSE_BYTES / bytes.max(1)));
    kept.keep(0, beginning);
    Some(kept)
}

fn beliefs(models: &mut dyn Iterator<Item = Model>) -> Vec<Beliefs> {
    models.map(|model| Beliefs::of(&model)).collect()
}

/// The course of a block takes no more memory, if two moments of it do not.
const COURSE_BYTES: usize = 4 << 20;
/// Streams of random numbers from here on are for repairs.
const REPAIRS: u64 = 1 << 62;

//! The neural model: blocks of restarts, both shapes, read off as grammars, mended and pruned.
//!
//! A turn is a *wave* of blocks: of each size one with a curriculum and one without, from the second wave on one that
//! begins near the best answer known, and one that supposes the lists of the sample to be complete, if any is not.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Grammar;
use serde::{Deserialize, Serialize};

use super::{BlockRecord, Data, Engine, Job, Outcome, SLICE, Task, Turn, Work};
use crate::extraction::{Reading, best_productions, extract};
use crate::learner::{Noise, Recording, Spent, State};
use crate::model::{Model, Shape};
use crate::random;
use crate::repair::{Cost, Productions, Repair, Scorer};
use crate::sample::Sample;
use crate::selection::{Candidate, Origin};
use crate::training::{
    self, Beliefs, Course, EpochRecord, Frame, Hardware, Observer, Schedule, Thinned, TrainError, Trainer,
};

/// The paper's shape.
pub(in crate::learner) const MODEL_NFA: Blocks = Blocks(Shape::Nfa);
/// The deterministic shape.
pub(in crate::learner) const MODEL_DFA: Blocks = Blocks(Shape::Dfa);

/// The recorded course of a block takes no more memory, unless two moments of it do.
const COURSE_BYTES: usize = 4 << 20;
/// Streams of random numbers from here on are for repairs.
const REPAIRS: u64 = 1 << 62;

/// How many replays a repair may take: no more than a second's worth.
pub(super) fn repair_budget(sample: &Sample) -> u64 {
    const NODES: u64 = 40_000_000;
    (NODES / sample.parents().len() as u64).clamp(100, 4_000)
}

pub(in crate::learner) struct Blocks(Shape);

impl Engine for Blocks {
    fn name(&self) -> &'static str {
        "neural"
    }

    fn stage(&self) -> &'static str {
        match self.0 {
            Shape::Nfa => "training (nfa)",
            Shape::Dfa => "training (dfa)",
        }
    }

    fn has_work(&self, state: &State) -> bool {
        state.settings.shapes.include(self.0) && state.restarts_left() > 0
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        if turn.part > 0 {
            return Vec::new();
        }
        let shape = self.0;
        let wave = turn.number;
        let supposes = state.settings.noise == Noise::None && state.data.supposed().is_some();
        let left = usize::try_from(state.restarts_left()).unwrap_or(usize::MAX);
        let sizes = state.settings.nonterminals.map_or_else(|| sizes(wave, state.is_core()), |given| vec![given]);
        let mut blocks = Vec::new();
        for (i, &nonterminals) in sizes.iter().enumerate() {
            let steps = state.settings.steps;
            let practical = training::Settings { nonterminals, steps, ..training::Settings::practical(shape) };
            let all_at_once = training::Settings { length_limit: Schedule::Constant(1.0), ..practical.clone() };
            let begin = (wave > 0).then(|| beginning(state, shape, nonterminals)).flatten();
            let kinds = [
                Some((practical, None, false)),
                Some((all_at_once.clone(), None, false)),
                begin.map(|begin| (all_at_once.clone(), Some(begin), false)),
                (supposes && i == 0).then_some((all_at_once, None, true)),
            ];
            let kinds = kinds.into_iter().enumerate().filter_map(|(kind, block)| Some((kind as u64, block?)));
            for (kind, (training, begin, supposing)) in kinds {
                let number = u64::from(state.round) << 32
                    | u64::from(wave) << 16
                    | (i as u64) << 8
                    | kind << 1
                    | u64::from(shape == Shape::Dfa);
                blocks.push(Block {
                    number,
                    training: training::Settings { seed: state.seed_of(3, number), ..training },
                    begin,
                    supposing,
                    costs: Some(state.costs()),
                    distinct: state.settings.noise != Noise::None,
                    recording: state.recording,
                });
            }
        }
        blocks.sort_by_key(|block| block.supposing);
        // The last block may have fewer restarts, so that no more are trained than were allowed.
        let mut used = 0;
        for block in &mut blocks {
            block.training.restarts = block.training.restarts.min(left - used);
            used += block.training.restarts;
        }
        blocks.retain(|block| block.training.restarts > 0);
        blocks.into_iter().map(|block| Box::new(block) as Box<dyn Job>).collect()
    }
}

/// n' by wave: growing, each size tried again later. On the long words of a core larger sizes take long, and what they
/// come to is seldom right: there they grow more slowly.
fn sizes(wave: u32, is_core: bool) -> Vec<usize> {
    match (wave, is_core) {
        (0, _) => vec![5],
        (1, true) => vec![5, 8],
        (2, true) => vec![8, 12],
        (1, false) => vec![8, 12],
        (2, false) => vec![5, 16],
        (3, _) => vec![12, 24],
        _ => vec![8, 32],
    }
}

/// The best known answer that fits into so many non-terminals, as productions of this shape.
fn beginning(state: &State, shape: Shape, nonterminals: usize) -> Option<Productions> {
    let mut known = state.known().filter_map(|candidate| match shape {
        Shape::Nfa => Productions::from_nfa(&candidate.grammar.to_nfa())?.with_one_end(),
        Shape::Dfa => Productions::from_dfa(&candidate.dfa),
    });
    known.find(|productions| productions.nonterminals() <= nonterminals)
}

/// A block of restarts: how it is trained, and how what comes out is mended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Block {
    /// Tells it from other blocks of the same learner.
    pub(super) number: u64,
    pub(super) training: training::Settings,
    /// What all restarts begin near; none for chance.
    pub(super) begin: Option<Productions>,
    /// Whether the lists of the sample are supposed to be complete.
    pub(super) supposing: bool,
    /// What errors and productions cost while mending and while pruning; none to read the model at the usual threshold
    /// and leave the grammar as it was read.
    pub(super) costs: Option<(Cost, Cost)>,
    /// Whether each word counts once, however often it was labelled.
    pub(super) distinct: bool,
    pub(super) recording: Recording,
}

impl Work for Block {
    const KIND: &'static str = "block";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let supposed = if self.supposing { data.supposed() } else { None };
        let [sample, balanced] =
            supposed.cloned().unwrap_or_else(|| [Arc::clone(&data.sample), Arc::clone(data.balanced())]);
        let trainer = Trainer::new(balanced, self.training.clone(), Hardware::with_threads(1));
        let phase = match trainer {
            Err(error) => Phase::Failed(Some(error)),
            Ok(mut trainer) => {
                if let Some(begin) = &self.begin {
                    trainer.begin_from(begin);
                }
                Phase::Training(Box::new(trainer))
            }
        };
        let kept = match &phase {
            Phase::Training(trainer) => kept(self.recording.frames, trainer),
            _ => None,
        };
        let spent = Spent { restarts: self.training.restarts as u64, ..Spent::default() };
        let recorder = Recorder { keeps: self.recording.epochs, epochs: Vec::new(), kept };
        Box::new(Training { block: self, jury: Arc::clone(&data.jury), sample, phase, recorder, record: None, spent })
    }
}

/// A block under way.
struct Training {
    block: Block,
    sample: Arc<Sample>,
    jury: Arc<Sample>,
    phase: Phase,
    recorder: Recorder,
    record: Option<BlockRecord>,
    spent: Spent,
}

enum Phase {
    Failed(Option<TrainError>),
    Training(Box<Trainer>),
    /// Models are read and mended one by one.
    Reading(Reader),
}

/// Reads models, one after the other.
struct Reader {
    models: std::iter::Enumerate<std::vec::IntoIter<Model>>,
    /// Between two models.
    scorer: Option<Box<Scorer>>,
    /// The model whose grammar is being mended.
    mending: Option<(Model, Origin, Box<Repair>)>,
    candidates: Vec<Candidate>,
}

impl Task for Training {
    fn advance(&mut self) -> Option<Outcome> {
        match &mut self.phase {
            Phase::Failed(error) => Some(Outcome { error: error.take(), ..Outcome::default() }),
            Phase::Training(trainer) => {
                if trainer.advance(&mut self.recorder).is_break() {
                    self.read();
                }
                None
            }
            Phase::Reading(reader) => {
                if reader.advance(&self.block, &self.sample, &self.jury) {
                    return None;
                }
                let candidates = std::mem::take(&mut reader.candidates);
                Some(Outcome { spent: self.spent, training: self.record.take(), ..Outcome::of(candidates) })
            }
        }
    }

    fn spent(&self) -> Spent {
        match &self.phase {
            Phase::Training(trainer) => {
                Spent { steps: trainer.steps() * self.block.training.restarts as u64, ..self.spent }
            }
            Phase::Failed(_) | Phase::Reading(_) => self.spent,
        }
    }

    fn cut(self: Box<Self>) -> Outcome {
        let candidates = match self.phase {
            Phase::Reading(reader) => reader.candidates,
            Phase::Failed(_) | Phase::Training(_) => Vec::new(),
        };
        Outcome { spent: self.spent, training: self.record, ..Outcome::of(candidates) }
    }
}

impl Training {
    /// The training is over: its record is closed, and the models are there to be read.
    fn read(&mut self) {
        let reading = Phase::Failed(None);
        let Phase::Training(trainer) = std::mem::replace(&mut self.phase, reading) else { return };
        let block = self.block.number;
        let training::Settings { shape, nonterminals, .. } = self.block.training;
        let course = self.recorder.kept.take().map(|kept| {
            let frames = kept.finish(trainer.epochs(), beliefs(&mut trainer.models()));
            let frames = frames.into_iter().map(|(epochs, beliefs)| Frame { epochs, beliefs }).collect();
            Course { shape, nonterminals, alphabet: self.sample.alphabet().names().to_vec(), frames }
        });
        let epochs = std::mem::take(&mut self.recorder.epochs);
        self.record = Some(BlockRecord { block, epochs, course });
        let trained = trainer.finish();
        self.spent.steps = trained.steps * trained.models.len() as u64;
        self.phase = Phase::Reading(Reader {
            models: trained.models.into_iter().enumerate(),
            scorer: Some(Box::new(Scorer::new(&self.sample, self.block.distinct))),
            mending: None,
            candidates: Vec::new(),
        });
    }
}

impl Reader {
    /// Goes on with the model at hand, or takes the next one; whether there was any.
    fn advance(&mut self, block: &Block, sample: &Sample, jury: &Sample) -> bool {
        if let Some((model, origin, mut repair)) = self.mending.take() {
            if repair.advance(SLICE).is_continue() {
                self.mending = Some((model, origin, repair));
                return true;
            }
            let repaired = repair.finish();
            self.scorer = Some(Box::new(repaired.scorer));
            let grammar = repaired.productions.to_grammar(sample.alphabet(), false);
            self.candidates.extend(block.candidate(model, origin, &grammar, jury));
            return true;
        }
        let Some((restart, model)) = self.models.next() else { return false };
        let Some(mut scorer) = self.scorer.take() else { return false };
        match (block.costs, best_productions(&model, &mut scorer)) {
            (Some(costs), Some((read, errors))) => {
                let random = random::stream(block.training.seed, REPAIRS | restart as u64);
                let origin = if errors == 0 { Origin::Neural } else { Origin::Repaired };
                let repair = Repair::new(*scorer, read, costs, repair_budget(sample), random);
                self.mending = Some((model, origin, Box::new(repair)));
            }
            _ => {
                self.scorer = Some(scorer);
                let grammar = extract(&model, Reading::of(block.training.shape));
                self.candidates.extend(block.candidate(model, Origin::Neural, &grammar, jury));
            }
        }
        true
    }
}

impl Block {
    /// What a restart came to, judged.
    fn candidate(&self, model: Model, origin: Origin, grammar: &Grammar, jury: &Sample) -> Option<Candidate> {
        let candidate = Candidate::new(grammar, jury, origin)?;
        // What it began near it did not find.
        let finds = u32::from(self.begin.is_none());
        Some(Candidate { shape: Some(self.training.shape), model: Some(model), finds, ..candidate })
    }
}

/// Records a training, if somebody wants to see it.
struct Recorder {
    keeps: bool,
    epochs: Vec<EpochRecord>,
    kept: Option<Thinned<Vec<Beliefs>>>,
}

impl Observer for Recorder {
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        if self.keeps {
            self.epochs.push(record.clone());
        }
        ControlFlow::Continue(())
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

/// A place for what is believed, from the beginning of a training on: fewer moments where models are large.
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

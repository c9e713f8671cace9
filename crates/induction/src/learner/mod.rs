//! The learner: from a sample to a checked answer, with the words that the examples leave open.
//!
//! Engines take turns and build on each other's results, which meet in one [`Pool`]:
//!
//! ```text
//!            ┌─ merging   milliseconds; strong with many short words
//!   Sample ──┼─ neural    blocks of restarts, both shapes, read off, repaired, pruned ──► Pool ──► rivals ──► Induced
//!            ├─ search    grammars and small automata, annealed; strong on dense languages
//!            ├─ facts     short formulas over facts; strong on long words over many letters
//!            └─ walks     merging by how accepted words go on; strong on traces
//! ```
//!
//! `schedule` decides whose turn it is, `engines` what each one does, and `executor` who runs it. [`Learner::step`]
//! does a bounded amount of work and returns, so that the caller can stop, save, or show progress. A turn is a function
//! of the examples, the settings, its number and the pool. So the answer is the same with any number of threads, and a
//! saved learner continues as if it had never been interrupted.
//!
//! After each turn the learner checks whether the best answer is *settled*: it agrees with every example, it was found
//! often enough independently (or nothing better was found for several turns), and its rivals were searched for.
//!
//! From a large sample, engines learn from a *core* of a few thousand words. The answer is checked against all words,
//! and those it gets wrong join the core.

mod checkpoint;
mod core_sample;
mod engines;
mod executor;
mod induced;
mod ledger;
mod rivals;
mod schedule;
mod settings;
mod state;
mod stop;
mod undecided;

use std::sync::Arc;

use automata::{Counts, Dfa, Direction, Label, Word};

pub use checkpoint::ResumeError;
pub use engines::{BlockRecord, Data, Job, Outcome, Task, read_job};
pub use executor::{Executor, Threads};
pub use induced::{Alternative, Induced, Suspect};
pub use ledger::Spent;
pub use settings::{Engine, Noise, Recording, Settings, Shapes, Way};
pub use stop::Stop;
pub use undecided::Undecided;

use crate::sample::{Sample, SampleError};
use crate::search::BITS_PER_WORD;
use crate::selection::{Candidate, Origin, Pool};
use crate::strings::{Patterns, StringsError};
use crate::training::TrainError;
use engines::{EXPRESS, Examined, PROVE, RIVALS, STRINGS, Turn};
use schedule::{Choice, Schedule, schedule};
use state::State;

/// Why a learner stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The answer is settled.
    Settled,
    /// The answer is settled by a proof: no other language has as small an automaton.
    Proved,
    /// The engine has nothing left to do.
    Finished,
    /// The budget is spent.
    Budget,
    /// Stopped from outside, for example by a time limit.
    Cut,
}

/// Why nothing can be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// All words have the same label.
    #[error("all {words} words are {label}; {missing} words are needed too, to exclude {everything}")]
    OneLabel {
        /// Number of words.
        words: u64,
        /// The label of all words.
        label: &'static str,
        /// The missing label.
        missing: &'static str,
        /// The answer that cannot be excluded.
        everything: &'static str,
    },
    /// The rate of noise is out of range.
    #[error("the noise rate is {rate}, but must be above 0 and below 0.5")]
    NoiseRate {
        /// The given rate.
        rate: f64,
    },
    /// Search does not support noise.
    #[error("the search engine does not support noise; use another engine")]
    NoisySearch,
    /// The solver does not support noise.
    #[error("the solver does not support noise; use another engine")]
    NoisySat,
    /// Merging by how words go on does not support noise.
    #[error("merging by how words go on does not support noise; use another engine")]
    NoisyWalks,
    /// Facts are not looked for among that many letters.
    #[error("there are {letters} letters; facts are looked for among at most {most}")]
    ManyLetters {
        /// The number of letters.
        letters: usize,
        /// The limit.
        most: usize,
    },
    /// The solver does not support right-regular grammars: it minimises automata that read from the left.
    #[error("the solver does not support right-regular grammars; use another engine")]
    BackwardSat,
    /// The model cannot be trained with these settings.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// Patterns over classes cannot be learned.
    #[error(transparent)]
    Strings(#[from] StringsError),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads")]
    Threads {
        /// The requested number.
        threads: usize,
    },
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is more to do.
    Working,
    /// A turn has ended and more may follow: a good point to save, and to ask a question if answers differ.
    Turn,
    /// There is nothing more to do.
    Done(StopReason),
}

/// Progress of a learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The engine at work, `merging`, `neural`, `expressions`, `facts`, `search`, `sat`, `strings` or `rivals`; empty between two turns.
    pub engine: &'static str,
    /// What it is doing.
    pub stage: &'static str,
    /// Work done so far.
    pub spent: Spent,
    /// Errors of the best candidate.
    pub errors: Option<u64>,
    /// States of the best candidate.
    pub states: Option<usize>,
    /// Bits of the best candidate.
    pub bits: Option<f64>,
    /// Number of languages that agree with every example.
    pub consistent: usize,
    /// How often the best was found.
    pub finds: u32,
}

/// A learning run.
pub struct Learner {
    state: State,
    executor: Box<dyn Executor>,
    doing: Doing,
    /// Turns started since words were last added.
    turn: u32,
    /// Whether the core has grown.
    grown: bool,
    /// Turns since the best answer last changed.
    unchallenged: u32,
    /// Search visits at the time when the best answer last changed.
    visits_then: u64,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

/// The current activity.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Doing {
    /// Nothing; the next step starts a turn.
    Nothing,
    /// Part of the current turn; `best` is the best answer before the turn.
    Turn {
        part: u32,
        #[serde(with = "checkpoint::perhaps_dfa")]
        best: Option<Dfa>,
    },
    /// A search for rivals. If the answer survives, the learner ends for this reason.
    Hunt { part: u32, end: StopReason },
    /// The end.
    End(StopReason),
}

impl Learner {
    /// A new learner with this many threads.
    pub fn new(sample: Sample, settings: Settings, threads: usize) -> Result<Self, LearnError> {
        Self::with_executor(sample, settings, Box::new(Threads::new(threads)?))
    }

    /// A new learner whose jobs are run by `executor`.
    pub fn with_executor(sample: Sample, settings: Settings, executor: Box<dyn Executor>) -> Result<Self, LearnError> {
        if let Noise::Rate(rate) = settings.noise
            && !(rate > 0.0 && rate < 0.5)
        {
            return Err(LearnError::NoiseRate { rate });
        }
        let schedule = schedule(&settings, false, false, false);
        schedule.check(&settings, &sample)?;
        let mut settings = settings;
        // Patterns and engines share one copy of the words.
        let sample = Arc::new(sample);
        let patterns = match settings.way {
            Way::Classes => Some(Patterns::new(Arc::clone(&sample), &settings.ways())?),
            // Without rejected words, only patterns can be learned.
            Way::Both if one_label(&sample).is_err() => Patterns::new(Arc::clone(&sample), &settings.ways()).ok(),
            // They are read when it is their turn.
            Way::Letters | Way::Both => None,
        };
        let labels = match schedule.from_accepted && has_accepted(&sample) {
            true => Ok(()),
            false => one_label(&sample),
        };
        settings.way = match (settings.way, labels, &patterns) {
            (way, Ok(()), None) => way,
            // Patterns do not need rejected words.
            (_, _, Some(_)) => Way::Classes,
            (_, Err(error), None) => return Err(error),
        };
        let whole = match settings.direction {
            Direction::Left => sample,
            Direction::Right => Arc::new(sample.reversed()),
        };
        let state = State::new(whole, settings, patterns);
        Ok(Self { state, executor, doing: Doing::Nothing, turn: 0, grown: false, unchallenged: 0, visits_then: 0 })
    }

    /// Records all trainings from now on. This does not change what is learned.
    pub fn record(&mut self, recording: Recording) {
        self.state.recording = recording;
    }

    /// The record of all trainings so far.
    #[must_use]
    pub fn records(&self) -> &[BlockRecord] {
        &self.state.records
    }

    /// Works for about 50 ms.
    pub fn step(&mut self) -> Result<Step, LearnError> {
        match self.doing {
            Doing::End(reason) => return Ok(Step::Done(reason)),
            Doing::Nothing => return self.begin_turn(),
            Doing::Turn { .. } | Doing::Hunt { .. } => {}
        }
        match self.executor.advance() {
            None => Ok(Step::Working),
            Some(outcomes) => {
                self.gather(outcomes)?;
                self.begin_part()
            }
        }
    }

    /// Works until the end of a turn. Returns a reason if it was the last turn, or if `stop` was set.
    pub fn advance(&mut self, stop: &Stop) -> Result<Option<StopReason>, LearnError> {
        loop {
            if stop.is_set() {
                self.cut()?;
                return Ok(Some(StopReason::Cut));
            }
            match self.step()? {
                Step::Working => {}
                Step::Turn => return Ok(None),
                Step::Done(reason) => return Ok(Some(reason)),
            }
        }
    }

    /// Works until there is a reason to stop.
    pub fn learn(&mut self, stop: &Stop) -> Result<StopReason, LearnError> {
        loop {
            if let Some(reason) = self.advance(stop)? {
                return Ok(reason);
            }
        }
    }

    /// Abandons the current work but keeps what it has found.
    pub fn cut(&mut self) -> Result<(), LearnError> {
        if matches!(self.doing, Doing::Turn { .. } | Doing::Hunt { .. }) {
            let outcomes = self.executor.cut();
            self.gather(outcomes)?;
        }
        if let Some(patterns) = &mut self.state.patterns {
            patterns.cut();
        }
        self.state.add_pattern()?;
        self.doing = Doing::End(StopReason::Cut);
        Ok(())
    }

    fn schedule(&self) -> &'static Schedule {
        schedule(&self.state.settings, self.state.classes_first, self.state.is_core(), self.grown)
    }

    /// Starts the next turn that has work, or the final search for rivals.
    fn begin_turn(&mut self) -> Result<Step, LearnError> {
        self.state.add_pattern()?;
        if self.state.is_pattern() {
            self.doing = Doing::End(StopReason::Finished);
            return Ok(Step::Done(StopReason::Finished));
        }
        // After one round of turns without work, there is none.
        let schedule = self.schedule();
        let most = (schedule.first.len() + schedule.then.len()) as u32;
        let next = (self.turn..=self.turn + most)
            .find(|&number| schedule.turn(number).is_some_and(|(engine, _)| engine.has_work(&self.state)));
        let Some(number) = next else {
            if let Some(error) = self.state.untrainable.clone().filter(|_| self.state.known().next().is_none()) {
                return Err(error.into());
            }
            let has_answer = self.state.pool.consistent().next().is_some();
            let end = match schedule.answer {
                Choice::Smallest if !has_answer => StopReason::Budget,
                _ => schedule.end,
            };
            self.doing = Doing::Hunt { part: 0, end };
            return self.begin_part();
        };
        self.turn = number + 1;
        if schedule.turn(number).is_some_and(|(engine, _)| engines::is_same(engine, &STRINGS)) {
            let is_new = self.state.patterns.is_none();
            self.state.read_strings();
            if is_new && !self.state.core.whole().asked().is_empty() {
                self.state.tell_patterns();
            }
        }
        let best = self.state.pool.best().map(|best| best.dfa.clone());
        self.doing = Doing::Turn { part: 0, best };
        self.begin_part()
    }

    /// The engine at work, and its turn.
    fn at_work(&self) -> Option<(&'static dyn engines::Engine, Turn)> {
        match self.doing {
            Doing::Turn { part, .. } => {
                let (engine, number) = self.schedule().turn(self.turn.checked_sub(1)?)?;
                Some((engine, Turn { number, part }))
            }
            Doing::Hunt { part, .. } => Some((&RIVALS, Turn { number: 0, part })),
            Doing::Nothing | Doing::End(_) => None,
        }
    }

    /// Starts the next part of the turn, or ends the turn.
    fn begin_part(&mut self) -> Result<Step, LearnError> {
        let Some((engine, turn)) = self.at_work() else { return Ok(Step::Turn) };
        let jobs = engine.jobs(turn, &self.state);
        if jobs.is_empty() {
            return self.end_turn();
        }
        self.executor.begin(jobs, &self.state.data);
        Ok(Step::Working)
    }

    /// Takes in the results of the jobs of a part.
    fn gather(&mut self, outcomes: Vec<Outcome>) -> Result<(), LearnError> {
        let Some((engine, turn)) = self.at_work() else { return Ok(()) };
        match &mut self.doing {
            Doing::Turn { part, .. } | Doing::Hunt { part, .. } => *part += 1,
            Doing::Nothing | Doing::End(_) => {}
        }
        engine.gather(turn, outcomes, &mut self.state)
    }

    fn end_turn(&mut self) -> Result<Step, LearnError> {
        let end = match std::mem::replace(&mut self.doing, Doing::Nothing) {
            // A turn without jobs challenged nothing.
            Doing::Turn { part: 0, .. } => return Ok(Step::Turn),
            Doing::Turn { best, .. } => {
                let same = self.state.pool.best().map(|best| &best.dfa) == best.as_ref();
                self.unchallenged = if same { self.unchallenged + 1 } else { 0 };
                self.visits_then = if same { self.visits_then } else { self.state.ledger.spent.visits };
                // Errors outside the core are cheap to find, so check for them before the answer is settled.
                if self.learn_from_the_rest() || !self.is_settled() {
                    return Ok(Step::Turn);
                }
                self.doing = Doing::Hunt { part: 0, end: self.settled() };
                return self.begin_part();
            }
            Doing::Hunt { end, .. } => end,
            other => {
                self.doing = other;
                return Ok(Step::Turn);
            }
        };
        let end = match end {
            StopReason::Settled | StopReason::Proved => {
                if self.learn_from_the_rest() || !self.is_settled() {
                    return Ok(Step::Turn);
                }
                self.settled()
            }
            end => end,
        };
        self.doing = Doing::End(end);
        Ok(Step::Done(end))
    }

    /// Whether every engine has had a turn and the answers differ. Then a question is worthwhile, even before an answer
    /// is settled.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        self.schedule().asks_after.is_some_and(|turns| self.turn >= turns)
            && self.state.pool.best().is_some_and(|best| best.errors == 0)
            && !self.undecided().is_empty()
    }

    /// Whether the best answer is good enough to stop.
    fn is_settled(&self) -> bool {
        let Some(best) = self.state.pool.best() else { return false };
        let good = match self.state.settings.noise {
            Noise::None => best.errors == 0,
            // With noise, errors prove nothing; the answer can only remain the best.
            Noise::Rate(_) | Noise::Auto => best.origin != Origin::Trivial,
        };
        // An answer that predicts thousands of unseen words needs no other confirmation.
        let others = self.state.data.jury.words().saturating_sub(self.state.data.sample.words());
        let confirmed = others >= ENOUGH_OTHERS && best.errors == 0 && !best.from_all;
        let is_listed = |examined: &Examined| self.state.listed == Some(true) && examined.is_minimal();
        let is_proved = |examined: &Examined| examined.is_proved() || is_listed(examined);
        let is_proved = || self.state.examined_best().is_some_and(is_proved);
        // Other engines may agree, or prove that no automaton is smaller, while the model has a shorter grammar.
        let has_modelled = self.state.ledger.restarts() > 0 || self.state.restarts_left() == 0;
        // A proof says more than another find, so the solver has its say first.
        let awaits_proof = || self.state.examined_best().is_none() && self.awaits(&PROVE);
        let has_found = || best.finds >= ENOUGH_FINDS && !awaits_proof();
        let agreed = has_modelled && (is_proved() || has_found());
        // A formula or a walk may predict the labels and still be longer than an expression, all of which are listed soon.
        let predicted = || self.state.is_predicted() && !self.awaits(&EXPRESS);
        good && (confirmed || predicted() || agreed || self.is_unchallenged())
    }

    /// Whether an engine has its first turn to come, and work to do.
    fn awaits(&self, engine: &'static dyn engines::Engine) -> bool {
        let schedule = self.schedule();
        let mut to_come = (self.turn as usize..schedule.first.len()).map(|number| schedule.first[number]);
        engine.has_work(&self.state) && to_come.any(|other| engines::is_same(other, engine))
    }

    /// Why a settled answer is settled.
    fn settled(&self) -> StopReason {
        match self.state.examined_best().is_some_and(Examined::is_proved) {
            true => StopReason::Proved,
            false => StopReason::Settled,
        }
    }

    /// Whether the best answer has been the best for so long that a better one is unlikely.
    fn is_unchallenged(&self) -> bool {
        let state = &self.state;
        let patience = &self.schedule().patience;
        let nodes = state.data.sample.parents().len() as u64;
        let enough = (state.settings.visits / ENOUGH_OF_SEARCH).min(ENOUGH_A_NODE * nodes);
        let searched = state.ledger.spent.visits - self.visits_then >= enough || state.settings.noise != Noise::None;
        self.unchallenged >= ENOUGH_TURNS
            && (!patience.search || searched && !self.is_by_heart())
            && (!patience.model || self.is_modelled())
    }

    /// Whether there are many labels and the best answer takes about as many bits as they do. Then it explains nothing,
    /// and a shorter one is worth the whole budget.
    fn is_by_heart(&self) -> bool {
        let words = self.state.data.sample.words();
        let telling = BITS_PER_WORD * words as f64;
        let tells = |best: &Candidate| self.state.settings.noise == Noise::None && best.bits > telling;
        words >= MANY_WORDS && self.state.pool.best().is_some_and(tells)
    }

    /// Whether the model found the best answer, or has used half of its restarts. The model starts with sizes that may
    /// be too small for the language, whereas merging gives an answer of any size.
    fn is_modelled(&self) -> bool {
        let by_model = |best: &Candidate| matches!(best.origin, Origin::Neural | Origin::Repaired);
        let used = self.state.ledger.restarts();
        self.state.pool.best().is_some_and(by_model) || used >= self.state.settings.restarts / 2
    }

    /// Checks the best answer against all examples. Wrong ones outside the core join the core.
    fn learn_from_the_rest(&mut self) -> bool {
        let Some(best) = self.state.pool.best() else { return false };
        let is_answer = self.state.settings.noise == Noise::None && best.origin != Origin::Trivial;
        if !is_answer || !self.state.core.grow(&best.dfa) {
            return false;
        }
        self.grown = true;
        self.begin_again();
        true
    }

    fn begin_again(&mut self) {
        self.state.begin_again();
        (self.doing, self.turn) = (Doing::Nothing, 0);
        (self.unchallenged, self.visits_then) = (0, self.state.ledger.spent.visits);
    }

    /// Adds labelled words and continues. Candidates that agree with them are kept.
    pub fn tell(&mut self, words: &[(Word, Label)]) -> Result<(), SampleError> {
        self.add(words)?;
        if let Some(patterns) = &mut self.state.patterns {
            for (word, label) in words.iter().filter(|(_, label)| *label != Label::Unlabelled) {
                patterns.tell(word, *label == Label::Accepted);
            }
        }
        self.state.ledger.renew();
        self.begin_again();
        Ok(())
    }

    /// Adds labelled words to the examples.
    fn add(&mut self, words: &[(Word, Label)]) -> Result<(), SampleError> {
        let labelled = words.iter().filter(|(_, label)| *label != Label::Unlabelled);
        let counted = labelled.map(|(word, label)| {
            let word = match self.state.settings.direction {
                Direction::Left => word.clone(),
                Direction::Right => word.reversed(),
            };
            (word, (*label).into())
        });
        let counted: Vec<(Word, Counts)> = counted.collect();
        self.state.core.and(&counted, self.state.settings.noise != Noise::None)
    }

    /// The current progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let (engine, stage) = self.at_work().map_or(("", ""), |(engine, _)| (engine.name(), engine.stage()));
        let pool = &self.state.pool;
        let best = pool.best();
        Progress {
            engine,
            stage,
            spent: self.state.ledger.spent.and(self.executor.spent()),
            errors: best.map(|best| best.errors),
            states: best.map(|best| best.dfa.len()),
            bits: best.map(|best| best.bits),
            consistent: pool.consistent().count(),
            finds: best.map_or(0, |best| best.finds),
        }
    }

    /// The current answer.
    #[must_use]
    pub fn induced(&self, reason: StopReason) -> Induced {
        let patterns = self.state.patterns.as_ref().filter(|_| self.state.is_pattern());
        // The pattern has an automaton: this was checked when it was chosen.
        match patterns.and_then(|patterns| patterns.induced(&self.state.sample_as_written()).ok()) {
            Some(induced) => Induced { spent: self.state.ledger.spent, stop_reason: reason, ..induced },
            None => Induced::of(self, reason),
        }
    }

    /// What the answer is over: letters or classes.
    #[must_use]
    pub fn way(&self) -> Way {
        let is_over_classes = self.state.settings.way == Way::Classes || self.state.is_pattern();
        if is_over_classes { Way::Classes } else { Way::Letters }
    }

    /// A copy of all examples, including added ones, in their original direction.
    #[must_use]
    pub fn sample(&self) -> Sample {
        self.state.sample_as_written().into_owned()
    }

    /// All examples, including added ones, in their original direction.
    #[must_use]
    pub fn into_sample(self) -> Sample {
        let direction = self.state.settings.direction;
        // Jobs in progress and patterns also hold the sample.
        let State { data, core, patterns, .. } = self.state;
        drop((self.executor, data, patterns));
        let whole = core.into_whole();
        match direction {
            Direction::Left => whole,
            Direction::Right => whole.reversed(),
        }
    }

    /// Returns the executor.
    #[must_use]
    pub fn into_executor(self) -> Box<dyn Executor> {
        self.executor
    }

    /// The candidates, over words in reading direction.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.state.pool
    }

    /// Work done so far.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.state.ledger.spent
    }
}

/// Independent finds that settle an answer.
const ENOUGH_FINDS: u32 = 4;
/// Correctly predicted unseen words that settle an answer.
const ENOUGH_OTHERS: u64 = 1_000;
/// Turns as the best answer that settle it, together with one of the next two.
const ENOUGH_TURNS: u32 = 4;
/// Share of the search budget (one part in this many) that must be used meanwhile.
const ENOUGH_OF_SEARCH: u64 = 15;
/// Or visits per node: with few words there is little to search, and it is better to ask.
const ENOUGH_A_NODE: u64 = 200_000;
/// From this many words on, an answer should be shorter than the words themselves.
const MANY_WORDS: u64 = 100;

/// Whether some word is accepted.
fn has_accepted(sample: &Sample) -> bool {
    sample.rows().any(|(_, counts)| counts.accepted > 0)
}

/// Rejects a sample with only one label.
fn one_label(sample: &Sample) -> Result<(), LearnError> {
    let (accepted, rejected) = sample.rows().fold((false, false), |(accepted, rejected), (_, counts)| {
        (accepted || counts.accepted > 0, rejected || counts.rejected > 0)
    });
    let words = sample.words();
    match (accepted, rejected) {
        (true, true) => Ok(()),
        (true, false) => Err(LearnError::OneLabel {
            words,
            label: "accepted",
            missing: "rejected",
            everything: "the language of all words",
        }),
        (false, true) => Err(LearnError::OneLabel {
            words,
            label: "rejected",
            missing: "accepted",
            everything: "the empty language",
        }),
        (false, false) => Err(LearnError::Train(TrainError::NoWords)),
    }
}

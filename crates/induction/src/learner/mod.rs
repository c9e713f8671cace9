//! The learner: from a sample to an answer that is checked and says what the examples leave open.
//!
//! Engines take turns, go on from what the others found, and their answers meet in one [`Pool`]:
//!
//! ```text
//!            ┌─ merging   milliseconds; strong where short words abound
//!   Sample ──┼─ neural    blocks of restarts, both shapes, read, mended, pruned ──► Pool ──► rivals ──► Induced
//!            └─ search    grammars and small automata, annealed; strong on dense languages
//! ```
//!
//! `schedule` says whose turn it is, `engines` what each does, `executor` who does it. [`Learner::step`] does a bounded
//! amount of work and returns, so that whoever calls it can stop, save, or show how far it is. A turn is a function of the
//! examples, the settings, its number and the pool: the answer is the same with any number of threads, and a learner that
//! was saved goes on as if it had never been interrupted.
//!
//! After each turn the learner asks itself whether the best answer is *settled*: it gets every example right, was found
//! often enough independently (or nothing better was found for several turns), and its rivals were looked for.
//!
//! A large sample is learned from a *core* of a few thousand words; the answer is checked against all of them, and the
//! words it gets wrong join the core.

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

use automata::{Counts, Dfa, Direction, Label, Word};

pub use checkpoint::ResumeError;
pub use engines::{BlockRecord, Data, Job, Outcome, Task, read_job};
pub use executor::{Executor, Threads};
pub use induced::{Alternative, Induced, Suspect};
pub use ledger::Spent;
pub use settings::{Engine, Noise, PAPER_STEP_CAP, Recording, Settings, Shapes, Way, paper_steps};
pub use stop::Stop;
pub use undecided::Undecided;

use crate::sample::{Sample, SampleError};
use crate::search::BITS_PER_WORD;
use crate::selection::{Candidate, Origin, Pool};
use crate::strings::{self, Patterns, StringsError};
use crate::training::TrainError;
use engines::{RIVALS, Turn};
use schedule::{Choice, Schedule, schedule};
use state::State;

/// Why a learner looks no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The answer is settled.
    Settled,
    /// The engine did everything it does.
    Finished,
    /// The budget is spent.
    Budget,
    /// It was stopped from outside, as by a time limit.
    Cut,
}

/// Why nothing can be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// No word is accepted, or none is rejected.
    #[error("all {words} words are {label}; {missing} words are needed too, to exclude {everything}")]
    OneLabel {
        /// How many there are.
        words: u64,
        /// How all are labelled.
        label: &'static str,
        /// How none is.
        missing: &'static str,
        /// What could not be excluded.
        everything: &'static str,
    },
    /// The rate of noise is out of range.
    #[error("the noise rate is {rate}, but must be above 0 and below 0.5")]
    NoiseRate {
        /// What was given.
        rate: f64,
    },
    /// Search does not tolerate noise.
    #[error("the search engine does not support noise; use another engine")]
    NoisySearch,
    /// Nor does the solver.
    #[error("the solver does not support noise; use another engine")]
    NoisySat,
    /// The solver finds the smallest automaton that reads words from the left.
    #[error("the solver does not support right-regular grammars; use another engine")]
    BackwardSat,
    /// The model cannot be trained so.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// Patterns over classes cannot be learned.
    #[error(transparent)]
    Strings(#[from] StringsError),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads")]
    Threads {
        /// How many were asked for.
        threads: usize,
    },
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is more to do.
    Working,
    /// A turn is over, and more may follow: a good moment to save, and to ask if answers differ.
    Turn,
    /// There is nothing more to do.
    Done(StopReason),
}

/// How far a learner is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Who is at work: `merging`, `neural`, `search`, `sat` or `rivals`.
    pub engine: &'static str,
    /// At what.
    pub stage: &'static str,
    /// What was spent so far.
    pub spent: Spent,
    /// Errors of the best candidate.
    pub errors: Option<u64>,
    /// States of the best candidate.
    pub states: Option<usize>,
    /// Bits of the best candidate.
    pub bits: Option<f64>,
    /// How many languages agree with every example.
    pub consistent: usize,
    /// How often the best was found.
    pub finds: u32,
}

/// A learner at work.
pub struct Learner {
    state: State,
    executor: Box<dyn Executor>,
    doing: Doing,
    /// How many turns were begun since words were last added.
    turn: u32,
    /// Whether the core has grown.
    grown: bool,
    /// For how many turns the best answer has stayed the same.
    unchallenged: u32,
    /// How many nodes search had visited when the best answer became the best.
    visits_then: u64,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

/// What is under way.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Doing {
    /// Nothing: the next step begins a turn.
    Nothing,
    /// A part of the turn that was begun last; the best answer before it.
    Turn {
        part: u32,
        #[serde(with = "checkpoint::perhaps_dfa")]
        best: Option<Dfa>,
    },
    /// A hunt for rivals, after which it ends for this reason if the answer stays.
    Hunt { part: u32, end: StopReason },
    /// It has ended.
    End(StopReason),
}

impl Learner {
    /// A learner that has not begun, on so many threads.
    pub fn new(sample: Sample, settings: Settings, threads: usize) -> Result<Self, LearnError> {
        Self::with_executor(sample, settings, Box::new(Threads::new(threads)?))
    }

    /// A learner whose jobs are done by others.
    pub fn with_executor(sample: Sample, settings: Settings, executor: Box<dyn Executor>) -> Result<Self, LearnError> {
        if let Noise::Rate(rate) = settings.noise
            && !(rate > 0.0 && rate < 0.5)
        {
            return Err(LearnError::NoiseRate { rate });
        }
        schedule(&settings, false, false).check(&settings)?;
        let mut settings = settings;
        let patterns = match settings.way {
            Way::Letters => None,
            way => {
                let Settings { classes, noise, direction, .. } = settings.clone();
                match Patterns::new(sample.clone(), &strings::Ways { classes, noise, direction }) {
                    Ok(patterns) => Some(patterns),
                    // What cannot be learned over classes is learned letter by letter, if that was left open.
                    Err(_) if way == Way::Both => None,
                    Err(error) => return Err(error.into()),
                }
            }
        };
        settings.way = match (settings.way, one_label(&sample), &patterns) {
            (Way::Both, Ok(()), Some(_)) => Way::Both,
            (Way::Both | Way::Letters, Ok(()), None) => Way::Letters,
            // Patterns can do without rejected words.
            (_, _, Some(_)) => Way::Classes,
            (_, Err(error), None) => return Err(error),
            (_, Ok(()), None) => Way::Letters,
        };
        let whole = match settings.direction {
            Direction::Left => sample,
            Direction::Right => sample.reversed(),
        };
        let state = State::new(whole, settings, patterns);
        Ok(Self { state, executor, doing: Doing::Nothing, turn: 0, grown: false, unchallenged: 0, visits_then: 0 })
    }

    /// Keeps a record of all trainings from here on. It changes nothing in what is learned.
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

    /// Works until a turn is over; a reason if it was the last, or if it was told to stop.
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

    /// Gives up what is under way, keeping what it has found.
    pub fn cut(&mut self) -> Result<(), LearnError> {
        if matches!(self.doing, Doing::Turn { .. } | Doing::Hunt { .. }) {
            let outcomes = self.executor.cut();
            self.gather(outcomes)?;
        }
        if let Some(patterns) = &mut self.state.patterns {
            patterns.cut();
        }
        self.state.decide()?;
        self.doing = Doing::End(StopReason::Cut);
        Ok(())
    }

    fn schedule(&self) -> &'static Schedule {
        schedule(&self.state.settings, self.state.is_core(), self.grown)
    }

    /// Begins the next turn that has anything to do, or the last hunt.
    fn begin_turn(&mut self) -> Result<Step, LearnError> {
        self.state.decide()?;
        if self.state.decided == Some(Way::Classes) {
            self.doing = Doing::End(StopReason::Finished);
            return Ok(Step::Done(StopReason::Finished));
        }
        // Once round all turns without any work there is none.
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
        let best = self.state.pool.best().map(|best| best.dfa.clone());
        self.doing = Doing::Turn { part: 0, best };
        self.begin_part()
    }

    /// The engine at work, and which turn of it.
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

    /// Begins the part of a turn that is due, or ends the turn.
    fn begin_part(&mut self) -> Result<Step, LearnError> {
        let Some((engine, turn)) = self.at_work() else { return Ok(Step::Turn) };
        let jobs = engine.jobs(turn, &self.state);
        if jobs.is_empty() {
            return self.end_turn();
        }
        self.executor.begin(jobs, &self.state.data);
        Ok(Step::Working)
    }

    /// Takes in what the jobs of a part came to.
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
            Doing::Turn { best, .. } => {
                let same = self.state.pool.best().map(|best| &best.dfa) == best.as_ref();
                self.unchallenged = if same { self.unchallenged + 1 } else { 0 };
                self.visits_then = if same { self.visits_then } else { self.state.ledger.spent.visits };
                // What a core does not show is soon found among the rest: no need to be sure of an answer first.
                if self.learn_from_the_rest() || !self.is_settled() {
                    return Ok(Step::Turn);
                }
                self.doing = Doing::Hunt { part: 0, end: StopReason::Settled };
                return self.begin_part();
            }
            Doing::Hunt { end, .. } => end,
            other => {
                self.doing = other;
                return Ok(Step::Turn);
            }
        };
        if end == StopReason::Settled && (self.learn_from_the_rest() || !self.is_settled()) {
            return Ok(Step::Turn);
        }
        self.doing = Doing::End(end);
        Ok(Step::Done(end))
    }

    /// Whether every engine has had a turn and their answers differ: then a word is worth asking about, and there is no
    /// need to be sure of an answer first.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        self.schedule().asks_after.is_some_and(|turns| self.turn >= turns)
            && self.state.pool.best().is_some_and(|best| best.errors == 0)
            && !self.undecided().is_empty()
    }

    /// Whether the best answer is one to stay with.
    fn is_settled(&self) -> bool {
        let Some(best) = self.state.pool.best() else { return false };
        let good = match self.state.settings.noise {
            Noise::None => best.errors == 0,
            // What is wrong with noisy labels cannot be known; it can only stay the best.
            Noise::Rate(_) | Noise::Auto => best.origin != Origin::Trivial,
        };
        // What gets thousands of words right that it was not learned from needs no other confirmation.
        let others = self.state.data.jury.words().saturating_sub(self.state.data.sample.words());
        let confirmed = others >= ENOUGH_OTHERS && best.errors == 0 && !best.from_all;
        good && (confirmed || best.finds >= ENOUGH_FINDS || self.is_unchallenged())
    }

    /// Whether the best answer has been the best for so long that nothing better is to be expected.
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

    /// Whether there are many labels and the best answer takes about as many bits as they do: it explains nothing, so
    /// something shorter is worth the whole budget.
    fn is_by_heart(&self) -> bool {
        let words = self.state.data.sample.words();
        let telling = BITS_PER_WORD * words as f64;
        let tells = |best: &Candidate| self.state.settings.noise == Noise::None && best.bits > telling;
        words >= MANY_WORDS && self.state.pool.best().is_some_and(tells)
    }

    /// Whether the model found the best answer, or had half of its restarts to find a better one: it begins with sizes
    /// that may be too small for the language, where merging comes to some answer whatever its size.
    fn is_modelled(&self) -> bool {
        let by_model = |best: &Candidate| matches!(best.origin, Origin::Neural | Origin::Repaired);
        let used = self.state.ledger.restarts();
        self.state.pool.best().is_some_and(by_model) || used >= self.state.settings.restarts / 2
    }

    /// Checks the best answer against all examples; if some of those outside the core are wrong, they join it.
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

    /// Adds labelled words and goes on: what was found stays, as far as it agrees with them.
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

    /// How far it is.
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

    /// The answer as it is now.
    #[must_use]
    pub fn induced(&self, reason: StopReason) -> Induced {
        let patterns = self.state.patterns.as_ref().filter(|_| self.state.decided == Some(Way::Classes));
        // That the pattern has an automaton was seen when it was decided on.
        match patterns.and_then(|patterns| patterns.induced(&self.state.sample_as_written()).ok()) {
            Some(induced) => Induced { spent: self.state.ledger.spent, stop_reason: reason, ..induced },
            None => Induced::of(self, reason),
        }
    }

    /// What was learned over: letters or classes; both while that is open.
    #[must_use]
    pub fn way(&self) -> Way {
        self.state.decided.unwrap_or(self.state.settings.way)
    }

    /// A copy of all examples as they are written, including those added later.
    #[must_use]
    pub fn sample(&self) -> Sample {
        self.state.sample_as_written().into_owned()
    }

    /// All examples as they are written, including those added later.
    #[must_use]
    pub fn into_sample(self) -> Sample {
        let direction = self.state.settings.direction;
        // Jobs under way hold the sample, too.
        let State { data, core, .. } = self.state;
        drop((self.executor, data));
        let whole = core.into_whole();
        match direction {
            Direction::Left => whole,
            Direction::Right => whole.reversed(),
        }
    }

    /// Who does its jobs, when nothing more is to be learned.
    #[must_use]
    pub fn into_executor(self) -> Box<dyn Executor> {
        self.executor
    }

    /// The candidates, as languages of the words as they are read.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.state.pool
    }

    /// What was spent.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.state.ledger.spent
    }
}

/// An answer that was found so often independently is settled.
const ENOUGH_FINDS: u32 = 4;
/// Or one that gets so many words right that it was not learned from.
const ENOUGH_OTHERS: u64 = 1_000;
/// Or one that was the best for so many turns,
const ENOUGH_TURNS: u32 = 4;
/// while search used one part in so many of its budget,
const ENOUGH_OF_SEARCH: u64 = 15;
/// or visited each node so often: a few words leave little to search, and it is better to ask.
const ENOUGH_A_NODE: u64 = 200_000;
/// So many words should say something shorter than themselves.
const MANY_WORDS: u64 = 100;

/// Refuses a sample from which everything or nothing would follow.
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

//! A session: examples in, events out, an answer at the end.
//!
//! ```text
//!   Session::new ──► step ──► Progress ──► step … ──► Question ──► answer ──► step … ──► Done ──► finish ──► Learned
//! ```
//!
//! A step does about 50 ms of work and returns, so that whoever calls it can show progress, answer questions, stop, or
//! save. The search for a pattern over classes is the exception: it is one step, which looks at the stop flag now and then. A session that was saved goes on to the same answer, byte for byte, as one that was never interrupted.

mod choose;
mod event;
mod proving;
mod questions;
mod save;

use automata::formats::{Examples, Label};
use automata::{Alphabet, Dfa, Word};
use induction::learner::{Executor, Induced, Learner, Noise, Settings, Step, Stop, StopReason, Threads};
use induction::selection::Pool;
use induction::strings::{Patterns, Ways};
use induction::{Counts, Sample};

pub use choose::Way;
pub use event::{Brief, Event, Progress, Question};

use crate::Error;
use crate::answer::{self, Learned};
use crate::options::Options;
use proving::Proving;
use questions::Questions;

/// Why [`Session::given`] is there.
const GIVEN: &str = "the examples are there until the engines take them over";

/// A learning run under way.
pub struct Session {
    options: Options,
    settings: Settings,
    way: Way,
    /// What was given, until the engines that work letter by letter take it over: a million words are held once.
    given: Option<Sample>,
    /// The letters of what was given, what tells it from other examples, and what it is in numbers.
    alphabet: Alphabet,
    fingerprint: u64,
    summary: answer::Given,
    stop: Stop,
    questions: Questions,
    patterns: Option<Patterns>,
    letters: Option<Learner>,
    proving: Option<Proving>,
    /// Who does the jobs of the engines that work letter by letter, until they begin.
    executor: Option<Box<dyn Executor>>,
    phase: Phase,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Phase {
    /// Looking for a pattern over classes.
    Patterns,
    /// Learning letter by letter.
    Letters,
    /// Waiting for the answer to a question.
    Asking,
    /// Proving the answer, which was found for this reason.
    Proving(StopReason),
    /// Over, for this reason.
    Done(StopReason),
}

impl Session {
    /// A session that has not begun, on the caller's thread and those it starts: `threads` in all.
    pub fn new(examples: &Examples, options: Options, threads: usize) -> Result<Self, Error> {
        Self::with_executor(examples, options, Box::new(Threads::new(threads)?))
    }

    /// A session whose jobs are done by others.
    pub fn with_executor(examples: &Examples, options: Options, executor: Box<dyn Executor>) -> Result<Self, Error> {
        let sample = Sample::new(examples, options.noise != Noise::None)?;
        let settings = options.settings(sample.alphabet())?;
        let way = choose::way(&options, sample.alphabet())?;
        let phase = if way == Way::Letters { Phase::Letters } else { Phase::Patterns };
        let mut session = Self {
            questions: Questions::new(options.questions),
            options,
            settings,
            way,
            alphabet: sample.alphabet().clone(),
            fingerprint: sample.fingerprint(),
            summary: answer::Given::of(&sample),
            given: Some(sample),
            stop: Stop::new(),
            patterns: None,
            letters: None,
            proving: None,
            executor: Some(executor),
            phase,
        };
        if phase == Phase::Letters {
            // What cannot be learned is refused now and not at the first step.
            session.begin_letters()?;
        }
        Ok(session)
    }

    /// A handle that stops the session from another thread. The next step ends it with the best answer so far.
    #[must_use]
    pub fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// The letters of the examples.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Answers to questions that were asked when these examples were learned before. They are taken as answers when the
    /// same questions come up, so that the session comes to the same answer; what does not come up is told at the end.
    pub fn replay(&mut self, answers: impl IntoIterator<Item = (Word, Label)>) {
        self.questions.replay(answers);
    }

    /// Works for about 50 ms.
    pub fn step(&mut self) -> Result<Event, Error> {
        if self.stop.is_set() && !matches!(self.phase, Phase::Done(_)) {
            self.cut()?;
        }
        match self.phase {
            Phase::Done(_) => Ok(Event::Done),
            Phase::Asking => self.ask(),
            Phase::Patterns => self.step_patterns(),
            Phase::Letters => self.step_letters(),
            Phase::Proving(reason) => self.step_proof(reason),
        }
    }

    /// Steps until there is a question or the end.
    pub fn run(&mut self) -> Result<Event, Error> {
        loop {
            match self.step()? {
                Event::Progress(_) => {}
                event => return Ok(event),
            }
        }
    }

    fn step_patterns(&mut self) -> Result<Event, Error> {
        if self.patterns.is_none() {
            let stop = self.stop.clone();
            self.patterns = Some(self.patterns_of(&|| stop.is_set())?);
            return Ok(Event::Progress(self.progress()));
        }
        if self.way == Way::Both && self.patterns.as_ref().is_some_and(Patterns::gave_up) {
            // A mere list of the words is no answer: perhaps more can be said letter by letter.
            self.patterns = None;
            self.begin_letters()?;
            self.phase = Phase::Letters;
            return Ok(Event::Progress(self.progress()));
        }
        self.phase = Phase::Asking;
        self.ask()
    }

    fn patterns_of(&self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Patterns, Error> {
        let classes = self.options.given_classes()?;
        let Settings { noise, direction, .. } = self.settings;
        Ok(Patterns::learn(
            self.given.clone().expect(GIVEN),
            Ways { classes: classes.as_deref(), noise, direction },
            stop,
        )?)
    }

    fn begin_letters(&mut self) -> Result<(), Error> {
        let sample = self.given.take().expect(GIVEN);
        self.begin_letters_with(sample)
    }

    fn begin_letters_with(&mut self, sample: Sample) -> Result<(), Error> {
        // A learner that was begun already is begun anew, with its executor.
        let executor = self.executor.take().or_else(|| Some(self.letters.take()?.into_executor()));
        let executor = executor.unwrap_or_else(|| Box::new(Threads::inline()));
        let mut learner = Learner::with_executor(sample, self.settings.clone(), executor)?;
        learner.record(self.options.record);
        self.letters = Some(learner);
        Ok(())
    }

    fn step_letters(&mut self) -> Result<Event, Error> {
        let Some(learner) = &mut self.letters else { return Ok(Event::Done) };
        match learner.step()? {
            Step::Working => {}
            // Once every engine had a turn and their answers differ, it is time to ask.
            Step::Turn if self.questions.is_open() && learner.is_divided() => {
                self.phase = Phase::Asking;
                return self.ask();
            }
            Step::Turn => {}
            Step::Done(reason) => {
                self.phase = Phase::Asking;
                self.questions.settled(reason);
                return self.ask();
            }
        }
        Ok(Event::Progress(self.progress()))
    }

    /// Puts the next question, takes a recorded answer, or ends the session.
    fn ask(&mut self) -> Result<Event, Error> {
        let settled = self.questions.is_settled();
        let is_over = settled.is_some() || self.letters.is_none();
        let open = if self.questions.is_open() { self.open_words(is_over)? } else { Vec::new() };
        match self.questions.next(&open, is_over) {
            questions::Next::Tell(word, label) => {
                self.tell(&word, label)?;
                Ok(Event::Progress(self.progress()))
            }
            questions::Next::Ask(open) => Ok(Event::Question(Question {
                word: self.alphabet().write(&open.word),
                shown: self.alphabet().show(&open.word),
                accepted_by: open.accepted_by,
                of: open.of,
            })),
            questions::Next::Nothing => {
                match (self.letters.is_some(), settled) {
                    // There is nothing to ask yet: back to work.
                    (true, None) => self.phase = Phase::Letters,
                    (true, Some(reason)) => self.end(reason),
                    (false, _) => self.end(StopReason::Finished),
                }
                match self.phase {
                    Phase::Done(_) => Ok(Event::Done),
                    _ => Ok(Event::Progress(self.progress())),
                }
            }
        }
    }

    /// Learning is over; a proof may follow.
    fn end(&mut self, reason: StopReason) {
        self.phase = if self.options.prove { Phase::Proving(reason) } else { Phase::Done(reason) };
    }

    /// Ends what is under way with what there is.
    fn cut(&mut self) -> Result<(), Error> {
        self.phase = match (self.phase, &mut self.letters) {
            // The answer is there, and only its proof is cut.
            (Phase::Proving(reason), _) => {
                if let Some(proving) = &mut self.proving {
                    proving.cut();
                }
                Phase::Done(reason)
            }
            (_, Some(learner)) => {
                learner.cut()?;
                Phase::Done(StopReason::Cut)
            }
            (_, None) => {
                // A mere list is not worth writing out as an automaton.
                if self.way == Way::Both {
                    self.patterns = self.patterns.take().filter(|patterns| !patterns.gave_up());
                }
                Phase::Done(StopReason::Cut)
            }
        };
        Ok(())
    }

    fn step_proof(&mut self, reason: StopReason) -> Result<Event, Error> {
        if self.proving.is_none() {
            let induced = self.induced(reason)?;
            self.proving = Some(Proving::new(induced, &self.sample(), &self.settings));
        }
        if let Some(proving) = &mut self.proving
            && proving.advance()
        {
            self.phase = Phase::Done(reason);
            return Ok(Event::Done);
        }
        Ok(Event::Progress(self.progress()))
    }

    /// All examples so far.
    fn sample(&self) -> Sample {
        match (&self.letters, &self.patterns) {
            (Some(learner), _) => learner.sample(),
            (None, Some(patterns)) => patterns.sample().clone(),
            (None, None) => self.given.clone().expect(GIVEN),
        }
    }

    /// The words that are open, the best to ask about first.
    fn open_words(&self, settled: bool) -> Result<Vec<induction::learner::Undecided>, Error> {
        Ok(match (&self.letters, &self.patterns) {
            (Some(learner), _) if !settled => learner.undecided(),
            (Some(learner), _) => {
                let induced = learner.induced(StopReason::Settled);
                induced.undecided.into_iter().chain(induced.doubtful).collect()
            }
            (None, Some(patterns)) => {
                let induced = patterns.induced()?;
                induced.undecided.into_iter().chain(induced.doubtful).collect()
            }
            (None, None) => Vec::new(),
        })
    }

    /// Answers the question that was put last.
    pub fn answer(&mut self, word: &str, label: Label) -> Result<(), Error> {
        let word = self.alphabet().read(word)?;
        match label {
            Label::Unlabelled => self.questions.skip(word),
            label => {
                self.questions.answered(word.clone(), label);
                self.tell(&word, label)?;
            }
        }
        Ok(())
    }

    /// Asks nothing more.
    pub fn stop_asking(&mut self) {
        self.questions.close();
    }

    /// Adds examples. What was found stays, as far as it agrees with them.
    pub fn add(&mut self, words: &[(Word, Label)]) -> Result<(), Error> {
        words.iter().try_for_each(|(word, label)| self.tell(word, *label))
    }

    fn tell(&mut self, word: &Word, label: Label) -> Result<(), Error> {
        self.questions.unsettled();
        if let Some(learner) = &mut self.letters {
            learner.tell(&[(word.clone(), label)])?;
            self.phase = Phase::Letters;
        } else {
            match &mut self.patterns {
                Some(patterns) => {
                    let stop = self.stop.clone();
                    patterns.tell(word, label == Label::Accepted, &|| stop.is_set())?;
                }
                None => {
                    let counts = counts(label);
                    let noise_allowed = self.settings.noise != Noise::None;
                    if let Some(given) = &self.given {
                        self.given = Some(given.and(&[(word.clone(), counts)], noise_allowed)?);
                    }
                }
            }
            self.phase = Phase::Patterns;
        }
        Ok(())
    }

    /// How far the session is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        if matches!(self.phase, Phase::Proving(_)) {
            return Progress { engine: "proof".to_owned(), stage: "proving".to_owned(), ..Progress::default() };
        }
        let Some(learner) = &self.letters else {
            return Progress { engine: "strings".to_owned(), stage: "patterns".to_owned(), ..Progress::default() };
        };
        let now = learner.progress();
        let best = now.errors.zip(now.states).zip(now.bits);
        Progress {
            engine: now.engine.to_owned(),
            stage: now.stage.to_owned(),
            restarts: now.spent.restarts,
            steps: now.spent.steps,
            moves: now.spent.visits,
            conflicts: now.spent.conflicts,
            best: best.map(|((errors, states), bits)| Brief { errors, states, bits, finds: now.finds }),
            consistent: now.consistent,
        }
    }

    /// The answers to questions so far, in their order.
    #[must_use]
    pub fn answers(&self) -> &[(Word, Label)] {
        self.questions.answers()
    }

    /// The candidates of the engines that work letter by letter, as languages of the words as they are read.
    #[must_use]
    pub fn pool(&self) -> Option<&Pool> {
        self.letters.as_ref().map(Learner::pool)
    }

    /// Ends the session here, for this reason, with the best answer so far.
    pub fn stop_with(&mut self, reason: StopReason) {
        self.phase = Phase::Done(reason);
    }

    /// The automaton of the best answer so far.
    pub fn best(&self) -> Result<Dfa, Error> {
        Ok(self.induced(StopReason::Cut)?.dfa)
    }

    /// What was found by now.
    fn induced(&self, reason: StopReason) -> Result<Induced, Error> {
        match (&self.letters, &self.patterns) {
            (Some(learner), _) => Ok(learner.induced(reason)),
            (None, Some(patterns)) => Ok(patterns.induced()?),
            (None, None) => {
                let learner = Learner::with_executor(
                    self.given.clone().expect(GIVEN),
                    self.settings.clone(),
                    Box::new(Threads::inline()),
                )?;
                Ok(learner.induced(reason))
            }
        }
    }

    /// Ends the session with the best answer so far, and everything known about it.
    pub fn finish(mut self) -> Result<Learned, Error> {
        let reason = match self.phase {
            Phase::Done(reason) => reason,
            Phase::Proving(reason) => {
                self.cut()?;
                reason
            }
            _ => {
                self.cut()?;
                StopReason::Cut
            }
        };
        let (induced, proof) = match self.proving.take() {
            Some(proving) => (proving.induced, proving.proof),
            None => (self.induced(reason)?, None),
        };
        let mut induced = induced;
        if reason == StopReason::Cut {
            induced.stop_reason = StopReason::Cut;
        }
        self.summary.questions = self.questions.count();
        let records = self.letters.as_ref().map_or_else(Vec::new, |learner| learner.records().to_vec());
        let sample = match (self.letters, self.patterns) {
            (Some(learner), _) => learner.into_sample(),
            (None, Some(patterns)) => patterns.into_sample(),
            (None, None) => self.given.expect(GIVEN),
        };
        Ok(Learned::new(induced, sample, records, proof, &self.options, self.way, &self.summary))
    }
}

fn counts(label: Label) -> Counts {
    match label {
        Label::Accepted => Counts { accepted: 1, rejected: 0 },
        Label::Rejected => Counts { accepted: 0, rejected: 1 },
        Label::Unlabelled => Counts::default(),
    }
}

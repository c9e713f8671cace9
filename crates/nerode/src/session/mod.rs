//! A session: examples in, events out, an answer at the end.
//!
//! ```text
//!   Session::new ──► step ──► Progress ──► step … ──► Question ──► answer ──► step … ──► Done ──► finish ──► Learned
//! ```
//!
//! A step does about 50 ms of work and returns, so that the caller can show progress, answer questions, stop, or save. A
//! saved and resumed session gives the same answer, byte for byte, as an uninterrupted one.

pub(crate) mod applies;
pub(crate) mod choose;
mod event;
mod oracle;
mod proving;
mod questions;
mod save;

use automata::{Alphabet, Dfa, Examples, Label, Word};
use induction::Sample;
use induction::learner::{Executor, Learner, Noise, Settings, Step, Stop, StopReason, Threads};
use induction::selection::Pool;

pub use event::{Brief, Event, Progress, Question};
pub use oracle::accepts;

use crate::Error;
use crate::answer::{self, Learned};
use crate::options::Options;
use proving::Proving;
use questions::Questions;

/// A learning run under way.
pub struct Session {
    options: Options,
    settings: Settings,
    /// Fingerprint and statistics of the examples.
    fingerprint: u64,
    summary: answer::Given,
    alphabet: Alphabet,
    stop: Stop,
    questions: Questions,
    /// Labelled words that were added, in order.
    added: Vec<(Word, Label)>,
    learner: Learner,
    proving: Option<Proving>,
    phase: Phase,
}

/// The current phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Phase {
    /// Learning.
    Learning,
    /// Waiting for the answer to a question.
    Asking,
    /// Proving the answer; learning ended for this reason.
    Proving(StopReason),
    /// Finished, for this reason.
    Done(StopReason),
}

impl Session {
    /// A new session with this many threads, including the caller's.
    pub fn new(examples: &Examples, options: Options, threads: usize) -> Result<Self, Error> {
        Self::with_executor(examples, options, Box::new(Threads::new(threads)?))
    }

    /// A new session whose jobs are run by `executor`.
    pub fn with_executor(examples: &Examples, options: Options, executor: Box<dyn Executor>) -> Result<Self, Error> {
        options.check_labels(examples)?;
        let sample = Sample::new(examples, options.noise != Noise::None)?;
        let settings = options.settings(sample.alphabet())?;
        let (fingerprint, summary) = (sample.fingerprint(), answer::Given::of(&sample));
        let alphabet = sample.alphabet().clone();
        let mut learner = Learner::with_executor(sample, settings.clone(), executor)?;
        learner.record(options.record);
        Ok(Self {
            questions: Questions::new(options.questions),
            options,
            settings,
            fingerprint,
            summary,
            alphabet,
            stop: Stop::new(),
            added: Vec::new(),
            learner,
            proving: None,
            phase: Phase::Learning,
        })
    }

    /// A handle to stop the session from another thread. The next step ends it with the best answer so far.
    #[must_use]
    pub fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// The letters of the examples.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Answers recorded when these examples were learned before. They are used when the same questions come up, so that
    /// the session gives the same answer; unused ones are added at the end.
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
            Phase::Learning => self.step_learning(),
            Phase::Proving(reason) => self.step_proof(reason),
        }
    }

    /// Steps until there is a question, or to the end.
    pub fn run(&mut self) -> Result<Event, Error> {
        loop {
            match self.step()? {
                Event::Progress(_) => {}
                event => return Ok(event),
            }
        }
    }

    fn step_learning(&mut self) -> Result<Event, Error> {
        match self.learner.step()? {
            Step::Working => {}
            // Once every engine had a turn and their answers differ, it is time to ask.
            Step::Turn if self.questions.is_open() && self.learner.is_divided() => {
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

    /// Asks the next question, uses a recorded answer, or ends the session.
    fn ask(&mut self) -> Result<Event, Error> {
        let settled = self.questions.is_settled();
        let open = if self.questions.is_open() { self.open_words(settled.is_some()) } else { Vec::new() };
        match self.questions.next(&open, settled.is_some()) {
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
            questions::Next::Nothing => match settled {
                // Nothing to ask yet: continue to work.
                None => {
                    self.phase = Phase::Learning;
                    Ok(Event::Progress(self.progress()))
                }
                Some(reason) => {
                    self.end(reason);
                    match self.phase {
                        Phase::Done(_) => Ok(Event::Done),
                        _ => Ok(Event::Progress(self.progress())),
                    }
                }
            },
        }
    }

    /// Ends learning; a proof may follow.
    fn end(&mut self, reason: StopReason) {
        self.phase = if self.options.prove { Phase::Proving(reason) } else { Phase::Done(reason) };
    }

    /// Ends the current phase with what there is.
    fn cut(&mut self) -> Result<(), Error> {
        self.phase = match self.phase {
            // The answer is there, and only its proof is cut.
            Phase::Proving(reason) => {
                if let Some(proving) = &mut self.proving {
                    proving.cut();
                }
                Phase::Done(reason)
            }
            _ => {
                self.learner.cut()?;
                Phase::Done(StopReason::Cut)
            }
        };
        Ok(())
    }

    fn step_proof(&mut self, reason: StopReason) -> Result<Event, Error> {
        if self.proving.is_none() {
            let induced = self.learner.induced(reason);
            // The solver may have been asked while learning.
            if induced.proof.is_some() {
                self.phase = Phase::Done(reason);
                return Ok(Event::Done);
            }
            self.proving = Some(Proving::new(induced, &self.learner.sample(), &self.settings));
        }
        if let Some(proving) = &mut self.proving
            && proving.advance()
        {
            self.phase = Phase::Done(reason);
            return Ok(Event::Done);
        }
        Ok(Event::Progress(self.progress()))
    }

    /// The words that are open, the best to ask about first.
    fn open_words(&self, settled: bool) -> Vec<induction::learner::Undecided> {
        if !settled {
            return self.learner.undecided();
        }
        let induced = self.learner.induced(StopReason::Settled);
        induced.undecided.into_iter().chain(induced.doubtful).collect()
    }

    /// Answers the last question.
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

    /// Stops asking.
    pub fn stop_asking(&mut self) {
        self.questions.close();
    }

    /// Adds examples, except unlabelled words. Candidates that agree with them are kept.
    pub fn add(&mut self, words: &[(Word, Label)]) -> Result<(), Error> {
        for (word, label) in words.iter().filter(|(_, label)| *label != Label::Unlabelled) {
            self.tell(word, *label)?;
            self.added.push((word.clone(), *label));
        }
        Ok(())
    }

    fn tell(&mut self, word: &Word, label: Label) -> Result<(), Error> {
        self.questions.unsettled();
        self.learner.tell(&[(word.clone(), label)])?;
        self.phase = Phase::Learning;
        Ok(())
    }

    /// The current progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let now = self.learner.progress();
        let best = now.errors.zip(now.states).zip(now.bits);
        let (engine, stage) = match self.phase {
            Phase::Proving(_) => ("proof", "proving"),
            _ => (now.engine, now.stage),
        };
        Progress {
            engine: engine.to_owned(),
            stage: stage.to_owned(),
            restarts: now.spent.restarts,
            steps: now.spent.steps,
            moves: now.spent.visits,
            conflicts: now.spent.conflicts,
            best: best.map(|((errors, states), bits)| Brief { errors, states, bits, finds: now.finds }),
            consistent: now.consistent,
        }
    }

    /// The answers so far, in order.
    #[must_use]
    pub fn answers(&self) -> &[(Word, Label)] {
        self.questions.answers()
    }

    /// The candidates of the letter-by-letter engines, over words in reading direction.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        self.learner.pool()
    }

    /// The automaton of the best answer so far.
    #[must_use]
    pub fn best(&self) -> Dfa {
        self.learner.induced(StopReason::Cut).dfa
    }

    /// Ends the session. Returns the best answer so far, and everything known about it.
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
            None => (self.learner.induced(reason), None),
        };
        // A proof that was asked for has the larger budget.
        let proof = proof.or_else(|| induced.proof.clone());
        self.summary.questions = self.questions.count();
        let records = self.learner.records().to_vec();
        let way = self.learner.way();
        let sample = self.learner.into_sample();
        Ok(Learned::new(induced, sample, records, proof, &self.options, way, &self.summary))
    }
}

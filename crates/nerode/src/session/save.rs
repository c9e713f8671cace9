//! Saving and resuming a session, with the same examples and options.
//!
//! Only what cannot be recomputed from the examples is saved: the answers to questions and the state of the learner.

use automata::{Examples, Label, Letter, Word};
use induction::learner::{Executor, StopReason};
use serde::{Deserialize, Serialize};

use super::{Phase, Session};
use crate::Error;
use crate::error::bail;
use crate::options::{Options, SCHEMA_VERSION};

#[derive(Serialize, Deserialize)]
struct Saved {
    schema_version: u32,
    options: Options,
    /// Fingerprint of the examples.
    examples: u64,
    phase: Phase,
    settled: Option<StopReason>,
    /// Words that were asked about, as letter numbers, and whether they are accepted.
    answers: Vec<(Vec<u32>, bool)>,
    skipped: Vec<Vec<u32>>,
    learner: String,
}

impl Session {
    /// The session as text.
    #[must_use]
    pub fn save(&self) -> String {
        let numbers = |word: &Word| word.iter().map(|letter| letter.index() as u32).collect::<Vec<_>>();
        let answers = self.questions.answers().iter();
        let saved = Saved {
            schema_version: SCHEMA_VERSION,
            options: self.options.clone(),
            examples: self.fingerprint,
            phase: self.phase,
            settled: self.questions.is_settled(),
            answers: answers.map(|(word, label)| (numbers(word), *label == Label::Accepted)).collect(),
            skipped: self.questions.skipped().iter().map(numbers).collect(),
            learner: self.learner.checkpoint(),
        };
        serde_json::to_string(&saved).expect("numbers and text can be written")
    }

    /// Resumes a saved session, with the same examples and options.
    pub fn resume(
        text: &str,
        examples: &Examples,
        options: Options,
        executor: Box<dyn Executor>,
    ) -> Result<Self, Error> {
        let saved: Saved =
            serde_json::from_str(text).map_err(|error| Error::new(format_args!("not a saved session: {error}")))?;
        if saved.schema_version != SCHEMA_VERSION {
            bail!("the session was saved by another version of nerode");
        }
        if saved.options != options {
            bail!("the session was saved with other options");
        }
        let mut session = Self::with_executor(examples, options, executor)?;
        if saved.examples != session.fingerprint {
            bail!("the session was saved with other examples");
        }
        let letters = session.alphabet().len();
        let word = |numbers: &Vec<u32>| -> Option<Word> {
            numbers.iter().map(|&n| ((n as usize) < letters).then(|| Letter::new(n as usize))).collect()
        };
        let label = |accepted: bool| if accepted { Label::Accepted } else { Label::Rejected };
        let answers = saved.answers.iter().map(|(numbers, accepted)| Some((word(numbers)?, label(*accepted))));
        let skipped = saved.skipped.iter().map(word);
        let (Some(answers), Some(skipped)) = (answers.collect::<Option<Vec<_>>>(), skipped.collect::<Option<Vec<_>>>())
        else {
            bail!("the session was saved with other letters");
        };
        session.learner.resume(&saved.learner, &answers)?;
        answers.into_iter().for_each(|(word, label)| session.questions.answered(word, label));
        skipped.into_iter().for_each(|word| session.questions.skip(word));
        if let Some(reason) = saved.settled {
            session.questions.settled(reason);
        }
        session.phase = saved.phase;
        Ok(session)
    }
}

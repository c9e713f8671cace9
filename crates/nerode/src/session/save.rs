//! Saving and resuming a session, with the same examples and options.
//!
//! Only what cannot be recomputed from the examples is saved: the answers to questions, the words that were added, and the
//! state of the learner.

use automata::{Examples, Label, Letter, Word};
use induction::learner::{Executor, StopReason};
use serde::{Deserialize, Serialize};

use super::{Phase, Session};
use crate::Error;
use crate::error::bail;
use crate::options::Options;

/// Version of the format.
const VERSION: u32 = 2;

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
    /// Words that were added, in the same form.
    added: Vec<(Vec<u32>, bool)>,
    learner: String,
}

impl Session {
    /// The session as text.
    #[must_use]
    pub fn save(&self) -> String {
        let numbers = |word: &Word| word.iter().map(|letter| letter.index() as u32).collect::<Vec<_>>();
        let labelled = |words: &[(Word, Label)]| {
            words.iter().map(|(word, label)| (numbers(word), *label == Label::Accepted)).collect()
        };
        let saved = Saved {
            schema_version: VERSION,
            options: self.options.clone(),
            examples: self.fingerprint,
            phase: self.phase,
            settled: self.questions.is_settled(),
            answers: labelled(self.questions.answers()),
            skipped: self.questions.skipped().iter().map(numbers).collect(),
            added: labelled(&self.added),
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
        #[derive(Deserialize)]
        struct Version {
            schema_version: u32,
        }
        let not_saved = |error: serde_json::Error| Error::new(format_args!("not a saved session: {error}"));
        let Version { schema_version } = serde_json::from_str(text).map_err(not_saved)?;
        if schema_version != VERSION {
            bail!("the session was saved by another version of nerode");
        }
        let saved: Saved = serde_json::from_str(text).map_err(not_saved)?;
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
        let labelled = |words: &[(Vec<u32>, bool)]| {
            words.iter().map(|(numbers, accepted)| Some((word(numbers)?, Label::from(*accepted)))).collect()
        };
        let answers: Option<Vec<(Word, Label)>> = labelled(&saved.answers);
        let added: Option<Vec<(Word, Label)>> = labelled(&saved.added);
        let skipped: Option<Vec<Word>> = saved.skipped.iter().map(word).collect();
        let (Some(answers), Some(added), Some(skipped)) = (answers, added, skipped) else {
            bail!("the session was saved with other letters");
        };
        session.learner.resume(&saved.learner, &[&answers[..], &added].concat())?;
        session.added = added;
        answers.into_iter().for_each(|(word, label)| session.questions.answered(word, label));
        skipped.into_iter().for_each(|word| session.questions.skip(word));
        if let Some(reason) = saved.settled {
            session.questions.settled(reason);
        }
        session.phase = saved.phase;
        Ok(session)
    }
}

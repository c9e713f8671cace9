//! A session written down, and taken up again with the same examples and options.
//!
//! What is kept is what cannot be computed again from the examples: the answers to questions, and the state of the
//! engines that work letter by letter. Patterns are found again, which takes no longer than reading them would.

use automata::formats::{Examples, Label};
use automata::{Letter, Word};
use induction::Sample;
use induction::learner::{Executor, Learner, Noise, StopReason};
use induction::strings::Patterns;
use serde::{Deserialize, Serialize};

use super::{Phase, Session, Way, counts};
use crate::Error;
use crate::error::bail;
use crate::options::{Options, SCHEMA_VERSION};

#[derive(Serialize, Deserialize)]
struct Saved {
    schema_version: u32,
    options: Options,
    /// Tells the examples from others.
    examples: u64,
    phase: Phase,
    settled: Option<StopReason>,
    /// Words that were asked about, by their letters' numbers, and whether they belong.
    answers: Vec<(Vec<u32>, bool)>,
    skipped: Vec<Vec<u32>>,
    letters: Option<String>,
    has_patterns: bool,
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
            letters: self.letters.as_ref().map(Learner::checkpoint),
            has_patterns: self.patterns.is_some(),
        };
        serde_json::to_string(&saved).expect("numbers and text can be written")
    }

    /// The session that was saved, with the same examples and options.
    pub fn resume(
        text: &str,
        examples: &Examples,
        options: Options,
        executor: Box<dyn Executor>,
    ) -> Result<Self, Error> {
        let saved: Saved = serde_json::from_str(text)
            .map_err(|error| Error::new(format_args!("this is not a saved session: {error}")))?;
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
        let given = Sample::new(examples, session.settings.noise != Noise::None)?;
        session.restore_engines(&saved, &answers, given)?;
        answers.into_iter().for_each(|(word, label)| session.questions.answered(word, label));
        skipped.into_iter().for_each(|word| session.questions.skip(word));
        if let Some(reason) = saved.settled {
            session.questions.settled(reason);
        }
        session.phase = saved.phase;
        Ok(session)
    }

    fn restore_engines(&mut self, saved: &Saved, answers: &[(Word, Label)], given: Sample) -> Result<(), Error> {
        if saved.has_patterns {
            let mut patterns = self.found_patterns()?;
            // Engines that work letter by letter came after the patterns, and answers went to them.
            let told = if saved.letters.is_some() { &[] } else { answers };
            for (word, label) in told {
                patterns.tell(word, *label == Label::Accepted, &|| false)?;
            }
            self.patterns = Some(patterns);
        }
        if let Some(checkpoint) = &saved.letters {
            let counted: Vec<_> = answers.iter().map(|(word, label)| (word.clone(), counts(*label))).collect();
            let sample = match counted.is_empty() {
                true => given,
                false => given.and(&counted, self.settings.noise != Noise::None)?,
            };
            self.begin_letters_with(sample)?;
            if let Some(learner) = &mut self.letters {
                learner.resume(checkpoint)?;
            }
        }
        Ok(())
    }

    fn found_patterns(&self) -> Result<Patterns, Error> {
        debug_assert!(self.way != Way::Letters, "patterns are only found where they were asked for");
        self.patterns_of(&|| false)
    }
}

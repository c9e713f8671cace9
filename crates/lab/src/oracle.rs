//! A learner that asks, and a language that answers.

use automata::Dfa;
use automata::formats::abbadingo::Label;
use induction::SampleError;
use induction::learner::{Induced, LearnError, Learner, StopReason, Watch};

use crate::record::{Questions, QuestionsEnd};

/// Why asking came to no end.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum AskError {
    /// Nothing can be learned.
    Learn(#[from] LearnError),
    /// An answer contradicts the examples: they are not of this language.
    Sample(#[from] SampleError),
}

/// Lets a learner ask about undecided words, one after another, until its answer is the truth or `most` were asked.
pub fn ask(learner: &mut Learner, truth: &Dfa, most: u64, watch: &dyn Watch) -> Result<(Induced, Questions), AskError> {
    let mut asked = 0;
    loop {
        // Without a question left it goes on until it is done.
        let reason = if asked < most { learner.learn_until_divided(watch)? } else { Some(learner.learn(watch)?) };
        // Who is divided and right all the same is told so, and that settles it.
        let induced = learner.induced(reason.unwrap_or(StopReason::Settled));
        let word = induced.undecided.iter().chain(&induced.doubtful).map(|open| open.word.clone()).next();
        let end = match word {
            _ if induced.dfa == *truth => QuestionsEnd::Exact,
            _ if reason == Some(StopReason::Cut) => QuestionsEnd::Cut,
            _ if asked == most => QuestionsEnd::Used,
            None => QuestionsEnd::NothingToAsk,
            Some(word) => {
                let label = if truth.accepts(&word) { Label::Accepted } else { Label::Rejected };
                learner.tell(&[(word, label)])?;
                asked += 1;
                continue;
            }
        };
        return Ok((induced, Questions { asked, end }));
    }
}

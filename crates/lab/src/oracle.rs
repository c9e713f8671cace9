//! A learner that asks, and a language that answers.

use automata::{Dfa, Label};
use induction::SampleError;
use induction::learner::{Induced, LearnError, Learner, Step, StopReason};

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
/// `stopped` is asked between two steps.
pub fn ask(
    learner: &mut Learner,
    truth: &Dfa,
    most: u64,
    stopped: &dyn Fn() -> bool,
) -> Result<(Induced, Questions), AskError> {
    let mut asked = 0;
    loop {
        // Without a question left it goes on until it is done.
        let reason = learn(learner, asked < most, stopped)?;
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

/// Learns until there is a reason to stop, or, if it may ask, a word worth asking about.
pub(crate) fn learn(
    learner: &mut Learner,
    may_ask: bool,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<StopReason>, LearnError> {
    loop {
        if stopped() {
            learner.cut()?;
            return Ok(Some(StopReason::Cut));
        }
        match learner.step()? {
            Step::Done(reason) => return Ok(Some(reason)),
            Step::Turn if may_ask && learner.is_divided() => return Ok(None),
            Step::Turn | Step::Working => {}
        }
    }
}

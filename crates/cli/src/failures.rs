//! Failures that must not cost the answer.

use crate::output;

/// The first failure, which is reported once everything else is done.
#[derive(Default)]
pub(crate) struct Failures(Option<anyhow::Error>);

impl Failures {
    /// Notes the outcome of a part of the work. A closed pipe counts only if nothing else fails.
    pub(crate) fn note(&mut self, outcome: anyhow::Result<()>) {
        if let Err(error) = outcome
            && self.0.as_ref().is_none_or(output::is_broken_pipe)
        {
            self.0 = Some(error);
        }
    }

    /// The outcome of the command: the code of the signal that ended it, else the failure, else this answer.
    pub(crate) fn outcome(self, signal: Option<u8>, answer: crate::Answer) -> anyhow::Result<crate::Answer> {
        match (self.0, signal) {
            (failure, Some(code)) => {
                if let Some(error) = failure.filter(|error| !output::is_broken_pipe(error)) {
                    crate::tell(&format!("{error:#}"));
                }
                Ok(crate::Answer::Interrupted(code))
            }
            (Some(error), None) => Err(error),
            (None, None) => Ok(answer),
        }
    }
}

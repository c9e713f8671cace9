//! Errors about input: one line that says what is wrong and where.

use std::fmt::Display;

/// An error about input. The message is one line that says what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
}

impl Error {
    /// An error with this message.
    pub fn new(message: impl Display) -> Self {
        Self { message: message.to_string() }
    }

    /// The same error with a subject, such as a file or an option, in front.
    #[must_use]
    pub fn of(self, what: impl Display) -> Self {
        Self { message: format!("{what}: {}", self.message) }
    }
}

macro_rules! from {
    ($($error:ty),*) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::new(error)
            }
        })*
    };
}

from!(
    String,
    induction::SampleError,
    induction::learner::LearnError,
    induction::learner::ResumeError,
    induction::strings::StringsError,
    automata::WordError,
    automata::TooManyStates,
    csv::Error,
    std::num::TryFromIntError
);

/// Returns an error with a formatted message.
macro_rules! bail {
    ($($message:tt)*) => {
        return Err($crate::Error::new(format!($($message)*)))
    };
}
pub(crate) use bail;

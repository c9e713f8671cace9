//! Learning regular grammars from words that are in a language and words that are not.
//!
//! This crate is the face of Nerode for Rust programs; the command line, the Python package and the page are built on it.
//!
//! ```
//! let accepted = ["c", "ac", "bc", "cc", "abc", "bac", "acc", "ccc", "aabc", "babcc", "bbbac"];
//! let rejected = ["a", "b", "ca", "cb", "ab", "ba", "aca", "cac", "bcb", "accb", "cca", "abab", "ccca", "acac", "cbc"];
//! let learned = nerode::learn(accepted, rejected)?;
//! assert_eq!(learned.answer.regex.as_deref(), Some("[ab]*c+"));
//! assert!(learned.answer.consistent);
//! # Ok::<(), nerode::Error>(())
//! ```
//!
//! [`learn`] runs a [`Session`] to its end with default [`Options`]. [`Learned`] holds the [`Answer`], which is everything
//! known about the result and serialises to JSON, and the grammar, automata and model themselves.
//!
//! # Tokens
//! A letter need not be a character. Words are lists of names:
//!
//! ```
//! use nerode::{Label, Options, Session, examples};
//!
//! let words = [
//!     (&["login", "logout"][..], Label::Accepted),
//!     (&["login", "read", "logout"], Label::Accepted),
//!     (&["login", "read", "read", "logout"], Label::Accepted),
//!     (&["login"], Label::Rejected),
//!     (&["logout"], Label::Rejected),
//!     (&["login", "read"], Label::Rejected),
//!     (&["read", "logout"], Label::Rejected),
//!     (&["login", "logout", "read"], Label::Rejected),
//!     (&["login", "logout", "logout"], Label::Rejected),
//!     (&["login", "login", "logout"], Label::Rejected),
//!     (&["login", "logout", "login", "logout"], Label::Rejected),
//! ];
//! let mut session = Session::new(&examples::of_tokens(words)?, Options::default(), 1)?;
//! session.run()?;
//! assert_eq!(session.finish()?.answer.regex.as_deref(), Some("<login>(<read>)*<logout>"));
//! # Ok::<(), nerode::Error>(())
//! ```
//!
//! # Questions
//! If the examples leave several answers open, a session asks about words that separate them:
//!
//! ```
//! use nerode::{Event, Label, Options, Session, examples};
//!
//! let examples = examples::of_words(["aa", "b"], ["a", "bb"])?;
//! let mut session = Session::new(&examples, Options { questions: Some(20), ..Options::default() }, 1)?;
//! while let Event::Question(question) = session.run()? {
//!     let is_even = question.word.matches('a').count() % 2 == 0 && question.word.matches('b').count() % 2 == 1;
//!     session.answer(&question.word, if is_even { Label::Accepted } else { Label::Rejected })?;
//! }
//! assert!(session.finish()?.answer.questions > 0);
//! # Ok::<(), nerode::Error>(())
//! ```
//!
//! # Wrong labels
//! With [`Options::noise`], labels may be wrong, and the answer names those that probably are:
//!
//! ```
//! use nerode::{Noise, Options, Session, examples};
//!
//! let word = |bits: u32, length: u32| (0..length).map(|i| if bits >> i & 1 == 1 { 'b' } else { 'a' }).collect::<String>();
//! let words: Vec<String> = (1..=6).flat_map(|length| (0..1 << length).map(move |bits| word(bits, length))).collect();
//! // Words that end with b belong; one label is wrong.
//! let (mut accepted, rejected): (Vec<String>, Vec<String>) = words.into_iter().partition(|word| word.ends_with('b'));
//! accepted.push("babba".to_owned());
//! let rejected: Vec<String> = rejected.into_iter().filter(|word| word != "babba").collect();
//!
//! let options = Options { noise: Noise::Auto, ..Options::default() };
//! let mut session = Session::new(&examples::of_words(&accepted, &rejected)?, options, 1)?;
//! session.run()?;
//! let answer = session.finish()?.answer;
//! assert_eq!(answer.regex.as_deref(), Some("[ab]*b"));
//! assert_eq!(answer.mislabelled[0].word, "babba");
//! # Ok::<(), nerode::Error>(())
//! ```
//!
//! # Progress and cancellation
//! [`Session::step`] works for about 50 ms and returns an [`Event`]. A [`Stop`] ends the session from any thread, with the best
//! answer so far:
//!
//! ```
//! use nerode::{Event, Options, Session, examples};
//!
//! let examples = examples::of_words(["ab", "abab"], ["a", "b", "ba"])?;
//! let mut session = Session::new(&examples, Options::default(), 1)?;
//! let stop = session.stopper();
//! let mut steps = 0;
//! while let Event::Progress(progress) = session.step()? {
//!     steps += 1;
//!     if progress.best.is_some_and(|best| best.errors == 0) {
//!         stop.stop();
//!     }
//! }
//! assert!(steps > 0 && session.finish()?.answer.consistent);
//! # Ok::<(), nerode::Error>(())
//! ```
//!
//! [`Session::save`] saves a session as text; [`Session::resume`] continues to the same answer, byte for byte.

pub mod answer;
mod count;
mod error;
pub mod examples;
mod options;
pub mod parsing;
pub mod pictures;
pub mod policy;
pub mod render;
mod session;
pub mod text;
pub mod training;

pub use answer::{Answer, Certificate, Learned, Proof};
pub use automata;
pub use automata::{Counts, Examples, Label};
pub use count::Count;
pub use error::Error;
pub use induction;
pub use induction::learner::{Engine, Executor, Noise, Recording, Shapes, Stop, StopReason, Threads, Way};
pub use options::{Classes, Options, SCHEMA_VERSION, Side};
pub use session::{Brief, Event, Progress, Question, Session, accepts};

/// Learns from words of characters, with default options, on one thread.
pub fn learn<A: AsRef<str>, R: AsRef<str>>(
    accepted: impl IntoIterator<Item = A>,
    rejected: impl IntoIterator<Item = R>,
) -> Result<Learned, Error> {
    let mut session = Session::new(&examples::of_words(accepted, rejected)?, Options::default(), 1)?;
    session.run()?;
    session.finish()
}

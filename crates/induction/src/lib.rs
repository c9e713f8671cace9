//! Regular grammars, learned from accepted and rejected words.
//!
//! The heart is the model of *A Neural Model for Regular Grammar Induction* (Belcak, Hofer, Wattenhofer 2022): beliefs
//! in productions behind sigmoids, applied along the word, trained from labels alone, then read off as a grammar. The way
//! through the crate:
//!
//! ```text
//!   Sample ──► training ──► Model ──┬──► extraction ──► repair ──┐
//!   (prefix    (kernels)            └──► parse                   ├──► selection ──► certificate ──► Induced
//!    tree) ──► symbolic, search ─────────────────────────────────┘    (bits, one to a language)
//! ```
//!
//! [`learner`] goes the whole way, and [`evidence`] says what speaks for each production of the answer; the example below
//! goes the way of the model alone.
//!
//! ```
//! use automata::{Alphabet, Examples, Label, Regex, determinize};
//! use induction::Sample;
//! use induction::extraction::{Reading, best_threshold};
//! use induction::model::Shape;
//! use induction::training::{Hardware, Settings, train};
//!
//! let alphabet = Alphabet::of_chars("abc");
//! let accepted = ["c", "ac", "bc", "cc", "abc", "bac", "acc", "ccc", "aabc", "babcc", "bbbac"];
//! let rejected = ["a", "b", "ca", "cb", "ab", "ba", "aca", "cac", "bcb", "accb", "cca", "abab", "ccca", "acac", "cbc"];
//! let labelled = accepted.map(|word| (word, Label::Accepted)).into_iter();
//! let labelled = labelled.chain(rejected.map(|word| (word, Label::Rejected)));
//! let rows = labelled.map(|(word, label)| Ok((alphabet.read(word)?, label)));
//! let rows = rows.collect::<Result<Vec<_>, automata::WordError>>()?;
//! let sample = Sample::new(&Examples::of(&alphabet, rows), false)?;
//!
//! // Sixteen restarts side by side, each from another beginning.
//! let settings = Settings { nonterminals: 2, steps: 1_000, ..Settings::practical(Shape::Nfa) };
//! let trained = train(&sample, &settings, Hardware::with_threads(1), &mut ())?;
//! let read = |model| best_threshold(model, &sample, Reading::of(Shape::Nfa));
//! let best = trained.models.iter().map(read).min_by_key(|found| found.errors).expect("there are sixteen");
//! assert_eq!(best.errors, 0);
//! let dfa = determinize(&best.grammar.to_nfa(), 1000)?;
//! assert_eq!(Regex::from_dfa(&dfa)?.to_string(), "[ab]*c+");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! - The same sample and settings give the same bits, on every instruction set and with any number of threads (prefixes
//!   being shared, as they are except to measure what that gains).
//! - It never prints, and reads neither clock nor environment.
//! - `model` is the scalar reference, for reading and for checking; `kernels` is the fast form, checked against it. There
//!   is no `unsafe` in either: the vectors come from `fearless_simd`, whose types prove that the machine has what they need.

mod bits;
pub mod certificate;
pub mod confidence;
pub mod description;
pub mod evidence;
pub mod extraction;
mod kernels;
pub mod learner;
mod lists;
pub mod model;
pub mod parse;
pub mod proof;
mod random;
mod repair;
mod replay;
mod sample;
pub mod search;
pub mod selection;
pub mod strings;
pub mod symbolic;
mod tensors;
pub mod training;
mod work;

pub use certificate::{Certificate, certify};
pub use kernels::{InstructionSet, LANES};
pub use replay::errors;
pub use sample::{Entry, Sample, SampleError};

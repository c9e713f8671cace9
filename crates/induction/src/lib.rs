//! Learning regular grammars from accepted and rejected words.
//!
//! At the centre is the model of *A Neural Model for Regular Grammar Induction* (Belcak, Hofer, Wattenhofer 2022): beliefs
//! in productions, behind sigmoids, are applied along the word, trained from labels alone, and then read off as a grammar.
//! How the modules fit together:
//!
//! ```text
//!   Sample ──► training ──► Model ──┬──► extraction ──► repair ──┐
//!   (prefix    (kernels)            └──► parse                   ├──► selection ──► certificate ──► Induced
//!    tree) ──► symbolic, search ─────────────────────────────────┘    (bits, one to a language)
//! ```
//!
//! [`learner`] runs all of this, and [`evidence`] gives the evidence for each production of the answer. This example
//! uses the model alone:
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
//! // Sixteen restarts in parallel, each from a different random start.
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
//! - The same sample and settings give the same bits on every instruction set and with any number of threads, as long as
//!   prefixes are shared (sharing is switched off only to measure its benefit).
//! - It never prints, and reads neither clock nor environment.
//! - `model` is the readable scalar reference; `kernels` is the fast implementation, checked against it. Neither has
//!   `unsafe`: the vectors come from `fearless_simd`, whose types prove that the machine supports them.

mod bits;
pub mod certificate;
pub mod confidence;
pub mod evidence;
pub mod extraction;
mod facts;
mod kernels;
pub mod learner;
mod letter_order;
mod lists;
pub mod measure;
pub mod model;
pub mod parse;
pub mod proof;
pub mod random;
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
pub use kernels::InstructionSet;
pub use replay::errors;
pub use sample::{Entry, Sample, SampleError};

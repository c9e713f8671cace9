//! Annealed search for small deterministic automata that agree with labelled words.
//!
//! Gradients and state merging need words whose prefixes are informative. If nearly all words are long, or there are
//! few, and the language is dense (parity, random automata), only whole automata can be judged. So this search changes
//! whole automata, one transition at a time. A state accepts if most of the examples that end in it are accepted, and
//! the cost of an automaton is its number of errors. The modules:
//!
//! ```text
//!   Sample ──► tree ──► candidate ──► price ──► rung ──► tempering ──► sizes
//!              steps,   a table and   all       a walker  walkers       Minimising:
//!              depth    every node's  targets   at one    exchange:     the smallest
//!              first    state         at once   temper-   Search        size
//!                                               ature
//! ```
//!
//! - **All targets at once.** Only the subtrees below the nodes that use a transition are walked again, for all possible
//!   targets of the transition at once, one byte of a vector each (`price`). One core visits about 110 million nodes per
//!   second, each for up to 32 automata, or 60 million, each for 64.
//! - **Heat baths.** A move draws among all targets except the current one, with weights exp(−errors / T).
//! - **Spare states borrow.** A state that no word leaves takes over the transitions of another state, so that one more
//!   move splits a state in two. This repairs automata in which two states were wrongly merged (`rung`).
//! - **Temperatures** grow with the square root of the number of examples per state, from 0.08 to 0.26 times that: around
//!   0.2 walkers explore, at colder temperatures they finish. Work is shared in proportion to the square of the
//!   temperature, since exploring takes longer than finishing.
//! - **Grammars, too.** A small grammar need not have a small automaton: `productions` searches over grammars.
//! - **From above.** A search for more states than needed is as quick as one for the right number (`sizes`).
//!
//! Random minimal automata with k states over two letters, from W distinct words per state, with unknown size and no
//! seed, on two shared cores. The table shows how many of ten were found with at most k states within 6·10⁹ visits, the
//! median and maximum visits of those found, in millions, and the median time in seconds. Lengths are even over 3 to
//! 15, or words are uniform over all up to length 15, so that nearly all are long.
//!
//! | k, W | even | median, most | seconds | uniform | median, most | seconds |
//! |---|---|---|---|---|---|---|
//! | 10, 50 | 10 | < 1, 2 | < 0.05 | – | | |
//! | 16, 50 | 10 | 2, 4 | < 0.05 | – | | |
//! | 20, 50 | 10 | 3, 60 | < 0.05 | 10 | 29, 195 | 0.3 |
//! | 30, 50 | 10 | 31, 167 | 0.3 | 10 | 112, 1,824 | 1.4 |
//! | 50, 50 | 9 | 45, 2,231 | 1.0 | – | | |
//! | 20, 25 | 10 | 2, 10 | < 0.05 | 10 | 99, 2,350 | 1.7 |
//! | 30, 25 | 10 | 14, 157 | 0.2 | – | | |
//! | 16, 12 | 10 | 2, 27 | < 0.05 | 7 | 450, 1,564 | 10 |
//!
//! The misses: one answer with 51 states instead of 50, and three with twelve long words per state that 6·10⁹ visits
//! did not find.
//!
//! The same sample, settings and seed give the same answer with any number of threads and on every instruction set. The
//! unit of work is a node visit, so budgets do not depend on the clock.
//!
//! ```
//! use automata::{Alphabet, Examples, Label, Regex};
//! use induction::Sample;
//! use induction::search::{Minimising, Settings};
//!
//! // An even number of a's and an odd number of b's: every word of up to six letters.
//! let alphabet = Alphabet::of_chars("ab");
//! let truth = Regex::parse("(aa|bb|(ab|ba)(aa|bb)*(ab|ba))*(b|(ab|ba)(aa|bb)*a)", &alphabet)?.to_dfa()?;
//! let words = (0..64).flat_map(|bits: u32| (1..=6).map(move |length| (bits, length)));
//! let words = words.map(|(bits, length)| (0..length).map(|i| if bits >> i & 1 == 1 { 'a' } else { 'b' }).collect());
//! let rows = words.map(|word: String| {
//!     let word = alphabet.read(&word)?;
//!     let label = Label::from(truth.accepts(&word));
//!     Ok((word, label))
//! });
//! let rows = rows.collect::<Result<Vec<_>, automata::WordError>>()?;
//! let sample = Sample::new(&Examples::of(&alphabet, rows), false)?;
//!
//! let mut search = Minimising::new(&sample, Settings::default(), 1, &[])?;
//! let _ = search.advance(2_000_000);
//! assert_eq!(search.progress().found, Some(4));
//! assert_eq!(search.best(), (automata::minimize(&truth), 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod candidate;
mod checkpoint;
mod price;
pub(crate) mod productions;
mod rung;
mod seeds;
mod settings;
mod sizes;
mod tempering;
#[cfg(test)]
mod tests;
mod tree;

pub use checkpoint::{Checkpoint, MinimisingCheckpoint};
pub use price::MOST_STATES;
pub use settings::{SearchError, Settings};
pub(crate) use sizes::BITS_PER_WORD;
pub use sizes::{Minimising, Progress};
pub use tempering::{MOST_RIVALS, Search};

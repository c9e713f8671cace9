//! Subregular languages in the style of MLRegTest (van der Poel et al., 2024): the classes between the finite and the
//! regular languages that are defined by what one has to look at in a word.
//!
//! ```text
//!   recipe ──► draw ──► Formula over Facts ──► product of small automata ──► minimal Dfa
//!   (class,    (until the words show           (what has been read of
//!    sizes)     what the formula says)          each pattern)
//! ```
//!
//! A language is named after the class whose facts its formula uses. It may be in a smaller class by chance.

mod draw;
mod facts;
mod formula;
mod product;
mod recipe;
mod suite;

use std::ops::RangeInclusive;

use automata::Alphabet;

pub use draw::{Subregular, draw};
pub use facts::{Fact, Pattern};
pub use formula::{Formula, Rule};
pub use recipe::{Class, Form, Recipe};
pub use suite::recipes;

/// The lengths of words to learn from and to be tested on.
pub const LENGTHS: RangeInclusive<usize> = 20..=29;

/// The alphabet: `a` to `z`, `A` to `Z`, then digits, `+` and `/`, so that each of up to 64 letters is one character.
#[must_use]
pub fn letters(count: usize) -> Alphabet {
    let characters = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("+/".chars());
    Alphabet::of_chars(&characters.take(count).collect::<String>())
}

//! The accepted words closest to a given word.
//!
//! A word is corrected by inserting, deleting and replacing letters, each at a cost of one. The state of a partial
//! correction is a *cell*: the number of letters of the word consumed so far, and the state of the automaton after the
//! corrected prefix. Reaching a cell costs a number of edits. Cells are visited layer by layer in the order of that
//! number, and the search stops at the layer in which the whole word has been consumed in an accepting state: the
//! distance. A word with few mistakes is close to few cells, whatever its length.
//!
//! Then the cells on cheapest paths are selected, from the last layer backwards. All paths through them are
//! corrections, without dead ends, so the corrected words can be listed in order without a search.

mod grid;
mod listing;
mod ways;

use std::ops::Deref;

use grid::Grid;
use listing::Listing;
use ways::Ways;

use crate::Word;
use crate::alphabet::{Alphabet, WordError};
use crate::dfa::Dfa;
use crate::ids::Letter;

/// Maximum number of cells: letters plus one, times states. Each takes four bytes, and up to twenty more if it is on a
/// cheapest path.
const MOST_CELLS: usize = 1 << 26;

/// Up to this distance, words of all lengths are listed; beyond it, only the shortest ones.
const FARTHEST_LISTED: usize = 63;

/// A word as typed by a user: some letters may not be in the alphabet.
///
/// ```
/// use automata::{Alphabet, Typed};
/// let typed = Typed::read("abx", &Alphabet::of_chars("ab"))?;
/// assert_eq!(typed.iter().map(|letter| letter.is_some()).collect::<Vec<_>>(), [true, true, false]);
/// # Ok::<(), automata::WordError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed(Vec<Option<Letter>>);

impl Typed {
    /// The word that `text` spells, as [`Alphabet::read`] reads it, with unknown letters. Fails only if a quoted letter
    /// is not closed.
    pub fn read(text: &str, alphabet: &Alphabet) -> Result<Self, WordError> {
        let pieces = alphabet.spelling().split(text)?;
        Ok(Self(pieces.iter().map(|piece| alphabet.letter_for(piece)).collect()))
    }
}

impl Deref for Typed {
    type Target = [Option<Letter>];
    fn deref(&self) -> &[Option<Letter>] {
        &self.0
    }
}

impl From<&[Letter]> for Typed {
    fn from(word: &[Letter]) -> Self {
        word.iter().copied().map(Some).collect()
    }
}

impl FromIterator<Option<Letter>> for Typed {
    fn from_iter<I: IntoIterator<Item = Option<Letter>>>(letters: I) -> Self {
        Self(letters.into_iter().collect())
    }
}

/// One step of a correction. Every step but an insertion consumes one typed letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// Keeps the letter.
    Keep(Letter),
    /// Inserts this letter.
    Insert(Letter),
    /// Deletes the letter.
    Delete,
    /// Replaces the letter by this one.
    Replace(Letter),
}

impl Edit {
    /// The letter of the corrected word, unless it is a deletion.
    #[must_use]
    pub fn letter(self) -> Option<Letter> {
        match self {
            Edit::Keep(letter) | Edit::Insert(letter) | Edit::Replace(letter) => Some(letter),
            Edit::Delete => None,
        }
    }
}

/// An accepted word, with the edits that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The word.
    pub word: Word,
    /// From the first letter to the last; the number of edits other than [`Edit::Keep`] is the distance.
    pub edits: Vec<Edit>,
}

/// The accepted words at the smallest distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The number of letters to insert, delete or replace: zero if the word is accepted.
    pub distance: usize,
    /// The words in canonical order, shorter words first.
    pub corrections: Vec<Correction>,
    /// Whether these are all of them.
    pub all: bool,
}

/// The word and the automaton are too large to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a word of {letters} letters and an automaton of {states} states need more than the limit of {MOST_CELLS} cells"
)]
pub struct TooManyCells {
    /// The length of the word.
    pub letters: usize,
    /// The number of states that accepted words visit.
    pub states: usize,
}

/// The accepted words closest to `typed`, at most `most` of them; `None` if no word is accepted.
///
/// Beyond a distance of 63 only the shortest words are listed. The word may have ten thousand letters and the automaton
/// thousands of states; if their product exceeds 2²⁶, the function fails.
///
/// ```
/// use automata::{Alphabet, Regex, Typed, nearest};
/// let abc = Alphabet::of_chars("abc");
/// let dfa = Regex::parse("[ab]*c+", &abc)?.to_dfa()?;
/// let nearest = nearest(&dfa, &Typed::read("acxb", &abc)?, 10)?.expect("some word is accepted");
/// let words: Vec<String> = nearest.corrections.iter().map(|correction| abc.write(&correction.word)).collect();
/// assert_eq!(nearest.distance, 2);
/// assert_eq!(words, ["ac", "acc", "accc"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nearest(dfa: &Dfa, typed: &Typed, most: usize) -> Result<Option<Nearest>, TooManyCells> {
    let dfa = dfa.trimmed();
    if dfa.is_empty_language() {
        return Ok(None);
    }
    let (letters, states) = (typed.len(), dfa.len());
    if letters.checked_add(1).and_then(|rows| rows.checked_mul(states)).is_none_or(|cells| cells > MOST_CELLS) {
        return Err(TooManyCells { letters, states });
    }
    let grid = Grid::new(&dfa, typed);
    let ways = Ways::new(&grid, grid.reach());
    let (corrections, all) = Listing { grid: &grid, ways: &ways }.list(most);
    Ok(Some(Nearest { distance: ways.distance, corrections, all }))
}

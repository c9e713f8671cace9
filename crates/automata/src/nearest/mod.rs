//! The accepted words that are nearest to what somebody typed.
//!
//! To correct a word, letters are inserted, deleted and replaced, each at the price of one. What has been done so far
//! comes down to two things: how many letters of the word have been dealt with, and the state that the corrected word
//! has led to. Such a *cell* costs a number of edits to reach. Cells are visited in the order of that number, from
//! layer to layer, and the search stops at the layer in which the whole word has been dealt with in an accepting state:
//! the distance. A word with few mistakes is near few cells, whatever its length.
//!
//! Then the cells on cheapest ways are picked out, from the last layer back. All their ways are corrections, none is a
//! dead end, so that the corrected words are listed in order without a search.

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

/// Most cells that may have to be told apart: letters and one, times states. Each takes four bytes, and up to twenty more
/// if it is on a cheapest way.
const MOST_CELLS: usize = 1 << 26;

/// Up to this distance, words of all lengths are listed; beyond it only the shortest ones.
const FARTHEST_LISTED: usize = 63;

/// A word as somebody typed it: some letters may be unknown to the alphabet.
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
    /// What `text` spells, as [`Alphabet::read`] reads it, unknown letters included. Fails only where a quoted letter
    /// does not end.
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

/// One step of a correction. All but an insertion deal with one letter of what was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// The letter stays.
    Keep(Letter),
    /// This letter is put in.
    Insert(Letter),
    /// The letter is left out.
    Delete,
    /// This letter stands in its place.
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

/// An accepted word, and how to come to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The word.
    pub word: Word,
    /// From the first letter to the last; as many as the distance are no [`Edit::Keep`].
    pub edits: Vec<Edit>,
}

/// The accepted words of the smallest distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// How many letters have to be inserted, deleted or replaced: none when the word is accepted.
    pub distance: usize,
    /// The words in canonical order: shorter ones first.
    pub corrections: Vec<Correction>,
    /// Whether these are all of them.
    pub all: bool,
}

/// The word and the automaton are too large to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a word of {letters} letters and an automaton of {states} states make more than {MOST_CELLS} cells")]
pub struct TooManyCells {
    /// How long the word is.
    pub letters: usize,
    /// How many states accepted words visit.
    pub states: usize,
}

/// The accepted words that are nearest to `typed`, at most `most` of them; none when no word is accepted.
///
/// Beyond a distance of 63 only words of the smallest length are listed. The word may have ten thousand letters and the
/// automaton thousands of states: where their product is more than 2²⁶, the word is refused.
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

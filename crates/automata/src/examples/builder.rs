//! Examples whose letters are met one by one.
//!
//! An alphabet is sorted, so the final number of a letter is known only when all letters are. Until then letters are
//! numbered in order of appearance; at the end the words are renumbered in place.

use hashbrown::HashMap;

use super::counted::CountedWords;
use super::{Examples, Label};
use crate::alphabet::{Alphabet, WordError};
use crate::ids::Letter;

/// Collects examples whose letters are not known beforehand.
///
/// ```
/// use automata::{ExamplesBuilder, Label};
///
/// let mut builder = ExamplesBuilder::default();
/// let word = ["read", "login"].map(|name| builder.letter(name));
/// builder.add(&word, Label::Rejected);
/// let (examples, letters) = builder.build()?;
/// assert_eq!(examples.alphabet().names(), ["login", "read"]);
/// assert_eq!(examples.alphabet().name(letters[word[0].index()]), "read");
/// # Ok::<(), automata::WordError>(())
/// ```
#[derive(Default)]
pub struct ExamplesBuilder {
    letters: Letters,
    words: CountedWords,
}

impl ExamplesBuilder {
    /// The provisional number of the letter with this name.
    pub fn letter(&mut self, name: &str) -> Letter {
        self.letters.number(name)
    }

    /// Adds a word of provisional letters and returns its number.
    ///
    /// # Panics
    /// If a letter does not come from [`ExamplesBuilder::letter`].
    pub fn add(&mut self, word: &[Letter], label: Label) -> usize {
        let letters = self.letters.names.len();
        assert!(word.iter().all(|letter| letter.index() < letters), "a letter has no name");
        self.words.add(word, label)
    }

    /// The examples over the sorted alphabet of all letters, and the final letter for each provisional one. An error if
    /// a letter has an empty name.
    pub fn build(self) -> Result<(Examples, Vec<Letter>), WordError> {
        let Self { letters: Letters { names, .. }, mut words } = self;
        let alphabet = Alphabet::new(names.iter().map(String::as_str))?;
        let letters: Vec<Letter> = names.iter().map(|name| alphabet.find(name).expect("it was just put in")).collect();
        words.rename(&letters);
        words.shrink_to_fit();
        Ok((Examples { alphabet, words }, letters))
    }
}

/// Letters numbered in order of appearance.
struct Letters {
    names: Vec<String>,
    numbers: HashMap<String, Letter>,
    /// The numbers of ASCII characters, which most letters are: they need no hashing.
    ascii: [Option<Letter>; 128],
}

impl Default for Letters {
    fn default() -> Self {
        Self { names: Vec::new(), numbers: HashMap::new(), ascii: [None; 128] }
    }
}

impl Letters {
    fn number(&mut self, name: &str) -> Letter {
        let ascii = match *name.as_bytes() {
            [byte] => Some(usize::from(byte)),
            _ => None,
        };
        if let Some(letter) = ascii.and_then(|byte| self.ascii[byte]) {
            return letter;
        }
        if let Some(&letter) = self.numbers.get(name) {
            return letter;
        }
        let letter = Letter::new(self.names.len());
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), letter);
        if let Some(byte) = ascii {
            self.ascii[byte] = Some(letter);
        }
        letter
    }
}

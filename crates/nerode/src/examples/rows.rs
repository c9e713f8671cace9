//! Words gathered row by row, whatever the format.
//!
//! A sample can be large, so a letter is looked up and never kept as a string of its own: it is numbered when it is
//! first met, and at the end, when all are known, renumbered in place by the order of the alphabet.

use automata::formats::{Examples, Label};
use automata::{Alphabet, Letter, Word};
use hashbrown::HashMap;

use super::letters::Cut;
use super::places::Places;

/// The rows so far.
pub(super) struct Rows {
    rows: Vec<(Vec<Letter>, Label)>,
    pub(super) places: Places,
    /// Blank lines that were skipped.
    pub(super) blank: usize,
    letters: Letters,
    /// The rows that were asked about.
    asked: Vec<bool>,
    /// The word that is being read: kept to be copied at its own length, with no room to spare.
    word: Vec<Letter>,
}

impl Rows {
    pub(super) fn new() -> Self {
        Self {
            rows: Vec::new(),
            places: Places::default(),
            blank: 0,
            letters: Letters::new(),
            asked: Vec::new(),
            word: Vec::new(),
        }
    }

    /// A row whose word is cut into letters.
    pub(super) fn push(&mut self, word: &[u8], cut: &Cut, label: Label, line: usize) -> Result<(), String> {
        self.word.clear();
        cut.each(word, |name| self.word.push(self.letters.number(name)))?;
        self.end_row(label, line);
        Ok(())
    }

    /// A row whose letters are given by name.
    pub(super) fn push_names<'a>(
        &mut self,
        names: impl IntoIterator<Item = &'a str>,
        cut: &Cut,
        label: Label,
        line: usize,
    ) -> Result<(), String> {
        self.word.clear();
        for name in names {
            cut.check_name(name)?;
            self.word.push(self.letters.number(name));
        }
        self.end_row(label, line);
        Ok(())
    }

    fn end_row(&mut self, label: Label, line: usize) {
        self.rows.push((self.word.as_slice().to_vec(), label));
        self.places.push(line);
    }

    /// The row read last was an answer to a question.
    pub(super) fn was_asked(&mut self) {
        self.asked.resize(self.rows.len(), false);
        if let Some(last) = self.asked.last_mut() {
            *last = true;
        }
    }

    /// The examples over the sorted alphabet of their letters, where each was read, and the answers to questions.
    pub(super) fn finish(mut self) -> (Examples, Places, Vec<(Word, Label)>) {
        self.asked.resize(self.rows.len(), false);
        let names = self.letters.names;
        let alphabet = Alphabet::new(names.iter().map(String::as_str)).expect("no letter without a name was taken");
        let ranks: Vec<Letter> = names.iter().map(|name| alphabet.find(name).expect("it was just put in")).collect();
        let sorted = |(mut word, label): (Vec<Letter>, Label)| {
            word.iter_mut().for_each(|letter| *letter = ranks[letter.index()]);
            (Word::from(word), label)
        };
        let mut answers = Vec::new();
        let mut rows = Vec::new();
        let mut places = self.places.emptied();
        for (i, row) in self.rows.into_iter().map(sorted).enumerate() {
            match self.asked[i] {
                true => answers.push(row),
                false => {
                    places.copy(&self.places, i);
                    rows.push(row);
                }
            }
        }
        (Examples { alphabet, rows }, places, answers)
    }
}

/// Letters numbered in the order in which they are first met.
struct Letters {
    names: Vec<String>,
    numbers: HashMap<String, Letter>,
    /// The same numbers for what most letters are, so that they need no hashing.
    ascii: [Option<Letter>; 128],
}

impl Letters {
    fn new() -> Self {
        Self { names: Vec::new(), numbers: HashMap::new(), ascii: [None; 128] }
    }

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

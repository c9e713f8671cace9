//! The store behind [`Examples`](super::Examples): distinct words, numbered in order of first appearance.
//!
//! A sample can have a million words, so a word is stored once: the letters of all words are one list, and the hash
//! table that finds a word holds only numbers. The table exists while words are added, and is built again when words are
//! added later.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Counts, Label};
use crate::ids::Letter;

#[derive(Clone, Default)]
pub(super) struct CountedWords {
    /// The letters of all words, one word after the other.
    text: Vec<Letter>,
    /// Where each word ends.
    ends: Vec<usize>,
    counts: Vec<Counts>,
    /// The numbers of all words, or of none.
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl CountedWords {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn word(&self, number: usize) -> &[Letter] {
        word(&self.text, &self.ends, number)
    }

    pub(super) fn counts(&self, number: usize) -> Counts {
        self.counts[number]
    }

    /// Adds a word and returns its number.
    pub(super) fn add(&mut self, new: &[Letter], label: Label) -> usize {
        if self.index.len() < self.len() {
            self.build_index();
        }
        let Self { text, ends, counts, index, hasher } = self;
        let hash = hasher.hash_one(new);
        if let Some(&known) = index.find(hash, |&known| word(text, ends, known as usize) == new) {
            let known = known as usize;
            counts[known] = counts[known].and(label.into());
            return known;
        }
        let number = ends.len();
        text.extend_from_slice(new);
        ends.push(text.len());
        counts.push(label.into());
        index.insert_unique(hash, numbered(number), |&other| hasher.hash_one(word(text, ends, other as usize)));
        number
    }

    fn build_index(&mut self) {
        let Self { text, ends, index, hasher, .. } = self;
        let hash = |number: u32| hasher.hash_one(word(text, ends, number as usize));
        *index = HashTable::with_capacity(ends.len());
        for number in (0..ends.len()).map(numbered) {
            index.insert_unique(hash(number), number, |&other| hash(other));
        }
    }

    /// Replaces letter `i` by `letters[i]`. Different letters must stay different, so that words do.
    pub(super) fn rename(&mut self, letters: &[Letter]) {
        self.text.iter_mut().for_each(|letter| *letter = letters[letter.index()]);
        self.index = HashTable::new();
    }

    /// Releases the memory that is needed only to add words.
    pub(super) fn shrink_to_fit(&mut self) {
        self.index = HashTable::new();
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.counts.shrink_to_fit();
    }
}

/// Where words end and how often they were seen: the index follows from them.
impl PartialEq for CountedWords {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.ends, &self.counts) == (&other.text, &other.ends, &other.counts)
    }
}

impl Eq for CountedWords {}

fn word<'a>(text: &'a [Letter], ends: &[usize], number: usize) -> &'a [Letter] {
    let begin = if number == 0 { 0 } else { ends[number - 1] };
    &text[begin..ends[number]]
}

fn numbered(number: usize) -> u32 {
    // More would take hundreds of gigabytes.
    u32::try_from(number).expect("fewer than 2³² words")
}

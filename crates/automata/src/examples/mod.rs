//! Labelled words: what a language is learned from.
//!
//! [`Examples`] holds each word once, with the number of times that each label was seen. [`ExamplesBuilder`] collects
//! words whose letters are not known beforehand.

mod builder;
mod counted;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use crate::alphabet::Alphabet;
use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};

pub use builder::ExamplesBuilder;
use counted::CountedWords;

/// The label of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// In the language.
    Accepted,
    /// Not in the language.
    Rejected,
    /// Unknown.
    Unlabelled,
}

impl Label {
    /// All labels, in order.
    pub const ALL: [Self; 3] = [Label::Accepted, Label::Rejected, Label::Unlabelled];
}

/// The label of a word that is in the language or not.
impl From<bool> for Label {
    fn from(accepted: bool) -> Self {
        if accepted { Label::Accepted } else { Label::Rejected }
    }
}

/// How often a word was seen with each label. Counts stop at 2³² − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Times labelled as in the language.
    pub accepted: u32,
    /// Times labelled as not in the language.
    pub rejected: u32,
    /// Times without a label.
    pub unlabelled: u32,
}

impl Counts {
    /// How often this label was seen.
    #[must_use]
    pub fn of(self, label: Label) -> u32 {
        match label {
            Label::Accepted => self.accepted,
            Label::Rejected => self.rejected,
            Label::Unlabelled => self.unlabelled,
        }
    }

    /// How often the word was labelled either way.
    #[must_use]
    pub fn labelled(self) -> u64 {
        u64::from(self.accepted) + u64::from(self.rejected)
    }

    /// Whether the word was labelled both ways.
    #[must_use]
    pub fn is_contradiction(self) -> bool {
        self.accepted > 0 && self.rejected > 0
    }

    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            accepted: self.accepted.saturating_add(other.accepted),
            rejected: self.rejected.saturating_add(other.rejected),
            unlabelled: self.unlabelled.saturating_add(other.unlabelled),
        }
    }
}

/// A word seen once, with this label.
impl From<Label> for Counts {
    fn from(label: Label) -> Self {
        let mut counts = Self::default();
        match label {
            Label::Accepted => counts.accepted = 1,
            Label::Rejected => counts.rejected = 1,
            Label::Unlabelled => counts.unlabelled = 1,
        }
        counts
    }
}

/// Distinct words in order of first appearance, each with the number of times that each label was seen.
///
/// ```
/// use automata::{Alphabet, Counts, Examples, Label};
///
/// let alphabet = Alphabet::of_chars("ab");
/// let mut examples = Examples::new(&alphabet);
/// examples.add(&alphabet.read("ab")?, Label::Accepted);
/// examples.add(&alphabet.read("b")?, Label::Rejected);
/// examples.add(&alphabet.read("ab")?, Label::Accepted);
/// assert_eq!(examples.len(), 2);
/// assert_eq!(examples.counts(0), Counts { accepted: 2, ..Counts::default() });
/// # Ok::<(), automata::WordError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Examples {
    alphabet: Alphabet,
    words: CountedWords,
}

impl Examples {
    /// No examples, over these letters.
    #[must_use]
    pub fn new(alphabet: &Alphabet) -> Self {
        Self { alphabet: alphabet.clone(), words: CountedWords::default() }
    }

    /// The examples of these rows.
    ///
    /// # Panics
    /// If a word has a letter that is not in the alphabet.
    #[must_use]
    pub fn of<W: Deref<Target = [Letter]>>(alphabet: &Alphabet, rows: impl IntoIterator<Item = (W, Label)>) -> Self {
        let mut examples = Self::new(alphabet);
        examples.extend(rows);
        examples.shrink_to_fit();
        examples
    }

    /// Adds a word and returns its number.
    ///
    /// # Panics
    /// If the word has a letter that is not in the alphabet.
    pub fn add(&mut self, word: &[Letter], label: Label) -> usize {
        let letters = self.alphabet.len();
        assert!(word.iter().all(|letter| letter.index() < letters), "a letter is not in the alphabet");
        self.words.add(word, label)
    }

    /// Releases the memory that is needed only to add words. Words can still be added.
    pub fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of distinct words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word with this number.
    ///
    /// # Panics
    /// If there are not so many words.
    #[must_use]
    pub fn word(&self, number: usize) -> &[Letter] {
        self.words.word(number)
    }

    /// The labels of the word with this number.
    ///
    /// # Panics
    /// If there are not so many words.
    #[must_use]
    pub fn counts(&self, number: usize) -> Counts {
        self.words.counts(number)
    }

    /// The distinct words with their labels.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[Letter], Counts)> + Clone {
        (0..self.len()).map(|number| (self.word(number), self.counts(number)))
    }

    /// Each word as often as it was seen, in order of first appearance: accepted, then rejected, then unlabelled.
    pub fn rows(&self) -> impl Iterator<Item = (&[Letter], Label)> {
        self.iter().flat_map(|(word, counts)| {
            let times = move |label| std::iter::repeat_n((word, label), counts.of(label) as usize);
            Label::ALL.into_iter().flat_map(times)
        })
    }

    /// How often this label was seen, over all words.
    #[must_use]
    pub fn total(&self, label: Label) -> u64 {
        self.iter().map(|(_, counts)| u64::from(counts.of(label))).sum()
    }

    /// The same words over a larger alphabet. A class that becomes several letters is mapped to the letter of the
    /// character it is written as.
    ///
    /// # Panics
    /// If `larger` lacks a letter.
    #[must_use]
    pub fn over(&self, larger: &Alphabet) -> Self {
        let letters = self.alphabet.embedding(larger);
        let letter = |letter: Letter| match letters.of(letter) {
            [only] => *only,
            several => {
                let text = self.alphabet.write(&[letter]);
                larger.letter_for(&text).unwrap_or(several[0])
            }
        };
        let letters: Vec<Letter> = self.alphabet.letters().map(letter).collect();
        let mut words = self.words.clone();
        words.rename(&letters);
        Self { alphabet: larger.clone(), words }
    }

    /// The automaton that accepts exactly the accepted words: a tree of their prefixes.
    #[must_use]
    pub fn prefix_tree(&self) -> Nfa {
        let mut builder = NfaBuilder::with_states(self.alphabet.clone(), 1);
        let root = StateId::new(0);
        builder.initial(root);
        let mut children: BTreeMap<(StateId, Letter), StateId> = BTreeMap::new();
        for (word, _) in self.iter().filter(|(_, counts)| counts.accepted > 0) {
            let mut state = root;
            for &letter in word {
                state = *children.entry((state, letter)).or_insert_with(|| {
                    let next = builder.state();
                    builder.edge(state, letter, next);
                    next
                });
            }
            builder.accepting(state);
        }
        builder.build()
    }
}

impl<W: Deref<Target = [Letter]>> Extend<(W, Label)> for Examples {
    fn extend<I: IntoIterator<Item = (W, Label)>>(&mut self, rows: I) {
        rows.into_iter().for_each(|(word, label)| {
            self.add(&word, label);
        });
    }
}

/// The words as text, with their labels.
impl fmt::Debug for Examples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(word, counts)| (self.alphabet.show(word), counts))).finish()
    }
}

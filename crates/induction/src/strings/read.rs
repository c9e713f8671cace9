//! Strings read off a sample.

use std::cmp::Ordering;
use std::collections::HashSet;

use automata::{Class, Letter, Spelling};
use serde::{Deserialize, Serialize};

use super::StringsError;
use super::find::Strings;
use super::letters::Letters;
use crate::sample::Sample;

/// How strings are read off a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// The classes to use instead of the usual ones, such as `[0-9]`.
    pub(crate) classes: Option<Vec<String>>,
    /// Whether a word may have both labels; then the more frequent one counts.
    pub(crate) noisy: bool,
    /// Whether the words of the sample are written backwards.
    pub(crate) reversed: bool,
    /// Words that were asked about.
    pub(crate) told: Vec<Vec<u8>>,
}

impl Reading {
    /// The strings of a sample.
    pub(crate) fn strings(&self, sample: &Sample) -> Result<Strings, StringsError> {
        let alphabet = sample.alphabet();
        let of_tokens = alphabet.spelling() == Spelling::Tokens;
        if alphabet.spelling() != Spelling::Chars && !(of_tokens && self.classes.is_none()) {
            return Err(StringsError::NotCharacters);
        }
        let class = |text: &String| Class::parse(text).ok_or_else(|| StringsError::NoClass(text.clone()));
        let classes: Option<Vec<Class>> =
            self.classes.as_ref().map(|classes| classes.iter().map(class).collect()).transpose()?;
        let letters = Letters::of(sample, classes.as_deref());
        let letters = letters.ok_or(StringsError::TooManyCharacters(alphabet.len()))?;
        let told: HashSet<&[u8]> = self.told.iter().map(|word| &word[..]).collect();
        let mut strings = Strings { letters, accepted: Vec::new(), told: Vec::new(), rejected: Vec::new() };
        let empty = (&[][..], sample.empty_word());
        for (word, counts) in std::iter::once(empty).chain(sample.rows().filter(|(word, _)| !word.is_empty())) {
            if counts.accepted > 0 && counts.rejected > 0 && !self.noisy {
                return Err(StringsError::Contradiction(alphabet.show(word)));
            }
            let text = self.encode(&strings.letters, word);
            // The more frequent label counts, and neither if both are equally frequent.
            match counts.accepted.cmp(&counts.rejected) {
                Ordering::Greater if told.contains(&text[..]) => strings.told.push(text),
                Ordering::Greater => strings.accepted.push(text),
                Ordering::Less => strings.rejected.push(text),
                Ordering::Equal => {}
            }
        }
        // Tokens that share a character cannot be told apart.
        let rejected: HashSet<&[u8]> = strings.rejected.iter().map(|word| &word[..]).collect();
        if let Some(word) = strings.accepted.iter().find(|word| rejected.contains(&word[..])) {
            let shown = sample.rows().find(|(other, _)| self.encode(&strings.letters, other) == *word);
            return Err(StringsError::SameShapes(shown.map_or_else(String::new, |(word, _)| alphabet.show(word))));
        }
        Ok(strings)
    }

    /// A word of the sample as numbers of characters, as it is written.
    pub(super) fn encode(&self, letters: &Letters, word: &[Letter]) -> Vec<u8> {
        let mut text = letters.encode(word);
        if self.reversed {
            text.reverse();
        }
        text
    }
}

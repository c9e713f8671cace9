//! The examples replayed, one word at a time: what `consistent` means.
//!
//! Every engine here has a fast way of knowing what it gets wrong: prefix trees, sets of bits, counts kept up to date.
//! Each could be mistaken. So the answer that is given out is asked once more, plainly: every word of the sample is
//! read from its first letter to its last through the automaton's own transitions, and what the automaton says is
//! compared with what was said of the word. Nothing of the engines is used, so none of their mistakes is shared.

use automata::{Counts, Dfa, Letter, Word};

use crate::sample::Sample;

/// How many wrong words a certificate names.
pub const NAMED: usize = 10;

/// What an automaton says of all examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// How many examples there are: each word as often as it was labelled, the empty word included.
    pub examples: u64,
    /// How many of them the automaton gets wrong.
    pub wrong: u64,
    /// The first wrong words, shorter ones first, then in alphabet order: at most [`NAMED`].
    pub first_wrong: Vec<Wrong>,
}

/// A word of which the automaton says something else than was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The word, over the sample's alphabet.
    pub word: Word,
    /// What was said of it: whether it belongs to the language. The automaton says the opposite.
    pub accepted: bool,
    /// How often that was said.
    pub times: u32,
}

impl Certificate {
    /// Whether the automaton agrees with every example.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.wrong == 0
    }
}

/// Replays every example through an automaton. Letters are matched by name; a word with a letter that the automaton
/// does not know is rejected by it. Of a word that was labelled both ways one label is wrong whatever the automaton says.
///
/// ```
/// use automata::{Alphabet, Examples, Label, Regex};
/// use induction::{Sample, certify};
///
/// let alphabet = Alphabet::of_chars("ab");
/// let rows = [("ab", Label::Accepted), ("ba", Label::Accepted), ("ba", Label::Accepted), ("", Label::Rejected)];
/// let rows = rows.map(|(word, label)| Ok((alphabet.read(word)?, label)));
/// let rows = rows.into_iter().collect::<Result<Vec<_>, automata::WordError>>()?;
/// let sample = Sample::new(&Examples::of(&alphabet, rows), false)?;
///
/// let certificate = certify(&Regex::parse("a*b", &alphabet)?.to_dfa()?, &sample);
/// assert_eq!((certificate.examples, certificate.wrong), (4, 2));
/// assert_eq!(alphabet.write(&certificate.first_wrong[0].word), "ba");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certify(dfa: &Dfa, sample: &Sample) -> Certificate {
    let names = sample.alphabet().names().iter();
    let letters: Vec<Option<Letter>> = names.map(|name| dfa.alphabet().letter_for(name)).collect();
    let mut certificate = Certificate { examples: 0, wrong: 0, first_wrong: Vec::new() };
    certificate.add(dfa, &letters, &[], sample.empty_word());
    for entry in sample.entries() {
        certificate.add(dfa, &letters, sample.word(entry), entry.counts);
    }
    certificate
}

impl Certificate {
    fn add(&mut self, dfa: &Dfa, letters: &[Option<Letter>], word: &[Letter], counts: Counts) {
        self.examples += u64::from(counts.accepted) + u64::from(counts.rejected);
        let step = |state, letter: &Letter| dfa.next(state, letters[letter.index()]?);
        let accepts = word.iter().try_fold(dfa.initial(), step).is_some_and(|state| dfa.is_accepting(state));
        let times = if accepts { counts.rejected } else { counts.accepted };
        self.wrong += u64::from(times);
        if times > 0 && self.first_wrong.len() < NAMED {
            self.first_wrong.push(Wrong { word: Word::from(word.to_vec()), accepted: !accepts, times });
        }
    }
}

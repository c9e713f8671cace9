//! The certificate: all examples replayed, word by word. This defines `consistent`.
//!
//! Each engine has a fast way to know its errors: prefix trees, bit sets, incremental counts. Each could have a bug. So
//! the final answer is checked once more, in the plainest way: every word of the sample is read letter by letter
//! through the automaton's transitions, and the result is compared with its label. No code of the engines is used, so
//! none of their bugs is shared.

use automata::{Counts, Dfa, Letter, Word};

use crate::sample::Sample;

/// Maximum number of wrong words that a certificate names.
pub const NAMED: usize = 10;

/// The result of replaying all examples through an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Number of examples, counting repetitions and the empty word.
    pub examples: u64,
    /// Number of examples that the automaton gets wrong.
    pub wrong: u64,
    /// The first wrong words, shortest first, then in alphabet order; at most [`NAMED`].
    pub first_wrong: Vec<Wrong>,
}

/// A word whose label contradicts the automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The word, over the sample's alphabet.
    pub word: Word,
    /// Its label: whether it is in the language. The automaton says the opposite.
    pub accepted: bool,
    /// How often it has this label.
    pub times: u32,
}

impl Certificate {
    /// Whether the automaton agrees with every example.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.wrong == 0
    }
}

/// Replays every example through an automaton. Letters are matched by name; a word with an unknown letter is rejected. If
/// a word has both labels, one of them counts as wrong in any case.
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

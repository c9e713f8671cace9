//! Questions answered by a known language, as `--oracle` and studies do.

use automata::{Alphabet, Dfa, Letter, Word, equivalent};
use induction::learner::StopReason;

use super::{Question, Session};
use crate::Error;

impl Session {
    /// Answers a question from a known language. Once the best answer is this language, learning ends: going on could only replace
    /// it.
    pub fn answer_from(&mut self, language: &Dfa, question: &Question) -> Result<(), Error> {
        if self.has_found(language) {
            self.stop_asking();
            self.end(StopReason::Settled);
            return Ok(());
        }
        let word = self.alphabet().read(&question.word)?;
        let accepted = accepts(language, self.alphabet(), &word);
        self.answer(&question.word, accepted.into())
    }

    /// Whether the best answer so far is this language.
    #[must_use]
    pub fn has_found(&self, language: &Dfa) -> bool {
        let best = self.best();
        let both = best.alphabet().union(language.alphabet());
        equivalent(&best.over(&both), &language.over(&both))
    }
}

/// Whether a language, possibly over other letters, accepts a word. Letters match by name or by class.
#[must_use]
pub fn accepts(language: &Dfa, alphabet: &Alphabet, word: &[Letter]) -> bool {
    let named: Option<Word> =
        word.iter().map(|&letter| language.alphabet().letter_for(alphabet.name(letter))).collect();
    named.is_some_and(|word| language.accepts(&word))
}

//! Words as somebody wrote them, read by a language that may not know all of their letters.

use automata::{Alphabet, Letter, Spelling, Word};

use super::letters::Cut;

/// Reads words over the letters of a language.
pub struct Reader {
    alphabet: Alphabet,
    /// How words are cut into letters.
    pub cut: Cut,
}

/// A word as it was written.
pub struct Written {
    /// Its letters, where the language has them.
    pub letters: Vec<Option<Letter>>,
    /// The word over letters that have all of its own.
    word: Word,
    wider: Alphabet,
    /// The whole word, as one shows it on a line.
    pub shown: String,
    /// The word as it is read.
    pub text: String,
    /// The first letter that is not of the language.
    pub unknown: Option<String>,
}

impl Written {
    /// The first letter that is not of the language, as one shows it.
    pub fn stranger(&self) -> Option<String> {
        let at = self.letters.iter().position(Option::is_none)?;
        Some(self.piece(at))
    }

    /// The letter at a place, as one shows it on a line.
    pub fn piece(&self, at: usize) -> String {
        self.wider.show(&self.word[at..=at])
    }

    /// The letter at a place as it stands among others: a blank is a blank.
    pub fn inner(&self, at: usize) -> String {
        let plain = self.wider.write(&self.word[at..=at]);
        let is_plain = self.wider.spelling() != Spelling::Tokens && !plain.contains(automata::is_obeyed);
        if is_plain { plain } else { self.piece(at) }
    }
}

impl Reader {
    /// A reader of words over these letters, cut as the caller has told, or as the letters look.
    pub fn new(alphabet: &Alphabet, told: Option<Spelling>) -> Self {
        Self { cut: told.unwrap_or_else(|| alphabet.spelling()).into(), alphabet: alphabet.clone() }
    }

    /// Reads a word; what is no word says why.
    pub fn read(&self, word: &[u8]) -> Result<Written, String> {
        let known = &self.alphabet;
        let mut names: Vec<String> = Vec::new();
        self.cut.each(word, |name| names.push(name.to_owned()))?;
        let letters: Vec<Option<Letter>> = names.iter().map(|name| known.letter_for(name)).collect();
        let unknown = names.iter().zip(&letters).find(|(_, letter)| letter.is_none()).map(|(name, _)| name.clone());
        let has_classes = known.has_classes();
        let wider = match (&unknown, has_classes) {
            (None, false) => known.clone(),
            // To be shown it is spelled over its own letters too; over these alone where a class would not say which of its
            // characters it was.
            _ => {
                let others = if has_classes { &[] } else { known.names() };
                Alphabet::new(names.iter().chain(others).cloned()).map_err(|error| error.to_string())?
            }
        };
        let word: Word = names.iter().map(|name| wider.find(name).expect("it has all letters of the word")).collect();
        Ok(Written {
            shown: self.spelled(&wider, &word, Alphabet::show),
            text: self.spelled(&wider, &word, Alphabet::write),
            letters,
            word,
            wider,
            unknown,
        })
    }

    /// A word of the language as one shows it.
    pub fn show(&self, word: &[Letter]) -> String {
        self.spelled(&self.alphabet, word, Alphabet::show)
    }

    /// A word of the language as it is read.
    pub fn write(&self, word: &[Letter]) -> String {
        self.spelled(&self.alphabet, word, Alphabet::write)
    }

    /// Pieces of a word as one text.
    pub fn join(&self, pieces: &[String]) -> String {
        pieces.join(if self.cut == Cut::Tokens { " " } else { "" })
    }

    /// The word as its alphabet spells it; separated all the same when the caller has it so.
    fn spelled(&self, alphabet: &Alphabet, word: &[Letter], spell: fn(&Alphabet, &[Letter]) -> String) -> String {
        if self.cut != Cut::Tokens || word.is_empty() || alphabet.spelling() == Spelling::Tokens {
            return spell(alphabet, word);
        }
        let letters: Vec<String> = word.iter().map(|&letter| alphabet.show(&[letter])).collect();
        letters.join(" ")
    }
}

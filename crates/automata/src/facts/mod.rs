//! What can be said of a language in plain words, and proved.
//!
//! An automaton answers about one word at a time; people want to hear about all of them: *all words over a, b, c that end
//! in c, with no a or b after the first c*. A [`Fact`] is such a statement, true of every word of the language.
//!
//! ```text
//!   Dfa ──letters that act alike are one──► find ──► many facts ──select──► few facts ──write──► a sentence
//! ```
//!
//! 1. *Letters*: those that act alike in the automaton become one, so that facts speak of sets of letters, and the rest
//!    of the way has few of them.
//! 2. *Find*: each kind of fact is read off the automaton, exactly; none is guessed from words.
//! 3. *Select*: each fact is itself a language. From the plainest to the oddest, a fact is kept when it says more than
//!    those before it, and dropped again when those after it make up for it. When what the facts allow together is the
//!    language, they describe it completely, and the description says so.
//! 4. *Write*: as a sentence.

mod automaton;
mod counts;
mod find;
mod letters;
mod orders;
mod select;
mod write;

use num_bigint::BigUint;

use crate::Word;
use crate::alphabet::Alphabet;
use crate::counting::cardinality;
use crate::dfa::Dfa;
use crate::ids::Letter;
use crate::minimize::minimize;
use crate::words::enumerate;

/// Letters in a row, each of them one of a set.
pub type Factor = Vec<Vec<Letter>>;

/// A language of so few words is told by listing them.
const MOST_LISTED_WORDS: usize = 5;
/// And so few letters.
const MOST_LISTED_LETTERS: usize = 60;
/// Larger automata are described by their size alone.
const MOST_STATES: usize = 20_000;

/// Something that is true of all words of a language, or of all but the empty one.
///
/// Sets of letters are sorted and not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// There is no word.
    Nothing,
    /// The only word is the empty one.
    OnlyEmptyWord,
    /// Every word over the alphabet belongs.
    Everything,
    /// The words are those that one of these spells, in canonical order.
    Words(Vec<Factor>),
    /// These letters do not occur.
    Never(Vec<Letter>),
    /// Every word begins so.
    Begins(Factor),
    /// Every word ends so.
    Ends(Factor),
    /// This stands in every word.
    Contains(Factor),
    /// This stands in no word.
    Without(Factor),
    /// No word has these letters in this order, whatever stands between them.
    NeverInOrder(Factor),
    /// No letter of `later` comes after one of `first`, whatever stands between them.
    NotAfter {
        /// After one of these,
        first: Vec<Letter>,
        /// none of these comes.
        later: Vec<Letter>,
    },
    /// Between the first and the last letters of a word there are no letters but these.
    Between {
        /// So many letters at the beginning may be others,
        first: usize,
        /// and so many at the end.
        last: usize,
        /// The letters.
        letters: Vec<Letter>,
    },
    /// These letters stand only at the beginning of a word.
    OnlyFirst(Vec<Letter>),
    /// These letters stand only at the end of a word.
    OnlyLast(Vec<Letter>),
    /// How many of these letters a word has.
    Count {
        /// The letters.
        letters: Vec<Letter>,
        /// At least so many,
        least: usize,
        /// and at most so many, if that is bounded.
        most: Option<usize>,
    },
    /// What is left over when the number of these letters in a word is divided.
    CountModulo {
        /// The letters.
        letters: Vec<Letter>,
        /// The divisor.
        modulus: usize,
        /// What is left over.
        remainder: usize,
    },
    /// Wherever these letters stand, as many of them in a row as there are can be divided.
    RunModulo {
        /// The letters.
        letters: Vec<Letter>,
        /// The divisor of the length of each run.
        modulus: usize,
    },
    /// What is left over when the number of these letters is divided, less that of others.
    DifferenceModulo {
        /// The letters.
        letters: Vec<Letter>,
        /// The others.
        others: Vec<Letter>,
        /// The divisor.
        modulus: usize,
        /// What is left over.
        remainder: usize,
    },
    /// How long words are.
    Length {
        /// At least so long,
        least: usize,
        /// and at most so long, if that is bounded.
        most: Option<usize>,
    },
    /// What is left over when the length of a word is divided.
    LengthModulo {
        /// The divisor.
        modulus: usize,
        /// What is left over.
        remainder: usize,
    },
}

/// Facts about a language, none of which follows from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    alphabet: Alphabet,
    /// The facts, in the order in which they are told.
    pub facts: Vec<Fact>,
    /// Whether the empty word belongs although it is none of those that the facts are about.
    pub but_empty_word: bool,
    /// How many words there are, unless infinitely many.
    pub words: Option<BigUint>,
    /// Whether every word of which the facts are true belongs: then they are the language.
    pub complete: bool,
}

impl Description {
    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// All of it as one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        write::sentence(self)
    }

    /// Each fact as a sentence.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        write::sentences(self)
    }
}

/// What can be said of the language.
///
/// The automaton is minimised first, and past 20,000 states only the number of words is told. Beyond the limits of
/// `find`, which depend on the size, kinds of facts are left out: the others are still true.
///
/// ```
/// use automata::{Alphabet, Regex, describe};
/// let abc = Alphabet::of_chars("abc");
/// let description = describe(&Regex::parse("[ab]*c+", &abc)?.to_dfa()?);
/// assert_eq!(description.sentence(), "All words over a, b, c that end in c, with no a or b after the first c.");
/// assert_eq!(description.sentences(), ["Every word ends in c.", "No word has a or b after the first c."]);
/// assert!(description.complete);
/// # Ok::<(), automata::RegexError>(())
/// ```
#[must_use]
pub fn describe(dfa: &Dfa) -> Description {
    let minimal = minimize(dfa);
    let alphabet = minimal.alphabet().clone();
    let words = cardinality(&minimal);
    let has_empty = minimal.accepts(&[]);
    let whole = |fact: Fact| Description {
        alphabet: alphabet.clone(),
        facts: vec![fact],
        but_empty_word: false,
        words: words.clone(),
        complete: true,
    };
    if minimal.is_empty_language() {
        return whole(Fact::Nothing);
    }
    if minimal.is_universal() && !alphabet.is_empty() {
        return whole(Fact::Everything);
    }
    let letters = letters::Letters::new(&minimal);
    let language = letters.quotient(&minimal);
    if let Some(few) = few_words(&language, letters.are_alike()) {
        return whole(match &few[..] {
            [only] if only.is_empty() => Fact::OnlyEmptyWord,
            _ => letters.expand(Fact::Words(few)),
        });
    }
    let mut facts = Vec::new();
    facts.extend(Some(letters.never()).filter(|never| !never.is_empty()).map(|never| Fact::Never(never.to_vec())));
    let (mut complete, mut but_empty_word) = (false, false);
    if minimal.len() <= MOST_STATES {
        let chosen = select::select(&language, find::candidates(&language));
        complete = chosen.complete;
        but_empty_word = has_empty && chosen.facts.iter().any(Fact::refuses_empty_word);
        facts.extend(chosen.facts.into_iter().map(|fact| letters.expand(fact)));
    }
    Description { alphabet, facts, but_empty_word, words, complete }
}

/// The words of a language, if there are few; where all letters are alike, lengths say it better.
fn few_words(language: &Dfa, are_alike: bool) -> Option<Vec<Factor>> {
    let are_short = counts::longest(language).is_some_and(|length| length <= MOST_LISTED_LETTERS);
    if are_alike || !are_short {
        return None;
    }
    let words: Vec<Word> = enumerate(language).take(MOST_LISTED_WORDS + 1).collect();
    let letters: usize = words.iter().map(|word| word.len()).sum();
    let factor = |word: &Word| word.iter().map(|&letter| vec![letter]).collect();
    (words.len() <= MOST_LISTED_WORDS && letters <= MOST_LISTED_LETTERS).then(|| words.iter().map(factor).collect())
}

//! Descriptions of a language in plain words, proved correct.
//!
//! An automaton answers questions about one word; people want to know about all of them: *all words over a, b, c that
//! end in c, with no a or b after the first c*. A [`Fact`] is such a statement, true of every word of the language.
//!
//! ```text
//!   Dfa ──letters that act alike are one──► find ──► many facts ──select──► few facts ──write──► a sentence
//! ```
//!
//! 1. *Letters*: interchangeable letters are merged, so that facts are about sets of letters, and the later steps
//!    handle fewer letters.
//! 2. *Find*: each kind of fact is derived from the automaton, exactly; none is guessed from words.
//! 3. *Select*: each fact is itself a language. Going from the simplest to the most unusual, a fact is kept if it does
//!    not follow from those before it, and dropped again if it follows from those after it. If the intersection of the
//!    facts is the language, they describe it completely, and the description says so.
//! 4. *Write*: as a sentence.
//!
//! The same vocabulary serves to state a language before there is an automaton: a [`Formula`] joins facts by *and* and *or*,
//! and its automaton is the product of theirs. A [`Rule`] is a formula with exceptions.

mod automaton;
mod counts;
mod find;
mod formula;
mod letters;
mod machine;
mod orders;
mod pattern;
mod rule;
mod select;
mod stated;
mod write;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::Word;
use crate::alphabet::Alphabet;
use crate::counting::cardinality;
use crate::dfa::Dfa;
use crate::ids::Letter;
use crate::minimize::minimize;
use crate::words::enumerate;

pub use formula::{Formula, Literal};
pub use machine::Machine;
pub use pattern::{Gap, Pattern};
pub use rule::Rule;

/// Consecutive letters, each from a set.
pub type Factor = Vec<Vec<Letter>>;

/// Maximum number of words to list instead of describing the language.
const MOST_LISTED_WORDS: usize = 5;
/// Maximum total number of letters in such a list.
const MOST_LISTED_LETTERS: usize = 60;
/// Larger automata are described only by the number of words.
const MOST_STATES: usize = 20_000;

/// A statement that is true of all words of a language, or of all but the empty word.
///
/// Sets of letters are sorted and non-empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fact {
    /// The language is empty.
    Nothing,
    /// The only word is the empty one.
    OnlyEmptyWord,
    /// Every word over the alphabet is in the language.
    Everything,
    /// The language consists of the words that one of these spells, in canonical order.
    Words(Vec<Factor>),
    /// These letters do not occur.
    Never(Vec<Letter>),
    /// Every word begins with this.
    Begins(Factor),
    /// Every word ends with this.
    Ends(Factor),
    /// Every word contains this.
    Contains(Factor),
    /// No word contains this.
    Without(Factor),
    /// No word has these letters in this order, with anything in between.
    NeverInOrder(Factor),
    /// Every word has this pattern.
    Has(Pattern),
    /// No letter of `later` comes anywhere after a letter of `first`.
    NotAfter {
        /// After one of these,
        first: Vec<Letter>,
        /// none of these comes.
        later: Vec<Letter>,
    },
    /// Only these letters occur between the first and the last letters of a word.
    Between {
        /// Number of initial letters that may be others,
        first: usize,
        /// and of final letters.
        last: usize,
        /// The letters.
        letters: Vec<Letter>,
    },
    /// These letters occur only at the beginning of a word.
    OnlyFirst(Vec<Letter>),
    /// These letters occur only at the end of a word.
    OnlyLast(Vec<Letter>),
    /// The number of these letters in a word.
    Count {
        /// The letters.
        letters: Vec<Letter>,
        /// The minimum,
        least: usize,
        /// and the maximum, if there is one.
        most: Option<usize>,
    },
    /// The number of these letters in a word, modulo a divisor.
    CountModulo {
        /// The letters.
        letters: Vec<Letter>,
        /// The divisor.
        modulus: usize,
        /// The remainder.
        remainder: usize,
    },
    /// The length of every run of these letters is divisible.
    RunModulo {
        /// The letters.
        letters: Vec<Letter>,
        /// The divisor of the length of each run.
        modulus: usize,
    },
    /// The number of these letters minus the number of others, modulo a divisor.
    DifferenceModulo {
        /// The letters.
        letters: Vec<Letter>,
        /// The others.
        others: Vec<Letter>,
        /// The divisor.
        modulus: usize,
        /// The remainder.
        remainder: usize,
    },
    /// The length of words.
    Length {
        /// The minimum,
        least: usize,
        /// and the maximum, if there is one.
        most: Option<usize>,
    },
    /// The length of words, modulo a divisor.
    LengthModulo {
        /// The divisor.
        modulus: usize,
        /// The remainder.
        remainder: usize,
    },
}

/// Facts about a language, none of which follows from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    alphabet: Alphabet,
    /// The facts, in the order in which they are stated.
    pub facts: Vec<Fact>,
    /// Whether the empty word is in the language although it does not satisfy the facts.
    pub but_empty_word: bool,
    /// The number of words, or `None` if there are infinitely many.
    pub words: Option<BigUint>,
    /// Whether every word that satisfies the facts is in the language: then the description is complete.
    pub complete: bool,
}

impl Description {
    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The whole description as one sentence.
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

/// Describes the language.
///
/// The automaton is minimised first; beyond 20,000 states only the number of words is given. Beyond the limits of
/// `find`, which depend on the size, some kinds of facts are left out; the others are still true.
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

/// The words of a language, if there are few; if all letters are interchangeable, lengths describe it better.
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

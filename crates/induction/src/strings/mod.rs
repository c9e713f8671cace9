//! Real strings: dates, identifiers, versions, log lines, of which there are dozens and not thousands, over sixty letters
//! of which most are never seen in most places.
//!
//! ```text
//!   strings ──► plans divide them ──► leaves: texts, runs, places ──► Pattern ──► automaton over classes ──► Induced
//!               (plan, search)        (leaves: the cheapest class)    (bits)      (compile)
//! ```
//!
//! What is learned is an expression over *classes* of characters. One measure decides everything: the bits to write the
//! pattern down and then to tell the accepted strings that were seen (`bits`). It makes a class wider when a few bits say
//! as much as a list, and narrower when many strings agree; that no rejected string may match splits what it has to. The
//! answer is regular, its automaton is over the classes that the pattern speaks of, and so letters that were never seen in
//! a place are learned with those that were.
//!
//! From few strings there is more than one honest answer. When telling the strings weighs more, patterns are tighter; when
//! it weighs less, they are looser. Up to three that differ are given, and the words to ask about are near misses: strings
//! one edit away from an accepted one, on which tighter and looser patterns disagree.

mod bits;
mod bounds;
mod compile;
mod find;
mod leaves;
mod letters;
mod loosen;
mod near;
mod noise;
mod numbers;
mod pattern;
mod plan;
mod search;
mod tokens;
mod words;
mod write;

use std::cmp::Ordering;

use automata::{Class, Dfa, Direction, Grammar, Letter, Spelling, TooManyStates, count_to, separating_word};
use num_bigint::BigUint;

use crate::certificate::certify;
use crate::learner::{Alternative, Induced, Noise, Spent, StopReason, Suspect};
use crate::sample::{Counts, Sample};
use crate::selection::Origin;
use compile::Compiled;
use find::Strings;
use letters::Letters;
use near::NearMisses;
use pattern::{Found, Pattern};

pub use letters::MOST_CHARACTERS;

/// What the bits of the data weigh, from tight to loose; the answer is the one with weight 1.
const WEIGHTS: [f64; 3] = [2.0, 1.0, 0.5];
const ANSWER: usize = 1;
/// So many patterns that are looser in one part are asked about.
const MOST_LOOSER: usize = 24;

/// Why patterns cannot be learned from a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StringsError {
    /// Letters are no characters.
    #[error("classes are of characters, and these letters are not: use --classes none")]
    NotCharacters,
    /// There are too many different characters.
    #[error(
        "there are {0} different characters, and classes are learned from at most {MOST_CHARACTERS}: use --classes none"
    )]
    TooManyCharacters(usize),
    /// A string is labelled both ways.
    #[error("{0} is labelled both ways: classes are learned from labels that are right")]
    Contradiction(String),
    /// Some words differ only in tokens that are too rare to be letters of their own.
    #[error("{0} and a word with the other label differ only in rare tokens of the same shape: use --classes none")]
    SameShapes(String),
    /// The automaton would be too large.
    #[error(transparent)]
    TooManyStates(#[from] TooManyStates),
}

/// Learns the pattern of strings, over classes that people have names for, or over those given. When `stop` says so the
/// search ends with what it has.
///
/// ```
/// use automata::formats::abbadingo::{Examples, Label};
/// use automata::Alphabet;
/// use induction::{Sample, strings};
///
/// let accepted = ["2024-01-05", "1999-12-31", "2011-07-20", "1987-10-08", "2030-02-14"];
/// let rejected = ["2024-1-05", "99-12-31", "2011/07/20", "1987-10-8x", ""];
/// let alphabet = Alphabet::of_chars(&(accepted.concat() + &rejected.concat()));
/// let labelled = accepted.map(|word| (word, Label::Accepted)).into_iter().chain(rejected.map(|word| (word, Label::Rejected)));
/// let rows = labelled.map(|(word, label)| Ok((alphabet.read(word)?, label))).collect::<Result<_, automata::WordError>>()?;
///
/// let induced = strings::learn(&Sample::new(&Examples { alphabet, rows }, false)?, None, &|| false)?;
/// assert_eq!(induced.expression.as_deref(), Some("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"));
/// assert!(induced.certificate.is_consistent());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn(
    sample: &Sample,
    classes: Option<&[Class]>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Induced, StringsError> {
    Patterns::learn(sample.clone(), Ways { classes, ..Ways::default() }, stop)?.induced()
}

/// How patterns are learned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways<'a> {
    /// The classes that may be used, instead of those that people have names for.
    pub classes: Option<&'a [Class]>,
    /// Whether labels may be wrong.
    pub noise: Noise,
    /// How the grammar is written.
    pub direction: Direction,
}

/// Patterns that agree with strings, which can be told more of them.
pub struct Patterns {
    sample: Sample,
    strings: Strings,
    /// What there was at first.
    given: Sample,
    /// Strings whose labels are not believed, and these; the most doubtful first.
    doubted: Vec<(Vec<u8>, bool)>,
    noise: Noise,
    direction: Direction,
    /// For each weight, from tight to loose.
    found: Vec<Found>,
    cut: bool,
}

impl Patterns {
    /// Learns as [`learn`] does.
    pub fn learn(sample: Sample, ways: Ways, stop: &(dyn Fn() -> bool + Sync)) -> Result<Self, StringsError> {
        let Ways { classes, noise, direction } = ways;
        let mut strings = read(&sample, classes, noise)?;
        let doubted = noise::take_doubted(&mut strings, noise, stop);
        let given = sample.clone();
        let mut patterns = Self { given, sample, strings, doubted, noise, direction, found: Vec::new(), cut: false };
        patterns.find(stop);
        Ok(patterns)
    }

    fn find(&mut self, stop: &(dyn Fn() -> bool + Sync)) {
        self.found = self.strings.find(&WEIGHTS, ANSWER, stop);
        self.cut = stop();
    }

    /// Everything that is known.
    #[must_use]
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// Whether the search gave up: nothing general was found, and the pattern is a mere list of the accepted strings.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.found[ANSWER].bits == f64::MAX
    }

    /// The same, when nothing more is to be told.
    #[must_use]
    pub fn into_sample(self) -> Sample {
        self.sample
    }

    /// Goes on with one more string. As long as the answer agrees with it nothing is learned anew.
    pub fn tell(&mut self, word: &[Letter], is_in: bool, stop: &(dyn Fn() -> bool + Sync)) -> Result<(), StringsError> {
        let counts = Counts { accepted: u32::from(is_in), rejected: u32::from(!is_in) };
        let contradiction = |_| StringsError::Contradiction(self.sample.alphabet().show(word));
        self.sample =
            self.sample.and(&[(word.to_vec().into(), counts)], self.noise != Noise::None).map_err(contradiction)?;
        let text = self.strings.letters.encode(word);
        let agrees = |found: &Found| found.pattern.matches(&text) == is_in;
        let answer_agrees = agrees(&self.found[ANSWER]);
        if is_in { &mut self.strings.told } else { &mut self.strings.rejected }.push(text.clone());
        if answer_agrees {
            let answer = self.found[ANSWER].clone();
            self.found.iter_mut().filter(|found| !agrees(found)).for_each(|found| *found = answer.clone());
        } else {
            self.find(stop);
        }
        Ok(())
    }

    /// The answer in all its forms.
    pub fn induced(&self) -> Result<Induced, StringsError> {
        let Self { sample, strings, found, .. } = self;
        let compiled: Vec<Compiled> =
            found.iter().map(|found| self.compiled(&found.pattern)).collect::<Result<_, _>>()?;
        let answer = &compiled[ANSWER];
        // Others that differ from the answer and do not merely list what was given.
        let mut alternatives = Vec::new();
        for (found, other) in found.iter().zip(&compiled) {
            let Some(word) = told_apart(&answer.dfa, &other.dfa) else { continue };
            if count_to(&other.dfa, sample.longest()) <= BigUint::from(strings.accepted.len()) {
                continue;
            }
            alternatives.push(Alternative {
                dfa: other.dfa.clone(),
                productions: Grammar::from_nfa(&other.nfa, self.direction).productions().len(),
                bits: found.bits,
                finds: 1,
                expression: Some(other.expression.clone()),
                word,
            });
        }
        let near = NearMisses::new(sample, &self.given, &answer.dfa);
        let others: Vec<&Dfa> = alternatives.iter().map(|other| &other.dfa).collect();
        let mut undecided = near.undecided(&others);
        if undecided.is_empty() {
            // No near miss tells them apart, and so the words have to that do.
            let words = alternatives.iter().filter_map(|other| sample.alphabet().read(&other.word).ok());
            undecided = words.map(|word| near.judged(word, &others)).collect();
        }
        Ok(Induced {
            grammar: Grammar::from_nfa(&answer.nfa, self.direction),
            certificate: certify(&answer.dfa, sample),
            dfa: answer.dfa.clone(),
            expression: Some(answer.expression.clone()),
            letters: sample.alphabet().clone(),
            bits: found[ANSWER].bits,
            origin: Origin::Classes,
            shape: None,
            model: None,
            finds: 1,
            empty_word_chosen: sample.empty_word().total() == 0,
            undecided,
            doubtful: near.doubtful(&self.looser()?),
            alternatives,
            suspects: self.suspects(&answer.dfa),
            spent: Spent::default(),
            stop_reason: if self.cut { StopReason::Cut } else { StopReason::Finished },
        })
    }

    /// Labels that the answer does not agree with, the most doubtful first.
    fn suspects(&self, answer: &Dfa) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        for (word, counts) in self.sample.rows() {
            let name = |&letter: &Letter| answer.alphabet().letter_for(self.sample.alphabet().name(letter));
            let read: Option<Vec<Letter>> = word.iter().map(name).collect();
            let accepts = read.is_some_and(|word| answer.accepts(&word));
            let times = if accepts { counts.rejected } else { counts.accepted };
            if times > 0 {
                let text = self.strings.letters.encode(word);
                let doubt = self.doubted.iter().position(|(doubted, _)| *doubted == text);
                let suspect = Suspect { word: word.to_vec().into(), accepted: !accepts, times, doubted_by: 1, of: 1 };
                suspects.push((doubt.unwrap_or(usize::MAX), suspect));
            }
        }
        suspects.sort_by_key(|(doubt, _)| *doubt);
        suspects.into_iter().map(|(_, suspect)| suspect).collect()
    }

    /// Automata of patterns that are looser than the answer in one part and still agree with all strings.
    fn looser(&self) -> Result<Vec<Dfa>, StringsError> {
        let letters = &self.strings.letters;
        let agrees = |pattern: &Pattern| !self.strings.rejected.iter().any(|word| pattern.matches(word));
        let ways = loosen::loosened(letters, &self.found[ANSWER].pattern);
        let looser = ways.into_iter().filter_map(|way| way.into_iter().find(agrees)).take(MOST_LOOSER);
        looser.map(|pattern| Ok(self.compiled(&pattern)?.dfa)).collect()
    }

    /// A pattern in all its forms. Tokens that it speaks of are reserved, unless an example has one in the place of others.
    fn compiled(&self, pattern: &Pattern) -> Result<Compiled, StringsError> {
        let compiled = compile::compile(&self.strings.letters, pattern, true)?;
        let is_fine = self.strings.letters.tokens.is_none() || certify(&compiled.dfa, &self.sample).is_consistent();
        Ok(if is_fine { compiled } else { compile::compile(&self.strings.letters, pattern, false)? })
    }
}

/// A shortest word that just one of the two has, as text.
fn told_apart(a: &Dfa, b: &Dfa) -> Option<String> {
    let both = a.alphabet().union(b.alphabet());
    separating_word(&a.over(&both), &b.over(&both)).map(|word| both.write(&word))
}

/// The strings of a sample, numbered.
fn read(sample: &Sample, classes: Option<&[Class]>, noise: Noise) -> Result<Strings, StringsError> {
    let alphabet = sample.alphabet();
    let of_tokens = alphabet.spelling() == Spelling::Tokens;
    if alphabet.spelling() != Spelling::Chars && !(of_tokens && classes.is_none()) {
        return Err(StringsError::NotCharacters);
    }
    let letters = Letters::of(sample, classes);
    let letters = letters.ok_or(StringsError::TooManyCharacters(alphabet.len()))?;
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    let empty = (&[][..], sample.empty_word());
    for (word, counts) in std::iter::once(empty).chain(sample.rows().filter(|(word, _)| !word.is_empty())) {
        if counts.accepted > 0 && counts.rejected > 0 && noise == Noise::None {
            return Err(StringsError::Contradiction(alphabet.show(word)));
        }
        // What is said more often; nothing where both are said alike.
        match counts.accepted.cmp(&counts.rejected) {
            Ordering::Greater => accepted.push(letters.encode(word)),
            Ordering::Less => rejected.push(letters.encode(word)),
            Ordering::Equal => {}
        }
    }
    // Tokens that share a character cannot be told apart.
    if let Some(word) = accepted.iter().find(|word| rejected.contains(word)) {
        let shown = sample.rows().find(|(other, _)| letters.encode(other) == *word);
        return Err(StringsError::SameShapes(shown.map_or_else(String::new, |(word, _)| alphabet.show(word))));
    }
    Ok(Strings { letters, accepted, told: Vec::new(), rejected })
}

//! Real strings: dates, identifiers, versions, log lines. There are dozens of them and not thousands, over sixty letters of
//! which most are never seen in most places.
//!
//! ```text
//!   strings ──► plans divide them ──► leaves: texts, runs, places ──► Pattern ──► automaton over classes ──► Induced
//!               (plan, search)        (leaves: the cheapest class)    (cost)      (compile)
//! ```
//!
//! What is learned is an expression over *classes* of characters. One measure decides everything: the bits to write the
//! pattern down and then to encode the accepted strings (`cost`). It makes a class wider when a few bits say as much as a
//! list, and narrower when many strings agree; rejected strings, which must not match, split what has to be split. The answer
//! is regular and its automaton is over the classes of the pattern, so letters that were never seen in a place are learned
//! together with those that were.
//!
//! From few strings there is more than one plausible answer. If encoding the strings weighs more, patterns are tighter; if it
//! weighs less, they are looser. Up to three patterns are given, and the words to ask about are near misses: strings one edit
//! away from an accepted one on which tighter and looser patterns disagree.
//!
//! [`Patterns`] has turns like any engine: jobs that do not depend on each other, and their results gathered in order.

mod bits;
mod bounds;
mod compile;
mod cost;
mod covers;
mod division;
mod find;
mod leaves;
mod letters;
mod loosen;
mod memo;
mod near;
mod noise;
mod numbers;
mod pattern;
mod plan;
mod read;
mod search;
mod shapes;
mod stated;
mod tokens;
mod words;
mod write;

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use automata::{
    Alphabet, Class, Dfa, Direction, Grammar, Letter, Shape, Spelling, TooManyStates, Word, count_to, separating_word,
};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::certificate::certify;
use crate::learner::{Alternative, Induced, Noise, Spent, StopReason, Suspect};
use crate::sample::Sample;
use crate::selection::Origin;
use compile::Compiled;
use near::NearMisses;
use pattern::Pattern;

pub(crate) use find::{Ended, Finding, Strings};
pub use letters::MOST_CHARACTERS;
pub(crate) use pattern::Found;
pub(crate) use read::Reading;

/// Weights of the data, from tight to loose, each with the rounds of its search; the answer is the one with weight 1.
const WEIGHTS: [(f64, Range<usize>); 3] = [(2.0, find::QUICK), (1.0, find::THOROUGH), (1.0 / 3.0, find::QUICK)];
const ANSWER: usize = 1;
/// Maximum number of patterns, looser in one part, that are asked about.
const MOST_LOOSER: usize = 24;
/// Work of a slice in letters: about 50 ms.
pub(crate) const SLICE: u64 = 1_000_000;

/// Why patterns cannot be learned from a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StringsError {
    /// The letters are not characters.
    #[error("character classes need words of characters, and these letters are not characters; use --classes none")]
    NotCharacters,
    /// There are too many different characters.
    #[error(
        "{0} different characters are more than the {MOST_CHARACTERS} that character classes support; use --classes none"
    )]
    TooManyCharacters(usize),
    /// Something is not a class.
    #[error("{0} is not a class: a class is two or more characters in brackets, such as [0-9]")]
    NoClass(String),
    /// A string is labelled both ways.
    #[error("{0} is labelled both ways; use --noise if labels may be wrong")]
    Contradiction(String),
    /// Some words differ only in tokens that are too rare to be letters of their own.
    #[error("{0} and a word with the other label differ only in rare tokens of the same shape; use --classes none")]
    SameShapes(String),
    /// The automaton would be too large.
    #[error(transparent)]
    TooManyStates(#[from] TooManyStates),
}

/// Whether some usual class is shorter by its name than by its letters, of which each takes at least a bit.
pub(crate) fn names_pay(alphabet: &Alphabet) -> bool {
    let is_long = |count: usize| count as f64 > bits::CLASS;
    match alphabet.spelling() {
        Spelling::Chars => {
            let kinds: [fn(&char) -> bool; 3] =
                [char::is_ascii_digit, char::is_ascii_lowercase, char::is_ascii_uppercase];
            let characters = || alphabet.names().iter().flat_map(|name| name.chars());
            kinds.iter().any(|kind| is_long(characters().filter(kind).count()))
        }
        Spelling::Tokens => Shape::ALL
            .iter()
            .any(|&shape| is_long(alphabet.names().iter().filter(|name| Shape::of(name) == Some(shape)).count())),
        Spelling::Classes | Spelling::Bytes => false,
    }
}

/// Learns the pattern of strings, over the usual classes or over those given. When `stop` says so the search ends with what
/// it has.
///
/// ```
/// use automata::{Alphabet, Examples, Label};
/// use induction::{Sample, strings};
///
/// let accepted = ["2024-01-05", "1999-12-31", "2011-07-20", "1987-10-08", "2030-02-14"];
/// let rejected = ["2024-1-05", "99-12-31", "2011/07/20", "1987-10-8x", ""];
/// let alphabet = Alphabet::of_chars(&(accepted.concat() + &rejected.concat()));
/// let labelled = accepted.map(|word| (word, Label::Accepted)).into_iter().chain(rejected.map(|word| (word, Label::Rejected)));
/// let rows = labelled.map(|(word, label)| Ok((alphabet.read(word)?, label))).collect::<Result<Vec<_>, automata::WordError>>()?;
///
/// let induced = strings::learn(&Sample::new(&Examples::of(&alphabet, rows), false)?, None, &|| false)?;
/// assert_eq!(induced.expression.as_deref(), Some("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"));
/// assert!(induced.certificate.is_consistent());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn(sample: &Sample, classes: Option<&[Class]>, stop: &dyn Fn() -> bool) -> Result<Induced, StringsError> {
    let classes = classes.map(|classes| classes.iter().map(Class::name).collect());
    let ways = Ways { classes, ..Ways::default() };
    let mut patterns = Patterns::new(sample.clone(), &ways)?;
    patterns.work(stop);
    patterns.induced(sample)
}

/// How patterns are learned.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// The classes to use instead of the usual ones, such as `[0-9]`.
    pub classes: Option<Vec<String>>,
    /// Whether labels may be wrong.
    pub noise: Noise,
    /// How the grammar is written.
    pub direction: Direction,
}

/// Patterns that agree with strings. More strings can be added.
pub struct Patterns {
    /// What was given, without answers to questions, as it is written.
    given: Arc<Sample>,
    reading: Reading,
    strings: Arc<Strings>,
    noise: Noise,
    direction: Direction,
    known: Known,
    cut: bool,
}

/// What is known so far, which is what a checkpoint keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Known {
    /// Words that were asked about and whether they belong, as numbers of letters.
    told: Vec<(Vec<u32>, bool)>,
    /// Strings whose labels are doubted, and these labels; the most doubtful first.
    doubted: Vec<(Vec<u8>, bool)>,
    /// For each weight, from tight to loose; none before they are found.
    found: Vec<Found>,
    phase: Phase,
}

/// What comes next.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Phase {
    /// Looking for labels to doubt: first the pattern of all strings, then those without one of them.
    Doubting(Option<Ended>),
    /// Looking for patterns.
    Finding,
    Done,
}

/// One search for a pattern.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sought {
    pub(crate) reading: Reading,
    weight: f64,
    rounds: Range<usize>,
    left_out: BTreeSet<Vec<u8>>,
}

impl Sought {
    pub(crate) fn begin(self, strings: &Strings) -> Finding {
        Finding::new(strings, self.weight, self.rounds, self.left_out)
    }
}

impl Patterns {
    /// Patterns that are still to be found.
    pub fn new(given: impl Into<Arc<Sample>>, ways: &Ways) -> Result<Self, StringsError> {
        let given = given.into();
        let Ways { classes, noise, direction } = ways.clone();
        let reading = Reading { classes, noisy: noise != Noise::None, reversed: false, told: Vec::new() };
        let strings = Arc::new(reading.strings(&given)?);
        let phase = if noise::most_doubted(&strings, noise) > 0 { Phase::Doubting(None) } else { Phase::Finding };
        let known = Known { told: Vec::new(), doubted: Vec::new(), found: Vec::new(), phase };
        Ok(Self { given, reading, strings, noise, direction, known, cut: false })
    }

    /// The strings, for jobs in this process.
    pub(crate) fn strings(&self) -> &Arc<Strings> {
        &self.strings
    }

    /// What is known so far.
    pub(crate) fn known(&self) -> &Known {
        &self.known
    }

    /// Goes on from what was known.
    pub(crate) fn resume(&mut self, known: Known) {
        for (word, is_in) in &known.told {
            let word: Word = word.iter().map(|&letter| Letter::new(letter as usize)).collect();
            self.note(&word, *is_in);
        }
        self.known = known;
    }

    /// Whether there is nothing more to find.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self.known.phase, Phase::Done)
    }

    /// Whether the next part looks for labels to doubt.
    pub(crate) fn is_doubting(&self) -> bool {
        matches!(self.known.phase, Phase::Doubting(_))
    }

    /// The searches of the next part of the turn; none when patterns are found. Jobs elsewhere read the strings off a sample
    /// that is `reversed` where grammars are written from the right.
    pub(crate) fn sought(&self, reversed: bool) -> Vec<Sought> {
        let doubted = || self.known.doubted.iter().map(|(word, _)| word.clone());
        let sought = |weight: f64, rounds: &Range<usize>, more: Option<&Vec<u8>>| Sought {
            reading: Reading { reversed, ..self.reading.clone() },
            weight,
            rounds: rounds.clone(),
            left_out: doubted().chain(more.cloned()).collect(),
        };
        match &self.known.phase {
            Phase::Doubting(None) => vec![sought(1.0, &find::ROUGH, None)],
            Phase::Doubting(Some(with)) => with.core.iter().map(|word| sought(1.0, &find::ROUGH, Some(word))).collect(),
            // The answer first: what is cut short should have it.
            Phase::Finding => order().map(|i| sought(WEIGHTS[i].0, &WEIGHTS[i].1, None)).collect(),
            Phase::Done => Vec::new(),
        }
    }

    /// Takes in what the searches came to, in their order.
    pub(crate) fn gather(&mut self, ended: Vec<Ended>) {
        match std::mem::replace(&mut self.known.phase, Phase::Finding) {
            Phase::Doubting(None) => {
                let most = noise::most_doubted(&self.strings, self.noise);
                let goes_on = self.known.doubted.len() < most && self.strings.accepted.len() > 1;
                self.known.phase = match ended.into_iter().next().filter(|with| goes_on && !with.cut) {
                    Some(with) => Phase::Doubting(Some(with)),
                    None => Phase::Finding,
                };
            }
            // Bits of searches that were ended early cannot be compared.
            Phase::Doubting(Some(_)) if ended.iter().any(|without| without.cut) => {}
            Phase::Doubting(Some(with)) => {
                if let Some(word) = noise::most_doubtful(&self.strings, &with, &ended) {
                    let is_in = self.strings.accepted.contains(&word);
                    self.known.doubted.push((word, is_in));
                    self.known.phase = Phase::Doubting(None);
                }
            }
            Phase::Finding => {
                let all: Vec<Found> = ended.into_iter().flat_map(|ended| ended.found).collect();
                // What was found for one weight may be the best for another.
                let best = |(weight, _): &(f64, Range<usize>)| {
                    all.iter().cloned().fold(None, |best, found| Found::better(best, Some(found), *weight))
                };
                self.known.found = WEIGHTS.iter().filter_map(best).collect();
                self.known.phase = Phase::Done;
            }
            Phase::Done => self.known.phase = Phase::Done,
        }
    }

    /// Ends the search with what can be had soon.
    pub(crate) fn cut(&mut self) {
        self.cut |= !self.is_done();
        if self.known.found.is_empty() {
            self.known.phase = Phase::Finding;
            let sought = self.sought(false);
            self.gather(
                sought.into_iter().take(1).map(|sought| sought.begin(&self.strings).cut(&self.strings)).collect(),
            );
        }
        self.known.phase = Phase::Done;
    }

    /// Works on the caller's thread until the patterns are found or `stop` says to stop.
    pub fn work(&mut self, stop: &dyn Fn() -> bool) {
        while !self.is_done() {
            let strings = Arc::clone(&self.strings);
            let mut all = Vec::new();
            for sought in self.sought(false) {
                let mut finding = sought.begin(&strings);
                let ended = loop {
                    if stop() {
                        return self.cut();
                    }
                    if let ControlFlow::Break(ended) = finding.advance(&strings, SLICE) {
                        break ended;
                    }
                };
                all.push(ended);
            }
            self.gather(all);
        }
    }

    /// Whether nothing general was found, so that the pattern is a mere list of the accepted strings.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.known.found.get(ANSWER).is_none_or(|found| found.bits == f64::MAX)
    }

    /// The bits to state the answer, if there is one that is not a mere list, and its automaton.
    pub(crate) fn description(&self, sample: &Sample) -> Result<Option<(f64, Dfa)>, StringsError> {
        let found = self.known.found.get(ANSWER).filter(|_| !self.gave_up());
        let bits = |found: &Found| stated::bits(&self.strings.letters, &found.pattern);
        found.map(|found| Ok((bits(found), self.compiled(&found.pattern, sample)?.dfa))).transpose()
    }

    /// Adds a word that was asked about. As long as the answer agrees with it nothing is learned anew.
    pub fn tell(&mut self, word: &[Letter], is_in: bool) {
        let text = self.note(word, is_in);
        self.known.told.push((word.iter().map(|letter| letter.index() as u32).collect(), is_in));
        let agrees = |found: &Found| found.pattern.matches(&text) == is_in;
        let answer = self.known.found.get(ANSWER).filter(|found| agrees(found)).cloned();
        match answer {
            Some(answer) => {
                let others = self.known.found.iter_mut().filter(|found| !agrees(found));
                others.for_each(|found| *found = answer.clone());
            }
            None => self.known.phase = Phase::Finding,
        }
    }

    /// Notes a word among the strings.
    fn note(&mut self, word: &[Letter], is_in: bool) -> Vec<u8> {
        let text = self.reading.encode(&self.strings.letters, word);
        let strings = Arc::make_mut(&mut self.strings);
        if is_in { &mut strings.told } else { &mut strings.rejected }.push(text.clone());
        self.reading.told.push(text.clone());
        text
    }

    /// The answer in all its forms; `sample` has everything that was given and told, as it is written.
    pub fn induced(&self, sample: &Sample) -> Result<Induced, StringsError> {
        let found = &self.known.found;
        let answer = &self.compiled(&found[ANSWER].pattern, sample)?;
        // Others that differ from the answer and do not merely list what was given. Who cut the search waits for the answer.
        let mut alternatives = Vec::new();
        for found in found.iter().filter(|other| !self.cut && other.pattern != found[ANSWER].pattern) {
            let Ok(other) = self.compiled(&found.pattern, sample) else { continue };
            let Some(word) = told_apart(&answer.dfa, &other.dfa) else { continue };
            if count_to(&other.dfa, sample.longest()) <= BigUint::from(self.strings.accepted.len()) {
                continue;
            }
            alternatives.push(Alternative {
                productions: Grammar::from_nfa(&other.nfa, self.direction).productions().len(),
                dfa: other.dfa,
                bits: found.bits,
                finds: 1,
                expression: Some(other.expression),
                word,
            });
        }
        let (mut undecided, mut doubtful) = (Vec::new(), Vec::new());
        if !self.cut {
            let near = NearMisses::new(sample, &self.given, &answer.dfa);
            let others: Vec<&Dfa> = alternatives.iter().map(|other| &other.dfa).collect();
            undecided = near.undecided(&others);
            if undecided.is_empty() {
                // No near miss tells them apart, so the shortest words do.
                let words = alternatives.iter().filter_map(|other| sample.alphabet().read(&other.word).ok());
                undecided = words.map(|word| near.judged(word, &others)).collect();
            }
            doubtful = near.doubtful(&self.looser(sample));
        }
        Ok(Induced {
            grammar: Grammar::from_nfa(&answer.nfa, self.direction),
            certificate: certify(&answer.dfa, sample),
            dfa: answer.dfa.clone(),
            expression: Some(answer.expression.clone()),
            formula: None,
            letters: sample.alphabet().clone(),
            bits: found[ANSWER].bits,
            origin: Origin::Classes,
            shape: None,
            model: None,
            finds: 1,
            empty_word_chosen: sample.empty_word().labelled() == 0,
            undecided,
            doubtful,
            alternatives,
            suspects: self.suspects(&answer.dfa, sample),
            proof: None,
            spent: Spent::default(),
            stop_reason: if self.cut { StopReason::Cut } else { StopReason::Finished },
        })
    }

    /// Labels that the answer does not agree with, the most doubtful first.
    fn suspects(&self, answer: &Dfa, sample: &Sample) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        for (word, counts) in sample.rows() {
            let name = |&letter: &Letter| answer.alphabet().letter_for(sample.alphabet().name(letter));
            let read: Option<Vec<Letter>> = word.iter().map(name).collect();
            let accepts = read.is_some_and(|word| answer.accepts(&word));
            let times = if accepts { counts.rejected } else { counts.accepted };
            if times > 0 {
                let text = self.reading.encode(&self.strings.letters, word);
                let doubt = self.known.doubted.iter().position(|(doubted, _)| *doubted == text);
                let suspect = Suspect { word: word.to_vec().into(), accepted: !accepts, times, doubted_by: 1, of: 1 };
                suspects.push((doubt.unwrap_or(usize::MAX), suspect));
            }
        }
        suspects.sort_by_key(|(doubt, _)| *doubt);
        suspects.into_iter().map(|(_, suspect)| suspect).collect()
    }

    /// Automata of patterns that are looser than the answer in one part and still agree with all strings.
    fn looser(&self, sample: &Sample) -> Vec<Dfa> {
        let letters = &self.strings.letters;
        let believed = |word: &&Vec<u8>| !self.known.doubted.iter().any(|(doubted, _)| doubted == *word);
        let agrees =
            |pattern: &Pattern| !self.strings.rejected.iter().filter(believed).any(|word| pattern.matches(word));
        let ways = loosen::loosened(letters, &self.known.found[ANSWER].pattern);
        let looser = ways.into_iter().filter_map(|way| way.into_iter().find(agrees)).take(MOST_LOOSER);
        looser.filter_map(|pattern| Some(self.compiled(&pattern, sample).ok()?.dfa)).collect()
    }

    /// A pattern in all its forms. Tokens that it speaks of are reserved, unless an example has one in the place of others.
    fn compiled(&self, pattern: &Pattern, sample: &Sample) -> Result<Compiled, StringsError> {
        let compiled = compile::compile(&self.strings.letters, pattern, true)?;
        let is_fine = self.strings.letters.tokens.is_none() || certify(&compiled.dfa, sample).is_consistent();
        Ok(if is_fine { compiled } else { compile::compile(&self.strings.letters, pattern, false)? })
    }
}

/// The weights in the order of their jobs, the answer first.
fn order() -> impl Iterator<Item = usize> {
    std::iter::once(ANSWER).chain((0..WEIGHTS.len()).filter(|&i| i != ANSWER))
}

/// A shortest word that just one of the two has, as text.
fn told_apart(a: &Dfa, b: &Dfa) -> Option<String> {
    let both = a.alphabet().union(b.alphabet());
    separating_word(&a.over(&both), &b.over(&both)).map(|word| both.write(&word))
}

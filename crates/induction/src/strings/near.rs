//! Near misses: strings one edit away from an accepted one, to ask about.
//!
//! A shortest word on which two answers differ tells a machine what is open, but seldom a person. `2024-13-01` does.
//!
//! Where the answers agree, what they took for granted is in doubt. At each state of the automaton some characters were
//! seen. Those that were not and are let through: the more strings came by without one of them, the more doubtful. Those
//! that were not and are turned away: the fewer strings came by, the more doubtful. Each such step is asked about once, in
//! the order of the doubt in bits, and when there is hardly any nothing is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use automata::{Alphabet, Dfa, Letter, Shape, Spelling, StateId, Word};

use super::bits::log2;
use super::bounds::Met;
use crate::learner::Undecided;
use crate::sample::Sample;

/// So many accepted strings are edited, from short to long.
const EDITED: usize = 40;
/// Near misses are made as long as they have no more letters than this together.
const LETTERS: usize = 1_000_000;
/// So many near misses are told.
const TOLD: usize = 20;
/// Numbers of so many digits are tried at their ends.
const DIGITS: std::ops::RangeInclusive<usize> = 2..=4;
/// What it takes for a class or a bound to be another one, in bits.
pub(super) const PRIOR: f64 = 6.0;
/// Below this there is hardly any doubt.
const LEAST: f64 = -9.0;

/// All near misses of a sample, as an answer sees them.
pub(super) struct NearMisses<'a> {
    judge: Judge<'a>,
    misses: Vec<Miss>,
}

impl<'a> NearMisses<'a> {
    /// Of what was given at first: what was asked about since is known, but it is no sample of what there is.
    pub(super) fn new(sample: &'a Sample, given: &Sample, answer: &'a Dfa) -> Self {
        let judge = Judge::new(answer, sample, given);
        let misses = judge.near(given);
        Self { judge, misses }
    }

    /// What the answer and others say of a word.
    pub(super) fn judged(&self, word: Word, others: &[&Dfa]) -> Undecided {
        let accepting = others.iter().filter(|dfa| Judge::of(dfa, self.judge.sample).accepts(&word)).count();
        let accepted_by = usize::from(self.judge.accepts(&word)) + accepting;
        Undecided { word, accepted_by, of: others.len() + 1 }
    }

    /// Those on which the answer and others differ, one for each way to differ first: nearest to an even split, then
    /// shorter ones.
    pub(super) fn undecided(&self, others: &[&Dfa]) -> Vec<Undecided> {
        let others: Vec<Judge> = others.iter().map(|dfa| Judge::of(dfa, self.judge.sample)).collect();
        let mut ways: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
        let mut open: Vec<(usize, Undecided)> = Vec::new();
        let mut known = BTreeSet::new();
        let misses: BTreeSet<(Edit, &Word)> = self.misses.iter().map(|miss| (miss.edit, &miss.word)).collect();
        for word in misses.into_iter().map(|(_, word)| word).filter(|word| known.insert(*word)) {
            let judges = std::iter::once(&self.judge).chain(&others);
            let verdicts: Vec<bool> = judges.map(|judge| judge.accepts(word)).collect();
            let (accepted_by, of) = (verdicts.iter().filter(|accepts| **accepts).count(), verdicts.len());
            if (1..of).contains(&accepted_by) {
                let known = ways.entry(verdicts).or_default();
                open.push((*known, Undecided { word: word.clone(), accepted_by, of }));
                *known += 1;
            }
        }
        open.sort_by_key(|(known, open)| (*known, (2 * open.accepted_by).abs_diff(open.of)));
        open.into_iter().map(|(_, open)| open).take(TOLD).collect()
    }

    /// Those that would say most about what the answer takes for granted: what to ask about when nothing else is open.
    /// Each of the looser ones is worth a question.
    pub(super) fn doubtful(&self, looser: &[Dfa]) -> Vec<Undecided> {
        let mut asked: Vec<&Word> = Vec::new();
        for looser in looser.iter().map(|dfa| Judge::of(dfa, self.judge.sample)) {
            let decides = |miss: &&Miss| {
                miss.edit != Edit::Digit && looser.accepts(&miss.word) && !self.judge.accepts(&miss.word)
            };
            // What is furthest from what was seen decides most.
            let furthest = self.misses.iter().filter(decides).max_by_key(|miss| self.judge.distance(miss));
            asked.extend(furthest.map(|miss| &miss.word).filter(|word| !asked.contains(word)));
        }
        let mut doubts: Vec<(f64, &Miss)> =
            self.misses.iter().filter_map(|miss| Some((self.judge.doubt(miss)?, miss))).collect();
        doubts.retain(|(doubt, _)| *doubt > LEAST);
        doubts.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.word.cmp(&b.1.word)));
        let mut steps = BTreeSet::new();
        doubts.retain(|(_, miss)| steps.insert((miss.step, miss.edit)));
        let words = asked.into_iter().chain(doubts.into_iter().map(|(_, miss)| &miss.word)).take(TOLD);
        words
            .map(|word| Undecided { word: word.clone(), accepted_by: self.judge.accepts(word).into(), of: 1 })
            .collect()
    }
}

/// How a near miss came about; of several that decide the same the first is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edit {
    /// Another number, beyond those that were seen.
    Number,
    /// Another character of the same kind.
    Other,
    /// A character is missing.
    Shorter,
    /// A character comes twice.
    Longer,
    /// Another digit of a number: numbers are asked about as such, unless answers differ on nothing else.
    Digit,
}

/// A near miss.
struct Miss {
    word: Word,
    edit: Edit,
    /// Where it leaves the string that it came from, and to what, as the answer sees it.
    step: (StateId, Option<StateId>),
    /// The character that is there instead, or twice; or else what comes next.
    letter: Option<Letter>,
    /// What comes before it.
    before: Option<Letter>,
    /// How doubtful another number is, in bits.
    doubt: f64,
}

/// An answer, and where the strings led through it.
struct Judge<'a> {
    dfa: &'a Dfa,
    sample: &'a Sample,
    /// The letter of the answer for each of the sample.
    letters: Vec<Option<Letter>>,
    /// How often accepted strings came by a state, and with which characters they left it.
    visits: BTreeMap<StateId, BTreeMap<Option<Letter>, usize>>,
    /// Steps of all strings, accepted or not.
    known: BTreeSet<(StateId, Option<Letter>)>,
    /// Characters that were tried in the place of another, where and behind which, and whether that was accepted.
    tried: BTreeSet<(StateId, Option<Letter>, Letter, bool)>,
    /// The numbers that were met, by where they begin and how many digits they have, with a word that has one there.
    numbers: BTreeMap<(StateId, usize), (Met, Word, Range<usize>)>,
}

impl<'a> Judge<'a> {
    /// Who has seen no strings.
    fn of(dfa: &'a Dfa, sample: &'a Sample) -> Self {
        let alphabet = sample.alphabet();
        let letters = alphabet.letters().map(|letter| dfa.alphabet().letter_for(alphabet.name(letter))).collect();
        Self {
            dfa,
            sample,
            letters,
            visits: BTreeMap::new(),
            known: BTreeSet::new(),
            tried: BTreeSet::new(),
            numbers: BTreeMap::new(),
        }
    }

    fn new(dfa: &'a Dfa, sample: &'a Sample, given: &Sample) -> Self {
        let mut judge = Self::of(dfa, sample);
        let steps = |judge: &Self, word: &[Letter]| -> Vec<(StateId, Option<Letter>)> {
            let ends = word.iter().copied().map(Some).chain([None]);
            judge.states(word).into_iter().zip(ends).collect()
        };
        for (word, counts) in sample.rows() {
            let taken = steps(&judge, word);
            // What is accepted as a whole is so in each of its places.
            for (at, &(state, letter)) in taken.iter().enumerate().filter(|_| counts.accepted > 0) {
                let before = at.checked_sub(1).map(|before| word[before]);
                judge.tried.extend(letter.map(|letter| (state, before, letter, true)));
            }
            judge.known.extend(taken);
        }
        judge.numbers = judge.met(given);
        let mut rejected: BTreeMap<usize, Vec<&[Letter]>> = BTreeMap::new();
        for (word, _) in sample.rows().filter(|(_, counts)| counts.rejected > 0) {
            rejected.entry(word.len()).or_default().push(word);
        }
        for (word, _) in given.rows().filter(|(_, counts)| counts.accepted > 0) {
            let taken = steps(&judge, word);
            for &(state, letter) in &taken {
                *judge.visits.entry(state).or_default().entry(letter).or_default() += 1;
            }
            for other in rejected.get(&word.len()).into_iter().flatten() {
                let Some((at, letter)) = only_difference(word, other) else { continue };
                let before = at.checked_sub(1).map(|before| word[before]);
                judge.tried.extend(taken.get(at).map(|&(state, _)| (state, before, letter, false)));
            }
        }
        judge
    }

    fn next(&self, state: StateId, letter: Letter) -> Option<StateId> {
        self.dfa.next(state, self.letters[letter.index()]?)
    }

    /// Before each letter and at the end, as far as there is a way.
    fn states(&self, word: &[Letter]) -> Vec<StateId> {
        let mut states = vec![self.dfa.initial()];
        for &letter in word {
            let Some(state) = states.last().and_then(|&state| self.next(state, letter)) else { break };
            states.push(state);
        }
        states
    }

    fn accepts(&self, word: &[Letter]) -> bool {
        let states = self.states(word);
        states.len() == word.len() + 1 && states.last().is_some_and(|&state| self.dfa.is_accepting(state))
    }

    /// How far the character of a near miss is from those that were seen in its place.
    fn distance(&self, miss: &Miss) -> u32 {
        let code = |letter: Letter| self.sample.alphabet().name(letter).chars().next().map_or(0, u32::from);
        let seen = self.visits.get(&miss.step.0).into_iter().flat_map(|seen| seen.keys().flatten());
        let distance = |letter| seen.map(|&seen| code(seen).abs_diff(code(letter))).min();
        miss.letter.and_then(distance).unwrap_or(0)
    }

    /// How doubtful it is what the answer says of a near miss, in bits; nothing if strings went the same way.
    fn doubt(&self, miss: &Miss) -> Option<f64> {
        let (state, to) = miss.step;
        let visits = self.visits.get(&state)?;
        let accepted = self.accepts(&miss.word);
        let is_known = match (miss.edit, miss.letter) {
            (Edit::Number, _) => return Some(miss.doubt),
            (Edit::Digit, _) => return None,
            (Edit::Other, Some(letter)) => {
                visits.contains_key(&miss.letter) || self.tried.contains(&(state, miss.before, letter, accepted))
            }
            _ => self.known.contains(&(state, miss.letter)),
        };
        if is_known {
            return None;
        }
        let count = visits.values().sum::<usize>() as f64;
        // Of the same kind: those that are let through, and those of them that were seen.
        let alike = |letter: &&Letter| self.is_alike(**letter, miss.letter);
        let seen = visits.keys().flatten().filter(alike).count() as f64;
        // Each that was tried in this place with the same outcome leaves less doubt of the others; what was turned away
        // may have been so because of what comes before.
        let tried = self.tried.iter().filter(|(at, before, letter, outcome)| {
            let here = *at == state && *outcome == accepted && (accepted || *before == miss.before);
            here && alike(&letter) && !visits.contains_key(&Some(*letter))
        });
        let tried = tried.count() as f64;
        Some(match miss.edit {
            Edit::Other if accepted => {
                let through = self.sample.alphabet().letters();
                let through = through.filter(|letter| alike(&letter) && self.next(state, *letter) == to).count() as f64;
                count * log2(through / seen.max(1.0)) - PRIOR * (1.0 + 2.0 * tried)
            }
            Edit::Other => -count * log2((seen + 1.0) / seen.max(1.0)) - PRIOR * tried,
            Edit::Number | Edit::Digit => miss.doubt,
            Edit::Shorter | Edit::Longer => -count.min(PRIOR),
        })
    }

    /// All words one edit away from accepted ones that have no label.
    fn near(&self, given: &Sample) -> Vec<Miss> {
        let accepted = given.rows().filter(|(_, counts)| counts.accepted > 0).map(|(word, _)| word);
        let labelled: BTreeSet<&[Letter]> = self.sample.rows().map(|(word, _)| word).collect();
        let letters: Vec<Letter> = self.sample.alphabet().letters().collect();
        let mut misses = Vec::new();
        let mut made = 0;
        for word in accepted.take(EDITED) {
            let states = self.states(word);
            let numbers = self.numbers(word);
            let mut add = |edit: Edit, range: Range<usize>, middle: &[Letter], from: usize, letter: Option<Letter>| {
                let edited: Word =
                    word[..range.start].iter().chain(middle).chain(&word[range.end..]).copied().collect();
                let Some(&state) = states.get(from) else { return };
                if !edited.is_empty() && made < LETTERS && !labelled.contains(&edited[..]) {
                    made += edited.len();
                    let step = (state, letter.and_then(|letter| self.next(state, letter)));
                    let before = from.checked_sub(1).map(|before| word[before]);
                    misses.push(Miss { word: edited, edit, step, letter, before, doubt: 0.0 });
                }
            };
            for (at, &first) in word.iter().enumerate() {
                add(Edit::Shorter, at..at + 1, &[], at, word.get(at + 1).copied());
                add(Edit::Longer, at..at + 1, &[first, first], at + 1, Some(first));
                let number = numbers.iter().find(|number| number.contains(&at));
                for &letter in letters.iter().filter(|&&letter| letter != first && self.is_alike(letter, Some(first))) {
                    let is_open = number.is_none_or(|number| self.is_gap(word, &states, number, at, letter));
                    add(if is_open { Edit::Other } else { Edit::Digit }, at..at + 1, &[letter], at, Some(letter));
                }
            }
        }
        for (&(state, length), (met, base, number)) in &self.numbers {
            let asked = met.asked(10_u32.pow(length as u32) - 1, |value| {
                self.with_number(base, number, value).is_some_and(|word| self.accepts(&word))
            });
            for (value, doubt) in asked {
                let Some(word) = self.with_number(base, number, value) else { continue };
                let (letter, before) = (Some(word[number.start]), number.start.checked_sub(1).map(|at| base[at]));
                let step = (state, letter.and_then(|letter| self.next(state, letter)));
                misses.push(Miss { word, edit: Edit::Number, step, letter, before, doubt });
            }
        }
        misses
    }

    fn is_digit(&self, letter: Letter) -> bool {
        kind(self.sample.alphabet(), letter) == Some(Kind::Digit)
    }

    /// Where there are numbers of a few digits, with no letter beside them.
    fn numbers(&self, word: &[Letter]) -> Vec<Range<usize>> {
        let runs = word.chunk_by(|&a, &b| self.is_digit(a) && self.is_digit(b));
        let placed = runs.scan(0, |at, run| {
            *at += run.len();
            Some(*at - run.len()..*at)
        });
        let is_mark = |at: Option<usize>| {
            at.and_then(|at| word.get(at)).is_none_or(|&letter| kind(self.sample.alphabet(), letter).is_none())
        };
        let alone = |run: &Range<usize>| is_mark(run.start.checked_sub(1)) && is_mark(Some(run.end));
        placed.filter(|run| DIGITS.contains(&run.len()) && self.is_digit(word[run.start]) && alone(run)).collect()
    }

    fn value(&self, digits: &[Letter]) -> u32 {
        let digit = |letter: &Letter| self.sample.alphabet().name(*letter).parse().unwrap_or(0);
        digits.iter().fold(0, |value: u32, letter| value * 10 + digit(letter))
    }

    /// A word with another number of as many digits, if there are letters for these.
    fn with_number(&self, word: &[Letter], number: &Range<usize>, value: u32) -> Option<Word> {
        let digits = format!("{value:0length$}", length = number.len());
        let digits = self.sample.alphabet().read(&digits).ok()?;
        Some(word[..number.start].iter().chain(digits.iter()).chain(&word[number.end..]).copied().collect())
    }

    /// All numbers of accepted words, and those of rejected words that would be accepted with another.
    fn met(&self, given: &Sample) -> BTreeMap<(StateId, usize), (Met, Word, Range<usize>)> {
        let mut all: BTreeMap<(StateId, usize), (Met, Word, Range<usize>)> = BTreeMap::new();
        for (word, _) in given.rows().filter(|(_, counts)| counts.accepted > 0) {
            let states = self.states(word);
            for number in self.numbers(word) {
                let Some(&state) = states.get(number.start) else { continue };
                let place = all.entry((state, number.len()));
                place.or_insert_with(|| (Met::default(), word.to_vec().into(), number)).0.given += 1;
            }
        }
        for (word, counts) in self.sample.rows() {
            let states = self.states(word);
            for number in self.numbers(word) {
                let place = states.get(number.start).and_then(|&state| all.get_mut(&(state, number.len())));
                let Some((met, base, at)) = place else { continue };
                let value = self.value(&word[number.clone()]);
                if counts.accepted > 0 {
                    met.accepted.insert(value);
                } else if self
                    .with_number(word, &number, self.value(&base[at.clone()]))
                    .is_some_and(|w| self.accepts(&w))
                {
                    met.rejected.insert(value);
                }
            }
        }
        all
    }

    /// Whether another digit makes a number that is turned away though it is between two that belong: what is beyond them
    /// is asked about as a number.
    fn is_gap(&self, word: &[Letter], states: &[StateId], number: &Range<usize>, at: usize, digit: Letter) -> bool {
        let place = states.get(number.start).and_then(|&state| self.numbers.get(&(state, number.len())));
        let mut word = word.to_vec();
        word[at] = digit;
        place.is_some_and(|(met, ..)| met.is_between(self.value(&word[number.clone()]))) && !self.accepts(&word)
    }

    /// Whether two characters are of the same kind.
    fn is_alike(&self, a: Letter, b: Option<Letter>) -> bool {
        let kind = |letter: Letter| kind(self.sample.alphabet(), letter);
        b.is_some_and(|b| a == b || kind(a).is_some_and(|a| Some(a) == kind(b)))
    }
}

/// Where a word of the same length has another letter, and which, if it differs in just one.
fn only_difference(word: &[Letter], other: &[Letter]) -> Option<(usize, Letter)> {
    let mut different = (0..word.len()).filter(|&i| word[i] != other[i]);
    let (first, second) = (different.next()?, different.next());
    second.is_none().then_some((first, other[first]))
}

/// What makes letters alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Small,
    Capital,
    Token(Shape),
}

/// Digits, small letters, capitals, tokens of one shape; marks are alike to none.
fn kind(alphabet: &Alphabet, letter: Letter) -> Option<Kind> {
    let name = alphabet.name(letter);
    if alphabet.spelling() == Spelling::Tokens {
        return Shape::of(name).map(Kind::Token);
    }
    match name.chars().next()? {
        '0'..='9' => Some(Kind::Digit),
        c if c.is_lowercase() => Some(Kind::Small),
        c if c.is_uppercase() => Some(Kind::Capital),
        _ => None,
    }
}

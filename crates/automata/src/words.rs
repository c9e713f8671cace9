//! The words of a language themselves: all of them in order, lazily, or some of them drawn at random.

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use rand_core::Rng;

use crate::Word;
use crate::counting::Counts;
use crate::dfa::{Dfa, MISSING};
use crate::ids::{Letter, StateId};

/// The accepted words by length, then letter by letter. The iterator of an infinite language does not end.
///
/// Each word costs its length times the number of letters, whatever the language: a branch is entered only when a
/// word of the length at hand ends in it.
///
/// ```
/// use automata::{Alphabet, Regex, enumerate};
/// let abc = Alphabet::of_chars("abc");
/// let dfa = Regex::parse("(a|b)*cc*", &abc)?.to_dfa()?;
/// let words: Vec<String> = enumerate(&dfa).take(5).map(|word| abc.write(&word)).collect();
/// assert_eq!(words, ["c", "ac", "bc", "cc", "aac"]);
/// # Ok::<(), automata::RegexError>(())
/// ```
#[must_use]
pub fn enumerate(dfa: &Dfa) -> Words {
    enumerate_from(dfa, 0)
}

/// The accepted words of at least `length` letters, as [`enumerate`] lists them.
#[must_use]
pub fn enumerate_from(dfa: &Dfa, length: usize) -> Words {
    let dfa = dfa.trimmed();
    // Without a cycle no word is as long as there are states.
    let last_length = if dfa.is_finite_language() { dfa.len() } else { usize::MAX };
    let state = if dfa.is_empty_language() { Step::Done } else { Step::Length(length) };
    Words { accepted_in: vec![dfa.accepting_set().clone()], last_length, path: Vec::new(), state, dfa }
}

/// The iterator of [`enumerate`].
#[derive(Clone, Debug)]
pub struct Words {
    dfa: Dfa,
    /// `accepted_in[r]`: the states from which some word of exactly r letters is accepted.
    accepted_in: Vec<FixedBitSet>,
    /// Words are at most this long.
    last_length: usize,
    /// The way of the last word: each state but the final one, and the letter taken there.
    path: Vec<(StateId, Letter)>,
    state: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Look for the first word of this length.
    Length(usize),
    /// The last word was this long: look for the next one of its length.
    After(usize),
    Done,
}

impl Words {
    /// Continues the path from `state` with the first word of `rest` letters, which there is.
    fn descend(&mut self, mut state: StateId, rest: usize) {
        for rest in (0..rest).rev() {
            let (letter, next) = self.first_step(state, Letter::new(0), rest).expect("a word of this length");
            self.path.push((state, letter));
            state = next;
        }
    }

    /// The first transition at `from` or a later letter after which `rest` letters can lead to acceptance.
    fn first_step(&self, state: StateId, from: Letter, rest: usize) -> Option<(Letter, StateId)> {
        let row = &self.dfa.row(state.index())[from.index()..];
        let at = row.iter().position(|&next| next != MISSING && self.accepted_in[rest].contains(next as usize))?;
        Some((Letter::new(from.index() + at), StateId::new(row[at] as usize)))
    }

    /// The set of states that accept some word of exactly `length` letters is known from here on.
    fn extend_to(&mut self, length: usize) {
        while self.accepted_in.len() <= length {
            let before = &self.accepted_in[self.accepted_in.len() - 1];
            let mut set = FixedBitSet::with_capacity(self.dfa.len());
            for state in 0..self.dfa.len() {
                let leads = self.dfa.row(state).iter().any(|&next| next != MISSING && before.contains(next as usize));
                set.set(state, leads);
            }
            self.accepted_in.push(set);
        }
    }

    fn word(&self) -> Word {
        self.path.iter().map(|&(_, letter)| letter).collect()
    }
}

impl Iterator for Words {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        loop {
            match self.state {
                Step::Done => return None,
                Step::Length(length) if length > self.last_length => self.state = Step::Done,
                Step::Length(length) => {
                    self.extend_to(length);
                    if self.accepted_in[length].contains(self.dfa.initial().index()) {
                        self.path.clear();
                        self.descend(self.dfa.initial(), length);
                        self.state = Step::After(length);
                        return Some(self.word());
                    }
                    self.state = Step::Length(length + 1);
                }
                Step::After(length) => {
                    // The last letter that can be raised is; what follows it begins anew.
                    while let Some((state, letter)) = self.path.pop() {
                        let rest = length - self.path.len() - 1;
                        let from = letter.index() + 1;
                        if let Some((letter, next)) = self.first_step(state, Letter::new(from), rest) {
                            self.path.push((state, letter));
                            self.descend(next, rest);
                            return Some(self.word());
                        }
                    }
                    self.state = Step::Length(length + 1);
                }
            }
        }
    }
}

/// Draws words exactly uniformly: every accepted word of the chosen lengths is equally likely, also where a letter is a
/// class and stands for several characters.
///
/// ```
/// use automata::{Alphabet, Regex, Sampler};
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
/// let dfa = Regex::parse("[ab]*c+", &Alphabet::of_chars("abc"))?.to_dfa()?;
/// let sampler = Sampler::up_to(&dfa, 20).expect("there are words");
/// let word = sampler.draw(&mut ChaCha8Rng::seed_from_u64(7));
/// assert!(dfa.accepts(&word) && word.len() <= 20);
/// # Ok::<(), automata::RegexError>(())
/// ```
pub struct Sampler {
    dfa: Dfa,
    counts: Counts,
    /// The lengths that have words, each with the number of words of this and the lengths before.
    lengths: Vec<(usize, BigUint)>,
}

impl Sampler {
    /// Over the words of exactly `length` letters; `None` when there are none.
    #[must_use]
    pub fn of_length(dfa: &Dfa, length: usize) -> Option<Self> {
        Self::between(dfa, length, length)
    }

    /// Over the words of at most `depth` letters; `None` when there are none.
    #[must_use]
    pub fn up_to(dfa: &Dfa, depth: usize) -> Option<Self> {
        Self::between(dfa, 0, depth)
    }

    /// Over the words of `shortest` to `longest` letters; `None` when there are none.
    #[must_use]
    pub fn between(dfa: &Dfa, shortest: usize, longest: usize) -> Option<Self> {
        let dfa = dfa.trimmed();
        let counts = Counts::new(&dfa, longest);
        let mut lengths = Vec::new();
        let mut sum = BigUint::zero();
        for length in shortest..=longest {
            let count = counts.get(length, dfa.initial().index());
            if !count.is_zero() {
                sum += count;
                lengths.push((length, sum.clone()));
            }
        }
        (!lengths.is_empty()).then_some(Self { dfa, counts, lengths })
    }

    /// How many words there are to draw from.
    #[must_use]
    pub fn total(&self) -> &BigUint {
        &self.lengths[self.lengths.len() - 1].1
    }

    /// One word. A letter that is a class is as likely as all its characters together.
    pub fn draw(&self, random: &mut impl Rng) -> Word {
        self.draw_with(random).0
    }

    /// One word as text: what [`Sampler::draw`] draws from the same numbers, but of a class any character, each equally
    /// likely.
    pub fn draw_text(&self, random: &mut impl Rng) -> String {
        let (word, chosen) = self.draw_with(random);
        let alphabet = self.dfa.alphabet();
        if chosen.is_empty() {
            return alphabet.write(&word);
        }
        let char_of = |(&letter, &i): (&Letter, &usize)| alphabet.class(letter).nth(i);
        word.iter().zip(&chosen).filter_map(char_of).collect()
    }

    fn draw_with(&self, random: &mut impl Rng) -> (Word, Vec<usize>) {
        let mut rank = uniform_below(self.total(), random);
        let at = self.lengths.partition_point(|(_, sum)| *sum <= rank);
        if at > 0 {
            rank -= &self.lengths[at - 1].1;
        }
        self.word_of_rank(self.lengths[at].0, rank)
    }

    /// One word of exactly `length` letters, all of these equally likely; `None` when there are none to draw from.
    pub fn draw_of_length(&self, length: usize, random: &mut impl Rng) -> Option<Word> {
        self.lengths.binary_search_by_key(&length, |(length, _)| *length).ok()?;
        let rank = uniform_below(self.counts.get(length, self.dfa.initial().index()), random);
        Some(self.word_of_rank(length, rank).0)
    }

    /// The word number `rank`, from 0, among those of `length` letters in alphabetical order; and where letters are
    /// classes, for each letter the number of the character.
    fn word_of_rank(&self, length: usize, mut rank: BigUint) -> (Word, Vec<usize>) {
        let weights = self.dfa.alphabet().weights();
        let mut state = self.dfa.initial().index();
        let mut letters = Vec::with_capacity(length);
        let mut chosen = Vec::new();
        for rest in (0..length).rev() {
            for (letter, &next) in self.dfa.row(state).iter().enumerate().filter(|&(_, &next)| next != MISSING) {
                let count = self.counts.get(rest, next as usize);
                match weights.map(|weights| count * weights[letter]) {
                    None if rank < *count => {}
                    Some(all) if rank < all => {
                        let (which, rest) = (&rank / count, &rank % count);
                        chosen.push(which.to_usize().unwrap_or(0));
                        rank = rest;
                    }
                    all => {
                        rank -= all.as_ref().unwrap_or(count);
                        continue;
                    }
                }
                letters.push(Letter::new(letter));
                state = next as usize;
                break;
            }
        }
        debug_assert_eq!(letters.len(), length, "the rank is below the count");
        (Word::from(letters), chosen)
    }
}

/// A number in 0 … `bound` − 1, each equally likely: as many random bits as the bound has, again until they are below.
fn uniform_below(bound: &BigUint, random: &mut impl Rng) -> BigUint {
    let bits = bound.bits();
    loop {
        let mut digits: Vec<u32> = (0..bits.div_ceil(32)).map(|_| random.next_u32()).collect();
        if let (Some(last), rest @ 1..) = (digits.last_mut(), bits % 32) {
            *last &= (1 << rest) - 1;
        }
        let number = BigUint::new(digits);
        if number < *bound {
            return number;
        }
    }
}

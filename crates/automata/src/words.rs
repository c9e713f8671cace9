//! The words of a language: all of them in order, lazily, or some drawn at random.

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use rand_core::Rng;

use crate::Word;
use crate::count_table::CountTable;
use crate::counting::{GROWTH_LENGTH, Steps};
use crate::dfa::{Dfa, MISSING};
use crate::ids::{Letter, StateId};

/// The accepted words, ordered by length, then letter by letter. For an infinite language the iterator does not end.
///
/// The cost per word is its length times the number of letters, whatever the language: a branch is entered only if
/// it contains a word of the current length.
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
    // Without a cycle, every word is shorter than the number of states.
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
    /// The path of the last word: each state but the final one, and the letter read there.
    path: Vec<(StateId, Letter)>,
    state: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Look for the first word of this length.
    Length(usize),
    /// The last word was this long: look for the next one of this length.
    After(usize),
    Done,
}

impl Words {
    /// Continues the path from `state` with the first word of `rest` letters, which must exist.
    fn descend(&mut self, mut state: StateId, rest: usize) {
        for rest in (0..rest).rev() {
            let (letter, next) = self.first_step(state, Letter::new(0), rest).expect("a word of this length");
            self.path.push((state, letter));
            state = next;
        }
    }

    /// The first transition on `from` or a later letter after which `rest` letters can lead to acceptance.
    fn first_step(&self, state: StateId, from: Letter, rest: usize) -> Option<(Letter, StateId)> {
        let row = &self.dfa.row(state.index())[from.index()..];
        let at = row.iter().position(|&next| next != MISSING && self.accepted_in[rest].contains(next as usize))?;
        Some((Letter::new(from.index() + at), StateId::new(row[at] as usize)))
    }

    /// Computes the sets of states that accept some word of exactly r letters for r up to `length`.
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
                    // Increase the last letter that can be increased, and restart what follows it.
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

/// Draws words exactly uniformly: every accepted word of the chosen lengths is equally likely, even if a letter is a
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
    counts: CountTable,
    shortest: usize,
    longest: usize,
}

/// The words are too long to be drawn, or visit too many states. Draws are exactly uniform, which takes exact counts, and
/// these have as many bits as the words have letters: twice the length takes four times the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sampling words of up to {length} letters from {states} states {reason}; try at most {most} letters")]
pub struct TooLongToDraw {
    /// The requested length.
    pub length: usize,
    /// The number of states that accepted words visit.
    pub states: usize,
    /// The longest length that would fit.
    pub most: usize,
    /// What does not fit.
    pub reason: TooMuch,
}

/// What takes too much of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    /// The counts take too much memory.
    #[error("needs too much memory")]
    Memory,
    /// The counts take too long to add.
    #[error("takes too long, since exact counts have as many digits as words have letters")]
    Time,
}

/// Maximum number of bytes per row of counts if there are many rows.
const LARGEST_ROW: f64 = 4e6;
/// Maximum number of bytes of the whole table, however large its rows.
const LARGEST_TABLE: f64 = 1e9;
/// Maximum number of digits, of 64 bits each, that are added while all rows are computed once: about a second for each draw.
const MOST_DIGITS: f64 = 5e8;

impl Sampler {
    /// Whether words of up to `length` letters can be drawn within about two hundred megabytes and a second for each draw,
    /// estimated from the size of the counts.
    pub fn check(dfa: &Dfa, length: usize) -> Result<(), TooLongToDraw> {
        let dfa = dfa.trimmed();
        let states = dfa.len();
        // Without a cycle, every word is shorter than the number of states.
        let length = if dfa.is_finite_language() { length.min(states) } else { length };
        let steps = Steps::new(&dfa);
        let growth = steps.growth();
        let bits = |length: f64| (length + GROWTH_LENGTH as f64) * growth;
        let too_much = |length: usize| {
            let length = length as f64;
            // A number takes some bytes in addition to its digits.
            let row = states as f64 * (32.0 + bits(length) / 8.0);
            if row > LARGEST_ROW && row * length > LARGEST_TABLE {
                return Some(TooMuch::Memory);
            }
            // Numbers grow evenly, so on average they have half of the digits.
            let digits = steps.len() as f64 * length * bits(length) / 64.0 / 2.0;
            (digits > MOST_DIGITS).then_some(TooMuch::Time)
        };
        let Some(reason) = too_much(length) else { return Ok(()) };
        let (mut most, mut too_long) = (0, length);
        while too_long - most > 1 {
            let middle = most + (too_long - most) / 2;
            if too_much(middle).is_none() { most = middle } else { too_long = middle }
        }
        Err(TooLongToDraw { length, states, most, reason })
    }

    /// Draws from the words of exactly `length` letters; `None` if there are none.
    #[must_use]
    pub fn of_length(dfa: &Dfa, length: usize) -> Option<Self> {
        Self::between(dfa, length, length)
    }

    /// Draws from the words of at most `depth` letters; `None` if there are none.
    #[must_use]
    pub fn up_to(dfa: &Dfa, depth: usize) -> Option<Self> {
        Self::between(dfa, 0, depth)
    }

    /// Draws from the words of `shortest` to `longest` letters; `None` if there are none.
    ///
    /// For long words the counts are not all kept in memory but recomputed for each draw, which is slower.
    #[must_use]
    pub fn between(dfa: &Dfa, shortest: usize, longest: usize) -> Option<Self> {
        let dfa = dfa.trimmed();
        // Without a cycle, every word is shorter than the number of states.
        let longest = if dfa.is_finite_language() { longest.min(dfa.len()) } else { longest };
        let counts = CountTable::new(&dfa, shortest, longest);
        (!counts.total().is_zero()).then_some(Self { dfa, counts, shortest, longest })
    }

    /// The number of words to draw from.
    #[must_use]
    pub fn total(&self) -> &BigUint {
        self.counts.total()
    }

    /// Draws a word. A class is as likely as all its characters together.
    pub fn draw(&self, random: &mut impl Rng) -> Word {
        self.draw_with(random).0
    }

    /// Draws a word as text: the word that [`Sampler::draw`] draws from the same random numbers, with a uniformly
    /// chosen character for each class.
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
        let rank = uniform_below(self.total(), random);
        let mut walk: Option<Walk> = None;
        self.counts.descend_from_rank(&rank, &mut |_, row| match &mut walk {
            Some(walk) => walk.step(&row.counts),
            None if row.before <= rank => walk = Some(Walk::new(&self.dfa, &rank - &row.before)),
            None => {}
        });
        walk.map_or_else(Default::default, |walk| (Word::from(walk.letters), walk.chosen))
    }

    /// Draws a word of exactly `length` letters, uniformly; `None` if there are none.
    pub fn draw_of_length(&self, length: usize, random: &mut impl Rng) -> Option<Word> {
        if !(self.shortest..=self.longest).contains(&length) {
            return None;
        }
        let mut walk: Option<Walk> = None;
        self.counts.descend_from_length(length, &mut |at, row| match &mut walk {
            Some(walk) => walk.step(&row.counts),
            None => {
                let count = &row.counts[self.dfa.initial().index()];
                if at == length && !count.is_zero() {
                    walk = Some(Walk::new(&self.dfa, uniform_below(count, random)));
                }
            }
        });
        walk.map(|walk| Word::from(walk.letters))
    }
}

/// A walk to the word with a given rank, from 0, among those of its length in alphabetical order.
struct Walk<'a> {
    dfa: &'a Dfa,
    state: usize,
    /// The rank among the words with the prefix read so far.
    rank: BigUint,
    letters: Vec<Letter>,
    /// If letters are classes, the index of the chosen character for each letter.
    chosen: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn new(dfa: &'a Dfa, rank: BigUint) -> Self {
        Self { dfa, state: dfa.initial().index(), rank, letters: Vec::new(), chosen: Vec::new() }
    }

    /// Adds a letter; `counts` are the numbers of words that may follow it.
    fn step(&mut self, counts: &[BigUint]) {
        let weights = self.dfa.alphabet().weights();
        for (letter, &next) in self.dfa.row(self.state).iter().enumerate().filter(|&(_, &next)| next != MISSING) {
            let count = &counts[next as usize];
            match weights.map(|weights| count * weights[letter]) {
                None if self.rank < *count => {}
                Some(all) if self.rank < all => {
                    let (which, rest) = (&self.rank / count, &self.rank % count);
                    self.chosen.push(which.to_usize().unwrap_or(0));
                    self.rank = rest;
                }
                all => {
                    self.rank -= all.as_ref().unwrap_or(count);
                    continue;
                }
            }
            self.letters.push(Letter::new(letter));
            self.state = next as usize;
            return;
        }
        debug_assert!(false, "the rank is below the count");
    }
}

/// A uniform number in 0 … `bound` − 1: draws as many random bits as the bound has, until the number is below it.
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

//! What a pattern costs, in bits: to be written down, and to tell the words that were seen once it is known.
//!
//! The first is what keeps patterns short, the second is what keeps them tight. A class of ten digits takes a few bits to
//! write, and then log₂ 10 for each digit that is seen in its place; two digits take more bits to write and one for each
//! that is seen. So a few examples give a loose pattern and many a tight one, and no limit has to be set by hand.

use super::letters::{Letters, Named, Set};
use automata::Class;

/// What it takes to say which kind of node comes next.
pub(super) const NODE: f64 = 3.0;
/// What it takes to say which plan divides the words.
pub(super) const PLAN: f64 = 2.0;
/// A printable character.
pub(super) const CHAR: f64 = 6.6;
/// Which class.
pub(super) const CLASS: f64 = 4.0;
/// Bounds that are so far from each other are seldom meant,
const WIDE: usize = 3;
/// and take so many more bits for each number between them,
const WIDE_BITS: f64 = 2.0;
/// up to so many.
const WIDEST: f64 = 30.0;
/// A class with a name may have so many marks besides.
const MOST_EXTRA: usize = 6;
/// Each gap between digits takes so many bits.
const GAP: f64 = 14.0;
/// It may lack so many that it would have,
const MOST_EXCEPT: usize = 3;
/// which takes so many bits to say, and then each of them.
const EXCEPT: f64 = 1.0;

pub(super) fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// The logarithm of a number of characters.
fn log2_of(x: usize) -> f64 {
    static SMALL: std::sync::LazyLock<[f64; 128]> =
        std::sync::LazyLock::new(|| std::array::from_fn(|x| log2(x as f64)));
    SMALL.get(x).copied().unwrap_or_else(|| log2(x as f64))
}

/// Elias's code of a number from 0.
pub(super) fn number(x: usize) -> f64 {
    f64::from(2 * (x + 1).ilog2() + 1)
}

/// Which of several things it was, each time, when each was so often, and how often each was.
pub(super) fn which(counts: &[usize]) -> f64 {
    let all = counts.iter().sum::<usize>().max(1);
    let one = |&count: &usize| if count == 0 { 0.0 } else { -(count as f64) * log2(count as f64 / all as f64) };
    counts.iter().map(one).sum::<f64>() + 0.5 * counts.len().saturating_sub(1) as f64 * log2(all as f64 + 1.0)
}

/// A class that has all characters seen in a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cover {
    /// What it has of the characters of the examples.
    pub(super) set: Set,
    /// How many characters it has in all.
    pub(super) size: usize,
    pub(super) how: How,
    /// What it has not, though its kind of class does.
    pub(super) except: Set,
    pub(super) bits: f64,
}

/// How a class came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// Just what was seen.
    Seen,
    /// From one character to another.
    Range(char, char),
    /// The class of this number with what was seen besides.
    Named(usize),
}

impl Cover {
    /// What it takes to tell so many characters of it.
    pub(super) fn data(&self, seen: usize) -> f64 {
        seen as f64 * log2_of(self.size)
    }

    /// From one character of a kind to another, without some marks.
    pub(super) fn range(letters: &Letters, kind: &Named, first: char, last: char, without: Set) -> Self {
        let (begin, end) = kind.class.ranges().next().expect("a kind has characters");
        // A range that begins or ends with its kind has only one end to tell.
        let open = usize::from(first != begin) + usize::from(last != end);
        let class = Class::new([(first, last)]);
        let set = letters.within(&class);
        let gone = set.without(set.without(without)).len();
        Self {
            set: set.without(without),
            size: class.len() - gone,
            how: How::Range(first, last),
            except: Set::default(),
            bits: CLASS + 1.0 + log2_of(kind.class.len()) * open as f64,
        }
    }

    /// Whether it has the same characters, however it came about.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.set, self.how, self.except, self.size) == (other.set, other.how, other.except, other.size)
    }

    /// As a class, without some characters.
    pub(super) fn class(&self, letters: &Letters, without: Set) -> Class {
        let all = match self.how {
            How::Seen => letters.class(self.set),
            How::Range(first, last) => Class::new([(first, last)]),
            How::Named(i) => letters.named[i].class.union(&letters.class(self.set)),
        };
        all.difference(&letters.class(without.or(self.except)))
    }

    /// The same without some marks: `[^"]`. Nobody means all letters but one.
    pub(super) fn excluding(mut self, letters: &Letters, marks: Set) -> Option<Self> {
        let gone = self.set.without(self.set.without(marks));
        let few = self.except.or(gone).len() <= MOST_EXCEPT && !gone.meets(letters.alphanumeric);
        if !few || !matches!(self.how, How::Named(_)) {
            return None;
        }
        self.set = self.set.without(gone);
        self.except = self.except.or(gone);
        self.size -= gone.len();
        self.bits += EXCEPT + CHAR * gone.len() as f64;
        Some(self)
    }
}

/// All classes worth a thought for what was seen in a place; marks that may not be there are `without`.
pub(super) fn covers(letters: &Letters, seen: Set, without: Set) -> impl Iterator<Item = Cover> {
    let different = seen.len();
    let home = letters.named.iter().find(|named| seen.is_within(named.set)).map(|named| named.size);
    let each = home.map_or(CHAR, log2_of);
    // Digits are in order: those with gaps between them are seldom meant.
    let gaps = if seen.is_within(letters.numeric) { letters.class(seen).ranges().count().saturating_sub(1) } else { 0 };
    let bits = CLASS + number(different) + each * different as f64 + GAP * gaps as f64;
    let just = Cover { set: seen, size: different, how: How::Seen, except: Set::default(), bits };

    let kind = letters.kinds.iter().find(|kind| different > 1 && seen.is_within(kind.set));
    let ranges = kind.into_iter().flat_map(move |kind| {
        let (begin, end) = kind.class.ranges().next().expect("a kind has characters");
        let ends = seen.first().zip(seen.last()).map(|(first, last)| (letters.char(first), letters.char(last)));
        let (first, last) = ends.expect("two were seen");
        let tried = [(first, last), (begin, last), (first, end)];
        // Words of a language have few letters of some kinds, so that a wide range of letters is seldom meant.
        let most = if kind.class.contains('0') { kind.class.len() } else { kind.class.len() / 2 };
        let narrow = move |(a, b): (char, char)| u32::from(b) - u32::from(a) < most as u32;
        let new = move |i: usize| {
            tried[..i].iter().all(|known| *known != tried[i]) && tried[i] != (begin, end) && narrow(tried[i])
        };
        (0..3).filter(move |&i| new(i)).map(move |i| {
            let (a, b) = tried[i];
            Cover::range(letters, kind, a, b, without)
        })
    });
    let named = letters.named.iter().enumerate().filter_map(move |(i, named)| {
        let extra = seen.without(named.set);
        let more = extra.len();
        if more > MOST_EXTRA || more == different || extra.meets(letters.alphanumeric) {
            return None;
        }
        let gone = named.set.without(named.set.without(without)).len();
        let bits = CLASS + if more == 0 { 0.0 } else { number(more) + CHAR * more as f64 };
        let set = named.set.without(without).or(extra);
        Some(Cover { set, size: named.size - gone + more, how: How::Named(i), except: Set::default(), bits })
    });
    std::iter::once(just).chain(ranges).chain(named)
}

/// The cheapest of these for so many characters, when some must not be in it.
pub(super) fn best_cover(
    letters: &Letters,
    seen: Set,
    count: usize,
    without: Set,
    banned: Set,
    weight: f64,
) -> Option<Cover> {
    if seen.meets(banned) {
        return None;
    }
    let allowed = covers(letters, seen, without).filter_map(|cover| match cover.set.meets(banned) {
        false => Some(cover),
        true => cover.excluding(letters, banned),
    });
    let cost = |cover: &Cover| cover.bits + weight * cover.data(count);
    allowed.min_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// How often something may come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    pub(super) min: usize,
    /// None for any number.
    pub(super) max: Option<usize>,
    pub(super) bits: f64,
    pub(super) data: f64,
}

impl Times {
    pub(super) fn has(&self, count: usize) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}

/// Ways to bound what was counted, and what was asked about besides: within the bounds that were seen, from the least that
/// was seen, from one.
pub(super) fn times(counts: &[usize], told: &[usize]) -> Vec<Times> {
    let many = counts.len() as f64;
    let all = || counts.iter().chain(told).copied();
    let (min, max) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let wide = if max - min >= WIDE { ((max - min) as f64 * WIDE_BITS).min(WIDEST) } else { 0.0 };
    let bits = 1.0 + number(min) + number(max - min) + wide;
    let mut ways = vec![Times { min, max: Some(max), bits, data: many * log2((max - min + 1) as f64) }];
    let open = |min: usize| {
        // Each time there is one more with the same chance, which is that of the mean. Where all are alike that is not believed.
        let mean = counts.iter().map(|&count| (count - min) as f64).sum::<f64>() / many.max(1.0);
        let ends = 1.0 / (1.0 + mean.max(0.5));
        Times { min, max: None, bits: 1.0 + number(min), data: -many * (log2(ends) + mean * log2(1.0 - ends)) }
    };
    if max > 1 || max > min {
        ways.push(open(min));
    }
    if min > 1 {
        ways.push(open(1));
    }
    ways
}

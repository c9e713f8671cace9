//! Classes of characters for what was seen in a place, with the bits to write each down.

use automata::Class;
use serde::{Deserialize, Serialize};

use super::bits::{CHAR, CLASS, log2_of, number};
use super::letters::{Letters, Named, Set};

/// Maximum number of marks that a named class may have besides.
const MOST_EXTRA: usize = 6;
/// Bits of each gap between digits: digits are in order, so a set of them with gaps is seldom meant.
const GAP: f64 = 14.0;
/// Maximum number of characters that a named class may lack.
const MOST_EXCEPT: usize = 3;
/// Bits to say that some are lacking, besides those of each.
const EXCEPT: f64 = 1.0;

/// A class that has all characters seen in a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cover {
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum How {
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

//! What a search has found so far. It belongs to no borrowed word, so a search can be put down and taken up again.
//!
//! Places are looked up by a fingerprint of their words. It has 128 bits, so that two of a million different places share
//! one with a probability below 10⁻²⁶.

use std::collections::HashMap;
use std::sync::Arc;

use super::letters::{Chars, Set};
use super::pattern::Found;
use super::plan::Plan;
use super::words::Words;

/// Plans for the words of a place, those that look cheapest first.
pub(super) type Ranked = Arc<[(f64, Plan)]>;

/// The fingerprint of words and what is asked about them.
pub(super) type Key = u128;

/// Results by the question they answer. They are only looked up, so their order does not matter.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// What was learned of places in this round.
    pub(super) known: HashMap<Key, Option<Found>>,
    /// Places for which some plans were tried.
    pub(super) open: HashMap<Key, Open>,
    /// What plans look like. This does not depend on what is forbidden.
    pub(super) ranked: HashMap<Key, Ranked>,
    /// What parts come to without parts of their own.
    pub(super) rough: HashMap<Key, Option<Found>>,
    /// Number of places learned for the question at hand.
    pub(super) learned: usize,
}

/// A place for which some plans were tried.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Number of plans to try, fixed when the place is begun.
    pub(super) width: usize,
    /// The plan that comes next; none when all were tried.
    pub(super) next: Option<usize>,
    /// Number of plans that led to a pattern.
    pub(super) taken: usize,
    /// The cheapest pattern so far, and whether it has parts one after the other.
    pub(super) best: Option<(Found, bool)>,
}

/// Computes fingerprints: two sums of folded products, after the manner of wyhash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fingerprint(u64, u64);

impl Fingerprint {
    pub(super) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
    }

    pub(super) fn number(mut self, x: u64) -> Self {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            (product as u64) ^ ((product >> 64) as u64)
        };
        self.0 = fold(self.0 ^ x, 0xA076_1D64_78BD_642F).wrapping_add(0xE703_7ED1_A0B4_28DB);
        self.1 = fold(self.1 ^ x.rotate_left(32), 0x8EBC_6AF0_9C88_C6E3).wrapping_add(0x5899_65CC_7537_4CC3);
        self
    }

    pub(super) fn set(self, set: Set) -> Self {
        set.blocks().into_iter().fold(self, Self::number)
    }

    pub(super) fn chars(self, chars: &[Chars]) -> Self {
        chars.iter().fold(self.number(chars.len() as u64), |sum, word| {
            let eight = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            word.chunks(8).map(eight).fold(sum.number(word.len() as u64), Self::number)
        })
    }

    pub(super) fn words(self, words: &Words) -> Self {
        self.chars(words.given()).chars(words.told()).number(words.alone.into())
    }

    pub(super) fn key(self) -> Key {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_tell_words_apart() {
        let of = |words: &[&[u8]]| Fingerprint::new().chars(words).key();
        let all: [&[&[u8]]; 8] =
            [&[], &[b""], &[b"", b""], &[b"ab"], &[b"a", b"b"], &[b"ab", b""], &[b"abcdefgh"], &[b"abcdefg", b"h"]];
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert_eq!(of(a) == of(b), i == j, "{a:?} {b:?}");
            }
        }
    }
}

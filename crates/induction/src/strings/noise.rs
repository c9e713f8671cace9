//! Strings whose labels are doubted.
//!
//! A wrong label makes a pattern dearer: what belongs must be matched, and what does not must be kept out. A label is doubted
//! if leaving the string out saves more bits than naming it as an exception costs. The label that saves most goes first, then
//! the others are looked at again.

use super::bits::{CHAR, log2};
use super::find::{Ended, Strings};
use super::pattern::Found;
use crate::learner::Noise;

/// Bits to say that there is one more exception.
const EXCEPTION: f64 = 10.0;
/// At most one label in this many may be wrong when the rate is unknown.
const SELDOM: usize = 8;
/// When a rate is given, at most this many times as many labels may be wrong.
const SLACK: f64 = 2.0;

/// Maximum number of labels that are doubted.
pub(super) fn most_doubted(strings: &Strings, noise: Noise) -> usize {
    let all = strings.accepted.len() + strings.rejected.len();
    match noise {
        Noise::None => 0,
        Noise::Auto => all / SELDOM,
        Noise::Rate(rate) => (SLACK * rate * all as f64).ceil() as usize,
    }
}

/// The string whose label is most doubtful, if any is: `with` is the pattern of all strings, and for each string that it
/// depends on there is the pattern without it.
pub(super) fn most_doubtful(strings: &Strings, with: &Ended, without: &[Ended]) -> Option<Vec<u8>> {
    let all = strings.accepted.len() + strings.rejected.len();
    let cost = |ended: &Ended| ended.found.first().map_or(f64::MAX, |found: &Found| found.cost(1.0));
    let saved = |word: &Vec<u8>, without: &Ended| {
        // An accepted string has to be spelled out once no pattern has it.
        let spelled = if strings.accepted.contains(word) { CHAR * word.len() as f64 } else { 0.0 };
        cost(with) - cost(without) - EXCEPTION - log2(all as f64) - spelled
    };
    let priced = with.core.iter().zip(without).map(|(word, without)| (saved(word, without), word));
    let best = priced.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.filter(|(saved, _)| *saved > 0.0).map(|(_, word)| word.clone())
}

//! Labels that may be wrong.
//!
//! A label is doubted when everything else is told so much more briefly without it that even to name the string as an
//! exception is cheaper. Of all labels the one that saves most goes first, and then the others are looked at again.

use rayon::prelude::*;

use super::bits::{CHAR, log2};
use super::find::Strings;
use super::search::Stop;
use crate::learner::Noise;

/// What it takes to say that there is one more exception.
const EXCEPTION: f64 = 10.0;
/// One label of so many may be wrong when nobody knows how many are.
const SELDOM: usize = 8;
/// When a rate is told, so many times as many may be.
const SLACK: f64 = 2.0;

/// Takes the strings out whose labels are doubted, and returns them with these, the most doubtful first.
pub(super) fn take_doubted(strings: &mut Strings, noise: Noise, stop: &Stop) -> Vec<(Vec<u8>, bool)> {
    let all = strings.accepted.len() + strings.rejected.len();
    let most = match noise {
        Noise::None => 0,
        Noise::Auto => all / SELDOM,
        Noise::Rate(rate) => (SLACK * rate * all as f64).ceil() as usize,
    };
    let mut doubted = Vec::new();
    while doubted.len() < most && strings.accepted.len() > 1 && !stop() {
        let (found, which) = strings.roughly(None, stop);
        let saved = |word: &Vec<u8>| {
            let is_in = strings.accepted.contains(word);
            // What belongs has to be spelled out once no pattern has it.
            let spelled = if is_in { CHAR * word.len() as f64 } else { 0.0 };
            let (without, _) = strings.roughly(Some(word), stop);
            found.cost(1.0) - without.cost(1.0) - EXCEPTION - log2(all as f64) - spelled
        };
        let priced: Vec<(f64, Vec<u8>)> = which.into_par_iter().map(|word| (saved(&word), word)).collect();
        let best = priced.into_iter().reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, word)) = best.filter(|(saved, _)| *saved > 0.0) else { break };
        let is_in = strings.accepted.contains(&word);
        let list = if is_in { &mut strings.accepted } else { &mut strings.rejected };
        list.retain(|other| *other != word);
        doubted.push((word, is_in));
    }
    doubted
}

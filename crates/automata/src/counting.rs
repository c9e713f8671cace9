//! Exact counts: how many words of each length a language has, and how far two languages overlap up to a length.
//!
//! Words are counted without listing them: the number of words of length i that lead from a state to acceptance is the
//! sum of the numbers for length i − 1 over its successors. The numbers grow by a few bits per letter, so they are big
//! integers.
//!
//! A class counts once per character: the number of dates is the same whether the digits are one letter or ten.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use crate::dfa::{Dfa, MISSING};
use crate::product::combine_to;
use crate::{TooManyStates, over_union};

/// The successors of each state, with the number of letters that lead there, so that parallel transitions cost one
/// addition.
pub(crate) struct Steps {
    /// Sorted by state.
    steps: Vec<(u32, u32, u32)>,
    accepting: Vec<bool>,
}

impl Steps {
    pub(crate) fn new(dfa: &Dfa) -> Self {
        let live = dfa.live_states();
        let is_live = |next: u32| next != MISSING && live.contains(next as usize);
        let mut steps = Vec::new();
        let mut row = Vec::new();
        for from in 0..dfa.len() {
            if let Some(weights) = dfa.alphabet().weights() {
                let mut letters: BTreeMap<u32, u32> = BTreeMap::new();
                for (&next, weight) in dfa.row(from).iter().zip(weights).filter(|&(&next, _)| is_live(next)) {
                    *letters.entry(next).or_default() += weight;
                }
                steps.extend(letters.into_iter().map(|(to, letters)| (from as u32, to, letters)));
                continue;
            }
            row.clear();
            row.extend(dfa.row(from).iter().copied().filter(|&next| is_live(next)));
            row.sort_unstable();
            steps.extend(row.chunk_by(|a, b| a == b).map(|run| (from as u32, run[0], run.len() as u32)));
        }
        Self { steps, accepting: (0..dfa.len()).map(|state| dfa.accepting_set().contains(state)).collect() }
    }

    /// The counts for length 0.
    pub(crate) fn ends(&self) -> Vec<BigUint> {
        self.accepting.iter().map(|&accepting| BigUint::from(u32::from(accepting))).collect()
    }

    /// Computes the counts for the next length.
    pub(crate) fn advance(&self, before: &[BigUint], after: &mut [BigUint]) {
        for count in after.iter_mut() {
            count.set_zero();
        }
        for &(from, to, letters) in &self.steps {
            let (count, sum) = (&before[to as usize], &mut after[from as usize]);
            if letters == 1 { sum.add_assign(count) } else { sum.add_assign(count * letters) }
        }
    }
}

/// Number of letters over which the growth of counts is measured: long enough that a polynomial is told from a power.
pub(crate) const GROWTH_LENGTH: u32 = 1_024;

impl Steps {
    /// The number of transitions that are added for one length.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// How many bits the counts gain per letter: for words of n letters they have at most (n + [`GROWTH_LENGTH`]) times as
    /// many. A path is a chain of paths of that length, so the most of these that begin at a state bound each link.
    pub(crate) fn growth(&self) -> f64 {
        let mut paths = vec![1.0_f64; self.accepting.len()];
        let mut bits = 0.0;
        for _ in 0..GROWTH_LENGTH {
            let mut longer = vec![0.0; paths.len()];
            for &(from, to, letters) in &self.steps {
                longer[from as usize] += f64::from(letters) * paths[to as usize];
            }
            let most = longer.iter().copied().fold(0.0, f64::max);
            if most == 0.0 {
                return 0.0;
            }
            // Divided by the largest, they stay within range.
            longer.iter_mut().for_each(|count| *count /= most);
            bits += most.log2();
            paths = longer;
        }
        bits / f64::from(GROWTH_LENGTH)
    }
}

/// The number of accepted words of length 0, 1, 2 and so on; an infinite iterator.
pub fn counts(dfa: &Dfa) -> impl Iterator<Item = BigUint> + use<> {
    let dfa = dfa.trimmed();
    let steps = Steps::new(&dfa);
    let initial = dfa.initial().index();
    let mut here = steps.ends();
    let mut there = vec![BigUint::zero(); dfa.len()];
    std::iter::from_fn(move || {
        let count = here[initial].clone();
        steps.advance(&here, &mut there);
        std::mem::swap(&mut here, &mut there);
        Some(count)
    })
}

/// The number of accepted words of length 0, 1, …, `depth`.
#[must_use]
pub fn count_by_length(dfa: &Dfa, depth: usize) -> Vec<BigUint> {
    counts(dfa).take(depth.saturating_add(1)).collect()
}

/// The number of accepted words of at most `depth` letters.
#[must_use]
pub fn count_to(dfa: &Dfa, depth: usize) -> BigUint {
    // All words of a finite language are shorter than its number of states, so longer lengths add nothing.
    match cardinality(dfa) {
        Some(all) if depth >= dfa.len() => all,
        _ => counts(dfa).take(depth.saturating_add(1)).sum(),
    }
}

/// The number of words of a finite language, or `None` if it is infinite.
#[must_use]
pub fn cardinality(dfa: &Dfa) -> Option<BigUint> {
    let dfa = dfa.trimmed();
    if dfa.is_empty_language() {
        return Some(BigUint::zero());
    }
    // Backwards from the last state: a state accepts the words of its successors, plus the empty word if it accepts.
    let mut words: Vec<BigUint> = vec![BigUint::zero(); dfa.len()];
    for &state in dfa.forward_order()?.iter().rev() {
        let mut sum = BigUint::from(u32::from(dfa.accepting_set().contains(state)));
        for (letter, &next) in dfa.row(state).iter().enumerate().filter(|&(_, &next)| next != MISSING) {
            match dfa.alphabet().weights() {
                None => sum += &words[next as usize],
                Some(weights) => sum += &words[next as usize] * weights[letter],
            }
        }
        words[state] = sum;
    }
    Some(words.swap_remove(dfa.initial().index()))
}

/// An exact ratio of two counts.
///
/// 0/0 counts as 1, so the recall for an empty truth, the precision of an empty answer and the accuracy of two empty
/// languages are 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// The numerator: the words counted.
    pub part: BigUint,
    /// The denominator: the words they are counted among.
    pub whole: BigUint,
}

impl Ratio {
    /// The nearest floating-point number, up to rounding.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        if self.whole.is_zero() {
            return 1.0;
        }
        // Scale the quotient to an integer of 64 or 65 bits, however large or far apart the counts are, and back.
        let shift = 64 + self.whole.bits() - self.part.bits().min(self.whole.bits());
        let scaled = ((&self.part << shift) / &self.whole).to_f64().unwrap_or(f64::INFINITY);
        // Halving is exact as long as the number is normal; in steps of 2⁻⁶⁴, so that the result may be very small.
        (0..shift / 64).fold(scaled, |value, _| value / 18_446_744_073_709_551_616.0) / (1_u64 << (shift % 64)) as f64
    }

    /// Whether the ratio is exactly 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.part == self.whole
    }
}

/// In lowest terms: `3/4`, `0`, and `1` if the part is the whole.
impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_one() {
            return f.write_str("1");
        }
        if self.part.is_zero() {
            return f.write_str("0");
        }
        let divisor = gcd(self.part.clone(), self.whole.clone());
        write!(f, "{}/{}", &self.part / &divisor, &self.whole / &divisor)
    }
}

fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    if a.is_zero() { BigUint::one() } else { a }
}

/// How far two languages overlap on the words of at most `depth` letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The maximum length of the counted words.
    pub depth: usize,
    /// The number of words in the truth.
    pub truth: BigUint,
    /// The number of words in the answer.
    pub answer: BigUint,
    /// The number of words in both.
    pub both: BigUint,
}

impl Overlap {
    /// The fraction of the truth that is in the answer: |L ∩ L'| / |L|.
    #[must_use]
    pub fn recall(&self) -> Ratio {
        Ratio { part: self.both.clone(), whole: self.truth.clone() }
    }

    /// The fraction of the answer that is in the truth: |L ∩ L'| / |L'|.
    #[must_use]
    pub fn precision(&self) -> Ratio {
        Ratio { part: self.both.clone(), whole: self.answer.clone() }
    }

    /// The fraction of all words in either that are in both: |L ∩ L'| / |L ∪ L'|, the accuracy of the paper.
    #[must_use]
    pub fn accuracy(&self) -> Ratio {
        Ratio { part: self.both.clone(), whole: &self.truth + &self.answer - &self.both }
    }
}

/// Counts how far `answer` and `truth` overlap on words of at most `depth` letters, on the product of the two automata.
///
/// `limit` bounds the number of product states that words of this length reach.
pub fn overlap(truth: &Dfa, answer: &Dfa, depth: usize, limit: usize) -> Result<Overlap, TooManyStates> {
    let (truth, answer) = over_union(truth, answer);
    let both = combine_to(&truth.trimmed(), &answer.trimmed(), depth, limit, |a, b| a && b)?;
    Ok(Overlap {
        depth,
        truth: count_to(&truth, depth),
        answer: count_to(&answer, depth),
        both: count_to(&both, depth),
    })
}

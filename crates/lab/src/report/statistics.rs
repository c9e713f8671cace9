//! Statistics of counts: intervals for rates, and exact tests for pairs.
//!
//! Everything here is a function of small integers. Tests are exact: distributions are built up term by term. A normal
//! distribution is assumed only in Wilson's interval.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::chance::below;

/// The normal distribution has 95 % of its mass within this many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// A number of successes out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// The number of successes.
    pub successes: u64,
    /// The total.
    pub all: u64,
}

impl Rate {
    /// The rate of true outcomes.
    pub fn of(outcomes: impl IntoIterator<Item = bool>) -> Self {
        outcomes.into_iter().fold(Self::default(), |rate, success| Self {
            successes: rate.successes + u64::from(success),
            all: rate.all + 1,
        })
    }

    /// The fraction of successes; `None` if the total is zero.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.all > 0).then(|| self.successes as f64 / self.all as f64)
    }

    /// Wilson's 95 % interval: the rates for which the observed number is within the deviation expected in 95 of 100
    /// cases. The whole range if the total is zero.
    #[must_use]
    pub fn wilson(self) -> (f64, f64) {
        if self.all == 0 {
            return (0.0, 1.0);
        }
        let (n, p) = (self.all as f64, self.successes as f64 / self.all as f64);
        let scale = 1.0 + Z * Z / n;
        let middle = (p + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * libm::sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n));
        // Avoid rounding errors at the ends.
        let low = if self.successes == 0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if self.successes == self.all { 1.0 } else { (middle + half).min(1.0) };
        (low, high)
    }
}

/// The mean; `None` if there are no numbers.
pub fn mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.into_iter().fold((0.0, 0_u64), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// The quantile of sorted numbers, interpolated linearly between neighbours; `None` if there are no numbers.
#[must_use]
pub fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = part.clamp(0.0, 1.0) * last as f64;
    let below = place as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    let part = place - below as f64;
    // Equal neighbours may both be infinite, and an infinite one may not count at all.
    Some(if low == high || part == 0.0 { low } else { low + (high - low) * part })
}

/// McNemar's exact two-sided test: whether, among pairs in which only one succeeded, either is equally likely.
#[must_use]
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    let ones = |count: u64, sign: i64| (0..count).map(move |_| sign);
    sign_test(&ones(only_first, 1).chain(ones(only_second, -1)).collect::<Vec<i64>>())
}

/// The exact two-sided test that differences are symmetric about 0, by flipping their signs.
///
/// Each difference is that of a whole cluster, so outcomes within a cluster need not be independent. The result is the
/// fraction of all choices of signs whose sum is at least as far from 0 as the observed one. If all differences are ±1,
/// this is McNemar's test.
#[must_use]
pub fn sign_test(differences: &[i64]) -> f64 {
    let seen = differences.iter().sum::<i64>().unsigned_abs();
    let reach: usize = differences.iter().map(|difference| difference.unsigned_abs() as usize).sum();
    // likely[i]: the probability that the sum is i - reach.
    let mut likely = vec![0.0; 2 * reach + 1];
    likely[reach] = 1.0;
    let mut so_far = 0;
    for step in differences.iter().map(|difference| difference.unsigned_abs() as usize).filter(|&step| step > 0) {
        let mut next = vec![0.0; likely.len()];
        for place in reach - so_far..=reach + so_far {
            next[place - step] += likely[place] / 2.0;
            next[place + step] += likely[place] / 2.0;
        }
        likely = next;
        so_far += step;
    }
    let far = |place: usize| (place as i64 - reach as i64).unsigned_abs() >= seen;
    likely.iter().enumerate().filter(|(place, _)| far(*place)).map(|(_, likely)| likely).sum::<f64>().min(1.0)
}

/// The same for real differences: by random sampling with a fixed seed if there are too many choices of signs to try
/// all. The observed one is included, so the result is never 0.
#[must_use]
pub fn sign_test_of_means(differences: &[f64]) -> f64 {
    let differences: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let seen = differences.iter().sum::<f64>().abs();
    let far = |sum: f64| sum.abs() >= seen - ROUNDING;
    let signed = |sign: &dyn Fn(usize) -> bool| -> f64 {
        differences.iter().enumerate().map(|(i, difference)| if sign(i) { *difference } else { -difference }).sum()
    };
    if differences.len() <= ALL_SIGNS {
        let ways = 1_u64 << differences.len();
        return (0..ways).filter(|way| far(signed(&|i| way >> i & 1 == 1))).count() as f64 / ways as f64;
    }
    let mut chance = ChaCha8Rng::seed_from_u64(0);
    let far = (0..DRAWS).filter(|_| {
        let bits: Vec<u64> = (0..differences.len().div_ceil(64)).map(|_| chance.next_u64()).collect();
        far(signed(&|i| bits[i / 64] >> (i % 64) & 1 == 1))
    });
    (far.count() + 1) as f64 / (DRAWS + 1) as f64
}

/// A permutation test for a trend: how likely it is that the numbers rise or fall this strongly with a factor by
/// chance. The factor's values are permuted within each stratum, with a fixed seed. Each entry is a stratum, a value of
/// the factor and a number.
///
/// Returns the slope of the numbers minus the mean of their stratum, and the two-sided p-value; `None` if the factor
/// has only one value.
#[must_use]
pub fn trend_test(entries: &[(usize, f64, f64)]) -> Option<(f64, f64)> {
    let strata = entries.iter().map(|(stratum, ..)| stratum + 1).max().unwrap_or(0);
    let mut groups: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); strata];
    for &(stratum, factor, number) in entries {
        groups[stratum].0.push(factor);
        groups[stratum].1.push(number);
    }
    for (factors, numbers) in &mut groups {
        for list in [factors, numbers] {
            let middle = mean(list.iter().copied()).unwrap_or(0.0);
            list.iter_mut().for_each(|number| *number -= middle);
        }
    }
    let spread: f64 = groups.iter().flat_map(|(factors, _)| factors).map(|factor| factor * factor).sum();
    if spread < ROUNDING {
        return None;
    }
    let product = |groups: &[(Vec<f64>, Vec<f64>)]| -> f64 {
        groups.iter().flat_map(|(factors, numbers)| factors.iter().zip(numbers)).map(|(f, n)| f * n).sum()
    };
    let seen = product(&groups);
    let mut chance = ChaCha8Rng::seed_from_u64(0);
    let mut far = 0;
    for _ in 0..DRAWS {
        for (factors, _) in &mut groups {
            for i in (1..factors.len()).rev() {
                factors.swap(i, below(i + 1, &mut chance));
            }
        }
        far += usize::from(product(&groups).abs() >= seen.abs() - ROUNDING);
    }
    Some((seen / spread, (far + 1) as f64 / (DRAWS + 1) as f64))
}

/// Holm's correction: the p-values adjusted for multiple tests, in their order.
#[must_use]
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|&a, &b| ps[a].total_cmp(&ps[b]).then(a.cmp(&b)));
    let mut corrected = vec![0.0; ps.len()];
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        least = least.max((ps[i] * (ps.len() - rank) as f64).min(1.0));
        corrected[i] = least;
    }
    corrected
}

/// Up to this many signs, all choices are tried.
const ALL_SIGNS: usize = 14;
/// Otherwise the number of random choices.
const DRAWS: usize = 9_999;
/// Sums that differ by less are considered equal.
const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    /// Values given by Newcombe (1998) for Wilson's method without correction, and others computed by hand.
    #[test]
    fn wilson_is_as_published() {
        for (successes, all, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (57, 60, 0.8630, 0.9829),
            (5, 5, 0.5655, 1.0),
        ] {
            let (l, h) = Rate { successes, all }.wilson();
            near(l, low, 5e-5);
            near(h, high, 5e-5);
        }
        assert_eq!(Rate::default().wilson(), (0.0, 1.0));
        assert_eq!(Rate::default().share(), None);
    }

    /// Binomial tails that can be computed by hand.
    #[test]
    fn mcnemar_is_the_tail_of_a_fair_coin() {
        assert_eq!(mcnemar(0, 0), 1.0);
        assert_eq!(mcnemar(3, 3), 1.0);
        assert_eq!(mcnemar(5, 0), 2.0 / 32.0);
        assert_eq!(mcnemar(0, 6), 2.0 / 64.0);
        // 2 (1 + 10 + 45) / 1024
        assert_eq!(mcnemar(8, 2), 112.0 / 1024.0);
        assert_eq!(mcnemar(2, 8), mcnemar(8, 2));
        // 2 (1 + 12) / 4096
        assert_eq!(mcnemar(1, 11), 26.0 / 4096.0);
    }

    #[test]
    fn clusters_count_as_wholes() {
        // Five of five discordant pairs in one cluster show no more than one.
        assert_eq!(sign_test(&[5]), 1.0);
        assert_eq!(sign_test(&[5, 5]), 0.5);
        assert_eq!(sign_test(&[0, 0, 0]), 1.0);
        // Of the eight sums ±3 ±2 ±1, six are at least 2 from 0 (6, 4, 2, and their opposites).
        assert_eq!(sign_test(&[3, -2, 1]), 0.75);
        assert_eq!(sign_test(&[3, 2, 1]), 0.25);
    }

    /// ln n!, summed naively.
    fn ln_factorial(n: u64) -> f64 {
        (2..=n).map(|k| libm::log(k as f64)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn mcnemar_by_logarithms(a in 0_u64..300, b in 0_u64..300) {
            let n = a + b;
            let term = |k: u64| {
                libm::exp(ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) - n as f64 * std::f64::consts::LN_2)
            };
            let tail: f64 = (0..=a.min(b)).map(term).sum();
            prop_assert!((mcnemar(a, b) - (2.0 * tail).min(1.0)).abs() < 1e-9);
        }

        #[test]
        fn all_signs_are_tried(differences in prop::collection::vec(-6_i64..7, 0..10)) {
            let seen = differences.iter().sum::<i64>().abs();
            let ways = 1_u32 << differences.len();
            let sum = |way: u32| -> i64 {
                differences.iter().enumerate().map(|(i, d)| if way >> i & 1 == 1 { *d } else { -d }).sum()
            };
            let naive = (0..ways).filter(|&way| sum(way).abs() >= seen).count() as f64 / f64::from(ways);
            prop_assert!((sign_test(&differences) - naive).abs() < 1e-12);
            let numbers: Vec<f64> = differences.iter().map(|&difference| difference as f64).collect();
            prop_assert!((sign_test_of_means(&numbers) - naive).abs() < 1e-12);
        }

        #[test]
        fn wilson_holds_the_rate_and_mirrors(all in 1_u64..2000, part in 0.0_f64..=1.0) {
            let successes = (all as f64 * part) as u64;
            let (low, high) = Rate { successes, all }.wilson();
            let share = successes as f64 / all as f64;
            prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
            let (other_low, other_high) = Rate { successes: all - successes, all }.wilson();
            prop_assert!((low - (1.0 - other_high)).abs() < 1e-12 && (high - (1.0 - other_low)).abs() < 1e-12);
        }
    }

    #[test]
    fn signs_by_chance_are_near_all_signs() {
        let differences: Vec<f64> = (0..40).map(|i| if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let whole: Vec<i64> = differences.iter().map(|&difference| difference as i64).collect();
        near(sign_test_of_means(&differences), sign_test(&whole), 0.02);
    }

    #[test]
    fn a_trend_is_seen_and_none_is_not() {
        let grows: Vec<(usize, f64, f64)> =
            (0..20).map(|i| (i % 2, f64::from(i as u32 / 5), f64::from(i as u32 / 5) * 0.5 + (i % 2) as f64)).collect();
        let (slope, p) = trend_test(&grows).unwrap();
        near(slope, 0.5, 1e-9);
        assert!(p < 0.01);
        let still: Vec<(usize, f64, f64)> = (0..20).map(|i| (0, f64::from(i / 5), 1.0)).collect();
        assert_eq!(trend_test(&still), Some((0.0, 1.0)));
        assert_eq!(trend_test(&[(0, 1.0, 2.0), (0, 1.0, 3.0)]), None);
        assert_eq!(trend_test(&[]), None);
    }

    #[test]
    fn holm_is_as_in_textbooks() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn quantiles_lie_between() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[1.0, 2.0, f64::INFINITY], 0.5), Some(2.0));
        assert_eq!(quantile(&[f64::INFINITY, f64::INFINITY], 0.5), Some(f64::INFINITY));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 3.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 3.0], 1.0), Some(3.0));
    }
}

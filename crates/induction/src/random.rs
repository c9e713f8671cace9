//! Reproducible randomness: numbers from a seed and a stream, without platform-dependent functions.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The random stream with this number for the seed.
#[must_use]
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// A number above 0 and at most 1.
pub(crate) fn uniform(random: &mut impl Rng) -> f64 {
    ((random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// A standard normal variate, by the Box–Muller method.
pub(crate) fn normal(random: &mut impl Rng) -> f64 {
    let radius = (-2.0 * libm::log(uniform(random))).sqrt();
    radius * libm::cos(std::f64::consts::TAU * uniform(random))
}

/// A uniform number below `bound`, which must not be 0.
pub fn below(bound: u64, random: &mut impl Rng) -> u64 {
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        // Rejects the few values that would make some results more likely.
        if product as u64 >= bound.wrapping_neg() % bound {
            return (product >> 64) as u64;
        }
    }
}

/// Shuffles items uniformly.
pub(crate) fn shuffle<T>(items: &mut [T], random: &mut impl Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(i as u64 + 1, random) as usize);
    }
}

/// A Gumbel variate. The item with the largest sum of its score and such a variate is drawn with a probability
/// proportional to the exponential of its score.
pub(crate) fn gumbel(random: &mut impl Rng) -> f64 {
    // Avoids log(1) = 0, which would give an infinite variate.
    let exponential = (-libm::log(uniform(random))).max(f64::MIN_POSITIVE);
    -libm::log(exponential)
}

//! Chance, made the same everywhere: numbers from a seed and a stream, with no function of the platform on the way.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The stream of random numbers with this number that belongs to the seed.
pub(crate) fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// A number above 0 and at most 1.
pub(crate) fn uniform(random: &mut impl Rng) -> f64 {
    ((random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// A number from the standard normal distribution: the method of Box and Muller.
pub(crate) fn normal(random: &mut impl Rng) -> f64 {
    let radius = (-2.0 * libm::log(uniform(random))).sqrt();
    radius * libm::cos(std::f64::consts::TAU * uniform(random))
}

/// A number below `bound`, all equally likely.
pub(crate) fn below(bound: u64, random: &mut impl Rng) -> u64 {
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        // The low half says which of the bound's images of the same upper half this is: the first few are one too many.
        if product as u64 >= bound.wrapping_neg() % bound {
            return (product >> 64) as u64;
        }
    }
}

/// Puts items into an order, all equally likely.
pub(crate) fn shuffle<T>(items: &mut [T], random: &mut impl Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(i as u64 + 1, random) as usize);
    }
}

/// A number from Gumbel's distribution. Whatever has the largest sum of a score and such a number was drawn with a
/// probability in proportion to the exponential of its score.
pub(crate) fn gumbel(random: &mut impl Rng) -> f64 {
    // The logarithm of 1 would be taken for a lucky number without bound.
    let exponential = (-libm::log(uniform(random))).max(f64::MIN_POSITIVE);
    -libm::log(exponential)
}

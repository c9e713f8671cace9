//! Reproducible randomness: numbers from a seed and a stream, without platform-dependent functions.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The random stream with this number for a seed.
pub(crate) fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// A seed for each position in nested lists, so that one seed determines a whole suite.
pub(crate) fn seed_of(seed: u64, place: &[u64]) -> u64 {
    place.iter().fold(seed, |seed, &number| stream(seed, number).next_u64())
}

/// Whether an event with this probability happens.
pub(crate) fn happens(probability: f64, random: &mut impl Rng) -> bool {
    // A number in [0, 1), so that probability 0 never happens and 1 always does.
    let number = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    number < probability
}

/// A uniform number below `bound`, which must not be 0.
pub(crate) fn below(bound: usize, random: &mut impl Rng) -> usize {
    let bound = bound as u64;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        // Reject low halves below 2⁶⁴ mod bound, so that every upper half is equally likely.
        if product as u64 >= bound.wrapping_neg() % bound {
            return (product >> 64) as usize;
        }
    }
}

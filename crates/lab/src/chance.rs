//! Chance, made the same everywhere: numbers from a seed and a stream, with no function of the platform on the way.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The stream of random numbers with this number that belongs to the seed.
pub(crate) fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// A seed for each place in a list of lists, so that one seed makes a whole suite.
pub(crate) fn seed_of(seed: u64, place: &[u64]) -> u64 {
    place.iter().fold(seed, |seed, &number| stream(seed, number).next_u64())
}

/// Whether an event of this probability happens.
pub(crate) fn happens(probability: f64, random: &mut impl Rng) -> bool {
    // A number of at least 0 and below 1, so that 0 never happens and 1 always does.
    let number = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    number < probability
}

/// A number below `bound`, which is not 0, all equally likely.
pub(crate) fn below(bound: usize, random: &mut impl Rng) -> usize {
    let bound = bound as u64;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        // The low half says which of the bound's images of the same upper half this is: the first few are one too many.
        if product as u64 >= bound.wrapping_neg() % bound {
            return (product >> 64) as usize;
        }
    }
}

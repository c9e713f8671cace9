//! Reproducible randomness: the streams of `induction`, and what only languages and examples need.

pub(crate) use induction::random::stream;
use rand_core::Rng;

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
    induction::random::below(bound as u64, random) as usize
}

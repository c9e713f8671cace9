//! Random languages and the brute force that they are checked against.
#![allow(dead_code, reason = "each test file uses its part")]

use automata::{Alphabet, Dfa, Regex};
use proptest::prelude::*;

/// All words to a length, as the crate below lists them for its own tests.
#[path = "../../../automata/tests/common/mod.rs"]
mod languages;

pub(crate) use languages::all_words;

/// Automata of up to six states, complete or with holes, over one to three letters.
pub(crate) fn dfa() -> impl Strategy<Value = Dfa> {
    (1..=6_usize, 1..=3_usize, 0..=2_u32).prop_flat_map(|(states, letters, hole)| {
        let next = prop_oneof![3 => (0..states).prop_map(Some), hole => Just(None)];
        (
            prop::collection::vec(prop::collection::vec(next, letters), states),
            prop::collection::vec(any::<bool>(), states),
        )
            .prop_map(move |(rows, accepts)| {
                let accepting = (0..accepts.len()).filter(|&q| accepts[q]);
                Dfa::new(Alphabet::of_chars(&"abc"[..letters]), 0, accepting, &rows).unwrap()
            })
    })
}

/// The language of an expression over these letters.
pub(crate) fn language(pattern: &str, letters: &str) -> Dfa {
    Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap()
}

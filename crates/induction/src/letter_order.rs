//! An order of letters that depends on how the examples use them, not on their names.
//!
//! Searches with a budget try one letter before another, and what they find may depend on it. If letters are renamed, they
//! should find the same languages, renamed. So such a search goes through the letters in this order. Only letters that
//! stand in the same places of words with the same labels keep the order of their names.

use automata::Letter;

use crate::sample::Sample;

/// All letters, the most frequent first.
pub(crate) fn letters_by_use(sample: &Sample) -> Vec<Letter> {
    let letters = sample.alphabet().letters();
    let mut uses = vec![(0_u64, 0_u64); letters.len()];
    for (word, counts) in sample.rows() {
        for (at, letter) in word.iter().enumerate() {
            let place = [u64::from(counts.accepted), u64::from(counts.rejected), word.len() as u64, at as u64];
            let (times, places) = &mut uses[letter.index()];
            *times += 1;
            // A sum, because the order of words depends on the names of letters.
            *places = places.wrapping_add(place.into_iter().fold(0, mixed));
        }
    }
    let mut letters: Vec<Letter> = letters.collect();
    letters.sort_by_key(|letter| {
        let (times, places) = uses[letter.index()];
        (std::cmp::Reverse(times), places)
    });
    letters
}

/// Two numbers as one that almost certainly differs for others (the finaliser of SplitMix64).
fn mixed(hash: u64, number: u64) -> u64 {
    let mut z = (hash ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label};

    use super::*;

    fn in_order(accepted: &[&str], rejected: &[&str]) -> String {
        let alphabet = Alphabet::of_chars("abc");
        let labelled = accepted.iter().map(|word| (word, Label::Accepted));
        let rows = labelled.chain(rejected.iter().map(|word| (word, Label::Rejected)));
        let rows = rows.map(|(word, label)| (alphabet.read(word).unwrap(), label));
        let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
        letters_by_use(&sample).iter().map(|&letter| alphabet.name(letter)).collect()
    }

    #[test]
    fn names_do_not_matter() {
        assert_eq!(in_order(&["ab", "bcb"], &["c", "b"]), "bca");
        assert_eq!(in_order(&["bc", "cac"], &["a", "c"]), "cab");
        // As often, but in other places.
        let (one, other) = (in_order(&["ab"], &["ba", "c"]), in_order(&["ba"], &["ab", "c"]));
        assert_eq!(one.replace('a', "x").replace('b', "a").replace('x', "b"), other);
    }
}

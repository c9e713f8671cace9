//! Answers tested on words that the learner has not seen.
//!
//! Fresh words are drawn like the examples. In languages where nearly all words of a label look alike, most of them are
//! easy. Pairs of words one edit apart, of which one is in the language, are all on its border.

use std::collections::BTreeSet;

use automata::{Alphabet, Dfa, Letter, Word};

use super::drawn::{Drawn, balanced, walks, words_seed};
use crate::languages::Target;
use crate::pairs;
use crate::record::Tested;
use crate::spec::{Spec, Words};

/// Number of fresh words, and of pairs.
const FRESH: usize = 2_000;
const PAIRS: usize = 1_000;
/// The examples are drawn from the streams 0 and 1.
const FRESH_STREAM: u64 = 2;
const PAIRS_STREAM: u64 = 4;

/// The test of an answer, for draws that have one.
pub(super) fn test(spec: &Spec, target: &Target, drawn: &Drawn, answer: &Dfa) -> Option<Tested> {
    let truth = &target.dfa;
    let answer = &Reader::new(answer, truth.alphabet());
    let shortest = match spec.draw.words {
        Words::Balanced { shortest, .. } => shortest,
        Words::Walks { count, .. } => return Some(score(truth, answer, &walks(spec, target, count).ok()?.tests)),
        _ => return None,
    };
    let (seed, lengths) = (words_seed(spec, target), shortest..=spec.draw.depth);
    // The examples have the letters that occur in them, which may not be all.
    let seen = drawn.examples.alphabet().embedding(truth.alphabet());
    let translate = |word: &[Letter]| word.iter().map(|&letter| seen.of(letter)[0]).collect::<Word>();
    let taken: BTreeSet<Word> = drawn.examples.iter().map(|(word, _)| translate(word)).collect();
    let fresh = balanced(truth, lengths.clone(), FRESH, &taken, seed, FRESH_STREAM);
    let pairs = pairs::draw(truth, lengths, PAIRS, &taken, seed, PAIRS_STREAM);
    let is_right = |word: &Word| answer.accepts(word) == truth.accepts(word);
    let right_in_pairs = pairs.iter().flat_map(|pair| [&pair.accepted, &pair.rejected]).filter(|word| is_right(word));
    let pairs_accuracy = right_in_pairs.count() as f64 / (2 * pairs.len()) as f64;
    Some(Tested {
        pairs: pairs.len() as u64,
        pairs_accuracy: (!pairs.is_empty()).then_some(pairs_accuracy),
        ..score(truth, answer, &fresh)
    })
}

/// The scores on fresh words alone.
fn score<'a>(truth: &Dfa, answer: &Reader, words: impl IntoIterator<Item = &'a Word>) -> Tested {
    // Words that are labelled correctly, and all, by label.
    let (mut right, mut all) = ([0_u64; 2], [0_u64; 2]);
    for word in words {
        let label = truth.accepts(word);
        all[usize::from(label)] += 1;
        right[usize::from(label)] += u64::from(answer.accepts(word) == label);
    }
    let share = |right: u64, all: u64| if all == 0 { 1.0 } else { right as f64 / all as f64 };
    let [rejected, accepted] = [share(right[0], all[0]), share(right[1], all[1])];
    let sum = rejected + accepted;
    Tested {
        fresh_words: all.iter().sum(),
        fresh_accuracy: share(right.iter().sum(), all.iter().sum()),
        balanced_rate: if sum == 0.0 { 0.0 } else { 2.0 * rejected * accepted / sum },
        pairs: 0,
        pairs_accuracy: None,
    }
}

/// An answer that reads words over the letters of the truth. Its own letters may be fewer, or classes.
struct Reader {
    dfa: Dfa,
    /// The letter of the automaton for each letter of the truth.
    letters: Vec<Letter>,
}

impl Reader {
    fn new(answer: &Dfa, letters: &Alphabet) -> Self {
        let union = answer.alphabet().union(letters);
        let embedding = letters.embedding(&union);
        let letters = letters.letters().map(|letter| embedding.of(letter)[0]).collect();
        Self { dfa: answer.over(&union), letters }
    }

    fn accepts(&self, word: &[Letter]) -> bool {
        let word: Vec<Letter> = word.iter().map(|letter| self.letters[letter.index()]).collect();
        self.dfa.accepts(&word)
    }
}

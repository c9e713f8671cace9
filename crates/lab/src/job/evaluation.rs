//! Comparison of an answer with the truth, by counting.

use automata::{BigUint, DEFAULT_STATE_LIMIT, Dfa, Ratio, TooManyStates, count_by_length, intersection, overlap};

use crate::record::{ByLength, Evaluation, Share};

/// Maximum number of pairs of states to visit.
const PAIRS: usize = 10 * DEFAULT_STATE_LIMIT;

/// Over all words of at most `depth` letters.
pub(super) fn to_depth(truth: &Dfa, answer: &Dfa, depth: usize) -> Result<Evaluation, TooManyStates> {
    let overlap = overlap(truth, answer, depth, PAIRS)?;
    Ok(Evaluation {
        depth,
        recall: Share::from(&overlap.recall()),
        precision: Share::from(&overlap.precision()),
        accuracy: Share::from(&overlap.accuracy()),
    })
}

/// Length by length; both automata are over the same letters.
pub(super) fn by_length(truth: &Dfa, answer: &Dfa, depth: usize) -> Result<ByLength, TooManyStates> {
    let both = intersection(&truth.trimmed(), &answer.trimmed(), DEFAULT_STATE_LIMIT)?;
    let [both, truth_counts, answer] = [&both, truth, answer].map(|dfa| count_by_length(dfa, depth));
    let letters = BigUint::from(truth.alphabet().len());
    let mut all = BigUint::from(1_u32);
    let (mut accuracy, mut recall, mut specificity) = (Vec::new(), Vec::new(), Vec::new());
    for ((both, truth), answer) in both.iter().zip(&truth_counts).zip(&answer) {
        let either = truth + answer - both;
        accuracy.push(part(both.clone(), either.clone()));
        recall.push(part(both.clone(), truth.clone()));
        specificity.push(part(&all - either, &all - truth));
        all *= &letters;
    }
    let mean_accuracy = mean(&accuracy).unwrap_or(1.0);
    let halves = [mean(&recall), mean(&specificity)];
    let balanced_accuracy = mean(&halves).unwrap_or(1.0);
    Ok(ByLength { depth, accuracy, recall, specificity, mean_accuracy, balanced_accuracy })
}

fn part(part: BigUint, whole: BigUint) -> Option<f64> {
    (whole != BigUint::ZERO).then(|| Ratio { part, whole }.to_f64())
}

/// The mean of the values that are present.
fn mean(numbers: &[Option<f64>]) -> Option<f64> {
    let there: Vec<f64> = numbers.iter().copied().flatten().collect();
    (!there.is_empty()).then(|| there.iter().sum::<f64>() / there.len() as f64)
}

#[cfg(test)]
mod tests {
    use automata::Word;
    use proptest::prelude::*;

    use super::*;
    use crate::dfas::random_dfa;

    /// All words of this length.
    fn words(dfa: &Dfa, length: usize) -> Vec<Word> {
        let letters: Vec<_> = dfa.alphabet().letters().collect();
        let mut words = vec![Word::empty()];
        for _ in 0..length {
            let longer =
                |word: &Word| letters.iter().map(|&c| word.iter().copied().chain([c]).collect()).collect::<Vec<Word>>();
            words = words.iter().flat_map(longer).collect();
        }
        words
    }

    fn naive(part: usize, whole: usize) -> Option<f64> {
        (whole > 0).then(|| part as f64 / whole as f64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn counts_are_those_of_all_words(a in 0_u64..1000, b in 0_u64..1000, states in 1_usize..6, depth in 1_usize..6) {
            let (truth, answer) = (random_dfa(states, 2, a), random_dfa(states + 1, 2, b));
            let counted = by_length(&truth, &answer, depth).unwrap();
            prop_assert_eq!(counted.accuracy.len(), depth + 1);
            let (mut both_to, mut either_to) = (0, 0);
            for length in 0..=depth {
                let said: Vec<(bool, bool)> = words(&truth, length).iter().map(|w| (truth.accepts(w), answer.accepts(w))).collect();
                let count = |kind: &dyn Fn(bool, bool) -> bool| said.iter().filter(|(t, a)| kind(*t, *a)).count();
                let (both, either) = (count(&|t, a| t && a), count(&|t, a| t || a));
                (both_to, either_to) = (both_to + both, either_to + either);
                prop_assert_eq!(counted.accuracy[length], naive(both, either));
                prop_assert_eq!(counted.recall[length], naive(both, count(&|t, _| t)));
                prop_assert_eq!(counted.specificity[length], naive(count(&|t, a| !t && !a), count(&|t, _| !t)));
            }
            let accuracy = to_depth(&truth, &answer, depth).unwrap().accuracy.value;
            prop_assert_eq!(accuracy, naive(both_to, either_to).unwrap_or(1.0));
            let there: Vec<f64> = counted.accuracy.iter().copied().flatten().collect();
            let expected = if there.is_empty() { 1.0 } else { there.iter().sum::<f64>() / there.len() as f64 };
            prop_assert!((counted.mean_accuracy - expected).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&counted.balanced_accuracy));
        }
    }

    #[test]
    fn the_truth_is_perfect() {
        let truth = random_dfa(5, 3, 1);
        let counted = by_length(&truth, &truth, 30).unwrap();
        assert_eq!((counted.mean_accuracy, counted.balanced_accuracy), (1.0, 1.0));
    }
}

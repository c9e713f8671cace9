//! An answer held against the truth, by counting.

use automata::{BigUint, DEFAULT_STATE_LIMIT, Dfa, Ratio, TooManyStates, count_by_length, intersection, overlap};

use crate::record::{ByLength, Evaluation, Share};

/// How many states of the two automata together may be looked at.
const PAIRS: usize = 10 * DEFAULT_STATE_LIMIT;

/// Over all words of at most so many letters.
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

/// The mean of those that are there.
fn mean(numbers: &[Option<f64>]) -> Option<f64> {
    let there: Vec<f64> = numbers.iter().copied().flatten().collect();
    (!there.is_empty()).then(|| there.iter().sum::<f64>() / there.len() as f64)
}

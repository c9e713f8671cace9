//! Scores and tests of merges if labels are wrong at a rate η.
//!
//! A correct label is that of its state. So among the labels that a correct merge brings together, about a share η contradicts
//! the majority, while labels of unrelated states contradict each other half of the time. This gives
//!
//! - the *score* of a merge with a agreeing and d contradicting labels: a·log₂ 2(1 − η) + d·log₂ 2η, the log-likelihood
//!   ratio, in bits, of the states being one against being unrelated;
//! - the *test* whether it is allowed: by Chernoff's bound, η alone explains d or more contradictions among n labels with a
//!   probability of at most 2^(−n·KL(d/n ‖ η)), where KL is the divergence of the two rates in bits. If that is too small,
//!   the merge is refused. The test applies to all labels of the merge, and to those of each red state separately, so that
//!   clear contradictions in one state are not hidden by agreement elsewhere.
//!
//! With η = 0 the score is a, and a single contradiction refuses the merge at once: the strict rule.

use super::fold::{Evidence, Labels};

/// Maximum surprise of a merge, in bits: a correct one is refused at most once in eight times. With 6 bits almost as
/// many languages were found; without the test, few, because states that only look alike are merged.
const MOST_BITS: f64 = 3.0;
/// The same for one red state. There are many, so each gets a higher limit.
const MOST_BITS_OF_ONE: f64 = 8.0;

/// The rate at which labels are wrong.
#[derive(Clone, Copy)]
pub(super) struct Noise {
    rate: f64,
    /// Value of an agreeing and of a contradicting label.
    agreement: f64,
    contradiction: f64,
}

impl Noise {
    pub(super) fn new(rate: f64) -> Self {
        let rate = if rate > 0.0 { rate.min(0.5) } else { 0.0 };
        // Without noise there are no contradictions, and infinity times zero would be NaN.
        let contradiction = if rate > 0.0 { libm::log2(2.0 * rate) } else { 0.0 };
        Self { rate, agreement: libm::log2(2.0 * (1.0 - rate)), contradiction }
    }

    /// Upper bound on the score of a merge that compares this many labels.
    pub(super) fn bound(self, labels: u32) -> f64 {
        f64::from(labels) * self.agreement
    }

    /// The score of a merge; `None` if it is refused. `red` gives the labels of red states before and after it.
    pub(super) fn score(self, evidence: Evidence, red: impl FnOnce() -> Vec<(Labels, Labels)>) -> Option<f64> {
        let Evidence { agreeing, contradicting } = evidence;
        let score = f64::from(agreeing) * self.agreement + f64::from(contradicting) * self.contradiction;
        if self.rate == 0.0 {
            return (contradicting == 0).then_some(score);
        }
        let refused = self.surprise(contradicting, agreeing + contradicting) > MOST_BITS
            || red().into_iter().any(|(before, after)| self.surprise_at(before, after) > MOST_BITS_OF_ONE);
        (!refused).then_some(score)
    }

    /// The surprise at a red state: the larger of that at its new labels and that at the added ones.
    fn surprise_at(self, before: Labels, after: Labels) -> f64 {
        let added = after.without(before);
        let contradicting = after.minority() - before.minority() - added.minority();
        let compared = before.total().min(added.total());
        self.surprise(after.minority(), after.total()).max(self.surprise(contradicting, compared))
    }

    /// The surprise of this many wrong labels, in bits: at most the negative logarithm of the probability of as many or
    /// more.
    fn surprise(self, wrong: u32, labels: u32) -> f64 {
        let (wrong, labels) = (f64::from(wrong), f64::from(labels));
        if wrong <= self.rate * labels {
            return 0.0;
        }
        let part = |count: f64, rate: f64| if count > 0.0 { count * libm::log2(count / (labels * rate)) } else { 0.0 };
        part(wrong, self.rate) + part(labels - wrong, 1.0 - self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of `least` or more wrong labels out of `labels`, by Pascal's triangle.
    fn tail(least: usize, labels: usize, rate: f64) -> f64 {
        let mut chances = vec![1.0];
        for _ in 0..labels {
            let mut next = vec![0.0; chances.len() + 1];
            for (wrong, chance) in chances.iter().enumerate() {
                next[wrong] += chance * (1.0 - rate);
                next[wrong + 1] += chance * rate;
            }
            chances = next;
        }
        chances[least..].iter().sum()
    }

    #[test]
    fn surprise_is_no_more_than_the_truth() {
        for rate in [0.01, 0.1, 0.3, 0.5] {
            for labels in 0..40 {
                let surprise = |wrong: usize| Noise::new(rate).surprise(wrong as u32, labels as u32);
                for wrong in 0..=labels {
                    let bits = -tail(wrong, labels, rate).log2();
                    assert!(surprise(wrong) <= bits + 1e-9, "{wrong} of {labels} at {rate}");
                    assert!(wrong == 0 || surprise(wrong - 1) <= surprise(wrong));
                    // The bound is tight: Chernoff loses less than the square root of 8n.
                    assert!(bits <= surprise(wrong) + 1.0 + (8.0 * (labels as f64 + 1.0)).sqrt().log2());
                }
            }
        }
    }

    #[test]
    fn without_noise_the_score_is_what_agrees() {
        for rate in [0.0, -1.0, f64::NAN] {
            let strict = Noise::new(rate);
            assert_eq!(strict.score(Evidence { agreeing: 7, contradicting: 0 }, Vec::new), Some(7.0));
            assert_eq!(strict.score(Evidence { agreeing: 7, contradicting: 1 }, Vec::new), None);
            assert_eq!(strict.bound(9).to_bits(), 9.0_f64.to_bits());
        }
        // At a rate of one half, labels are no evidence.
        let chance = Noise::new(0.7);
        assert_eq!(chance.score(Evidence { agreeing: 20, contradicting: 20 }, Vec::new), Some(0.0));
    }
}

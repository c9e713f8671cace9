//! The training loss, BCE + β S + γ U, each term with its derivative.
//!
//! The prediction loss rewards correct answers; sharpening pushes every belief to 0 or 1, so that productions can be
//! read off; production use keeps productions few.

use super::{Layout, Weights};

/// The prediction loss of one output o: p f(o) + q f(1 − o), for a word accepted with weight p and rejected with q.
///
/// f is −ln, continued below the slope bound ε by its tangent there. This keeps the loss and gradient of a confident
/// mistake finite, even where rounding or a missing clamp takes o beyond 1.
pub(super) fn cross_entropy_forward(o: f64, accepted: f64, rejected: f64, slope_bound: f64) -> f64 {
    let f = |x: f64| {
        if x < slope_bound { (slope_bound - x) / slope_bound - libm::log(slope_bound) } else { -libm::log(x) }
    };
    accepted * f(o) + rejected * f(1.0 - o)
}

/// Its derivative with respect to o, from f'(x) = −1 / max(x, ε).
pub(super) fn cross_entropy_backward(o: f64, accepted: f64, rejected: f64, slope_bound: f64) -> f64 {
    let slope = |x: f64| -1.0 / x.max(slope_bound);
    accepted * slope(o) - rejected * slope(1.0 - o)
}

/// The sharpening loss S: the mean of S(e) = 1 − (2e − 1)² over all productions.
pub(super) fn sharpening_forward(layout: Layout, weights: &Weights) -> f64 {
    let one = |e: f64| 1.0 - (2.0 * e - 1.0) * (2.0 * e - 1.0);
    weights.productions(layout.shape()).map(one).sum::<f64>() / layout.entries() as f64
}

/// Adds β times the gradient of S: S'(e) = −4 (2e − 1).
pub(super) fn sharpening_backward(d_weights: &mut Weights, beta: f64, layout: Layout, weights: &Weights) {
    let share = beta / layout.entries() as f64;
    for (d, e) in d_weights.productions_mut(layout.shape()).zip(weights.productions(layout.shape())) {
        *d -= share * 4.0 * (2.0 * e - 1.0);
    }
}

/// The production-use loss U: the mean of all productions' beliefs.
pub(super) fn production_use_forward(layout: Layout, weights: &Weights) -> f64 {
    weights.productions(layout.shape()).sum::<f64>() / layout.entries() as f64
}

/// Adds γ times the gradient of U, which is the same for every production.
pub(super) fn production_use_backward(d_weights: &mut Weights, gamma: f64, layout: Layout) {
    let share = gamma / layout.entries() as f64;
    d_weights.productions_mut(layout.shape()).for_each(|d| *d += share);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_bound_the_logarithm_goes_on_as_its_tangent() {
        let bound = 0.25;
        let f = |x| cross_entropy_forward(x, 1.0, 0.0, bound);
        assert_eq!(f(0.5), -libm::log(0.5));
        assert_eq!(f(bound), -libm::log(bound));
        assert_eq!(f(0.0), 1.0 - libm::log(bound));
        assert_eq!(f(-0.25), 2.0 - libm::log(bound));
        assert_eq!(cross_entropy_backward(0.5, 1.0, 0.0, bound), -2.0);
        assert_eq!(cross_entropy_backward(bound, 1.0, 0.0, bound), -4.0);
        assert_eq!(cross_entropy_backward(-3.0, 1.0, 0.0, bound), -4.0);
    }

    #[test]
    fn rejection_is_acceptance_of_the_opposite() {
        for o in [0.0, 0.1, 0.5, 1.0, 1.5] {
            assert_eq!(cross_entropy_forward(o, 0.0, 3.0, 0.2), cross_entropy_forward(1.0 - o, 3.0, 0.0, 0.2));
            assert_eq!(cross_entropy_backward(o, 0.0, 3.0, 0.2), -cross_entropy_backward(1.0 - o, 3.0, 0.0, 0.2));
        }
    }
}

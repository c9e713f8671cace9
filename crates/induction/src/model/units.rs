//! The paper's units, each with its derivative.
//!
//! A unit is a pair of functions on plain slices. `…_forward` computes the result from the inputs; `…_backward` takes
//! the gradient of the loss with respect to the result and adds to the gradients of the inputs, because a production is
//! used at many letters of many words. `d_x` is the gradient with respect to `x`, `c` the letter's index: the paper's
//! one-hot `v_i` only selects a column, so it is never materialised.
//!
//! `z` is the sum a grammar unit computes, `u` its value after the clamp. Without the clamp, `u` is `z`.

/// Terminal Grammar Unit: z = σ(P_T) v_1.
pub(super) fn terminal_forward(
    z: &mut [f64],    // [n']
    terminal: &[f64], // [t][n']
    c: usize,
) {
    let n = z.len();
    z.copy_from_slice(&terminal[c * n..][..n]);
}

/// Terminal Grammar Unit, backward.
pub(super) fn terminal_backward(
    d_terminal: &mut [f64], // [t][n']
    d_z: &[f64],            // [n']
    c: usize,
) {
    let n = d_z.len();
    for k in 0..n {
        d_terminal[c * n + k] += d_z[k];
    }
}

/// Non-terminal Grammar Unit: z_k = (σ(P_N^k) v_{i+1})ᵀ u_i.
pub(super) fn nonterminal_forward(
    z: &mut [f64], // [n']
    step: &[f64],  // [t][n'][n']
    u: &[f64],     // [n']
    c: usize,
) {
    let n = u.len();
    for k in 0..n {
        let row = &step[(c * n + k) * n..][..n];
        z[k] = row.iter().zip(u).map(|(e, u)| e * u).sum();
    }
}

/// Non-terminal Grammar Unit, backward.
pub(super) fn nonterminal_backward(
    d_step: &mut [f64], // [t][n'][n']
    d_u: &mut [f64],    // [n']
    d_z: &[f64],        // [n']
    step: &[f64],       // [t][n'][n']
    u: &[f64],          // [n']
    c: usize,
) {
    let n = u.len();
    for (k, d_z) in d_z.iter().enumerate() {
        for i in 0..n {
            let at = (c * n + k) * n + i;
            d_step[at] += d_z * u[i];
            d_u[i] += d_z * step[at];
        }
    }
}

/// Clamp, in place: u = min(1, z). The paper's lower bound of 0 is omitted: sums of products of beliefs are never
/// negative.
pub(super) fn clamp_forward(z: &mut [f64], // [n'], becomes u
) {
    for z in z {
        *z = z.min(1.0);
    }
}

/// Clamp backward, in place. Values cut off at 1 get no gradient. The boundary z = 1 still passes its gradient, as
/// PyTorch's `clamp` did at the time of the paper: a belief of exactly 1 must be able to decrease.
pub(super) fn clamp_backward(
    d_u: &mut [f64], // [n'], becomes d_z
    z: &[f64],       // [n']
) {
    for (d_u, &z) in d_u.iter_mut().zip(z) {
        if z > 1.0 {
            *d_u = 0.0;
        }
    }
}

/// Start Selector Unit: o = lastᵀ u_ℓ, where last is softmax(s), or σ(acceptance) in the shape `dfa`.
pub(super) fn start_forward(
    last: &[f64], // [n']
    u: &[f64],    // [n']
) -> f64 {
    last.iter().zip(u).map(|(last, u)| last * u).sum()
}

/// Start Selector Unit, backward.
pub(super) fn start_backward(
    d_last: &mut [f64], // [n']
    d_u: &mut [f64],    // [n']
    d_o: f64,
    last: &[f64], // [n']
    u: &[f64],    // [n']
) {
    for k in 0..u.len() {
        d_last[k] += d_o * u[k];
        d_u[k] += d_o * last[k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clamp_cuts_above_1_and_passes_gradients_to_1_itself() {
        let z = [0.0, 0.5, 1.0, 1.0 + f64::EPSILON, 7.0];
        let mut u = z;
        clamp_forward(&mut u);
        assert_eq!(u, [0.0, 0.5, 1.0, 1.0, 1.0]);
        let mut d = [2.0; 5];
        clamp_backward(&mut d, &z);
        assert_eq!(d, [2.0, 2.0, 2.0, 0.0, 0.0]);
    }
}

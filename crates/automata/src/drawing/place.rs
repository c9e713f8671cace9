//! How high each vertex stands.
//!
//! A line is the straighter the closer its ends are in height, so this minimises the sum of w·(y − y′)² over all
//! lines, under the condition that the vertices of a column keep their order and their distances. With the other
//! columns fixed, that is a problem in one column only: every vertex wants to be at the weighted mean of its neighbours.
//! Substituting z = y − (the least distance from the top of the column) turns "distances kept" into "z never falls",
//! and the least squares under that condition are found exactly by pooling adjacent violators. So each column is solved
//! in turn, again and again.

use super::chains::{Columns, Kind};

/// About how many steps to spend; a vertex visited in a sweep is one.
const STEPS: usize = 3_000_000;
const MOST_SWEEPS: usize = 400;

/// The height of each vertex, downwards. Nothing is said about where zero is.
pub(super) fn heights(columns: &Columns) -> Vec<f64> {
    let mut y = vec![0.0; columns.vertices.len()];
    for column in &columns.columns {
        stack(columns, column, &mut y);
    }
    let sweeps = (STEPS / columns.vertices.len().max(1)).clamp(10, MOST_SWEEPS);
    for sweep in 0..sweeps {
        // At first a column follows the one before it, which carries news across the picture in one sweep.
        let early = sweep < sweeps / 4;
        let to_the_right = sweep % 2 == 0;
        for i in 0..columns.columns.len() {
            let column = if to_the_right { i } else { columns.columns.len() - 1 - i };
            let (left, right) = if early { (to_the_right, !to_the_right) } else { (true, true) };
            settle(columns, &columns.columns[column], left, right, &mut y);
        }
    }
    y
}

/// Stacks a column as tight as it goes, centred on zero.
fn stack(columns: &Columns, column: &[usize], y: &mut [f64]) {
    let mut height = 0.0;
    for pair in column.windows(2) {
        height += columns.distance(pair[0], pair[1]);
        y[pair[1]] = height;
    }
    for &v in column {
        y[v] -= height / 2.0;
    }
}

/// How much the line between two vertices wants to be straight, when its ends differ in height by `rise`. Long arrows
/// disturb the most if they waver. A line onward that is nearly level looks like a mistake, so it is levelled.
fn weight(columns: &Columns, u: usize, v: usize, rise: f64) -> f64 {
    let stride = columns.stride(u, v);
    let (u, v) = (&columns.vertices[u], &columns.vertices[v]);
    // Rises in proportion to strides, that is straight lines, make the least sum of rise² ÷ stride.
    let own = u.stiffness.min(v.stiffness);
    let stiffness = 60.0 / stride * own;
    match (u.kind, v.kind) {
        (Kind::State(_), Kind::Label(_)) | (Kind::Label(_), Kind::State(_)) if own > 1.0 => {
            stiffness * (30.0 / (rise + 0.5)).max(1.0)
        }
        (Kind::State(_), _) | (_, Kind::State(_)) => stiffness,
        _ => 3.0 * stiffness,
    }
}

/// Solves one column, given those beside it.
fn settle(columns: &Columns, column: &[usize], left: bool, right: bool, y: &mut [f64]) {
    let wish = |v: usize| {
        let (mut total, mut sum) = (0.0, 0.0);
        for (wanted, neighbours) in [(left, &columns.left[v]), (right, &columns.right[v])] {
            for &u in neighbours.iter().filter(|_| wanted) {
                let weight = weight(columns, u, v, (y[u] - y[v]).abs());
                total += weight;
                sum += weight * y[u];
            }
        }
        // A vertex with no wish of its own gives way to the others.
        if total > 0.0 { Wish { at: sum / total, weight: total } } else { Wish { at: y[v], weight: 0.01 } }
    };
    let wishes: Vec<Wish> = column.iter().map(|&v| wish(v)).collect();
    let distances: Vec<f64> = column.windows(2).map(|pair| columns.distance(pair[0], pair[1])).collect();
    for (&v, height) in column.iter().zip(spread(&wishes, &distances, f64::NEG_INFINITY, f64::INFINITY)) {
        y[v] = height;
    }
}

/// Where something would like to be, and how much.
pub(super) struct Wish {
    pub(super) at: f64,
    pub(super) weight: f64,
}

/// The places between `low` and `high` that are closest to the wishes, in the sense of least squares, when each is at
/// least the given distance from the one before.
pub(super) fn spread(wishes: &[Wish], distances: &[f64], low: f64, high: f64) -> Vec<f64> {
    /// Members that stand as close as they may and move as one.
    struct Pool {
        members: usize,
        weight: f64,
        mean: f64,
    }
    let mut offsets = vec![0.0];
    for (i, distance) in distances.iter().enumerate() {
        offsets.push(offsets[i] + distance);
    }
    let mut pools: Vec<Pool> = Vec::with_capacity(wishes.len());
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let mut pool = Pool { members: 1, weight: wish.weight, mean: wish.at - offset };
        while let Some(before) = pools.pop_if(|before| before.mean > pool.mean) {
            let weight = before.weight + pool.weight;
            let mean = (before.weight * before.mean + pool.weight * pool.mean) / weight;
            pool = Pool { members: before.members + pool.members, weight, mean };
        }
        pools.push(pool);
    }
    let span = offsets[offsets.len() - 1];
    let means = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean, pool.members));
    // Bounds on all places at once only clip the solution without them.
    means.zip(&offsets).map(|(mean, offset)| mean.min(high - span).max(low) + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_met_as_far_as_distances_allow() {
        let places = |wishes: &[(f64, f64)], low, high| {
            let wishes: Vec<Wish> = wishes.iter().map(|&(at, weight)| Wish { at, weight }).collect();
            spread(&wishes, &vec![10.0; wishes.len().saturating_sub(1)], low, high)
        };
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(places(&[], free.0, free.1), [0.0; 0]);
        assert_eq!(places(&[(0.0, 1.0), (30.0, 1.0)], free.0, free.1), [0.0, 30.0]);
        assert_eq!(places(&[(0.0, 1.0), (0.0, 1.0)], free.0, free.1), [-5.0, 5.0]);
        assert_eq!(places(&[(0.0, 1.0), (0.0, 3.0)], free.0, free.1), [-7.5, 2.5]);
        assert_eq!(places(&[(9.0, 1.0), (0.0, 1.0), (50.0, 1.0)], free.0, free.1), [-0.5, 9.5, 50.0]);
        assert_eq!(places(&[(9.0, 1.0), (0.0, 1.0), (50.0, 1.0)], 0.0, 40.0), [0.0, 10.0, 40.0]);
    }
}

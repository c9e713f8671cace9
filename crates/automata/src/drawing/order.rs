//! The order within each column, so that few lines cross.
//!
//! The classic heuristic: sweep to and fro over the columns and sort each by the mean position of its vertices'
//! neighbours in the column before, then exchange adjacent vertices as long as that saves crossings. The best order
//! seen wins. Small pictures can afford several starts, and it shows.

use super::chains::{Columns, Vertex};

/// About how many steps to spend; a vertex visited in a sweep is one.
const STEPS: usize = 600_000;
const MOST_STARTS: usize = 12;
const SWEEPS: usize = 16;

/// Reorders `columns.columns`.
pub(super) fn order(columns: &mut Columns) {
    let mut search = Search::new(columns);
    let sweep = columns.vertices.len().max(1);
    let starts = (STEPS / (SWEEPS * sweep)).clamp(1, MOST_STARTS);
    let sweeps = (STEPS / (starts * sweep)).clamp(4, SWEEPS);
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for start in 0..starts {
        search.arrange(start);
        for sweep in 0..sweeps {
            search.sweep(sweep % 2 == 0);
            search.exchange();
            let crossings = search.crossings();
            if best.as_ref().is_none_or(|(fewest, _)| crossings < *fewest) {
                best = Some((crossings, search.columns.clone()));
            }
            if crossings == 0 {
                break;
            }
        }
    }
    if let Some((_, order)) = best {
        columns.columns = order;
    }
}

/// The state of the search.
struct Search<'a> {
    vertices: &'a [Vertex],
    left: &'a [Vec<usize>],
    right: &'a [Vec<usize>],
    columns: Vec<Vec<usize>>,
    /// Where each vertex stands in its column.
    position: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(columns: &'a Columns) -> Self {
        let position = vec![0; columns.vertices.len()];
        let Columns { vertices, left, right, .. } = columns;
        let mut search = Self { vertices, left, right, columns: columns.columns.clone(), position };
        for column in 0..search.columns.len() {
            search.number(column);
        }
        search
    }

    fn number(&mut self, column: usize) {
        for (i, &v) in self.columns[column].iter().enumerate() {
            self.position[v] = i;
        }
    }

    /// A new order to start from: depth-first from the left, each start taking the neighbours in turns of its own.
    fn arrange(&mut self, start: usize) {
        let mut seen = vec![false; self.position.len()];
        let mut ordered = vec![Vec::new(); self.columns.len()];
        let mut turn = start;
        let mut stack = Vec::new();
        for root in self.columns.iter().flatten().copied() {
            stack.push(root);
            while let Some(v) = stack.pop() {
                if std::mem::replace(&mut seen[v], true) {
                    continue;
                }
                ordered[self.vertices[v].column].push(v);
                for side in [&self.left[v], &self.right[v]] {
                    turn = turn.wrapping_mul(5) % 8191;
                    let middle = turn.checked_rem(side.len()).unwrap_or(0);
                    stack.extend(side[middle..].iter().chain(&side[..middle]).rev());
                }
            }
        }
        self.columns = ordered;
        for column in 0..self.columns.len() {
            self.number(column);
        }
    }

    /// Sorts every column by the mean position of the neighbours in the column before it.
    fn sweep(&mut self, to_the_right: bool) {
        for step in 1..self.columns.len() {
            let column = if to_the_right { step } else { self.columns.len() - 1 - step };
            let neighbours = if to_the_right { self.left } else { self.right };
            let mean = |&v: &usize| match neighbours[v].len() {
                0 => self.position[v] as f64,
                n => neighbours[v].iter().map(|&u| self.position[u]).sum::<usize>() as f64 / n as f64,
            };
            let mut keyed: Vec<(f64, usize)> = self.columns[column].iter().map(|v| (mean(v), *v)).collect();
            // Stable: equal means keep their order.
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.columns[column] = keyed.into_iter().map(|(_, v)| v).collect();
            self.number(column);
        }
    }

    /// Exchanges adjacent vertices while that saves crossings.
    fn exchange(&mut self) {
        for _ in 0..4 {
            let mut saved = false;
            for column in 0..self.columns.len() {
                saved |= self.exchange_in(column);
            }
            if !saved {
                break;
            }
        }
    }

    fn exchange_in(&mut self, column: usize) -> bool {
        let sorted = |neighbours: &[usize]| {
            let mut positions: Vec<usize> = neighbours.iter().map(|&u| self.position[u]).collect();
            positions.sort_unstable();
            positions
        };
        let mut order: Vec<(usize, [Vec<usize>; 2])> =
            self.columns[column].iter().map(|&v| (v, [sorted(&self.left[v]), sorted(&self.right[v])])).collect();
        let mut saved = false;
        for _ in 0..order.len() {
            let mut again = false;
            for i in 1..order.len() {
                let (upper, lower) = (&order[i - 1].1, &order[i].1);
                let now: usize = (0..2).map(|side| inversions(&upper[side], &lower[side])).sum();
                let then: usize = (0..2).map(|side| inversions(&lower[side], &upper[side])).sum();
                if then < now {
                    order.swap(i - 1, i);
                    again = true;
                }
            }
            if !again {
                break;
            }
            saved = true;
        }
        self.columns[column] = order.into_iter().map(|(v, _)| v).collect();
        self.number(column);
        saved
    }

    /// How many pairs of lines cross.
    fn crossings(&self) -> usize {
        let mut total = 0;
        for pair in self.columns.windows(2) {
            // A Fenwick tree counts, for each line, the earlier ones that end further down.
            let mut tree = vec![0; pair[1].len() + 1];
            let mut lines = 0;
            for &v in &pair[0] {
                let mut ends: Vec<usize> = self.right[v].iter().map(|&u| self.position[u] + 1).collect();
                ends.sort_unstable();
                for &end in &ends {
                    let mut not_below = 0;
                    let mut i = end;
                    while i > 0 {
                        not_below += tree[i];
                        i &= i - 1;
                    }
                    total += lines - not_below;
                }
                for end in ends {
                    lines += 1;
                    let mut i = end;
                    while i < tree.len() {
                        tree[i] += 1;
                        i += i & i.wrapping_neg();
                    }
                }
            }
        }
        total
    }
}

/// How many of the lines from an upper vertex cross one from a lower vertex, given where they end, sorted.
fn inversions(upper: &[usize], lower: &[usize]) -> usize {
    let mut below = 0;
    let mut crossings = 0;
    for &end in upper {
        while below < lower.len() && lower[below] < end {
            below += 1;
        }
        crossings += below;
    }
    crossings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two columns of equal size, joined by `lines`: the columns, and each vertex's neighbours to the left and right.
    #[expect(clippy::type_complexity, reason = "three lists of lists are taken apart at once")]
    fn two_columns(size: usize, lines: &[(usize, usize)]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (mut left, mut right) = (vec![Vec::new(); 2 * size], vec![Vec::new(); 2 * size]);
        for &(u, v) in lines {
            right[u].push(size + v);
            left[size + v].push(u);
        }
        (vec![(0..size).collect(), (size..2 * size).collect()], left, right)
    }

    #[test]
    fn crossings_are_counted_and_removed() {
        let lines = [(0, 2), (0, 1), (1, 0), (2, 1), (2, 0)];
        let (columns, left, right) = two_columns(3, &lines);
        let mut search =
            Search { vertices: &[], left: &left, right: &right, columns, position: vec![0, 1, 2, 0, 1, 2] };
        let naive = |search: &Search<'_>| {
            let at = |v: usize| search.position[v];
            let pairs = lines.iter().flat_map(|a| lines.iter().map(move |b| (a, b)));
            pairs.filter(|(a, b)| at(a.0) < at(b.0) && at(3 + a.1) > at(3 + b.1)).count()
        };
        assert_eq!(search.crossings(), naive(&search));
        assert_eq!(search.crossings(), 5);
        search.sweep(true);
        search.exchange();
        assert_eq!(search.crossings(), naive(&search));
        assert_eq!(search.crossings(), 0);
    }
}

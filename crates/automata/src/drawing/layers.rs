//! Which column each state stands in.
//!
//! A breadth-first walk from the initial states gives an order in which readers expect to meet the states. Where no cycle
//! contradicts it, arrows point to the right; among states that lead to each other, those that go forward in the walk do,
//! and the others are turned round for this file's purposes. That leaves an acyclic graph; ranks by longest path satisfy
//! it, and moving groups of states to and fro shortens the arrows.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::graph::Graph;
use crate::reach::Successors;

/// The rank of each state, from 0 on the left. No arrow joins states of equal rank.
pub(super) fn ranks(graph: &Graph) -> Vec<usize> {
    let order = acyclic_order(graph);
    let mut place = vec![0; order.len()];
    for (i, &state) in order.iter().enumerate() {
        place[state] = i;
    }
    let mut pairs: Vec<(usize, usize)> =
        graph.arrows.iter().map(|arrow| (place[arrow.from], place[arrow.to])).collect();
    for pair in &mut pairs {
        *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
    }
    let starts: Vec<bool> = order.iter().map(|&state| graph.states[state].initial).collect();
    let ranks = Ranks::new(&starts, &pairs).shortened();
    place.into_iter().map(|i| ranks[i]).collect()
}

/// The states breadth-first from the initial ones, then from those that remain.
fn reading_order(graph: &Graph) -> Vec<usize> {
    let states = graph.states.len();
    let mut next = vec![Vec::new(); states];
    for arrow in &graph.arrows {
        next[arrow.from].push(arrow.to);
    }
    let mut seen = vec![false; states];
    let mut order = Vec::with_capacity(states);
    let initial: Vec<usize> = (0..states).filter(|&state| graph.states[state].initial).collect();
    let roots = std::iter::once(initial).chain((0..states).map(|state| vec![state]));
    for mut level in roots {
        level.retain(|&state| !std::mem::replace(&mut seen[state], true));
        while !level.is_empty() {
            order.extend(&level);
            let reached: Vec<usize> = level.iter().flat_map(|&state| next[state].iter().copied()).collect();
            level = reached.into_iter().filter(|&state| !std::mem::replace(&mut seen[state], true)).collect();
        }
    }
    order
}

/// The states so that only arrows on a cycle may lead back; otherwise as readers meet them.
fn acyclic_order(graph: &Graph) -> Vec<usize> {
    let states = graph.states.len();
    let mut met = vec![0; states];
    for (i, &state) in reading_order(graph).iter().enumerate() {
        met[state] = i;
    }
    let graph_of_arrows = Successors::new(states, graph.arrows.iter().map(|arrow| (arrow.from, arrow.to)));
    let reached: Vec<FixedBitSet> = (0..states).map(|state| graph_of_arrows.reachable([state])).collect();
    // An arrow that no way leads back from must point to the right.
    let binding: Vec<(usize, usize)> = graph
        .arrows
        .iter()
        .map(|arrow| (arrow.from, arrow.to))
        .filter(|&(from, to)| !reached[to].contains(from))
        .collect();
    let mut waiting_for = vec![0; states];
    for &(_, to) in &binding {
        waiting_for[to] += 1;
    }
    let after = Successors::new(states, binding.iter().copied());
    let mut ready: BTreeSet<(usize, usize)> =
        (0..states).filter(|&state| waiting_for[state] == 0).map(|state| (met[state], state)).collect();
    let mut order = Vec::with_capacity(states);
    while let Some((_, state)) = ready.pop_first() {
        order.push(state);
        for &next in after.of(state) {
            waiting_for[next as usize] -= 1;
            if waiting_for[next as usize] == 0 {
                ready.insert((met[next as usize], next as usize));
            }
        }
    }
    order
}

/// Ranks of vertices whose arcs all lead from a smaller to a larger number.
struct Ranks {
    rank: Vec<usize>,
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// How much a vertex is drawn to the left.
    pull: Vec<isize>,
}

impl Ranks {
    /// The longest path to each vertex.
    fn new(starts: &[bool], arcs: &[(usize, usize)]) -> Self {
        let vertices = starts.len();
        let (mut before, mut after) = (vec![Vec::new(); vertices], vec![Vec::new(); vertices]);
        for &(from, to) in arcs {
            after[from].push(to);
            before[to].push(from);
        }
        let mut rank = vec![0; vertices];
        for v in 0..vertices {
            rank[v] = before[v].iter().map(|&u| rank[u] + 1).max().unwrap_or(0);
        }
        let pull = starts.iter().map(|&start| isize::from(start)).collect();
        Self { rank, before, after, pull }
    }

    /// Moves groups of vertices by one rank as long as that shortens the arcs in all.
    fn shortened(mut self) -> Vec<usize> {
        // Each move shortens the total by one at least, so this ends; the bound is on time.
        for _ in 0..100 {
            let mut moved = false;
            for v in 0..self.rank.len() {
                moved |= self.shift(v, true) || self.shift(v, false);
            }
            if !moved {
                break;
            }
        }
        let least = self.rank.iter().copied().min().unwrap_or(0);
        self.rank.iter().map(|rank| rank - least).collect()
    }

    /// Moves `v` by one rank, and with it whatever stands in the way, if the arcs get shorter in all.
    fn shift(&mut self, v: usize, to_the_right: bool) -> bool {
        let mut group = vec![v];
        let mut inside = vec![false; self.rank.len()];
        inside[v] = true;
        let mut gain = 0;
        let mut read = 0;
        while let Some(&u) = group.get(read) {
            read += 1;
            let (ahead, behind) =
                if to_the_right { (&self.after[u], &self.before[u]) } else { (&self.before[u], &self.after[u]) };
            if !to_the_right && self.rank[u] == 0 {
                return false;
            }
            for &w in ahead {
                if self.rank[w].abs_diff(self.rank[u]) == 1 && !inside[w] {
                    inside[w] = true;
                    group.push(w);
                }
            }
            // Arcs within the group count once each way, and so not at all.
            gain += ahead.len() as isize - behind.len() as isize;
            gain += if to_the_right { -self.pull[u] } else { self.pull[u] };
        }
        if gain <= 0 {
            return false;
        }
        for u in group {
            self.rank[u] = if to_the_right { self.rank[u] + 1 } else { self.rank[u] - 1 };
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_point_right_and_a_late_vertex_moves_to_its_target() {
        // 0 → 1 → 2 → 3 and 4 → 3, where 4 is pulled nowhere else.
        let arcs = [(0, 1), (1, 2), (2, 4), (3, 4)];
        let ranks = Ranks::new(&[true, false, false, false, false], &arcs).shortened();
        assert_eq!(ranks, [0, 1, 2, 2, 3]);
    }

    #[test]
    fn a_group_moves_together() {
        // The longest path leaves the chain 1 → 2 at the left although it only leads to 6.
        let arcs = [(0, 3), (3, 4), (4, 5), (5, 6), (1, 2), (2, 6)];
        let ranks = Ranks::new(&[true, false, false, false, false, false, false], &arcs).shortened();
        assert_eq!(ranks, [0, 2, 3, 1, 2, 3, 4]);
    }
}

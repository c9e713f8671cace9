//! The cells on cheapest paths, and the lengths of the corrections that pass through them.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;

use super::FARTHEST_LISTED;
use super::grid::Grid;

/// The cells on cheapest paths.
pub(super) struct Ways {
    pub(super) distance: usize,
    /// The number of edits to reach each cell plus one, from [`Grid::reach`].
    reached: Vec<u32>,
    on_way: FixedBitSet,
    /// For each number of letters consumed, the states of the cells on cheapest paths, sorted, with the possible
    /// lengths.
    rows: Vec<(Vec<u32>, Lengths)>,
}

/// For each cell, the number of letters a correction writes from there on minus the number left to consume.
enum Lengths {
    /// All possible numbers n, as bits n + 63.
    Sets(Vec<u128>),
    /// Only the smallest.
    Least(Vec<i32>),
}

/// The possible numbers for one cell: the set as bits, and the smallest.
#[derive(Clone, Copy)]
pub(super) struct Possible {
    set: u128,
    least: i32,
}

impl Possible {
    const NOTHING: Self = Self { set: 0, least: i32::MAX };
    const END: Self = Self { set: 1 << FARTHEST_LISTED, least: 0 };

    /// Adds the numbers possible from `next`, reached by an edit that writes `more` letters more than it consumes.
    fn join(&mut self, next: Self, more: i32) {
        self.set |= match more {
            1 => next.set << 1,
            0 => next.set,
            _ => next.set >> 1,
        };
        self.least = self.least.min(next.least.saturating_add(more));
    }

    /// The numbers of the set in ascending order, or only the smallest if sets are not kept.
    pub(super) fn numbers(self) -> Vec<i32> {
        match self.set {
            0 => vec![self.least],
            set => (0..128).filter(|bit| set >> bit & 1 == 1).map(|bit| bit - FARTHEST_LISTED as i32).collect(),
        }
    }

    pub(super) fn contains(self, more: i64) -> bool {
        let bit = more + FARTHEST_LISTED as i64;
        match self.set {
            0 => i64::from(self.least) == more,
            set => (0..128).contains(&bit) && set >> bit & 1 == 1,
        }
    }
}

impl Lengths {
    fn new(possible: impl Iterator<Item = Possible>, far: bool) -> Self {
        if far {
            Lengths::Least(possible.map(|possible| possible.least).collect())
        } else {
            Lengths::Sets(possible.map(|possible| possible.set).collect())
        }
    }

    fn get(&self, at: usize) -> Possible {
        match self {
            Lengths::Sets(sets) => Possible { set: sets[at], ..Possible::NOTHING },
            Lengths::Least(least) => Possible { least: least[at], ..Possible::NOTHING },
        }
    }
}

impl Ways {
    /// The cells that were reached and lie on a cheapest path. Cells with more letters consumed come first, and of
    /// these the cells after more edits, so that all successors of a cell have been processed before it.
    pub(super) fn new(grid: &Grid<'_>, (reached, distance): (Vec<u32>, usize)) -> Self {
        let states = grid.dfa.len();
        let mut on_way = FixedBitSet::with_capacity(reached.len());
        let mut rows = Vec::with_capacity(grid.typed.len() + 1);
        let (mut here, mut there) = (vec![Possible::NOTHING; states], vec![Possible::NOTHING; states]);
        let mut order: Vec<u32> = Vec::new();
        for i in (0..=grid.typed.len()).rev() {
            std::mem::swap(&mut here, &mut there);
            let row = grid.cell(i, 0)..grid.cell(i + 1, 0);
            order.clear();
            order.extend(row.clone().filter(|&cell| reached[cell as usize] != 0));
            order.sort_unstable_by_key(|&cell| Reverse(reached[cell as usize]));
            for &cell in &order {
                let edits = reached[cell as usize];
                let is_end = edits as usize == distance + 1 && grid.is_end(cell);
                let mut possible = if is_end { Possible::END } else { Possible::NOTHING };
                let mut leads_on = is_end;
                let mut lead_to = |next: u32, edits: u32, more: i32| {
                    if reached[next as usize] == edits && on_way.contains(next as usize) {
                        leads_on = true;
                        let row = if row.contains(&next) { &here } else { &there };
                        possible.join(row[next as usize % states], more);
                    }
                };
                if let Some(next) = grid.kept(cell) {
                    lead_to(next, edits, 0);
                }
                grid.edited(cell, |next, more| lead_to(next, edits + 1, more));
                if leads_on {
                    on_way.insert(cell as usize);
                    here[cell as usize % states] = possible;
                }
            }
            order.retain(|&cell| on_way.contains(cell as usize));
            order.sort_unstable();
            order.iter_mut().for_each(|cell| *cell %= states as u32);
            let possible = order.iter().map(|&state| here[state as usize]);
            let lengths = Lengths::new(possible, distance > FARTHEST_LISTED);
            rows.push((order.clone(), lengths));
        }
        rows.reverse();
        Self { distance, reached, on_way, rows }
    }

    /// Whether a cheapest path through this cell takes `edits` edits to reach it.
    pub(super) fn has(&self, cell: u32, edits: u32) -> bool {
        self.reached[cell as usize] == edits + 1 && self.on_way.contains(cell as usize)
    }

    /// The numbers possible from a cell on a cheapest path.
    pub(super) fn possible(&self, i: usize, state: usize) -> Option<Possible> {
        let (states, lengths) = &self.rows[i];
        states.binary_search(&(state as u32)).ok().map(|at| lengths.get(at))
    }
}

//! The table for uniform drawing: for each length and each state, the number of accepted words.
//!
//! Counts grow by a few bits per letter, so the memory for the whole table is proportional to the square of the
//! maximum length: two gigabytes for two states and 100,000 letters. A word is drawn by reading the rows once, from the
//! longest length to the shortest, and each row can be computed from the previous one. So beyond a budget only every
//! second row is kept, or every fourth, and so on; the rows in between are recomputed when needed, in the same way.

use num_bigint::BigUint;
use num_traits::Zero;

use crate::counting::Steps;
use crate::dfa::Dfa;

/// Maximum number of bytes of rows kept for all draws.
const KEPT: usize = 64 << 20;
/// Maximum number of bytes of rows recomputed at a time.
const AGAIN: usize = 4 << 20;
/// Minimum number of rows kept, whatever their size: with fewer, the recursion would not terminate.
const LEAST_ROWS: usize = 4;

/// The counts for one length.
#[derive(Clone)]
pub(crate) struct Row {
    /// The number of accepted words of this length from each state.
    pub(crate) counts: Vec<BigUint>,
    /// The number of shorter words to draw from.
    pub(crate) before: BigUint,
}

impl Row {
    fn bytes(&self) -> usize {
        let bytes = |count: &BigUint| size_of::<BigUint>() + (count.bits() / 8) as usize;
        self.counts.iter().map(bytes).sum::<usize>() + bytes(&self.before)
    }
}

/// The rows for lengths 0 to `longest`; words of at least `shortest` letters are drawn.
pub(crate) struct CountTable {
    steps: Steps,
    initial: usize,
    shortest: usize,
    longest: usize,
    rows: Rows,
    total: BigUint,
}

/// Rows for consecutive lengths, of which some are kept.
struct Rows {
    /// The length of the first row.
    first: usize,
    /// The kept rows are those for `first`, `first` + `stride`, …
    stride: usize,
    kept: Vec<Row>,
}

impl CountTable {
    pub(crate) fn new(dfa: &Dfa, shortest: usize, longest: usize) -> Self {
        let steps = Steps::new(dfa);
        let empty = Row { counts: steps.ends(), before: BigUint::zero() };
        let rows = Rows { first: 0, stride: 1, kept: Vec::new() };
        let mut table = Self { steps, initial: dfa.initial().index(), shortest, longest, rows, total: BigUint::zero() };
        let (rows, last) = table.compute(0, empty, longest + 1, KEPT);
        table.total = table.before_next(longest, &last);
        table.rows = rows;
        table
    }

    /// The number of words to draw from.
    pub(crate) fn total(&self) -> &BigUint {
        &self.total
    }

    /// Calls `visit` with the rows from the longest length needed for the word of rank `rank` down to 0: the first row
    /// with at most `rank` words before it is the one for the length of that word.
    pub(crate) fn descend_from_rank(&self, rank: &BigUint, visit: &mut dyn FnMut(usize, &Row)) {
        let beyond = self.rows.kept.partition_point(|row| row.before <= *rank);
        let end = (beyond * self.rows.stride).min(self.longest + 1);
        self.descend(&self.rows, end, visit);
    }

    /// Calls `visit` with the rows for lengths from `length` down to 0.
    pub(crate) fn descend_from_length(&self, length: usize, visit: &mut dyn FnMut(usize, &Row)) {
        self.descend(&self.rows, length.min(self.longest) + 1, visit);
    }

    /// Visits the rows below `end`, from last to first.
    fn descend(&self, rows: &Rows, mut end: usize, visit: &mut dyn FnMut(usize, &Row)) {
        while end > rows.first {
            let at = (end - 1 - rows.first) / rows.stride;
            let begin = rows.first + at * rows.stride;
            if rows.stride == 1 {
                visit(begin, &rows.kept[at]);
            } else {
                let (between, _) = self.compute(begin, rows.kept[at].clone(), end, AGAIN);
                self.descend(&between, end, visit);
            }
            end = begin;
        }
    }

    /// Computes the rows from `row`, which is the one for length `first`, up to `end`; also returns the last of them.
    fn compute(&self, first: usize, row: Row, end: usize, budget: usize) -> (Rows, Row) {
        let mut bytes = row.bytes();
        let mut rows = Rows { first, stride: 1, kept: vec![row.clone()] };
        let mut here = row;
        let mut next = Row { counts: vec![BigUint::zero(); here.counts.len()], before: BigUint::zero() };
        for length in first + 1..end {
            self.steps.advance(&here.counts, &mut next.counts);
            next.before = self.before_next(length - 1, &here);
            std::mem::swap(&mut here, &mut next);
            if !(length - first).is_multiple_of(rows.stride) {
                continue;
            }
            bytes += here.bytes();
            rows.kept.push(here.clone());
            while bytes > budget && rows.kept.len() > LEAST_ROWS {
                let mut place = 0..;
                rows.kept.retain(|_| place.next().is_some_and(|place| place % 2 == 0));
                rows.stride *= 2;
                bytes = rows.kept.iter().map(Row::bytes).sum();
            }
        }
        (rows, here)
    }

    /// The number of words to draw from that are at most as long as those of this row.
    fn before_next(&self, length: usize, row: &Row) -> BigUint {
        if length < self.shortest { row.before.clone() } else { &row.before + &row.counts[self.initial] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alphabet, Regex};

    /// With any budget the rows are those of the whole table, in the same order.
    #[test]
    fn rows_that_are_not_kept_are_computed_again() {
        let dfa = Regex::parse("(a|bb)*c?", &Alphabet::of_chars("abc")).unwrap().to_dfa().unwrap().trimmed();
        let mut table = CountTable::new(&dfa, 3, 200);
        let whole: Vec<Row> = std::mem::take(&mut table.rows.kept);
        assert_eq!((whole.len(), table.rows.stride), (201, 1));
        for (budget, bound) in [(0, 4), (4_000, 60), (8_000, 120)] {
            (table.rows, _) = table.compute(0, whole[0].clone(), 201, budget);
            assert!(table.rows.kept.len() <= bound && table.rows.stride > 1, "{} rows", table.rows.kept.len());
            let mut length = 151;
            table.descend_from_length(150, &mut |at, row| {
                length -= 1;
                assert_eq!((at, &row.counts, &row.before), (length, &whole[length].counts, &whole[length].before));
            });
            assert_eq!(length, 0);
            for rank in [BigUint::zero(), whole[100].before.clone(), &whole[101].before - 1_u32, table.total() - 1_u32]
            {
                let expected = whole.iter().rposition(|row| row.before <= rank);
                let mut found = None;
                table.descend_from_rank(&rank, &mut |at, row| {
                    found = found.or((row.before <= rank).then_some(at));
                });
                assert_eq!(found, expected, "rank {rank}");
            }
        }
    }
}

//! The cost of errors and structure.

use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::measure::production_bits;

/// The cost of errors and structure, in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Cost {
    /// Only wrong examples count.
    Errors,
    /// Errors outweigh everything; then every production counts.
    Exact,
    /// This many bits per wrong example; structure costs its description length.
    Bits(f64),
}

/// Costs are counted in fractions of a bit of this size.
const PARTS: f64 = 64.0;

impl Cost {
    fn error(self) -> u64 {
        match self {
            Self::Errors => 1,
            Self::Exact => 1 << 20,
            Self::Bits(error) => (PARTS * error) as u64 + 1,
        }
    }

    fn structure(self, tally: &Tally) -> u64 {
        match self {
            Self::Errors => 0,
            Self::Exact => tally.productions() as u64,
            Self::Bits(_) => {
                let ends = tally.ends();
                let (reading, used) = (tally.productions() - ends, tally.used());
                let bits = production_bits(tally.letters(), used, reading, ends.min(used));
                (PARTS * bits.max(0.0)) as u64
            }
        }
    }

    pub(super) fn of(self, errors: u64, tally: &Tally) -> u64 {
        self.error().saturating_mul(errors).saturating_add(self.structure(tally))
    }

    /// Maximum number of errors at which the cost stays below `cost`.
    pub(super) fn errors_below(self, cost: u64, tally: &Tally) -> Option<u64> {
        Some(cost.checked_sub(self.structure(tally) + 1)? / self.error())
    }
}

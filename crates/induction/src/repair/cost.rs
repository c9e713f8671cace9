//! What wrong examples and structure cost.

use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::description::production_bits;

/// What wrong examples and structure cost, in the same unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Cost {
    /// Only wrong examples count.
    Errors,
    /// Every example counts, however much it takes to get it right; then every production.
    Exact,
    /// So many bits a wrong example; structure is paid for by its description.
    Bits(f64),
}

/// Bits are counted in parts of this size.
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

    /// How many errors there may be for the cost to stay below `cost`.
    pub(super) fn errors_below(self, cost: u64, tally: &Tally) -> Option<u64> {
        Some(cost.checked_sub(self.structure(tally) + 1)? / self.error())
    }
}

//! Settings that change during training.

use serde::{Deserialize, Serialize};

/// A number that may depend on the share of training done, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Always the same.
    Constant(f64),
    /// One value up to a point, another from there on.
    Switch {
        /// The value before.
        before: f64,
        /// The value after.
        after: f64,
        /// When it switches.
        at: f64,
    },
    /// Linear from one value to another between two points, constant outside.
    Linear {
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
        /// Where the change starts.
        begin: f64,
        /// Where the change ends.
        end: f64,
    },
    /// Like `Linear`, but by equal factors in equal times; both values are positive.
    Geometric {
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
        /// Where the change starts.
        begin: f64,
        /// Where the change ends.
        end: f64,
    },
}

impl Schedule {
    /// The value after this share of the training.
    #[must_use]
    pub fn at(&self, progress: f64) -> f64 {
        let part = |begin: f64, end: f64| match end - begin {
            width if width > 0.0 => ((progress - begin) / width).clamp(0.0, 1.0),
            _ => f64::from(u8::from(progress >= end)),
        };
        match *self {
            Self::Constant(value) => value,
            Self::Switch { before, after, at } => {
                if progress < at {
                    before
                } else {
                    after
                }
            }
            Self::Linear { from, to, begin, end } => from + (to - from) * part(begin, end),
            Self::Geometric { from, to, begin, end } => from * libm::exp(libm::log(to / from) * part(begin, end)),
        }
    }

    /// The bounds of all values it takes.
    pub(crate) fn range(&self) -> (f64, f64) {
        let (a, b) = match *self {
            Self::Constant(value) => (value, value),
            Self::Switch { before, after, .. } => (before, after),
            Self::Linear { from, to, .. } | Self::Geometric { from, to, .. } => (from, to),
        };
        // Do not let a NaN hide behind a number.
        if a <= b || a.is_nan() { (a, b) } else { (b, a) }
    }

    /// When the change starts and ends.
    pub(crate) fn times(&self) -> (f64, f64) {
        match *self {
            Self::Constant(_) => (0.0, 0.0),
            Self::Switch { at, .. } => (at, at),
            Self::Linear { begin, end, .. } | Self::Geometric { begin, end, .. } => (begin, end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_hold_outside_and_move_inside() {
        let switch = Schedule::Switch { before: 0.0, after: 0.05, at: 0.6 };
        assert_eq!([0.0, 0.59, 0.6, 1.0].map(|p| switch.at(p)), [0.0, 0.0, 0.05, 0.05]);
        let linear = Schedule::Linear { from: 1.0, to: 3.0, begin: 0.2, end: 0.6 };
        assert_eq!([0.0, 0.2, 0.6, 1.0].map(|p| linear.at(p)), [1.0, 1.0, 3.0, 3.0]);
        assert!((linear.at(0.4) - 2.0).abs() < 1e-12);
        let geometric = Schedule::Geometric { from: 1.0, to: 0.01, begin: 0.0, end: 1.0 };
        assert!((geometric.at(0.5) - 0.1).abs() < 1e-12);
        let sudden = Schedule::Linear { from: 1.0, to: 2.0, begin: 0.5, end: 0.5 };
        assert_eq!([0.4, 0.5].map(|p| sudden.at(p)), [1.0, 2.0]);
    }
}

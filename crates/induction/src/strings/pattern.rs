//! Patterns: expressions over classes of characters.

use serde::{Deserialize, Serialize};

use super::covers::Cover;
use super::letters::Set;
use super::numbers::Interval;

/// An expression whose leaves are texts, runs of a class and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Pattern {
    /// Exactly this text.
    Text(Vec<u8>),
    /// From `min` to `max` characters of a class. `without` are marks of a surrounding plan: they are missing from the class
    /// so that words can be divided in one way only.
    Run { cover: Cover, without: Set, min: usize, max: Option<usize> },
    /// A number of an interval; `rows` is the same as a choice between rows of digits.
    Number { interval: Interval, rows: Box<Pattern> },
    /// One after the other; none for the empty word.
    Sequence(Vec<Pattern>),
    /// One of these.
    Choice(Vec<Pattern>),
    /// From `min` to `max` times.
    Repeat { item: Box<Pattern>, min: usize, max: Option<usize> },
    /// From `min` to `max` items, at least one, with a mark between each two.
    List { item: Box<Pattern>, mark: Box<Pattern>, min: usize, max: Option<usize> },
}

impl Pattern {
    /// The empty word.
    pub(super) fn empty() -> Self {
        Self::Sequence(Vec::new())
    }

    pub(super) fn mark(c: u8) -> Self {
        Self::Text(vec![c])
    }

    pub(super) fn sequence(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Self> = Vec::new();
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::Sequence(parts) => parts,
            part => vec![part],
        });
        for part in flat {
            match (all.last_mut(), part) {
                (Some(Self::Text(before)), Self::Text(text)) => before.extend(text),
                (Some(Self::Run { cover: before, min: least, max: most, .. }), Self::Run { cover, min, max, .. })
                    if before.is_like(&cover) =>
                {
                    *least += min;
                    *most = most.zip(max).map(|(most, max)| most + max);
                }
                (_, part) => all.push(part),
            }
        }
        if all.len() == 1 { all.remove(0) } else { Self::Sequence(all) }
    }

    pub(super) fn choice(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Self> = Vec::new();
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::Choice(parts) => parts,
            part => vec![part],
        });
        for part in flat {
            if !all.contains(&part) {
                all.push(part);
            }
        }
        if all.len() == 1 { all.remove(0) } else { Self::Choice(all) }
    }

    pub(super) fn optional(self) -> Self {
        match self {
            Self::Run { cover, without, min: 1, max } => Self::Run { cover, without, min: 0, max },
            Self::Repeat { item, min: 1, max } => Self::Repeat { item, min: 0, max },
            item => item.repeat(0, Some(1)),
        }
    }

    pub(super) fn repeat(self, min: usize, max: Option<usize>) -> Self {
        match (min, max) {
            (1, Some(1)) => self,
            (_, Some(0)) => Self::empty(),
            (min, Some(max)) if min == max => match self {
                Self::Run { cover, without, min: least, max: Some(most) } if least == most => {
                    Self::Run { cover, without, min: least * min, max: Some(least * min) }
                }
                item => Self::Repeat { item: Box::new(item), min, max: Some(max) },
            },
            _ => Self::Repeat { item: Box::new(self), min, max },
        }
    }

    /// Items with a mark between each two, at least one item.
    pub(super) fn list(item: Self, mark: Self, min: usize, max: Option<usize>) -> Self {
        match max {
            Some(0 | 1) => item,
            max => Self::List { item: Box::new(item), mark: Box::new(mark), min: min.max(1), max },
        }
    }

    /// A list written with the other operators: its first item, then marks and items.
    pub(super) fn listed(item: &Self, mark: &Self, min: usize, max: Option<usize>) -> Self {
        let more = Self::sequence([mark.clone(), item.clone()]);
        Self::sequence([item.clone(), more.repeat(min - 1, max.map(|max| max - 1))])
    }
}

/// A pattern, the bits to write it down, and the bits to encode the given words with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) pattern: Pattern,
    pub(crate) bits: f64,
    pub(crate) data: f64,
}

impl Found {
    pub(super) fn cost(&self, weight: f64) -> f64 {
        self.bits + weight * self.data
    }

    /// The cheaper one; the first on a tie.
    pub(super) fn better(a: Option<Self>, b: Option<Self>, weight: f64) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => Some(if b.cost(weight) < a.cost(weight) { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

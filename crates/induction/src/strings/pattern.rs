//! What the search builds: an expression over classes, with what it costs.

use super::bits::Cover;
use super::letters::{Chars, Set};

/// An expression whose leaves are texts and runs of classes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    /// Just this text.
    Text(Vec<u8>),
    /// From `min` to `max` characters of a class, without those that would be marks.
    Run { cover: Cover, without: Set, min: usize, max: Option<usize> },
    /// One after the other; none for the empty word.
    Sequence(Vec<Pattern>),
    /// One of these.
    Choice(Vec<Pattern>),
    /// From `min` to `max` times.
    Repeat { item: Box<Pattern>, min: usize, max: Option<usize> },
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

    /// Whether a word matches as a whole.
    pub(super) fn matches(&self, word: Chars) -> bool {
        self.ends(word, &[0]).last() == Some(&word.len())
    }

    /// Where matches end that begin at one of `starts`, in order.
    fn ends(&self, word: Chars, starts: &[usize]) -> Vec<usize> {
        let mut ends = Vec::new();
        match self {
            Self::Text(text) => {
                let there = starts.iter().filter(|&&start| word[start..].starts_with(text));
                ends.extend(there.map(|start| start + text.len()));
            }
            Self::Run { cover, min, max, .. } => {
                for &start in starts {
                    let run = word[start..].iter().take_while(|&&c| cover.set.has(c)).count();
                    let most = max.map_or(run, |max| run.min(max));
                    ends.extend((*min..=most).map(|length| start + length));
                }
            }
            Self::Sequence(parts) => {
                ends = starts.to_vec();
                for part in parts {
                    if ends.is_empty() {
                        break;
                    }
                    ends = part.ends(word, &ends);
                }
            }
            Self::Choice(parts) => ends.extend(parts.iter().flat_map(|part| part.ends(word, starts))),
            Self::Repeat { item, min, max } => {
                let mut at = starts.to_vec();
                let mut count = 0;
                loop {
                    if count >= *min {
                        let known = ends.len();
                        ends.extend(&at);
                        ends.sort_unstable();
                        ends.dedup();
                        if ends.len() == known {
                            break;
                        }
                    }
                    if at.is_empty() || max.is_some_and(|max| count >= max) {
                        break;
                    }
                    at = item.ends(word, &at);
                    count += 1;
                }
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }
}

/// A pattern, what it takes to write it down, and what it takes to tell the words that were seen.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) pattern: Pattern,
    pub(super) bits: f64,
    pub(super) data: f64,
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

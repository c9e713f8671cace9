//! What a merge has looked at, so that it need not be looked at again as long as that stays as it is.
//!
//! The quotient has *parts*: its red states, and the trees that hang off them. A merge that is tried visits some parts, and
//! one that is kept changes some; what was found out by visiting parts that were not changed since is still true. When a
//! tree's root becomes red, the root goes on as the tree's part and its subtrees become parts of their own, *below* it: who
//! visited the tree when it was one depends on them all.

use std::sync::Arc;

/// No part: a tree that is there only while a merge is tried.
pub(super) const NO_PART: u32 = u32::MAX;
/// Parts visited beyond this many are not listed: so large a merge is changed by almost every other one.
const MOST_VISITS: usize = 30;

#[derive(Clone)]
struct Part {
    /// How many merges had been kept when it was changed last.
    changed: u32,
    /// The same of it or any part below.
    changed_below: u32,
    /// The part that this one was once inside of.
    above: u32,
    /// The last merge that visited it, tried or kept, and whether it did so as a tree.
    visited_by: (u64, bool),
    /// The last merge that changed it, tried or kept.
    changed_by: u64,
}

/// Parts that were visited, and whether as trees; none if they were too many to be listed. Shared, for a beam copies what
/// is known of every pair.
pub(in super::super) type Visited = Option<Arc<[(u32, bool)]>>;

/// All parts there ever were.
#[derive(Clone, Default)]
pub(in super::super) struct Parts {
    parts: Vec<Part>,
    /// How many merges have been kept.
    merges: u32,
    /// How many merges have been begun.
    begun: u64,
    visited: Vec<(u32, bool)>,
    changed: Vec<u32>,
}

impl Parts {
    /// How many merges have been kept.
    pub(in super::super) fn merges(&self) -> u32 {
        self.merges
    }

    /// How many parts there ever were.
    pub(in super::super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// A new part, inside of another one until now or of none.
    pub(in super::super) fn add(&mut self, above: u32) -> u32 {
        let now = self.merges;
        self.parts.push(Part { changed: now, changed_below: now, above, visited_by: (0, false), changed_by: 0 });
        (self.parts.len() - 1) as u32
    }

    /// A merge begins: nothing is visited yet.
    pub(in super::super) fn begin(&mut self) {
        self.begun += 1;
        self.visited.clear();
        self.changed.clear();
    }

    /// The merge looks at a part.
    pub(in super::super) fn visit(&mut self, part: u32, as_tree: bool) {
        if part == NO_PART || self.visited.len() > MOST_VISITS {
            return;
        }
        let visit = (self.begun, as_tree);
        if self.parts[part as usize].visited_by != visit {
            self.parts[part as usize].visited_by = visit;
            self.visited.push((part, as_tree));
        }
    }

    /// The merge changes a part.
    pub(in super::super) fn change(&mut self, part: u32) {
        if part != NO_PART && self.parts[part as usize].changed_by != self.begun {
            self.parts[part as usize].changed_by = self.begun;
            self.changed.push(part);
        }
    }

    /// The merge is kept, and with it what it changed. Returns how many parts that concerned.
    pub(in super::super) fn keep(&mut self) -> u64 {
        self.merges += 1;
        let mut concerned = 0;
        while let Some(part) = self.changed.pop() {
            self.parts[part as usize].changed = self.merges;
            let mut at = part;
            // What is above a part that was seen to has been seen to.
            while at != NO_PART && self.parts[at as usize].changed_below != self.merges {
                self.parts[at as usize].changed_below = self.merges;
                at = self.parts[at as usize].above;
                concerned += 1;
            }
        }
        concerned
    }

    /// What the merge has visited.
    pub(in super::super) fn visited(&self) -> Visited {
        (self.visited.len() <= MOST_VISITS).then(|| self.visited.as_slice().into())
    }

    /// Whether a tree is what it was after so many merges.
    pub(in super::super) fn unchanged_tree(&self, part: u32, since: u32) -> bool {
        self.parts[part as usize].changed_below <= since
    }

    /// Whether what was visited after so many merges is still the same.
    pub(in super::super) fn unchanged(&self, visited: &Visited, since: u32) -> bool {
        let same = |&(part, as_tree): &(u32, bool)| {
            let Part { changed, changed_below, .. } = self.parts[part as usize];
            if as_tree { changed_below <= since } else { changed <= since }
        };
        since == self.merges || visited.as_ref().is_some_and(|visited| visited.iter().all(same))
    }
}

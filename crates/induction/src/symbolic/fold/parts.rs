//! Dependencies of merges, so that a tried merge is not repeated while nothing it depends on has changed.
//!
//! The quotient has *parts*: its red states, and the trees attached to them. A tried merge visits some parts, and a
//! kept one changes some. A result is still valid if none of the parts it visited has changed since. When a tree's root
//! becomes red, the root keeps the tree's part and its subtrees become new parts *below* it; a visit to the old tree
//! depends on all of them.

use std::sync::Arc;

/// No part: a tree that exists only while a merge is tried.
pub(super) const NO_PART: u32 = u32::MAX;
/// Maximum number of listed parts; so large a merge is affected by almost every other merge anyway.
const MOST_VISITS: usize = 30;

#[derive(Clone)]
struct Part {
    /// The number of kept merges at its last change.
    changed: u32,
    /// The same for it and all parts below.
    changed_below: u32,
    /// The part that once contained it.
    above: u32,
    /// The last merge that visited it, tried or kept, and whether as a tree.
    visited_by: (u64, bool),
    /// The last merge that changed it, tried or kept.
    changed_by: u64,
}

/// The visited parts, each with whether it was visited as a tree; `None` if there were too many. Shared, because a beam
/// copies what is known of every pair.
pub(in super::super) type Visited = Option<Arc<[(u32, bool)]>>;

/// All parts that ever existed.
#[derive(Clone, Default)]
pub(in super::super) struct Parts {
    parts: Vec<Part>,
    /// Number of kept merges.
    merges: u32,
    /// Number of merges started.
    begun: u64,
    visited: Vec<(u32, bool)>,
    changed: Vec<u32>,
}

impl Parts {
    /// Number of kept merges.
    pub(in super::super) fn merges(&self) -> u32 {
        self.merges
    }

    /// Number of parts that ever existed.
    pub(in super::super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// A new part, which was inside another one until now, or in none.
    pub(in super::super) fn add(&mut self, above: u32) -> u32 {
        let now = self.merges;
        self.parts.push(Part { changed: now, changed_below: now, above, visited_by: (0, false), changed_by: 0 });
        (self.parts.len() - 1) as u32
    }

    /// Starts a merge; nothing is visited yet.
    pub(in super::super) fn begin(&mut self) {
        self.begun += 1;
        self.visited.clear();
        self.changed.clear();
    }

    /// Records a visit of the merge to a part.
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

    /// Records a change of a part by the merge.
    pub(in super::super) fn change(&mut self, part: u32) {
        if part != NO_PART && self.parts[part as usize].changed_by != self.begun {
            self.parts[part as usize].changed_by = self.begun;
            self.changed.push(part);
        }
    }

    /// Keeps the merge and its changes. Returns the number of parts concerned.
    pub(in super::super) fn keep(&mut self) -> u64 {
        self.merges += 1;
        let mut concerned = 0;
        while let Some(part) = self.changed.pop() {
            self.parts[part as usize].changed = self.merges;
            let mut at = part;
            // The parts above an updated part are updated already.
            while at != NO_PART && self.parts[at as usize].changed_below != self.merges {
                self.parts[at as usize].changed_below = self.merges;
                at = self.parts[at as usize].above;
                concerned += 1;
            }
        }
        concerned
    }

    /// The parts that the merge has visited.
    pub(in super::super) fn visited(&self) -> Visited {
        (self.visited.len() <= MOST_VISITS).then(|| self.visited.as_slice().into())
    }

    /// Whether a tree has not changed since this many merges.
    pub(in super::super) fn unchanged_tree(&self, part: u32, since: u32) -> bool {
        self.parts[part as usize].changed_below <= since
    }

    /// Whether the visited parts have not changed since this many merges.
    pub(in super::super) fn unchanged(&self, visited: &Visited, since: u32) -> bool {
        let same = |&(part, as_tree): &(u32, bool)| {
            let Part { changed, changed_below, .. } = self.parts[part as usize];
            if as_tree { changed_below <= since } else { changed <= since }
        };
        since == self.merges || visited.as_ref().is_some_and(|visited| visited.iter().all(same))
    }
}

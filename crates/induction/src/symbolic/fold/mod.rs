//! A partly folded prefix tree: a core of red states, with trees attached.
//!
//! A blue state is the root of a tree with no other entry, so merging it into a red state means walking that tree in
//! parallel with the rest of the automaton. If the rest has no such transition, the subtree is moved there without a visit;
//! if it has one, the labels of both are compared. No equivalence classes are needed, because each tree node is folded into
//! one place. Overwritten values are logged, so that a merge can be undone.
//!
//! Red states have a row in a table. Tree nodes have their children in a list in alphabet order, so that a node takes the
//! same few bytes with two letters or a thousand, and two lists are compared in one pass.
//!
//! Folding, walking a tree and undoing a merge may return [`Pause`]; calling them again continues, because the waiting
//! pairs or nodes are kept.

mod parts;
mod survey;
mod unfolded;

use automata::Dfa;

pub(super) use self::parts::Visited;
use self::parts::{NO_PART, Parts};
use self::survey::CELLS;
pub(super) use self::survey::Survey;
use self::unfolded::Unfolded;
use crate::sample::Sample;
use crate::work::{Meter, Pause};

/// Changes undone in the time of one visit.
const TAKEN_BACK: usize = 4;
/// No node, no transition.
const NONE: u32 = u32::MAX;
/// The bit that marks a [`Place`] as a red state.
const RED: u32 = 1 << 31;

/// The target of a transition: a red state (with the bit [`RED`]), the root of a tree, or [`NONE`].
type Place = u32;

/// Number of words that end in a state. A word counts once, with its majority label: repeating a word is no evidence
/// about other words.
#[derive(Clone, Copy, Default)]
pub(super) struct Labels {
    accepted: u32,
    rejected: u32,
}

impl Labels {
    pub(super) fn total(self) -> u32 {
        self.accepted + self.rejected
    }

    /// The words that are wrong if the state follows the majority.
    pub(super) fn minority(self) -> u32 {
        self.accepted.min(self.rejected)
    }

    fn and(self, other: Self) -> Self {
        Self { accepted: self.accepted + other.accepted, rejected: self.rejected + other.rejected }
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self { accepted: self.accepted - other.accepted, rejected: self.rejected - other.rejected }
    }
}

#[derive(Clone, Copy)]
struct Node {
    labels: Labels,
    /// The last letter of the prefix.
    letter: u32,
    /// The first child.
    first: u32,
    /// The next child of the same parent. Meaningless if the parent is red.
    sibling: u32,
}

/// The evidence for and against a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Compared labels that agree.
    pub(super) agreeing: u32,
    /// Compared labels that contradict.
    pub(super) contradicting: u32,
}

/// Values overwritten since the last kept merge, oldest first.
#[derive(Clone, Default)]
struct Journal {
    nodes: Vec<(u32, Node)>,
    red: Vec<(u32, Labels)>,
    table: Vec<(usize, Place)>,
}

impl Journal {
    fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.red.is_empty() && self.table.is_empty()
    }
}

/// The place of a blue state: the index of its transition in the table of red states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(usize);

/// A sample's prefix tree, partly folded.
#[derive(Clone)]
pub(super) struct Quotient {
    letters: usize,
    /// Whether a merge may put words with different labels into one state.
    tolerant: bool,
    nodes: Vec<Node>,
    /// `[red]`.
    red: Vec<Labels>,
    /// `[red][letters]`.
    table: Vec<Place>,
    parts: Parts,
    /// `[red]`: the part of each red state.
    red_parts: Vec<u32>,
    /// `[red][letters]`: the part of the tree there.
    tree_parts: Vec<u32>,
    journal: Journal,
    /// Pairs waiting to be merged: a place, its part, and a node of the tree that is folded away. During a walk through
    /// a tree, its waiting nodes.
    waiting: Vec<(Place, u32, u32)>,
    /// The evidence of the current merge so far.
    folding: Option<Evidence>,
    /// Number of words counted so far in the current walk.
    counted: u32,
    /// The red states whose rows changed since the last survey, unordered and with repetitions.
    changed_rows: Vec<u32>,
    unfolded: Unfolded,
    visits: u64,
    /// All work: visits, and other work converted to them.
    pub(super) meter: Meter,
}

impl Quotient {
    /// An empty one; [`unfold`](Self::unfold) builds the tree.
    pub(super) fn new(letters: usize, tolerant: bool) -> Self {
        Self {
            letters,
            tolerant,
            nodes: Vec::new(),
            red: Vec::new(),
            table: Vec::new(),
            parts: Parts::default(),
            red_parts: Vec::new(),
            tree_parts: Vec::new(),
            journal: Journal::default(),
            waiting: Vec::new(),
            folding: None,
            counted: 0,
            changed_rows: Vec::new(),
            unfolded: Unfolded::Nodes(0),
            visits: 0,
            meter: Meter::default(),
        }
    }

    /// Number of red states.
    pub(super) fn len(&self) -> usize {
        self.red.len()
    }

    /// Number of node visits so far.
    pub(super) fn visits(&self) -> u64 {
        self.visits
    }

    /// The part of the tree at a slot, which identifies the blue state as long as it is blue.
    pub(super) fn part(&self, slot: Slot) -> u32 {
        self.tree_parts[slot.0]
    }

    /// The parts and their history.
    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Number of nodes of the tree.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a merge is in progress.
    pub(super) fn is_folding(&self) -> bool {
        self.folding.is_some()
    }

    /// Whether a walk through a tree is in progress.
    pub(super) fn is_walking(&self) -> bool {
        self.folding.is_none() && !self.waiting.is_empty()
    }

    /// Whether an accepted word ends in the tree at a slot.
    pub(super) fn is_live(&mut self, slot: Slot) -> Result<bool, Pause> {
        self.walk(slot, |labels| labels.accepted > 0)
    }

    /// Number of words that end in the tree at a slot.
    pub(super) fn labels_in_tree(&mut self, slot: Slot) -> Result<u32, Pause> {
        self.walk(slot, |_| false)?;
        Ok(self.counted)
    }

    /// Walks the tree at a slot and counts its words until `ends` holds for a node's labels; returns whether it did.
    fn walk(&mut self, slot: Slot, ends: impl Fn(Labels) -> bool) -> Result<bool, Pause> {
        if self.waiting.is_empty() {
            self.counted = 0;
            self.waiting.push((NONE, NO_PART, self.table[slot.0]));
        }
        while let Some(&(.., node)) = self.waiting.last() {
            self.meter.check()?;
            self.waiting.pop();
            self.visit();
            let Node { labels, first, .. } = self.nodes[node as usize];
            self.counted += labels.total();
            if ends(labels) {
                self.waiting.clear();
                return Ok(true);
            }
            let mut child = first;
            while child != NONE {
                self.waiting.push((NONE, NO_PART, child));
                child = self.nodes[child as usize].sibling;
            }
        }
        Ok(false)
    }

    fn visit(&mut self) {
        self.visits += 1;
        self.meter.add(1);
    }

    /// Makes a blue state red.
    pub(super) fn promote(&mut self, slot: Slot) {
        self.table[slot.0] = self.redden(self.table[slot.0], self.tree_parts[slot.0]);
        self.changed_rows.push((slot.0 / self.letters) as u32);
    }

    fn redden(&mut self, node: u32, part: u32) -> Place {
        self.meter.add(1 + self.letters as u64 / CELLS);
        let row = self.table.len();
        self.table.resize(row + self.letters, NONE);
        self.tree_parts.resize(row + self.letters, NO_PART);
        self.red_parts.push(part);
        let Node { labels, first, .. } = self.nodes[node as usize];
        let mut child = first;
        while child != NONE {
            let Node { letter, sibling, .. } = self.nodes[child as usize];
            self.table[row + letter as usize] = child;
            self.tree_parts[row + letter as usize] = self.parts.add(part);
            child = sibling;
        }
        self.red.push(labels);
        (self.red.len() - 1) as u32 | RED
    }

    /// Merges a blue state into a red one and returns the evidence; `None` if labels contradict each other and this is
    /// not tolerated. In either case, the merge must be [kept](Self::keep) or [undone](Self::take_back).
    pub(super) fn merge(&mut self, red: u32, slot: Slot) -> Result<Option<Evidence>, Pause> {
        let mut evidence = match self.folding {
            Some(evidence) => evidence,
            None => self.begin(red, slot),
        };
        while let Some(&(place, part, node)) = self.waiting.last() {
            if let Err(pause) = self.meter.check() {
                self.folding = Some(evidence);
                return Err(pause);
            }
            self.waiting.pop();
            self.visit();
            self.parts.visit(part, place & RED == 0);
            let Node { labels, first, .. } = self.nodes[node as usize];
            if labels.total() > 0 && !self.label(place, part, labels, &mut evidence) {
                self.waiting.clear();
                self.folding = None;
                return Ok(None);
            }
            if first == NONE {
                continue;
            }
            match place & RED {
                0 => self.join_tree(place, part, first),
                _ => self.join_red((place ^ RED) as usize, part, first),
            }
        }
        self.folding = None;
        Ok(Some(evidence))
    }

    fn begin(&mut self, red: u32, slot: Slot) -> Evidence {
        let blue = self.table[slot.0];
        self.parts.begin();
        self.parts.visit(self.tree_parts[slot.0], true);
        self.parts.change(self.tree_parts[slot.0]);
        self.lead(slot.0, red | RED);
        self.waiting.push((red | RED, self.red_parts[red as usize], blue));
        Evidence::default()
    }

    /// What the last merge depended on.
    pub(super) fn visited(&self) -> Visited {
        self.parts.visited()
    }

    /// The red states whose labels the pending merge changed, before and after.
    pub(super) fn red_before_and_after(&mut self) -> Vec<(Labels, Labels)> {
        self.meter.add((self.len() + self.journal.red.len()) as u64 / CELLS);
        let mut before: Vec<Option<Labels>> = vec![None; self.len()];
        for &(red, labels) in &self.journal.red {
            before[red as usize].get_or_insert(labels);
        }
        before.into_iter().zip(&self.red).filter_map(|(before, &after)| Some((before?, after))).collect()
    }

    /// Keeps the merge.
    pub(super) fn keep(&mut self) {
        self.meter.add(self.parts.keep() + self.journal.table.len() as u64);
        self.journal.nodes.clear();
        self.journal.red.clear();
        while let Some((slot, before)) = self.journal.table.pop() {
            if before == NONE {
                self.tree_parts[slot] = self.parts.add(NO_PART);
            }
            self.changed_rows.push((slot / self.letters) as u32);
        }
    }

    /// Undoes the pending merge.
    pub(super) fn take_back(&mut self) -> Result<(), Pause> {
        while !self.journal.is_empty() {
            self.meter.check()?;
            self.meter.add(1);
            for _ in 0..TAKEN_BACK {
                if let Some((node, before)) = self.journal.nodes.pop() {
                    self.nodes[node as usize] = before;
                } else if let Some((red, before)) = self.journal.red.pop() {
                    self.red[red as usize] = before;
                } else if let Some((slot, before)) = self.journal.table.pop() {
                    self.table[slot] = before;
                }
            }
        }
        Ok(())
    }

    /// Adds labels to those of a place; false if that is a contradiction that is not tolerated.
    fn label(&mut self, place: Place, part: u32, added: Labels, evidence: &mut Evidence) -> bool {
        let present = match place & RED {
            0 => self.nodes[place as usize].labels,
            _ => self.red[(place ^ RED) as usize],
        };
        let both = present.and(added);
        if present.total() > 0 {
            if !self.tolerant {
                // From here on only the majority matters, and it is known.
                evidence.agreeing += 1;
                return both.minority() == 0;
            }
            let contradicting = both.minority() - present.minority() - added.minority();
            evidence.contradicting += contradicting;
            evidence.agreeing += present.total().min(added.total()) - contradicting;
        }
        self.parts.change(part);
        match place & RED {
            0 => self.change(place).labels = both,
            _ => {
                let red = place ^ RED;
                self.journal.red.push((red, present));
                self.red[red as usize] = both;
            }
        }
        true
    }

    /// Gives a red state a list of children.
    fn join_red(&mut self, red: usize, part: u32, first: u32) {
        let mut child = first;
        while child != NONE {
            let Node { letter, sibling, .. } = self.nodes[child as usize];
            let slot = red * self.letters + letter as usize;
            self.meter.add(1);
            match self.table[slot] {
                NONE => {
                    self.lead(slot, child);
                    self.tree_parts[slot] = NO_PART;
                    self.parts.change(part);
                }
                place if place & RED == 0 => self.waiting.push((place, self.tree_parts[slot], child)),
                place => self.waiting.push((place, self.red_parts[(place ^ RED) as usize], child)),
            }
            child = sibling;
        }
    }

    /// Gives a tree node a list of children. Both lists are in alphabet order, and so is the result.
    fn join_tree(&mut self, node: u32, part: u32, first: u32) {
        let mut before = NONE;
        let mut present = self.nodes[node as usize].first;
        let mut child = first;
        while child != NONE {
            let Node { letter, sibling, .. } = self.nodes[child as usize];
            self.meter.add(1);
            while present != NONE && self.nodes[present as usize].letter < letter {
                self.meter.add(1);
                before = present;
                present = self.nodes[present as usize].sibling;
            }
            if present != NONE && self.nodes[present as usize].letter == letter {
                self.waiting.push((present, part, child));
            } else {
                self.parts.change(part);
                if sibling != present {
                    self.change(child).sibling = present;
                }
                match before {
                    NONE => self.change(node).first = child,
                    before => self.change(before).sibling = child,
                }
                before = child;
            }
            child = sibling;
        }
    }

    /// Access to a node that will change, logged first.
    fn change(&mut self, node: u32) -> &mut Node {
        let entry = &mut self.nodes[node as usize];
        self.journal.nodes.push((node, *entry));
        entry
    }

    /// Redirects a transition.
    fn lead(&mut self, slot: usize, place: Place) {
        self.journal.table.push((slot, self.table[slot]));
        self.table[slot] = place;
    }

    /// The red states as an automaton in canonical numbering, once no state is blue.
    pub(super) fn to_dfa(&self, sample: &Sample) -> Dfa {
        let target = |&place: &Place| (place != NONE && place & RED != 0).then_some((place ^ RED) as usize);
        let states = 0..self.len();
        let rows: Vec<Vec<Option<usize>>> = states
            .clone()
            .map(|red| self.table[red * self.letters..][..self.letters].iter().map(target).collect())
            .collect();
        let accepting = states.filter(|&red| self.red[red].accepted > self.red[red].rejected);
        let dfa = Dfa::new(sample.alphabet().clone(), 0, accepting, &rows);
        dfa.expect("all transitions lead to red states").canonical()
    }
}

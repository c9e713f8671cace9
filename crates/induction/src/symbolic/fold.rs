//! A prefix tree, partly folded: a core of red states, and trees that hang off it.
//!
//! A blue state is the root of a tree that nothing else leads into, so merging it into a red state is walking down
//! that tree beside the rest of the automaton. Where the rest has no such transition the subtree is moved there as it is,
//! unvisited; where it has one, the labels of the two are compared. No classes of states are kept, for each node of
//! the tree is folded into one place; what was overwritten is written down, so that a merge can be taken back.
//!
//! Red states have a row of a table. Nodes of trees have their children as a list in alphabet order, so that a node
//! takes the same few bytes whether there are two letters or a thousand, and two lists are compared in one pass.

use automata::Dfa;

use super::parts::{NO_PART, Parts, Visited};
use crate::sample::Sample;

/// No node, no transition.
const NONE: u32 = u32::MAX;
/// The bit that makes the number of a red state a [`Place`].
const RED: u32 = 1 << 31;

/// A transition's target: a red state (with the bit [`RED`]), the root of a tree, or [`NONE`].
type Place = u32;

/// How many words end in a state. A word counts once, by what was said of it more often: repeating it is no evidence
/// about any other word.
#[derive(Clone, Copy, Default)]
pub(super) struct Labels {
    accepted: u32,
    rejected: u32,
}

impl Labels {
    pub(super) fn total(self) -> u32 {
        self.accepted + self.rejected
    }

    /// The words that are wrong when the state goes by the majority.
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
    /// The next child of the same parent. Means nothing when the parent is red.
    sibling: u32,
}

/// What a merge says for and against itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Labels that were compared and agree.
    pub(super) agreeing: u32,
    /// Labels that were compared and do not.
    pub(super) contradicting: u32,
}

/// What was overwritten since the last merge that was kept, the oldest first.
#[derive(Clone, Default)]
struct Journal {
    nodes: Vec<(u32, Node)>,
    red: Vec<(u32, Labels)>,
    table: Vec<(usize, Place)>,
}

/// Where a blue state hangs: the place of its transition in the table of the red ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(usize);

/// The red and blue states in canonical order: that of the shortest words that lead to them, and of these the first in
/// the dictionary.
#[derive(Clone, Default)]
pub(super) struct Survey {
    /// The red states, by number.
    pub(super) red: Vec<u32>,
    /// Of each red state, its place in that order.
    pub(super) rank: Vec<u32>,
    /// The blue states.
    pub(super) blue: Vec<Slot>,
}

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
    /// `[red]`: the part that a red state is.
    red_parts: Vec<u32>,
    /// `[red][letters]`: the part that the tree there is.
    tree_parts: Vec<u32>,
    journal: Journal,
    /// Pairs that wait to be merged: a place, the part it belongs to, and a node of the tree that is folded away.
    waiting: Vec<(Place, u32, u32)>,
    visits: u64,
}

impl Quotient {
    /// The tree unfolded, its root the only red state; none if it has more nodes than can be numbered beside the red
    /// states.
    pub(super) fn new(sample: &Sample, tolerant: bool) -> Option<Self> {
        let count = sample.parents().len();
        if count >= RED as usize {
            return None;
        }
        let voted = |counts: crate::sample::Counts| Labels {
            accepted: u32::from(counts.accepted > counts.rejected),
            rejected: u32::from(counts.rejected > counts.accepted),
        };
        let labels = sample.counts_by_node().into_iter().map(voted);
        let letters = sample.letters().iter().map(|letter| letter.index() as u32);
        let mut nodes: Vec<Node> =
            labels.zip(letters).map(|(labels, letter)| Node { labels, letter, first: NONE, sibling: NONE }).collect();
        // From back to front, so that each list begins with the child that comes first.
        for node in (1..count).rev() {
            let parent = sample.parents()[node] as usize;
            nodes[node].sibling = nodes[parent].first;
            nodes[parent].first = node as u32;
        }
        let mut quotient = Self {
            letters: sample.alphabet().len(),
            tolerant,
            nodes,
            red: Vec::new(),
            table: Vec::new(),
            parts: Parts::default(),
            red_parts: Vec::new(),
            tree_parts: Vec::new(),
            journal: Journal::default(),
            waiting: Vec::new(),
            visits: 0,
        };
        let root = quotient.parts.add(NO_PART);
        quotient.redden(0, root);
        Some(quotient)
    }

    /// How many red states there are.
    pub(super) fn len(&self) -> usize {
        self.red.len()
    }

    /// How many nodes were looked at so far: the work done.
    pub(super) fn visits(&self) -> u64 {
        self.visits
    }

    /// The part that the tree at a slot is: the blue state's name as long as it is blue.
    pub(super) fn part(&self, slot: Slot) -> u32 {
        self.tree_parts[slot.0]
    }

    /// The parts, and what became of them.
    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Finds all red and blue states.
    pub(super) fn survey(&self, survey: &mut Survey) {
        survey.red.clear();
        survey.blue.clear();
        survey.rank.clear();
        survey.rank.resize(self.len(), NONE);
        survey.red.push(0);
        survey.rank[0] = 0;
        let mut read = 0;
        while read < survey.red.len() {
            let begin = survey.red[read] as usize * self.letters;
            for (slot, &place) in self.table.iter().enumerate().skip(begin).take(self.letters) {
                if place == NONE {
                    continue;
                }
                if place & RED == 0 {
                    survey.blue.push(Slot(slot));
                } else if survey.rank[(place ^ RED) as usize] == NONE {
                    survey.rank[(place ^ RED) as usize] = survey.red.len() as u32;
                    survey.red.push(place ^ RED);
                }
            }
            read += 1;
        }
    }

    /// The red states' transitions to each other, in canonical numbering, as they are or would be if a blue state were
    /// merged into a red one. How the tree is folded follows from that alone: quotients with the same core are the same.
    pub(super) fn core(&self, merge: Option<(u32, Slot)>) -> Vec<u32> {
        let mut name = vec![NONE; self.len()];
        let mut order = vec![0];
        name[0] = 0;
        let mut core = Vec::with_capacity(self.table.len());
        let mut read = 0;
        while read < order.len() {
            let begin = order[read] as usize * self.letters;
            for at in begin..begin + self.letters {
                let place = match merge {
                    Some((red, slot)) if slot.0 == at => red | RED,
                    _ => self.table[at],
                };
                if place == NONE || place & RED == 0 {
                    core.push(NONE);
                    continue;
                }
                let to = (place ^ RED) as usize;
                if name[to] == NONE {
                    name[to] = order.len() as u32;
                    order.push(to as u32);
                }
                core.push(name[to]);
            }
            read += 1;
        }
        core
    }

    /// Whether an accepted word ends in the tree at a slot.
    pub(super) fn is_live(&mut self, slot: Slot) -> bool {
        self.waiting.push((NONE, NO_PART, self.table[slot.0]));
        while let Some((.., node)) = self.waiting.pop() {
            self.visits += 1;
            let Node { labels, first, .. } = self.nodes[node as usize];
            if labels.accepted > 0 {
                self.waiting.clear();
                return true;
            }
            let mut child = first;
            while child != NONE {
                self.waiting.push((NONE, NO_PART, child));
                child = self.nodes[child as usize].sibling;
            }
        }
        false
    }

    /// How many words end in the tree at a slot.
    pub(super) fn labels_in_tree(&mut self, slot: Slot) -> u32 {
        let mut sum = 0;
        self.waiting.push((NONE, NO_PART, self.table[slot.0]));
        while let Some((.., node)) = self.waiting.pop() {
            self.visits += 1;
            sum += self.nodes[node as usize].labels.total();
            let mut child = self.nodes[node as usize].first;
            while child != NONE {
                self.waiting.push((NONE, NO_PART, child));
                child = self.nodes[child as usize].sibling;
            }
        }
        sum
    }

    /// Makes a blue state red.
    pub(super) fn promote(&mut self, slot: Slot) {
        self.table[slot.0] = self.redden(self.table[slot.0], self.tree_parts[slot.0]);
    }

    fn redden(&mut self, node: u32, part: u32) -> Place {
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

    /// Merges a blue state into a red one, and says what that speaks for and against; nothing if labels contradict each
    /// other and may not. To be [kept](Self::keep) or [taken back](Self::take_back); when nothing is said it has been
    /// taken back.
    pub(super) fn merge(&mut self, red: u32, slot: Slot) -> Option<Evidence> {
        let blue = self.table[slot.0];
        self.parts.begin();
        self.parts.visit(self.tree_parts[slot.0], true);
        self.parts.change(self.tree_parts[slot.0]);
        self.lead(slot.0, red | RED);
        self.waiting.push((red | RED, self.red_parts[red as usize], blue));
        let mut evidence = Evidence::default();
        while let Some((place, part, node)) = self.waiting.pop() {
            self.visits += 1;
            self.parts.visit(part, place & RED == 0);
            let Node { labels, first, .. } = self.nodes[node as usize];
            if labels.total() > 0 && !self.label(place, part, labels, &mut evidence) {
                self.waiting.clear();
                self.take_back();
                return None;
            }
            if first == NONE {
                continue;
            }
            match place & RED {
                0 => self.join_tree(place, part, first),
                _ => self.join_red((place ^ RED) as usize, part, first),
            }
        }
        Some(evidence)
    }

    /// What the last merge depended on.
    pub(super) fn visited(&self) -> Visited {
        self.parts.visited()
    }

    /// The red states whose labels the merge that was not kept yet added to, as they were and as they are.
    pub(super) fn red_before_and_after(&self) -> Vec<(Labels, Labels)> {
        let mut before: Vec<Option<Labels>> = vec![None; self.len()];
        for &(red, labels) in &self.journal.red {
            before[red as usize].get_or_insert(labels);
        }
        before.into_iter().zip(&self.red).filter_map(|(before, &after)| Some((before?, after))).collect()
    }

    /// The merges since the last call are there to stay.
    pub(super) fn keep(&mut self) {
        self.parts.keep();
        self.journal.nodes.clear();
        self.journal.red.clear();
        while let Some((slot, before)) = self.journal.table.pop() {
            if before == NONE {
                self.tree_parts[slot] = self.parts.add(NO_PART);
            }
        }
    }

    /// Undoes the merge that was not kept.
    pub(super) fn take_back(&mut self) {
        while let Some((node, before)) = self.journal.nodes.pop() {
            self.nodes[node as usize] = before;
        }
        while let Some((red, before)) = self.journal.red.pop() {
            self.red[red as usize] = before;
        }
        while let Some((slot, before)) = self.journal.table.pop() {
            self.table[slot] = before;
        }
    }

    /// Adds labels to those of a place; false if that may not be.
    fn label(&mut self, place: Place, part: u32, added: Labels, evidence: &mut Evidence) -> bool {
        let present = match place & RED {
            0 => self.nodes[place as usize].labels,
            _ => self.red[(place ^ RED) as usize],
        };
        let both = present.and(added);
        if present.total() > 0 {
            if !self.tolerant {
                // The sign is all that matters from here on, and it is known.
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

    /// Gives a node of a tree a list of children: both lists are in alphabet order and so is what becomes of them.
    fn join_tree(&mut self, node: u32, part: u32, first: u32) {
        let mut before = NONE;
        let mut present = self.nodes[node as usize].first;
        let mut child = first;
        while child != NONE {
            let Node { letter, sibling, .. } = self.nodes[child as usize];
            while present != NONE && self.nodes[present as usize].letter < letter {
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

    /// A node about to be changed.
    fn change(&mut self, node: u32) -> &mut Node {
        let entry = &mut self.nodes[node as usize];
        self.journal.nodes.push((node, *entry));
        entry
    }

    /// Lets a transition lead elsewhere.
    fn lead(&mut self, slot: usize, place: Place) {
        self.journal.table.push((slot, self.table[slot]));
        self.table[slot] = place;
    }

    /// The red states as an automaton, numbered in canonical order, once no state is blue.
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

//! The work of the kernels for a batch, and its order.
//!
//! A belief u_i depends only on the first i letters, so words of a batch share their common prefixes. The planner
//! numbers the distinct prefixes: each gets a *slot*, level by level and, within a level, letter by letter, so that a
//! letter's matrix is loaded once for all its slots.
//!
//! Slots of one letter on one level have different parents, so their gradients can be added to the parents' without
//! conflicts. The first slot to reach its parent's gradient, in letter order, writes it; the others, the *late* ones,
//! add to it and come at the end of their group.
//!
//! Prefixes are found anew for each batch instead of kept as a prefix tree of the sample. In lexicographic order, words
//! share prefixes with their neighbours, so numbering the prefixes takes a few operations per letter. A bit set over a
//! tree of the whole sample took five times as long.

use std::ops::Range;

use automata::Letter;

use crate::sample::Sample;
use crate::training::Shown;

/// The order of work for one batch, or for one piece of a large batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// `[slots]`: the slot one letter shorter; 0 on the first level, which has no parents.
    pub(super) parents: Vec<u32>,
    /// By level, then letter.
    pub(super) groups: Vec<Group>,
    pub(super) levels: Vec<Level>,
    /// Where words end, by level.
    pub(super) ends: Vec<End>,
}

/// The slots of one letter on one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) letter: u32,
    pub(super) begin: u32,
    /// From here on an earlier group has written the parents' gradients.
    pub(super) late: u32,
    pub(super) end: u32,
}

/// The slots of one length.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) slots: Range<usize>,
    pub(super) groups: Range<usize>,
    pub(super) ends: Range<usize>,
}

/// A slot where a word of the batch ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub(super) slot: u32,
    pub(super) accepted: f32,
    pub(super) rejected: f32,
    /// Whether to add to the slot's gradient, already written by children or another end.
    pub(super) adds: bool,
}

/// Plans, reusing their memory.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    plans: Vec<Plan>,
    used: usize,
}

impl Plans {
    fn next(&mut self) -> &mut Plan {
        if self.used == self.plans.len() {
            self.plans.push(Plan::default());
        }
        self.used += 1;
        &mut self.plans[self.used - 1]
    }
}

impl std::ops::Deref for Plans {
    type Target = [Plan];
    fn deref(&self) -> &[Plan] {
        &self.plans[..self.used]
    }
}

/// Maximum slots in a piece of a batch, unless a single word needs more. A slot is n' vectors, and small models are
/// memory-bound: 2,048 slots of n' = 5 are 640 KiB with 16 lanes.
const PIECE: usize = 2048;

/// The most slots a plan for this sample can have, in total and on one level.
pub(crate) fn bounds(sample: &Sample, batch: usize) -> (usize, usize) {
    let slots = PIECE.max(sample.longest());
    (slots, slots.min(batch))
}

impl Plan {
    fn clear(&mut self) {
        self.parents.clear();
        self.groups.clear();
        self.levels.clear();
        self.ends.clear();
    }
}

/// Makes plans for batches of one sample, reusing its memory.
#[derive(Debug)]
pub(crate) struct Planner<'a> {
    sample: &'a Sample,
    sharing: bool,
    /// The words of the batch, in lexicographic order.
    words: Vec<Growing<'a>>,
    /// The words of a piece that extend beyond the level being numbered.
    growing: Vec<Growing<'a>>,
    /// `[t][2]`: the number of a letter's slots on this level, and of its late ones; then where the next ones go.
    next: Vec<[u32; 2]>,
    /// `[slots]`: whether the slot's gradient will have been written.
    written: Vec<bool>,
}

/// A word on its way down the tree.
#[derive(Debug, Clone, Copy)]
struct Growing<'a> {
    word: &'a [Letter],
    /// Its position in lexicographic order.
    begin: usize,
    /// The number of letters shared with the previous word.
    common: u32,
    /// The slot of its prefix on the previous level.
    slot: u32,
    shown: Shown,
}

impl Growing<'_> {
    /// Whether its prefix of this length differs from the previous word's.
    fn is_new(&self, level: usize) -> bool {
        (self.common as usize) < level
    }

    /// Whether it is new but its parent is not: then it is not the first child of its parent, in alphabet order.
    fn is_late(&self, level: usize) -> bool {
        self.common as usize + 1 == level && level > 1
    }
}

impl<'a> Planner<'a> {
    /// A planner for batches of this sample; without `sharing` (for measurements), prefixes are not shared.
    pub(crate) fn new(sample: &'a Sample, sharing: bool) -> Self {
        let next = vec![[0; 2]; sample.alphabet().len()];
        Self { sample, sharing, words: Vec::new(), growing: Vec::new(), next, written: Vec::new() }
    }

    /// Plans a batch, in several pieces if it is large, each small enough for the L2 cache. The pieces are the same on
    /// every machine, because gradients are summed piece by piece.
    pub(crate) fn plan(&mut self, shown: &[Shown], plans: &mut Plans) {
        plans.used = 0;
        let entries = self.sample.entries();
        self.words.clear();
        self.words.extend(shown.iter().map(|&shown| {
            let entry = &entries[shown.entry as usize];
            Growing { word: self.sample.word(entry), begin: entry.begin as usize, common: 0, slot: 0, shown }
        }));
        // Lexicographic neighbours share the most. If a word is shown with both labels, the accepted one comes first,
        // so that the order of sums does not depend on the sorting algorithm.
        self.words.sort_unstable_by_key(|word| (word.begin, word.shown.rejected > 0.0));
        self.growing.clear();
        let mut slots = 0;
        for i in 0..self.words.len() {
            let mut word = self.words[i];
            let common = match self.growing.last() {
                Some(before) if self.sharing => common_letters(before.word, word.word),
                _ => 0,
            };
            if slots + word.word.len() - common > PIECE && !self.growing.is_empty() {
                self.number(plans.next());
                slots = 0;
            } else {
                word.common = common as u32;
            }
            slots += word.word.len() - word.common as usize;
            self.growing.push(word);
        }
        if !self.growing.is_empty() {
            self.number(plans.next());
        }
    }

    /// Assigns slots to the prefixes of the growing words, level by level, until none grows any more.
    fn number(&mut self, plan: &mut Plan) {
        let Self { growing, next, written, .. } = self;
        plan.clear();
        written.clear();
        for level in 1.. {
            if growing.is_empty() {
                break;
            }
            next.fill([0; 2]);
            for word in growing.iter().filter(|word| word.is_new(level)) {
                next[word.word[level - 1].index()][usize::from(word.is_late(level))] += 1;
            }
            let first = plan.parents.len();
            let first_group = plan.groups.len();
            let mut begin = first as u32;
            for (letter, next) in next.iter_mut().enumerate().filter(|(_, next)| **next != [0; 2]) {
                let late = begin + next[0];
                let end = late + next[1];
                plan.groups.push(Group { letter: letter as u32, begin, late, end });
                *next = [begin, late];
                begin = end;
            }
            plan.parents.resize(begin as usize, 0);
            written.resize(begin as usize, false);
            let first_end = plan.ends.len();
            let mut slot = 0;
            for word in &mut *growing {
                if word.is_new(level) {
                    let next = &mut next[word.word[level - 1].index()][usize::from(word.is_late(level))];
                    slot = *next;
                    *next += 1;
                    plan.parents[slot as usize] = word.slot;
                    written[word.slot as usize] |= level > 1;
                }
                word.slot = slot;
                if word.word.len() == level {
                    let Shown { accepted, rejected, .. } = word.shown;
                    plan.ends.push(End { slot, accepted, rejected, adds: false });
                }
            }
            let groups = first_group..plan.groups.len();
            plan.levels.push(Level { slots: first..begin as usize, groups, ends: first_end..plan.ends.len() });
            if plan.ends.len() > first_end {
                // A prefix that a word ending here shares with both neighbours is shared by the neighbours.
                let mut skipped = u32::MAX;
                growing.retain_mut(|word| {
                    word.common = word.common.min(skipped);
                    let goes_on = word.word.len() > level;
                    skipped = if goes_on { u32::MAX } else { word.common };
                    goes_on
                });
            }
        }
        for end in &mut plan.ends {
            end.adds = std::mem::replace(&mut written[end.slot as usize], true);
        }
    }
}

/// The length of the longest common prefix.
fn common_letters(a: &[Letter], b: &[Letter]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

//! What a batch makes the kernels do, in which order.
//!
//! A belief u_i depends only on the first i letters, so the words of a batch share what they begin with. The planner
//! numbers the distinct prefixes: each gets a *slot*, level by level, and within a level letter by letter, so that one
//! letter's matrix is loaded once for all its slots.
//!
//! Slots of one letter on one level have different parents: that is what lets their gradients be added to the parents'
//! without two of them meeting. A slot that reaches its parent's gradient first, by the order of letters, writes it; the
//! others, the *late* ones, add to it and stand at the end of their group.
//!
//! Prefixes are found for each batch instead of being kept as a tree of the sample. Words in lexicographic order show
//! what they share with their neighbours, so numbering the prefixes takes a few operations per letter. A bit set over a
//! tree of the whole sample took five times as long.

use std::ops::Range;

use automata::Letter;

use crate::sample::Sample;
use crate::training::Shown;

/// The order of work for one batch, or one piece of a large one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// `[slots]`: the slot one letter shorter; on the first level there is none, and 0 stands.
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
    /// From here on the parents' gradients have been written by an earlier group.
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

/// A slot at which a word of the batch ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub(super) slot: u32,
    pub(super) accepted: f32,
    pub(super) rejected: f32,
    /// Whether the slot's gradient was written before, by children or by another end, and is added to.
    pub(super) adds: bool,
}

/// Plans whose memory is used again.
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

/// How many slots a piece of a batch has at most, unless a single word has more. A slot is n' vectors, and small models
/// are the ones that wait for memory: 2,048 slots of n' = 5 are 640 KiB with 16 lanes.
const PIECE: usize = 2048;

/// How many slots a plan for this sample can have, and how many of them on one level.
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
    /// The words of the batch, in the order of a dictionary.
    words: Vec<Growing<'a>>,
    /// Those of a piece that go on beyond the level that is being numbered.
    growing: Vec<Growing<'a>>,
    /// `[t][2]`: how many slots a letter has on this level, and how many of them late; then where the next ones go.
    next: Vec<[u32; 2]>,
    /// `[slots]`: whether something will have been written to the slot's gradient.
    written: Vec<bool>,
}

/// A word on its way down the tree.
#[derive(Debug, Clone, Copy)]
struct Growing<'a> {
    word: &'a [Letter],
    /// Where it stands in the dictionary.
    begin: usize,
    /// How many letters it has in common with the word before it.
    common: u32,
    /// The slot of its prefix on the level before.
    slot: u32,
    shown: Shown,
}

impl Growing<'_> {
    /// Whether its prefix of this length is not that of the word before.
    fn is_new(&self, level: usize) -> bool {
        (self.common as usize) < level
    }

    /// Whether it is new and its parent is not: then it is not the first child of its parent, in alphabet order.
    fn is_late(&self, level: usize) -> bool {
        self.common as usize + 1 == level && level > 1
    }
}

impl<'a> Planner<'a> {
    /// A planner for batches of this sample, which share prefixes, or for measuring do not.
    pub(crate) fn new(sample: &'a Sample, sharing: bool) -> Self {
        let next = vec![[0; 2]; sample.alphabet().len()];
        Self { sample, sharing, words: Vec::new(), growing: Vec::new(), next, written: Vec::new() }
    }

    /// Plans for a batch: one, or several pieces of a large batch, each small enough that what it holds stays in the
    /// cache nearest but one. The pieces are the same on every machine, since gradients are added up piece by piece.
    pub(crate) fn plan(&mut self, shown: &[Shown], plans: &mut Plans) {
        plans.used = 0;
        let entries = self.sample.entries();
        self.words.clear();
        self.words.extend(shown.iter().map(|&shown| {
            let entry = &entries[shown.entry as usize];
            Growing { word: self.sample.word(entry), begin: entry.begin as usize, common: 0, slot: 0, shown }
        }));
        // Neighbours in a dictionary share the most. Of one word shown twice, the accepted comes first, so that the order
        // of sums is no matter of the sorting.
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

    /// Gives slots to the prefixes of the growing words, level by level, until none grows any more.
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
                // What those that end here have in common with both neighbours, the neighbours have in common.
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

/// How many letters two words begin with alike.
fn common_letters(a: &[Letter], b: &[Letter]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

//! The blue states and what is known about their possible merges.
//!
//! # What is not computed twice
//! Merging two states forces other merges, and later merges only add to them. So a pair that contradicts itself once
//! always will, and is never examined again. Making a state red affects no pair. So after a promotion only pairs with
//! the new states are examined, and after a merge only those that visited something it changed (see `parts`). Of these,
//! one per blue state is enough to know that it need not become red; others are examined only if their tree has enough
//! labels to beat the best merge so far.
//!
//! Each method may return early when a slice is used up; calling it again continues.

use automata::Dfa;
use rand_chacha::ChaCha8Rng;

use super::fold::{Quotient, Slot, Survey, Visited};
use super::merging::{Merging, Randomness};
use super::noise::Noise;
use crate::random;
use crate::sample::Sample;
use crate::work::Pause;

/// A possible merge.
#[derive(Clone)]
struct Candidate {
    red: u32,
    /// The random part of its score.
    luck: f64,
    score: f64,
    /// The number of merges made when the score was computed; since then it may have grown, or the merge may have
    /// become impossible.
    known_at: u32,
    /// The parts that the score depends on.
    visited: Visited,
}

/// A blue state and its possible merges.
#[derive(Clone)]
struct Blue {
    candidates: Vec<Candidate>,
    /// Number of red states it was compared with; those that are not candidates contradict it.
    asked: usize,
    /// Number of labels in its tree, and when they were counted.
    labels: u32,
    counted_at: u32,
    /// The maximum random part of any candidate.
    luckiest: f64,
}

/// Used instead of a number of merges: not computed yet.
const NEVER: u32 = u32::MAX;

/// A merge that can be made now, with its score.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) slot: Slot,
    pub(super) red: u32,
    pub(super) score: f64,
}

/// Why a method did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The slice is used up; the same call continues.
    Paused,
    /// A limit was exceeded; the run cannot continue.
    Beyond,
}

impl From<Pause> for Halt {
    fn from(_: Pause) -> Self {
        Self::Paused
    }
}

/// Progress of the survey since the last change.
#[derive(Clone, Copy)]
enum Surveyed {
    No,
    /// The first blue states, this many, are known to be live or dead.
    Blue(usize),
    Yes,
}

/// The position in a pass over the blue states.
#[derive(Clone, Copy, Default)]
struct Cursor {
    blue: usize,
    candidate: usize,
}

/// A score, its place in canonical order (lower is better), and the merge.
type Best = (f64, (usize, u32), Choice);

/// A quotient in progress, with what is known about its blue states.
#[derive(Clone)]
pub(super) struct Fringe {
    quotient: Quotient,
    noise: Noise,
    how: Merging,
    chance: Option<(f64, ChaCha8Rng)>,
    survey: Survey,
    surveyed: Surveyed,
    /// The blue states that must be merged or promoted, in canonical order.
    open: Vec<Slot>,
    /// `[parts]`: the blue states by the parts of their trees.
    blue: Vec<Option<Blue>>,
    /// `[parts]`: for trees without an accepted word, the number of merges at which this was checked; otherwise
    /// [`NEVER`].
    dead: Vec<u32>,
    cursor: Cursor,
    /// The open states by the number of labels in their trees, largest first, during a search for the best merge.
    by_size: Vec<(u32, usize)>,
    sized: bool,
    best: Option<Best>,
    choices: Vec<Choice>,
    /// The score of a merge that is being undone.
    undone: Option<Option<f64>>,
}

impl Fringe {
    pub(super) fn new(letters: usize, how: &Merging) -> Self {
        let chance = how.randomness.filter(|chance| chance.strength > 0.0);
        Self {
            quotient: Quotient::new(letters, how.tolerance > 0.0),
            noise: Noise::new(how.tolerance),
            how: *how,
            chance: chance.map(|Randomness { strength, seed }| (strength, random::stream(seed, 0))),
            survey: Survey::default(),
            surveyed: Surveyed::No,
            open: Vec::new(),
            blue: Vec::new(),
            dead: Vec::new(),
            cursor: Cursor::default(),
            by_size: Vec::new(),
            sized: false,
            best: None,
            choices: Vec::new(),
            undone: None,
        }
    }

    /// Builds the tree. Must be called before anything else.
    pub(super) fn unfold(&mut self, sample: &Sample) -> Result<(), Halt> {
        if self.how.most_states == Some(0) || !self.quotient.unfold(sample)? {
            return Err(Halt::Beyond);
        }
        Ok(())
    }

    /// Starts a slice with this much work.
    pub(super) fn begin_slice(&mut self, work: u64) {
        self.quotient.meter.begin(work);
    }

    /// Total work so far.
    pub(super) fn work(&self) -> u64 {
        self.quotient.meter.done()
    }

    /// Number of nodes of the tree.
    pub(super) fn nodes(&self) -> usize {
        self.quotient.nodes()
    }

    /// Number of red states.
    pub(super) fn len(&self) -> usize {
        self.quotient.len()
    }

    /// The transitions between red states, as they are or as they would be after a merge. Equal cores mean equal
    /// quotients.
    pub(super) fn core(&mut self, merge: Option<&Choice>) -> Vec<u32> {
        self.quotient.core(merge.map(|choice| (choice.red, choice.slot)))
    }

    /// The automaton, once no state is blue.
    pub(super) fn finished(&self, sample: &Sample) -> Dfa {
        let dfa = self.quotient.to_dfa(sample);
        debug_assert!(self.how.tolerance > 0.0 || agrees(&dfa, sample), "strict merging contradicts an example");
        dfa
    }

    /// Merges the first blue state into the first red one that allows it, or makes it red; false if there is no blue
    /// state.
    pub(super) fn step_in_order(&mut self) -> Result<bool, Halt> {
        self.survey()?;
        let Some(&slot) = self.open.first() else { return Ok(false) };
        while let Some(&red) = self.survey.red.get(self.cursor.candidate) {
            if self.undone.is_none() {
                let score = self.score(red, slot)?;
                if score.is_some() {
                    self.quotient.keep();
                    self.changed();
                    return Ok(true);
                }
                self.undone = Some(score);
            }
            self.quotient.take_back()?;
            self.undone = None;
            self.cursor.candidate += 1;
        }
        self.promote(slot)?;
        Ok(true)
    }

    /// Makes blue states red, the shallowest first, until each remaining one has a possible merge; false if none
    /// remains.
    pub(super) fn settle(&mut self) -> Result<bool, Halt> {
        loop {
            self.survey()?;
            let mut stuck = None;
            while let Some(&slot) = self.open.get(self.cursor.blue) {
                self.begin_unit()?;
                let part = self.quotient.part(slot) as usize;
                // Taken out, because the quotient is borrowed meanwhile.
                let mut state = self.blue[part].take().unwrap_or_else(Blue::new);
                self.quotient.meter.add((self.quotient.len() - state.asked) as u64);
                state.ask(self.quotient.len(), &mut self.chance);
                let goes_somewhere = self.has_somewhere_to_go(&mut state, slot);
                self.blue[part] = Some(state);
                if !goes_somewhere? {
                    self.blue[part] = None;
                    stuck = Some(slot);
                    break;
                }
                self.cursor.blue += 1;
            }
            match stuck {
                Some(slot) => self.promote(slot)?,
                None => {
                    self.cursor = Cursor::default();
                    return Ok(!self.open.is_empty());
                }
            }
        }
    }

    /// Finds the states, and the blue ones that must be merged or promoted.
    fn survey(&mut self) -> Result<(), Pause> {
        if let Surveyed::No = self.surveyed {
            self.quotient.survey(&mut self.survey)?;
            let parts = self.quotient.parts().len();
            self.blue.resize_with(parts, || None);
            self.dead.resize(parts, NEVER);
            self.open.clear();
            self.surveyed = match self.how.dead_ends {
                true => Surveyed::Blue(0),
                false => {
                    self.open.extend(&self.survey.blue);
                    Surveyed::Yes
                }
            };
            self.quotient.meter.add(1 + self.survey.blue.len() as u64 / SLOTS);
        }
        while let Surveyed::Blue(at) = self.surveyed {
            let Some(&slot) = self.survey.blue.get(at) else {
                self.surveyed = Surveyed::Yes;
                break;
            };
            self.begin_unit()?;
            let part = self.quotient.part(slot);
            let (parts, when) = (self.quotient.parts(), self.dead[part as usize]);
            // A live tree stays live; a dead one stays dead as long as nothing is folded into it.
            let live = self.blue[part as usize].is_some()
                || !(when != NEVER && parts.unchanged_tree(part, when)) && self.quotient.is_live(slot)?;
            match live {
                true => self.open.push(slot),
                false => self.dead[part as usize] = self.quotient.parts().merges(),
            }
            self.surveyed = Surveyed::Blue(at + 1);
        }
        Ok(())
    }

    /// Invalidates the order of the states.
    fn changed(&mut self) {
        self.surveyed = Surveyed::No;
        self.cursor = Cursor::default();
    }

    /// Makes and keeps a merge.
    pub(super) fn make(&mut self, choice: Choice) -> Result<(), Halt> {
        let part = self.quotient.part(choice.slot) as usize;
        let _ = self.quotient.merge(choice.red, choice.slot)?;
        self.blue[part] = None;
        self.quotient.keep();
        self.changed();
        Ok(())
    }

    /// Whether a blue state can be merged into some red one. Contradicting candidates are dropped on the way.
    fn has_somewhere_to_go(&mut self, state: &mut Blue, slot: Slot) -> Result<bool, Halt> {
        // The last one is the most promising.
        if !self.is_trying() {
            for candidate in state.candidates.iter_mut().rev() {
                self.quotient.meter.add(1);
                if self.is_known(candidate) {
                    return Ok(true);
                }
            }
        }
        while let Some(candidate) = state.candidates.last_mut() {
            if self.known(candidate, slot)?.is_some() {
                return Ok(true);
            }
            state.candidates.pop();
        }
        Ok(false)
    }

    /// The merge with the highest score, the first in canonical order on a tie. Call it when each blue state has a
    /// possible merge.
    pub(super) fn best(&mut self) -> Result<Choice, Halt> {
        self.size()?;
        while let Some(&(labels, i)) = self.by_size.get(self.cursor.blue) {
            let slot = self.open[i];
            let part = self.quotient.part(slot) as usize;
            let mut state = self.blue[part].take().ok_or(Halt::Beyond)?;
            let looked_at = self.look_for_better(&mut state, labels, i, slot);
            self.blue[part] = Some(state);
            looked_at?;
            self.cursor = Cursor { blue: self.cursor.blue + 1, candidate: 0 };
        }
        self.cursor = Cursor::default();
        self.by_size.clear();
        self.sized = false;
        self.best.take().map(|(.., choice)| choice).ok_or(Halt::Beyond)
    }

    /// Looks for a merge of a blue state, whose tree has this many labels, that beats the best so far.
    fn look_for_better(&mut self, state: &mut Blue, labels: u32, i: usize, slot: Slot) -> Result<(), Halt> {
        let bound = self.noise.bound(labels);
        let is_beaten = |best: Option<Best>, luck: f64| best.is_some_and(|(score, ..)| bound + luck < score);
        if is_beaten(self.best, state.luckiest) && !self.is_trying() {
            return Ok(self.begin_unit()?);
        }
        while self.cursor.candidate < state.candidates.len() {
            self.begin_unit()?;
            let candidate = &mut state.candidates[self.cursor.candidate];
            if is_beaten(self.best, candidate.luck) && !self.is_known(candidate) {
                self.cursor.candidate += 1;
                continue;
            }
            let Some(score) = self.known(candidate, slot)? else {
                state.candidates.swap_remove(self.cursor.candidate);
                continue;
            };
            self.cursor.candidate += 1;
            let score = score + candidate.luck;
            let rank = (i, self.survey.rank[candidate.red as usize]);
            let better =
                self.best.is_none_or(|(highest, first, _)| score > highest || score == highest && rank < first);
            if better {
                self.best = Some((score, rank, Choice { slot, red: candidate.red, score }));
            }
        }
        state.most_promising_last(self.quotient.parts().merges());
        Ok(())
    }

    /// All possible merges, in canonical order. Call it when each blue state has a possible merge.
    pub(super) fn choices(&mut self) -> Result<Vec<Choice>, Halt> {
        while let Some(&slot) = self.open.get(self.cursor.blue) {
            let part = self.quotient.part(slot) as usize;
            let mut state = self.blue[part].take().ok_or(Halt::Beyond)?;
            let listed = self.list(&mut state, slot);
            self.blue[part] = Some(state);
            listed?;
            self.cursor = Cursor { blue: self.cursor.blue + 1, candidate: 0 };
        }
        self.cursor = Cursor::default();
        Ok(std::mem::take(&mut self.choices))
    }

    /// Lists the merges of a blue state.
    fn list(&mut self, state: &mut Blue, slot: Slot) -> Result<(), Halt> {
        while self.cursor.candidate < state.candidates.len() {
            self.begin_unit()?;
            let candidate = &mut state.candidates[self.cursor.candidate];
            let Some(score) = self.known(candidate, slot)? else {
                state.candidates.swap_remove(self.cursor.candidate);
                continue;
            };
            self.choices.push(Choice { slot, red: candidate.red, score: score + candidate.luck });
            self.cursor.candidate += 1;
        }
        let first = self.choices.len() - state.candidates.len();
        self.choices[first..].sort_unstable_by_key(|choice| self.survey.rank[choice.red as usize]);
        state.most_promising_last(self.quotient.parts().merges());
        Ok(())
    }

    /// Sorts the open states by the number of labels in their trees: large ones set a score that most others cannot
    /// reach.
    fn size(&mut self) -> Result<(), Halt> {
        if self.sized {
            return Ok(());
        }
        while let Some(&slot) = self.open.get(self.cursor.blue) {
            self.begin_unit()?;
            let part = self.quotient.part(slot);
            let state = self.blue[part as usize].as_mut().ok_or(Halt::Beyond)?;
            let parts = self.quotient.parts();
            if state.counted_at == NEVER || !parts.unchanged_tree(part, state.counted_at) {
                let now = parts.merges();
                state.labels = self.quotient.labels_in_tree(slot)?;
                state.counted_at = now;
            }
            self.by_size.push((state.labels, self.cursor.blue));
            self.cursor.blue += 1;
        }
        self.quotient.meter.add(self.by_size.len() as u64);
        self.by_size.sort_unstable_by_key(|&(labels, i)| (std::cmp::Reverse(labels), i));
        self.cursor = Cursor::default();
        self.sized = true;
        Ok(())
    }

    /// Counts the examination of a state or candidate once, however often it is paused.
    fn begin_unit(&mut self) -> Result<(), Pause> {
        if !self.is_trying() && !self.quotient.is_walking() {
            self.quotient.meter.check()?;
            self.quotient.meter.add(1);
        }
        Ok(())
    }

    /// Whether a merge is being tried or undone.
    fn is_trying(&self) -> bool {
        self.quotient.is_folding() || self.undone.is_some()
    }

    /// Whether a candidate's score is still valid.
    fn is_known(&self, candidate: &mut Candidate) -> bool {
        let parts = self.quotient.parts();
        let known = candidate.known_at != NEVER && parts.unchanged(&candidate.visited, candidate.known_at);
        if known {
            candidate.known_at = parts.merges();
        }
        known
    }

    /// A candidate's current score; `None` if the merge is not allowed.
    fn known(&mut self, candidate: &mut Candidate, slot: Slot) -> Result<Option<f64>, Halt> {
        if self.is_trying() || !self.is_known(candidate) {
            let score = match self.undone {
                Some(score) => score,
                None => self.score(candidate.red, slot)?,
            };
            self.undone = Some(score);
            self.quotient.take_back()?;
            self.undone = None;
            let Some(score) = score else { return Ok(None) };
            candidate.score = score;
            candidate.known_at = self.quotient.parts().merges();
            candidate.visited = self.quotient.visited();
        }
        Ok(Some(candidate.score))
    }

    /// A merge's score; `None` if it is not allowed. The merge has been made and is to be kept or undone.
    fn score(&mut self, red: u32, slot: Slot) -> Result<Option<f64>, Halt> {
        let evidence = self.quotient.merge(red, slot)?;
        if self.how.most_visits.is_some_and(|most| self.quotient.visits() > most) {
            return Err(Halt::Beyond);
        }
        Ok(evidence.and_then(|evidence| self.noise.score(evidence, || self.quotient.red_before_and_after())))
    }

    fn promote(&mut self, slot: Slot) -> Result<(), Halt> {
        if self.how.most_states.is_some_and(|most| self.quotient.len() >= most) {
            return Err(Halt::Beyond);
        }
        self.quotient.promote(slot);
        self.changed();
        Ok(())
    }
}

/// Slots copied in the time of one node visit.
const SLOTS: u64 = 8;

impl Blue {
    fn new() -> Self {
        Self { candidates: Vec::new(), asked: 0, labels: 0, counted_at: NEVER, luckiest: f64::NEG_INFINITY }
    }

    /// Adds the red states that are new since the last call as candidates.
    fn ask(&mut self, red: usize, chance: &mut Option<(f64, ChaCha8Rng)>) {
        for red in self.asked..red {
            let luck = chance.as_mut().map_or(0.0, |(strength, numbers)| *strength * random::gumbel(numbers));
            self.luckiest = self.luckiest.max(luck);
            self.candidates.push(Candidate {
                red: red as u32,
                luck,
                score: 0.0,
                known_at: NEVER,
                visited: Visited::default(),
            });
        }
        self.asked = red;
    }

    /// Moves the candidate with the highest score to the end, where the next pass starts.
    fn most_promising_last(&mut self, merges: u32) {
        let key =
            |candidate: &Candidate| if candidate.known_at == merges { candidate.score } else { f64::NEG_INFINITY };
        let best =
            (0..self.candidates.len()).max_by(|&a, &b| key(&self.candidates[a]).total_cmp(&key(&self.candidates[b])));
        if let Some(best) = best {
            let last = self.candidates.len() - 1;
            self.candidates.swap(best, last);
        }
    }
}

/// Whether the automaton agrees with the majority label of every word.
fn agrees(dfa: &Dfa, sample: &Sample) -> bool {
    let words = sample.entries().iter().map(|entry| (sample.word(entry), entry.counts));
    words.chain([(&[][..], sample.empty_word())]).all(|(word, counts)| {
        counts.accepted == counts.rejected || dfa.accepts(word) == (counts.accepted > counts.rejected)
    })
}

//! The blue states and what is known of where each may go.
//!
//! # What is not computed twice
//! Merging two states makes everything that follows from it true, and later merges only add to that: a pair that
//! contradicts itself once does so for ever, and is never looked at again. Making a state red changes no pair at all. So
//! after a promotion only pairs with the new states are looked at, and after a merge those that visited what it changed
//! (`parts` knows). Of these one for each blue state is enough to know that it need not become red, and others only if
//! their tree has as many labels as would beat the best merge so far.

use std::collections::BTreeMap;

use automata::Dfa;
use rand_chacha::ChaCha8Rng;

use super::fold::{Quotient, Slot, Survey};
use super::merging::{Merging, Randomness};
use super::noise::Noise;
use super::parts::Visited;
use crate::random;
use crate::sample::Sample;

/// A merge that may be made.
#[derive(Clone)]
struct Candidate {
    red: u32,
    /// What chance adds to its score.
    luck: f64,
    score: f64,
    /// How many merges had been made when the score was known; later it may be larger, or the merge impossible.
    known_at: u32,
    /// The parts that this depends on.
    visited: Visited,
}

/// A blue state and where it may go.
#[derive(Clone)]
struct Blue {
    candidates: Vec<Candidate>,
    /// How many red states it was asked about: those that are not candidates contradict it.
    asked: usize,
    /// How many labels its tree has, and when that was counted.
    labels: u32,
    counted_at: u32,
}

/// In place of a number of merges: this was not found out yet.
const NEVER: u32 = u32::MAX;

/// A merge that can be made now, and what speaks for it.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) slot: Slot,
    pub(super) red: u32,
    pub(super) score: f64,
}

/// A quotient on its way, with what is known of its blue states. When a limit is met, its methods say none.
#[derive(Clone)]
pub(super) struct Fringe {
    quotient: Quotient,
    noise: Noise,
    how: Merging,
    chance: Option<(f64, ChaCha8Rng)>,
    survey: Survey,
    /// By the parts that their trees are.
    blue: BTreeMap<u32, Blue>,
    /// The parts that are trees without an accepted word, and after how many merges they were.
    dead: BTreeMap<u32, u32>,
}

impl Fringe {
    pub(super) fn new(sample: &Sample, how: &Merging) -> Option<Self> {
        if how.most_states == Some(0) {
            return None;
        }
        let chance = how.randomness.filter(|chance| chance.strength > 0.0);
        Some(Self {
            quotient: Quotient::new(sample, how.tolerance > 0.0)?,
            noise: Noise::new(how.tolerance),
            how: *how,
            chance: chance.map(|Randomness { strength, seed }| (strength, random::stream(seed, 0))),
            survey: Survey::default(),
            blue: BTreeMap::new(),
            dead: BTreeMap::new(),
        })
    }

    /// How many red states there are.
    pub(super) fn len(&self) -> usize {
        self.quotient.len()
    }

    /// The red states' transitions to each other, as they are or would be after a merge: the same core means the same
    /// quotient.
    pub(super) fn core(&self, merge: Option<&Choice>) -> Vec<u32> {
        self.quotient.core(merge.map(|choice| (choice.red, choice.slot)))
    }

    /// The automaton, once no state is blue.
    pub(super) fn finished(&self, sample: &Sample) -> Dfa {
        let dfa = self.quotient.to_dfa(sample);
        debug_assert!(self.how.tolerance > 0.0 || agrees(&dfa, sample), "strict merging contradicts an example");
        dfa
    }

    /// Merges the first blue state into the first red one that takes it, or makes it red; false if there is none.
    pub(super) fn step_in_order(&mut self) -> Option<bool> {
        self.survey();
        let Some(&slot) = self.survey.blue.first() else { return Some(false) };
        for i in 0..self.survey.red.len() {
            if self.score(self.survey.red[i], slot)?.is_some() {
                self.quotient.keep();
                return Some(true);
            }
        }
        self.promote(slot)?;
        Some(true)
    }

    /// Makes blue states red, the shallowest first, until each that is left has somewhere to go; false if none is left.
    pub(super) fn settle(&mut self) -> Option<bool> {
        loop {
            self.survey();
            let mut stuck = None;
            for i in 0..self.survey.blue.len() {
                let slot = self.survey.blue[i];
                let part = self.quotient.part(slot);
                // Taken out to be worked on: the quotient is needed for that too.
                let mut state = self.blue.remove(&part).unwrap_or_else(Blue::new);
                state.ask(self.quotient.len(), &mut self.chance);
                if !self.has_somewhere_to_go(&mut state, slot)? {
                    stuck = Some(slot);
                    break;
                }
                self.blue.insert(part, state);
            }
            match stuck {
                Some(slot) => self.promote(slot)?,
                None => return Some(!self.survey.blue.is_empty()),
            }
        }
    }

    /// Finds the states, and of the blue ones those that have to go somewhere.
    fn survey(&mut self) {
        self.quotient.survey(&mut self.survey);
        if self.how.dead_ends {
            self.survey.blue.retain(|&slot| {
                let part = self.quotient.part(slot);
                let parts = self.quotient.parts();
                // Once live is live for ever; dead is dead as long as nothing is folded into it.
                let live = self.blue.contains_key(&part)
                    || !self.dead.get(&part).is_some_and(|&when| parts.unchanged_tree(part, when))
                        && self.quotient.is_live(slot);
                if !live {
                    self.dead.insert(part, self.quotient.parts().merges());
                }
                live
            });
        }
    }

    /// Makes a merge, to stay.
    pub(super) fn make(&mut self, choice: Choice) {
        self.blue.remove(&self.quotient.part(choice.slot));
        let _ = self.quotient.merge(choice.red, choice.slot);
        self.quotient.keep();
    }

    /// Whether a blue state can be merged into some red one. Candidates met on the way that contradict are dropped.
    fn has_somewhere_to_go(&mut self, state: &mut Blue, slot: Slot) -> Option<bool> {
        // The last one is the most promising.
        for candidate in state.candidates.iter_mut().rev() {
            if self.is_known(candidate) {
                return Some(true);
            }
        }
        while let Some(candidate) = state.candidates.last_mut() {
            if self.known(candidate, slot)?.is_some() {
                return Some(true);
            }
            state.candidates.pop();
        }
        Some(false)
    }

    /// The merge with the highest score, the first in canonical order if there are several. To be asked when each blue
    /// state has somewhere to go.
    pub(super) fn best(&mut self) -> Option<Choice> {
        // The score, and where in canonical order: the lower the better.
        let mut best: Option<(f64, (usize, u32), Choice)> = None;
        for (labels, i) in self.by_size() {
            let slot = self.survey.blue[i];
            let mut state = self.blue.remove(&self.quotient.part(slot))?;
            let bound = self.noise.bound(labels);
            let mut at = 0;
            while at < state.candidates.len() {
                let candidate = &mut state.candidates[at];
                let hopeless = best.is_some_and(|(score, ..)| bound + candidate.luck < score);
                if hopeless && !self.is_known(candidate) {
                    at += 1;
                    continue;
                }
                let Some(score) = self.known(candidate, slot)? else {
                    state.candidates.swap_remove(at);
                    continue;
                };
                at += 1;
                let score = score + candidate.luck;
                let rank = (i, self.survey.rank[candidate.red as usize]);
                let better = best.is_none_or(|(highest, first, _)| score > highest || score == highest && rank < first);
                if better {
                    best = Some((score, rank, Choice { slot, red: candidate.red, score }));
                }
            }
            state.most_promising_last(self.quotient.parts().merges());
            self.blue.insert(self.quotient.part(slot), state);
        }
        best.map(|(.., choice)| choice)
    }

    /// All merges that can be made, in canonical order. To be asked when each blue state has somewhere to go.
    pub(super) fn choices(&mut self) -> Option<Vec<Choice>> {
        let mut choices = Vec::new();
        for i in 0..self.survey.blue.len() {
            let slot = self.survey.blue[i];
            let mut state = self.blue.remove(&self.quotient.part(slot))?;
            let first = choices.len();
            let mut at = 0;
            while at < state.candidates.len() {
                let candidate = &mut state.candidates[at];
                let Some(score) = self.known(candidate, slot)? else {
                    state.candidates.swap_remove(at);
                    continue;
                };
                choices.push(Choice { slot, red: candidate.red, score: score + candidate.luck });
                at += 1;
            }
            choices[first..].sort_unstable_by_key(|choice| self.survey.rank[choice.red as usize]);
            state.most_promising_last(self.quotient.parts().merges());
            self.blue.insert(self.quotient.part(slot), state);
        }
        Some(choices)
    }

    /// The blue states by the labels in their trees, most first: they set the mark that most others cannot reach.
    fn by_size(&mut self) -> Vec<(u32, usize)> {
        let mut order: Vec<(u32, usize)> = Vec::with_capacity(self.survey.blue.len());
        for (i, &slot) in self.survey.blue.iter().enumerate() {
            let state = self.blue.get_mut(&self.quotient.part(slot)).expect("it was asked");
            let (parts, part) = (self.quotient.parts(), self.quotient.part(slot));
            if state.counted_at == NEVER || !parts.unchanged_tree(part, state.counted_at) {
                state.counted_at = parts.merges();
                state.labels = self.quotient.labels_in_tree(slot);
            }
            order.push((state.labels, i));
        }
        order.sort_unstable_by_key(|&(labels, i)| (std::cmp::Reverse(labels), i));
        order
    }

    /// Whether a candidate's score is still what it was.
    fn is_known(&self, candidate: &mut Candidate) -> bool {
        let parts = self.quotient.parts();
        let known = candidate.known_at != NEVER && parts.unchanged(&candidate.visited, candidate.known_at);
        if known {
            candidate.known_at = parts.merges();
        }
        known
    }

    /// A candidate's score as things stand, nothing if it is not allowed.
    fn known(&mut self, candidate: &mut Candidate, slot: Slot) -> Option<Option<f64>> {
        if !self.is_known(candidate) {
            let Some(score) = self.score(candidate.red, slot)? else { return Some(None) };
            self.quotient.take_back();
            candidate.score = score;
            candidate.known_at = self.quotient.parts().merges();
            candidate.visited = self.quotient.visited();
        }
        Some(Some(candidate.score))
    }

    /// A merge's score, nothing if it is not allowed. What is allowed has been made and waits to be kept or taken back.
    fn score(&mut self, red: u32, slot: Slot) -> Option<Option<f64>> {
        let evidence = self.quotient.merge(red, slot);
        if self.how.most_visits.is_some_and(|most| self.quotient.visits() > most) {
            return None;
        }
        let Some(evidence) = evidence else { return Some(None) };
        let score = self.noise.score(evidence, || self.quotient.red_before_and_after());
        if score.is_none() {
            self.quotient.take_back();
        }
        Some(score)
    }

    fn promote(&mut self, slot: Slot) -> Option<()> {
        if self.how.most_states.is_some_and(|most| self.quotient.len() >= most) {
            return None;
        }
        self.quotient.promote(slot);
        Some(())
    }
}

impl Blue {
    fn new() -> Self {
        Self { candidates: Vec::new(), asked: 0, labels: 0, counted_at: NEVER }
    }

    /// Takes the red states that came since as candidates.
    fn ask(&mut self, red: usize, chance: &mut Option<(f64, ChaCha8Rng)>) {
        for red in self.asked..red {
            let luck = chance.as_mut().map_or(0.0, |(strength, numbers)| *strength * random::gumbel(numbers));
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

    /// Puts the candidate with the highest score at the end, where the next look begins.
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

/// Whether the automaton says of every word what was said of it more often.
fn agrees(dfa: &Dfa, sample: &Sample) -> bool {
    let words = sample.entries().iter().map(|entry| (sample.word(entry), entry.counts));
    words.chain([(&[][..], sample.empty_word())]).all(|(word, counts)| {
        counts.accepted == counts.rejected || dfa.accepts(word) == (counts.accepted > counts.rejected)
    })
}

//! One run of merging.
//!
//! The *evidence* for a merge is the sum over all pairs of states that it joins of the bits saved by describing them as one
//! state, and some bits for each pair of equal labels. A merge needs positive evidence and no contradiction. Blue states are
//! considered in the order of how many words pass them, [`FRINGE`] at a time: what is rare says little, and it says more once
//! the states that it leads to are known. If one of these has no possible merge it becomes red; otherwise a merge is made, the
//! one with the most evidence or the one that is least in doubt. Trees that no accepted word passes are left out, because a
//! partial automaton rejects them anyway.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Dfa, StateId};
use rand_chacha::ChaCha8Rng;

use super::places::{Blue, Places};
use crate::random;
use crate::sample::Sample;
use crate::symbolic::merging::Randomness;
use crate::work::{Meter, Pause};

/// Number of blue states considered at a time. Measured: with one, rare states are merged too early; from 20 on it makes no
/// difference.
const FRINGE: usize = 20;

/// Settings of merging by how words go on.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Walking {
    /// Randomness, in bits.
    pub randomness: Option<Randomness>,
    /// Which merge is made first.
    pub choice: Choice,
    /// Evidence for each pair of equal labels, in bits.
    pub label_bits: f64,
    /// Maximum number of states of the automaton.
    pub most_states: usize,
    /// Maximum work, in visits.
    pub most_visits: u64,
}

/// Which of the possible merges is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The one with the most evidence.
    Strongest,
    /// The one of the blue state whose best merge is furthest ahead of its second best.
    Surest,
}

/// The merges of a blue state: the best, with its evidence, and the evidence of the second best.
#[derive(Clone, Copy, Default)]
struct Merges {
    best: Option<(f64, u32)>,
    second: f64,
}

impl Merges {
    fn add(&mut self, evidence: f64, red: u32) {
        match self.best {
            Some((most, _)) if evidence <= most => self.second = self.second.max(evidence),
            Some((most, _)) => (self.best, self.second) = (Some((evidence, red)), most),
            None => self.best = Some((evidence, red)),
        }
    }
}

/// The merge to make so far: its score, the number of the blue state, and the red one.
type Best = (f64, usize, u32);

/// What a run is doing.
enum Doing {
    /// It looks for blue states.
    Survey,
    /// It compares the blue state with this number with the red state with this number.
    Compare { blue: usize, red: usize, here: Merges, best: Option<Best> },
}

/// A run in slices.
pub struct Walker {
    sample: Arc<Sample>,
    how: Walking,
    random: Option<(f64, ChaCha8Rng)>,
    places: Places,
    red: Vec<u32>,
    fringe: Vec<Blue>,
    doing: Doing,
    meter: Meter,
}

impl Walker {
    /// A new run. Words with contradictory labels count as what most of their labels say.
    #[must_use]
    pub fn new(sample: Arc<Sample>, how: &Walking) -> Self {
        let places = Places::new(&sample);
        Self::on(sample, places, how)
    }

    /// A run on the prefix tree of these examples.
    pub(super) fn on(sample: Arc<Sample>, mut places: Places, how: &Walking) -> Self {
        let chance = how.randomness.filter(|chance| chance.strength > 0.0);
        places.redden(0);
        Self {
            sample,
            how: *how,
            random: chance.map(|Randomness { strength, seed }| (strength, random::stream(seed, 0))),
            places,
            red: vec![0],
            fringe: Vec::new(),
            doing: Doing::Survey,
            meter: Meter::default(),
        }
    }

    /// Takes these transitions of an automaton for granted, which agrees with the examples.
    pub(super) fn grant(&mut self, dfa: &Dfa, is_granted: impl Fn(StateId, usize) -> bool) {
        let mut places = vec![None; dfa.len()];
        places[dfa.initial().index()] = Some(0);
        let mut states = vec![dfa.initial()];
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            next += 1;
            let Some(from) = places[state.index()] else { continue };
            for (number, letter) in dfa.alphabet().letters().enumerate() {
                let Some(to) = dfa.next(state, letter).filter(|_| is_granted(state, number)) else { continue };
                // Earlier merges may have moved the steps of this place.
                let Some(blue) = self.places.blue(from).find(|blue| blue.letter as usize == number) else { continue };
                match places[to.index()] {
                    Some(red) => match self.places.merge(blue, red, 0.0) {
                        Some(_) => self.places.keep(),
                        None => self.places.undo(),
                    },
                    None => {
                        places[to.index()] = Some(blue.place);
                        self.promote(blue.place);
                        states.push(to);
                    }
                }
            }
        }
        self.meter.add(self.places.take_visits());
    }

    /// Continues for about this many visits. When finished, returns the automaton, or `None` if a limit was exceeded or no
    /// word is accepted; after that it must not be called again. A slice may be exceeded by one merge.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Option<Dfa>> {
        self.meter.begin(visits);
        loop {
            match self.step() {
                Ok(true) if self.red.len() > self.how.most_states || self.meter.done() > self.how.most_visits => {
                    return ControlFlow::Break(None);
                }
                Ok(true) => {}
                Ok(false) => return ControlFlow::Break(self.automaton()),
                Err(Pause) => return ControlFlow::Continue(()),
            }
        }
    }

    /// Work done so far, in visits.
    pub(super) fn visits(&self) -> u64 {
        self.meter.done()
    }

    /// The places, to be used again.
    pub(super) fn into_places(self) -> Places {
        self.places
    }

    /// One comparison, merge or promotion; false if no blue state is left.
    fn step(&mut self) -> Result<bool, Pause> {
        self.meter.check()?;
        let Doing::Compare { blue, red, mut here, best } = self.doing else {
            self.survey();
            self.doing = Doing::Compare { blue: 0, red: 0, here: Merges::default(), best: None };
            return Ok(!self.fringe.is_empty());
        };
        let Some(&candidate) = self.fringe.get(blue) else {
            if let Some((_, blue, red)) = best {
                let _ = self.places.merge(self.fringe[blue], red, self.how.label_bits);
                self.places.keep();
                self.meter.add(self.places.take_visits());
            }
            self.doing = Doing::Survey;
            return Ok(true);
        };
        let Some(&other) = self.red.get(red) else {
            self.doing = match here.best {
                Some((evidence, other)) => {
                    let score = match self.how.choice {
                        Choice::Strongest => evidence,
                        Choice::Surest => evidence - here.second,
                    };
                    let best = best.filter(|&(most, ..)| score <= most).or(Some((score, blue, other)));
                    Doing::Compare { blue: blue + 1, red: 0, here: Merges::default(), best }
                }
                None => {
                    self.promote(candidate.place);
                    Doing::Survey
                }
            };
            return Ok(true);
        };
        let evidence = self.places.merge(candidate, other, self.how.label_bits);
        self.places.undo();
        self.meter.add(self.places.take_visits());
        if let Some(bits) = evidence.map(|bits| bits + self.luck()).filter(|&bits| bits > 0.0) {
            here.add(bits, other);
        }
        self.doing = Doing::Compare { blue, red: red + 1, here, best };
        Ok(true)
    }

    fn promote(&mut self, place: u32) {
        self.places.redden(place);
        self.red.push(place);
    }

    fn luck(&mut self) -> f64 {
        self.random.as_mut().map_or(0.0, |(strength, numbers)| *strength * random::gumbel(numbers))
    }

    /// Finds the blue states that most words pass.
    fn survey(&mut self) {
        self.fringe.clear();
        for &from in &self.red {
            self.fringe.extend(self.places.blue(from));
        }
        self.fringe.sort_by_key(|blue| std::cmp::Reverse(blue.times));
        self.fringe.truncate(FRINGE);
        self.meter.add(self.places.take_visits());
    }

    /// The red states as an automaton; `None` if no word is accepted.
    fn automaton(&self) -> Option<Dfa> {
        if !self.places.is_passed(0) {
            return None;
        }
        let numbers: BTreeMap<u32, usize> = self.red.iter().enumerate().map(|(number, &red)| (red, number)).collect();
        let letters = self.places.letters();
        let row = |&red: &u32| {
            let mut row = vec![None; letters];
            self.places.steps(red).for_each(|step| row[step.letter as usize] = numbers.get(&step.to).copied());
            row
        };
        let rows: Vec<Vec<Option<usize>>> = self.red.iter().map(row).collect();
        let accepting = (0..self.red.len()).filter(|&number| self.places.place(self.red[number]).ends > 0);
        Dfa::new(self.sample.alphabet().clone(), 0, accepting, &rows).ok().map(|dfa| dfa.canonical())
    }
}

//! Automata rebuilt in parts.
//!
//! Merging never takes a step back, so its first answer is only a beginning. A rebuilder forgets some transitions of an
//! automaton, or all transitions into some states, takes the others for granted, and lets merging find the rest again, with
//! some randomness. If the result is described more briefly (by the measure: the automaton and the walks of the accepted
//! words), it continues from there. Results that are a few bits longer are accepted now and then, as in annealing.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Dfa, StateId, minimize};
use rand_chacha::ChaCha8Rng;

use super::places::Places;
use super::walker::{Choice, Walker, Walking};
use crate::measure::{Walks, automaton_bits};
use crate::random;
use crate::sample::Sample;
use crate::symbolic::merging::Randomness;

/// Shares of the automaton that are forgotten: small ones mend details, large ones leave a neighbourhood.
const FORGOTTEN: [f64; 4] = [0.05, 0.1, 0.2, 0.4];
/// Strengths of the randomness, in bits.
const STRENGTHS: [f64; 4] = [0.0, 1.0, 3.0, 10.0];
/// Evidence for a pair of equal labels, in bits.
const LABEL_BITS: [f64; 2] = [1.0, 2.0];
/// A result that is longer by this many bits is accepted once in e times.
const TEMPERATURE: f64 = 4.0;
/// States that a result may have more than what it was rebuilt from.
const MORE_STATES: usize = 30;
/// Maximum number of runs for each transition of the automaton. Each is then forgotten about this often by small shares;
/// more runs would only repeat themselves.
const RUNS_A_TRANSITION: usize = 20;

/// The prefix tree of a sample, which rebuilders share.
pub struct Tree(Places);

impl Tree {
    /// The tree of these examples.
    #[must_use]
    pub fn of(sample: &Sample) -> Self {
        Self(Places::new(sample))
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("nodes", &self.0.len()).finish()
    }
}

/// Settings of a rebuilder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rebuilding {
    /// Seed of the randomness.
    pub seed: u64,
    /// Work after which nothing new is begun, in visits.
    pub most_visits: u64,
}

/// Rebuilds parts of an automaton, in slices.
pub struct Rebuilder {
    sample: Arc<Sample>,
    how: Rebuilding,
    random: ChaCha8Rng,
    tree: Arc<Tree>,
    /// Places to work on.
    spare: Option<Places>,
    walker: Option<Walker>,
    /// The automaton that is being changed, without its dead state, and its bits.
    current: (f64, Dfa),
    best: (f64, Dfa),
    /// Work of finished runs, in visits.
    visits: u64,
    /// Runs left.
    runs: usize,
}

impl Rebuilder {
    /// Starts from an automaton that agrees with the examples.
    #[must_use]
    pub fn new(sample: Arc<Sample>, tree: Arc<Tree>, start: &Dfa, how: &Rebuilding) -> Self {
        let current = (bits(start, &sample), start.trimmed());
        Self {
            random: random::stream(how.seed, 0),
            spare: None,
            runs: current.1.transitions().count() * RUNS_A_TRANSITION,
            tree,
            walker: None,
            best: current.clone(),
            current,
            visits: 0,
            how: *how,
            sample,
        }
    }

    /// Continues for about this many visits. When finished, returns the shortest automaton.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Dfa> {
        let end = self.done().saturating_add(visits.max(1));
        while self.done() < end {
            match self.walker.take() {
                Some(mut walker) => match walker.advance(end - self.done_with(&walker)) {
                    ControlFlow::Continue(()) => self.walker = Some(walker),
                    ControlFlow::Break(found) => {
                        self.visits += walker.visits();
                        self.spare = Some(walker.into_places());
                        if let Some(found) = found {
                            self.judge(&found);
                        }
                    }
                },
                None if self.visits >= self.how.most_visits || self.runs == 0 => {
                    return ControlFlow::Break(self.best());
                }
                None => self.begin(),
            }
        }
        ControlFlow::Continue(())
    }

    /// The shortest automaton so far.
    #[must_use]
    pub fn best(&self) -> Dfa {
        self.best.1.clone()
    }

    /// Work done so far, in visits.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.walker.as_ref().map_or(self.visits, |walker| self.done_with(walker))
    }

    fn done_with(&self, walker: &Walker) -> u64 {
        self.visits + walker.visits()
    }

    /// Forgets a part and starts to build it again.
    fn begin(&mut self) {
        self.runs -= 1;
        // The tree is copied, and later the result is held against every word.
        self.visits += 2 * self.tree.0.len() as u64;
        let random = &mut self.random;
        let dfa = &self.current.1;
        let letters = dfa.alphabet().len();
        let share = pick(&FORGOTTEN, random);
        let used: Vec<(usize, StateId)> =
            (dfa.transitions()).map(|(from, letter, to)| (from.index() * letters + letter.index(), to)).collect();
        let mut forgotten = vec![false; dfa.len() * letters];
        if random::below(2, random) == 0 {
            forgotten.fill_with(|| random::uniform(random) < share);
        } else {
            let mut states = vec![false; dfa.len()];
            let count = libm::ceil(dfa.len() as f64 * share) as usize;
            (0..count).for_each(|_| states[random::below(dfa.len() as u64, random) as usize] = true);
            used.iter().filter(|(_, to)| states[to.index()]).for_each(|&(number, _)| forgotten[number] = true);
        }
        let strength = pick(&STRENGTHS, random);
        let seed = rand_core::Rng::next_u64(random);
        let how = Walking {
            randomness: Some(Randomness { strength, seed }),
            choice: pick(&[Choice::Strongest, Choice::Surest], random),
            label_bits: pick(&LABEL_BITS, random),
            most_states: dfa.len() + MORE_STATES,
            most_visits: u64::MAX,
        };
        let mut places = self.spare.take().unwrap_or_else(|| self.tree.0.copied());
        places.reset(&self.tree.0);
        let mut walker = Walker::on(Arc::clone(&self.sample), places, &how);
        walker.grant(dfa, |state, letter| !forgotten[state.index() * letters + letter]);
        self.walker = Some(walker);
    }

    /// Continues from a result if it is shorter, or not much longer.
    fn judge(&mut self, found: &Dfa) {
        let found = (bits(found, &self.sample), found.trimmed());
        let longer = found.0 - self.current.0;
        if longer < 0.0 || random::uniform(&mut self.random) < libm::exp(-longer / TEMPERATURE) {
            if found.0 < self.best.0 {
                self.best = found.clone();
            }
            self.current = found;
        }
    }
}

/// The bits of an automaton and of the walks of the accepted words.
fn bits(dfa: &Dfa, sample: &Sample) -> f64 {
    let dfa = minimize(&dfa.over(sample.alphabet()));
    automaton_bits(&dfa) + Walks::of(&dfa, sample).bits()
}

fn pick<T: Copy>(items: &[T], random: &mut ChaCha8Rng) -> T {
    items[random::below(items.len() as u64, random) as usize]
}

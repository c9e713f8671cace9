//! Rivals: neighbouring languages that also agree with every example.
//!
//! An answer is settled only if it survives challenges. So every small change of the minimal automaton is tried: each
//! transition is redirected, each state's acceptance flipped, each pair of states merged, and each transition sent to a
//! copy of its target that differs in one respect. A change that still agrees with all examples gives a rival, and a
//! word on which it differs from the answer is worth a question. A change is dropped at the first example that
//! contradicts it, so most changes cost only a few words.

mod neighbourhood;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;

use self::neighbourhood::{Change, Neighbourhood, Twist};
use crate::measure::automaton_bits;
use crate::sample::Sample;
use crate::work::{Meter, Pause};

/// Languages that differ from that of `dfa` by one change and agree with every example, at most `limit` of each kind,
/// fewest states first. The automaton must be minimal, complete over the sample's letters, and agree with every
/// example.
#[cfg(test)]
pub(crate) fn rivals(dfa: &Dfa, sample: &Sample, limit: usize) -> Vec<Dfa> {
    let mut rivals = Rivals::new(dfa.clone(), Arc::new(sample.clone()), limit);
    loop {
        if let ControlFlow::Break(found) = rivals.advance(u64::MAX) {
            return found;
        }
    }
}

/// [`rivals`] in slices.
pub(crate) struct Rivals {
    dfa: Dfa,
    sample: Arc<Sample>,
    limit: usize,
    near: Neighbourhood,
    step: Step,
    /// Number of changes of the current kind that agree with the examples.
    agreeing: usize,
    /// The best of the current kind with their bits, best first.
    kind: Vec<(f64, Dfa)>,
    found: Vec<Dfa>,
    meter: Meter,
}

/// The next change to try.
#[derive(Clone, Copy)]
enum Step {
    Prepare,
    /// Merge two states; `gone` is the merged state plus one, so that 0 is the end.
    Merge {
        gone: u32,
        kept: u32,
    },
    /// Redirect a transition.
    Redirect {
        cell: usize,
        target: u32,
    },
    /// Flip the acceptance of a state.
    Accept {
        state: u32,
    },
    /// Send a transition to a copy of its target that differs in one respect: in acceptance, then in the target of each
    /// letter.
    Split {
        cell: usize,
        twist: usize,
    },
    Done,
}

/// Maximum number of finds of each kind, in the automaton's order.
const MOST_FOUND: usize = 500;
/// Splits are skipped if there are more of them than this.
const MOST_SPLIT: usize = 100_000;
/// Cost of building and minimising an automaton, in node visits per table cell.
const MINIMISED: u64 = 8;

impl Rivals {
    pub(crate) fn new(dfa: Dfa, sample: Arc<Sample>, limit: usize) -> Self {
        let near = Neighbourhood::new(&dfa);
        let (kind, found) = (Vec::new(), Vec::new());
        Self { dfa, sample, limit, near, step: Step::Prepare, agreeing: 0, kind, found, meter: Meter::default() }
    }

    /// Continues for about this many node visits; other work is converted to visits. Returns the rivals when finished,
    /// after which it must not be called again. The result does not depend on the slices.
    ///
    /// A slice may be exceeded by the work to minimise one automaton.
    pub(crate) fn advance(&mut self, visits: u64) -> ControlFlow<Vec<Dfa>> {
        self.meter.begin(visits);
        loop {
            match self.step() {
                Ok(Step::Done) => return ControlFlow::Break(std::mem::take(&mut self.found)),
                Ok(next) => self.step = next,
                Err(Pause) => return ControlFlow::Continue(()),
            }
        }
    }

    /// Total work so far, in visits.
    #[cfg(test)]
    fn work(&self) -> u64 {
        self.meter.done()
    }

    fn step(&mut self) -> Result<Step, Pause> {
        let (states, cells) = (self.near.states(), self.near.cells());
        Ok(match self.step {
            Step::Prepare => {
                self.near.prepare(&self.sample, &mut self.meter)?;
                Step::Merge { gone: states, kept: 0 }
            }
            Step::Merge { gone: 0, .. } => {
                self.end_kind();
                Step::Redirect { cell: 0, target: 0 }
            }
            Step::Merge { gone, kept } if kept == states => Step::Merge { gone: gone - 1, kept: 0 },
            Step::Merge { gone, kept } => {
                if kept != gone - 1 {
                    self.look(Change::Merge { kept, gone: gone - 1 })?;
                }
                Step::Merge { gone, kept: kept + 1 }
            }
            Step::Redirect { cell, target: 0 } if cell == cells || self.agreeing >= MOST_FOUND => {
                Step::Accept { state: 0 }
            }
            Step::Redirect { cell, target } if target == states => Step::Redirect { cell: cell + 1, target: 0 },
            Step::Redirect { cell, target } => {
                if target != self.near.target(cell) {
                    self.look(Change::Redirect { cell, target })?;
                }
                Step::Redirect { cell, target: target + 1 }
            }
            Step::Accept { state } if state == states => {
                self.end_kind();
                let outcomes = cells.saturating_mul(self.near.letters()).saturating_mul(states as usize);
                match outcomes > MOST_SPLIT {
                    true => Step::Done,
                    false => Step::Split { cell: 0, twist: 0 },
                }
            }
            Step::Accept { state } => {
                self.look(Change::Accept { state })?;
                Step::Accept { state: state + 1 }
            }
            Step::Split { cell, twist: 0 } if cell == cells || self.agreeing >= MOST_FOUND => {
                self.end_kind();
                Step::Done
            }
            Step::Split { cell, twist } => {
                let of = self.near.target(cell);
                let Some(changed) = self.near.twist(of, twist) else {
                    return Ok(Step::Split { cell: cell + 1, twist: 0 });
                };
                if !matches!(changed, Twist::None) {
                    self.look(Change::Split { cell, of, twist: changed })?;
                }
                Step::Split { cell, twist: twist + 1 }
            }
            Step::Done => Step::Done,
        })
    }

    /// Tries a change. The result is a rival if it agrees with all examples and is new.
    fn look(&mut self, change: Change) -> Result<(), Pause> {
        if !self.near.agrees(change, &self.sample, &mut self.meter)? {
            return Ok(());
        }
        self.agreeing += 1;
        self.meter.add(1 + MINIMISED * self.near.cells() as u64);
        let rival = automata::minimize(&self.near.changed(change, &self.dfa));
        let is_known = self.found.contains(&rival) || self.kind.iter().any(|(_, known)| *known == rival);
        if rival == self.dfa || is_known {
            return Ok(());
        }
        // Ties keep their order; whatever is beyond the limit now would be so at the end.
        let bits = automaton_bits(&rival);
        let place = self.kind.partition_point(|(known, _)| known.total_cmp(&bits).is_le());
        if place < self.limit {
            self.kind.insert(place, (bits, rival));
            self.kind.truncate(self.limit);
        }
        Ok(())
    }

    fn end_kind(&mut self) {
        self.found.extend(self.kind.drain(..).map(|(_, rival)| rival));
        self.agreeing = 0;
    }
}

//! Repair: exact, discrete corrections of a grammar read off a model.
//!
//! A trained model is often right except for a production or two. Productions are flipped one by one, each flip judged
//! by replaying every example. Then everything that no example needs is removed, and non-terminals are merged where
//! possible. So everything that is left is needed.
//!
//! The objective is the [`Cost`]: wrong examples first, then structure. Without noise, a wrong example outweighs
//! everything; with noise, it costs as much as naming it as an exception, so that more expensive structure which only
//! explains mislabelled words is removed.

mod cost;
mod productions;
mod score;
mod tally;
#[cfg(test)]
mod tests;
mod trial;

use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;

pub(crate) use cost::Cost;
pub(crate) use productions::{Flip, Productions};
pub(crate) use score::Scorer;

use self::trial::{Bench, Trial};
use crate::random;
use crate::work::Pause;

/// Repairs and prunes a grammar in one go, with the costs for either phase.
#[cfg(test)]
pub(crate) fn repair(
    scorer: &mut Scorer,
    productions: Productions,
    costs: (Cost, Cost),
    budget: u64,
    random: &mut ChaCha8Rng,
) -> (Productions, u64) {
    let mut repair = Repair::new(std::mem::take(scorer), productions, costs, budget, random.clone());
    while repair.advance(u64::MAX).is_continue() {}
    let repaired = repair.finish();
    *scorer = repaired.scorer;
    *random = repaired.random;
    (repaired.productions, repaired.errors)
}

/// The result of a repair, and the borrowed tools for reuse.
pub(crate) struct Repaired {
    pub(crate) productions: Productions,
    #[cfg(test)]
    pub(crate) errors: u64,
    pub(crate) scorer: Scorer,
    pub(crate) random: ChaCha8Rng,
}

/// A repair in slices.
pub(crate) struct Repair {
    bench: Bench,
    pruning: Cost,
    /// Number of replays allowed for repair, and again for pruning.
    budget: u64,
    random: ChaCha8Rng,
    step: Step,
    /// The flips to try, by number.
    flips: Vec<u32>,
}

/// The next step of a repair.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Load and replay the grammar.
    Begin,
    /// Shuffle the flips; those from this one on are done.
    Shuffle {
        from: usize,
        then: Then,
    },
    /// Flip whatever lowers the cost, until nothing does: this many flips in a row have failed.
    Mend {
        at: usize,
        idle: usize,
    },
    /// Merge two non-terminals, in a pass that started with this many productions.
    Pairs {
        gone: usize,
        kept: usize,
        before: usize,
    },
    /// Remove productions.
    Prune {
        at: usize,
        before: usize,
    },
    Done,
}

/// What follows the shuffle.
#[derive(Clone, Copy, Debug)]
enum Then {
    Mend { idle: usize },
    Prune { before: usize },
}

/// Maximum work of a pruning pass, unless the allowed replays take more.
const PASS_WORK: u64 = 40_000_000;
/// Flips drawn or shuffled in the time of one replayed node.
const DRAWN: u64 = 4;

impl Repair {
    pub(crate) fn new(
        scorer: Scorer,
        productions: Productions,
        (mending, pruning): (Cost, Cost),
        budget: u64,
        random: ChaCha8Rng,
    ) -> Self {
        let bench = Bench::new(scorer, productions, mending, budget);
        Self { bench, pruning, budget, random, step: Step::Begin, flips: Vec::new() }
    }

    /// Continues for about this many replayed nodes; other work is converted to them. The result does not depend on the
    /// slices. A slice may be exceeded by one pass over all productions.
    pub(crate) fn advance(&mut self, nodes: u64) -> ControlFlow<()> {
        self.bench.meter.begin(nodes);
        loop {
            match self.step() {
                Ok(Step::Done) => return ControlFlow::Break(()),
                Ok(next) => self.step = next,
                Err(Pause) => return ControlFlow::Continue(()),
            }
        }
    }

    /// Total work so far, in nodes.
    #[cfg(test)]
    pub(crate) fn work(&self) -> u64 {
        self.bench.meter.done()
    }

    /// The result, at the end or before.
    pub(crate) fn finish(self) -> Repaired {
        let (scorer, productions, _errors) = self.bench.finish();
        Repaired {
            productions,
            #[cfg(test)]
            errors: _errors,
            scorer,
            random: self.random,
        }
    }

    fn step(&mut self) -> Result<Step, Pause> {
        let Self { bench, flips, random, .. } = self;
        Ok(match self.step {
            Step::Begin => {
                bench.begin()?;
                match bench.errors {
                    0 => self.begin_pruning(),
                    _ => {
                        flips.extend(0..bench.productions().flip_count() as u32);
                        Step::Mend { at: flips.len(), idle: 0 }
                    }
                }
            }
            Step::Shuffle { mut from, then } => {
                while from > 1 {
                    if let Err(pause) = bench.meter.check() {
                        self.step = Step::Shuffle { from, then };
                        return Err(pause);
                    }
                    let first = from.saturating_sub(DRAWN as usize).max(1);
                    for i in (first..from).rev() {
                        flips.swap(i, random::below(i as u64 + 1, random) as usize);
                    }
                    bench.meter.add(1);
                    from = first;
                }
                match then {
                    Then::Mend { idle } => Step::Mend { at: 0, idle },
                    Then::Prune { before } => Step::Prune { at: 0, before },
                }
            }
            Step::Mend { at, idle } => {
                if idle >= flips.len() || bench.budget == 0 {
                    return Ok(self.begin_pruning());
                }
                let Some(&flip) = flips.get(at) else {
                    return Ok(Step::Shuffle { from: flips.len(), then: Then::Mend { idle } });
                };
                let flip = bench.productions().numbered_flip(u64::from(flip));
                let helped = bench.attempt(Trial::Flip(flip))?;
                Step::Mend { at: at + 1, idle: if helped { 0 } else { idle + 1 } }
            }
            Step::Pairs { .. } | Step::Prune { .. } if bench.is_overworked() => Step::Done,
            Step::Pairs { gone: 0, before, .. } => {
                let productions = bench.productions();
                let all = 0..productions.flip_count() as u32;
                flips.clear();
                flips.extend(all.filter(|&flip| productions.has(productions.numbered_flip(u64::from(flip)))));
                bench.meter.add(bench.productions().flip_count() / DRAWN);
                Step::Shuffle { from: flips.len(), then: Then::Prune { before } }
            }
            Step::Pairs { gone, kept, before } if kept == gone => Step::Pairs { gone: gone - 1, kept: 0, before },
            Step::Pairs { gone, kept, before } => {
                bench.attempt(Trial::Pair { kept, gone })?;
                Step::Pairs { gone, kept: kept + 1, before }
            }
            Step::Prune { at, before } => match flips.get(at) {
                Some(&flip) => {
                    let flip = bench.productions().numbered_flip(u64::from(flip));
                    bench.attempt(Trial::Flip(flip))?;
                    Step::Prune { at: at + 1, before }
                }
                None if bench.len() == before || bench.budget == 0 => Step::Done,
                None => self.begin_pass(),
            },
            Step::Done => Step::Done,
        })
    }

    /// Starts to remove what is not needed: single productions, and one of two non-terminals if one suffices.
    fn begin_pruning(&mut self) -> Step {
        let work = PASS_WORK.max(self.budget.saturating_mul(self.bench.nodes()));
        self.bench.begin_pruning(self.pruning, self.budget, work);
        self.begin_pass()
    }

    fn begin_pass(&self) -> Step {
        let last = self.bench.productions().nonterminals().saturating_sub(1);
        Step::Pairs { gone: last, kept: 0, before: self.bench.len() }
    }
}

//! Repair: what was read off a model, mended by exact and discrete steps.
//!
//! A trained model is often right but for a production or two. Productions are flipped one by one, each flip judged by
//! replaying every example; then whatever no example needs is taken away, and non-terminals that can be one are made
//! one. So what is left is there for a reason.
//!
//! What is made small is the [`Cost`]: wrong examples first, and structure as far as it is paid for. Without noise a wrong
//! example outweighs everything; with noise it costs what it takes to name it as an exception, so that structure which
//! costs more and only explains mislabelled words is taken away.

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

/// A grammar mended and pruned in one go: what it costs while it is mended, and while it is pruned.
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

/// What came of a repair, and what it borrowed, to be used again.
pub(crate) struct Repaired {
    pub(crate) productions: Productions,
    #[cfg(test)]
    pub(crate) errors: u64,
    pub(crate) scorer: Scorer,
    pub(crate) random: ChaCha8Rng,
}

/// A grammar under repair, in slices.
pub(crate) struct Repair {
    bench: Bench,
    pruning: Cost,
    /// How many replays were allowed while mending, and as many while pruning.
    budget: u64,
    random: ChaCha8Rng,
    step: Step,
    /// What is flipped, by number.
    flips: Vec<u32>,
}

/// What a repair does next.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The grammar is loaded and replayed.
    Begin,
    /// The flips are put into random order, those from this one on being in it.
    Shuffle {
        from: usize,
        then: Then,
    },
    /// What makes the cost smaller is flipped, until nothing does: so many flips did not since one last did.
    Mend {
        at: usize,
        idle: usize,
    },
    /// Two non-terminals are made one, in a pass that began with so many productions.
    Pairs {
        gone: usize,
        kept: usize,
        before: usize,
    },
    /// Productions are taken away.
    Prune {
        at: usize,
        before: usize,
    },
    Done,
}

/// What comes after flips are put in order.
#[derive(Clone, Copy, Debug)]
enum Then {
    Mend { idle: usize },
    Prune { before: usize },
}

/// Pruning may take so much work inside of a pass, or as much as the replays that are allowed.
const PASS_WORK: u64 = 40_000_000;
/// So many flips are drawn, or put in order, in the time that a node is replayed.
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

    /// Goes on for about so many nodes replayed; other work is counted as the nodes that take as long. The result does not
    /// depend on the slices. A slice may be exceeded by a look at all productions.
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

    /// All work so far, in nodes.
    #[cfg(test)]
    pub(crate) fn work(&self) -> u64 {
        self.bench.meter.done()
    }

    /// What came of it, at the end or before.
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

    /// Takes away what is not needed: productions one by one, and one of two non-terminals where one will do.
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

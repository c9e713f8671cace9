//! State merging with a beam: several quotients are kept instead of one.
//!
//! The first merges are made when least is known, and a wrong one shows only later, when the number of states grows. So
//! the best few quotients with the same number of merges are kept (a *beam*). Each is continued by every possible
//! merge, and the best few results are kept again. The score is the number of agreeing labels, minus a price per state.
//! Merges in a different order lead to the same quotient, which is kept once. A small automaton is complete after few
//! merges, so the first quotients to be complete are the smallest ones found.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use rayon::prelude::*;

use super::fringe::{Choice, Fringe, Halt};
use super::merging::Merging;
use crate::sample::Sample;
use crate::work::Meter;

/// Price of a state, in agreeing labels. Values between 1 and 5 found the smallest automata most often.
const LABELS_PER_STATE: f64 = 2.0;
/// Nodes copied in the time of one visit.
const COPIED: u64 = 8;

/// The smallest automata found with a beam of the best `width` quotients: those complete first, fewer states first. The
/// rule is evidence; a width of 1 equals [`merge`](super::merge) by [`Rule::Edsm`](super::Rule::Edsm). Empty if all
/// paths exceed a limit; the limit on visits applies to each path from the tree to an automaton.
///
/// It takes `2 · width` times the memory of the tree, which has 20 bytes per node. The result does not depend on the
/// number of threads.
#[must_use]
pub fn merge_widely(sample: &Sample, how: &Merging, width: usize) -> Vec<Dfa> {
    let mut search = Search::new(sample, how, width);
    loop {
        if let ControlFlow::Break(found) = search.advance(sample, u64::MAX) {
            return found;
        }
    }
}

/// [`merge_widely`] in slices.
pub struct Beam {
    sample: Arc<Sample>,
    search: Search,
}

impl Beam {
    /// A new beam.
    #[must_use]
    pub fn new(sample: Arc<Sample>, how: &Merging, width: usize) -> Self {
        let search = Search::new(&sample, how, width);
        Self { sample, search }
    }

    /// Continues for about this many node visits, of all quotients together, like [`Merger`](super::Merger). Returns
    /// the automata when finished, after which it must not be called again.
    ///
    /// A slice may be exceeded by one copy of the tree, or by one pass over all possible merges.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Vec<Dfa>> {
        self.search.advance(&self.sample, visits)
    }

    /// Total work so far, in visits.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.search.meter.done()
    }
}

/// One of the kept quotients.
struct Path {
    fringe: Fringe,
    /// The evidence for the merges so far.
    evidence: f64,
    step: Step,
}

/// What a path does next, or its result.
enum Step {
    Make(Choice),
    Settle,
    /// Each blue state has a possible merge, or there is no blue state and the quotient is complete.
    Settled {
        whole: bool,
    },
    List,
    Listed(Vec<Choice>),
    /// Exceeded a limit.
    Lost,
}

/// What all paths do.
enum Stage {
    /// Build the tree.
    Unfold(Box<Path>),
    /// Advance each path until each of its blue states has a possible merge, then list its merges.
    Work(Vec<Path>),
    /// Pick the best continuations and copy their paths.
    Pick(Picking),
    Done,
}

/// Continuations, ranked by evidence.
struct Picking {
    paths: Vec<Path>,
    /// Path numbers with one of their merges, best first, and how many were examined.
    ranked: Vec<(f64, usize, Choice)>,
    next: usize,
    /// The results of the picked ones; each quotient is kept once.
    cores: BTreeSet<Vec<u32>>,
    picked: Vec<Path>,
}

/// A beam without its sample.
struct Search {
    width: usize,
    stage: Stage,
    meter: Meter,
}

impl Search {
    fn new(sample: &Sample, how: &Merging, width: usize) -> Self {
        let fringe = Fringe::new(sample.alphabet().len(), how);
        let stage = Stage::Unfold(Box::new(Path { fringe, evidence: 0.0, step: Step::Settle }));
        Self { width: width.max(1), stage, meter: Meter::default() }
    }

    fn advance(&mut self, sample: &Sample, visits: u64) -> ControlFlow<Vec<Dfa>> {
        self.meter.begin(visits);
        while self.meter.check().is_ok() {
            self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
                Stage::Unfold(path) => self.unfold(path, sample),
                Stage::Work(paths) => {
                    let paths = self.work(paths);
                    match paths.iter().any(Path::is_at_work) {
                        true => Stage::Work(paths),
                        false => self.after_work(paths, sample)?,
                    }
                }
                Stage::Pick(picking) => self.pick(picking),
                Stage::Done => return ControlFlow::Break(Vec::new()),
            };
        }
        ControlFlow::Continue(())
    }

    fn unfold(&mut self, mut path: Box<Path>, sample: &Sample) -> Stage {
        match path.measured(self.meter.left(), &mut self.meter, |path| path.fringe.unfold(sample)) {
            Ok(()) => Stage::Work(vec![*path]),
            Err(Halt::Paused) => Stage::Unfold(path),
            Err(Halt::Beyond) => Stage::Done,
        }
    }

    /// Advances all paths for the rest of the slice, with equal shares. Paths that exceed a limit are dropped.
    fn work(&mut self, mut paths: Vec<Path>) -> Vec<Path> {
        let busy = paths.iter().filter(|path| path.is_at_work()).count() as u64;
        let share = self.meter.left() / busy.max(1);
        let work = paths.par_iter_mut().filter(|path| path.is_at_work()).map(|path| {
            let mut meter = Meter::default();
            path.measured(share, &mut meter, Path::advance);
            meter.done()
        });
        self.meter.add(work.sum());
        paths.retain(|path| !matches!(path.step, Step::Lost));
        paths
    }

    /// The next stage when all paths are settled, or have listed their merges.
    fn after_work(&mut self, mut paths: Vec<Path>, sample: &Sample) -> ControlFlow<Vec<Dfa>, Stage> {
        if paths.is_empty() {
            return ControlFlow::Break(Vec::new());
        }
        if let Some(ranked) = ranked(&mut paths) {
            self.meter.add(ranked.len() as u64);
            let (cores, picked) = (BTreeSet::new(), Vec::new());
            return ControlFlow::Continue(Stage::Pick(Picking { paths, ranked, next: 0, cores, picked }));
        }
        // Paths that differ in the order of merges and promotions may now be equal.
        let mut cores = BTreeSet::new();
        let meter = &mut self.meter;
        paths.retain_mut(|path| cores.insert(path.measured(0, meter, |path| path.fringe.core(None))));
        let is_whole = |path: &&Path| matches!(path.step, Step::Settled { whole: true });
        let mut whole: Vec<&Path> = paths.iter().filter(is_whole).collect();
        if !whole.is_empty() {
            whole.sort_by_key(|path| path.fringe.len());
            return ControlFlow::Break(whole.into_iter().map(|path| path.fringe.finished(sample)).collect());
        }
        paths.iter_mut().for_each(|path| path.step = Step::List);
        ControlFlow::Continue(Stage::Work(paths))
    }

    /// Picks the best continuations that lead to new quotients.
    fn pick(&mut self, mut picking: Picking) -> Stage {
        while picking.picked.len() < self.width
            && let Some(&(_, from, choice)) = picking.ranked.get(picking.next)
        {
            if self.meter.check().is_err() {
                return Stage::Pick(picking);
            }
            picking.next += 1;
            let path = &mut picking.paths[from];
            let core = path.measured(0, &mut self.meter, |path| path.fringe.core(Some(&choice)));
            if picking.cores.insert(core) {
                self.meter.add(1 + path.fringe.nodes() as u64 / COPIED);
                let (fringe, evidence) = (path.fringe.clone(), path.evidence + choice.score);
                picking.picked.push(Path { fringe, evidence, step: Step::Make(choice) });
            }
        }
        Stage::Work(picking.picked)
    }
}

/// All merges listed by the paths, best first; `None` if they are not listed yet.
fn ranked(paths: &mut [Path]) -> Option<Vec<(f64, usize, Choice)>> {
    let mut ranked: Vec<(f64, usize, Choice)> = Vec::new();
    for (i, path) in paths.iter_mut().enumerate() {
        let base = path.evidence - LABELS_PER_STATE * path.fringe.len() as f64;
        let Step::Listed(choices) = &mut path.step else { return None };
        ranked.extend(std::mem::take(choices).into_iter().map(|choice| (base + choice.score, i, choice)));
    }
    // Stable sort: ties stay in canonical order.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    Some(ranked)
}

impl Path {
    fn is_at_work(&self) -> bool {
        matches!(self.step, Step::Make(_) | Step::Settle | Step::List)
    }

    /// Does something in its own slice and adds the work to a meter.
    fn measured<T>(&mut self, slice: u64, meter: &mut Meter, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.fringe.work();
        self.fringe.begin_slice(slice);
        let done = act(self);
        meter.add(self.fringe.work() - before);
        done
    }

    /// Advances until the slice is used up or a choice is needed.
    fn advance(&mut self) {
        while self.is_at_work() {
            let next = match self.step {
                Step::Make(choice) => self.fringe.make(choice).map(|()| Step::Settle),
                Step::Settle => self.fringe.settle().map(|unfinished| Step::Settled { whole: !unfinished }),
                Step::List => self.fringe.choices().map(Step::Listed),
                Step::Settled { .. } | Step::Listed(_) | Step::Lost => return,
            };
            self.step = match next {
                Ok(next) => next,
                Err(Halt::Paused) => return,
                Err(Halt::Beyond) => Step::Lost,
            };
        }
    }
}

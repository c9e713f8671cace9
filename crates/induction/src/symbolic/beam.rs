//! Merging with second thoughts: several quotients are kept at a time, not one.
//!
//! The first merges are made when least is known, and a wrong one is noticed only later, by states that multiply. So the
//! best few quotients with the same number of merges are carried along (a *beam*), each is continued by every merge it
//! can make, and of what comes of that again the best few are kept. The better one is that in which more labels agree,
//! with so many taken off for each state. Merges in another order lead to the same quotient; it is kept once. Since an
//! automaton of few states is whole after few merges, the first ones to be whole are the smallest ones found.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use rayon::prelude::*;

use super::fringe::{Choice, Fringe, Halt};
use super::merging::Merging;
use crate::sample::Sample;
use crate::work::Meter;

/// How many agreeing labels a state must be worth: between 1 and 5 the smallest automata were found most often.
const LABELS_PER_STATE: f64 = 2.0;
/// So many nodes are copied in the time that one is visited.
const COPIED: u64 = 8;

/// The smallest automata found when the best `width` quotients are kept at a time: those that are whole first, fewer
/// states first. The rule is evidence; a width of 1 is [`merge`](super::merge) by [`Rule::Edsm`](super::Rule::Edsm). There
/// are none when all go beyond a limit; that of visits is for each path from the tree to an automaton.
///
/// It takes `2 · width` times the memory of the tree, of 20 bytes a node, and the result is the same with any number of
/// threads.
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
    /// A beam that has not begun.
    #[must_use]
    pub fn new(sample: Arc<Sample>, how: &Merging, width: usize) -> Self {
        let search = Search::new(&sample, how, width);
        Self { sample, search }
    }

    /// Goes on for about so many visits of nodes, those of all quotients together, as [`Merger`](super::Merger) does. At the
    /// end there are the automata; nothing may be asked afterwards.
    ///
    /// A slice may be exceeded by a copy of the tree, or by one look at all merges that can be made.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Vec<Dfa>> {
        self.search.advance(&self.sample, visits)
    }

    /// All work so far, in visits.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.search.meter.done()
    }
}

/// One of the quotients that are kept.
struct Path {
    fringe: Fringe,
    /// What speaks for the merges made so far.
    evidence: f64,
    step: Step,
}

/// What a path does next, or has come to.
enum Step {
    Make(Choice),
    Settle,
    /// Each blue state has somewhere to go, or there is none and the quotient is whole.
    Settled {
        whole: bool,
    },
    List,
    Listed(Vec<Choice>),
    /// Beyond a limit.
    Lost,
}

/// What all paths do.
enum Stage {
    /// The tree is made.
    Unfold(Box<Path>),
    /// Each path is continued until it has somewhere to go, or a list of where it could go.
    Work(Vec<Path>),
    /// The best continuations are picked, and their paths copied.
    Pick(Picking),
    Done,
}

/// Continuations by what speaks for them.
struct Picking {
    paths: Vec<Path>,
    /// Numbers of paths with one of their merges, the best first, and how many were looked at.
    ranked: Vec<(f64, usize, Choice)>,
    next: usize,
    /// What the ones picked come to: each quotient is kept once.
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

    /// Goes on with all paths for what is left of the slice, the same share for each. Those that are lost are left out.
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

    /// What comes after all paths are settled, or have listed their merges.
    fn after_work(&mut self, mut paths: Vec<Path>, sample: &Sample) -> ControlFlow<Vec<Dfa>, Stage> {
        if paths.is_empty() {
            return ControlFlow::Break(Vec::new());
        }
        if let Some(ranked) = ranked(&mut paths) {
            self.meter.add(ranked.len() as u64);
            let (cores, picked) = (BTreeSet::new(), Vec::new());
            return ControlFlow::Continue(Stage::Pick(Picking { paths, ranked, next: 0, cores, picked }));
        }
        // What became red on one path now may have done so on another path before its last merge.
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

    /// Picks the best continuations, those that lead to a quotient that was not picked before.
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

/// All merges that the paths have listed, the best first; none if they have not.
fn ranked(paths: &mut [Path]) -> Option<Vec<(f64, usize, Choice)>> {
    let mut ranked: Vec<(f64, usize, Choice)> = Vec::new();
    for (i, path) in paths.iter_mut().enumerate() {
        let base = path.evidence - LABELS_PER_STATE * path.fringe.len() as f64;
        let Step::Listed(choices) = &mut path.step else { return None };
        ranked.extend(std::mem::take(choices).into_iter().map(|choice| (base + choice.score, i, choice)));
    }
    // Stable: of equals the first in canonical order stays the first.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    Some(ranked)
}

impl Path {
    fn is_at_work(&self) -> bool {
        matches!(self.step, Step::Make(_) | Step::Settle | Step::List)
    }

    /// Does something in a slice of its own, and counts the work with a meter.
    fn measured<T>(&mut self, slice: u64, meter: &mut Meter, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.fringe.work();
        self.fringe.begin_slice(slice);
        let done = act(self);
        meter.add(self.fringe.work() - before);
        done
    }

    /// Goes on until the slice is used up or there is nothing to do by itself.
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

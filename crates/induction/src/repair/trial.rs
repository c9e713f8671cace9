//! A grammar under test: a change is tried, judged by a replay, and kept or undone.

use std::ops::Range;

use super::cost::Cost;
use super::productions::{Flip, Productions};
use super::score::{Replay, Scorer};
use super::tally::Tally;
use crate::work::{Meter, Pause};

/// A change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trial {
    Flip(Flip),
    /// Merge two non-terminals that are in use.
    Pair {
        kept: usize,
        gone: usize,
    },
}

/// The progress of a trial.
#[derive(Debug)]
enum Stage {
    Idle,
    /// The change is made, and is better if it has at most this many errors.
    Judge {
        limit: u64,
    },
    Undo,
}

/// A grammar, the examples, and the current trial.
pub(super) struct Bench {
    scorer: Scorer,
    productions: Productions,
    tally: Tally,
    cost: Cost,
    pub(super) errors: u64,
    /// Replays left.
    pub(super) budget: u64,
    pub(super) meter: Meter,
    /// Maximum amount of work.
    most_work: u64,
    stage: Stage,
    trial: Option<Trial>,
    /// The grammar before two non-terminals were merged.
    before: Option<(Productions, Tally)>,
    /// Number of letters loaded, and the progress of their replay.
    loaded: usize,
    replay: Replay,
}

/// Machine words written in the time of one replayed node.
const WORDS: usize = 16;

impl Bench {
    pub(super) fn new(scorer: Scorer, productions: Productions, cost: Cost, budget: u64) -> Self {
        Self {
            scorer,
            tally: Tally::new(&productions),
            productions,
            cost,
            errors: 0,
            budget,
            meter: Meter::default(),
            most_work: u64::MAX,
            stage: Stage::Idle,
            trial: None,
            before: None,
            loaded: 0,
            replay: Replay::default(),
        }
    }

    /// Loads and replays the unchanged grammar.
    pub(super) fn begin(&mut self) -> Result<(), Pause> {
        self.errors = self.replayed(0..self.productions.letters(), u64::MAX)?;
        Ok(())
    }

    /// Sets the cost, the number of replays and the work allowed for pruning.
    pub(super) fn begin_pruning(&mut self, cost: Cost, budget: u64, work: u64) {
        (self.cost, self.budget) = (cost, budget);
        self.most_work = self.meter.done().saturating_add(work);
    }

    pub(super) fn is_overworked(&self) -> bool {
        matches!(self.stage, Stage::Idle) && self.meter.done() >= self.most_work
    }

    pub(super) fn productions(&self) -> &Productions {
        &self.productions
    }

    /// Number of productions.
    pub(super) fn len(&self) -> usize {
        self.tally.productions()
    }

    /// Number of nodes of a replay.
    pub(super) fn nodes(&self) -> u64 {
        self.scorer.nodes() as u64
    }

    /// The scorer, the grammar without an unjudged change, and its errors.
    pub(super) fn finish(mut self) -> (Scorer, Productions, u64) {
        if let (Stage::Judge { .. } | Stage::Undo, Some(trial)) = (&self.stage, self.trial) {
            self.revert(trial);
        }
        (self.scorer, self.productions, self.errors)
    }

    /// Tries a change and returns whether it lowers the cost; if not, it is undone. After a pause, call it again with
    /// the same change.
    pub(super) fn attempt(&mut self, trial: Trial) -> Result<bool, Pause> {
        loop {
            match self.stage {
                Stage::Idle => {
                    self.meter.check()?;
                    self.meter.add(1);
                    let cost = self.cost.of(self.errors, &self.tally);
                    if !self.change(trial) {
                        return Ok(false);
                    }
                    self.trial = Some(trial);
                    let Some(limit) = self.cost.errors_below(cost, &self.tally) else {
                        self.revert(trial);
                        return Ok(false);
                    };
                    self.stage = Stage::Judge { limit };
                }
                Stage::Judge { limit } => {
                    let errors = self.replayed(self.letters(trial), limit)?;
                    if errors <= limit {
                        self.budget = self.budget.saturating_sub(1);
                        self.errors = errors;
                        self.before = None;
                        self.stage = Stage::Idle;
                        return Ok(true);
                    }
                    self.revert(trial);
                    self.stage = Stage::Undo;
                }
                Stage::Undo => {
                    self.load(self.letters(trial))?;
                    self.loaded = 0;
                    // Not earlier: a caller that sees an empty budget must not find a half-undone trial.
                    self.budget = self.budget.saturating_sub(1);
                    self.stage = Stage::Idle;
                    return Ok(false);
                }
            }
        }
    }

    /// Makes the change, if there is anything to change.
    fn change(&mut self, trial: Trial) -> bool {
        match trial {
            Trial::Flip(flip) => self.flip(flip),
            Trial::Pair { kept, gone } => {
                if !self.tally.reads(kept) || !self.tally.reads(gone) {
                    return false;
                }
                let mut merged = self.productions.clone();
                merged.merge(kept, gone);
                self.meter.add((2 * merged.row_count() / WORDS) as u64);
                let tally = Tally::new(&merged);
                let before = std::mem::replace(&mut self.productions, merged);
                self.before = Some((before, std::mem::replace(&mut self.tally, tally)));
            }
        }
        true
    }

    /// Undoes the change. What is loaded stays, and so does the stage: a judged change is undone once.
    fn revert(&mut self, trial: Trial) {
        match trial {
            Trial::Flip(flip) if matches!(self.stage, Stage::Idle | Stage::Judge { .. }) => self.flip(flip),
            Trial::Flip(_) => {}
            Trial::Pair { .. } => {
                if let Some(before) = self.before.take() {
                    (self.productions, self.tally) = before;
                }
            }
        }
    }

    fn flip(&mut self, flip: Flip) {
        self.productions.flip(flip);
        self.tally.flip(flip, self.productions.has(flip));
    }

    /// The letters affected by a change.
    fn letters(&self, trial: Trial) -> Range<usize> {
        match trial {
            Trial::Flip(Flip::Edge((letter, ..))) => letter..letter + 1,
            Trial::Flip(Flip::End(_)) => 0..0,
            Trial::Pair { .. } => 0..self.productions.letters(),
        }
    }

    /// Loads these letters and replays the examples. Returns the number of wrong ones; if there are more than `limit`,
    /// some number above it.
    fn replayed(&mut self, letters: Range<usize>, limit: u64) -> Result<u64, Pause> {
        self.load(letters)?;
        let errors = self.scorer.resume(&mut self.replay, self.productions.ends(), limit, &mut self.meter)?;
        self.loaded = 0;
        self.replay = Replay::default();
        Ok(errors)
    }

    fn load(&mut self, letters: Range<usize>) -> Result<(), Pause> {
        self.scorer.make_room(&self.productions);
        while let Some(letter) = letters.clone().nth(self.loaded) {
            self.meter.check()?;
            self.meter.add((1 + self.productions.chunks() * 256 / WORDS) as u64);
            self.scorer.load_letter(&self.productions, letter);
            self.loaded += 1;
        }
        Ok(())
    }
}

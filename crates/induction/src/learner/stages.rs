//! What a learner does next, and doing it.
//!
//! Merging comes first, since it takes milliseconds; then the model, blocks of restarts with a curriculum, without, and
//! with what is left out of lists; then, in turns, search and more of the model: more blocks, larger sizes, some of them begun from the best
//! that is known. Which stage has which number depends on the settings alone.

use automata::Dfa;
use rayon::prelude::*;

use super::watch::Steps;
use super::{Engine, LearnError, Learner, Noise, Watch, neural, paper_steps};
use crate::lists::supposed;
use crate::model::Shape;
use crate::repair::{Cost, Productions, Scorer, repair};
use crate::sample::Sample;
use crate::search::productions::ProductionSearch;
use crate::search::{self, Minimising};
use crate::selection::{Candidate, Origin};
use crate::symbolic::{self, Merging, Rule};
use crate::training::{self, Schedule};
use crate::{LANES, random};

/// A piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// One run of merging.
    Merge(Rule),
    /// Merging by both rules, some runs in which chance has a say, and a narrow beam.
    MergeOften,
    /// Merging with a wide beam.
    MergeWidely,
    /// The best that is known, mended and pruned as a grammar.
    Prune,
    /// Blocks of restarts of one shape; waves are counted from 0.
    Neural(Shape, u32),
    /// Some of the search over transitions; turns are counted from 0.
    Search(u32),
    /// Some of the search over productions; turns are counted from 0.
    Productions(u32),
    /// The smallest automaton.
    Sat,
    /// The paper's protocol.
    Paper,
}

impl Learner {
    /// What comes next, if the budget allows anything.
    pub(super) fn next_stage(&self) -> Option<Stage> {
        use Stage::{Merge, MergeOften, MergeWidely, Neural, Paper, Productions, Prune, Sat, Search};
        let number = self.stage;
        let stage = match self.settings.engine {
            Engine::Rpni => (number == 0).then_some(Merge(Rule::Rpni))?,
            Engine::Edsm => (number == 0).then_some(Merge(Rule::Edsm))?,
            Engine::Sat => (number == 0).then_some(Sat)?,
            Engine::Paper => (number == 0).then_some(Paper)?,
            Engine::Search if number.is_multiple_of(2) => Productions(number / 2),
            Engine::Search => Search(number / 2),
            Engine::Neural => Neural([Shape::Nfa, Shape::Dfa][number as usize % 2], number / 2),
            // What was nearly right for a smaller core is mended before anything is begun anew.
            Engine::Auto if self.grown && number == 0 => Prune,
            Engine::Auto => match number - u32::from(self.grown) {
                0 => MergeOften,
                1 => Prune,
                2 => Neural(Shape::Nfa, 0),
                3 => Neural(Shape::Dfa, 0),
                4 => Productions(0),
                5 => MergeWidely,
                // A core is for the model; search on long words over many letters comes last.
                later if self.core.picked().is_some() => match ((later - 6) % 4, (later - 6) / 4) {
                    (0, round) => Neural(Shape::Nfa, 1 + round),
                    (1, round) => Neural(Shape::Dfa, 1 + round),
                    (2, round) => Productions(1 + round),
                    (_, round) => Search(round),
                },
                later => match ((later - 6) % 5, (later - 6) / 5) {
                    (0, round) => Search(2 * round),
                    (1, round) => Neural(Shape::Nfa, 1 + round),
                    (2, round) => Search(2 * round + 1),
                    (3, round) => Productions(1 + round),
                    (_, round) => Neural(Shape::Dfa, 1 + round),
                },
            },
        };
        let (model_left, search_left) = (self.restarts_left() > 0, self.visits_left() > 0);
        let anything_left = match self.settings.engine {
            Engine::Auto => model_left || search_left || matches!(stage, MergeOften | Prune),
            Engine::Neural => model_left,
            Engine::Search => search_left,
            Engine::Rpni | Engine::Edsm | Engine::Sat | Engine::Paper => true,
        };
        anything_left.then_some(stage)
    }

    /// Whether a stage would do nothing: its budget is used up, or it was not asked for.
    pub(super) fn is_idle(&self, stage: Stage) -> bool {
        match stage {
            Stage::Neural(shape, _) => !self.settings.shapes.include(shape) || self.restarts_left() == 0,
            Stage::Search(_) | Stage::Productions(_) => self.visits_left() == 0,
            Stage::Merge(_) | Stage::MergeOften | Stage::MergeWidely | Stage::Prune | Stage::Sat | Stage::Paper => {
                false
            }
        }
    }

    /// The model reads at least one letter.
    fn restarts_left(&self) -> u64 {
        if self.core.sample().entries().is_empty() {
            return 0;
        }
        self.settings.restarts.saturating_sub(self.spent.restarts - self.spent_before.restarts)
    }

    /// Search knows right and wrong, and nothing between.
    fn visits_left(&self) -> u64 {
        if self.search_is_over || self.settings.noise != Noise::None {
            return 0;
        }
        self.settings.visits.saturating_sub(self.spent.visits - self.spent_before.visits)
    }

    pub(super) fn run_stage(&mut self, stage: Stage, watch: &dyn Watch) -> Result<(), LearnError> {
        match stage {
            Stage::Merge(rule) => {
                let merge = |sample: &Sample, how: &Merging| symbolic::merge(sample, how).into_iter().collect();
                let unlimited = |how: &Merging| Merging { most_states: None, most_visits: None, ..*how };
                self.merge(rule, 1, watch, |sample, how| merge(sample, &unlimited(how)));
            }
            Stage::MergeOften => {
                let seed = seed_of(self.settings.seed, 1, 0);
                self.merge(Rule::Rpni, 1, watch, |sample, how| symbolic::merge(sample, how).into_iter().collect());
                self.merge(Rule::Edsm, 1, watch, |sample, how| symbolic::merge_many(sample, how, MERGING_RUNS, seed));
                self.merge(Rule::Edsm, 0, watch, |sample, how| symbolic::merge_widely(sample, how, NARROW));
                // A large answer is better than none when the learner is cut, and search goes down from it. A core has many
                // rounds, and the model, for that.
                let is_whole = self.core.picked().is_none();
                if is_whole && self.settings.noise == Noise::None && self.pool.consistent().next().is_none() {
                    let patient =
                        |how: &Merging| Merging { most_states: None, most_visits: Some(PATIENT_VISITS), ..*how };
                    let merge = |sample: &Sample, how: &Merging| symbolic::merge(sample, &patient(how));
                    self.merge(Rule::Edsm, 1, watch, |sample, how| merge(sample, how).into_iter().collect());
                }
            }
            Stage::MergeWidely => {
                let width = (BEAM_NODES / self.core.sample().parents().len()).clamp(1, WIDE);
                self.merge(Rule::Edsm, 0, watch, |sample, how| symbolic::merge_widely(sample, how, width));
            }
            Stage::Prune => self.prune(watch),
            Stage::Neural(shape, wave) => self.train(shape, wave, watch)?,
            Stage::Search(turn) => self.search(turn, watch),
            Stage::Productions(turn) => self.search_productions(turn, watch),
            Stage::Sat => self.find_smallest(watch),
            Stage::Paper => self.paper(watch)?,
        }
        Ok(())
    }

    fn add_all(&mut self, found: Vec<Vec<Candidate>>) {
        found.into_iter().flatten().for_each(|candidate| self.pool.add(candidate));
    }

    /// Merges, and adds what comes of it. Runs of one kind are not independent of each other: only so many of the
    /// first ones count as finds.
    fn merge(
        &mut self,
        rule: Rule,
        counted: usize,
        watch: &dyn Watch,
        merge: impl Fn(&Sample, &Merging) -> Vec<Dfa> + Send + Sync,
    ) {
        self.report("merging", watch);
        let sample = self.core.sample();
        let tolerance = self.noise_rate().unwrap_or(0.0);
        let (most_states, most_visits) = (Some(MERGED_STATES), Some(MERGING_VISITS));
        let how = Merging { tolerance, most_states, most_visits, ..Merging::by(rule) };
        let jury = self.core.jury();
        let merged = self.workers.install(|| merge(sample, &how));
        let origin = match rule {
            Rule::Rpni => Origin::Rpni,
            Rule::Edsm => Origin::Edsm,
        };
        let found = merged.iter().enumerate().map(|(i, dfa)| {
            let finds = u32::from(i < counted);
            Candidate { finds, ..Candidate::from_dfa(dfa, jury, origin) }
        });
        let found = found.collect();
        self.add_all(vec![found]);
    }

    /// The best few answers as grammars, from which whatever no example needs is taken away.
    fn prune(&mut self, watch: &dyn Watch) {
        self.report("merging", watch);
        let sample = self.core.sample();
        let (_, pruning) = self.costs();
        let distinct = self.settings.noise != Noise::None;
        let few = self
            .pool
            .candidates()
            .iter()
            .filter(|known| known.origin != Origin::Trivial && known.dfa.len() <= PRUNED_STATES);
        let seeds: Vec<&Candidate> = few.take(PRUNED).collect();
        let prune = |(i, known): (usize, &&Candidate)| {
            let productions = Productions::from_nfa(&automata::Nfa::from(&known.dfa))?;
            let mut scorer = Scorer::new(sample, distinct);
            let mut random = random::stream(seed_of(self.settings.seed, 2, i as u64), 0);
            let budget = PRUNING * neural::repair_budget(sample);
            let (pruned, _) = repair(&mut scorer, productions, (Cost::Errors, pruning), budget, &mut random);
            let grammar = pruned.to_grammar(sample.alphabet(), false);
            let candidate = Candidate::new(&grammar, self.core.jury(), known.origin)?;
            Some(Candidate { finds: 0, ..candidate })
        };
        let found: Vec<Option<Candidate>> = self.workers.install(|| seeds.par_iter().enumerate().map(prune).collect());
        self.add_all(vec![found.into_iter().flatten().collect()]);
    }

    fn train(&mut self, shape: Shape, wave: u32, watch: &dyn Watch) -> Result<(), LearnError> {
        self.report("neural", watch);
        let supposed = match self.settings.noise {
            Noise::None => supposed(self.core.sample()),
            Noise::Rate(_) | Noise::Auto => None,
        };
        let blocks = self.blocks(shape, wave, supposed.is_some());
        let restarts: usize = blocks.iter().map(|block| block.training.restarts).sum();
        self.run_blocks(&blocks, supposed.as_ref(), watch)?;
        self.spent.restarts += restarts as u64;
        Ok(())
    }

    /// Runs blocks on the sample, and those that suppose something on the one with that.
    fn run_blocks(
        &mut self,
        blocks: &[neural::Block],
        supposed: Option<&Sample>,
        watch: &dyn Watch,
    ) -> Result<(), LearnError> {
        let given = self.core.sample();
        let supposed = supposed.unwrap_or(given);
        let (balanced, supposed_balanced) = (given.balanced(), supposed.balanced());
        let steps = Steps::default();
        let run = |block: &neural::Block| {
            let (sample, balanced) = if block.supposing { (supposed, &supposed_balanced) } else { (given, &balanced) };
            neural::run(sample, balanced, self.core.jury(), block, &steps, watch)
        };
        let found: Result<Vec<_>, _> = self.workers.install(|| blocks.par_iter().map(run).collect());
        self.spent.steps += steps.total();
        self.add_all(found?);
        Ok(())
    }

    /// The blocks of a wave: of each size one with a curriculum and one without, and from the second wave on one that
    /// begins from the best that is known. After them, of the first size, one that supposes lists to be complete, if any
    /// is not.
    fn blocks(&self, shape: Shape, wave: u32, supposes: bool) -> Vec<neural::Block> {
        let left = usize::try_from(self.restarts_left()).unwrap_or(usize::MAX);
        let sizes = self.settings.nonterminals.map_or_else(|| self.sizes(wave), |given| vec![given]);
        let shape_number = u64::from(shape == Shape::Dfa);
        let mut blocks = Vec::new();
        for (i, &nonterminals) in sizes.iter().enumerate() {
            let practical =
                training::Settings { nonterminals, steps: self.settings.steps, ..training::Settings::practical(shape) };
            let all_at_once = training::Settings { length_limit: Schedule::Constant(1.0), ..practical.clone() };
            let begin = (wave > 0).then(|| self.beginning(shape, nonterminals)).flatten();
            let kinds = [
                Some((practical, None, false)),
                Some((all_at_once.clone(), None, false)),
                begin.map(|begin| (all_at_once.clone(), Some(begin), false)),
                (supposes && i == 0).then_some((all_at_once, None, true)),
            ];
            for (kind, (training, begin, supposing)) in
                kinds.into_iter().enumerate().filter_map(|(kind, block)| Some((kind, block?)))
            {
                let number = u64::from(self.round) << 32
                    | u64::from(wave) << 16
                    | (i as u64) << 8
                    | (kind as u64) << 1
                    | shape_number;
                let seed = seed_of(self.settings.seed, 3, number);
                let costs = Some(self.costs());
                let distinct = self.settings.noise != Noise::None;
                let training = training::Settings { seed, ..training };
                blocks.push(neural::Block { number, training, begin, supposing, costs, distinct });
            }
        }
        blocks.sort_by_key(|block| block.supposing);
        // The last block may have fewer restarts, so that no more are trained than were allowed.
        let mut used = 0;
        for block in &mut blocks {
            block.training.restarts = LANES.min(left - used);
            used += block.training.restarts;
        }
        blocks.retain(|block| block.training.restarts > 0);
        blocks
    }

    /// n' by wave: growing, each size tried again later. On the long words of a core larger sizes take long, and what they
    /// come to is seldom right: there they grow more slowly.
    fn sizes(&self, wave: u32) -> Vec<usize> {
        match (wave, self.core.picked().is_some()) {
            (0, _) => vec![5],
            (1, true) => vec![5, 8],
            (2, true) => vec![8, 12],
            (1, false) => vec![8, 12],
            (2, false) => vec![5, 16],
            (3, _) => vec![12, 24],
            _ => vec![8, 32],
        }
    }

    /// The best known answer that fits into so many non-terminals, as productions of this shape.
    fn beginning(&self, shape: Shape, nonterminals: usize) -> Option<Productions> {
        let known = self.pool.candidates().iter().filter(|candidate| candidate.origin != Origin::Trivial);
        let mut known = known.filter_map(|candidate| match shape {
            Shape::Nfa => Productions::from_nfa(&candidate.grammar.to_nfa())?.with_one_end(),
            Shape::Dfa => Productions::from_dfa(&candidate.dfa),
        });
        known.find(|productions| productions.nonterminals() <= nonterminals)
    }

    fn search(&mut self, turn: u32, watch: &dyn Watch) {
        self.report("search", watch);
        let sample = self.core.sample();
        if self.search.is_none() {
            let known = self.pool.candidates().iter().filter(|known| known.origin != Origin::Trivial);
            let seeds: Vec<Dfa> = known.take(SEEDS).map(|known| known.dfa.clone()).collect();
            let most = (usize::from(u16::MAX) / sample.alphabet().len().max(1)).min(SEARCHED_STATES);
            // Beside the non-terminals there are the states before the first letter and where no word goes on.
            let most = self.settings.nonterminals.map_or(most, |given| most.min(given + 2));
            let settings = search::Settings { seed: seed_of(self.settings.seed, 4, 0), ..search::Settings::new(most) };
            self.search = self.workers.install(|| Minimising::new(sample, settings, 1, &seeds).ok());
        }
        // Some samples are beyond it: too many letters, or words too long.
        let Some(mut search) = self.search.take() else {
            self.search_is_over = true;
            return;
        };
        let end = (SEARCH_SLICE << turn.min(MOST_DOUBLED)).min(self.visits_left());
        let before = search.visits();
        // In pieces, so that whoever watches is heard.
        while search.visits() - before < end && !watch.stopped() {
            let visited = search.visits();
            let piece = SEARCH_PIECE.min(end - (visited - before));
            let goes_on = self.workers.install(|| search.advance(piece));
            self.spent.visits += search.visits() - visited;
            self.report("search", watch);
            if goes_on.is_break() {
                // Nothing smaller is left to look for; others of that size may be.
                let visited = search.visits();
                self.workers.install(|| search.hunt(piece));
                self.spent.visits += search.visits() - visited;
                if search.visits() == visited {
                    break;
                }
            }
        }
        if search.visits() == before {
            // It has nothing left to look for, and would not find it next time either.
            self.search_is_over = true;
        }
        let (best, errors) = search.best();
        let rivals: Vec<Dfa> = search.rivals().cloned().collect();
        let found = if errors == 0 { rivals } else { vec![best] };
        self.search = Some(search);
        for dfa in found {
            let candidate = Candidate::from_dfa(&dfa, self.core.jury(), Origin::Search);
            // What it was told, or told before, it did not find.
            let is_new = self.pool.candidates().iter().all(|known| known.dfa != candidate.dfa);
            self.pool.add(Candidate { finds: u32::from(is_new), ..candidate });
        }
    }

    /// Search over productions: grammars of several sizes, some walkers begun from the best that is known.
    fn search_productions(&mut self, turn: u32, watch: &dyn Watch) {
        self.report("search", watch);
        let sample = self.core.sample();
        let balanced = sample.balanced();
        let sizes = self.settings.nonterminals.map_or_else(|| production_sizes(turn), |given| vec![given; 2]);
        let known = self.pool.candidates().iter().filter(|known| known.origin != Origin::Trivial);
        let known = known.filter_map(|known| Productions::from_nfa(&known.grammar.to_nfa()));
        let seeds: Vec<Productions> = if turn % 2 == 1 { known.take(SEEDS).collect() } else { Vec::new() };
        let slice = (PRODUCTION_SLICE << turn.min(MOST_DOUBLED)).min(self.visits_left() / sizes.len() as u64);
        let run = |(i, &nonterminals): (usize, &usize)| {
            let seed = seed_of(self.settings.seed, 5, u64::from(self.round) << 32 | u64::from(turn) << 8 | i as u64);
            let mut search = ProductionSearch::new(&balanced, nonterminals, &seeds, seed)?;
            while search.visits() < slice
                && !watch.stopped()
                && search.advance(PRODUCTION_PIECE.min(slice - search.visits()))
            {}
            let mut scorer = Scorer::new(sample, false);
            let mut random = random::stream(seed, u64::MAX);
            let candidate = |(i, found): (usize, &Productions)| {
                let budget = neural::repair_budget(sample);
                let (mended, _) = repair(&mut scorer, found.clone(), self.costs(), budget, &mut random);
                let grammar = mended.to_grammar(sample.alphabet(), false);
                let candidate = Candidate::new(&grammar, self.core.jury(), Origin::Search)?;
                // What one search meets besides, or began from, is not found independently.
                Some(Candidate { finds: u32::from(i == 0 && seeds.is_empty()), ..candidate })
            };
            let found = [search.best()].into_iter().chain(search.good());
            Some((found.enumerate().filter_map(candidate).collect(), search.visits()))
        };
        let found: Vec<Option<(Vec<Candidate>, u64)>> =
            self.workers.install(|| sizes.par_iter().enumerate().map(run).collect());
        for (candidates, visits) in found.into_iter().flatten() {
            self.spent.visits += visits;
            self.add_all(vec![candidates]);
        }
    }

    fn paper(&mut self, watch: &dyn Watch) -> Result<(), LearnError> {
        self.report("neural", watch);
        let sample = self.core.sample();
        let paper = training::Settings::paper();
        let training = training::Settings {
            nonterminals: self.settings.nonterminals.unwrap_or(paper.nonterminals),
            steps: paper_steps(sample.alphabet().len(), sample.longest()).min(self.settings.steps),
            seed: self.settings.seed,
            ..paper
        };
        let block = neural::Block { number: 0, training, begin: None, supposing: false, costs: None, distinct: false };
        self.run_blocks(&[block], None, watch)?;
        self.spent.restarts += 1;
        Ok(())
    }

    /// The rate at which labels are supposed to be wrong, if they may be.
    pub(super) fn noise_rate(&self) -> Option<f64> {
        match self.settings.noise {
            Noise::None => None,
            Noise::Rate(rate) => Some(rate),
            // As the best answer has it, once there is one.
            Noise::Auto => {
                let words = self.core.jury().words().max(1) as f64;
                let best = self.pool.best().filter(|best| best.origin != Origin::Trivial);
                Some(best.map_or(FIRST_GUESS, |best| (best.wrong_words as f64 / words).max(1.0 / words).min(0.25)))
            }
        }
    }

    /// What errors and productions cost while mending and while pruning.
    fn costs(&self) -> (Cost, Cost) {
        match self.noise_rate() {
            None => (Cost::Errors, Cost::Exact),
            Some(rate) => {
                let cost = Cost::Bits(libm::log2((1.0 - rate) / rate));
                (cost, cost)
            }
        }
    }
}

/// After so many stages every engine had a turn.
pub(super) const FIRST_TURNS: u32 = 5;
/// How many runs of merging there are, and how many quotients a beam carries along, first and later.
const MERGING_RUNS: usize = 8;
const NARROW: usize = 4;
const WIDE: usize = 48;
/// A beam carries a tree for each quotient: together they may have so many nodes.
const BEAM_NODES: usize = 1_000_000;
/// A run of merging that looks at more nodes, or comes to more states, is given up: it has lost its way.
const MERGING_VISITS: u64 = 3_000_000;
const MERGED_STATES: usize = 100;
/// When all have, one run may look at so many, and come to any number of states.
const PATIENT_VISITS: u64 = 200_000_000;
/// How many answers are mended and pruned apart from a training, how much more patiently, and how many states they may
/// have.
const PRUNED: usize = 2;
const PRUNING: u64 = 10;
const PRUNED_STATES: usize = 24;
/// How many answers search begins from, and how many states it looks at the most.
const SEEDS: usize = 4;
const SEARCHED_STATES: usize = 128;
/// How many nodes search visits in its first turn, and how often that is doubled at the most.
const SEARCH_SLICE: u64 = 200_000_000;
const MOST_DOUBLED: u32 = 4;
/// How many nodes search over productions looks at in its first turn, for each size.
const PRODUCTION_SLICE: u64 = 20_000_000;
const PRODUCTION_PIECE: u64 = 5_000_000;
/// How many nodes between two looks at who watches.
const SEARCH_PIECE: u64 = 50_000_000;
/// The rate of noise before anything is known.
const FIRST_GUESS: f64 = 0.05;

/// How many non-terminals the grammars have that are searched for in a turn.
fn production_sizes(turn: u32) -> Vec<usize> {
    match turn {
        0 | 1 => vec![4, 6],
        2 | 3 => vec![5, 8],
        _ => vec![8, 12],
    }
}

/// A seed for something numbered, of some kind.
fn seed_of(seed: u64, kind: u64, number: u64) -> u64 {
    use rand_core::Rng;
    random::stream(seed, kind << 48 | number).next_u64()
}

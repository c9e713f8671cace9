//! The smallest size at which the search finds an automaton.
//!
//! More states than the language needs do no harm: on samples of 30-state automata, searches for 36, 48, 64 and 100
//! states were solved after about as many visits, and no later than those for 30, since there are states to spare while
//! the others fall into place; and what they find is often minimal with no more states than the language. So sizes are
//! come at from above. A few sizes, each twice the one before, take turns with growing patience, from nowhere. Once
//! something is found only smaller sizes are of interest, and one more search takes its turns: what was found is folded
//! into fewer states and annealed again. Its steps double while they succeed and halve when they fail; at one state
//! less than what was found there is no end but the caller's patience.
//!
//! Searches from nowhere leave out sizes at which there are about as many automata as ways to label the words: there
//! nearly anything can be learned by heart, and what is found by chance says nothing.
//!
//! Extrapolating the size from the errors that remain was planned and turned out to be unnecessary.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::formats::{Document, json};
use automata::{Dfa, minimize};
use rand_core::Rng;

use super::checkpoint::MinimisingCheckpoint;
use super::tempering::Search;
use super::tree::Tree;
use super::{SearchError, Settings};
use crate::random::stream;
use crate::sample::Sample;

/// The size of the first search from nowhere over two letters, unless only smaller ones are of interest.
const FIRST: usize = 32;
/// The first size over many letters.
const FIRST_OF_MANY: usize = 8;
/// How many visits a node a search has before another has its turn; then twice as many, and so on.
const PATIENCE: u64 = 1_000;
/// How many bits of description a label may pay for: an answer that takes more knows its words by heart.
pub(crate) const BITS_PER_WORD: f64 = 0.8;
/// How often patience may double.
const MOST_DOUBLINGS: u32 = 30;

/// A search for the smallest automaton that is good enough.
#[derive(Clone, Debug)]
pub struct Minimising {
    tree: Arc<Tree>,
    settings: Settings,
    /// No smaller size is tried.
    least: usize,
    /// With more states, words are learned by heart.
    telling: usize,
    /// The smallest automaton that was found.
    found: Option<Dfa>,
    /// Searches from nowhere, each for another size.
    fresh: Vec<Search>,
    /// The search that started at what was found; it has its turn after the others.
    folded: Option<Search>,
    /// How many states fewer than found it is for.
    step: usize,
    /// The search for other languages of the size that was found.
    hunter: Option<Search>,
    /// Whose turn it is.
    turn: usize,
    /// How often all have had their turn since something was found.
    pass: u32,
    /// How many searches were begun, so that each has its own chance.
    begun: u64,
    /// Visits of searches that were given up.
    spent: u64,
    /// For each size tried the fewest errors, by size.
    residuals: Vec<(usize, u64)>,
}

/// How a [`Minimising`] stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes visited so far.
    pub visits: u64,
    /// The states of the smallest automaton that is good enough.
    pub found: Option<usize>,
    /// The sizes that are being tried, in order.
    pub trying: Vec<usize>,
    /// For each size tried, in order, the fewest wrong examples met.
    pub residuals: Vec<(usize, u64)>,
}

impl Minimising {
    /// A search on this sample for automata of at least `least` states and at most those of the settings. The smallest
    /// seed that is good enough counts as found; when none is, walkers begin at the seeds.
    pub fn new(sample: &Sample, settings: Settings, least: usize, seeds: &[Dfa]) -> Result<Self, SearchError> {
        let tree = Arc::new(Tree::new(sample)?);
        settings.check(tree.letters.len())?;
        let good = |dfa: &&Dfa| dfa.alphabet() == sample.alphabet() && tree.errors_of(dfa) <= settings.tolerated;
        let found = seeds.iter().filter(good).map(minimize).min_by_key(Dfa::len);
        let least = least.clamp(1, settings.states);
        let (most, telling) = (settings.states, tree.telling_states(BITS_PER_WORD));
        let mut new = Self {
            tree,
            settings,
            least,
            telling,
            found: None,
            fresh: Vec::new(),
            folded: None,
            step: 1,
            hunter: None,
            turn: 0,
            pass: 0,
            begun: 0,
            spent: 0,
            residuals: Vec::new(),
        };
        match found {
            Some(dfa) => {
                new.step = dfa.len() / 2;
                new.take(dfa);
            }
            None => new.scatter(most, seeds),
        }
        Ok(new)
    }

    /// Goes on for at least so many visits; breaks when there is nothing smaller to look for.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<()> {
        let end = self.visits().saturating_add(visits);
        while self.visits() < end {
            if self.searches().next().is_none() || self.tree.letters.is_empty() {
                return ControlFlow::Break(());
            }
            self.round();
        }
        ControlFlow::Continue(())
    }

    /// Looks for other languages whose automata are as small as the smallest found, for at least so many visits, unless
    /// [`MOST_RIVALS`](super::MOST_RIVALS) are known before. Should it come by a smaller automaton, that one is found.
    pub fn hunt(&mut self, visits: u64) {
        let Some(dfa) = self.found.clone().filter(|dfa| dfa.len() <= self.settings.states) else { return };
        let mut hunter = match self.hunter.take() {
            Some(hunter) => hunter,
            None => self.begin(dfa.len(), &vec![dfa.clone(); self.settings.rungs]),
        };
        hunter.hunt(visits);
        let smallest = hunter.rivals().min_by_key(|rival| rival.len()).cloned();
        self.hunter = Some(hunter);
        if let Some(smaller) = smallest.filter(|rival| rival.len() < dfa.len()) {
            self.take(smaller);
        }
    }

    /// The smallest automaton that is good enough, minimal, or else the one with fewest errors; and how many those are.
    #[must_use]
    pub fn best(&self) -> (Dfa, u64) {
        match &self.found {
            Some(dfa) => (dfa.clone(), self.tree.errors_of(dfa)),
            None => {
                let best = self.fresh.iter().min_by_key(|search| search.errors());
                best.expect("what was not found is searched for").best()
            }
        }
    }

    /// The languages found that are good enough and have the smallest size found, each as its minimal automaton: first
    /// the one that was found, then those of the [hunt](Minimising::hunt).
    pub fn rivals(&self) -> impl Iterator<Item = &Dfa> {
        let found = self.found.as_ref();
        let others = self.hunter.iter().flat_map(Search::rivals);
        found.into_iter().chain(others.filter(move |dfa| Some(*dfa) != found))
    }

    /// How many nodes were visited.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.spent + self.searches().chain(&self.hunter).map(Search::visits).sum::<u64>()
    }

    /// How it stands.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let mut trying: Vec<usize> = self.searches().map(|search| search.settings().states).collect();
        trying.sort_unstable();
        trying.dedup();
        let (visits, found) = (self.visits(), self.found.as_ref().map(Dfa::len));
        Progress { visits, found, trying, residuals: self.residuals.clone() }
    }

    /// The searches that take turns.
    fn searches(&self) -> impl Iterator<Item = &Search> {
        self.fresh.iter().chain(&self.folded)
    }

    /// One round of the search whose turn it is.
    fn round(&mut self) {
        // Each pass has one more of the sizes; smaller ones are cheaper.
        let fresh = self.fresh.len().min(self.pass as usize + 1);
        let folds = self.turn >= fresh;
        let Some(search) = self.fresh[..fresh].iter_mut().chain(&mut self.folded).nth(self.turn) else {
            (self.turn, self.pass) = (0, self.pass + 1);
            return;
        };
        search.advance(1);
        let (size, errors) = (search.settings().states, search.errors());
        match self.residuals.binary_search_by_key(&size, |residual| residual.0) {
            Ok(known) => self.residuals[known].1 = self.residuals[known].1.min(errors),
            Err(place) => self.residuals.insert(place, (size, errors)),
        }
        if search.solved() {
            self.step = if folds { 2 * self.step } else { 1 };
            let dfa = minimize(&search.best().0);
            return self.take(dfa);
        }
        // A pass doubles what each search has had; one that tries a large step is given up at once, and one that learns
        // by heart has a quarter.
        let (hasty, by_heart) = (folds && self.step > 1, folds && size > self.telling);
        let doublings = match self.pass.min(MOST_DOUBLINGS) {
            _ if hasty => 0,
            pass if by_heart => pass.saturating_sub(2),
            pass => pass,
        };
        if search.visits() >= PATIENCE.saturating_mul(self.tree.len() as u64) << doublings {
            if hasty {
                self.step /= 2;
                self.fold();
            } else {
                self.turn += 1;
            }
        }
    }

    /// Takes an automaton for the smallest known, and begins to look for smaller ones.
    fn take(&mut self, dfa: Dfa) {
        let size = dfa.len();
        self.found = Some(dfa);
        self.spent += self.hunter.take().map_or(0, |search| search.visits());
        // Searches from nowhere go on as long as their size is of interest.
        for search in std::mem::take(&mut self.fresh) {
            if search.settings().states < size {
                self.fresh.push(search);
            } else {
                self.spent += search.visits();
            }
        }
        (self.turn, self.pass) = (0, 0);
        if size > self.least {
            self.scatter((size - 1).min(self.settings.states), &[]);
        }
        self.fold();
    }

    /// Begins searches from nowhere for at most so many states, and for more than those that go on.
    fn scatter(&mut self, most: usize, seeds: &[Dfa]) {
        let telling = most.min(self.telling.max(self.least));
        // Over many letters there are as many transitions in fewer states.
        let first = (2 * FIRST / self.tree.letters.len().max(1)).clamp(FIRST_OF_MANY, FIRST);
        let sizes = std::iter::successors(Some(first), |size| Some(2 * size)).take_while(|&size| size < telling);
        // As long as nothing is found, learning by heart is better than nothing.
        let by_heart = (self.found.is_none() && telling < most).then_some(most);
        let going_on = self.fresh.iter().map(|search| search.settings().states).max().unwrap_or(0);
        let least = self.least.max(going_on + 1);
        for states in sizes.chain([telling]).chain(by_heart).filter(|&states| states >= least) {
            let search = self.begin(states, seeds);
            self.fresh.push(search);
        }
    }

    /// Begins a search that starts at what was found, if there is anything smaller to look for.
    fn fold(&mut self) {
        self.spent += self.folded.take().map_or(0, |search| search.visits());
        let Some(dfa) = self.found.clone().filter(|dfa| dfa.len() > self.least) else { return };
        self.step = self.step.clamp(1, (dfa.len() / 2).max(1)).min(dfa.len() - self.least);
        let states = (dfa.len() - self.step).min(self.settings.states);
        self.folded = Some(self.begin(states, &vec![dfa; self.settings.rungs]));
    }

    fn begin(&mut self, states: usize, seeds: &[Dfa]) -> Search {
        self.begun += 1;
        let seed = stream(self.settings.seed, self.begun).next_u64();
        Search::on(Arc::clone(&self.tree), Settings { states, seed, ..self.settings.clone() }, seeds)
    }

    /// The search as it stands, to be taken up again.
    #[must_use]
    pub fn checkpoint(&self) -> MinimisingCheckpoint {
        MinimisingCheckpoint {
            settings: self.settings.clone(),
            sample: self.tree.fingerprint,
            least: self.least,
            found: self.found.as_ref().map(json::write_dfa),
            fresh: self.fresh.iter().map(Search::checkpoint).collect(),
            folded: self.folded.as_ref().map(Search::checkpoint),
            step: self.step,
            hunter: self.hunter.as_ref().map(Search::checkpoint),
            turn: self.turn,
            pass: self.pass,
            begun: self.begun,
            spent: self.spent,
            residuals: self.residuals.clone(),
        }
    }

    /// The search that was put down with [`Minimising::checkpoint`], on the same sample.
    pub fn resume(sample: &Sample, checkpoint: MinimisingCheckpoint) -> Result<Self, SearchError> {
        let tree = Arc::new(Tree::new(sample)?);
        if checkpoint.sample != tree.fingerprint {
            return Err(SearchError::OtherSample);
        }
        checkpoint.settings.check(tree.letters.len())?;
        let broken = |what| SearchError::Broken { what };
        let found = checkpoint.found.map(|text| match json::read(&text) {
            Ok(Document::Dfa(dfa)) if dfa.alphabet() == sample.alphabet() => Ok(dfa),
            _ => Err(broken("the found automaton does not fit the letters of the sample")),
        });
        let found = found.transpose()?;
        if found.is_none() && checkpoint.fresh.is_empty() || checkpoint.least == 0 {
            return Err(broken("nothing was found and no search is under way"));
        }
        let search = |checkpoint| Search::resume_on(Arc::clone(&tree), checkpoint);
        Ok(Self {
            found,
            fresh: checkpoint.fresh.into_iter().map(search).collect::<Result<_, _>>()?,
            folded: checkpoint.folded.map(search).transpose()?,
            hunter: checkpoint.hunter.map(search).transpose()?,
            settings: checkpoint.settings,
            least: checkpoint.least,
            telling: tree.telling_states(BITS_PER_WORD),
            step: checkpoint.step,
            turn: checkpoint.turn,
            pass: checkpoint.pass,
            begun: checkpoint.begun,
            spent: checkpoint.spent,
            residuals: checkpoint.residuals,
            tree,
        })
    }
}

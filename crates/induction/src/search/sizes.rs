//! The smallest size at which the search finds an automaton.
//!
//! More states than the language needs do no harm. On samples of 30-state automata, searches for 36, 48, 64 and 100
//! states took about as many visits as those for 30, since spare states help while the others fall into place; and
//! after minimisation their results often have no more states than the language. So sizes are approached from above. A
//! few sizes, each twice the one before, take turns from random starts, with growing patience. Once something is found,
//! only smaller sizes matter, and one more search takes turns: the automaton found is folded into fewer states and
//! annealed again. Its step doubles on success and halves on failure; at a step of one state, only the caller's budget
//! ends it.
//!
//! Searches from random starts skip sizes with about as many automata as labellings of the words: there nearly any
//! sample can be memorised, and a find means nothing.
//!
//! Extrapolating the size from the remaining errors was planned and turned out to be unnecessary.

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

/// The first size from random starts over two letters, unless only smaller ones matter.
const FIRST: usize = 32;
/// The first size over many letters.
const FIRST_OF_MANY: usize = 8;
/// Visits per node that a search gets before the next one has its turn; then twice as many, and so on.
const PATIENCE: u64 = 1_000;
/// Maximum number of bits of description per label; an answer that takes more has memorised its words.
pub(crate) const BITS_PER_WORD: f64 = 0.8;
/// Maximum number of doublings of patience.
const MOST_DOUBLINGS: u32 = 30;

/// A search for the smallest automaton that is good enough.
#[derive(Clone, Debug)]
pub struct Minimising {
    tree: Arc<Tree>,
    settings: Settings,
    /// Minimum size.
    least: usize,
    /// With more states than this, words are memorised.
    telling: usize,
    /// The smallest automaton found.
    found: Option<Dfa>,
    /// Searches from random starts, each for a different size.
    fresh: Vec<Search>,
    /// The search that started at the automaton found; its turn comes after the others.
    folded: Option<Search>,
    /// How many states fewer it looks for.
    step: usize,
    /// The search for other languages of the size found.
    hunter: Option<Search>,
    /// Whose turn it is.
    turn: usize,
    /// Number of complete rounds of turns since the last find.
    pass: u32,
    /// Number of searches started, so that each has its own random stream.
    begun: u64,
    /// Visits of abandoned searches.
    spent: u64,
    /// The fewest errors for each size tried, by size.
    residuals: Vec<(usize, u64)>,
}

/// The progress of a [`Minimising`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Node visits so far.
    pub visits: u64,
    /// Number of states of the smallest automaton that is good enough.
    pub found: Option<usize>,
    /// The sizes being tried, in order.
    pub trying: Vec<usize>,
    /// The fewest wrong examples for each size tried, in order.
    pub residuals: Vec<(usize, u64)>,
}

impl Minimising {
    /// A search on this sample for automata with at least `least` states and at most those of the settings. The
    /// smallest seed that is good enough counts as found; if none is, walkers start at the seeds.
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

    /// Continues for at least this many visits; breaks when nothing smaller is left to look for.
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

    /// Looks for other languages as small as the smallest found, for at least this many visits, or until
    /// [`MOST_RIVALS`](super::MOST_RIVALS) are known. A smaller automaton met on the way is taken as the new find.
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

    /// The smallest automaton that is good enough, minimised, or otherwise the one with the fewest errors; and its
    /// errors.
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

    /// The good languages of the smallest size found, as minimal automata: first the one found, then those of the
    /// [hunt](Minimising::hunt).
    pub fn rivals(&self) -> impl Iterator<Item = &Dfa> {
        let found = self.found.as_ref();
        let others = self.hunter.iter().flat_map(Search::rivals);
        found.into_iter().chain(others.filter(move |dfa| Some(*dfa) != found))
    }

    /// Number of node visits.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.spent + self.searches().chain(&self.hunter).map(Search::visits).sum::<u64>()
    }

    /// The current progress.
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
        // Each pass adds one more of the sizes; smaller ones are cheaper.
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
        // A pass doubles the visits of each search. A search that tries a large step is abandoned at once, and one that
        // memorises gets a quarter.
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

    /// Takes an automaton as the smallest known, and starts to look for smaller ones.
    fn take(&mut self, dfa: Dfa) {
        let size = dfa.len();
        self.found = Some(dfa);
        self.spent += self.hunter.take().map_or(0, |search| search.visits());
        // Searches from random starts continue as long as their size matters.
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

    /// Starts searches from random starts for at most this many states, and for more than the running ones.
    fn scatter(&mut self, most: usize, seeds: &[Dfa]) {
        let telling = most.min(self.telling.max(self.least));
        // Over many letters, fewer states have as many transitions.
        let first = (2 * FIRST / self.tree.letters.len().max(1)).clamp(FIRST_OF_MANY, FIRST);
        let sizes = std::iter::successors(Some(first), |size| Some(2 * size)).take_while(|&size| size < telling);
        // As long as nothing is found, memorising is better than nothing.
        let by_heart = (self.found.is_none() && telling < most).then_some(most);
        let going_on = self.fresh.iter().map(|search| search.settings().states).max().unwrap_or(0);
        let least = self.least.max(going_on + 1);
        for states in sizes.chain([telling]).chain(by_heart).filter(|&states| states >= least) {
            let search = self.begin(states, seeds);
            self.fresh.push(search);
        }
    }

    /// Starts a search from the automaton found, if anything smaller is possible.
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

    /// Saves the search.
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

    /// Resumes a search saved with [`Minimising::checkpoint`], on the same sample.
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

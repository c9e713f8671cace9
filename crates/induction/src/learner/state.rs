//! What a learner knows between two turns: everything that engines look at and that a checkpoint saves.

use std::borrow::Cow;
use std::sync::Arc;

use automata::{Dfa, Direction, Formula, Nfa, determinize};

use super::core_sample::Core;
use super::engines::{BlockRecord, Data, Examined, Outcome, Rebuilt};
use super::ledger::Ledger;
use super::{LearnError, Noise, Recording, Settings, Way};
use crate::random;
use crate::repair::Cost;
use crate::sample::Sample;
use crate::search::Minimising;
use crate::selection::{Candidate, Origin, Pool};
use crate::strings::{self, Patterns};
use crate::training::TrainError;

/// The initial guess of the noise rate.
const FIRST_GUESS: f64 = 0.05;
/// Maximum number of states of a pattern that is read from the end.
const MOST_STATES: usize = 20_000;

pub(super) struct State {
    pub(super) settings: Settings,
    pub(super) core: Core,
    /// Patterns over classes, if these are learned.
    pub(super) patterns: Option<Patterns>,
    /// Whether patterns over classes are looked for before anything slow.
    pub(super) classes_first: bool,
    /// Whether classes cannot handle the examples.
    pub(super) unreadable: bool,
    /// Whether the pattern that was found is in the pool.
    pub(super) pattern_added: bool,
    pub(super) data: Arc<Data>,
    pub(super) pool: Pool,
    pub(super) ledger: Ledger,
    /// How often it has started again with more words; part of the seeds, so that randomness differs each time.
    pub(super) round: u32,
    /// Whether merging has had all words, and not only the core.
    pub(super) merged_all: bool,
    pub(super) search: Option<Box<Minimising>>,
    /// Whether search has nothing left to find, or cannot run.
    pub(super) search_is_over: bool,
    /// The answer whose rivals were last searched for.
    pub(super) hunted: Option<Dfa>,
    /// The answer that each half of the words predicts for the other half.
    pub(super) predicted: Option<Dfa>,
    /// Formulas that explain a part of the labels for certain.
    pub(super) narrowings: Vec<Formula>,
    /// What merging by how words go on has done.
    pub(super) rebuilt: Rebuilt,
    /// Whether the solver has looked for the smallest automaton,
    pub(super) solved: bool,
    /// and what it said about the last answer that it was asked about.
    pub(super) examined: Option<Examined>,
    /// Whether the smallest automata were all listed, if that was tried.
    pub(super) listed: Option<bool>,
    /// Why the model cannot be trained on these examples, if that was tried.
    pub(super) untrainable: Option<TrainError>,
    pub(super) recording: Recording,
    pub(super) records: Vec<BlockRecord>,
}

impl State {
    /// Knows only the examples, in reading direction.
    pub(super) fn new(whole: Arc<Sample>, settings: Settings, patterns: Option<Patterns>) -> Self {
        let classes_first = strings::names_pay(whole.alphabet());
        let core = Core::of(whole);
        let data = Arc::new(core.data().with_strings(patterns.as_ref().map(Patterns::strings)));
        let mut state = Self {
            settings,
            core,
            patterns,
            classes_first,
            unreadable: false,
            pattern_added: false,
            data,
            pool: Pool::new(None),
            ledger: Ledger::default(),
            round: 0,
            merged_all: false,
            search: None,
            search_is_over: false,
            hunted: None,
            predicted: None,
            narrowings: Vec::new(),
            rebuilt: Rebuilt::default(),
            solved: false,
            examined: None,
            listed: None,
            untrainable: None,
            recording: Recording::default(),
            records: Vec::new(),
        };
        state.pool = state.empty_pool();
        state.add_the_obvious();
        state
    }

    /// An empty pool for candidates scored on the current core.
    pub(super) fn empty_pool(&self) -> Pool {
        Pool::new((self.settings.noise != Noise::None).then(|| self.data.jury.words()))
    }

    /// Adds the languages of all words and of none, and the caller's grammar, so that there is an answer at any time.
    fn add_the_obvious(&mut self) {
        let sample = &self.data.jury;
        for everything in [false, true] {
            let constant = Dfa::constant(sample.alphabet().clone(), everything);
            let candidate = Candidate::from_dfa(&constant, sample, Origin::Trivial);
            self.pool.add(Candidate { finds: 0, ..candidate });
        }
        if let Some(given) = &self.settings.start_from {
            let given = match self.settings.direction {
                Direction::Left => given.clone(),
                Direction::Right => given.reversed(),
            };
            if let Some(candidate) = Candidate::new(&given, sample, Origin::Given) {
                self.pool.add(Candidate { finds: 0, ..candidate });
            }
        }
    }

    /// Takes in the outcome of a job.
    pub(super) fn take(&mut self, outcome: Outcome) -> Result<(), LearnError> {
        self.ledger.add(outcome.spent);
        self.records.extend(outcome.training);
        self.search = outcome.search.or(self.search.take());
        outcome.candidates.into_iter().for_each(|candidate| self.pool.add(candidate));
        match outcome.error {
            // Other engines may still find something.
            Some(error @ TrainError::OutOfReach { .. }) => self.untrainable = Some(error),
            Some(error) => return Err(error.into()),
            None => {}
        }
        Ok(())
    }

    /// After a change of the core, scores all candidates again; their finds no longer count.
    pub(super) fn begin_again(&mut self) {
        self.data = Arc::new(self.core.data().with_strings(self.patterns.as_ref().map(Patterns::strings)));
        let empty = self.empty_pool();
        let before = std::mem::replace(&mut self.pool, empty);
        for candidate in before.into_candidates() {
            self.pool.add(Candidate { finds: 0, ..candidate.judged(&self.data.jury) });
        }
        self.pattern_added = false;
        self.narrowings.clear();
        self.round += 1;
        (self.hunted, self.predicted, self.search, self.search_is_over) = (None, None, None, false);
        (self.solved, self.examined, self.listed, self.rebuilt) = (false, None, None, Rebuilt::default());
    }

    /// Reads the strings to find patterns in, if that was not done yet.
    pub(super) fn read_strings(&mut self) {
        if self.patterns.is_some() {
            return;
        }
        let given = match (self.is_backward(), self.core.whole().asked()) {
            (false, []) => Arc::clone(self.core.whole()),
            // Words that were asked about are told.
            _ => Arc::new(self.sample_as_written().given()),
        };
        match Patterns::new(given, &self.settings.ways()) {
            Ok(patterns) => {
                self.data = Arc::new(self.core.data().with_strings(Some(patterns.strings())));
                self.patterns = Some(patterns);
            }
            Err(_) => self.unreadable = true,
        }
    }

    /// Tells the patterns all words that were asked about.
    pub(super) fn tell_patterns(&mut self) {
        let sample = self.sample_as_written().into_owned();
        let Some(patterns) = &mut self.patterns else { return };
        let asked = sample.rows().filter(|(word, _)| sample.is_asked(word));
        asked.for_each(|(word, counts)| patterns.tell(word, counts.accepted > counts.rejected));
        self.data = Arc::new(self.core.data().with_strings(Some(patterns.strings())));
    }

    /// Once patterns are found, the best of them joins the pool, as the language that it has over the letters of the examples.
    pub(super) fn add_pattern(&mut self) -> Result<(), LearnError> {
        let Some(patterns) = self.patterns.as_ref().filter(|patterns| patterns.is_done()) else { return Ok(()) };
        if std::mem::replace(&mut self.pattern_added, true) {
            return Ok(());
        }
        let (bits, dfa) = match patterns.description(&self.sample_as_written()) {
            Err(error) if self.settings.way == Way::Classes => return Err(error.into()),
            Err(_) | Ok(None) => return Ok(()),
            Ok(Some(description)) => description,
        };
        let dfa = dfa.within(self.data.jury.alphabet());
        let read = match self.is_backward() {
            false => Some(dfa),
            true => determinize(&Nfa::from(&dfa).reversed(), MOST_STATES).ok(),
        };
        if let Some(dfa) = read {
            self.pool.add(Candidate { finds: 0, ..Candidate::from_pattern(&dfa, bits, &self.data.jury) });
        }
        Ok(())
    }

    /// Whether the best answer so far is a pattern over classes.
    pub(super) fn is_pattern(&self) -> bool {
        let is_best = || self.settings.way == Way::Classes || self.pool.best().is_some_and(|best| best.pattern);
        self.patterns.as_ref().is_some_and(Patterns::is_done) && is_best()
    }

    /// Whether words are read from the end.
    pub(super) fn is_backward(&self) -> bool {
        self.settings.direction == Direction::Right
    }

    /// All examples in their original direction.
    pub(super) fn sample_as_written(&self) -> Cow<'_, Sample> {
        match self.is_backward() {
            false => Cow::Borrowed(self.core.whole()),
            true => Cow::Owned(self.core.whole().reversed()),
        }
    }

    /// Whether engines see only some of the words.
    pub(super) fn is_core(&self) -> bool {
        self.core.picked().is_some()
    }

    /// Answers that were found or given, best first.
    pub(super) fn known(&self) -> impl Iterator<Item = &Candidate> {
        self.pool.candidates().iter().filter(|known| known.origin != Origin::Trivial)
    }

    /// The best answer, if it agrees with every example and its rivals were not searched for yet. Exceptions have countless
    /// neighbours, which say nothing about the formula.
    pub(super) fn unchallenged_best(&self) -> Option<&Candidate> {
        let is_open = |best: &&Candidate| self.hunted.as_ref() != Some(&best.dfa) && !best.has_exceptions();
        self.pool.best().filter(|best| best.errors == 0).filter(is_open)
    }

    /// Whether each half of the words predicts the labels of the other half as the best answer has them.
    pub(super) fn is_predicted(&self) -> bool {
        self.pool.best().is_some_and(|best| self.predicted.as_ref() == Some(&best.dfa))
    }

    /// The best answer, if it agrees with every example and the solver was not asked about it yet.
    pub(super) fn unproved_best(&self) -> Option<&Candidate> {
        let is_new = |best: &Candidate| self.examined.as_ref().is_none_or(|examined| examined.dfa != best.dfa);
        self.pool.best().filter(|best| best.errors == 0 && is_new(best))
    }

    /// What the solver said about the best answer.
    pub(super) fn examined_best(&self) -> Option<&Examined> {
        let best = self.pool.best()?;
        self.examined.as_ref().filter(|examined| examined.dfa == best.dfa)
    }

    /// The model reads at least one letter.
    pub(super) fn restarts_left(&self) -> u64 {
        match self.data.sample.entries().is_empty() || self.untrainable.is_some() {
            true => 0,
            false => self.ledger.restarts_left(&self.settings),
        }
    }

    /// Search does not support noise.
    pub(super) fn visits_left(&self) -> u64 {
        match self.search_is_over || self.settings.noise != Noise::None {
            true => 0,
            false => self.ledger.visits_left(&self.settings),
        }
    }

    /// The assumed noise rate, if labels may be wrong.
    pub(super) fn noise_rate(&self) -> Option<f64> {
        match self.settings.noise {
            Noise::None => None,
            Noise::Rate(rate) => Some(rate),
            // The error rate of the best answer, if there is one.
            Noise::Auto => {
                let words = self.data.jury.words().max(1) as f64;
                let best = self.pool.best().filter(|best| best.origin != Origin::Trivial);
                Some(best.map_or(FIRST_GUESS, |best| (best.wrong_words as f64 / words).max(1.0 / words).min(0.25)))
            }
        }
    }

    /// Costs of errors and productions for repair and for pruning.
    pub(super) fn costs(&self) -> (Cost, Cost) {
        match self.noise_rate() {
            None => (Cost::Errors, Cost::Exact),
            Some(rate) => {
                let cost = Cost::Bits(libm::log2((1.0 - rate) / rate));
                (cost, cost)
            }
        }
    }

    /// A seed for the item with this number and kind.
    pub(super) fn seed_of(&self, kind: u64, number: u64) -> u64 {
        use rand_core::Rng;
        random::stream(self.settings.seed, kind << 48 | number).next_u64()
    }
}

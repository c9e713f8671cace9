//! The learner: from a sample to an answer that is checked, and says what the examples leave open.
//!
//! Three engines under one roof go on from what the others found, and their answers meet in one [`Pool`]:
//!
//! ```text
//!            ┌─ merging   milliseconds; strong where short words abound
//!   Sample ──┼─ neural    blocks of restarts, both shapes, read, mended, pruned ──► Pool ──► rivals ──► Induced
//!            └─ search    grammars and small automata, annealed; strong on dense languages
//! ```
//!
//! The work is a fixed sequence of *stages*. Each is a function of the sample, the settings, its number and the pool, and
//! its jobs are independent and gathered in order: so the answer is the same at any number of threads, and a learner that
//! was cut between two stages goes on from a checkpoint as if it had not been. After each stage it is asked whether the
//! best answer is *settled*: it gets every example right, was found often enough independently, or nothing better was
//! for several stages, and its rivals were looked for.
//!
//! A large sample is learned from a *core* of some thousand words; the answer is held against all of them, and what it
//! gets wrong joins the core.

mod checkpoint;
mod core_sample;
mod exact;
mod induced;
mod neural;
mod rivals;
mod settings;
mod stages;
mod undecided;
mod watch;

use automata::formats::abbadingo::Label;
use automata::{Direction, Word};

pub use checkpoint::ResumeError;
pub use induced::{Alternative, Induced, Suspect};
pub use settings::{Engine, Noise, PAPER_STEP_CAP, Settings, Shapes, paper_steps};
pub use undecided::Undecided;
pub use watch::{Progress, Spent, Watch};

use crate::certificate::certify;
use crate::sample::{Counts, Sample, SampleError};
use crate::search::BITS_PER_WORD;
use crate::selection::{Candidate, Origin, Pool};
use crate::training::TrainError;
use core_sample::Core;

/// Why a learner looks no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The answer is settled.
    Settled,
    /// The engine did all that it does.
    Finished,
    /// The budget is used up.
    Budget,
    /// It was stopped from outside, as by a limit of time.
    Cut,
}

/// Why nothing can be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// No word is accepted, or none is rejected.
    #[error(
        "all {words} words are {label}: some that are {missing} are needed too, or {everything} would be as good an answer as any"
    )]
    OneLabel {
        /// How many there are.
        words: u64,
        /// How all are labelled.
        label: &'static str,
        /// How none is.
        missing: &'static str,
        /// What could not be excluded.
        everything: &'static str,
    },
    /// The rate of noise is no rate.
    #[error("the rate of noise is {rate}, but must be above 0 and below 0.5")]
    NoiseRate {
        /// What was given.
        rate: f64,
    },
    /// Search does not tolerate noise.
    #[error("search alone cannot learn from labels that may be wrong: the other engines can")]
    NoisySearch,
    /// Nor does the solver.
    #[error("sat cannot learn from labels that may be wrong: the other engines can")]
    NoisySat,
    /// The solver finds the smallest automaton that reads words from the left.
    #[error(
        "the solver finds the smallest automaton for words read from the left: other engines give right-regular grammars"
    )]
    BackwardSat,
    /// The model cannot be trained so.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The threads cannot be started.
    #[error("this machine cannot start {threads} threads")]
    Threads {
        /// How many were asked for.
        threads: usize,
    },
}

/// A learner at work.
#[derive(Debug)]
pub struct Learner {
    settings: Settings,
    /// All examples, in the order in which they are read.
    whole: Sample,
    /// What the engines see.
    core: Core,
    pool: Pool,
    spent: Spent,
    /// What had been spent when words were last added: each time the budget begins anew.
    spent_before: Spent,
    /// How many stages were run since.
    stage: u32,
    /// Whether the core has grown.
    grown: bool,
    /// For how many stages the best answer has stayed the same.
    unchallenged: u32,
    /// How many nodes search had visited when the best answer became the best.
    visits_then: u64,
    /// The answer whose rivals were looked for last.
    hunted: Option<automata::Dfa>,
    search: Option<crate::search::Minimising>,
    /// Whether search has nothing left to look for, or cannot look.
    search_is_over: bool,
    /// How often it has begun again with more words, so that chance is another each time.
    round: u32,
    workers: rayon::ThreadPool,
}

impl Learner {
    /// A learner that has not begun, on so many threads.
    pub fn new(sample: Sample, settings: Settings, threads: usize) -> Result<Self, LearnError> {
        if let Noise::Rate(rate) = settings.noise
            && !(rate > 0.0 && rate < 0.5)
        {
            return Err(LearnError::NoiseRate { rate });
        }
        if settings.engine == Engine::Search && settings.noise != Noise::None {
            return Err(LearnError::NoisySearch);
        }
        if settings.engine == Engine::Sat && settings.noise != Noise::None {
            return Err(LearnError::NoisySat);
        }
        if settings.engine == Engine::Sat && settings.direction == Direction::Right {
            return Err(LearnError::BackwardSat);
        }
        one_label(&sample)?;
        let whole = match settings.direction {
            Direction::Left => sample,
            Direction::Right => sample.reversed(),
        };
        let core = Core::of(&whole);
        let workers = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let workers = workers.map_err(|_| LearnError::Threads { threads })?;
        let mut learner = Self {
            settings,
            whole,
            core,
            pool: Pool::new(None),
            spent: Spent::default(),
            spent_before: Spent::default(),
            stage: 0,
            grown: false,
            unchallenged: 0,
            visits_then: 0,
            hunted: None,
            search: None,
            search_is_over: false,
            round: 0,
            workers,
        };
        learner.pool = learner.empty_pool();
        learner.add_the_obvious();
        Ok(learner)
    }

    /// Where candidates go, judged by the core as it is now.
    fn empty_pool(&self) -> Pool {
        Pool::new((self.settings.noise != Noise::None).then(|| self.core.jury().words()))
    }

    /// Everything, nothing, and what the caller knows: so that there is an answer at any time.
    fn add_the_obvious(&mut self) {
        let sample = self.core.jury();
        for everything in [false, true] {
            let constant = automata::Dfa::constant(sample.alphabet().clone(), everything);
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

    /// Runs the next stage, and says whether that was the last.
    pub fn advance(&mut self, watch: &dyn Watch) -> Result<Option<StopReason>, LearnError> {
        if watch.stopped() {
            return Ok(Some(StopReason::Cut));
        }
        let mut next = self.next_stage();
        while let Some(stage) = next
            && self.is_idle(stage)
        {
            self.stage += 1;
            next = self.next_stage();
        }
        let Some(stage) = next else {
            self.hunt(watch);
            return Ok(Some(match self.settings.engine {
                Engine::Rpni | Engine::Edsm | Engine::Paper => StopReason::Finished,
                Engine::Sat if self.pool.consistent().next().is_some() => StopReason::Finished,
                Engine::Sat => StopReason::Budget,
                Engine::Auto | Engine::Neural | Engine::Search => StopReason::Budget,
            }));
        };
        let before = self.pool.best().map(|best| best.dfa.clone());
        self.run_stage(stage, watch)?;
        self.stage += 1;
        if watch.stopped() {
            return Ok(Some(StopReason::Cut));
        }
        let same = self.pool.best().map(|best| &best.dfa) == before.as_ref();
        self.unchallenged = if same { self.unchallenged + 1 } else { 0 };
        self.visits_then = if same { self.visits_then } else { self.spent.visits };
        // What a core does not show is soon found among the rest: there is no need to be sure of an answer first.
        if self.learn_from_the_rest() || !self.is_settled() {
            return Ok(None);
        }
        self.hunt(watch);
        if self.learn_from_the_rest() || !self.is_settled() {
            return Ok(None);
        }
        Ok(Some(StopReason::Settled))
    }

    /// Runs stages until there is a reason to stop.
    pub fn learn(&mut self, watch: &dyn Watch) -> Result<StopReason, LearnError> {
        loop {
            if let Some(reason) = self.advance(watch)? {
                return Ok(reason);
            }
        }
    }

    /// Runs stages until there is a word worth asking about, which is no reason to stop, or until there is one.
    pub fn learn_until_divided(&mut self, watch: &dyn Watch) -> Result<Option<StopReason>, LearnError> {
        loop {
            let reason = self.advance(watch)?;
            if reason.is_some() || self.is_divided() {
                return Ok(reason);
            }
        }
    }

    /// Whether every engine had a turn and their answers differ, so that a word would be worth asking about: there is no
    /// need to be sure of an answer first.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        let had_their_turns =
            self.settings.engine == Engine::Auto && self.stage >= stages::FIRST_TURNS + u32::from(self.grown);
        had_their_turns && self.pool.best().is_some_and(|best| best.errors == 0) && !self.undecided().is_empty()
    }

    /// Whether the best answer is one to stay with.
    fn is_settled(&self) -> bool {
        let Some(best) = self.pool.best() else { return false };
        let good = match self.settings.noise {
            Noise::None => best.errors == 0,
            // What is wrong with noisy labels cannot be known; it can only stay the best.
            Noise::Rate(_) | Noise::Auto => best.origin != Origin::Trivial,
        };
        // What gets thousands of words right that it was not learned from needs no other confirmation.
        let others = self.core.jury().words().saturating_sub(self.core.sample().words());
        let confirmed = others >= ENOUGH_OTHERS && best.errors == 0;
        good && (confirmed || best.finds >= ENOUGH_FINDS || self.is_unchallenged())
    }

    /// Whether the best answer has been the best for so long that nothing better is to be expected.
    fn is_unchallenged(&self) -> bool {
        let nodes = self.core.sample().parents().len() as u64;
        let enough = (self.settings.visits / ENOUGH_OF_SEARCH).min(ENOUGH_A_NODE * nodes);
        let searched = self.spent.visits - self.visits_then >= enough;
        self.unchallenged >= ENOUGH_STAGES
            && match self.settings.engine {
                Engine::Auto | Engine::Search if self.is_by_heart() => false,
                Engine::Auto => (searched || self.settings.noise != Noise::None) && self.is_modelled(),
                Engine::Search => searched || self.settings.noise != Noise::None,
                Engine::Neural | Engine::Rpni | Engine::Edsm | Engine::Sat | Engine::Paper => true,
            }
    }

    /// Whether there are many labels and the best answer takes about as long to tell as they do: it explains nothing, so
    /// something shorter is worth the whole budget.
    fn is_by_heart(&self) -> bool {
        let words = self.core.sample().words();
        let telling = BITS_PER_WORD * words as f64;
        let tells = |best: &Candidate| self.settings.noise == Noise::None && best.bits > telling;
        words >= MANY_WORDS && self.pool.best().is_some_and(tells)
    }

    /// Whether the model found the best answer, or had half of its restarts to find a better one: it begins with sizes
    /// that may be too small for the language, where merging comes to some answer whatever its size.
    fn is_modelled(&self) -> bool {
        let by_model = |best: &Candidate| matches!(best.origin, Origin::Neural | Origin::Repaired);
        let used = self.spent.restarts - self.spent_before.restarts;
        self.pool.best().is_some_and(by_model) || used >= self.settings.restarts / 2
    }

    /// Looks for rivals of the best answer, and of what takes its place.
    fn hunt(&mut self, watch: &dyn Watch) {
        let mut hunts = 0;
        while let Some(best) = self.pool.best()
            && best.errors == 0
            && self.hunted.as_ref() != Some(&best.dfa)
            && !watch.stopped()
            && hunts < HUNTS
        {
            hunts += 1;
            self.report("rivals", watch);
            let dfa = best.dfa.clone();
            let rivals =
                if dfa.len() <= MOST_HUNTED { rivals::rivals(&dfa, self.core.sample(), RIVALS) } else { Vec::new() };
            for rival in rivals {
                let candidate = Candidate::from_dfa(&rival, self.core.jury(), Origin::Rival);
                self.pool.add(Candidate { finds: 0, ..candidate });
            }
            self.hunted = Some(dfa);
        }
    }

    /// Holds the best answer against all examples; if some of those outside the core are wrong, they join it.
    fn learn_from_the_rest(&mut self) -> bool {
        let Some(best) = self.pool.best() else { return false };
        let is_answer = self.settings.noise == Noise::None && best.origin != Origin::Trivial;
        if !is_answer || !self.core.grow(&self.whole, &best.dfa) {
            return false;
        }
        self.grown = true;
        self.begin_again();
        true
    }

    /// The core has changed: all candidates are judged by it as it is now, and must be found again to count as found.
    fn begin_again(&mut self) {
        let empty = self.empty_pool();
        let before = std::mem::replace(&mut self.pool, empty);
        for candidate in before.into_candidates() {
            self.pool.add(Candidate { finds: 0, ..candidate.judged(self.core.jury()) });
        }
        (self.stage, self.round) = (0, self.round + 1);
        (self.hunted, self.unchallenged, self.visits_then) = (None, 0, self.spent.visits);
        (self.search, self.search_is_over) = (None, false);
    }

    /// Adds labelled words and goes on from where it was: what was found stays, as far as it agrees with them.
    pub fn tell(&mut self, words: &[(Word, Label)]) -> Result<(), SampleError> {
        let counted = words.iter().filter_map(|(word, label)| {
            let counts = match label {
                Label::Accepted => Counts { accepted: 1, rejected: 0 },
                Label::Rejected => Counts { accepted: 0, rejected: 1 },
                Label::Unlabelled => return None,
            };
            let word = match self.settings.direction {
                Direction::Left => word.clone(),
                Direction::Right => word.reversed(),
            };
            Some((word, counts))
        });
        let counted: Vec<(Word, Counts)> = counted.collect();
        let noise = self.settings.noise != Noise::None;
        self.whole = self.whole.and(&counted, noise)?;
        self.core.and(&self.whole, &counted)?;
        self.spent_before = self.spent;
        self.begin_again();
        Ok(())
    }

    fn report(&self, engine: &'static str, watch: &dyn Watch) {
        watch.progress(&Progress {
            engine,
            restarts: self.spent.restarts,
            visits: self.spent.visits,
            fewest_errors: self.pool.best().map(|best| best.errors),
            consistent: self.pool.consistent().count(),
            finds: self.pool.best().map_or(0, |best| best.finds),
        });
    }

    /// The answer as it is now.
    #[must_use]
    pub fn induced(&self, reason: StopReason) -> Induced {
        Induced::of(self, reason)
    }

    /// All examples as they are written, those told later among them.
    #[must_use]
    pub fn into_sample(self) -> Sample {
        match self.settings.direction {
            Direction::Left => self.whole,
            Direction::Right => self.whole.reversed(),
        }
    }

    /// The candidates, as languages of the words as they are read.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// What has been done.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.spent
    }
}

/// An answer that was found so often independently is settled.
const ENOUGH_FINDS: u32 = 4;
/// Or one that gets so many words right that it was not learned from.
const ENOUGH_OTHERS: u64 = 1_000;
/// Or one that was the best for so many stages.
const ENOUGH_STAGES: u32 = 4;
/// And while search used one part of so many of its budget.
const ENOUGH_OF_SEARCH: u64 = 15;
/// Or visited each node so often: a few words leave little to search, and it is better to ask.
const ENOUGH_A_NODE: u64 = 200_000;
/// So many words should say something shorter than themselves.
const MANY_WORDS: u64 = 100;
/// How often in a row a rival may take the place of the best and be hunted itself.
const HUNTS: u32 = 8;
/// How many rivals are kept.
const RIVALS: usize = 24;
/// Automata of more states have too many neighbours to look at.
const MOST_HUNTED: usize = 200;

/// Refuses a sample from which everything or nothing would follow.
fn one_label(sample: &Sample) -> Result<(), LearnError> {
    let (accepted, rejected) = sample.rows().fold((false, false), |(accepted, rejected), (_, counts)| {
        (accepted || counts.accepted > 0, rejected || counts.rejected > 0)
    });
    let words = sample.words();
    match (accepted, rejected) {
        (true, true) => Ok(()),
        (true, false) => Err(LearnError::OneLabel {
            words,
            label: "accepted",
            missing: "rejected",
            everything: "the language of all words",
        }),
        (false, true) => Err(LearnError::OneLabel {
            words,
            label: "rejected",
            missing: "accepted",
            everything: "the language of no word",
        }),
        (false, false) => Err(LearnError::Train(TrainError::NoWords)),
    }
}

//! The schedule: which engine has a turn when. [`schedule`] is the only place that looks at which engine was requested.

use super::engines::{
    self, EDSM, EXPRESS, Engine, FACTS, FACTS_ALONE, MERGE_OFTEN, MERGE_ONCE, MERGE_WIDELY, MODEL_DFA, MODEL_NFA,
    NARROW, PAPER, PRODUCTIONS, PROVE, PRUNE, RPNI, SEARCH, SOLVER, STRINGS, STRINGS_FIRST, WALK,
};
use super::{LearnError, Settings, StopReason, Way};
use crate::sample::Sample;

/// A schedule: the order of turns, and which candidate is the answer.
pub(super) struct Schedule {
    /// The first turns, in order,
    pub(super) first: &'static [&'static dyn Engine],
    /// and the turns that repeat until the answer is settled or the budget is spent.
    pub(super) then: &'static [&'static dyn Engine],
    /// After this many turns every engine has had one. If their answers differ then, it is time to ask.
    pub(super) asks_after: Option<u32>,
    /// Which engines must fail to find something better before an answer is settled.
    pub(super) patience: Patience,
    /// Which candidate is the answer.
    pub(super) answer: Choice,
    /// The reason to stop when no turn is left.
    pub(super) end: StopReason,
    /// Whether it learns from accepted words alone.
    pub(super) from_accepted: bool,
}

/// Which engines must fail to find something better before an answer is settled.
pub(super) struct Patience {
    pub(super) search: bool,
    pub(super) model: bool,
}

/// Which candidate is the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// The shortest description.
    Shortest,
    /// What the engine itself found, even if a rival is shorter or a trivial language has fewer errors.
    Own,
    /// The fewest states, even if a larger automaton has the shorter description.
    Smallest,
}

// What is quick comes first: it says how short a formula must be to be worth a search.
const TOGETHER: [&dyn Engine; 15] = [
    &MERGE_ONCE,
    &WALK,
    &FACTS,
    &WALK,
    &MERGE_OFTEN,
    &PRUNE,
    &EXPRESS,
    &MODEL_NFA,
    &PROVE,
    &WALK,
    &MODEL_DFA,
    &NARROW,
    &PRODUCTIONS,
    &MERGE_WIDELY,
    &STRINGS,
];

const AUTO: Schedule = Schedule {
    first: &TOGETHER,
    then: &[&SEARCH, &MODEL_NFA, &SEARCH, &PRODUCTIONS, &MODEL_DFA, &WALK],
    asks_after: Some(13),
    patience: Patience { search: true, model: true },
    answer: Choice::Shortest,
    end: StopReason::Budget,
    from_accepted: false,
};

// A core suits the model; search is slow on long words over many letters, so it comes last.
// Whoever is right about all other words first is confirmed, so formulas, which are shorter than automata, come before these.
const AUTO_FROM_CORE: Schedule = Schedule {
    first: &[
        &FACTS,
        &WALK,
        &WALK,
        &MERGE_OFTEN,
        &PRUNE,
        &EXPRESS,
        &MODEL_NFA,
        &PROVE,
        &WALK,
        &MODEL_DFA,
        &NARROW,
        &PRODUCTIONS,
        &MERGE_WIDELY,
        &STRINGS,
    ],
    then: &[&WALK, &MODEL_NFA, &MODEL_DFA, &PRODUCTIONS, &SEARCH],
    asks_after: Some(12),
    ..AUTO
};

// Repair what was nearly right on a smaller core before starting afresh.
const AUTO_FROM_GROWN_CORE: Schedule = Schedule {
    first: &[
        &FACTS,
        &PRUNE,
        &WALK,
        &WALK,
        &MERGE_OFTEN,
        &PRUNE,
        &EXPRESS,
        &MODEL_NFA,
        &PROVE,
        &WALK,
        &MODEL_DFA,
        &NARROW,
        &PRODUCTIONS,
        &MERGE_WIDELY,
        &STRINGS,
    ],
    asks_after: Some(13),
    ..AUTO_FROM_CORE
};

// Where the name of a class is shorter than the letters that it stands for, patterns come before anything slow. Only what
// explains the labels already is put to the model and the solver first: a proof ends the search.
const CLASSES_FIRST: Schedule = Schedule {
    first: &[
        &MERGE_ONCE,
        &WALK,
        &FACTS,
        &WALK,
        &STRINGS_FIRST,
        &MERGE_OFTEN,
        &PRUNE,
        &EXPRESS,
        &MODEL_NFA,
        &PROVE,
        &WALK,
        &MODEL_DFA,
        &NARROW,
        &STRINGS,
        &PRODUCTIONS,
        &MERGE_WIDELY,
    ],
    asks_after: Some(15),
    ..AUTO
};

const CLASSES_FIRST_FROM_CORE: Schedule = Schedule {
    first: &[
        &MERGE_ONCE,
        &FACTS,
        &WALK,
        &WALK,
        &STRINGS_FIRST,
        &MERGE_OFTEN,
        &PRUNE,
        &EXPRESS,
        &MODEL_NFA,
        &PROVE,
        &WALK,
        &MODEL_DFA,
        &NARROW,
        &STRINGS,
        &PRODUCTIONS,
        &MERGE_WIDELY,
    ],
    then: AUTO_FROM_CORE.then,
    ..CLASSES_FIRST
};

const NEURAL: Schedule = Schedule {
    first: &[],
    then: &[&MODEL_NFA, &MODEL_DFA],
    asks_after: None,
    patience: Patience { search: false, model: false },
    answer: Choice::Shortest,
    end: StopReason::Budget,
    from_accepted: false,
};

const SEARCHING: Schedule =
    Schedule { then: &[&PRODUCTIONS, &SEARCH], patience: Patience { search: true, model: false }, ..NEURAL };

/// One turn of one engine.
const fn once(first: &'static [&'static dyn Engine], answer: Choice) -> Schedule {
    Schedule { first, then: &[], answer, end: StopReason::Finished, ..NEURAL }
}

const ONE_RPNI: Schedule = once(&[&RPNI], Choice::Own);
const ONE_EDSM: Schedule = once(&[&EDSM], Choice::Own);
const ONE_PAPER: Schedule = once(&[&PAPER], Choice::Own);
const ONE_SOLVER: Schedule = once(&[&SOLVER], Choice::Smallest);
// Facts that never occur, and how words go on, say something without rejected words.
const ONE_FACTS: Schedule = Schedule { from_accepted: true, ..once(&[&FACTS_ALONE], Choice::Shortest) };
const ONE_WALKS: Schedule = Schedule { from_accepted: true, ..once(&[&WALK, &WALK, &WALK], Choice::Shortest) };
const ONE_STRINGS: Schedule = once(&[&STRINGS], Choice::Shortest);

/// Whether this engine alone learns from accepted words alone.
pub(super) fn learns_from_accepted(engine: super::settings::Engine) -> bool {
    schedule(&Settings { engine, ..Settings::default() }, false, false, false).from_accepted
}

/// The schedule for these settings.
pub(super) fn schedule(settings: &Settings, classes_first: bool, from_core: bool, grown: bool) -> &'static Schedule {
    use super::settings::Engine as Asked;
    match settings.engine {
        Asked::Auto if settings.way == Way::Classes => &ONE_STRINGS,
        Asked::Auto if grown => &AUTO_FROM_GROWN_CORE,
        Asked::Auto if classes_first && from_core => &CLASSES_FIRST_FROM_CORE,
        Asked::Auto if classes_first => &CLASSES_FIRST,
        Asked::Auto if from_core => &AUTO_FROM_CORE,
        Asked::Auto => &AUTO,
        Asked::Neural => &NEURAL,
        Asked::Search => &SEARCHING,
        Asked::Rpni => &ONE_RPNI,
        Asked::Edsm => &ONE_EDSM,
        Asked::Sat => &ONE_SOLVER,
        Asked::Facts => &ONE_FACTS,
        Asked::Walks => &ONE_WALKS,
        Asked::Paper => &ONE_PAPER,
    }
}

impl Schedule {
    /// The engine of a turn, and how many turns it has had before.
    pub(super) fn turn(&self, number: u32) -> Option<(&'static dyn Engine, u32)> {
        let at = |i: usize| match i.checked_sub(self.first.len()) {
            None => Some(self.first[i]),
            Some(_) if self.then.is_empty() => None,
            Some(later) => Some(self.then[later % self.then.len()]),
        };
        let engine = at(number as usize)?;
        let had = (0..number as usize).filter_map(at).filter(|other| engines::is_same(*other, engine)).count();
        Some((engine, had as u32))
    }

    /// Checks that some engine supports the settings and the words; others may be unsupported.
    pub(super) fn check(&self, settings: &Settings, sample: &Sample) -> Result<(), LearnError> {
        let engines = self.first.iter().chain(self.then);
        let mut refused = None;
        for engine in engines {
            match engine.supports(settings).and_then(|()| engine.reads(sample)) {
                Ok(()) => return Ok(()),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        refused.map_or(Ok(()), Err)
    }
}

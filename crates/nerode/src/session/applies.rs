//! Which engine reads which option: the one table that all front ends share. An option that the chosen engine does not read
//! is an error, since whoever gives one expects that it changes something.
//!
//! Options that every engine reads have no row: the seed, questions and proofs.

use induction::learner::Engine::{self, Auto, Edsm, Facts, Neural, Paper, Rpni, Sat, Search, Walks};
use induction::learner::{Noise, Shapes};

use crate::Error;
use crate::error::bail;
use crate::options::{Classes, Options, Side};

/// An option and who reads it.
struct Row {
    /// As typed on the command line.
    name: &'static str,
    /// Whether it differs from the default.
    is_given: fn(&Options) -> bool,
    /// Sets it to the default; none for what is said about the examples, which is never dropped.
    clear: Option<fn(&mut Options)>,
    /// The engines that read it.
    read_by: &'static [Engine],
    over: Over,
}

/// What an option says about letters and classes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    /// It sets up an engine that works letter by letter; whoever gives it wants to see that engine at work.
    LettersOnly,
    /// Only engines that work letter by letter read it.
    Letters,
    /// It also applies to patterns over classes.
    Both,
}

/// Only trainings are recorded.
const FRAMES: Row = Row {
    name: "--progress-frames",
    is_given: |options| options.record.frames > 0,
    clear: Some(|options| options.record.frames = 0),
    read_by: &[Auto, Neural, Paper],
    over: Over::Letters,
};

const TABLE: [Row; 11] = [
    Row {
        name: "--classes",
        is_given: |options| matches!(options.classes, Classes::Given(_)),
        clear: None,
        read_by: &[Auto],
        over: Over::Both,
    },
    Row {
        name: "--shape",
        is_given: |options| options.shapes != Shapes::Both,
        clear: Some(|options| options.shapes = Shapes::Both),
        read_by: &[Auto, Neural],
        over: Over::LettersOnly,
    },
    Row {
        name: "--nonterminals",
        is_given: |options| options.nonterminals.is_some(),
        clear: Some(|options| options.nonterminals = None),
        read_by: &[Auto, Neural, Search, Paper],
        over: Over::LettersOnly,
    },
    Row {
        name: "--restarts",
        is_given: |options| options.restarts.is_some(),
        clear: Some(|options| options.restarts = None),
        read_by: &[Auto, Neural],
        over: Over::LettersOnly,
    },
    Row {
        name: "--steps",
        is_given: |options| options.steps.is_some(),
        clear: Some(|options| options.steps = None),
        read_by: &[Auto, Neural, Paper],
        over: Over::LettersOnly,
    },
    Row {
        name: "--moves",
        is_given: |options| options.moves.is_some(),
        clear: Some(|options| options.moves = None),
        read_by: &[Auto, Search, Walks],
        over: Over::LettersOnly,
    },
    // The others begin with nothing, or with the examples.
    Row {
        name: "--start-from",
        is_given: |options| options.start_from.is_some(),
        clear: Some(|options| options.start_from = None),
        read_by: &[Auto, Neural, Search, Walks],
        over: Over::LettersOnly,
    },
    // A proof also reads it, whoever found the answer.
    Row {
        name: "--conflicts",
        is_given: |options| options.conflicts.is_some() && !options.prove,
        clear: Some(|options| options.conflicts = None),
        read_by: &[Auto, Sat],
        over: Over::Letters,
    },
    FRAMES,
    Row {
        name: "--noise",
        is_given: |options| options.noise != Noise::None,
        clear: None,
        read_by: &[Auto, Neural, Rpni, Edsm, Facts],
        over: Over::Both,
    },
    // The solver minimises automata that read from the left.
    Row {
        name: "--direction right",
        is_given: |options| options.direction == Side::Right,
        clear: None,
        read_by: &[Auto, Neural, Search, Rpni, Edsm, Facts, Walks, Paper],
        over: Over::Both,
    },
];

impl Row {
    fn applies_to(&self, options: &Options) -> bool {
        let over_classes = self.over == Over::Both || !matches!(options.classes, Classes::Given(_));
        self.read_by.contains(&options.learner) && over_classes
    }
}

/// Refuses the first option that does not apply.
pub(crate) fn check(options: &Options) -> Result<(), Error> {
    match TABLE.iter().find(|row| (row.is_given)(options) && !row.applies_to(options)) {
        Some(Row { name, .. }) => bail!("{name} does not apply to {}", chosen(options)),
        None => Ok(()),
    }
}

/// The same options without settings of engines that were not chosen. What is said about the examples remains, and is refused
/// if it does not apply.
pub(crate) fn applicable(mut options: Options) -> Options {
    for row in &TABLE {
        if let Some(clear) = row.clear.filter(|_| (row.is_given)(&options) && !row.applies_to(&options)) {
            clear(&mut options);
        }
    }
    options
}

/// Whether a training is recorded if that is asked for.
pub(crate) fn trains(options: &Options) -> bool {
    FRAMES.applies_to(options)
}

/// Whether the options set up an engine that works letter by letter.
pub(crate) fn asks_for_letters(options: &Options) -> bool {
    let sets_up = |row: &Row| row.over == Over::LettersOnly && (row.is_given)(options);
    options.learner != Auto || TABLE.iter().any(sets_up)
}

/// What was chosen to learn with, as typed on the command line.
fn chosen(options: &Options) -> String {
    match (options.learner, &options.classes) {
        (Paper, _) => "--paper".to_owned(),
        (Auto, Classes::Given(_)) => "--classes".to_owned(),
        (engine, _) => format!("--learner {}", engine.name()),
    }
}

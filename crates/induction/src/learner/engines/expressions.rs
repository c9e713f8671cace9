//! Short expressions, for languages that a person would write down in a line.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Direction, Regex};
use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, Task, Turn, Work};
use crate::learner::{Noise, State};
use crate::selection::{Candidate, Origin};
use crate::symbolic::expressions::Expressions;

/// Lists expressions, shortest first, until some agree with the examples.
pub(in crate::learner) const EXPRESS: Expressing = Expressing;

/// More words than this are better explained by other engines, and faster.
const MOST_WORDS: u64 = 500;
/// Longer alphabets have too many short expressions.
const MOST_LETTERS: usize = 8;
/// Work of a slice in pairs of infixes: about 50 ms.
const SLICE: u64 = 40_000_000;

pub(in crate::learner) struct Expressing;

impl Engine for Expressing {
    fn name(&self) -> &'static str {
        "expressions"
    }

    fn stage(&self) -> &'static str {
        "expressions"
    }

    fn has_work(&self, state: &State) -> bool {
        let sample = &state.data.sample;
        state.settings.noise == Noise::None
            && state.settings.direction == Direction::Left
            && sample.words() <= MOST_WORDS
            && sample.alphabet().len() <= MOST_LETTERS
            && !sample.alphabet().has_classes()
    }

    fn jobs(&self, turn: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let best = state.pool.best().filter(|best| best.errors == 0);
        match turn.part {
            // A longer expression would not be preferred, except for the words it explains.
            0 => vec![Box::new(List { most_bits: best.map_or(f64::MAX, |best| best.bits + WORTH) })],
            _ => Vec::new(),
        }
    }
}

/// An expression may take this many bits more than the best answer, if it explains the words better.
const WORTH: f64 = 8.0;

/// Expressions up to a number of bits.
#[derive(Serialize, Deserialize)]
pub(super) struct List {
    most_bits: f64,
}

impl Work for List {
    const KIND: &'static str = "expressions";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let search = Expressions::new(&data.sample, self.most_bits);
        Box::new(Listing { data: Arc::clone(data), search })
    }
}

struct Listing {
    data: Arc<Data>,
    search: Expressions,
}

impl Task for Listing {
    fn advance(&mut self) -> Option<Outcome> {
        match self.search.advance(SLICE) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(found) => Some(self.outcome(found)),
        }
    }

    fn cut(self: Box<Self>) -> Outcome {
        self.outcome(self.search.regexes())
    }
}

impl Listing {
    fn outcome(&self, found: Vec<Regex>) -> Outcome {
        let candidate = |regex| Candidate::from_regex(regex, &self.data.jury, Origin::Expressions);
        Outcome::of(found.into_iter().filter_map(candidate).collect())
    }
}

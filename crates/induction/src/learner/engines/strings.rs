//! Patterns over classes of characters, for real strings.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, Task, Turn, Work};
use crate::learner::{LearnError, State, Way};
use crate::strings::{self, Finding, Sought};

/// Looks for patterns over classes.
pub(in crate::learner) const STRINGS: Strings = Strings;

/// Slices of a search for a pattern where letters may do as well: several times what formats and columns need.
const MOST_SLICES: u32 = 120;

pub(in crate::learner) struct Strings;

impl Engine for Strings {
    fn name(&self) -> &'static str {
        "strings"
    }

    fn stage(&self) -> &'static str {
        "patterns"
    }

    fn has_work(&self, state: &State) -> bool {
        match &state.patterns {
            Some(patterns) => !patterns.is_done(),
            None => state.settings.way == Way::Both && !state.unreadable,
        }
    }

    fn jobs(&self, _: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let sought = state.patterns.iter().flat_map(|patterns| patterns.sought(state.is_backward()));
        let slices = (state.settings.way == Way::Both).then_some(MOST_SLICES);
        sought.map(|sought| Box::new(Pattern { sought, slices }) as Box<dyn Job>).collect()
    }

    fn gather(&self, _: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        if let Some(patterns) = &mut state.patterns {
            patterns.gather(outcomes.into_iter().filter_map(|outcome| outcome.pattern).collect());
        }
        Ok(())
    }
}

/// One search for a pattern.
#[derive(Serialize, Deserialize)]
pub(super) struct Pattern {
    sought: Sought,
    /// Maximum number of slices.
    slices: Option<u32>,
}

impl Work for Pattern {
    const KIND: &'static str = "pattern";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        let strings = data.strings(&self.sought.reading);
        let finding = strings.as_ref().map(|strings| self.sought.begin(strings));
        Box::new(Seeking { strings, finding, slices: self.slices })
    }
}

struct Seeking {
    /// None where the strings cannot be read, which was checked when the learner was made.
    strings: Option<Arc<strings::Strings>>,
    finding: Option<Finding>,
    /// Slices left.
    slices: Option<u32>,
}

impl Task for Seeking {
    fn advance(&mut self) -> Option<Outcome> {
        let (Some(strings), Some(finding)) = (&self.strings, &mut self.finding) else {
            return Some(Outcome::default());
        };
        match finding.advance(strings, strings::SLICE) {
            ControlFlow::Continue(()) => {
                self.slices = self.slices.map(|slices| slices.saturating_sub(1));
                let ended = self.finding.take_if(|_| self.slices == Some(0)).map(|finding| finding.cut(strings));
                ended.map(|ended| Outcome { pattern: Some(ended), ..Outcome::default() })
            }
            ControlFlow::Break(ended) => Some(Outcome { pattern: Some(ended), ..Outcome::default() }),
        }
    }

    fn cut(self: Box<Self>) -> Outcome {
        let ended = self.strings.zip(self.finding).map(|(strings, finding)| finding.cut(&strings));
        Outcome { pattern: ended, ..Outcome::default() }
    }
}

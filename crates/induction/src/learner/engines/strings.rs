//! Patterns over classes of characters, for real strings.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Data, Engine, Job, Outcome, Task, Turn, Work};
use crate::learner::{LearnError, Noise, Spent, State, Way};
use crate::strings::{self, Finding, Sought};

/// Letters that a turn compares where letters may do as well: several times what formats and columns need.
const MOST_LETTERS: u64 = 360 * strings::SLICE;

/// Looks for patterns over classes.
pub(in crate::learner) struct Strings {
    /// Whether the model and the solver come first if something explains the labels.
    waits: bool,
}

pub(in crate::learner) const STRINGS: Strings = Strings { waits: false };

/// Patterns early, unless a proof may end the search.
pub(in crate::learner) const STRINGS_FIRST: Strings = Strings { waits: true };

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
            None if state.unreadable || state.settings.way != Way::Both => false,
            None if self.waits && share_of_labels(state) < 1.0 => false,
            // Labels are doubted string by string, which takes far too long for thousands of words over a few letters.
            None => state.classes_first || state.settings.noise == Noise::None,
        }
    }

    fn jobs(&self, _: Turn, state: &State) -> Vec<Box<dyn Job>> {
        let Some(patterns) = &state.patterns else { return Vec::new() };
        let sought = patterns.sought(state.is_backward());
        // Half of what is left remains for the patterns themselves.
        let parts = sought.len().max(1) as u64 * if patterns.is_doubting() { 2 } else { 1 };
        let left = most_letters(state).saturating_sub(state.ledger.letters()) / parts;
        let letters = (state.settings.way == Way::Both).then_some(left);
        sought.into_iter().map(|sought| Box::new(Pattern { sought, letters }) as Box<dyn Job>).collect()
    }

    fn gather(&self, _: Turn, outcomes: Vec<Outcome>, state: &mut State) -> Result<(), LearnError> {
        outcomes.iter().for_each(|outcome| state.ledger.add(outcome.spent));
        if let Some(patterns) = &mut state.patterns {
            patterns.gather(outcomes.into_iter().filter_map(|outcome| outcome.pattern).collect());
        }
        Ok(())
    }
}

/// Letters that a turn may compare: fewer if the labels are explained, for a pattern can save no more than the answer takes.
fn most_letters(state: &State) -> u64 {
    (MOST_LETTERS as f64 * share_of_labels(state)) as u64
}

/// The bits of a consistent answer as a share of those of the labels, at most 1.
fn share_of_labels(state: &State) -> f64 {
    let right = state.pool.best().filter(|best| best.errors == 0);
    right.map_or(1.0, |best| (best.bits / state.data.jury.words().max(1) as f64).min(1.0))
}

/// One search for a pattern.
#[derive(Serialize, Deserialize)]
pub(super) struct Pattern {
    sought: Sought,
    /// Maximum number of letters compared.
    letters: Option<u64>,
}

impl Work for Pattern {
    const KIND: &'static str = "pattern";

    fn start(self, data: &Arc<Data>) -> Box<dyn Task> {
        // The strings could be read when the learner was made.
        let finding = data.strings(&self.sought.reading).map(|strings| (self.sought.begin(&strings), strings));
        Box::new(Seeking { finding, letters: self.letters })
    }
}

struct Seeking {
    finding: Option<(Finding, Arc<strings::Strings>)>,
    letters: Option<u64>,
}

impl Task for Seeking {
    fn advance(&mut self) -> Option<Outcome> {
        let Some((finding, strings)) = &mut self.finding else { return Some(Outcome::default()) };
        let left = self.letters.map_or(u64::MAX, |letters| letters.saturating_sub(finding.worked()));
        let ended = match left {
            0 => None,
            _ => Some(finding.advance(strings, strings::SLICE.min(left))),
        };
        let spent = Spent { letters: finding.worked(), ..Spent::default() };
        let pattern = match ended {
            Some(ControlFlow::Continue(())) => return None,
            Some(ControlFlow::Break(ended)) => ended,
            None => self.finding.take().map(|(finding, strings)| finding.cut(&strings))?,
        };
        Some(Outcome { pattern: Some(pattern), spent, ..Outcome::default() })
    }

    fn spent(&self) -> Spent {
        Spent { letters: self.finding.as_ref().map_or(0, |(finding, _)| finding.worked()), ..Spent::default() }
    }

    fn cut(self: Box<Self>) -> Outcome {
        let spent = self.spent();
        let pattern = self.finding.map(|(finding, strings)| finding.cut(&strings));
        Outcome { pattern, spent, ..Outcome::default() }
    }
}

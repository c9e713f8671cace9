//! What surrounds a learner on the command line: progress while it works, questions, results as text, JSON and files.

pub(crate) mod asking;
pub(crate) mod folder;
mod page;
pub(crate) mod progress;
pub(crate) mod proving;
pub(crate) mod result;
pub(crate) mod saved;
pub(crate) mod told;

use automata::{Nfa, Regex};
use induction::learner::{Engine, Induced, Settings, paper_steps};
use induction::proof::Proof;
use induction::selection::Origin;

/// A run that is over, for whoever tells of it.
pub(crate) struct Run<'a> {
    pub(crate) induced: &'a Induced,
    pub(crate) settings: &'a Settings,
    pub(crate) summary: &'a told::Summary,
    /// How many questions were answered.
    pub(crate) questions: usize,
    /// What was proved, if that was asked for.
    pub(crate) proof: Option<&'a Proof>,
}

impl Run<'_> {
    /// The expression, unless it is too long for anybody.
    pub(crate) fn regex(&self) -> Option<String> {
        let learned = self.induced.expression.clone();
        learned.or_else(|| Regex::from_dfa(&self.induced.dfa).ok().map(|regex| regex.to_string()))
    }

    /// The automaton of the grammar, numbered as one reads it.
    pub(crate) fn nfa(&self) -> Nfa {
        self.induced.grammar.to_nfa().trimmed().numbered_breadth_first()
    }

    /// The steps that the paper's protocol was given, if it was followed.
    pub(crate) fn paper_steps(&self) -> Option<u64> {
        (self.settings.engine == Engine::Paper)
            .then(|| paper_steps(self.summary.letters, self.summary.longest).min(self.settings.steps))
    }
}

/// The kinds of origin that results speak of.
pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Neural => "neural",
        Origin::Repaired => "neural then repaired",
        Origin::Search => "search",
        Origin::Rpni | Origin::Edsm | Origin::Sat => "symbolic",
        Origin::Classes => "classes",
        Origin::Rival => "rival",
        Origin::Given => "given",
        Origin::Trivial => "trivial",
    }
}

//! The questions of a session: asked, answered and skipped ones.

use std::collections::{BTreeSet, VecDeque};

use automata::{Label, Word};
use induction::learner::{StopReason, Undecided};

pub(super) struct Questions {
    /// Maximum number of questions; `None` to ask nothing.
    most: Option<u64>,
    answers: Vec<(Word, Label)>,
    skipped: BTreeSet<Word>,
    /// Answers recorded in an earlier session that are not used yet.
    recorded: VecDeque<(Word, Label)>,
    closed: bool,
    /// Why learning ended, if it has.
    settled: Option<StopReason>,
}

/// What to do about open words.
pub(super) enum Next {
    /// Use a recorded answer.
    Tell(Word, Label),
    /// Ask.
    Ask(Undecided),
    Nothing,
}

impl Questions {
    pub(super) fn new(most: Option<u64>) -> Self {
        Self {
            most,
            answers: Vec::new(),
            skipped: BTreeSet::new(),
            recorded: VecDeque::new(),
            closed: false,
            settled: None,
        }
    }

    pub(super) fn replay(&mut self, answers: impl IntoIterator<Item = (Word, Label)>) {
        self.recorded.extend(answers.into_iter().filter(|(_, label)| *label != Label::Unlabelled));
    }

    /// Whether a question may be asked or a recorded answer used.
    pub(super) fn is_open(&self) -> bool {
        !self.recorded.is_empty() || self.may_ask()
    }

    fn may_ask(&self) -> bool {
        !self.closed && self.most.is_some_and(|most| (self.answers.len() as u64) < most)
    }

    pub(super) fn settled(&mut self, reason: StopReason) {
        self.settled = Some(reason);
    }

    pub(super) fn unsettled(&mut self) {
        self.settled = None;
    }

    pub(super) fn is_settled(&self) -> Option<StopReason> {
        self.settled
    }

    /// What to do about these words, the best question first. At the end, recorded answers are used even if their
    /// question did not come up.
    pub(super) fn next(&mut self, open: &[Undecided], at_the_end: bool) -> Next {
        let asked = |word: &Word| self.skipped.contains(word) || self.answers.iter().any(|(known, _)| known == word);
        let next = open.iter().find(|open| !asked(&open.word));
        let recorded = next.and_then(|open| self.recorded.iter().position(|(word, _)| *word == open.word));
        if let Some((word, label)) = recorded.and_then(|at| self.recorded.remove(at)) {
            self.answered(word.clone(), label);
            return Next::Tell(word, label);
        }
        if at_the_end && let Some((word, label)) = self.recorded.pop_front() {
            self.answered(word.clone(), label);
            return Next::Tell(word, label);
        }
        match next {
            Some(open) if self.may_ask() && self.recorded.is_empty() => Next::Ask(open.clone()),
            _ => Next::Nothing,
        }
    }

    pub(super) fn answered(&mut self, word: Word, label: Label) {
        self.answers.push((word, label));
    }

    pub(super) fn skip(&mut self, word: Word) {
        self.skipped.insert(word);
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    pub(super) fn answers(&self) -> &[(Word, Label)] {
        &self.answers
    }

    pub(super) fn count(&self) -> usize {
        self.answers.len()
    }

    pub(super) fn skipped(&self) -> &BTreeSet<Word> {
        &self.skipped
    }
}

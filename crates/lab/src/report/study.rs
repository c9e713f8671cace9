//! The input of a report: records, their times, and the files that could not be read.

use std::collections::BTreeMap;

use crate::job::Progression;
use crate::record::{Answer, Claim, Record, Timing};
use crate::spec::{Language, Spec};

/// The records of a study.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// The name of the plan.
    pub name: String,
    /// The question of the plan; empty if unknown.
    pub about: String,
    /// The command that runs it again.
    pub command: String,
    /// The number of jobs in the plan; `None` if unknown.
    pub jobs: Option<usize>,
    /// In the order of the plan: rows and columns of tables are in order of first appearance.
    pub records: Vec<Record>,
    /// By job name.
    pub timings: BTreeMap<String, Timing>,
    /// Files that are not records, and why.
    pub broken: Vec<String>,
    /// The progress of selected training runs.
    pub progressions: Vec<Progression>,
}

/// One set of examples in one run: the unit on which learners are compared.
pub(super) type Trial<'a> = (String, &'a str, u64, u64);

/// What is known about a set of examples, from all records on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identified {
    /// The truth is proved to be the only smallest answer.
    Proved,
    /// A smaller answer, or another as small, agrees with the examples.
    Refuted,
    /// Neither proved nor refuted.
    Unknown,
    /// Records contradict each other.
    Contradicted,
}

impl Study {
    /// The names of the learners, in order.
    pub(super) fn learners(&self) -> Vec<&str> {
        in_order(self.records.iter().map(|record| record.spec.learner.name.as_str()))
    }

    /// The names of the draws, in order.
    pub(super) fn draws(&self) -> Vec<&str> {
        in_order(self.records.iter().map(|record| record.spec.draw.name.as_str()))
    }

    /// The records of a learner.
    pub(super) fn of<'a>(&'a self, learner: &'a str) -> impl Iterator<Item = &'a Record> + Clone + 'a {
        self.records.iter().filter(move |record| record.spec.learner.name == learner)
    }

    /// What is known about each set of examples.
    pub(super) fn identified(&self) -> BTreeMap<Trial<'_>, Identified> {
        let mut known: BTreeMap<Trial, (bool, bool)> = BTreeMap::new();
        for record in &self.records {
            let (proved, refuted) = known.entry(set(&record.spec)).or_default();
            if let Some(data) = &record.data {
                let claims = [data.truth_is_minimal, data.truth_is_unique];
                *proved |= claims == [Claim::Proved; 2];
                *refuted |= claims.contains(&Claim::Refuted);
            }
        }
        let told = |(proved, refuted)| match (proved, refuted) {
            (true, false) => Identified::Proved,
            (false, true) => Identified::Refuted,
            (false, false) => Identified::Unknown,
            (true, true) => Identified::Contradicted,
        };
        known.into_iter().map(|(set, known)| (set, told(known))).collect()
    }
}

/// The set of examples of a job, the same for all learners; runs that share their words share it.
pub(super) fn set(spec: &Spec) -> Trial<'_> {
    (spec.language.name(), &spec.draw.name, spec.seed, spec.words_run())
}

/// The set of examples of a job and its run.
pub(super) fn trial(spec: &Spec) -> Trial<'_> {
    (spec.language.name(), &spec.draw.name, spec.seed, spec.run)
}

/// The parameters of a random language, without its index.
pub(super) fn configuration(language: &Language) -> String {
    match language {
        Language::Grammar { letters, nonterminals, productions, reversed, .. } => {
            let reversed = if *reversed { ", reversed" } else { "" };
            format!("grammars t {letters}, n {nonterminals}, p {productions}{reversed}")
        }
        Language::Automaton { letters, states, .. } => format!("automata of {letters} letters, {states} states"),
        Language::Sparse { letters, states, transitions, .. } => {
            format!("sparse automata of {letters} letters, {states} states, {transitions} transitions a state")
        }
        Language::RandomExpression { letters, size, .. } => format!("expressions of {size} letters out of {letters}"),
        Language::Stamina { letters, states, .. } => format!("StaMInA, {letters} letters, about {states} states"),
        Language::Subregular { recipe } => format!("{} over {} letters", recipe.class, recipe.letters),
        Language::Expression { .. }
        | Language::Tomita { .. }
        | Language::Everyday { .. }
        | Language::Exercise { .. } => language.name(),
    }
}

/// The name of a draw without its depth.
pub(super) fn variant(spec: &Spec) -> String {
    spec.draw.name.replacen(&format!("d{}-", spec.draw.depth), "", 1)
}

/// The answers of records that have one.
pub(super) fn answers<'a>(records: impl Iterator<Item = &'a Record>) -> impl Iterator<Item = (&'a Spec, &'a Answer)> {
    records.filter_map(|record| Some((&record.spec, record.answer.as_ref()?)))
}

/// The items without duplicates, in order of first appearance.
pub(super) fn in_order<T: Ord + Clone>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    items.filter(|item| seen.insert(item.clone())).collect()
}

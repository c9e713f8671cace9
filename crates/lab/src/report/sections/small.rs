//! How often an answer agrees with the examples and has no more states than the truth: all that can be asked of a learner
//! where the examples do not identify the language.

use super::super::document::{Section, Table};
use super::super::figures::{counts, rate_in_full};
use super::super::statistics::Rate;
use super::super::study::{Study, configuration, in_order};
use crate::record::Record;

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Agreement with the examples");
    section.text(
        "Consistent: the answer agrees with every example, as it is labelled. Small: it is consistent, and its minimal \
         automaton has at most as many states as that of the truth. A job without an answer is neither.",
    );
    let mut table = Table::new("Consistent answers by learner", ["learner", "consistent", "small"]);
    for learner in study.learners() {
        table.row([
            learner.to_owned(),
            rate_in_full(Rate::of(study.of(learner).map(is_consistent))),
            rate_in_full(Rate::of(study.of(learner).map(is_small))),
        ]);
    }
    section.table(table);
    let of = |record: &Record| (record.spec.draw.name.clone(), configuration(&record.spec.language));
    let rows = in_order(study.records.iter().map(of));
    // With a row for nearly every set there is nothing to sum up.
    if rows.len() > 1 && 2 * rows.len() * study.learners().len() <= study.records.len() {
        let head = ["draw, languages"].into_iter().chain(study.learners());
        let mut table = Table::new("Small answers by draw and kind of language", head);
        for row in rows {
            let cell =
                |learner: &str| counts(Rate::of(study.of(learner).filter(|record| of(record) == row).map(is_small)));
            let name = format!("{}, {}", row.0, row.1);
            table.row([name].into_iter().chain(study.learners().into_iter().map(cell)));
        }
        section.table(table);
    }
    section.if_any()
}

fn is_consistent(record: &Record) -> bool {
    record.answer.as_ref().is_some_and(|answer| answer.consistent)
}

fn is_small(record: &Record) -> bool {
    let states = record.answer.as_ref().zip(record.truth.as_ref());
    is_consistent(record) && states.is_some_and(|(answer, truth)| answer.states <= truth.states)
}

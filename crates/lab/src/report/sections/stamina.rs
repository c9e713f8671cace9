//! Problems of the kind of StaMInA: how many are solved, by the number of letters and the part of the words that is given.

use super::super::document::{Section, Table};
use super::super::figures::{counts, share};
use super::super::statistics::{Rate, mean};
use super::super::study::{Study, in_order};
use crate::record::Record;
use crate::spec::{Language, Words};

/// The balanced rate of a solved problem.
const SOLVED: f64 = 0.99;

/// A cell of the competition: the number of letters, and the part of the words.
fn cell(record: &Record) -> Option<(usize, f64)> {
    match (&record.spec.language, &record.spec.draw.words) {
        (Language::Stamina { letters, .. }, Words::Walks { percent, .. }) => Some((*letters, *percent)),
        _ => None,
    }
}

/// A job without an answer counts as one that labels all words of one label wrongly.
fn rate(record: &Record) -> f64 {
    let tested = record.answer.as_ref().and_then(|answer| answer.tested.as_ref());
    tested.map_or(0.0, |tested| tested.balanced_rate)
}

pub(super) fn section(study: &Study) -> Option<Section> {
    let cells: Vec<(usize, f64)> = study.records.iter().filter_map(cell).collect();
    let letters = in_order(cells.iter().map(|cell| cell.0));
    let mut parts: Vec<f64> = cells.iter().map(|cell| cell.1).collect();
    parts.sort_by(|a, b| b.total_cmp(a));
    parts.dedup();
    if cells.is_empty() {
        return None;
    }
    let mut section = Section::new("StaMInA");
    section.text(format!(
        "Problems solved, and the mean of their balanced rates: the harmonic mean of the fractions of accepted and of rejected \
         test words that are labelled correctly. Solved: at least {SOLVED}. Columns: the part of the words that is given."
    ));
    for learner in study.learners() {
        let head = ["letters".to_owned()].into_iter().chain(parts.iter().map(|part| format!("{part} %")));
        let mut table = Table::new(learner, head);
        for &letters in &letters {
            let of_cell = |part: f64| {
                let rates = study.of(learner).filter(move |record| cell(record) == Some((letters, part))).map(rate);
                let rates: Vec<f64> = rates.collect();
                format!("{}, {}", counts(Rate::of(rates.iter().map(|&rate| rate >= SOLVED))), share(mean(rates)))
            };
            table.row([letters.to_string()].into_iter().chain(parts.iter().map(|&part| of_cell(part))));
        }
        section.table(table);
    }
    Some(section)
}

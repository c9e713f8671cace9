//! Accuracy on words of each length: whether an answer stays correct beyond the examples.

use super::super::document::{Section, Table};
use super::super::figures::share;
use super::super::pictures::chart::{self, Axis, Line, Panel, Point, Series};
use super::super::statistics::mean;
use super::super::study::{Study, answers};

/// Maximum number of draws in the picture.
const PANELS: usize = 12;

pub(super) fn section(study: &Study) -> Option<Section> {
    let learners = study.learners();
    let draws = study.draws();
    let mut table = Table::new(
        "Mean accuracy on words of one length, in parts of the training length",
        ["draw, learner", "a half", "the same", "one and a half", "twice"],
    );
    let mut panels = Vec::new();
    for &draw in &draws {
        let depth = study.records.iter().find(|record| record.spec.draw.name == draw)?.spec.draw.depth;
        let mut series = Vec::new();
        for &learner in &learners {
            let means = by_length(study, draw, learner);
            if means.iter().all(Option::is_none) {
                continue;
            }
            let at = |length: usize| share(means.get(length).copied().flatten());
            table.row([format!("{draw}, {learner}"), at(depth / 2), at(depth), at(depth + depth / 2), at(2 * depth)]);
            let points = means.iter().enumerate().filter_map(|(length, mean)| Some(Point::at(length as f64, (*mean)?)));
            series.push(Series { name: learner.to_owned(), points: points.collect(), line: Line::Straight });
        }
        if !series.is_empty() && panels.len() < PANELS {
            panels.push(Panel {
                title: draw.to_owned(),
                x: Axis::counts("letters", 2 * depth),
                y: Axis::shares("accuracy"),
                series,
                mark: Some(depth as f64),
            });
        }
    }
    if panels.is_empty() {
        return None;
    }
    let mut section = Section::new("Accuracy by length");
    let left_out = if draws.len() > panels.len() {
        format!(" The first {} draws are shown, of {}.", panels.len(), draws.len())
    } else {
        String::new()
    };
    let svg = chart::picture("Accuracy by length of words", &learners, &panels, (270.0, 180.0));
    section.picture(
        "lengths",
        format!(
            "Mean accuracy on the words of each length; the upright line is at the longest examples.{left_out} Where \
             neither language has a word of a length, it does not count"
        ),
        svg,
    );
    section.table(table);
    Some(section)
}

/// Entry i: the mean accuracy on words of i letters.
fn by_length(study: &Study, draw: &str, learner: &str) -> Vec<Option<f64>> {
    let of_draw = study.of(learner).filter(|record| record.spec.draw.name == draw);
    let lists: Vec<&Vec<Option<f64>>> =
        answers(of_draw).filter_map(|(_, answer)| Some(&answer.by_length.as_ref()?.accuracy)).collect();
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    (0..longest).map(|length| mean(lists.iter().filter_map(|list| list.get(length).copied().flatten()))).collect()
}

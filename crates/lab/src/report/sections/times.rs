//! Times: the only section that is not a function of the records.

use super::super::document::{Section, Table};
use super::super::figures::{NONE, number_of, seconds};
use super::super::pictures::chart::{self, Axis, Line, Panel, Point, Series};
use super::super::statistics::{mean, quantile};
use super::super::study::Study;
use crate::record::{Record, Timing};

/// A measure of a job's size.
type Measure = fn(&Record) -> Option<f64>;

pub(super) fn section(study: &Study) -> Option<Section> {
    let timed = |learner| study.of(learner).filter_map(|record| Some((record, study.timings.get(&record.spec.name)?)));
    let mut section = Section::new("Times");
    section.text(
        "Times differ between machines and runs, so they are in files of their own. Nothing above depends on them, except \
         where a learner was stopped by the time limit.",
    );
    let head =
        ["learner", "jobs", "median s", "mean s", "90 % below s", "longest s", "all s", "steps a second, median"];
    let mut table = Table::new("Seconds from the examples to the answer", head);
    for learner in study.learners() {
        let timings: Vec<&Timing> = timed(learner).map(|(_, timing)| timing).collect();
        let sorted = |measure: fn(&Timing) -> f64| {
            let mut list: Vec<f64> =
                timings.iter().map(|timing| measure(timing)).filter(|number| *number > 0.0).collect();
            list.sort_by(f64::total_cmp);
            list
        };
        let (learning, speeds) = (sorted(|timing| timing.learning_seconds), sorted(|timing| timing.steps_per_second));
        if learning.is_empty() {
            continue;
        }
        let told = |number: Option<f64>| number.map_or(NONE.to_owned(), seconds);
        table.row([
            learner.to_owned(),
            learning.len().to_string(),
            told(quantile(&learning, 0.5)),
            told(mean(learning.iter().copied())),
            told(quantile(&learning, 0.9)),
            told(learning.last().copied()),
            told(Some(learning.iter().sum())),
            quantile(&speeds, 0.5).map_or(NONE.to_owned(), |speed| format!("{speed:.0}")),
        ]);
    }
    if table.rows.is_empty() {
        return None;
    }
    section.table(table);
    let cut = study.timings.values().filter(|timing| timing.cut).count();
    if cut > 0 {
        section.text(format!("{} cut by the limit of time.", number_of(cut, "job was", "jobs were")));
    }
    let measures: [(&str, &str, Measure); 3] = [
        ("states of the truth", "time-states", |record| Some(record.truth.as_ref()?.states as f64)),
        ("different words", "time-words", |record| Some(record.data.as_ref()?.words as f64)),
        ("letters of the longest word", "time-lengths", |record| Some(record.data.as_ref()?.longest as f64)),
    ];
    for (what, name, measure) in measures {
        if let Some(svg) = scatter(study, what, measure) {
            section.picture(
                name,
                format!("Seconds to the answer against the {what}: a point is a job, both axes logarithmic"),
                svg,
            );
        }
    }
    Some(section)
}

/// Time against a size; `None` if the size hardly varies.
fn scatter(study: &Study, what: &str, measure: Measure) -> Option<String> {
    let learners = study.learners();
    let series: Vec<Series> = learners
        .iter()
        .enumerate()
        .map(|(i, &learner)| {
            let point = |record: &Record| {
                let timing = study.timings.get(&record.spec.name)?;
                let size = measure(record).filter(|size| *size > 0.0)?;
                // Learners would hide each other at integer values, so each is shifted slightly.
                let aside = 1.0 + 0.03 * (i as f64 - (learners.len() as f64 - 1.0) / 2.0);
                (timing.learning_seconds > 0.0).then(|| Point::at(size * aside, timing.learning_seconds))
            };
            Series { name: learner.to_owned(), points: study.of(learner).filter_map(point).collect(), line: Line::None }
        })
        .collect();
    let points = || series.iter().flat_map(|series| &series.points);
    let ends = |number: fn(&Point) -> f64| {
        let low = points().map(number).fold(f64::INFINITY, f64::min);
        (low, points().map(number).fold(0.0, f64::max))
    };
    let (x, y) = (ends(|point| point.x), ends(|point| point.y));
    if !x.0.is_finite() || x.1 < 2.0 * x.0 {
        return None;
    }
    let panel = Panel { title: String::new(), x: Axis::log(what, x), y: Axis::log("seconds", y), series, mark: None };
    Some(chart::picture(&format!("Time against the {what}"), &learners, &[panel], (560.0, 320.0)))
}

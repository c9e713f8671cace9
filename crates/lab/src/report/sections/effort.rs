//! Success against the number of restarts.

use super::super::document::{Section, Table};
use super::super::figures::{counts, number_of, rate_in_full};
use super::super::pictures::chart::{self, Axis, Line, Panel, Point, Series};
use super::super::statistics::Rate;
use super::super::study::{Study, answers};
use crate::record::Answer;

pub(super) fn section(study: &Study) -> Option<Section> {
    let learners: Vec<&str> = study
        .learners()
        .into_iter()
        .filter(|learner| answers(study.of(learner)).any(|(_, answer)| answer.restarts > 0))
        .collect();
    let most = answers(study.records.iter()).map(|(_, answer)| answer.restarts).max().unwrap_or(0);
    if most < 2 {
        return None;
    }
    let mut section = Section::new("Success and restarts");
    section.text(
        "A learner stops when its answer is settled, so hard sets take more restarts. The curves show the share of all jobs \
         recovered exactly, by the number of restarts trained; jobs that needed none are at the left.",
    );
    let bins = bins(most);
    let head = ["learner".to_owned()].into_iter().chain(bins.iter().map(|&(low, high)| match low == high {
        true => number_of(low as usize, "restart", "restarts"),
        false => format!("{low} to {high}"),
    }));
    let mut table = Table::new("Exact answers, by number of restarts", head);
    let mut series = Vec::new();
    for &learner in &learners {
        let found: Vec<&Answer> = answers(study.of(learner)).map(|(_, answer)| answer).collect();
        let cell = |&(low, high): &(u64, u64)| {
            let within = found.iter().filter(|answer| (low..=high).contains(&answer.restarts));
            let rate = Rate::of(within.map(|answer| answer.exact));
            if learners.len() > 1 { counts(rate) } else { rate_in_full(rate) }
        };
        table.row([learner.to_owned()].into_iter().chain(bins.iter().map(cell)));
        let all = study.of(learner).count() as f64;
        let points = bins.iter().enumerate().map(|(place, &(_, high))| {
            let solved = found.iter().filter(|answer| answer.exact && answer.restarts <= high).count();
            Point::at(place as f64, solved as f64 / all)
        });
        series.push(Series { name: learner.to_owned(), points: points.collect(), line: Line::Steps });
    }
    section.table(table);
    let names: Vec<String> = bins.iter().map(|(_, high)| high.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let panel = Panel {
        title: String::new(),
        x: Axis::categories("restarts trained, at most", &names),
        y: Axis::shares("recovered exactly"),
        series,
        mark: None,
    };
    let svg = chart::picture("Success against restarts", &learners, &[panel], (480.0, 260.0));
    section.picture("restarts", "Share of all jobs recovered exactly, by number of restarts", svg);
    Some(section)
}

/// Zero, one, and then up to each power of two.
fn bins(most: u64) -> Vec<(u64, u64)> {
    let mut bins = vec![(0, 0), (1, 1)];
    let mut high = 1;
    while high < most {
        bins.push((high + 1, 2 * high));
        high *= 2;
    }
    bins
}

#[cfg(test)]
mod tests {
    #[test]
    fn bins_hold_every_number_once() {
        let bins = super::bins(100);
        for restarts in 0..=128 {
            assert_eq!(bins.iter().filter(|(low, high)| (*low..=*high).contains(&restarts)).count(), 1);
        }
    }
}

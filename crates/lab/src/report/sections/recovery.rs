//! How often the language was found, out of all sets of examples and out of those that identify it.

use std::collections::BTreeMap;

use super::super::document::{Section, Table};
use super::super::figures::{counts, interval, number_of, percent, rate_in_full};
use super::super::pictures::chart::{self, Axis, Line, Panel, Point, Series};
use super::super::published::EXACT_RECOVERY;
use super::super::statistics::Rate;
use super::super::study::{Identified, Study, configuration, in_order, set};
use crate::record::Record;

/// With more learners than this, tables of all learners have no intervals.
const WIDE: usize = 4;

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Exact recovery");
    section.text(
        "The share of all jobs in which the answer is the language itself, with Wilson's interval of 95 %. A job that ended \
         with an error counts as not recovered.",
    );
    let identified = study.identified();
    let count = |what| identified.values().filter(|&&known| known == what).count();
    let (proved, refuted) = (count(Identified::Proved), count(Identified::Refuted));
    let is_proved = |record: &&Record| identified[&set(&record.spec)] == Identified::Proved;

    let mut table = Table::new("Exact recovery by learner", ["learner", "exact", "rate", "95 %"]);
    let ceiling = ["exact where identified", "rate", "95 %"];
    if proved > 0 {
        table.head.extend(ceiling.map(str::to_owned));
    }
    for learner in study.learners() {
        let all = rate(study.of(learner));
        let mut row = vec![learner.to_owned(), counts(all), percent(all), interval(all)];
        if proved > 0 {
            let identified = rate(study.of(learner).filter(is_proved));
            row.extend([counts(identified), percent(identified), interval(identified)]);
        }
        table.row(row);
    }
    section.table(table);
    if study.name == "paper" {
        section.text(format!("The paper says {:.0} % of all its runs.", 100.0 * EXACT_RECOVERY));
    }
    section.text(format!(
        "The examples identify the language where it is proved to be the only smallest answer that agrees with them: no \
         learner can be asked for more. Of {}, that is proved for {proved} and refuted for {refuted}; of the other {} \
         nothing is known, and they count as not proved.",
        number_of(identified.len(), "set", "sets"),
        identified.len() - proved - refuted
    ));
    let contradicted = count(Identified::Contradicted);
    if contradicted > 0 {
        section.text(format!(
            "Of {} one record proves what another refutes. One of the two is wrong; they count as not proved.",
            number_of(contradicted, "set", "sets")
        ));
    }

    let draws = study.draws();
    if draws.len() > 1 {
        let draw = |record: &Record| record.spec.draw.name.clone();
        section.table(matrix(study, "Exact recovery by draw", "draw", &draw));
        section.picture(
            "recovery",
            "Exact recovery by draw of the examples, with Wilson's intervals of 95 %",
            picture(study, &draws),
        );
    }
    let configuration = |record: &Record| configuration(&record.spec.language);
    let table = matrix(study, "Exact recovery by kind of language", "languages", &configuration);
    if table.rows.len() > 1 {
        section.table(table);
    }
    Some(section)
}

fn rate<'a>(records: impl Iterator<Item = &'a Record>) -> Rate {
    Rate::of(records.map(Record::is_exact))
}

/// A row for each kind of job, a column for each learner.
fn matrix(study: &Study, caption: &str, kinds: &str, kind: &dyn Fn(&Record) -> String) -> Table {
    let learners = study.learners();
    let mut table = Table::new(caption, [kinds].into_iter().chain(learners.iter().copied()));
    let mut rates: BTreeMap<(String, &str), Rate> = BTreeMap::new();
    for record in &study.records {
        let rate = rates.entry((kind(record), &record.spec.learner.name)).or_default();
        *rate = Rate { successes: rate.successes + u64::from(record.is_exact()), all: rate.all + 1 };
    }
    for row in in_order(study.records.iter().map(kind)) {
        let cell = |learner: &&str| {
            let rate = rates.get(&(row.clone(), *learner)).copied().unwrap_or_default();
            if learners.len() > WIDE { counts(rate) } else { rate_in_full(rate) }
        };
        table.row([row.clone()].into_iter().chain(learners.iter().map(cell)));
    }
    table
}

fn picture(study: &Study, draws: &[&str]) -> String {
    let learners = study.learners();
    let series = learners.iter().enumerate().map(|(i, &learner)| {
        let points = draws.iter().enumerate().filter_map(|(place, &draw)| {
            let rate = rate(study.of(learner).filter(|record| record.spec.draw.name == draw));
            let aside = (i as f64 - (learners.len() as f64 - 1.0) / 2.0) * (0.6 / learners.len() as f64).min(0.16);
            Some(Point { x: place as f64 + aside, y: rate.share()?, range: Some(rate.wilson()) })
        });
        Series { name: learner.to_owned(), points: points.collect(), line: Line::None }
    });
    let panel = Panel {
        title: String::new(),
        x: Axis::categories("", draws),
        y: Axis::shares("exact recovery"),
        series: series.collect(),
        mark: None,
    };
    let width = (90.0 * draws.len() as f64).clamp(420.0, 960.0);
    chart::picture("Exact recovery by draw", &learners, &[panel], (width, 300.0))
}

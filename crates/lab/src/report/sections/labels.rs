//! The effect of questions, and whether wrong labels were identified.

use super::super::document::{Section, Table};
use super::super::figures::{counts, percent, rate_in_full};
use super::super::statistics::{Rate, quantile};
use super::super::study::{Study, answers};
use crate::record::{Questions, QuestionsEnd, Record, Suspects};

/// A language with fewer positive words among the examples may be changed by a few wrong labels beyond recognition.
const MANY: u64 = 100;

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Questions and wrong labels");
    questions(study, &mut section);
    suspects(study, &mut section);
    section.if_any()
}

fn questions(study: &Study, section: &mut Section) {
    let head =
        ["learner", "exact", "lower quartile", "median", "upper quartile", "all asked", "nothing to ask", "time over"];
    let mut table = Table::new("Questions until the answer was exact; never where it was not", head);
    for learner in study.learners() {
        let asked: Vec<(&Questions, bool)> = answers(study.of(learner))
            .filter_map(|(_, answer)| Some((answer.questions.as_ref()?, answer.exact)))
            .collect();
        let number =
            |(questions, exact): &(&Questions, bool)| if *exact { questions.asked as f64 } else { f64::INFINITY };
        let mut numbers: Vec<f64> = asked.iter().map(number).collect();
        if numbers.is_empty() {
            continue;
        }
        numbers.sort_by(f64::total_cmp);
        let at = |part: f64| match quantile(&numbers, part) {
            Some(number) if number.is_finite() => format!("{number:.1}"),
            _ => "never".to_owned(),
        };
        let ended = |end| asked.iter().filter(|(questions, _)| questions.end == end).count().to_string();
        table.row([
            learner.to_owned(),
            rate_in_full(Rate::of(asked.iter().map(|(_, exact)| *exact))),
            at(0.25),
            at(0.5),
            at(0.75),
            ended(QuestionsEnd::Used),
            ended(QuestionsEnd::NothingToAsk),
            ended(QuestionsEnd::Cut),
        ]);
    }
    section.table(table);
}

/// By draw, since draws differ in the number of wrong labels.
fn suspects(study: &Study, section: &mut Section) {
    let head = [
        "draw, learner",
        "exact with many positive words",
        "exact with few",
        "wrong labels",
        "named",
        "named wrongly",
        "right among named",
    ];
    let is_large = |record: &Record| record.data.as_ref().is_some_and(|data| data.positives >= MANY);
    let mut table = Table::new("Wrong labels, and what was said of them", head);
    for draw in study.draws() {
        for learner in study.learners() {
            let of_draw = study.of(learner).filter(|record| record.spec.draw.name == draw);
            let exact = |large: bool| {
                let records = of_draw.clone().filter(|record| is_large(record) == large);
                counts(Rate::of(records.map(Record::is_exact)))
            };
            let [many, few] = [true, false].map(exact);
            let named: Vec<&Suspects> = answers(of_draw).filter_map(|(_, answer)| answer.suspects.as_ref()).collect();
            let sum = |what: &dyn Fn(&Suspects) -> u64| named.iter().map(|suspects| what(suspects)).sum::<u64>();
            let [flipped, rightly, wrongly] = [sum(&|s| s.flipped), sum(&|s| s.rightly), sum(&|s| s.wrongly)];
            if named.is_empty() || flipped + wrongly == 0 {
                continue;
            }
            let found = Rate { successes: rightly, all: flipped };
            table.row([
                format!("{draw}, {learner}"),
                many,
                few,
                flipped.to_string(),
                format!("{}: {}", counts(found), percent(found)),
                wrongly.to_string(),
                percent(Rate { successes: rightly, all: rightly + wrongly }),
            ]);
        }
    }
    if !table.rows.is_empty() {
        section.text(format!(
            "Many positive words are at least {MANY} different ones: of smaller languages a few wrong labels may leave nothing."
        ));
    }
    section.table(table);
}

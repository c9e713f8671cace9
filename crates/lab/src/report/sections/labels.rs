//! The effect of questions, and whether wrong labels were identified.

use super::super::document::{Section, Table};
use super::super::figures::{NONE, counts, percent, rate_in_full};
use super::super::statistics::{Rate, mean, quantile};
use super::super::study::{Study, answers};
use crate::record::{Questions, Suspects};

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Questions and wrong labels");
    questions(study, &mut section);
    suspects(study, &mut section);
    section.if_any()
}

fn questions(study: &Study, section: &mut Section) {
    let head = ["learner", "exact", "questions, mean", "median", "most"];
    let mut table = Table::new("Questions that were asked", head);
    for learner in study.learners() {
        let asked: Vec<(&Questions, bool)> = answers(study.of(learner))
            .filter_map(|(_, answer)| Some((answer.questions.as_ref()?, answer.exact)))
            .collect();
        let mut numbers: Vec<f64> = asked.iter().map(|(questions, _)| questions.asked as f64).collect();
        if numbers.is_empty() {
            continue;
        }
        numbers.sort_by(f64::total_cmp);
        let told = |number: Option<f64>| number.map_or(NONE.to_owned(), |number| format!("{number:.1}"));
        table.row([
            learner.to_owned(),
            rate_in_full(Rate::of(asked.iter().map(|(_, exact)| *exact))),
            told(mean(numbers.iter().copied())),
            told(quantile(&numbers, 0.5)),
            told(numbers.last().copied()),
        ]);
    }
    section.table(table);
}

/// By draw, since draws differ in the number of wrong labels.
fn suspects(study: &Study, section: &mut Section) {
    let head = ["draw, learner", "sets", "wrong labels", "named", "named wrongly", "right among named"];
    let mut table = Table::new("Wrong labels, and what was said of them", head);
    for draw in study.draws() {
        for learner in study.learners() {
            let of_draw = study.of(learner).filter(|record| record.spec.draw.name == draw);
            let named: Vec<&Suspects> = answers(of_draw).filter_map(|(_, answer)| answer.suspects.as_ref()).collect();
            let sum = |what: &dyn Fn(&Suspects) -> u64| named.iter().map(|suspects| what(suspects)).sum::<u64>();
            let [flipped, rightly, wrongly] = [sum(&|s| s.flipped), sum(&|s| s.rightly), sum(&|s| s.wrongly)];
            if named.is_empty() || flipped + wrongly == 0 {
                continue;
            }
            let found = Rate { successes: rightly, all: flipped };
            table.row([
                format!("{draw}, {learner}"),
                named.len().to_string(),
                flipped.to_string(),
                format!("{}: {}", counts(found), percent(found)),
                wrongly.to_string(),
                percent(Rate { successes: rightly, all: rightly + wrongly }),
            ]);
        }
    }
    section.table(table);
}

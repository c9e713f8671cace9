//! How wrong answers failed, and how answers were found.

use super::super::document::{Section, Table};
use super::super::figures::counts;
use super::super::statistics::Rate;
use super::super::study::{Study, answers, in_order};
use crate::record::{Answer, Failure};

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Failures and origins");
    let failed = answers(study.records.iter()).any(|(_, answer)| answer.failure.is_some());
    if failed {
        section.text(
            "Not fitted: answer and model disagree with examples. Not sharp: the model was right about examples of which \
             the answer read off it is not. Sharp but wrong: it disagrees with examples, or is longer than the truth, so it \
             could have been known to be wrong. Undecided by the data: it agrees with the examples as well as the truth \
             does and is no longer. Not preferred: the truth was met, and another answer given; these are among the others.",
        );
        let kinds = Failure::ALL.map(|kind| kind.to_string());
        let head = ["learner".to_owned(), "exact".to_owned()].into_iter().chain(kinds);
        let head = head.chain(["no answer".to_owned(), "not preferred".to_owned()]);
        let mut table = Table::new("Answers by what became of them", head);
        for learner in study.learners() {
            let count = |kind: &dyn Fn(&Answer) -> bool| {
                answers(study.of(learner)).filter(|(_, answer)| kind(answer)).count().to_string()
            };
            let mut row = vec![learner.to_owned(), count(&|answer| answer.exact)];
            row.extend(Failure::ALL.map(|failure| count(&|answer| answer.failure == Some(failure))));
            row.push(study.of(learner).filter(|record| record.answer.is_none()).count().to_string());
            row.push(count(&|answer| answer.found_but_not_preferred));
            table.row(row);
        }
        section.table(table);
    }
    let mut origins = in_order(answers(study.records.iter()).map(|(_, answer)| answer.origin));
    origins.sort();
    if !origins.is_empty() {
        let names = origins.iter().map(|origin| name(*origin));
        let mut table =
            Table::new("Exact answers out of all, by how they were found", ["learner"].into_iter().chain(names));
        for learner in study.learners() {
            let cell = |origin: &_| {
                let found = answers(study.of(learner)).filter(|(_, answer)| answer.origin == *origin);
                counts(Rate::of(found.map(|(_, answer)| answer.exact)))
            };
            table.row([learner.to_owned()].into_iter().chain(origins.iter().map(cell)));
        }
        section.table(table);
    }
    section.if_any()
}

fn name(origin: induction::selection::Origin) -> &'static str {
    use induction::selection::Origin;
    match origin {
        Origin::Trivial => "trivial",
        Origin::Given => "given",
        Origin::Rpni => "RPNI",
        Origin::Edsm => "EDSM",
        Origin::Sat => "a solver",
        Origin::Neural => "neural",
        Origin::Repaired => "neural, repaired",
        Origin::Search => "search",
        Origin::Rival => "rival",
        Origin::Classes => "classes",
    }
}

//! How wrong answers failed, and how answers were found.

use super::super::document::{Section, Table};
use super::super::figures::counts;
use super::super::statistics::Rate;
use super::super::study::{Study, answers, in_order};
use crate::record::{Answer, Failure, Miss, Record};

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Failures and origins");
    let failed = answers(study.records.iter()).any(|(_, answer)| answer.failure.is_some());
    if failed {
        section.text(
            "Not fitted: answer and model disagree with examples. Not sharp: the model was right about examples of which \
             the answer read off it is not. Sharp but wrong: it disagrees with examples, or is longer than the truth, so it \
             could have been known to be wrong. Undecided by the data: it agrees with the examples as well as the truth \
             does and is no longer. The last three columns say of the same answers whether the truth was never found, found and \
             not preferred, or found and exactly as short.",
        );
        let kinds = Failure::ALL.map(|kind| kind.to_string());
        let head = ["learner".to_owned(), "exact".to_owned()].into_iter().chain(kinds);
        let misses = Miss::ALL.map(|kind| kind.to_string());
        let head = head.chain(["no answer".to_owned()]).chain(misses);
        let mut table = Table::new("Answers by what became of them", head);
        for learner in study.learners() {
            let count = |kind: &dyn Fn(&Answer) -> bool| {
                answers(study.of(learner)).filter(|(_, answer)| kind(answer)).count().to_string()
            };
            let mut row = vec![learner.to_owned(), count(&|answer| answer.exact)];
            row.extend(Failure::ALL.map(|failure| count(&|answer| answer.failure == Some(failure))));
            row.push(study.of(learner).filter(|record| record.answer.is_none()).count().to_string());
            row.extend(Miss::ALL.map(|miss| count(&|answer| answer.miss == Some(miss))));
            table.row(row);
        }
        section.table(table);
        section.table(missed(study));
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

/// What the first learner missed, job by job.
fn missed(study: &Study) -> Table {
    let learner = study.learners().first().copied().unwrap_or_default();
    let caption = format!("Answers of {learner} that are not exact, at most {LISTED} of them");
    let head = ["job", "truth", "failure", "states", "bits", "bits of the truth", "a shortest separating word"];
    let mut table = Table::new(&caption, head);
    let row = |record: &Record| {
        let (answer, truth) = (record.answer.as_ref()?, record.truth.as_ref()?);
        let (miss, failure) = (answer.miss?, answer.failure?);
        Some([
            record.spec.name.clone(),
            miss.to_string(),
            failure.to_string(),
            format!("{} of {}", answer.states, truth.states),
            format!("{:.1}", answer.bits),
            format!("{:.1}", truth.bits),
            answer.separating_word.as_deref().map_or("ε", |word| if word.is_empty() { "ε" } else { word }).to_owned(),
        ])
    };
    study.of(learner).filter_map(row).take(LISTED).for_each(|row| table.row(row));
    table
}

/// How many misses are listed.
const LISTED: usize = 20;

fn name(origin: induction::selection::Origin) -> &'static str {
    use induction::selection::Origin;
    match origin {
        Origin::Trivial => "trivial",
        Origin::Given => "given",
        Origin::Rpni => "RPNI",
        Origin::Edsm => "EDSM",
        Origin::Walks => "walks",
        Origin::Sat => "a solver",
        Origin::Neural => "neural",
        Origin::Repaired => "neural, repaired",
        Origin::Search => "search",
        Origin::Expressions => "expressions",
        Origin::Rival => "rival",
        Origin::Facts => "facts",
        Origin::Classes => "classes",
    }
}

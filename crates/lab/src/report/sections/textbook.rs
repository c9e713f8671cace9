//! Textbook exercises: how often the teacher's language was learned, and each exercise where it was not.

use super::super::document::{Section, Table};
use super::super::figures::{NONE, rate_in_full};
use super::super::statistics::Rate;
use super::super::study::Study;
use crate::record::{Answer, Record};
use crate::spec::Language;

/// The record of an exercise: the teacher's expression, and whether the exercise is held out.
#[derive(Clone, Copy)]
struct Exercise<'a> {
    record: &'a Record,
    expression: &'a str,
    held_out: bool,
}

impl<'a> Exercise<'a> {
    fn of(record: &'a Record) -> Option<Self> {
        match &record.spec.language {
            Language::Exercise { expression, held_out, .. } => Some(Self { record, expression, held_out: *held_out }),
            _ => None,
        }
    }

    fn is(&self, what: impl Fn(&Answer) -> bool) -> bool {
        self.record.answer.as_ref().is_some_and(what)
    }

    /// Whether the answer agrees with the examples, and its expression has at most as many characters as the teacher's.
    fn is_short(&self) -> bool {
        let most = self.expression.chars().count();
        let fits = |expression: &String| expression.chars().count() <= most;
        self.is(|answer| answer.consistent && answer.expression.as_ref().is_some_and(fits))
    }
}

pub(super) fn section(study: &Study) -> Option<Section> {
    if !study.records.iter().any(|record| Exercise::of(record).is_some()) {
        return None;
    }
    let mut section = Section::new("Textbook exercises");
    section.text(
        "Exact: the answer is the teacher's language. Short: it agrees with every example, and its expression has at most as \
         many characters as the teacher's. A job without an answer is neither.",
    );
    for draw in study.draws() {
        let head = ["learner, exercises", "exact", "consistent", "exact or short"];
        let mut table = Table::new(draw, head);
        for learner in study.learners() {
            let exercises: Vec<Exercise> = of_draw(study, learner, draw).collect();
            for (part, held_out) in [("all", None), ("tuned", Some(false)), ("held out", Some(true))] {
                let rate = |is: &dyn Fn(&Exercise) -> bool| {
                    let part = exercises.iter().filter(|one| held_out.is_none_or(|held_out| one.held_out == held_out));
                    rate_in_full(Rate::of(part.map(is)))
                };
                table.row([
                    format!("{learner}, {part}"),
                    rate(&|one| one.record.is_exact()),
                    rate(&|one| one.is(|answer| answer.consistent)),
                    rate(&|one| one.record.is_exact() || one.is_short()),
                ]);
            }
        }
        section.table(table);
    }
    for draw in study.draws() {
        for learner in study.learners() {
            section.table(missed(study, learner, draw));
        }
    }
    Some(section)
}

fn of_draw<'a>(study: &'a Study, learner: &'a str, draw: &'a str) -> impl Iterator<Item = Exercise<'a>> {
    study.of(learner).filter(move |record| record.spec.draw.name == draw).filter_map(Exercise::of)
}

/// The exercises whose language was not learned.
fn missed(study: &Study, learner: &str, draw: &str) -> Table {
    let head = ["exercise", "teacher", "answer", "short", "bits of the truth", "bits", "a shortest separating word"];
    let mut table = Table::new(&format!("{draw}: exercises that {learner} missed"), head);
    for one in of_draw(study, learner, draw).filter(|one| !one.record.is_exact()) {
        let answer = one.record.answer.as_ref();
        let held_out = if one.held_out { ", held out" } else { "" };
        let bits = |bits: Option<f64>| bits.map_or(NONE.to_owned(), |bits| format!("{bits:.1}"));
        let separating = answer.and_then(|answer| answer.separating_word.as_deref());
        table.row([
            format!("{}{held_out}", one.record.spec.language.name()),
            one.expression.to_owned(),
            answer.and_then(|answer| answer.expression.clone()).unwrap_or_else(|| NONE.to_owned()),
            if one.is_short() { "yes" } else { "no" }.to_owned(),
            bits(one.record.truth.as_ref().map(|truth| truth.bits)),
            bits(answer.map(|answer| answer.bits)),
            separating.map_or(NONE, |word| if word.is_empty() { "ε" } else { word }).to_owned(),
        ]);
    }
    table
}

//! How much of the language the answers cover: the paper's accuracy, and measures that are not dominated by the longest
//! words.

use super::super::document::{Section, Table};
use super::super::figures::share;
use super::super::statistics::mean;
use super::super::study::{Study, answers, in_order};
use crate::record::{Answer, Record};

pub(super) fn section(study: &Study) -> Option<Section> {
    let depths = in_order(answers(study.records.iter()).map(|(_, answer)| answer.evaluation.depth));
    if depths.is_empty() {
        return None;
    }
    let mut section = Section::new("Accuracy, recall and precision");
    let depths: Vec<String> = depths.iter().map(ToString::to_string).collect();
    section.text(format!(
        "Means over all answers. Recall, precision and accuracy (|L ∩ L'| / |L ∪ L'|, the paper's) are over all words to \
         length {}, counted exactly; nearly all of these words are the longest ones. By length: to twice the length of the \
         examples, every length counted alike. Balanced: the mean of the parts of words accepted rightly and rejected \
         rightly, again with every length alike.",
        depths.join(" or ")
    ));
    let mut table = Table::new(
        "Means by learner",
        ["learner", "answers", "recall", "precision", "accuracy", "by length", "balanced"],
    );
    for learner in study.learners() {
        let found: Vec<&Answer> = answers(study.of(learner)).map(|(_, answer)| answer).collect();
        let by =
            |measure: &dyn Fn(&Answer) -> Option<f64>| share(mean(found.iter().filter_map(|answer| measure(answer))));
        table.row([
            learner.to_owned(),
            found.len().to_string(),
            by(&|answer| Some(answer.evaluation.recall.value)),
            by(&|answer| Some(answer.evaluation.precision.value)),
            by(&|answer| Some(answer.evaluation.accuracy.value)),
            by(&|answer| Some(answer.by_length.as_ref()?.mean_accuracy)),
            by(&|answer| Some(answer.by_length.as_ref()?.balanced_accuracy)),
        ]);
    }
    section.table(table);
    if study.draws().len() > 1 {
        section.table(by_draw(study, "Mean accuracy by draw", &|answer| Some(answer.evaluation.accuracy.value)));
        let balanced = |answer: &Answer| Some(answer.by_length.as_ref()?.balanced_accuracy);
        section.table(by_draw(study, "Mean balanced accuracy at twice the training length, by draw", &balanced));
    }
    Some(section)
}

fn by_draw(study: &Study, caption: &str, measure: &dyn Fn(&Answer) -> Option<f64>) -> Table {
    let learners = study.learners();
    let mut table = Table::new(caption, ["draw"].into_iter().chain(learners.iter().copied()));
    for draw in study.draws() {
        let of_draw = |record: &&Record| record.spec.draw.name == draw;
        let cell = |learner: &&str| {
            let found = answers(study.of(learner).filter(of_draw)).filter_map(|(_, answer)| measure(answer));
            share(mean(found))
        };
        table.row([draw.to_owned()].into_iter().chain(learners.iter().map(cell)));
    }
    table
}

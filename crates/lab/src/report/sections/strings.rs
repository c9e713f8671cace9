//! Everyday strings: fresh words, and the length of the expression beside the one a person wrote.

use super::super::document::{Block, Section, Table};
use super::super::figures::{NONE, rate_in_full, share};
use super::super::statistics::{Rate, mean, quantile};
use super::super::study::{Study, answers};
use crate::record::{Answer, StringsScore};

/// What an answer should reach on fresh words.
const WANTED: f64 = 0.95;

/// An answer and its score.
type Scored<'a> = (&'a Answer, &'a StringsScore);

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("Everyday strings");
    section.text(format!(
        "Accuracy is balanced: the mean of the fractions of fresh words correctly accepted and correctly rejected. Good: it \
         is at least {WANTED}. Length: the number of characters of the expression divided by that of the reference; an \
         expression too long to be written counts as longer than any."
    ));
    let mut below = Vec::new();
    for draw in study.draws() {
        for (held_out, part) in [(false, "tuned"), (true, "held out")] {
            let head = ["learner", "consistent", "accuracy, mean", "median", "good", "exact", "length, median"];
            let mut table = Table::new(&format!("{draw}, languages {part}"), head);
            for learner in study.learners() {
                let of_draw = study.of(learner).filter(|record| record.spec.draw.name == draw);
                let scored: Vec<(&str, Scored)> = answers(of_draw)
                    .filter_map(|(spec, answer)| Some((&spec.name[..], (answer, answer.strings.as_ref()?))))
                    .filter(|(_, (_, score))| score.held_out == held_out)
                    .collect();
                if scored.is_empty() {
                    continue;
                }
                if study.learners().first() == Some(&learner) {
                    let short = scored.iter().filter(|(_, (_, score))| score.balanced_accuracy < WANTED);
                    below.extend(short.map(|(name, (_, score))| format!("{name}: {:.3}", score.balanced_accuracy)));
                }
                table.row(row(learner, &scored.iter().map(|(_, scored)| *scored).collect::<Vec<_>>()));
            }
            section.table(table);
        }
    }
    if section.blocks.len() < 2 {
        return None;
    }
    if !below.is_empty() {
        section.text(format!("Answers of {} that are not good:", study.learners().first()?));
        section.blocks.push(Block::List(below));
    }
    Some(section)
}

fn row(learner: &str, scored: &[Scored]) -> [String; 7] {
    let sorted = |number: &dyn Fn(&Scored) -> f64| {
        let mut numbers: Vec<f64> = scored.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let accuracies = sorted(&|(_, score)| score.balanced_accuracy);
    let lengths = sorted(&|(_, score)| match score.length {
        Some(length) => length as f64 / score.reference_length.max(1) as f64,
        None => f64::INFINITY,
    });
    let rate = |is: &dyn Fn(&Scored) -> bool| rate_in_full(Rate::of(scored.iter().map(is)));
    [
        learner.to_owned(),
        rate(&|(answer, _)| answer.consistent),
        share(mean(accuracies.iter().copied())),
        share(quantile(&accuracies, 0.5)),
        rate(&|(_, score)| score.balanced_accuracy >= WANTED),
        rate(&|(answer, _)| answer.exact),
        quantile(&lengths, 0.5).filter(|length| length.is_finite()).map_or(NONE.to_owned(), |l| format!("{l:.2}")),
    ]
}

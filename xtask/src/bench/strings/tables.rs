//! The figures of one size: learner by learner, and where they fall short.

use clap::ValueEnum;
use serde_json::Value;

use super::{HELD_OUT, Learner, TUNED};
use crate::bench::kept::Kept;
use crate::bench::print_table;
use crate::bench::statistics::{count, mean, numbers, quantile, share, time, times};

/// What an answer is to reach on fresh words.
const WANTED: f64 = 0.95;

pub(super) fn print(kept: &Kept, size: usize) {
    let row = size.to_string();
    for part in [TUNED, HELD_OUT] {
        let lines = |learner: Learner| kept.lines(&row, part, learner.name());
        let rows: Vec<Vec<String>> =
            Learner::value_variants().iter().map(|&learner| figures(learner, &lines(learner))).collect();
        print_table(
            &format!("{size} examples, half of them near misses; languages {part}"),
            &[
                "learner",
                "consistent",
                "balanced accuracy, mean",
                "median",
                "at least 0.95",
                "equal",
                "length / reference's, median",
                "time, median",
                "questions, median",
            ],
            &rows,
        );
    }
    let ours = |part| kept.lines(&row, part, Learner::Classes.name());
    let mut below: Vec<String> = [TUNED, HELD_OUT].into_iter().flat_map(ours).filter_map(short).collect();
    below.sort();
    if !below.is_empty() {
        println!("below {WANTED} with {}: {}", Learner::Classes.name(), below.join(", "));
    }
    kept.print_conditions(&row);
}

/// The name of a set that is not learned well enough, with what was reached.
fn short(line: &Value) -> Option<String> {
    let accuracy = line["accuracy"].as_f64().unwrap_or(0.0);
    (accuracy < WANTED).then(|| format!("{} {accuracy:.3}", line["set"].as_str().unwrap_or_default()))
}

fn figures(learner: Learner, lines: &[&Value]) -> Vec<String> {
    let mut row = vec![learner.name().to_owned()];
    if lines.is_empty() {
        row.extend(std::iter::repeat_n("–".to_owned(), 8));
        return row;
    }
    // Who gave no answer is right as often as one who guesses.
    let accuracies: Vec<f64> = lines.iter().map(|line| line["accuracy"].as_f64().unwrap_or(0.5)).collect();
    let good = accuracies.iter().filter(|accuracy| **accuracy >= WANTED).count();
    // An expression too long to be written is longer than any.
    let length = |line: &&Value| match (line["length"].as_f64(), line["reference_length"].as_f64()) {
        (Some(length), Some(reference)) => length / reference,
        _ => f64::INFINITY,
    };
    let lengths: Vec<f64> = lines.iter().map(length).collect();
    let questions = numbers(lines, "questions");
    row.extend([
        share(count(lines, "consistent"), lines.len()),
        format!("{:.3}", mean(&accuracies)),
        format!("{:.3}", quantile(&accuracies, 0.5)),
        share(good, lines.len()),
        share(count(lines, "equal"), lines.len()),
        format!("{:.2}", quantile(&lengths, 0.5)),
        time(quantile(&times(lines), 0.5)),
        match questions.len() {
            0 => "–".to_owned(),
            reached => format!("{:.0} in {reached} of {}", quantile(&questions, 0.5), lines.len()),
        },
    ]);
    row
}

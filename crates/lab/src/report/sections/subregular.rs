//! Subregular languages: accuracy on fresh words and on pairs one edit apart, by class and by alphabet.

use super::super::document::{Section, Table};
use super::super::figures::{NONE, counts, seconds, share};
use super::super::statistics::{Rate, mean, quantile};
use super::super::study::{Study, in_order};
use crate::record::{Record, Tested};
use crate::spec::Language;
use crate::subregular::Recipe;

/// A record of a subregular language.
#[derive(Clone, Copy)]
struct Result<'a> {
    record: &'a Record,
    recipe: Recipe,
}

impl<'a> Result<'a> {
    fn of(record: &'a Record) -> Option<Self> {
        match record.spec.language {
            Language::Subregular { recipe } => Some(Self { record, recipe }),
            _ => None,
        }
    }

    fn tested(&self) -> Option<&'a Tested> {
        self.record.answer.as_ref()?.tested.as_ref()
    }
}

pub(super) fn section(study: &Study) -> Option<Section> {
    let results: Vec<Result> = study.records.iter().filter_map(Result::of).collect();
    if results.is_empty() {
        return None;
    }
    let mut section = Section::new("Subregular languages");
    section.text(
        "Two accuracies: on fresh words, half of them accepted, and on pairs of words one edit apart, one of them accepted. \
         Means over languages. A job without an answer counts as one half in both, like a guess.",
    );
    for draw in in_order(results.iter().map(|one| one.record.spec.draw.name.as_str())) {
        let of_draw: Vec<Result> = results.iter().copied().filter(|one| one.record.spec.draw.name == draw).collect();
        section.table(by_alphabet(study, draw, &of_draw));
        section.table(by_class(study, draw, &of_draw));
    }
    Some(section)
}

/// A row for each learner, alphabet and half.
fn by_alphabet(study: &Study, draw: &str, results: &[Result]) -> Table {
    let head =
        ["learner, letters", "tuned: fresh", "pairs", "exact", "held out: fresh", "pairs", "exact", "seconds, median"];
    let mut table = Table::new(&format!("{draw}, by alphabet"), head);
    for learner in study.learners() {
        for letters in in_order(results.iter().map(|one| one.recipe.letters)) {
            let part = |held_out: Option<bool>| -> Vec<Result> {
                let of_half = |one: &&Result| held_out.is_none_or(|held_out| one.recipe.held_out == held_out);
                of(results, learner).filter(|one| one.recipe.letters == letters).filter(of_half).copied().collect()
            };
            let mut row = vec![format!("{learner}, {letters}")];
            for half in [part(Some(false)), part(Some(true))] {
                row.extend(accuracies(&half));
                row.push(counts(Rate::of(half.iter().map(|one| one.record.is_exact()))));
            }
            row.push(median_seconds(study, &part(None)));
            table.row(row);
        }
    }
    table
}

/// A row for each class, and both accuracies of each learner.
fn by_class(study: &Study, draw: &str, results: &[Result]) -> Table {
    let learners = study.learners();
    let heads = learners.iter().flat_map(|learner| [format!("{learner}: fresh"), "pairs".to_owned()]);
    let head = ["class".to_owned(), "languages".to_owned()].into_iter().chain(heads);
    let mut table = Table::new(&format!("{draw}, by class, all alphabets and both halves"), head);
    let mut classes: Vec<_> = in_order(results.iter().map(|one| one.recipe.class));
    classes.sort();
    for class in classes {
        let part = |learner: &str| -> Vec<Result> {
            of(results, learner).filter(|one| one.recipe.class == class).copied().collect()
        };
        let languages = learners.iter().map(|learner| part(learner).len()).max().unwrap_or(0);
        let cells = learners.iter().flat_map(|learner| accuracies(&part(learner)));
        table.row([class.to_string(), languages.to_string()].into_iter().chain(cells));
    }
    table
}

fn of<'a>(results: &'a [Result<'a>], learner: &str) -> impl Iterator<Item = &'a Result<'a>> {
    results.iter().filter(move |one| one.record.spec.learner.name == learner)
}

/// The mean accuracies on fresh words and on pairs.
fn accuracies(results: &[Result]) -> [String; 2] {
    const GUESS: f64 = 0.5;
    let fresh = results.iter().map(|one| one.tested().map_or(GUESS, |tested| tested.fresh_accuracy));
    let pairs = results.iter().map(|one| one.tested().and_then(|tested| tested.pairs_accuracy).unwrap_or(GUESS));
    [share(mean(fresh)), share(mean(pairs))]
}

fn median_seconds(study: &Study, results: &[Result]) -> String {
    let timings = results.iter().filter_map(|one| study.timings.get(&one.record.spec.name));
    let mut times: Vec<f64> = timings.map(|timing| timing.learning_seconds).collect();
    times.sort_by(f64::total_cmp);
    quantile(&times, 0.5).map_or(NONE.to_owned(), seconds)
}

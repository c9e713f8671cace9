//! Records as a table for other programs: one row per record, one column per field.
//!
//! An absent value is missing, never 0. Times are in a separate table.

use serde::Serialize;

use super::study::Study;
use crate::record::{Answer, Claim, Data, Record, Timing, Truth};
use crate::spec::{Language, Lengths, Method};

/// A column: its name and an optional value for each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name in the first line.
    pub name: &'static str,
    /// From the first row to the last.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Text.
    Text(Vec<Option<String>>),
    /// Integers.
    Count(Vec<Option<u64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Yes or no.
    Truth(Vec<Option<bool>>),
}

/// The columns of `records.csv`.
#[must_use]
pub fn records(study: &Study) -> Vec<Column> {
    let rows = &study.records;
    let mut columns = specifications(rows);
    columns.extend(truths(rows));
    columns.extend(examples(rows));
    columns.extend(found(rows));
    columns.push(text(rows, "error", |record| record.error.clone()));
    columns
}

/// The columns of `timings.csv`: the times, in the order of the records.
#[must_use]
pub fn timings(study: &Study) -> Vec<Column> {
    let rows: Vec<&Timing> = study.records.iter().filter_map(|record| study.timings.get(&record.spec.name)).collect();
    let number = |name, value: fn(&Timing) -> f64| {
        let values = rows.iter().map(|timing| Some(value(timing)));
        Column { name, values: Values::Number(values.collect()) }
    };
    vec![
        Column { name: "job", values: Values::Text(rows.iter().map(|timing| Some(timing.name.clone())).collect()) },
        number("seconds", |timing| timing.seconds),
        number("learning_seconds", |timing| timing.learning_seconds),
        number("steps_per_second", |timing| timing.steps_per_second),
        number("visits_per_second", |timing| timing.visits_per_second),
        Column { name: "cut", values: Values::Truth(rows.iter().map(|timing| Some(timing.cut)).collect()) },
    ]
}

fn specifications(rows: &[Record]) -> Vec<Column> {
    vec![
        text(rows, "plan", |record| Some(record.spec.plan.clone())),
        text(rows, "job", |record| Some(record.spec.name.clone())),
        text(rows, "version", |record| Some(record.version.clone())),
        text(rows, "language", |record| Some(record.spec.language.name())),
        text(rows, "language_kind", |record| kind(&record.spec.language)),
        count(rows, "drawn_nonterminals", |record| record.spec.language.nonterminals().map(|n| n as u64)),
        count(rows, "drawn_productions", |record| match record.spec.language {
            Language::Grammar { productions, .. } => Some(productions as u64),
            _ => None,
        }),
        text(rows, "class", |record| match record.spec.language {
            Language::Subregular { recipe } => Some(recipe.class.to_string()),
            _ => None,
        }),
        truth(rows, "held_out", |record| record.spec.language.is_held_out()),
        text(rows, "draw", |record| Some(record.spec.draw.name.clone())),
        count(rows, "depth", |record| Some(record.spec.draw.depth as u64)),
        text(rows, "lengths", |record| {
            Some(if record.spec.draw.lengths == Lengths::Even { "even" } else { "uniform" }.to_owned())
        }),
        number(rows, "noise", |record| Some(record.spec.draw.noise)),
        text(rows, "learner", |record| Some(record.spec.learner.name.clone())),
        text(rows, "method", |record| match &record.spec.learner.method {
            Method::Learn(how) => word(&how.engine),
            Method::Train(_) => Some("train".to_owned()),
        }),
        count(rows, "seed", |record| Some(record.spec.seed)),
        count(rows, "run", |record| Some(record.spec.run)),
        count(rows, "evaluation_depth", |record| Some(record.spec.evaluation_depth as u64)),
    ]
}

fn truths(rows: &[Record]) -> Vec<Column> {
    fn of(record: &Record) -> Option<&Truth> {
        record.truth.as_ref()
    }
    vec![
        count(rows, "truth_letters", |record| Some(of(record)?.letters as u64)),
        count(rows, "truth_states", |record| Some(of(record)?.states as u64)),
        count(rows, "truth_nonterminals", |record| Some(of(record)?.nonterminals as u64)),
        count(rows, "truth_productions", |record| Some(of(record)?.productions as u64)),
        // As text, since these numbers are too large for most programs.
        text(rows, "truth_words_to_depth", |record| Some(of(record)?.words_to_depth.clone())),
        text(rows, "truth_words_to_evaluation_depth", |record| Some(of(record)?.words_to_evaluation_depth.clone())),
        truth(rows, "truth_finite", |record| Some(of(record)?.finite)),
        number(rows, "truth_bits", |record| Some(of(record)?.bits)),
        text(rows, "truth_formula", |record| of(record)?.formula.clone()),
    ]
}

fn examples(rows: &[Record]) -> Vec<Column> {
    fn of(record: &Record) -> Option<&Data> {
        record.data.as_ref()
    }
    vec![
        count(rows, "examples", |record| Some(of(record)?.examples)),
        count(rows, "words", |record| Some(of(record)?.words)),
        count(rows, "positives", |record| Some(of(record)?.positives)),
        count(rows, "negatives", |record| Some(of(record)?.negatives)),
        count(rows, "longest", |record| Some(of(record)?.longest as u64)),
        count(rows, "flipped", |record| Some(of(record)?.flipped)),
        text(rows, "truth_is_minimal", |record| word(&of(record)?.truth_is_minimal)),
        text(rows, "truth_is_unique", |record| word(&of(record)?.truth_is_unique)),
    ]
}

fn found(rows: &[Record]) -> Vec<Column> {
    fn of(record: &Record) -> Option<&Answer> {
        record.answer.as_ref()
    }
    fn claim(claim: Claim) -> Option<String> {
        word(&claim)
    }
    vec![
        truth(rows, "exact", |record| Some(of(record)?.exact)),
        text(rows, "separating_word", |record| of(record)?.separating_word.clone()),
        count(rows, "separating_length", |record| of(record)?.separating_length.map(|length| length as u64)),
        count(rows, "states", |record| Some(of(record)?.states as u64)),
        count(rows, "nonterminals", |record| Some(of(record)?.nonterminals as u64)),
        count(rows, "productions", |record| Some(of(record)?.productions as u64)),
        number(rows, "bits", |record| Some(of(record)?.bits)),
        number(rows, "recall", |record| Some(of(record)?.evaluation.recall.value)),
        number(rows, "precision", |record| Some(of(record)?.evaluation.precision.value)),
        number(rows, "accuracy", |record| Some(of(record)?.evaluation.accuracy.value)),
        number(rows, "accuracy_by_length", |record| Some(of(record)?.by_length.as_ref()?.mean_accuracy)),
        number(rows, "balanced_accuracy", |record| Some(of(record)?.by_length.as_ref()?.balanced_accuracy)),
        truth(rows, "consistent", |record| Some(of(record)?.consistent)),
        count(rows, "errors", |record| Some(of(record)?.errors)),
        text(rows, "minimal", |record| claim(of(record)?.minimal)),
        text(rows, "unique", |record| claim(of(record)?.unique)),
        text(rows, "origin", |record| word(&of(record)?.origin)),
        text(rows, "shape", |record| word(&of(record)?.shape?)),
        count(rows, "finds", |record| Some(u64::from(of(record)?.finds))),
        count(rows, "truth_finds", |record| of(record)?.truth_finds.map(u64::from)),
        count(rows, "restarts", |record| Some(of(record)?.restarts)),
        count(rows, "epochs", |record| Some(of(record)?.epochs)),
        count(rows, "steps", |record| Some(of(record)?.steps)),
        count(rows, "visits", |record| Some(of(record)?.visits)),
        text(rows, "stop_reason", |record| word(&of(record)?.stop_reason)),
        text(rows, "failure", |record| word(&of(record)?.failure?)),
        text(rows, "miss", |record| word(&of(record)?.miss?)),
        count(rows, "questions_asked", |record| Some(of(record)?.questions.as_ref()?.asked)),
        count(rows, "suspects_rightly", |record| Some(of(record)?.suspects.as_ref()?.rightly)),
        count(rows, "suspects_wrongly", |record| Some(of(record)?.suspects.as_ref()?.wrongly)),
        number(rows, "fresh_accuracy", |record| Some(of(record)?.strings.as_ref()?.balanced_accuracy)),
        number(rows, "test_accuracy", |record| Some(of(record)?.tested.as_ref()?.fresh_accuracy)),
        number(rows, "test_balanced_rate", |record| Some(of(record)?.tested.as_ref()?.balanced_rate)),
        number(rows, "pairs_accuracy", |record| of(record)?.tested.as_ref()?.pairs_accuracy),
        count(rows, "expression_length", |record| {
            let answer = of(record)?;
            let length = match &answer.strings {
                Some(strings) => strings.length,
                None => answer.expression.as_ref().map(|expression| expression.chars().count()),
            };
            length.map(|length| length as u64)
        }),
        count(rows, "reference_length", |record| match &record.spec.language {
            Language::Exercise { expression, .. } => Some(expression.chars().count() as u64),
            _ => Some(of(record)?.strings.as_ref()?.reference_length as u64),
        }),
    ]
}

fn text(rows: &[Record], name: &'static str, value: fn(&Record) -> Option<String>) -> Column {
    Column { name, values: Values::Text(rows.iter().map(value).collect()) }
}

fn count(rows: &[Record], name: &'static str, value: fn(&Record) -> Option<u64>) -> Column {
    Column { name, values: Values::Count(rows.iter().map(value).collect()) }
}

fn number(rows: &[Record], name: &'static str, value: fn(&Record) -> Option<f64>) -> Column {
    Column { name, values: Values::Number(rows.iter().map(value).collect()) }
}

fn truth(rows: &[Record], name: &'static str, value: fn(&Record) -> Option<bool>) -> Column {
    Column { name, values: Values::Truth(rows.iter().map(value).collect()) }
}

/// A name as written in the record.
fn word(value: &impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// The kind of language as written in the record.
fn kind(language: &Language) -> Option<String> {
    serde_json::to_value(language).ok()?.get("kind")?.as_str().map(str::to_owned)
}

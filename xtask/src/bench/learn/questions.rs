//! How many questions it takes from ten words of each label, beside L*, which begins with none but may ask more: whether
//! an automaton is the truth, and if not, for a shortest word that shows it.

use serde_json::Value;

use super::grid::SETS;
use super::{Bench, Engine};
use crate::bench::print_table;
use crate::bench::statistics::{count, numbers, quantile, share, time, times};

const ROW: &str = "questions";
const CELL: &str = "8 even";
const PEER: &str = "lstar";

pub(super) fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let seconds = bench.limit(120);
    for engine in bench.engines() {
        bench.measure([ROW, CELL, engine.name()], SETS, &["questions", engine.name(), &seconds])?;
    }
    if bench.wants(Engine::Aalpy) {
        bench.aalpy(ROW, "8", "even", &[PEER])?;
    }
    print(bench);
    Ok(())
}

fn print(bench: &Bench) {
    let mut rows = Vec::new();
    for engine in Engine::OURS.map(Engine::name) {
        let lines = bench.kept.lines(ROW, CELL, engine);
        if lines.is_empty() {
            continue;
        }
        // Where the truth was never reached, no number of questions was enough.
        let asked = |line: &&Value| match line["exact"] == true {
            true => line["questions"].as_f64().unwrap_or(f64::NAN),
            false => f64::INFINITY,
        };
        let asked: Vec<f64> = lines.iter().map(asked).collect();
        let ended = |end: &str| lines.iter().filter(|line| line["end"] == end).count().to_string();
        let mut row = vec![engine.to_owned(), share(count(&lines, "exact"), lines.len())];
        row.extend(quartiles(&asked));
        row.push(String::new());
        row.extend(["questions", "nothing to ask", "time"].map(ended));
        row.push(time(quantile(&times(&lines), 0.5)));
        rows.push(row);
    }
    let lines = bench.kept.lines(ROW, CELL, &format!("aalpy {PEER}"));
    if !lines.is_empty() {
        for (field, title) in [("labels", "words"), ("queries", "queries")] {
            let mut row = vec![format!("AALpy's L*, {title}"), share(count(&lines, "exact"), lines.len())];
            row.extend(quartiles(&numbers(&lines, field)));
            row.push(format!("{:.0}", quantile(&numbers(&lines, "equivalence_queries"), 0.5)));
            row.extend(["", "", ""].map(String::from));
            row.push(time(quantile(&times(&lines), 0.5)));
            rows.push(row);
        }
    }
    print_table(
        "Questions until the answer is the truth: from 10 + 10 words (or all there are) of each language of the grid",
        &[
            "engine",
            "exact in the end",
            "lower quartile",
            "median",
            "upper quartile",
            "equivalence queries",
            "never: 300 asked",
            "never: nothing to ask",
            "never: time",
            "median time",
        ],
        &rows,
    );
    bench.kept.print_conditions(ROW);
}

fn quartiles(values: &[f64]) -> [String; 3] {
    [0.25, 0.5, 0.75].map(|part| match quantile(values, part) {
        value if value.is_finite() => format!("{value:.0}"),
        _ => "never".to_owned(),
    })
}

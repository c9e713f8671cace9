//! `cargo xtask bench kernels`: how close training comes to the machine's peak.

use std::process::Command;

use serde_json::{Value, json};

use super::{built, keep, print_table};
use crate::output_of;

/// Number of restarts trained together: enough that a batch plan serves several blocks of 16.
pub(super) const RESTARTS: &str = "64";

pub(crate) fn run() -> anyhow::Result<()> {
    let program = built("nerode-induction", "kernels")?;
    let measured = |arguments: &[&str]| -> anyhow::Result<Value> {
        Ok(serde_json::from_str(&output_of(Command::new(&program).args(arguments))?)?)
    };
    let sets = measured(&["sets"])?;
    let sets: Vec<&str> = sets.as_array().into_iter().flatten().filter_map(Value::as_str).collect();

    let mut figures = Vec::new();
    let mut rows = Vec::new();
    for &set in &sets {
        for shape in ["nfa", "dfa"] {
            for n in ["3", "5", "8", "16", "32"] {
                let figure = measured(&["speed", shape, n, set, RESTARTS])?;
                rows.push(vec![
                    set.to_owned(),
                    shape.to_owned(),
                    n.to_owned(),
                    scientific(&figure["restart_letters_per_s"]),
                    format!("{:.1}", number(&figure["peak_multiply_adds_per_s"]) / 1e9),
                    format!("{:.0} %", 100.0 * number(&figure["fraction_of_peak"])),
                ]);
                figures.push(figure);
            }
        }
    }
    print_table(
        "Training on one thread: 64 restarts, batches of 80 words of 16 letters over 4, prefixes not shared",
        &["instructions", "shape", "n'", "restart-letters/s", "peak, 10⁹ multiply-adds/s", "of the peak"],
        &rows,
    );

    let mut rows = Vec::new();
    let mut one_block = Vec::new();
    for shape in ["nfa", "dfa"] {
        let figure = measured(&["speed", shape, "5", sets[0], "16"])?;
        let share = format!("{:.0} %", 100.0 * number(&figure["fraction_of_peak"]));
        rows.push(vec![shape.to_owned(), scientific(&figure["restart_letters_per_s"]), share]);
        one_block.push(figure);
    }
    print_table(
        "A single block of 16 restarts, n' = 5, best instructions",
        &["shape", "restart-letters/s", "of the peak"],
        &rows,
    );

    let mut rows = Vec::new();
    let mut threads = Vec::new();
    for (shape, n) in [("nfa", "5"), ("dfa", "5"), ("nfa", "16")] {
        let figure = measured(&["threads", shape, n, "128"])?;
        rows.push(vec![
            shape.to_owned(),
            n.to_owned(),
            scientific(&figure["one_thread"]),
            scientific(&figure["two_threads"]),
            format!("{:.2} ×", number(&figure["ratio"])),
        ]);
        // Compared with twice the peak of one thread, which is in the row for one thread.
        let same = |row: &&Value| ["shape", "nonterminals", "isa"].iter().all(|key| row[key] == figure[key]);
        let one = figures.iter().find(same).cloned().unwrap_or_default();
        let needed = number(&figure["two_threads"]) * number(&one["multiply_adds_per_letter"]);
        figures.push(json!({
            "shape": shape, "nonterminals": figure["nonterminals"], "isa": figure["isa"], "threads": 2,
            "restarts": 128, "restart_letters_per_s": figure["two_threads"],
            "fraction_of_peak": needed / (2.0 * number(&one["peak_multiply_adds_per_s"])),
        }));
        threads.push(figure);
    }
    print_table("Two threads beside one: 128 restarts", &["shape", "n'", "one thread", "two threads", "ratio"], &rows);

    let mut rows = Vec::new();
    let sharing = measured(&["sharing", "nfa", "5", RESTARTS])?;
    for figure in sharing.as_array().into_iter().flatten() {
        rows.push(vec![
            figure["batch"].as_str().unwrap_or_default().to_owned(),
            scientific(&figure["not_shared"]),
            scientific(&figure["shared"]),
            format!("{:.2} ×", number(&figure["gain"])),
        ]);
    }
    print_table(
        "What sharing prefixes adds: n' = 5, 4,000 words to 16 letters, half of them drawn from (a|b)*cc*",
        &["batch", "not shared", "shared", "gain"],
        &rows,
    );
    keep("kernels", &json!({ "rows": figures, "one_block": one_block, "threads": threads, "sharing": sharing }))
}

pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

pub(super) fn scientific(value: &Value) -> String {
    format!("{:.2e}", number(value))
}

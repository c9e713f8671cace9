//! `cargo xtask bench torch`: the same training here and in PyTorch, on one thread, in one session.

use std::process::Command;

use serde_json::{Value, json};

use super::kernels::{RESTARTS, number, scientific};
use super::{built, keep, print_table, python};
use crate::{output_of, root};

/// The modes of PyTorch: a program for one restart, compiled, and 64 restarts in one tensor program.
const MODES: [(&str, &str); 4] = [
    ("eager", "eager, one restart"),
    ("compiled", "torch.compile, one restart"),
    ("batched", "eager, 64 restarts in one program"),
    ("batched-compiled", "torch.compile, 64 restarts in one program"),
];

/// Number of measurements of each side, in turns; the best counts.
const TURNS: usize = 3;

pub(crate) fn run() -> anyhow::Result<()> {
    let program = built("nerode-induction", "kernels")?;
    let python = python::with_packages(&["torch", "numpy"])?;
    let script = root().join("scripts/train_torch.py");
    let data = root().join("target/bench/words.json");
    std::fs::create_dir_all(root().join("target/bench"))?;
    output_of(Command::new(&program).arg("data").arg(&data))?;
    let sets: Value = serde_json::from_str(&output_of(Command::new(&program).arg("sets"))?)?;
    let set = sets[0].as_str().unwrap_or("portable").to_owned();

    let mut ours = [Value::Null, Value::Null];
    let mut theirs = vec![Value::Null; MODES.len()];
    let faster = |now: &Value, best: &Value| {
        let speed = |figure: &Value| figure["restart_letters_per_s"].as_f64().unwrap_or(0.0);
        best.is_null() || speed(now) > speed(best)
    };
    for _ in 0..TURNS {
        for (best, restarts) in ours.iter_mut().zip(["16", RESTARTS]) {
            let line = output_of(Command::new(&program).args(["speed", "nfa", "5", &set, restarts]))?;
            let figure = serde_json::from_str(&line)?;
            if faster(&figure, best) {
                *best = figure;
            }
        }
        for (best, (mode, _)) in theirs.iter_mut().zip(MODES) {
            let line = output_of(
                Command::new(&python).arg(&script).args(["--mode", mode, "--seconds", "3", "--data"]).arg(&data),
            )?;
            let figure = serde_json::from_str(&line)?;
            if faster(&figure, best) {
                *best = figure;
            }
        }
    }

    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for ((mode, title), figure) in MODES.iter().zip(&theirs) {
        let mut row = vec![(*title).to_owned()];
        match figure["restart_letters_per_s"].as_f64() {
            Some(speed) => {
                let ratio = |our: &Value| number(&our["restart_letters_per_s"]) / speed;
                row.push(scientific(&figure["restart_letters_per_s"]));
                row.extend(ours.iter().map(|our| format!("{:.0} ×", ratio(our))));
                ratios.push(json!({ "mode": mode, "ratio_16": ratio(&ours[0]), "ratio_64": ratio(&ours[1]) }));
            }
            // Report missing figures instead of leaving them out.
            None => row.push(figure["error"].as_str().unwrap_or("no figure").to_owned()),
        }
        rows.push(row);
    }
    let version = theirs[0]["torch"].as_str().unwrap_or_default();
    print_table(
        &format!("PyTorch {version} and Nerode ({set}), one thread: n' = 5, batches of 80 words of 16 letters"),
        &["PyTorch", "restart-letters/s", "Nerode, 16 restarts", "Nerode, 64 restarts"],
        &rows,
    );
    for (our, restarts) in ours.iter().zip(["16", RESTARTS]) {
        println!("Nerode, {restarts} restarts: {} restart-letters/s", scientific(&our["restart_letters_per_s"]));
    }
    keep("torch", &json!({ "ours": ours, "torch": theirs, "ratios": ratios }))
}

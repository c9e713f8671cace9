//! `cargo xtask bench size`: a million words of thirty letters over twenty-six, learned by `nerode learn` in a separate
//! process: whether it is learned, and in what time and memory.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use super::process::watched;
use super::{built, keep, nerode, print_table, time};
use crate::{output_of, root};

/// The languages: names and descriptions.
const CASES: [(&str, &str); 2] = [("factor", "words that contain key"), ("random", "a random automaton of 6 states")];
/// Time limit of a run.
const LIMIT: Duration = Duration::from_secs(900);

pub(super) fn run() -> anyhow::Result<()> {
    let (writer, learner) = (built("nerode-lab", "size")?, nerode()?);
    let (mut figures, mut rows) = (Vec::new(), Vec::new());
    for (case, title) in CASES {
        let line = measure(&writer, &learner, case)?;
        let peak =
            line["peak_bytes"].as_f64().map_or("–".to_owned(), |bytes| format!("{:.0} MiB", bytes / 1_048_576.0));
        let least = if line["cut"] == true { "> " } else { "" };
        let yes = |field: &str| match line[field].as_bool() {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => "–".to_owned(),
        };
        rows.push(vec![
            title.to_owned(),
            format!("{least}{}", time(line["seconds"].as_f64().unwrap_or(f64::NAN))),
            peak,
            line["states"].as_u64().map_or("–".to_owned(), |states| states.to_string()),
            yes("consistent"),
            yes("exact"),
        ]);
        figures.push(line);
    }
    print_table(
        "10⁶ words of 30 letters over 26, half of them in the language, each half drawn uniformly; two threads",
        &["language", "time", "peak memory", "states", "consistent", "exact"],
        &rows,
    );
    keep("size", &json!(figures))
}

fn measure(writer: &str, learner: &str, case: &str) -> anyhow::Result<Value> {
    let folder = root().join(format!("target/bench/size-{case}"));
    output_of(Command::new(writer).arg(case).arg(&folder))?;
    let out = folder.join("learned");
    // Do not mistake an earlier answer for this one.
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(learner);
    command.arg("learn").arg(folder.join("words.csv")).args(["--threads", "2", "--out"]).arg(&out);
    let begin = Instant::now();
    let child = command.stdout(Stdio::null()).spawn().with_context(|| format!("cannot run {command:?}"))?;
    let (peak, cut) = watched(child, begin, LIMIT)?;
    let mut line = json!({
        "case": case, "seconds": begin.elapsed().as_secs_f64(), "peak_bytes": peak, "cut": cut,
    });
    if !cut {
        let result: Value = serde_json::from_str(&std::fs::read_to_string(out.join("result.json"))?)?;
        for (field, name) in [("states", "dfa_states"), ("consistent", "consistent"), ("errors", "errors")] {
            line[field] = result[name].clone();
        }
        // Both are in canonical form.
        let same = std::fs::read(out.join("dfa.json"))? == std::fs::read(folder.join("truth.json"))?;
        line["exact"] = json!(same);
    }
    Ok(line)
}

//! `cargo xtask bench automata`.

use std::process::Command;

use serde_json::{Value, json};

use super::{built, keep, print_table, python, time};
use crate::{output_of, root};

/// The cases that grow, and the sizes at which they are measured.
const GROWTH: [(&str, &str, [usize; 3]); 5] = [
    ("minimize-random", "minimise, random", [10_000, 100_000, 1_000_000]),
    ("minimize-half", "minimise, half of the states merge", [10_000, 100_000, 1_000_000]),
    ("minimize-cycle", "minimise, de Bruijn cycle", [1 << 13, 1 << 17, 1 << 20]),
    ("minimize-late-cycle", "minimise, de Bruijn cycle, Hopcroft alone", [1 << 13, 1 << 17, 1 << 20]),
    ("equivalence", "equivalence with a shuffled copy", [10_000, 100_000, 1_000_000]),
];

/// Time limit of a peer, in seconds.
const PEER_SECONDS: u64 = 120;

pub(crate) fn run() -> anyhow::Result<()> {
    let program = built("nerode-automata", "scale")?;
    let measured = |case: &str, states: usize| -> anyhow::Result<Value> {
        let line = output_of(Command::new(&program).args([case, &states.to_string()]))?;
        Ok(serde_json::from_str(&line)?)
    };
    let seconds = |figure: &Value| figure["seconds"].as_f64().unwrap_or(f64::NAN);

    let mut growth = Vec::new();
    let mut rows = Vec::new();
    for (case, title, sizes) in GROWTH {
        let mut before: Option<(usize, f64)> = None;
        for states in sizes {
            let figure = measured(case, states)?;
            let now = seconds(&figure);
            // The exponent of growth: 1 is linear.
            let exponent = before.map(|(smaller, then)| (now / then).ln() / (states as f64 / smaller as f64).ln());
            let peak = figure["peak_bytes"].as_f64().map_or("–".to_owned(), |b| format!("{:.0} MiB", b / 1048576.0));
            let nanoseconds = now * 1e9 / states as f64;
            rows.push(vec![
                title.to_owned(),
                states.to_string(),
                time(now),
                format!("{nanoseconds:.0} ns"),
                exponent.map_or(String::new(), |e| format!("n^{e:.2}")),
                peak,
            ]);
            before = Some((states, now));
            growth.push(figure);
        }
    }
    print_table(
        "Automata at scale (complete, 4 letters; the cycles 1 and 2 letters; best of several runs)",
        &["case", "states", "time", "per state", "growth", "peak memory"],
        &rows,
    );

    let count = measured("count", 100)?;
    println!("\nwords to length 1,000 of a 100-state automaton counted exactly in {}", time(seconds(&count)));

    let python = python::with_packages(&["automata-lib", "aalpy"])?;
    let mut peers = Vec::new();
    let mut rows = Vec::new();
    for states in [1_000, 10_000] {
        let file = root().join(format!("target/bench/random-{states}.json"));
        output_of(Command::new(&program).args(["write", &states.to_string()]).arg(&file))?;
        let ours = seconds(&measured("minimize-random", states)?);
        for name in ["automata-lib", "aalpy"] {
            let script = root().join("scripts/minimize_peers.py");
            let line = output_of(Command::new(&python).arg(script).args([name, &PEER_SECONDS.to_string()]).arg(&file))?;
            let mut peer: Value = serde_json::from_str(&line)?;
            // A stopped peer took at least this long.
            let (took, least) = match peer["seconds"].as_f64() {
                Some(seconds) => (seconds, ""),
                None => (PEER_SECONDS as f64, "> "),
            };
            rows.push(vec![
                states.to_string(),
                format!("{name} {}", peer["version"].as_str().unwrap_or_default()),
                time(ours),
                format!("{least}{}", time(took)),
                format!("{least}{:.0} ×", took / ours),
            ]);
            peer["ours_seconds"] = json!(ours);
            peer["ratio_at_least"] = json!(took / ours);
            peers.push(peer);
        }
    }
    print_table("Minimising the same random automaton", &["states", "peer", "ours", "theirs", "ratio"], &rows);
    keep("automata", &json!({ "growth": growth, "count": count, "peers": peers }))
}

//! A million words of thirty letters over twenty-six, learned as a user would: by `nerode learn` in a process of its own,
//! or as long as there is no such command by a program that uses the library.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use super::{Bench, Engine};
use crate::bench::process::watched;
use crate::bench::statistics::time;
use crate::bench::{nerode, print_table};
use crate::{output_of, root};

const ROW: &str = "size";
/// The languages: what is said of them, by name.
const CASES: [(&str, &str); 2] = [("factor", "words that contain key"), ("random", "a random automaton of 6 states")];
/// How long it may take.
const LIMIT: u32 = 900;

pub(super) fn run(bench: &mut Bench) -> anyhow::Result<()> {
    bench.limit(LIMIT);
    for (case, _) in CASES {
        if !bench.wants(Engine::Auto) || bench.options.resume && bench.kept.count(ROW, case, Engine::Auto.name()) > 0 {
            continue;
        }
        eprintln!("{ROW} {case}");
        let line = measure(bench, case)?;
        bench.keep([ROW, case, Engine::Auto.name()], line)?;
    }
    print(bench);
    Ok(())
}

fn measure(bench: &Bench, case: &str) -> anyhow::Result<Value> {
    let folder = root().join(format!("target/bench/learn/size-{case}"));
    output_of(Command::new(&bench.program).args(["size-write", case]).arg(&folder))?;
    let (mut command, through, out) = match nerode()? {
        Some(program) => {
            let (mut command, out) = (Command::new(program), folder.join("learned"));
            // What was learned before is not to be taken for what is learned now.
            if out.exists() {
                std::fs::remove_dir_all(&out)?;
            }
            command.stdout(Stdio::null());
            command.arg("learn").arg(folder.join("words.csv")).args(["--threads", "2", "--out"]).arg(&out);
            (command, "nerode learn", Some(out))
        }
        None => {
            let mut command = Command::new(&bench.program);
            command.arg("size-learn").arg(&folder).stdout(Stdio::piped());
            (command, "the library", None)
        }
    };
    let begin = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let limit = Duration::from_secs(bench.limit.into());
    let (printed, peak, cut) = watched(child, begin, limit)?;
    let seconds = begin.elapsed().as_secs_f64();
    let mut line = match &out {
        // What it learned is in its folder, as canonical as the truth.
        Some(out) if !cut => {
            let result: Value = serde_json::from_str(&std::fs::read_to_string(out.join("result.json"))?)?;
            let same = std::fs::read(out.join("dfa.json"))? == std::fs::read(folder.join("truth.json"))?;
            json!({ "exact": same, "states": result["dfa_states"], "consistent": result["consistent"], "errors": result["errors"] })
        }
        _ => serde_json::from_str(&printed).unwrap_or(json!({})),
    };
    line["seconds"] = json!(seconds);
    line["peak_bytes"] = json!(peak);
    line["through"] = json!(through);
    line["cut"] = json!(cut);
    Ok(line)
}

fn print(bench: &Bench) {
    let mut rows = Vec::new();
    for (case, title) in CASES {
        for line in bench.kept.lines(ROW, case, Engine::Auto.name()) {
            let peak =
                line["peak_bytes"].as_f64().map_or("–".to_owned(), |bytes| format!("{:.0} MiB", bytes / 1_048_576.0));
            let least = if line["cut"] == true { "> " } else { "" };
            let yes = |field: &str| match line[field].as_bool() {
                Some(true) => "yes",
                Some(false) => "no",
                None => "–",
            };
            rows.push(vec![
                title.to_owned(),
                line["through"].as_str().unwrap_or_default().to_owned(),
                format!("{least}{}", time(line["seconds"].as_f64().unwrap_or(f64::NAN))),
                peak,
                line["states"].as_u64().map_or("–".to_owned(), |states| states.to_string()),
                yes("consistent").to_owned(),
                yes("exact").to_owned(),
            ]);
        }
    }
    print_table(
        "10⁶ words of 30 letters over 26, half of them of the language, each half drawn uniformly; two threads",
        &["language", "through", "time", "peak memory", "states", "consistent", "exact"],
        &rows,
    );
    bench.kept.print_conditions(ROW);
}

//! The paper's grid: sixty languages, words to length 8 and 16, drawn uniformly and evenly by length.

use serde_json::Value;

use super::{Bench, Engine};
use crate::bench::print_table;
use crate::bench::statistics::{count, cut, quantile, share, time, times};

const ROW: &str = "grid";
pub(super) const SETS: usize = 60;
const CELLS: [(&str, &str); 4] = [("8", "uniform"), ("8", "even"), ("16", "uniform"), ("16", "even")];
/// AALpy's learners from examples.
const PEERS: [&str; 2] = ["rpni", "edsm"];

pub(super) fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let seconds = bench.limit(30);
    for (depth, draw) in CELLS {
        for engine in bench.engines() {
            let at = [ROW, &format!("{depth} {draw}"), engine.name()];
            bench.measure(at, SETS, &["grid", depth, draw, engine.name(), &seconds])?;
        }
        if bench.wants(Engine::Aalpy) {
            bench.aalpy(ROW, depth, draw, &PEERS)?;
        }
    }
    print(bench);
    Ok(())
}

fn print(bench: &Bench) {
    let mut rows = Vec::new();
    let mut misses = Vec::new();
    for (depth, draw) in CELLS {
        let cell = format!("{depth} {draw}");
        let ours = Engine::OURS.map(|engine| engine.name().to_owned());
        let peers = PEERS.map(|peer| format!("aalpy {peer}"));
        for engine in ours.iter().chain(&peers) {
            let lines = bench.kept.lines(ROW, &cell, engine);
            if lines.is_empty() {
                continue;
            }
            let of_kind = |kind: &str| lines.iter().filter(|line| line["miss"]["kind"] == kind).count();
            let undecided = lines.iter().filter(|line| line["miss"]["undecided"] == true).count();
            let times = times(&lines);
            let mut row = vec![cell.clone(), engine.clone()];
            // What AALpy merges agrees with the examples by construction, and why it is not the truth is not known.
            let ours = !engine.starts_with("aalpy");
            row.push(if ours { share(count(&lines, "consistent"), lines.len()) } else { String::new() });
            row.push(share(count(&lines, "exact"), lines.len()));
            row.extend([quantile(&times, 0.5), quantile(&times, 1.0)].map(time));
            let classes = [of_kind("never found"), of_kind("not preferred"), of_kind("tied"), undecided];
            row.extend(classes.map(|class| if ours { class.to_string() } else { String::new() }));
            row.push(cut(&lines).to_string());
            rows.push(row);
            if engine == Engine::Auto.name() {
                misses.extend(lines.iter().filter(|line| line["exact"] == false).map(|line| missed(&cell, line)));
            }
        }
    }
    print_table(
        "The grid: 4 letters, n 2–4 × 𝔭 2–5 × 5 grammars, 2,000 + 2,000 words, two threads",
        &[
            "words",
            "engine",
            "consistent",
            "exact",
            "median time",
            "longest",
            "never found",
            "not preferred",
            "tied",
            "undecided by the data",
            "cut",
        ],
        &rows,
    );
    println!(
        "undecided by the data: of the misses, those whose answer agrees with all examples, as the truth does, and takes \
         no longer to describe"
    );
    if !misses.is_empty() {
        print_table(
            "What auto missed",
            &["words", "set", "miss", "bits", "of the truth", "undecided", "a shortest word that separates"],
            &misses,
        );
    }
    print_agreement(bench);
    bench.kept.print_conditions(ROW);
}

/// Whether our merging and AALpy's recover the same targets: on the sets that both were given, none of them cut.
fn print_agreement(bench: &Bench) {
    let mut rows = Vec::new();
    for (cell, peer) in CELLS.iter().flat_map(|cell| PEERS.map(|peer| (cell, peer))) {
        let cell = format!("{} {}", cell.0, cell.1);
        let theirs = bench.kept.lines(ROW, &cell, &format!("aalpy {peer}"));
        let ours = bench.kept.lines(ROW, &cell, peer);
        // Both, only ours, only AALpy, neither.
        let mut counts = [0; 4];
        for their in theirs.iter().filter(|line| line["seconds"].is_number()) {
            if let Some(our) = ours.iter().find(|line| line["set"] == their["set"]) {
                counts[2 * usize::from(our["exact"] != true) + usize::from(their["exact"] != true)] += 1;
            }
        }
        if counts.iter().sum::<usize>() > 0 {
            rows.push([cell, peer.to_owned()].into_iter().chain(counts.map(|count| count.to_string())).collect());
        }
    }
    if !rows.is_empty() {
        let columns = ["words", "merging", "both exact", "only ours", "only AALpy", "neither"];
        print_table("Merging, ours and AALpy's, on the sets that AALpy was not cut on", &columns, &rows);
    }
}

fn missed(cell: &str, line: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let bits = |value: &Value| value.as_f64().map_or(String::new(), |bits| format!("{bits:.1}"));
    let miss = &line["miss"];
    vec![
        cell.to_owned(),
        text(&line["set"]),
        text(&miss["kind"]),
        bits(&miss["bits"]),
        bits(&miss["truth_bits"]),
        if miss["undecided"] == true { "yes" } else { "no" }.to_owned(),
        text(&miss["separating_word"]),
    ]
}

//! Tomita's seven languages, five draws of at most 250 + 250 words each.

use super::{Bench, Engine};
use crate::bench::print_table;
use crate::bench::statistics::{count, cut, quantile, share, time, times};

const ROW: &str = "tomita";
const CELL: &str = "all";
const SETS: usize = 35;

pub(super) fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let seconds = bench.limit(30);
    for engine in bench.engines() {
        bench.measure([ROW, CELL, engine.name()], SETS, &["tomita", engine.name(), &seconds])?;
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
        let times = times(&lines);
        let mut row = vec![engine.to_owned(), share(count(&lines, "consistent"), lines.len())];
        row.push(share(count(&lines, "exact"), lines.len()));
        for number in 1..=7 {
            let name = format!("tomita{number}-");
            let one = lines.iter().filter(|line| line["set"].as_str().is_some_and(|set| set.starts_with(&name)));
            row.push(one.filter(|line| line["exact"] == true).count().to_string());
        }
        row.extend([quantile(&times, 0.5), quantile(&times, 1.0)].map(time));
        row.push(cut(&lines).to_string());
        rows.push(row);
    }
    print_table(
        "Tomita's languages: at most 250 + 250 words to length 15, five seeds each, two threads; exact by language",
        &["engine", "consistent", "exact", "1", "2", "3", "4", "5", "6", "7", "median time", "longest", "cut"],
        &rows,
    );
    bench.kept.print_conditions(ROW);
}

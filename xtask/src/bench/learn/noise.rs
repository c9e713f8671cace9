//! The grid, words to length 8 drawn evenly, with labels flipped at random.

use serde_json::Value;

use super::grid::SETS;
use super::{Bench, Engine};
use crate::bench::print_table;
use crate::bench::statistics::{count, quantile, share, sum, time, times};

const ROW: &str = "noise";
const RATES: [(&str, &str); 2] = [("0.01", "1 %"), ("0.05", "5 %")];
/// Whether the learner is told the rate.
const TOLD: [&str; 2] = ["told", "auto"];
/// Languages with fewer positive words are reported apart: a few flips may leave nothing of them.
const ENOUGH: u64 = 100;

pub(super) fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let seconds = bench.limit(30);
    for (rate, _) in RATES {
        for told in TOLD {
            // Search knows right and wrong, and refuses labels that may be neither.
            for engine in bench.engines().filter(|engine| *engine != Engine::Search) {
                let at = [ROW, &format!("{rate} {told}"), engine.name()];
                bench.measure(at, SETS, &["noise", rate, told, engine.name(), &seconds])?;
            }
        }
    }
    print(bench);
    Ok(())
}

fn print(bench: &Bench) {
    let mut rows = Vec::new();
    for (rate, percent) in RATES {
        for told in TOLD {
            for engine in Engine::OURS.map(Engine::name) {
                let lines = bench.kept.lines(ROW, &format!("{rate} {told}"), engine);
                if lines.is_empty() {
                    continue;
                }
                let enough = |line: &&&Value| line["positives"].as_u64().is_some_and(|words| words >= ENOUGH);
                let many: Vec<&Value> = lines.iter().filter(enough).copied().collect();
                let few: Vec<&Value> = lines.iter().filter(|line| !enough(line)).copied().collect();
                let mut row = vec![percent.to_owned(), told.to_owned(), engine.to_owned()];
                row.extend([&many, &few].map(|lines| share(count(lines, "exact"), lines.len())));
                row.push(format!("{} of {}", sum(&many, "pointed_out"), sum(&many, "flipped")));
                row.push(sum(&many, "pointed_out_wrongly").to_string());
                row.push(format!("{} of {}", sum(&few, "pointed_out"), sum(&few, "flipped")));
                row.push(sum(&few, "pointed_out_wrongly").to_string());
                let times = times(&lines);
                row.extend([quantile(&times, 0.5), quantile(&times, 1.0)].map(time));
                rows.push(row);
            }
        }
    }
    print_table(
        &format!(
            "The grid, words to length 8 drawn evenly, labels of words flipped; languages of at least {ENOUGH} different \
             positive words, and the others"
        ),
        &[
            "flipped",
            "rate",
            "engine",
            "exact",
            "exact, others",
            "flips pointed out",
            "wrongly",
            "others: flips pointed out",
            "wrongly",
            "median time",
            "longest",
        ],
        &rows,
    );
    bench.kept.print_conditions(ROW);
}

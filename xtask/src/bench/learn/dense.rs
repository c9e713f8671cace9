//! Few words of random automata over two letters: what merging finds hard when words are long, and others when states
//! are many.

use std::str::FromStr;

use super::{Bench, Engine};
use crate::bench::print_table;
use crate::bench::statistics::{cut, quantile, share, time, times};

const ROW: &str = "dense";
const STATES: [usize; 5] = [10, 16, 20, 30, 50];
const WORDS: [usize; 3] = [12, 25, 50];
const LENGTHS: [&str; 2] = ["even", "uniform"];
/// The model alone is not tried beyond: it is slow there and finds nothing.
const MOST_FOR_THE_MODEL: usize = 16;
/// The engines, with the size unknown; then with the size given.
const ENGINES: [Engine; 6] = [Engine::Auto, Engine::Rpni, Engine::Edsm, Engine::Search, Engine::Neural, Engine::Given];

/// Which sets: so many states, so many words a state, and how their lengths are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    states: usize,
    words: usize,
    lengths: &'static str,
}

impl Cell {
    fn all() -> Vec<Self> {
        let cells = STATES.into_iter().flat_map(|states| {
            let words = WORDS.into_iter();
            words.flat_map(move |words| LENGTHS.into_iter().map(move |lengths| Self { states, words, lengths }))
        });
        cells.collect()
    }

    fn name(self) -> String {
        format!("k{} w{} {}", self.states, self.words, self.lengths)
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not a cell like 20,50,even: {STATES:?}, {WORDS:?}, {LENGTHS:?}");
        let parts: Vec<&str> = text.split(',').collect();
        let [states, words, lengths] = parts[..] else { return Err(wrong()) };
        let known = |cell: &Self| {
            cell.states.to_string() == states && cell.words.to_string() == words && cell.lengths == lengths
        };
        Self::all().into_iter().find(known).ok_or_else(wrong)
    }
}

pub(super) fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let cells = if bench.options.cells.is_empty() { Cell::all() } else { bench.options.cells.clone() };
    let seconds = bench.limit(120);
    for cell in cells {
        for engine in ENGINES.into_iter().filter(|engine| bench.wants(*engine)).collect::<Vec<_>>() {
            if engine == Engine::Neural && cell.states > MOST_FOR_THE_MODEL {
                continue;
            }
            let name = cell.name();
            let at = [ROW, &name, engine.name()];
            if !bench.options.resume {
                bench.kept.forget(ROW, &name, engine.name());
            }
            let (states, words) = (cell.states.to_string(), cell.words.to_string());
            // One by one, so that a run can be taken up again in the middle of a cell.
            for index in 0..bench.options.sets {
                let set = format!("dense-k{states}-w{words}-{}-{index}", cell.lengths);
                if !bench.kept.has(at, &set) {
                    let index = index.to_string();
                    bench.one(at, &["dense", &states, &words, cell.lengths, &index, engine.name(), &seconds])?;
                }
            }
        }
    }
    print(bench);
    Ok(())
}

fn print(bench: &Bench) {
    let mut rows = Vec::new();
    for cell in Cell::all() {
        for engine in ENGINES {
            let lines = bench.kept.lines(ROW, &cell.name(), engine.name());
            if lines.is_empty() {
                continue;
            }
            let small = lines.iter().filter(|line| {
                line["consistent"] == true && line["states"].as_u64().is_some_and(|states| states <= cell.states as u64)
            });
            let exact = lines.iter().filter(|line| line["exact"] == true).count();
            let name = if engine == Engine::Given { "search, size given" } else { engine.name() };
            rows.push(vec![
                cell.states.to_string(),
                cell.words.to_string(),
                cell.lengths.to_owned(),
                name.to_owned(),
                share(small.count(), lines.len()),
                share(exact, lines.len()),
                time(quantile(&times(&lines), 0.5)),
                cut(&lines).to_string(),
            ]);
        }
    }
    print_table(
        "Random automata of k states over two letters, words to length 15, two threads",
        &["k", "words a state", "lengths", "engine", "consistent, at most k states", "exact", "median time", "cut"],
        &rows,
    );
    bench.kept.print_conditions(ROW);
}

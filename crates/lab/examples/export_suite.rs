//! Writes the sets of a suite for other learners: for each set `NAME.dat`, its examples in the Abbadingo format, and
//! beside it `NAME.truth.json`, the minimal automaton.
//!
//! ```sh
//! cargo run --release -p lab --example export_suite -- FOLDER grid DEPTH uniform|even [SEED]
//! cargo run --release -p lab --example export_suite -- FOLDER tomita [SEED]
//! cargo run --release -p lab --example export_suite -- FOLDER dense STATES WORDS-PER-STATE uniform|even SETS [SEED]
//! ```

use std::path::Path;

use anyhow::{Context, bail};
use automata::Dfa;
use automata::formats::{abbadingo, json};
use lab::examples::{Draw, ExampleSet};
use lab::suites::{Lengths, dense, grid, tomita};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [folder, suite, rest @ ..] = &arguments[..] else { bail!("a folder and the name of a suite, please") };
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let write = |name: &str, target: &Dfa, examples: &ExampleSet| -> anyhow::Result<()> {
        std::fs::write(folder.join(format!("{name}.dat")), abbadingo::write(&examples.into()))?;
        Ok(std::fs::write(folder.join(format!("{name}.truth.json")), json::write_dfa(target))?)
    };
    let seed = |text: Option<&&str>| text.map_or(Ok(0), |text| text.parse::<u64>().context("the seed is a number"));
    match (*suite, rest) {
        ("grid", [depth, draw, rest @ ..]) => {
            let draw = match *draw {
                "uniform" => Draw::Uniform,
                "even" => Draw::Even,
                other => bail!("{other} is not uniform or even"),
            };
            for set in grid(depth.parse()?, draw, seed(rest.first())?)? {
                write(&set.name, &set.target, &set.examples)?;
            }
        }
        ("tomita", rest) => {
            let seed = seed(rest.first())?;
            for set in (1..=7).filter_map(|number| tomita(number, seed)) {
                write(&set.name, &set.target, &set.examples)?;
            }
        }
        ("dense", [states, words, lengths, sets, rest @ ..]) => {
            let lengths = match *lengths {
                "uniform" => Lengths::Uniform,
                "even" => Lengths::Even,
                other => bail!("{other} is not uniform or even"),
            };
            for index in 0..sets.parse()? {
                let set = dense(states.parse()?, words.parse()?, lengths, index, seed(rest.first())?)?;
                write(&set.name, &set.target, &set.examples)?;
            }
        }
        _ => bail!("the suites are grid, tomita and dense; the top of this file says what each is told"),
    }
    Ok(())
}

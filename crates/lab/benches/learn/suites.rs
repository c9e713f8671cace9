//! Every fixed suite as files that anybody can learn from: `SUITE/SET.jsonl`, the truth beside it where there is one, and
//! `manifest.tsv`, a line a set: suite, set, and the arguments that `nerode learn` is called with.

use std::fmt::Write;
use std::path::Path;

use automata::formats::json;
use automata::{Alphabet, Dfa, Examples, Label};
use lab::examples::{Draw, ExampleSettings, draw};
use lab::strings::{Strings, suite};
use lab::suites::{Lengths, dense, grid, tomita};
use serde_json::json;

use crate::SEED;
use crate::noise::flipped_words;

/// The sizes of the sets of strings.
const SIZES: [usize; 4] = [10, 20, 50, 200];
/// Search is given up after so many moves where it would take minutes: a budget, and not a time, so that the answer is the
/// same everywhere.
const MOVES: &str = "--moves 1000000000";

/// Writes all of them.
pub(crate) fn write(folder: &Path) {
    let mut files = Files { folder, manifest: String::new() };
    for (depth, draw, how) in [
        (8, Draw::Uniform, "uniform"),
        (8, Draw::Even, "even"),
        (16, Draw::Uniform, "uniform"),
        (16, Draw::Even, "even"),
    ] {
        for set in grid(depth, draw, SEED).expect("the grid can be drawn") {
            let examples = Examples::from(&set.examples);
            let suite = |engine: &str| format!("grid-{depth}-{how}{engine}");
            files.add(&suite(""), &set.name, &examples, None, "");
            for engine in ["neural", "edsm", "rpni"] {
                files.add(&suite(&format!("-{engine}")), &set.name, &examples, None, &format!("--learner {engine}"));
            }
        }
    }
    for seed in 0..crate::TOMITA_SEEDS {
        for set in (1..=7).filter_map(|number| tomita(number, seed)) {
            let name = format!("{}-{seed}", set.name);
            let examples = Examples::from(&set.examples);
            for engine in ["auto", "neural"] {
                let arguments = format!("--seed {seed} --learner {engine}");
                files.add(&format!("tomita-{engine}"), &name, &examples, None, &arguments);
            }
        }
    }
    for (i, set) in grid(8, Draw::Even, SEED).expect("the grid can be drawn").into_iter().enumerate() {
        for rate in [0.01, 0.05] {
            let examples = set.examples.with_flips(&flipped_words(&set.examples, rate, i as u64));
            files.add(&format!("noise-{rate}"), &set.name, &examples, None, &format!("--noise {rate}"));
            files.add(&format!("noise-{rate}-auto"), &set.name, &examples, None, "--noise auto");
        }
        let few =
            ExampleSettings { positives: Some(10), negatives: Some(10), seed: i as u64, ..ExampleSettings::default() };
        let examples = Examples::from(&draw(&set.target, &few).expect("the language has words of both labels"));
        files.add("questions", &set.name, &examples, Some(&set.target), &format!("--questions 300 {MOVES}"));
    }
    for (states, words, lengths) in [
        (10, 12, Lengths::Even),
        (10, 12, Lengths::Uniform),
        (16, 50, Lengths::Even),
        (20, 25, Lengths::Uniform),
        (20, 50, Lengths::Even),
        (30, 50, Lengths::Uniform),
    ] {
        for index in 0..3 {
            let set = dense(states, words, lengths, index, SEED).expect("such an automaton");
            files.add("dense", &set.name, &Examples::from(&set.examples), None, MOVES);
            files.add("dense-sat", &set.name, &Examples::from(&set.examples), None, "--learner sat");
        }
    }
    for language in suite() {
        for size in SIZES {
            let strings = Strings::examples(&language, size, 0);
            files.add(&format!("strings-{size}"), &language.name, &examples_of(&strings), None, "");
        }
    }
    std::fs::write(folder.join("manifest.tsv"), files.manifest).expect("the file can be written");
}

fn examples_of(strings: &Strings) -> Examples {
    let alphabet = Alphabet::of_chars(&(strings.positives.concat() + &strings.negatives.concat()));
    let labelled = [(&strings.positives, Label::Accepted), (&strings.negatives, Label::Rejected)];
    let rows = labelled.into_iter().flat_map(|(words, label)| words.iter().map(move |word| (word, label)));
    let rows = rows.map(|(word, label)| (alphabet.read(word).expect("its letters are known"), label));
    Examples::of(&alphabet, rows)
}

struct Files<'a> {
    folder: &'a Path,
    manifest: String,
}

impl Files<'_> {
    fn add(&mut self, suite: &str, set: &str, examples: &Examples, oracle: Option<&Dfa>, arguments: &str) {
        let folder = self.folder.join(suite);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let mut text = String::new();
        for (word, label) in examples.rows() {
            let line = json!({ "word": examples.alphabet().write(word), "label": i32::from(label == Label::Accepted) });
            let _ = writeln!(text, "{line}");
        }
        std::fs::write(folder.join(format!("{set}.jsonl")), text).expect("the file can be written");
        let mut arguments = arguments.to_owned();
        if let Some(oracle) = oracle {
            let path = folder.join(format!("{set}.truth.json"));
            std::fs::write(&path, json::write_dfa(oracle)).expect("the file can be written");
            let _ = write!(arguments, " --oracle {}", path.display());
        }
        let _ = writeln!(self.manifest, "{suite}\t{set}\t{}", arguments.trim());
    }
}

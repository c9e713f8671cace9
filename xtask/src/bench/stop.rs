//! `cargo xtask bench stop`: how long `nerode learn --time-limit 3` takes on inputs that would keep it busy much longer.

use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use super::process::watched;
use super::{keep, nerode, print_table, time};
use crate::root;

/// The time limit in seconds.
const LIMIT: u64 = 3;
/// A run that takes longer is killed.
const PATIENCE: Duration = Duration::from_secs(120);

/// Hard inputs: a name, the rows, and further arguments.
fn cases() -> Vec<(&'static str, String, &'static [&'static str])> {
    let mut numbers = Numbers(1);
    let mut cases = Vec::new();

    let mut rows = String::new();
    for _ in 0..30_000 {
        let word: String = (0..10 + numbers.below(20)).map(|_| numbers.letter(50)).collect();
        let label = word.chars().filter(|&c| c < 'n').count().is_multiple_of(3);
        let _ = writeln!(rows, "{word},{}", u8::from(label));
    }
    cases.push(("30,000 words over 50 letters", rows, &["--classes", "none"][..]));

    let mut rows = String::new();
    for i in 0..400 {
        let [year, month, day] = [1900 + numbers.below(200), 1 + numbers.below(12), 1 + numbers.below(31)];
        // Every second date is broken, and one label in twenty is wrong.
        let broken = i % 2 == 1;
        let date = if broken { format!("{year}-{month}-{day:03}x") } else { format!("{year}-{month:02}-{day:02}") };
        let _ = writeln!(rows, "{date},{}", u8::from(broken == (numbers.below(20) == 0)));
    }
    cases.push(("400 dates with wrong labels", rows, &["--noise", "auto"]));

    let mut rows = String::new();
    for _ in 0..1_000 {
        let word: String = (0..20 + numbers.below(10)).map(|_| numbers.letter(16)).collect();
        let _ = writeln!(rows, "{word},{}", u8::from(word.matches(['a', 'b']).count().is_multiple_of(2)));
    }
    cases.push(("1,000 words over 16 letters", rows, &[]));

    let long: String = (0..1_000_000).map(|_| numbers.letter(4)).collect();
    cases.push(("a word of a million letters", format!("{long},1\na,0\nb,1\n"), &[]));

    let tokens: Vec<String> = (0..20_000).map(|i| format!("token{i}")).collect();
    let rows = tokens.chunks(10).enumerate().map(|(i, line)| format!("{},{}\n", line.join(" "), i % 2)).collect();
    cases.push(("20,000 different letters", rows, &["--letters", "tokens"]));

    let ideographs: Vec<char> = ('\u{4e00}'..).take(20_000).collect();
    let rows: String = ideographs[1..].iter().map(|letter| format!("{letter},1\n")).collect();
    cases.push(("20,000 words of one letter", format!("{rows}{},0\n", ideographs[0]), &[]));

    let mut rows = String::new();
    for i in 0..4_000 {
        let word: String = (0..20).map(|_| ideographs[numbers.below(1_000) as usize]).collect();
        let _ = writeln!(rows, "{word},{}", i % 2);
    }
    cases.push(("4,000 words over 1,000 letters", rows, &[]));

    for (name, words) in [("4,000 words over given classes", 4_000), ("30,000 words over given classes", 30_000)] {
        let mut rows = String::new();
        for i in 0..words {
            let letter =
                |numbers: &mut Numbers| char::from(b"abcdefghijklmnopqrstuvwxyz0123456789"[numbers.below(36) as usize]);
            let word: String = (0..10 + numbers.below(20)).map(|_| letter(&mut numbers)).collect();
            let _ = writeln!(rows, "{word},{}", i % 2);
        }
        cases.push((name, rows, &["--classes", "[0-9] [a-z]"]));
    }
    cases
}

pub(super) fn run() -> anyhow::Result<()> {
    let learner = nerode()?;
    let folder = root().join("target/bench/stop");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("words.csv");
    let (mut figures, mut rows) = (Vec::new(), Vec::new());
    for (name, words, arguments) in cases() {
        std::fs::write(&file, format!("word,label\n{words}"))?;
        let mut command = Command::new(&learner);
        command.arg("learn").arg(&file).args(arguments).args(["--time-limit", &LIMIT.to_string(), "--json"]);
        let begin = Instant::now();
        let child = command.stdout(Stdio::null()).spawn().with_context(|| format!("cannot run {command:?}"))?;
        let (_, killed) = watched(child, begin, PATIENCE)?;
        let seconds = begin.elapsed().as_secs_f64();
        let over = (seconds - LIMIT as f64).max(0.0);
        rows.push(vec![name.to_owned(), format!("{}{}", if killed { "> " } else { "" }, time(seconds)), time(over)]);
        figures.push(json!({ "case": name, "seconds": seconds, "killed": killed }));
    }
    print_table(&format!("nerode learn --time-limit {LIMIT}"), &["input", "time", "over the limit"], &rows);
    keep("stop", &Value::from(figures))
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A letter from a to z and A to X.
    fn letter(&mut self, letters: u64) -> char {
        let i = self.below(letters) as u8;
        char::from(if i < 26 { b'a' + i } else { b'A' + i - 26 })
    }
}

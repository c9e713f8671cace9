//! Runs of the binary that are stopped, disturbed or refused.
#![allow(dead_code, reason = "each test file uses some of this")]

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A folder with samples: labels by chance, which nothing short explains, so that the learner is busy for a long time; a
/// sample that is learned at once; and one that leaves questions. `hard.csv` is by chance too, and small enough for the
/// solver, which is then busy for minutes.
pub(crate) fn samples() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("chance.csv", &by_chance(400, 12));
    put("hard.csv", &by_chance(200, 4));
    put("even.csv", "word,label\na,0\naa,1\naaa,0\naaaa,1\n");
    put("few.csv", "word,label\n\"\",1\nb,1\naa,1\na,0\nab,0\n");
    folder
}

/// Words that differ, each with some letters and a label by chance.
fn by_chance(words: u64, letters: u32) -> String {
    let mut state = 1_u64;
    let mut table = "word,label\n".to_owned();
    for i in 0..words {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen: String = (0..letters).map(|at| if state >> (20 + at) & 1 == 1 { 'a' } else { 'b' }).collect();
        table += &format!("{chosen}{i:03b},{}\n", state >> 60 & 1);
    }
    table
}

pub(crate) fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn started(arguments: &[&str], folder: &Path) -> Child {
    command(arguments, folder).spawn().unwrap()
}

pub(crate) fn nerode(arguments: &[&str], folder: &Path) -> Output {
    started(arguments, folder).wait_with_output().unwrap()
}

/// A run that waits for the answer to its first question.
pub(crate) fn asking(more: &[&str], folder: &Path) -> Child {
    let arguments = [&["learn", "few.csv", "--learner", "neural", "--ask"], more].concat();
    let mut child = command(&arguments, folder).stdin(Stdio::piped()).spawn().unwrap();
    let mut shown = Vec::new();
    while !shown.ends_with(b"[y/n/skip/stop] ") {
        let mut byte = [0];
        child.stderr.as_mut().unwrap().read_exact(&mut byte).unwrap();
        shown.push(byte[0]);
    }
    child
}

/// What the run printed, if it ends within this time. Its standard input stays open.
pub(crate) fn ended(mut child: Child, time: Duration) -> Output {
    let stdin = child.stdin.take();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > time {
            child.kill().unwrap();
            panic!("it still runs: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Waits until there is such a file.
pub(crate) fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "there is no {}", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until there is such a file, and a little longer.
pub(crate) fn wait_for_work(path: &Path) {
    wait_for(path);
    std::thread::sleep(Duration::from_millis(500));
}

pub(crate) fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The names of all files in a folder, in order.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

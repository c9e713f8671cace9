//! A run that is stopped: the best answer so far, the exit code of the signal.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Words with labels by chance: nothing short explains them, so the learner is busy for a long time.
fn chance(folder: &Path) {
    let mut state = 1_u64;
    let mut table = "word,label\n".to_owned();
    for i in 0..400 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits: String = (0..12).map(|at| if state >> (20 + at) & 1 == 1 { 'a' } else { 'b' }).collect();
        table += &format!("{bits}{i:03b},{}\n", state >> 60 & 1);
    }
    std::fs::write(folder.join("chance.csv"), table).unwrap();
    std::fs::write(folder.join("even.csv"), "word,label\na,0\naa,1\naaa,0\naaaa,1\n").unwrap();
}

fn started(arguments: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn nerode(arguments: &[&str], folder: &Path) -> Output {
    started(arguments, folder).wait_with_output().unwrap()
}

/// Waits until the run holds its folder, and a little longer.
fn wait_for_work(folder: &Path) {
    while !folder.join(".nerode").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_signal_ends_a_run_with_its_best_answer() {
    let folder = tempfile::tempdir().unwrap();
    chance(folder.path());
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let child = started(&["learn", "chance.csv", "--json", "--out", name], folder.path());
        wait_for_work(&folder.path().join(name));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(printed["stop_reason"], "cut");
        let written = std::fs::read(folder.path().join(name).join("result.json")).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), printed);
    }
}

#[test]
fn a_time_limit_is_kept_where_work_is_large() {
    // One long word, many letters: every engine is bounded.
    let folder = tempfile::tempdir().unwrap();
    let long = "ab".repeat(100_000);
    std::fs::write(folder.path().join("long.csv"), format!("word,label\n{long},1\n{long}a,0\n")).unwrap();
    let letters: String =
        (0..5_000_u32).filter_map(|i| char::from_u32(0x4e00 + i)).map(|c| format!("{c},1\n")).collect();
    std::fs::write(folder.path().join("letters.csv"), format!("word,label\n{letters}ab,0\n")).unwrap();
    for file in ["long.csv", "letters.csv"] {
        let output = nerode(&["learn", file, "--time-limit", "1", "--json"], folder.path());
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{file}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

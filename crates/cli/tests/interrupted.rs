//! Runs that are stopped: the best answer so far, the exit code of the signal, and nothing left behind.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{asking, ended, names_in, nerode, samples, signal, started, text, wait_for, wait_for_work};
use serde_json::Value;

/// The signals that end a run, with the exit code.
const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// More than enough to stop.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_signal_ends_a_run_with_its_best_answer() {
    let folder = samples();
    for (name, code) in SIGNALS {
        let child = started(&["learn", "chance.csv", "--json", "--out", name], folder.path());
        wait_for_work(&folder.path().join(name).join(".nerode"));
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
fn a_signal_ends_a_question() {
    let folder = samples();
    for (name, code) in SIGNALS {
        let more = ["--json", "--out", name, "--checkpoint", "kept"];
        let child = asking(&more, folder.path());
        signal(&child, name);
        let output = ended(child, SOON);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&printed["stop_reason"], &printed["consistent"]), (&"cut".into(), &true.into()));
        assert!(folder.path().join(name).join("result.json").exists());
        // The question is still open when the run is resumed.
        assert!(folder.path().join("kept/session.json").exists());
        let mut resumed = asking(&more, folder.path());
        resumed.kill().unwrap();
        resumed.wait().unwrap();
    }
}

/// A terminal that closes sends SIGHUP, often twice, and nothing can be printed any more.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_does_not_lose_the_answer() {
    let folder = samples();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = common::command(&["learn", "chance.csv", "--out", "run"], folder.path());
    let child = command.stdout(full()).stderr(full()).spawn().unwrap();
    wait_for_work(&folder.path().join("run/.nerode"));
    signal(&child, "HUP");
    signal(&child, "HUP");
    assert_eq!(ended(child, SOON).status.code(), Some(129));
    assert!(folder.path().join("run/result.json").exists());
}

#[test]
fn a_signal_ends_a_proof() {
    let folder = samples();
    assert!(nerode(&["learn", "hard.csv", "--learner", "rpni", "--out", "run"], folder.path()).status.success());
    let before = names_in(&folder.path().join("run"));
    for (name, code) in SIGNALS {
        let child = started(&["prove", "run", "--conflicts", "1000000000000"], folder.path());
        std::thread::sleep(Duration::from_secs(1));
        signal(&child, name);
        let output = ended(child, SOON);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(text(&output.stdout).contains("unknown: stopped"), "{output:?}");
        assert_eq!(names_in(&folder.path().join("run")), before, "nothing temporary is left");
    }
}

#[test]
fn a_long_stage_is_saved_every_few_seconds() {
    let folder = samples();
    let saved = folder.path().join("kept/session.json");
    let solver = ["learn", "hard.csv", "--learner", "sat", "--conflicts", "1000000000000", "--checkpoint", "kept"];
    let mut child = started(&solver, folder.path());
    wait_for_work(&saved);
    // The solver is one long stage, and it was saved when it began.
    std::fs::remove_file(&saved).unwrap();
    wait_for(&saved);
    child.kill().unwrap();
    child.wait().unwrap();
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

/// Sixteen jobs that take long: many restarts, and no proof that ends them.
const LONG: &str = r#"
name = "long"
about = "jobs that take long"
runs = 16

[[languages.automata]]
letters = 2
states = 30

[[draws]]
depth = 12
words = 2000

[[learners]]
name = "search"
engine = "search"
visits = 1_000_000_000_000
"#;

#[test]
fn a_signal_ends_a_study_between_two_records() {
    let folder = samples();
    std::fs::write(folder.path().join("long plan.toml"), LONG).unwrap();
    for (name, code) in SIGNALS {
        let child = started(&["experiment", "run", "long plan.toml", "--out", name, "--threads", "2"], folder.path());
        wait_for_work(&folder.path().join(name).join("jobs"));
        signal(&child, name);
        let output = ended(child, SOON);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(text(&output.stdout).starts_with("long: 0 of 16 jobs done, 0 failed, 16 left\n"), "{output:?}");
        let advice = "nerode: stopped with 16 jobs left; go on with: nerode experiment run 'long plan.toml' --out";
        assert_eq!(text(&output.stderr), format!("{advice} {name}\n"));
        assert_eq!(names_in(&folder.path().join(name).join("jobs")), [""; 0], "no half record is left");
    }
}

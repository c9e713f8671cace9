//! `nerode experiment report`: what it writes, and folders in which something is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn report(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    command.args(["experiment", "report"]).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A copy of the small study, in a folder called `study`.
fn study() -> tempfile::TempDir {
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/study");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("study/jobs")).unwrap();
    std::fs::copy(from.join("plan.toml"), folder.path().join("study/plan.toml")).unwrap();
    for entry in std::fs::read_dir(from.join("jobs")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join("study/jobs").join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// The records of a folder, in order.
fn records(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("study/jobs")).unwrap().map(|entry| entry.unwrap().path());
    let mut records: Vec<PathBuf> = entries.filter(|path| !path.to_str().unwrap().ends_with(".timing.json")).collect();
    records.sort();
    records
}

/// One clear line, exit code 2.
fn refused(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(text(&output.stderr).lines().count(), 1, "{output:?}");
    assert!(text(&output.stderr).contains(message), "{output:?}");
}

#[test]
fn a_report_is_written_whole_and_twice_the_same() {
    let folder = study();
    let first = report(&["study"], folder.path());
    assert_eq!(first.status.code(), Some(0), "{first:?}");
    assert_eq!(text(&first.stdout), "tiny: 16 records, report in study/report/report.html\n");
    let second = report(&["study", "--out", "deep/er", "--json"], folder.path());
    let told: Value = serde_json::from_slice(&second.stdout).unwrap();
    assert_eq!((&told["plan"], &told["records"], &told["jobs"]), (&"tiny".into(), &16.into(), &16.into()));
    let files = told["files"].as_array().unwrap();
    assert!(files.len() > 6);
    for file in files.iter().map(|file| file.as_str().unwrap()) {
        let [a, b] = ["study/report", "deep/er"].map(|out| std::fs::read(folder.path().join(out).join(file)).unwrap());
        assert!(a == b && !a.is_empty(), "{file} differs");
    }
    let page = std::fs::read_to_string(folder.path().join("study/report/report.md")).unwrap();
    assert!(page.contains("nerode experiment run plan.toml --out study"));
    // A report is no record: it can be written again, and the study goes on.
    assert_eq!(report(&["study"], folder.path()).stdout, first.stdout);
}

#[test]
fn broken_records_are_named_and_left_out() {
    let folder = study();
    let records = records(folder.path());
    let whole = std::fs::read_to_string(&records[0]).unwrap();
    std::fs::write(&records[0], &whole[..whole.len() / 2]).unwrap();
    std::fs::write(&records[1], [0xff, 0xfe, 0x00]).unwrap();
    std::fs::write(&records[2], &whole).unwrap();
    std::fs::write(&records[3], "").unwrap();
    std::fs::write(folder.path().join("study/jobs/stranger.json"), whole.replace(&name(&records[0]), "stranger"))
        .unwrap();
    std::fs::write(records[4].with_extension("timing.json"), "{}").unwrap();
    let output = report(&["study"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = text(&output.stdout);
    assert!(told.starts_with("tiny: 12 records"), "{told}");
    for (path, why) in [
        (&records[0], "not a record"),
        (&records[1], "not a text file"),
        (&records[2], "this is the record of another job"),
        (&records[3], "not a record"),
    ] {
        let line = told.lines().find(|line| line.contains(&format!("{}.json", name(path)))).unwrap();
        assert!(line.starts_with("left out: ") && line.contains(why), "{line}");
    }
    assert!(told.contains("stranger.json: the plan has no such job"), "{told}");
    assert!(told.contains(".timing.json: not a timing file"), "{told}");
    let page = std::fs::read_to_string(folder.path().join("study/report/report.md")).unwrap();
    assert!(page.contains("12 records of 16 jobs; 4 are missing, so nothing here is final"));
    assert!(page.contains("What went wrong"));
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().strip_suffix(".json").unwrap().to_owned()
}

#[test]
fn records_without_a_plan_or_with_a_broken_one_are_reported() {
    let folder = study();
    let plan = folder.path().join("study/plan.toml");
    std::fs::write(&plan, "name = 3").unwrap();
    let output = report(&["study"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).contains("left out: plan.toml: line 1"), "{output:?}");
    std::fs::remove_file(&plan).unwrap();
    let output = report(&["study"], folder.path());
    assert_eq!(text(&output.stdout), "tiny: 16 records, report in study/report/report.html\n");
}

#[test]
fn where_there_is_nothing_to_report_one_line_says_so() {
    let folder = tempfile::tempdir().unwrap();
    refused(&report(&["missing"], folder.path()), "missing has no records of a study");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    refused(&report(&["empty"], folder.path()), "empty has no records of a study");
    std::fs::create_dir(folder.path().join("empty/jobs")).unwrap();
    refused(&report(&["empty"], folder.path()), "empty has no records of a study");
    std::fs::write(folder.path().join("empty/jobs/one.json"), "{").unwrap();
    refused(&report(&["empty"], folder.path()), "empty has no records of a study that can be read: one.json");
    assert!(!folder.path().join("empty/report").exists());
    let study = study();
    std::fs::write(study.path().join("file"), "").unwrap();
    refused(&report(&["study", "--out", "file"], study.path()), "file");
    refused(&report(&["study", "--progress", "none"], study.path()), "there is no record of a job called none");
    let job = name(&records(study.path())[0]);
    refused(&report(&["study", "--progress", &job], study.path()), "its learner is not a single training run");
}

//! Folders that are written to: by one process at a time, never over files of others, and as far as the disk allows.
#![cfg(unix)]

mod common;

use std::io::Write;
use std::path::Path;

use common::{asking, names_in, nerode, samples, signal, started, text, wait_for_work};

const LEARN: [&str; 4] = ["learn", "even.csv", "--learner", "edsm"];

fn learn(more: &[&str], folder: &Path) -> std::process::Output {
    nerode(&[&LEARN[..], more].concat(), folder)
}

#[test]
fn two_processes_do_not_write_to_one_folder() {
    let folder = samples();
    let path = |name: &str| folder.path().join(name);
    assert_eq!(learn(&["--out", "run"], folder.path()).status.code(), Some(0));
    // The folders of results and of sessions may be the same.
    for (first, mark, seconds) in [
        (
            &["learn", "chance.csv", "--out", "run", "--checkpoint", "run"][..],
            "run/.session",
            &[
                &["learn", "even.csv", "--out", "run"][..],
                &["learn", "even.csv", "--checkpoint", "run"],
                &["prove", "run"],
            ][..],
        ),
        (
            &["experiment", "run", "paper", "--out", "study"],
            "study/.nerode",
            &[&["experiment", "run", "paper", "--out", "study"]],
        ),
    ] {
        let mut first = started(first, folder.path());
        wait_for_work(&path(mark));
        for second in seconds {
            let refused = nerode(second, folder.path());
            let name = mark.split('/').next().unwrap();
            assert_eq!(text(&refused.stderr), format!("nerode: another process is writing to {name}\n"), "{second:?}");
            assert_eq!(refused.status.code(), Some(2));
        }
        signal(&first, "KILL");
        first.wait().unwrap();
    }
    // A lock ends with its process, and leaves nothing behind.
    let both = learn(&["--out", "again", "--checkpoint", "again"], folder.path());
    assert_eq!(both.status.code(), Some(0), "{both:?}");
    assert!(!path("again/.session").exists());
    assert_eq!(learn(&["--out", "run"], folder.path()).status.code(), Some(0));
    assert_eq!(nerode(&["prove", "run"], folder.path()).status.code(), Some(0));
}

#[test]
fn files_of_others_are_not_written_over() {
    let folder = samples();
    let put = |name: &str| std::fs::write(folder.path().join(name), "theirs").unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    put("mine/notes.txt");
    // A folder with other files is no reason to refuse, one with a file of ours is.
    assert_eq!(learn(&["--out", "mine"], folder.path()).status.code(), Some(0));
    assert_eq!(learn(&["--out", "mine"], folder.path()).status.code(), Some(0));
    std::fs::create_dir(folder.path().join("theirs")).unwrap();
    // Neither a run that failed nor one that was killed makes the folder ours.
    let failed = learn(&["--out", "theirs", "--save-examples", "no/such/folder.csv"], folder.path());
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(names_in(&folder.path().join("theirs")), [""; 0]);
    let mut killed = started(&["learn", "chance.csv", "--out", "theirs"], folder.path());
    wait_for_work(&folder.path().join("theirs/.nerode"));
    killed.kill().unwrap();
    killed.wait().unwrap();
    put("theirs/regex.txt");
    // In a folder of ours, a file that nerode did not write is theirs too.
    put("mine/model.safetensors");
    for (name, file) in [("theirs", "regex.txt"), ("mine", "model.safetensors")] {
        let refused = learn(&["--out", name], folder.path());
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(text(&refused.stderr).contains(&format!("has a {file} that nerode did not write")));
        assert_eq!(std::fs::read_to_string(folder.path().join(name).join(file)).unwrap(), "theirs");
    }
    let forced = learn(&["--out", "theirs", "--force"], folder.path());
    assert_eq!(forced.status.code(), Some(0), "{forced:?}");
    assert_eq!(learn(&["--out", "theirs"], folder.path()).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.path().join("theirs/report.html")).unwrap();
    assert!(page.contains("--out DIR") && !page.contains("--force"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_still_written() {
    let folder = samples();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let arguments = [&LEARN[..], &["--out", "run", "--save-examples", "saved.csv"]].concat();
    let output = common::command(&arguments, folder.path()).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let expected = "nerode: cannot write to standard output: No space left on device (os error 28)\n";
    assert_eq!(text(&output.stderr), expected);
    assert!(folder.path().join("run/result.json").exists() && folder.path().join("saved.csv").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_does_not_cost_the_others() {
    let folder = samples();
    let run = folder.path().join("run");
    assert_eq!(learn(&["--out", "run"], folder.path()).status.code(), Some(0));
    let whole = names_in(&run);
    for name in ["grammar.txt", "regex.txt"] {
        std::fs::remove_file(run.join(name)).unwrap();
        std::os::unix::fs::symlink("/dev/full", run.join(name)).unwrap();
    }
    let output = learn(&["--out", "run", "--save-examples", "saved.csv"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "nerode: cannot write to /dev/full: No space left on device (os error 28)\n",
        "the first failure, once"
    );
    assert!(text(&output.stdout).starts_with("regex "));
    let written: Vec<String> = whole.into_iter().filter(|n| !["grammar.txt", "regex.txt"].contains(&&n[..])).collect();
    assert_eq!(names_in(&run), written);
    let ours = std::fs::read_to_string(run.join(".nerode")).unwrap();
    let mut ours: Vec<&str> = ours.lines().collect();
    ours.sort_unstable();
    assert_eq!(ours, written.iter().filter(|name| *name != ".nerode").collect::<Vec<_>>());
    assert!(folder.path().join("saved.csv").exists());
}

#[test]
fn a_checkpoint_that_cannot_be_saved_does_not_cost_the_answer() {
    let folder = samples();
    let note = "nerode: note: cannot write to kept/session.json: No such file or directory (os error 2); the run goes on \
                without a checkpoint\n";
    // The end of the questions is the end of the run, and no checkpoint is needed.
    let mut child = asking(&["--checkpoint", "kept"], folder.path());
    std::fs::remove_dir_all(folder.path().join("kept")).unwrap();
    child.stdin.take().unwrap().write_all(b"y\nstop\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stderr).matches("nerode:").count(), 1, "{output:?}");
    assert!(text(&output.stderr).contains(note), "{output:?}");
    assert!(text(&output.stdout).starts_with("regex "));

    // A run that is cut cannot be resumed, which is an error. Its input stays open, since the end of it ends the questions.
    let mut child = asking(&["--checkpoint", "kept"], folder.path());
    let _open = child.stdin.take();
    std::fs::remove_dir_all(folder.path().join("kept")).unwrap();
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    assert_eq!(text(&output.stderr).matches("nerode: cannot write to kept/session.json").count(), 1, "{output:?}");
    assert!(text(&output.stdout).starts_with("regex "));
}

//! Inputs of unusual size: each gets its answer, or one line that names the limit; none makes the binary panic or abort.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn nerode(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Formatting to a width given at run time panics beyond 65,535 characters.
#[test]
fn words_and_letters_of_any_length_are_parsed() {
    let folder = tempfile::tempdir().unwrap();
    for length in [65_535, 65_536, 100_000] {
        let word = "a".repeat(length);
        let rejected = nerode(&["parse", "regex:(a|b)*c", &word], folder.path());
        assert_eq!(rejected.status.code(), Some(1), "{}", String::from_utf8_lossy(&rejected.stderr));
        let text = String::from_utf8(rejected.stdout).unwrap();
        assert!(text.ends_with(&format!("\n  {word}c  {word}[+c]\n")), "{length} letters");

        let token = nerode(&["parse", "regex:<a>", "--letters", "tokens", &word], folder.path());
        assert_eq!(token.status.code(), Some(1), "{}", String::from_utf8_lossy(&token.stderr));
    }
}

/// However many words are drawn, listed or counted, they come as they are read: as JSON, too.
#[test]
fn words_as_json_come_one_by_one() {
    let many = "1000000000000";
    for (arguments, begin) in [
        (vec!["--sample", many], "{\n  \"words\": [\n    \"a"),
        (vec!["--limit", many], "{\n  \"words\": [\n    \"\",\n    \"a\""),
        (vec!["--count", "--by-length", "--depth", "20000"], "{\n  \"finite\": false,\n  \"depth\": 20000,"),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
            .args(["words", "regex:a*"])
            .args(&arguments)
            .arg("--json")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = vec![0; begin.len()];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        assert_eq!(String::from_utf8(first).unwrap(), begin, "{arguments:?}");
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

/// The counts of all lengths would take two gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn a_long_word_is_drawn_in_little_memory() {
    let within = |megabytes: u32, arguments: &str| {
        let command = format!("ulimit -v {}; exec \"$0\" words {arguments}", megabytes * 1024);
        Command::new("sh").args(["-c", &command, env!("CARGO_BIN_EXE_nerode")]).output().unwrap()
    };
    let drawn = within(300, "'regex:(a|b)*cc*' --sample 1 --depth 50000");
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let word = String::from_utf8(drawn.stdout).unwrap();
    // Nearly all of the words are nearly as long as they may be.
    assert!((49_900..=50_000).contains(&word.trim_end().len()) && word.trim_end().ends_with('c'));

    let refused = within(300, "'regex:(a|b)*a(a|b){11}' --sample 1 --depth 1000000");
    assert_refused(&refused, "too much memory; try at most");
    let refused = within(300, "'regex:(a|b)*' --sample 3 --depth 1000000");
    assert_refused(
        &refused,
        "takes too long, since exact counts have as many digits as words have letters; try at most",
    );
}

fn assert_refused(output: &Output, expected: &str) {
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.lines().count() == 1 && line.contains(expected), "{line}");
}

#[test]
fn a_million_non_terminals_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = String::from_utf8(nerode(&["experiment", "show", "smoke", "--jobs"], folder.path()).stdout).unwrap();
    let first = jobs.lines().next().unwrap();
    let job = first.replace("\"nonterminals\":null", "\"nonterminals\":1000000");
    assert_ne!(job, first);
    std::fs::write(folder.path().join("spec"), job).unwrap();
    let refused = nerode(&["experiment", "job", "spec", "--out", "study"], folder.path());
    assert_refused(&refused, "the number of the learner's non-terminals is 1000000, but must be from 1 to 256");
    let drawn = nerode(&["generate", "grammar", "-n", "1000000", "-p", "10000"], folder.path());
    assert_refused(&drawn, "1000000 non-terminals with 10000 productions each are too many");
}

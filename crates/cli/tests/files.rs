//! What a transcript cannot show: files written whole, standard input, a reader that goes away.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn nerode(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nerode")).args(arguments).current_dir(folder).output().unwrap()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let written = nerode(&["convert", "example:paper", "--to", "regex", "-o", "out.txt"], folder.path());
    assert!(written.status.success() && written.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(folder.path().join("out.txt")).unwrap(), "[ab]*c+\n");

    // A run that fails leaves the old file and nothing else.
    let failed = nerode(&["convert", "missing.txt", "--to", "regex", "-o", "out.txt"], folder.path());
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("out.txt")).unwrap(), "[ab]*c+\n");
    assert_eq!(names_in(folder.path()), ["out.txt"]);

    // One that succeeds replaces it.
    let replaced = nerode(&["convert", "regex:ab", "--to", "regex", "-o", "out.txt"], folder.path());
    assert!(replaced.status.success());
    assert_eq!(std::fs::read_to_string(folder.path().join("out.txt")).unwrap(), "ab\n");
    assert_eq!(names_in(folder.path()), ["out.txt"]);
}

#[test]
fn the_expression_of_a_run_is_the_one_that_was_learned() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    std::fs::create_dir(&run).unwrap();
    assert!(
        nerode(&["convert", "regex:[ab]*", "--to", "dfa-json", "-o", "run/dfa.json"], folder.path()).status.success()
    );
    let regex = || {
        let written = nerode(&["convert", "run", "--to", "regex"], folder.path());
        assert!(written.status.success(), "{written:?}");
        String::from_utf8(written.stdout).unwrap()
    };
    assert_eq!(regex(), "[ab]*\n");
    std::fs::write(run.join("regex.txt"), "(a|b)*\n").unwrap();
    assert_eq!(regex(), "(a|b)*\n");
    // The same with grammars, unless another one is asked for.
    std::fs::write(run.join("grammar.txt"), "S -> ε\nS -> S a\nS -> S b\n").unwrap();
    let grammar = |more: &[&str]| {
        let written = nerode(&[&["convert", "run", "--to", "grammar"], more].concat(), folder.path());
        assert!(written.status.success(), "{written:?}");
        String::from_utf8(written.stdout).unwrap()
    };
    assert_eq!(grammar(&[]), "S -> ε\nS -> S a\nS -> S b\n");
    assert!(grammar(&["--direction", "right"]).contains("a A1"));
}

#[test]
fn the_automaton_of_a_run_has_the_names_of_its_grammar() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("good.txt"), "ab\nabab\nababab\n\"\"\n").unwrap();
    std::fs::write(folder.path().join("bad.txt"), "a\nb\nba\naab\nabb\naba\nbab\n").unwrap();
    for examples in [&["example:paper"][..], &["good.txt", "bad.txt"]] {
        for side in ["left", "right"] {
            let learn = [&["learn"], examples, &["--direction", side, "--out", "run", "--force"]].concat();
            assert!(nerode(&learn, folder.path()).status.success());
            let convert = ["convert", "run/nfa.json", "--to", "grammar", "--direction", side];
            let converted = nerode(&convert, folder.path());
            let learned = std::fs::read(folder.path().join("run/grammar.txt")).unwrap();
            assert_eq!(String::from_utf8(converted.stdout), String::from_utf8(learned));
        }
    }
}

/// A terminal obeys control characters: from names of files and from words they come as text.
#[cfg(unix)]
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (name, letter) = ("a\u{1b}[2J\nb\u{9b}\u{202e}.json", "\u{1b}\u{9b}\u{2066}");
    let dfa = serde_json::json!({ "alphabet": [letter], "initial": 0, "accepting": [0, 1], "transitions": [[1], [1]] });
    std::fs::write(folder.path().join(name), dfa.to_string()).unwrap();
    let examples = "c\u{1b}.csv";
    std::fs::write(
        folder.path().join(examples),
        "word,label\n\u{9b},1\nb,0\n\u{9b}b,0\n\u{9b}\u{9b},1\n,1\n\u{202e},1\n\u{202e}b,0\n",
    )
    .unwrap();
    for arguments in [
        &["compare", name, name][..],
        &["compare", name, name, "--json"],
        &["words", name, "--limit", "3"],
        &["words", name, "--limit", "3", "--json"],
        &["accepts", name, "\u{9b}b"],
        &["accepts", name, "\u{9b}b", "--json"],
        &["parse", name, "\u{9b}"],
        &["parse", name, "\u{9b}", "--json"],
        &["learn", examples, "--learner", "edsm"],
        &["learn", examples, "--learner", "edsm", "--json"],
        &["words", "regex:a\u{202e}*", "--limit", "3"],
        &["convert", "regex:a\u{202e}*", "--to", "regex"],
        &["convert", "regex:a\u{202e}*", "--to", "grammar"],
        &["learn", "missing\u{1b}.csv"],
        &["convert", "missing\u{1b}", "--to", "regex"],
        &["words", "--sample\u{1b}"],
    ] {
        let output = nerode(arguments, folder.path());
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8(text).unwrap();
            assert!(!text.contains(|c: char| automata::is_obeyed(c) && c != '\n'), "{arguments:?}: {text:?}");
        }
    }
    let compared = nerode(&["compare", name, name], folder.path());
    let text = String::from_utf8(compared.stdout).unwrap();
    assert!(text.starts_with("A  a\\u{1b}[2J\\nb\\u{9b}\\u{202e}.json, 1 state\n"), "{text:?}");
}

#[cfg(unix)]
#[test]
fn a_written_file_has_the_usual_rights() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    nerode(&["convert", "regex:ab", "--to", "regex", "-o", "out.txt"], folder.path());
    std::fs::write(folder.path().join("usual.txt"), "").unwrap();
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("out.txt"), mode("usual.txt"));
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("target.txt"), "old").unwrap();
    std::os::unix::fs::symlink("target.txt", folder.path().join("link.txt")).unwrap();
    assert!(nerode(&["convert", "regex:ab", "--to", "regex", "-o", "link.txt"], folder.path()).status.success());
    assert!(folder.path().join("link.txt").is_symlink(), "a link stays a link");
    assert_eq!(std::fs::read_to_string(folder.path().join("target.txt")).unwrap(), "ab\n");
    let device = nerode(&["convert", "regex:ab", "--to", "regex", "-o", "/dev/null"], folder.path());
    assert!(device.status.success());
    assert!(!Path::new("/dev/null").is_file(), "a device stays a device");
}

/// Every form that is written is read back from a file, detected, as the same language.
#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for language in ["example:paper", "example:tomita3", "regex:[ \"#|]*a?", "regex:", "regex:[a&&b]", "regex:0 1 a"] {
        for form in ["grammar", "grammar-json", "dfa-json", "nfa-json", "dot", "att", "regex"] {
            let written = nerode(&["convert", language, "--to", form, "-o", "out.txt"], folder.path());
            assert!(written.status.success(), "{language} as {form}: {written:?}");
            let compared = nerode(&["compare", language, "out.txt"], folder.path());
            assert_eq!(compared.status.code(), Some(0), "{language} as {form}: {compared:?}");
        }
    }
}

#[test]
fn equal_languages_give_equal_bytes_by_any_route() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |language: &str| nerode(&["convert", language, "--to", "dfa-json"], folder.path()).stdout;
    let expected = bytes("example:paper");
    assert!(!expected.is_empty());
    for form in ["grammar", "grammar-json", "nfa-json", "dot", "att", "regex"] {
        nerode(&["convert", "example:paper", "--to", form, "-o", "step.txt"], folder.path());
        assert_eq!(bytes("step.txt"), expected, "by way of {form}");
    }
    assert_eq!(bytes("regex:(a|b)*c{1,}"), expected);
}

#[test]
fn standard_input_is_an_operand() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["convert", "-", "--to", "regex"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // With a byte-order mark and the line ends of Windows.
    child.stdin.take().unwrap().write_all("\u{feff}S -> a\r\nS -> S b\r\n".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "ab*\n");
}

#[test]
fn words_of_a_language_are_accepted_by_it() {
    for language in ["example:paper", "example:tomita7", "regex:[ab ]*é?"] {
        let words = nerode(&["words", language, "--limit", "50", "--depth", "6"], Path::new(".")).stdout;
        // Words that are quoted to be seen are not written as they are read.
        let words: Vec<&[u8]> = words
            .split_inclusive(|&byte| byte == b'\n')
            .filter(|line| !line.starts_with(b"\"") || *line == b"\"\"\n")
            .collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
            .args(["accepts", language, "--file", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&words.concat()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.ends_with(&format!("\n{} accepted, 0 rejected\n", words.len())), "{text}");
        assert!(output.status.success());
    }
}

#[test]
fn a_hyphen_among_words_is_standard_input() {
    let judged = |arguments: &[&str], input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
            .args(["accepts", "regex:a*-?"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Who refuses its arguments does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let told = "accepted  aaa\naccepted  a\nrejected  ab (b is not a letter of the language)\n2 accepted, 1 rejected\n";
    assert_eq!(judged(&["aaa", "-"], "a\nab\n"), (Some(1), told.to_owned()));
    assert_eq!(judged(&["aaa", "--file", "-"], "a\nab\n"), (Some(1), told.to_owned()));
    assert_eq!(judged(&["-"], "-\n"), (Some(0), "accepted  -\n1 accepted, 0 rejected\n".to_owned()));
    for twice in [&["-", "-"][..], &["-", "--file", "words.txt"]] {
        let (code, line) = judged(twice, "a\n");
        assert!(code == Some(2) && line.lines().count() == 1, "{line}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["words", "example:paper", "--limit", "10000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 2];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"c\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

/// All 5.7 billion words over four letters to length 16 would not fit anywhere: they come as they are read.
#[test]
fn all_examples_come_one_by_one() {
    for (form, expected) in
        [("csv", "word,label,kind\n\"\",0,"), ("jsonl", "{\"word\": \"\""), ("abbadingo", "5726623061 4\n0 0\n")]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
            .args(["generate", "examples", "regex:[abcd]*a", "--depth", "16", "--draw", "all", "--format", form])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = vec![0; expected.len()];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        assert_eq!(String::from_utf8(first).unwrap(), expected);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn examples_go_to_a_file_for_each_class_or_to_one_by_its_ending() {
    let folder = tempfile::tempdir().unwrap();
    let examples = ["generate", "examples", "example:tomita1", "--depth", "2"];
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let two =
        nerode(&[&examples[..], &["--positive-out", "good.txt", "--negative-out", "bad.txt"]].concat(), folder.path());
    assert!(two.status.success() && two.stdout.is_empty());
    assert_eq!(text("good.txt"), "\"\"\n1\n11\n");
    assert_eq!(text("bad.txt"), "0\n10\n01\n00\n");
    // A class that cannot be written leaves the other as it was.
    let failed = nerode(
        &[&examples[..], &["--positive-out", "good.txt", "--negative-out", "no/bad.txt"]].concat(),
        folder.path(),
    );
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(names_in(folder.path()), ["bad.txt", "good.txt"]);
    for (name, begin) in [("out.csv", "word,label,kind\n"), ("out.jsonl", "{"), ("out.dat", "7 2\n"), ("out", "word,")]
    {
        assert!(nerode(&[&examples[..], &["-o", name]].concat(), folder.path()).status.success());
        assert!(text(name).starts_with(begin), "{name}");
    }
    // What is written there is a sample that is read back.
    let read = nerode(&["words", "out.dat"], folder.path());
    assert_eq!(String::from_utf8(read.stdout).unwrap(), text("good.txt"));
}

#[test]
fn every_shell_gets_its_completions() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = nerode(&["completions", shell], folder.path());
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("compare"), "{shell}");
    }
}

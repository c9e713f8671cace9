//! Inputs of unusual size: each gets its answer, or one line that names the limit; none makes the binary panic or abort.

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

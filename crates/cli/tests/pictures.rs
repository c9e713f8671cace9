//! The pictures that explain: a changed line in one of them is a change that somebody should look at.

use std::path::Path;
use std::process::{Command, Stdio};

/// What is written to `picture` by a command that ends well.
fn drawn(folder: &Path, arguments: &[&str], picture: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    let output = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    std::fs::read_to_string(folder.join(picture)).unwrap()
}

/// The paper's language: its automata, its tiles, a word that queries its matrices, and the trees of the word.
#[test]
fn the_pictures_of_the_papers_example() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |arguments: &[&str], picture| drawn(folder.path(), arguments, picture);
    insta::assert_snapshot!("nfa", draw(&["learn", "--out", "run", "--progress-frames", "4"], "run/nfa.svg"));
    insta::assert_snapshot!("dfa", std::fs::read_to_string(folder.path().join("run/dfa.svg")).unwrap());
    insta::assert_snapshot!("strip", draw(&["training", "run", "-o", "strip.svg", "--epochs", "0,10"], "strip.svg"));
    insta::assert_snapshot!("matrices", draw(&["parse", "run", "bcc", "--svg", "matrices.svg"], "matrices.svg"));
    insta::assert_snapshot!("tree", draw(&["parse", "run", "bcc", "--tree-svg", "tree.svg"], "tree.svg"));
}

/// A grammar with two derivations of the word: the choice between them is marked, the trees are beside each other.
#[test]
fn the_trees_of_an_ambiguous_word() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ambiguous.txt"), "S -> A b\nS -> B b\nA -> a\nB -> a\n").unwrap();
    let arguments = ["parse", "ambiguous.txt", "ab", "--tree-svg", "trees.svg"];
    insta::assert_snapshot!("trees", drawn(folder.path(), &arguments, "trees.svg"));
}

//! Every input format, every error message, and round trips.

mod paper;
mod there_and_back;
mod wrong;

use std::path::Path;

use automata::{Examples, Label, Letter};
use clap::Parser;

use super::*;

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    input: Input,
}

/// Reads files from a folder with this content. Arguments with a dot are file names.
fn read<T: AsRef<[u8]>>(files: &[(&str, T)], arguments: &[&str]) -> Result<Given, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    read_in(folder.path(), arguments)
}

fn read_in(folder: &Path, arguments: &[&str]) -> Result<Given, String> {
    let place = |argument: &&str| match argument.contains('.') && !argument.starts_with("--") {
        true => folder.join(argument).into_os_string(),
        false => (*argument).into(),
    };
    let arguments = Arguments::try_parse_from(["nerode".into()].into_iter().chain(arguments.iter().map(place)));
    let folder = format!("{}/", folder.display());
    let given = arguments.map_err(|error| error.kind().to_string())?.input.read();
    let mut given = given.map_err(|error| format!("{error:#}").replace(&folder, ""))?;
    given.source = given.source.replace(&folder, "");
    Ok(given)
}

/// The rows as text: `+abba`, `-ab`, `?b`. Copies of a word are adjacent.
fn rows(given: &Given) -> Vec<String> {
    let sign = |label: Label| match label {
        Label::Accepted => '+',
        Label::Rejected => '-',
        Label::Unlabelled => '?',
    };
    let text = |word: &[Letter]| given.examples.alphabet().write(word);
    given.examples.rows().map(|(word, label)| format!("{}{}", sign(label), text(word))).collect()
}

/// `file:line` where the word with this number was first read with this label.
fn place(given: &Given, word: usize, label: Label) -> String {
    given.place(word, label).unwrap()
}

/// The rows of one labelled file.
fn labelled(name: &str, content: impl AsRef<[u8]>, more: &[&str]) -> Vec<String> {
    rows(&read(&[(name, content)], &[&[name], more].concat()).unwrap())
}

/// The error for one labelled file.
fn wrong(name: &str, content: impl AsRef<[u8]>, more: &[&str]) -> String {
    read(&[(name, content)], &[&[name], more].concat()).unwrap_err()
}

/// The error for good.txt with a valid bad.txt.
fn wrong_text(good: impl AsRef<[u8]>, more: &[&str]) -> String {
    read(&[("good.txt", good.as_ref()), ("bad.txt", b"b\n")], &[&["good.txt", "bad.txt"], more].concat()).unwrap_err()
}

#[test]
fn two_files_of_words() {
    let files = [("good.txt", "abba\n\na\n"), ("bad.txt", "ab\r\n\r\n\"\"\r\nb"), ("more.txt", "\u{feff}bb\n")];
    let given = read(&files, &["good.txt", "bad.txt"]).unwrap();
    assert_eq!(rows(&given), ["+abba", "+a", "-ab", "-", "-b"]);
    assert_eq!(given.examples.alphabet().names(), ["a", "b"]);
    assert_eq!(given.blank, 2);
    assert_eq!(given.source, "good.txt and bad.txt");
    assert!(place(&given, 1, Label::Accepted).ends_with("good.txt:3"));
    assert!(place(&given, 3, Label::Rejected).ends_with("bad.txt:3"));
    assert_eq!(given.place(3, Label::Accepted), None);

    let named = read(&files, &["--negative", "bad.txt", "--positive", "good.txt", "--positive", "more.txt"]).unwrap();
    assert_eq!(rows(&named), ["+abba", "+a", "+bb", "-ab", "-", "-b"]);
    assert!(place(&named, 2, Label::Accepted).ends_with("more.txt:1"));
}

#[test]
fn a_blank_line_is_the_empty_word_when_told() {
    let given = read(&[("good.txt", "a\n\n"), ("bad.txt", "b\n")], &["good.txt", "bad.txt", "--empty-word"]).unwrap();
    assert_eq!((rows(&given), given.blank), (vec!["+a".into(), "+".into(), "-b".into()], 0));
}

#[test]
fn every_character_of_a_line_is_a_letter() {
    let given = read(&[("good.txt", " a\t\n \n\"a\"\n"), ("bad.txt", "é→\n")], &["good.txt", "bad.txt"]).unwrap();
    assert_eq!(rows(&given), ["+ a\t", "+ ", "+\"a\"", "-é→"]);
    assert_eq!(given.examples.alphabet().names(), ["\t", " ", "\"", "a", "é", "→"]);
}

#[test]
fn letters_are_bytes_when_told() {
    let files: [(&str, &[u8]); 2] = [("good.txt", b"a\xFF\n\xFF\r\n"), ("bad.txt", "é\n".as_bytes())];
    let given = read(&files, &["good.txt", "bad.txt", "--letters", "bytes"]).unwrap();
    assert_eq!(given.examples.alphabet().names(), ["\\xA9", "\\xC3", "\\xFF", "a"]);
    assert_eq!(given.examples.word(0).len(), 2);
    let csv: &[u8] = b"word,label\n\xFF\xFE,1\n\"\n\",0\n";
    let given = read(&[("some.csv", csv)], &["some.csv", "--letters", "bytes"]).unwrap();
    assert_eq!(given.examples.alphabet().names(), ["\n", "\\xFE", "\\xFF"]);
}

#[test]
fn letters_are_tokens_when_told() {
    let files = [("good.txt", "login  read\tlogout\n \n\"log in\" read\n\"\"\n"), ("bad.txt", "read\n")];
    let given = read(&files, &["good.txt", "bad.txt", "--letters", "tokens"]).unwrap();
    assert_eq!(given.examples.alphabet().names(), ["log in", "login", "logout", "read"]);
    assert_eq!(rows(&given), ["+login read logout", "+\"log in\" read", "+", "-read"]);
    assert_eq!(given.blank, 1);

    let files = [("good.txt", "log in, read\n\"\"\n"), ("bad.txt", "\n x \n")];
    let given = read(&files, &["good.txt", "bad.txt", "--separator", ", "]).unwrap();
    assert_eq!(given.examples.alphabet().names(), [" x ", "log in", "read"]);
    assert_eq!((given.examples.len(), given.blank), (3, 1));
}

#[test]
fn tables_in_every_shape() {
    for table in [
        "word,label\nab,1\nb,0\n",
        "word,label\r\nab,1\r\nb,0",
        "\u{feff}\"Label\", WORD ,n\n in ,ab,3\nOUT,b,\n",
        "id,word,label\n1,ab,TRUE\n\n,b,False\n",
        "word\tlabel\nab\t+\nb\t-\n",
    ] {
        assert_eq!(labelled("some.txt", table, &[]), ["+ab", "-b"], "detected: {table}");
        let (name, format) = if table.contains('\t') { ("a.tsv", "tsv") } else { ("a.csv", "csv") };
        assert_eq!(labelled(name, table, &[]), ["+ab", "-b"], "by name: {table}");
        assert_eq!(labelled("some.dat", table, &["--format", format]), ["+ab", "-b"], "told: {table}");
    }
}

#[test]
fn fields_are_quoted_as_the_standard_says() {
    let table = "word,label\n\"a,\"\"b\"\"\",1\n\"two\nlines\",0\n\"\",1\n,0\n c ,?\nd,\ne,-1\n";
    assert_eq!(labelled("a.csv", table, &[]), ["+a,\"b\"", "-two\nlines", "+", "-", "? c ", "?d", "?e"]);
}

#[test]
fn rows_of_a_table_know_their_lines() {
    let table = "\nword,label\n\n\na,1\n\"b\nb\",0\n  \nc,1\n,\n\n";
    for table in [table.to_owned(), table.replace('\n', "\r\n")] {
        let given = read(&[("a.csv", &table)], &["a.csv"]).unwrap();
        assert_eq!(given.blank, 6, "{table:?}");
        let labels = [Label::Accepted, Label::Rejected, Label::Accepted];
        let places = labels.iter().enumerate().map(|(word, label)| place(&given, word, *label));
        let lines: Vec<String> = places.map(|place| place.rsplit(':').next().unwrap().into()).collect();
        assert_eq!(lines, ["5", "6", "9"], "{table:?}");
    }
}

#[test]
fn json_lines_in_every_shape() {
    let lines = r#"
        {"word": "ab\u00e9", "label": true, "note": [1, {}]}
        {"label": 0, "word": ""}

        {"word": "a", "label": "in"}
        {"word": ["b", "a"], "label": 1.0}
        {"word": "b", "label": null}
        {"word": "bb", "label": -1}"#;
    for name in ["a.jsonl", "a.ndjson", "a.json", "a.txt"] {
        assert_eq!(labelled(name, lines, &[]), ["+abé", "-", "+a", "+ba", "?b", "?bb"]);
    }
    // The first word decides whether letters are tokens.
    let lines = r#"{"word": ["log in", "read"], "label": 1}
                   {"word": "read read", "label": 0}"#;
    assert_eq!(labelled("a.jsonl", lines, &[]), ["+\"log in\" read", "-read read"]);
    let lines = r#"{"word": ["\\xC3", "a"], "label": 1}
                   {"word": "Ä", "label": 0}"#;
    let given = read(&[("a.jsonl", lines)], &["a.jsonl", "--letters", "bytes"]).unwrap();
    assert_eq!(given.examples.alphabet().names(), ["\\x84", "\\xC3", "a"]);
}

#[test]
fn abbadingo_files() {
    let content = "\u{feff}4 11\n1 2 0 10\n\n0 0\n-1 1 3\r\n1 1 2";
    for (name, more) in
        [("a.abbadingo", ["--format", "auto"]), ("a.dat", ["--format", "auto"]), ("a.csv", ["--format", "abbadingo"])]
    {
        let given = read(&[(name, content)], &[&[name], &more[..]].concat()).unwrap();
        assert_eq!(rows(&given), ["+0 10", "-", "?3", "+2"]);
        assert_eq!((given.examples.alphabet().len(), given.blank), (11, 1));
        let place = place(&given, 1, Label::Rejected);
        assert!(place.ends_with(":4"), "{place}");
    }
}

#[test]
fn a_word_labelled_both_ways_is_refused_unless_labels_may_be_wrong() {
    let files = [("good.txt", "a\nb\nabba\nabba\n"), ("bad.txt", "ab\nabba\n")];
    let given = read(&files, &["good.txt", "bad.txt"]).unwrap();
    let error = given.check(false).unwrap_err().to_string();
    let (good, bad) = (place(&given, 2, Label::Accepted), place(&given, 2, Label::Rejected));
    assert!(good.ends_with("good.txt:3") && bad.ends_with("bad.txt:2"));
    assert_eq!(error, format!("the word \"abba\" has both labels: accepted ({good}) and rejected ({bad})"));
    given.check(true).unwrap();
    // A missing label contradicts nothing, and neither does a repeated one.
    let table = "word,label\na,1\na,?\na,1\nb,0\n";
    read(&[("a.csv", table)], &["a.csv"]).unwrap().check(false).unwrap();
    // Either label may come first, and a long word is shortened.
    let table = format!("word,label\n{0},0\n{0},1\n", "a".repeat(1000));
    let error = read(&[("a.csv", table)], &["a.csv"]).unwrap().check(false).unwrap_err().to_string();
    assert!(error.contains("a.csv:3) and rejected (") && error.ends_with("a.csv:2)") && error.len() < 300, "{error}");
}

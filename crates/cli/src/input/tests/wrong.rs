//! Every error is one line, with file and line number where possible.

use super::*;

#[test]
fn one_label_alone_is_refused() {
    let only = |good: &str, bad: &str, more: &[&str]| {
        let files = [("good.txt", good), ("bad.txt", bad)];
        checked(&files, &[&["good.txt", "bad.txt"], more].concat()).unwrap_err()
    };
    assert_eq!(
        only("a\nb\n", "", &[]),
        "2 words are accepted and none rejected; add rejected words, or use --learner facts, which learns from accepted \
         words alone"
    );
    assert_eq!(
        only("", "b", &[]),
        "1 word is rejected and none accepted; add accepted words, otherwise the answer is the empty language"
    );
    assert_eq!(
        only("\n\n", "\n", &[]),
        "good.txt and bad.txt: no words (3 blank lines skipped; the empty word is \"\")"
    );
    assert_eq!(only("", "", &[]), "good.txt and bad.txt: no words");
    assert_eq!(wrong("a.csv", "word,label\n", &[]), "a.csv: no words");
    assert_eq!(wrong("a.csv", "", &[]), "a.csv: no words");
    assert_eq!(wrong("a.csv", "word,label\na,?\n", &[]), "a.csv: no labels (1 word has no label: ?, -1 or nothing)");
    // Explain -1 to users who mean it as a label.
    let error = checked(&[("a.csv", "word,label\na,1\nb,-1\nc,-1\n")], &["a.csv"]).unwrap_err();
    assert!(error.contains("none rejected (2 words have no label: ?, -1 or nothing); "), "{error}");
    let error = checked(&[("good.txt", "a")], &["--positive", "good.txt"]).unwrap_err();
    assert!(error.starts_with("1 word is accepted and none"), "{error}");
}

/// Reads examples, and says whether the default learner can learn from them.
fn checked(files: &[(&str, &str)], arguments: &[&str]) -> Result<(), String> {
    let given = read(files, arguments)?;
    nerode::Options::default().check_labels(&given.examples).map_err(|error| error.to_string())
}

#[test]
fn what_is_not_there_is_told() {
    let none: [(&str, &str); 0] = [];
    assert_eq!(
        read(&none, &[]).unwrap_err(),
        "no examples given: give one file with labels, or a file of accepted and a file of rejected words"
    );
    assert_eq!(read(&none, &["missing.csv"]).unwrap_err(), "there is no file missing.csv");
    assert_eq!(read(&[("good.txt", "a")], &["good.txt", "missing.txt"]).unwrap_err(), "there is no file missing.txt");
    assert_eq!(read(&none, &["./"]).unwrap_err(), "./ is a folder, not a file of words");
    assert_eq!(read(&none, &["-", "-"]).unwrap_err(), "standard input can be read only once");
    let twice = ["--positive", "-", "--negative", "-"];
    assert_eq!(read(&none, &twice).unwrap_err(), "standard input can be read only once");
    assert_eq!(
        read(&none, &["example:tomita9"]).unwrap_err(),
        "there are no examples named \"tomita9\"; available: paper"
    );
}

#[test]
fn how_files_are_given_is_checked() {
    let text = "good.txt: the words have no labels: give a file of accepted words and a file of rejected words, or one \
                file with columns `word` and `label`";
    assert_eq!(wrong("good.txt", "abba\nab\n", &[]), text);
    assert_eq!(wrong("good.txt", "word,label\n", &["--format", "text"]), text);
    let files = [("a.csv", "word,label\na,1\n"), ("b.txt", "b")];
    assert_eq!(
        read(&files, &["a.csv", "b.txt"]).unwrap_err(),
        "a.csv has labels, so give it alone (--format text reads each line as a word)"
    );
    assert_eq!(rows(&read(&files, &["a.csv", "b.txt", "--format", "text"]).unwrap()), ["+word,label", "+a,1", "-b"]);
    assert_eq!(
        read(&files, &["b.txt", "a.csv", "--format", "csv"]).unwrap_err(),
        "--format csv is for a single file with labels"
    );
    assert!(read(&files, &["a.csv", "--positive", "b.txt"]).is_err());
    assert!(read(&files, &["a.csv", "b.txt", "b.txt"]).is_err());
}

#[test]
fn letters_that_cannot_be_cut_are_told() {
    assert_eq!(wrong_text(b"a\n\xFF\n", &[]), "good.txt:2: not UTF-8 text; use --letters bytes for arbitrary bytes");
    assert_eq!(wrong_text(b"\xFF\xFEa\0", &[]), "good.txt: UTF-16 text; save it as UTF-8");
    assert_eq!(
        wrong_text("a,b\na,,b\n", &["--separator", ","]),
        "good.txt:2: an empty letter: two separators \",\" in a row, or one at an end of the word"
    );
    assert_eq!(
        wrong_text("a \"b\n", &["--letters", "tokens"]),
        "good.txt:1: missing closing quote of a letter: \"\\\"b\""
    );
    assert_eq!(wrong_text("a", &["--separator", ""]), "--separator is empty; use --letters chars instead");
    assert_eq!(wrong_text("a", &["--separator", "-", "--letters", "chars"]), "--separator requires --letters tokens");
    assert_eq!(
        wrong("a.csv", b"word,label\na,1\n\xC3,0\n", &[]),
        "a.csv:3: not UTF-8 text; use --letters bytes for arbitrary bytes"
    );
    assert_eq!(wrong("a.jsonl", b"{}\n\xC3\n", &["--letters", "bytes"]), "a.jsonl:2: not UTF-8 text");
}

#[test]
fn tables_that_are_wrong() {
    let wrong = |table: &str| wrong("a.csv", table, &[]);
    let explained = "the first line names the columns, `word` and `label` among them, and here it is";
    assert_eq!(wrong("abba,1\n"), format!("a.csv:1: no column is called `word`: {explained} \"abba | 1\""));
    assert_eq!(
        wrong("\n\nword,class\n"),
        format!("a.csv:3: no column is called `label`: {explained} \"word | class\"")
    );
    assert_eq!(wrong("word,word,label\n"), "a.csv:1: two columns are named `word`");
    assert_eq!(wrong("word,label\na,1\nb\n"), "a.csv:3: this row has 1 field, but the header has 2");
    assert_eq!(wrong("word,label\n\na,1,2\n"), "a.csv:3: this row has 3 fields, but the header has 2");
    assert_eq!(
        wrong("word,label\na,1\n\"b\nc\",0\nd,maybe\n"),
        "a.csv:5: the label \"maybe\" is unknown: there are 1/0, true/false, +/-, in/out, yes/no, accepted/rejected, \
         and ? or nothing for an unlabelled word"
    );
    assert_eq!(wrong("label,word\n1,\"a\n0,b\n"), "a.csv:2: missing closing quote in this row");
    assert_eq!(
        wrong("word,label\na\"b,1\n"),
        "a.csv:2: a quote in an unquoted field; quote the field and double the quote"
    );
    assert_eq!(
        wrong("word,label\n\"a\"b,1\n"),
        "a.csv:2: text after the closing quote of a field; double a quote inside a field"
    );
}

#[test]
fn json_lines_that_are_wrong() {
    let wrong = |line: &str| wrong("a.jsonl", format!("{{\"word\": \"a\", \"label\": 1}}\n{line}\n"), &[]);
    let cases = [
        ("[1]", r#"not an object; write lines like {"word": "abba", "label": 1}"#),
        ("{\"word\": \"a\",", "EOF while parsing a value (column 13)"),
        ("{\"word\": \"a\"}", "missing field `label` (column 13)"),
        ("{\"label\": 1}", "missing field `word` (column 12)"),
        ("{\"word\": \"a\", \"word\": \"a\", \"label\": 1}", "duplicate field `word` (column 20)"),
        ("{\"word\": 3, \"label\": 1}", "the word is neither a string nor a list of strings"),
        ("{\"word\": [\"a\", 3], \"label\": 1}", "a letter in the list of a word is not a string"),
        ("{\"word\": [\"\"], \"label\": 1}", "a letter cannot be the empty string"),
        ("{\"word\": [\"log\"], \"label\": 1}", "the letter \"log\" is not a single character; use --letters tokens"),
    ];
    for (line, message) in cases {
        assert_eq!(wrong(line), format!("a.jsonl:2: {message}"));
    }
    for (label, shown) in [("2", "\"2\""), ("[]", "[…]"), ("{}", "{…}"), ("\"maybe\"", "\"maybe\"")] {
        let error = wrong(&format!("{{\"word\": \"a\", \"label\": {label}}}"));
        assert!(error.starts_with(&format!("a.jsonl:2: the label {shown} is unknown: ")), "{error}");
    }
    let bytes = super::wrong("a.jsonl", r#"{"word": ["\\x41"], "label": 1}"#, &["--letters", "bytes"]);
    assert_eq!(bytes, r#"a.jsonl:1: the letter "\\x41" is not a byte; write an ASCII character, or a name like \xC3"#);
}

#[test]
fn abbadingo_files_that_are_wrong() {
    let wrong = |content: &str| wrong("a.abbadingo", content, &[]);
    assert_eq!(wrong("2 2\n1 1 0\n0 1 7\n"), "a.abbadingo:3: the letter \"7\" is not a number below 2");
    assert_eq!(wrong("3 2\n1 1 0\n"), "a.abbadingo: the header promises 3 words, but there are 1");
    assert_eq!(
        super::wrong("a.abbadingo", "1 1\n1 1 0\n", &["--letters", "bytes"]),
        "a.abbadingo: --letters and --separator do not apply to Abbadingo files, whose letters are numbers"
    );
}

//! Round trips, and robustness of the readers.

use automata::{Alphabet, Counts, Spelling, Word};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Letters that are awkward in some format, as characters, bytes and tokens.
const CHARS: [&str; 14] = ["a", "b", "\"", "\\", " ", "\t", "\n", "\r", ",", "?", "ε", "{", "\u{feff}", "\u{2028}"];
const BYTES: [&str; 9] = ["a", "\"", ",", "\n", "\\xEF", "\\xBB", "\\xBF", "\\xFF", "\\xC3"];
const TOKENS: [&str; 10] = ["log in", "a", "\"", "\"\"", "a\"b", "\\", "x\ny", "\u{85}", "1,2", "\\xC3"];

fn label() -> impl Strategy<Value = Label> {
    select(vec![Label::Accepted, Label::Rejected, Label::Unlabelled])
}

/// Examples over the letters that occur in them, with words of both labels.
fn examples() -> impl Strategy<Value = Examples> {
    let letters = select(vec![CHARS.to_vec(), BYTES.to_vec(), TOKENS.to_vec()]);
    letters.prop_flat_map(|letters| {
        let word = || vec(select(letters.clone()), 0..5);
        (vec((word(), label()), 0..8), word(), word()).prop_map(|(mut rows, accepted, rejected)| {
            rows.extend([(accepted, Label::Accepted), (rejected, Label::Rejected)]);
            let alphabet = Alphabet::new(rows.iter().flat_map(|(word, _)| word.iter().copied())).unwrap();
            let letter = |name: &&str| alphabet.find(name).unwrap();
            let rows = rows.iter().map(|(word, label)| (word.iter().map(letter).collect::<Word>(), *label));
            Examples::of(&alphabet, rows)
        })
    })
}

/// The arguments that specify these letters.
fn told(examples: &Examples) -> &'static [&'static str] {
    match examples.alphabet().spelling() {
        Spelling::Chars | Spelling::Classes => &[],
        Spelling::Bytes => &["--letters", "bytes"],
        Spelling::Tokens => &["--letters", "tokens"],
    }
}

/// Arguments for the readers: any format, any letters.
const TOLD: [&[&str]; 6] = [
    &[],
    &["--letters", "chars"],
    &["--letters", "bytes"],
    &["--letters", "tokens"],
    &["--separator", ","],
    &["--empty-word", "--letters", "tokens"],
];

/// Text with a valid start and arbitrary content after it.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let begin =
        select(vec!["", "\u{feff}", "word,label\n", "word\tlabel\r\n", "{\"word\": \"a\", \"label\": 1}\n", "2 2\n"]);
    let pieces = vec![
        "a",
        "b",
        ",",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\"",
        "\"\"",
        " ",
        "1",
        "0",
        "-1",
        "?",
        "{",
        "}",
        "[",
        "]",
        ":",
        "\\",
        "\"word\"",
        "\"label\"",
        "word",
        "label",
        "{\"word\":\"b\",\"label\":0}",
        "1 2 0 1",
        "é",
        "\u{0}",
    ];
    let pieces: Vec<Vec<u8>> = pieces.into_iter().map(|piece| piece.as_bytes().to_vec()).chain([vec![0xFF]]).collect();
    (begin, vec(select(pieces), 0..24)).prop_map(|(begin, rest)| [begin.as_bytes().to_vec(), rest.concat()].concat())
}

proptest! {
    #[test]
    fn labelled_files_come_back_as_they_were(examples in examples()) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.csv", "a.tsv", "a.jsonl"] {
            saving::write(&folder.path().join(name), &examples).unwrap();
            let given = read_in(folder.path(), &[&[name], told(&examples)].concat()).unwrap();
            prop_assert_eq!(&given.examples, &examples, "{}", name);
            prop_assert_eq!(given.blank, 0);
        }
    }

    #[test]
    fn files_of_words_come_back_as_they_were(examples in examples()) {
        let folder = tempfile::tempdir().unwrap();
        let written = saving::write(&folder.path().join("a.txt"), &examples);
        // Positive words come first.
        let mut rows: Vec<(&[Letter], Label)> = examples.rows().collect();
        rows.sort_by_key(|(_, label)| *label);
        let sorted = Examples::of(examples.alphabet(), rows);
        match written {
            Ok(()) => {
                let given = read_in(folder.path(), &[&["a.positive.txt", "a.negative.txt"], told(&examples)].concat());
                prop_assert_eq!(given.unwrap().examples, sorted);
            }
            Err(error) => {
                let has = |name: &str| examples.alphabet().find(name).is_some();
                let unlabelled = examples.total(Label::Unlabelled) > 0;
                prop_assert!(unlabelled || has("\n") || has("\r") || has("\""), "{error}");
            }
        }
    }

    #[test]
    fn numbered_letters_come_back_as_they_were(rows in vec((vec(0..12_usize, 0..5), label()), 0..8)) {
        let alphabet = Alphabet::new((0..12).map(|i: usize| i.to_string())).unwrap();
        let both = [(vec![0], Label::Accepted), (vec![1], Label::Rejected)];
        let word = |word: Vec<usize>| word.into_iter().map(Letter::new).collect::<Word>();
        let rows = rows.into_iter().chain(both).map(|(letters, label)| (word(letters), label));
        let examples = Examples::of(&alphabet, rows);
        let folder = tempfile::tempdir().unwrap();
        saving::write(&folder.path().join("a.abbadingo"), &examples).unwrap();
        prop_assert_eq!(read_in(folder.path(), &["a.abbadingo"]).unwrap().examples, examples);
    }

    /// Whatever a file contains, reading it gives examples with a position for each, or a one-line error.
    #[test]
    fn no_file_makes_a_reader_stumble(
        bytes in prop_oneof![nearly(), vec(any::<u8>(), 0..64)],
        other in prop_oneof![nearly(), vec(any::<u8>(), 0..64)],
        told in select(TOLD.to_vec()),
        format in select(vec!["auto", "csv", "tsv", "jsonl", "abbadingo"]),
    ) {
        let files = [("a.txt", &bytes), ("b.txt", &other)];
        let alone = read(&files, &[&["a.txt", "--format", format], told].concat());
        for given in [alone, read(&files, &[&["a.txt", "b.txt"], told].concat())] {
            match given {
                Ok(given) => {
                    given.check(true).unwrap();
                    let checked = given.check(false).map_err(|error| error.to_string());
                    prop_assert!(checked.is_ok() || !checked.unwrap_err().contains(char::is_control));
                    let has_place = |(number, (_, counts)): (usize, (_, Counts))| {
                        [Label::Accepted, Label::Rejected].into_iter().all(|label| {
                            given.place(number, label).is_some() == (counts.of(label) > 0)
                        })
                    };
                    prop_assert!(given.examples.iter().enumerate().all(has_place));
                }
                Err(error) => prop_assert!(!error.is_empty() && !error.contains(char::is_control), "{error:?}"),
            }
        }
    }

    /// Every line of a text file is a word, with its characters as letters, or is counted as blank.
    #[test]
    fn lines_are_neither_lost_nor_changed(lines in vec("[ab \"é]{0,3}", 1..12), windows: bool, ended: bool) {
        let end = if windows { "\r\n" } else { "\n" };
        let last = if ended || lines.last().is_some_and(String::is_empty) { end } else { "" };
        let good = lines.join(end) + last;
        let given = read(&[("good.txt", good.as_str()), ("bad.txt", "a\n")], &["good.txt", "bad.txt"]);
        let words: Vec<&str> =
            lines.iter().filter(|line| !line.is_empty()).map(|line| if line == "\"\"" { "" } else { line }).collect();
        prop_assume!(!words.is_empty());
        let given = given.unwrap();
        prop_assert_eq!(given.blank, lines.len() - words.len());
        let mut expected: Vec<String> = words.iter().map(|word| format!("+{word}")).chain(["-a".to_owned()]).collect();
        let mut found = rows(&given);
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, letters: &[&str]| {
        let alphabet = Alphabet::new(letters.iter().copied()).unwrap();
        let error = saving::Saving::open(&folder.path().join(name), &alphabet).err().unwrap();
        format!("{error:#}").replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(
        refused("a.abbadingo", &["a", "b"]),
        "a.abbadingo: an Abbadingo file stores letters as numbers; use .csv or .jsonl to keep {a, b}"
    );
    assert_eq!(
        refused("a.txt", &["a", "\n"]),
        "a.txt: a text file cannot hold a letter that is a line break; use .csv or .jsonl"
    );
    assert_eq!(refused("a.doc", &["a"]), "a.doc: examples can be saved as .csv, .tsv, .jsonl, .abbadingo or .txt");
    assert!(refused("no/a.csv", &["a"]).starts_with("cannot write to no/a.csv: "));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

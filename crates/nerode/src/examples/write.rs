//! Examples written as they can be read again.

use automata::formats::abbadingo;
use automata::{Alphabet, Examples, Label, Letter, Spelling, Word, byte_of_name};
use induction::Sample;
use serde_json::json;

use super::Format;
use super::source::BYTE_ORDER_MARK;
use crate::Error;
use crate::error::bail;

/// Refuses letters that a format cannot hold, so that nothing is learned that cannot be saved.
pub fn check(format: Format, alphabet: &Alphabet) -> Result<(), Error> {
    match format {
        Format::Abbadingo if !are_numbers(alphabet) => {
            bail!("an Abbadingo file stores letters as numbers; use .csv or .jsonl to keep {alphabet}")
        }
        Format::Text
            if alphabet.spelling() != Spelling::Tokens
                && ["\n", "\r"].iter().any(|end| alphabet.find(end).is_some()) =>
        {
            bail!("a text file cannot hold a letter that is a line break; use .csv or .jsonl")
        }
        _ => Ok(()),
    }
}

/// Examples in a format that holds labels, and after them the words that were asked about. Where some were, a column
/// `asked` tells them apart: they are learned as answers to questions, and not as given.
pub fn labelled(format: Format, examples: &Examples, answers: &[(Word, Label)]) -> Result<Vec<u8>, Error> {
    match format {
        Format::Csv => Ok(all_rows(examples, answers, Some(b','))),
        Format::Tsv => Ok(all_rows(examples, answers, Some(b'\t'))),
        Format::Jsonl => Ok(all_rows(examples, answers, None)),
        Format::Abbadingo => {
            let mut all = examples.clone();
            all.extend(answers.iter().cloned());
            Ok(abbadingo::write(&all).into_bytes())
        }
        Format::Text => bail!("plain text holds words of one label: write accepted and rejected words apart"),
    }
}

/// Whether a format marks the words that were asked about.
#[must_use]
pub fn marks_answers(format: Format) -> bool {
    matches!(format, Format::Csv | Format::Tsv | Format::Jsonl)
}

/// Whether the letters are `0`, `1`, … as an Abbadingo file has them.
fn are_numbers(alphabet: &Alphabet) -> bool {
    (0..alphabet.len()).all(|i| alphabet.find(&i.to_string()).is_some())
}

/// Words as text: the bytes of each letter, and what stands between two.
struct Speller {
    letters: Vec<Vec<u8>>,
    between: &'static str,
}

impl Speller {
    fn new(alphabet: &Alphabet) -> Self {
        let spelling = alphabet.spelling();
        let text = |letter: Letter| match byte_of_name(alphabet.name(letter)) {
            Some(byte) if spelling == Spelling::Bytes => vec![byte],
            _ => alphabet.write(&[letter]).into_bytes(),
        };
        let between = if spelling == Spelling::Tokens { " " } else { "" };
        Self { letters: alphabet.letters().map(text).collect(), between }
    }

    fn spell(&self, word: &[Letter]) -> Vec<u8> {
        let mut text = Vec::new();
        for (i, letter) in word.iter().enumerate() {
            if i > 0 {
                text.extend_from_slice(self.between.as_bytes());
            }
            text.extend_from_slice(&self.letters[letter.index()]);
        }
        text
    }
}

/// Each example as often as it was seen, then the answers to questions; whether it is an answer.
fn rows<'a>(examples: &'a Examples, answers: &'a [(Word, Label)]) -> impl Iterator<Item = (&'a [Letter], Label, bool)> {
    let given = examples.rows().map(|(word, label)| (word, label, false));
    given.chain(answers.iter().map(|(word, label)| (&word[..], *label, true)))
}

/// What a row says besides the word and its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Nothing.
    None,
    /// Whether it was asked about.
    Asked(bool),
    /// Its kind.
    Kind(&'static str),
}

/// Labelled words in rows: a table with this delimiter, or JSON lines for `None`. Rows can be written as they come.
pub struct Rows<'a> {
    alphabet: &'a Alphabet,
    speller: Speller,
    delimiter: Option<u8>,
}

impl<'a> Rows<'a> {
    /// Rows of words over this alphabet.
    #[must_use]
    pub fn new(alphabet: &'a Alphabet, delimiter: Option<u8>) -> Self {
        Self { alphabet, speller: Speller::new(alphabet), delimiter }
    }

    /// The header line of a table; empty for JSON lines.
    #[must_use]
    pub fn head(&self, extra: Extra) -> Vec<u8> {
        let Some(delimiter) = self.delimiter else { return Vec::new() };
        let columns: &[&[u8]] = match extra {
            Extra::None => &[b"word", b"label"],
            Extra::Asked(_) => &[b"word", b"label", b"asked"],
            Extra::Kind(_) => &[b"word", b"label", b"kind"],
        };
        [&columns.join(&delimiter)[..], b"\n"].concat()
    }

    /// The line of a word.
    #[must_use]
    pub fn row(&self, word: &[Letter], label: Label, extra: Extra) -> Vec<u8> {
        match self.delimiter {
            Some(delimiter) => self.table_row(word, label, extra, delimiter),
            None => self.json_line(word, label, extra).into_bytes(),
        }
    }

    fn table_row(&self, word: &[Letter], label: Label, extra: Extra, delimiter: u8) -> Vec<u8> {
        let mut out = Vec::new();
        let word = self.speller.spell(word);
        // The empty word too, so that it is seen.
        if word.is_empty() || word.iter().any(|byte| matches!(byte, b'"' | b'\r' | b'\n') || *byte == delimiter) {
            out.push(b'"');
            for &byte in &word {
                out.extend(std::iter::repeat_n(byte, if byte == b'"' { 2 } else { 1 }));
            }
            out.push(b'"');
        } else {
            out.extend_from_slice(&word);
        }
        out.push(delimiter);
        out.extend_from_slice(match label {
            Label::Accepted => b"1",
            Label::Rejected => b"0",
            Label::Unlabelled => b"?",
        });
        let extra = match extra {
            Extra::None => None,
            Extra::Asked(asked) => Some(if asked { "1" } else { "0" }),
            Extra::Kind(kind) => Some(kind),
        };
        if let Some(extra) = extra {
            out.push(delimiter);
            out.extend_from_slice(extra.as_bytes());
        }
        out.push(b'\n');
        out
    }

    fn json_line(&self, word: &[Letter], label: Label, extra: Extra) -> String {
        // Bytes that are no text are given by their names, as tokens are.
        let tokens = self.alphabet.spelling() == Spelling::Tokens;
        let text = if tokens { None } else { String::from_utf8(self.speller.spell(word)).ok() };
        let word = match text {
            Some(text) => json!(text),
            None => word.iter().map(|&letter| self.alphabet.name(letter)).collect(),
        };
        let label = match label {
            Label::Accepted => "1",
            Label::Rejected => "0",
            Label::Unlabelled => "null",
        };
        let extra = match extra {
            Extra::None | Extra::Asked(false) => String::new(),
            Extra::Asked(true) => ", \"asked\": true".to_owned(),
            Extra::Kind(kind) => format!(", \"kind\": {}", json!(kind)),
        };
        format!("{{\"word\": {word}, \"label\": {label}{extra}}}\n")
    }
}

/// All rows of a table or of JSON lines.
fn all_rows(examples: &Examples, answers: &[(Word, Label)], delimiter: Option<u8>) -> Vec<u8> {
    let writer = Rows::new(examples.alphabet(), delimiter);
    let extra = |asked: bool| if answers.is_empty() { Extra::None } else { Extra::Asked(asked) };
    let mut out = writer.head(extra(false));
    rows(examples, answers).for_each(|(word, label, asked)| out.extend(writer.row(word, label, extra(asked))));
    out
}

/// A sample as JSON lines that are read as the same letters whatever they are: as text where they are characters, else as
/// lists of names.
pub fn lines_of(sample: &Sample) -> Vec<u8> {
    let alphabet = sample.alphabet();
    let text = alphabet.spelling() == Spelling::Chars;
    let mut out = String::new();
    for (word, counts) in sample.rows() {
        let word = match text {
            true => json!(alphabet.write(word)),
            false => word.iter().map(|&letter| alphabet.name(letter)).collect(),
        };
        for (label, times) in [(1, counts.accepted), (0, counts.rejected)] {
            let line = format!("{{\"word\": {word}, \"label\": {label}}}\n");
            (0..times).for_each(|_| out.push_str(&line));
        }
    }
    out.into_bytes()
}

/// The words of one label, one a line: examples, then answers to questions.
pub fn lines(examples: &Examples, answers: &[(Word, Label)], wanted: Label) -> Result<Vec<u8>, Error> {
    let speller = Speller::new(examples.alphabet());
    let mut out = Vec::new();
    for (word, label, _) in rows(examples, answers) {
        match label {
            Label::Unlabelled => bail!("a text file cannot hold a word without a label; use .csv or .jsonl"),
            label if label != wanted => {}
            _ if word.is_empty() => out.extend_from_slice(b"\"\"\n"),
            _ => {
                let text = speller.spell(word);
                if text == b"\"\"" {
                    bail!("in a text file \"\" is the empty word and cannot be two quotes; use .csv or .jsonl");
                }
                out.extend_from_slice(&text);
                out.push(b'\n');
            }
        }
    }
    // A mark is dropped in reading: a first word that begins with one needs another.
    if out.starts_with(BYTE_ORDER_MARK) {
        out.splice(..0, BYTE_ORDER_MARK.iter().copied());
    }
    Ok(out)
}

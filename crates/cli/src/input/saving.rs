//! Examples saved as they can be read again.
//!
//! Letters that a format cannot hold are refused when the file is opened, before there is anything to lose: a person
//! who answered questions about words will find a place for the answers.

use std::path::{Path, PathBuf};

use anyhow::bail;
use automata::formats::{Examples, Label, abbadingo};
use automata::{Alphabet, Letter, Spelling, byte_of_name};
use induction::Sample;
use serde_json::json;

use super::Format;
use super::detect;
use super::source::BYTE_ORDER_MARK;
use crate::output::Output;

/// A place for examples, opened before the work.
pub(crate) enum Saving {
    /// One file with labels.
    Labelled { output: Output, format: Format },
    /// Two files of words: those that belong, and those that do not.
    Text { positive: Output, negative: Output },
}

/// Writes the examples in the format that the ending of `path` is for: `.csv`, `.tsv`, `.jsonl`, `.abbadingo`; or, for
/// `NAME.txt`, as `NAME.positive.txt` and `NAME.negative.txt`.
#[cfg(test)]
pub(crate) fn write(path: &Path, examples: &Examples) -> anyhow::Result<()> {
    Saving::open(path, &examples.alphabet)?.finish(examples)
}

impl Saving {
    /// Opens the file or files for examples over letters like these.
    pub(crate) fn open(path: &Path, alphabet: &Alphabet) -> anyhow::Result<Self> {
        if let Some(format) = detect::by_name(path) {
            if format == Format::Abbadingo && !are_numbers(alphabet) {
                bail!(
                    "{}: an Abbadingo file has its letters by number: .csv or .jsonl keeps {alphabet}",
                    path.display()
                );
            }
            return Ok(Saving::Labelled { output: Output::open(Some(path))?, format });
        }
        if path.extension().is_none_or(|ending| ending != "txt") {
            bail!("{}: examples are saved as .csv, .tsv, .jsonl, .abbadingo or .txt", path.display());
        }
        if alphabet.spelling() != Spelling::Tokens && ["\n", "\r"].iter().any(|end| alphabet.find(end).is_some()) {
            bail!("{}: a letter is the end of a line: .csv or .jsonl has room for it", path.display());
        }
        let open = |kind: &str| Output::open(Some(&half(path, kind)));
        Ok(Saving::Text { positive: open("positive")?, negative: open("negative")? })
    }

    /// Writes the examples.
    pub(crate) fn finish(self, examples: &Examples) -> anyhow::Result<()> {
        match self {
            Saving::Labelled { output, format } => output.finish_bytes(&match format {
                Format::Csv => table(examples, b','),
                Format::Tsv => table(examples, b'\t'),
                Format::Jsonl => json_lines(examples),
                Format::Abbadingo => abbadingo::write(examples).into_bytes(),
                Format::Auto | Format::Text => unreachable!("these have no labels, and are not opened so"),
            }),
            Saving::Text { positive, negative } => {
                // Both are made before one is written.
                let (accepted, rejected) = (lines(examples, Label::Accepted)?, lines(examples, Label::Rejected)?);
                positive.finish_bytes(&accepted)?;
                negative.finish_bytes(&rejected)
            }
        }
    }
}

/// `NAME.positive.txt` for `NAME.txt`.
fn half(path: &Path, kind: &str) -> PathBuf {
    path.with_extension(format!("{kind}.txt"))
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

fn table(examples: &Examples, delimiter: u8) -> Vec<u8> {
    let speller = Speller::new(&examples.alphabet);
    let mut out = [b"word", [delimiter].as_slice(), b"label\n"].concat();
    for (word, label) in &examples.rows {
        let word = speller.spell(word);
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
            Label::Accepted => b"1\n",
            Label::Rejected => b"0\n",
            Label::Unlabelled => b"?\n",
        });
    }
    out
}

fn json_lines(examples: &Examples) -> Vec<u8> {
    let alphabet = &examples.alphabet;
    let speller = Speller::new(alphabet);
    let tokens = alphabet.spelling() == Spelling::Tokens;
    let mut out = String::new();
    for (word, label) in &examples.rows {
        // Bytes that are no text are given by their names, as tokens are.
        let text = if tokens { None } else { String::from_utf8(speller.spell(word)).ok() };
        let word = match text {
            Some(text) => json!(text),
            None => word.iter().map(|&letter| alphabet.name(letter)).collect(),
        };
        let label = match label {
            Label::Accepted => "1",
            Label::Rejected => "0",
            Label::Unlabelled => "null",
        };
        out.push_str(&format!("{{\"word\": {word}, \"label\": {label}}}\n"));
    }
    out.into_bytes()
}

/// A sample as JSON lines that are read as the same letters whatever they are: as text where they are characters, else as
/// lists of names.
pub(crate) fn lines_of(sample: &Sample) -> Vec<u8> {
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

fn lines(examples: &Examples, wanted: Label) -> anyhow::Result<Vec<u8>> {
    let speller = Speller::new(&examples.alphabet);
    let mut out = Vec::new();
    for (word, label) in &examples.rows {
        match label {
            Label::Unlabelled => bail!("a text file has no place for a word without a label: .csv or .jsonl has"),
            label if *label != wanted => {}
            _ if word.is_empty() => out.extend_from_slice(b"\"\"\n"),
            _ => {
                let text = speller.spell(word);
                if text == b"\"\"" {
                    bail!("in a text file \"\" is the empty word, and cannot be two quotes: .csv or .jsonl has both");
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

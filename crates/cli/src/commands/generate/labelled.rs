//! Writes labelled words one at a time: one file with labels, or one file per label.

use std::io::{self, Write};
use std::path::Path;

use automata::formats::abbadingo::Writer;
use automata::{Alphabet, BigUint, Spelling};
use lab::examples::{Example, ExampleError};
use serde::Serialize;

use crate::output::{Output, Stream};

/// Formats that store labels.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Csv,
    /// Like CSV, with tabs.
    Tsv,
    Jsonl,
    Abbadingo,
}

impl Form {
    /// The format by file name; CSV by default.
    pub(super) fn of_ending(path: Option<&Path>) -> Self {
        match path.and_then(Path::extension).and_then(|ending| ending.to_str()) {
            Some("tsv") => Form::Tsv,
            Some("jsonl" | "ndjson") => Form::Jsonl,
            Some("dat" | "abbadingo") => Form::Abbadingo,
            _ => Form::Csv,
        }
    }
}

/// Where the words go.
pub(super) enum Place {
    /// One file with labels.
    One(Output, Form),
    /// One file for accepted and one for rejected words; `None` if there are to be none of them.
    Two { positive: Option<Output>, negative: Option<Output> },
}

impl Place {
    /// Writes the examples as they come. `count` is called only if the format begins with the number of words.
    pub(super) fn write(
        self,
        examples: impl Iterator<Item = Example>,
        count: impl FnOnce() -> Result<BigUint, ExampleError>,
        alphabet: &Alphabet,
    ) -> anyhow::Result<()> {
        match self {
            Place::One(output, form) => {
                let count = if let Form::Abbadingo = form { count()? } else { BigUint::ZERO };
                let mut out = output.stream()?;
                let written = match form {
                    Form::Csv => write_table(examples, alphabet, b',', &mut out),
                    Form::Tsv => write_table(examples, alphabet, b'\t', &mut out),
                    Form::Jsonl => write_jsonl(examples, alphabet, &mut out),
                    Form::Abbadingo => write_abbadingo(examples, &count, alphabet, &mut out),
                };
                out.finish(written)
            }
            Place::Two { positive, negative } => {
                let mut positive = positive.map(Output::stream).transpose()?;
                let mut negative = negative.map(Output::stream).transpose()?;
                let mut written = (Ok(()), Ok(()));
                for example in examples {
                    let (out, written) = match example.is_positive() {
                        true => (&mut positive, &mut written.0),
                        false => (&mut negative, &mut written.1),
                    };
                    if let Some(out) = out {
                        *written = writeln!(out, "{}", alphabet.show(&example.word));
                        if written.is_err() {
                            break;
                        }
                    }
                }
                // Both files or none, as far as possible: report a failure before either file is put in place.
                let finish = |out: Option<Stream>, written| out.map_or(Ok(()), |out| out.finish(written));
                if written.1.is_err() {
                    return finish(negative, written.1);
                }
                finish(positive, written.0).and_then(|()| finish(negative, written.1))
            }
        }
    }
}

fn write_table(
    examples: impl Iterator<Item = Example>,
    alphabet: &Alphabet,
    separator: u8,
    out: &mut Stream,
) -> io::Result<()> {
    // The CSV writer has its own buffer and drops errors when it flushes on drop, so flush explicitly.
    let mut csv = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
    csv.write_record(["word", "label", "kind"]).map_err(as_io)?;
    for example in examples {
        let label = if example.is_positive() { "1" } else { "0" };
        csv.write_record([alphabet.write(&example.word).as_str(), label, example.kind.name()]).map_err(as_io)?;
    }
    csv.flush()
}

/// The I/O error itself: a wrapped broken pipe would not be recognised.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn write_jsonl(examples: impl Iterator<Item = Example>, alphabet: &Alphabet, out: &mut Stream) -> io::Result<()> {
    #[derive(Serialize)]
    struct Row<'a> {
        word: Word<'a>,
        label: u8,
        kind: &'a str,
    }
    /// Tokens are written as a list, so that readers recognise them.
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Word<'a> {
        Text(String),
        Tokens(Vec<&'a str>),
    }
    let tokens = alphabet.spelling() == Spelling::Tokens;
    for example in examples {
        let word = match tokens {
            true => Word::Tokens(example.word.iter().map(|letter| alphabet.name(*letter)).collect()),
            false => Word::Text(alphabet.write(&example.word)),
        };
        let row = Row { word, label: u8::from(example.is_positive()), kind: example.kind.name() };
        serde_json::to_writer(&mut *out, &row)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_abbadingo(
    examples: impl Iterator<Item = Example>,
    count: &BigUint,
    alphabet: &Alphabet,
    out: &mut Stream,
) -> io::Result<()> {
    let writer = Writer::new(alphabet);
    out.write_all(writer.header(count).as_bytes())?;
    for example in examples {
        out.write_all(writer.row(&example.word, example.label()).as_bytes())?;
    }
    Ok(())
}

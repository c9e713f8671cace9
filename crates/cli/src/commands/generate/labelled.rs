//! Writes labelled words one at a time: one file with labels, or one file per label.

use std::io::{self, Write};
use std::path::Path;

use automata::formats::abbadingo::Writer;
use automata::{Alphabet, BigUint};
use lab::examples::{Example, ExampleError};
use nerode::examples::write::{Extra, Rows};

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
                    Form::Csv => write_rows(examples, alphabet, Some(b','), &mut out),
                    Form::Tsv => write_rows(examples, alphabet, Some(b'\t'), &mut out),
                    Form::Jsonl => write_rows(examples, alphabet, None, &mut out),
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

fn write_rows(
    examples: impl Iterator<Item = Example>,
    alphabet: &Alphabet,
    delimiter: Option<u8>,
    out: &mut Stream,
) -> io::Result<()> {
    let rows = Rows::new(alphabet, delimiter);
    out.write_all(&rows.head(Extra::Kind("")))?;
    for example in examples {
        out.write_all(&rows.row(&example.word, example.label(), Extra::Kind(example.kind.name())))?;
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

//! The format of the Abbadingo competition, which has its own letters and labels.

use automata::Examples;
use automata::formats::FormatError;
use automata::formats::abbadingo::{Row, Rows};

use super::given::Given;
use super::places::Places;
use super::source::Source;
use crate::Error;

/// Reads the examples.
pub(super) fn read(source: &Source) -> Result<Given, Error> {
    let text = source.text()?;
    let error = |error: FormatError| match error.line() {
        Some(line) => source.at(line, error.message()),
        None => Error::new(error.message()).of(&source.name),
    };
    let rows = Rows::new(text).map_err(error)?;
    let mut examples = Examples::new(rows.alphabet());
    let mut places = Places::default();
    places.begin(&source.name);
    for row in rows {
        let Row { line, word, label } = row.map_err(error)?;
        places.note(examples.add(&word, label), label, line);
    }
    examples.shrink_to_fit();
    let blank = text.lines().filter(|line| line.trim().is_empty()).count();
    Ok(Given::new(examples, places, blank, Vec::new()))
}

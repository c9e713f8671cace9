//! The format of the Abbadingo competition, which has its own letters and labels; only the lines of its rows are found
//! here.

use automata::formats::{Examples, abbadingo};

use super::places::Places;
use super::source::{Source, lines};
use crate::Error;

/// The examples, where each stands, and how many lines are blank.
pub(super) fn read(source: &Source) -> Result<(Examples, Places, usize), Error> {
    let text = source.text()?;
    let examples = abbadingo::read(text).map_err(|error| match error.line() {
        Some(line) => source.at(line, error.message()),
        None => Error::new(error.message()).of(&source.name),
    })?;
    let mut places = Places::default();
    places.begin(&source.name);
    let (mut filled, mut blank) = (0, 0);
    for (number, line) in lines(text.as_bytes()) {
        if std::str::from_utf8(line).is_ok_and(|line| line.trim().is_empty()) {
            blank += 1;
            continue;
        }
        filled += 1;
        // The first is the header.
        if filled > 1 {
            places.push(number);
        }
    }
    Ok((examples, places, blank))
}

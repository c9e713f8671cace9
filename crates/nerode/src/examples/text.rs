//! Plain text: one word a line.
//!
//! Every character of a line is a letter, blanks at its ends too, unless letters are tokens. A line with nothing on it
//! is far more often a slip than the empty word, which is written `""` or asked for by `--empty-word`.

use automata::Label;

use super::letters::Cut;
use super::rows::{Row, Rows};
use super::source::{Source, lines};
use crate::Error;

/// The word on each line, counted from 1; none where the line is blank.
pub fn words<'a>(bytes: &'a [u8], cut: &Cut, empty_word: bool) -> impl Iterator<Item = (usize, Option<&'a [u8]>)> {
    lines(bytes).map(move |(number, line)| {
        let blank = cut.is_blank(line) && !empty_word;
        (number, (!blank).then(|| unquoted(line)))
    })
}

/// The word that is written so: `""` is the empty one, anything else is itself.
pub fn unquoted(word: &[u8]) -> &[u8] {
    if word == b"\"\"" { b"" } else { word }
}

/// Reads words that all have the same label.
pub(super) fn read(source: &Source, cut: &Cut, empty_word: bool, label: Label, rows: &mut Rows) -> Result<(), Error> {
    rows.places.begin(&source.name);
    for (line, word) in words(source.bytes(), cut, empty_word) {
        match word {
            Some(word) => {
                let row = Row { label, line, asked: false };
                rows.push(word, cut, row).map_err(|message| source.at(line, message))?;
            }
            None => rows.blank += 1,
        }
    }
    Ok(())
}

//! JSON lines: an object a line, with the keys `word` and `label`.
//!
//! A word is a string, or the list of its letters. Unless the caller says what a letter is, a file whose first word is
//! a list has tokens, and any other characters.

use automata::Spelling;
use serde::Deserialize;
use serde_json::Value;

use super::label;
use super::letters::Cut;
use super::rows::{self, Rows};
use super::source::{Source, lines};
use crate::Error;

#[derive(Deserialize)]
struct Row {
    word: Value,
    label: Value,
    #[serde(default)]
    asked: bool,
}

/// Reads the rows.
pub(super) fn read(source: &Source, told: Option<&Cut>, rows: &mut Rows) -> Result<(), Error> {
    rows.places.begin(&source.name);
    let mut cut = told.cloned();
    for (number, line) in lines(source.text()?.as_bytes()) {
        let line = line.trim_ascii();
        if line.is_empty() {
            rows.blank += 1;
            continue;
        }
        push(line, &mut cut, number, rows).map_err(|message| source.at(number, message))?;
    }
    Ok(())
}

fn push(line: &[u8], cut: &mut Option<Cut>, number: usize, rows: &mut Rows) -> Result<(), String> {
    if !line.starts_with(b"{") {
        return Err(r#"not an object; write lines like {"word": "abba", "label": 1}"#.to_owned());
    }
    let Row { word, label, asked } = serde_json::from_slice(line).map_err(|error| explained(&error))?;
    let row = rows::Row { label: label::of_json(&label)?, line: number, asked };
    let usual = if word.is_array() { Spelling::Tokens } else { Spelling::Chars };
    let cut = cut.get_or_insert_with(|| usual.into());
    match &word {
        Value::String(word) => rows.push(word.as_bytes(), cut, row),
        Value::Array(letters) => {
            let names: Option<Vec<&str>> = letters.iter().map(Value::as_str).collect();
            let names = names.ok_or("a letter in the list of a word is not a string")?;
            rows.push_names(names, cut, row)
        }
        _ => Err("the word is neither a string nor a list of strings".to_owned()),
    }
}

/// What the parser says, with the column alone: it saw a single line.
fn explained(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    format!("{message} (column {})", error.column())
}

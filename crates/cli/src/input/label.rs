//! Labels as people write them.

use automata::formats::Label;
use serde_json::Value;

use super::quoted;

const ACCEPTED: [&str; 8] = ["1", "1.0", "true", "+", "in", "yes", "accept", "accepted"];
const REJECTED: [&str; 8] = ["0", "0.0", "false", "-", "out", "no", "reject", "rejected"];
const UNLABELLED: [&str; 5] = ["", "?", "-1", "-1.0", "null"];

/// The label that `text` is, small or capital, with or without blanks around it.
pub(super) fn of_text(text: &str) -> Result<Label, String> {
    let text = text.trim();
    let is_one_of = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
    if is_one_of(&ACCEPTED) {
        Ok(Label::Accepted)
    } else if is_one_of(&REJECTED) {
        Ok(Label::Rejected)
    } else if is_one_of(&UNLABELLED) {
        Ok(Label::Unlabelled)
    } else {
        Err(unknown(&quoted(text)))
    }
}

/// The label that a value of JSON is.
pub(super) fn of_json(value: &Value) -> Result<Label, String> {
    match value {
        Value::Null => Ok(Label::Unlabelled),
        Value::Bool(true) => Ok(Label::Accepted),
        Value::Bool(false) => Ok(Label::Rejected),
        Value::String(text) => of_text(text),
        Value::Number(number) => of_text(&number.to_string()),
        Value::Array(_) => Err(unknown("[…]")),
        Value::Object(_) => Err(unknown("{…}")),
    }
}

fn unknown(label: &str) -> String {
    format!(
        "the label {label} is unknown: there are 1/0, true/false, +/-, in/out, yes/no, accepted/rejected, and ? or \
         nothing for a word of which nobody knows"
    )
}

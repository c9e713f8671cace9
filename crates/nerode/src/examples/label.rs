//! Labels as people write them.

use automata::Label;
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

/// What a column `asked` says: whether the row is the answer to a question.
pub(super) fn was_asked(text: &str) -> Result<bool, String> {
    match of_text(text) {
        Ok(Label::Accepted) => Ok(true),
        Ok(Label::Rejected | Label::Unlabelled) => Ok(false),
        Err(_) => {
            Err(format!("the column `asked` has {}; write 1 for answers to questions and 0 otherwise", quoted(text)))
        }
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
         nothing for an unlabelled word"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_every_shape() {
        for accepted in ["1", "1.0", "true", "True", "+", "IN", "yes", "accept", "Accepted", " 1 "] {
            assert_eq!(of_text(accepted), Ok(Label::Accepted), "{accepted}");
        }
        for rejected in ["0", "0.0", "false", "FALSE", "-", "out", "No", "reject", "rejected"] {
            assert_eq!(of_text(rejected), Ok(Label::Rejected), "{rejected}");
        }
        for unlabelled in ["", " ", "?", "-1", "null"] {
            assert_eq!(of_text(unlabelled), Ok(Label::Unlabelled), "{unlabelled}");
        }
    }
}

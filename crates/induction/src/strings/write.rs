//! Patterns as regular expressions, in the syntax of the `regex` crate.

use automata::Class;

use super::letters::Letters;
use super::pattern::Pattern;

/// Where an expression stands, and so whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Alone,
    InSequence,
    Repeated,
}

/// The expression of a pattern.
pub(super) fn expression(letters: &Letters, pattern: &Pattern) -> String {
    write(letters, pattern, Place::Alone)
}

fn write(letters: &Letters, pattern: &Pattern, place: Place) -> String {
    let grouped = |text: String, group: bool| if group { format!("({text})") } else { text };
    match pattern {
        Pattern::Text(text) => {
            let one = |c: char| {
                letters.tokens.as_ref().map_or_else(|| escaped(c), |tokens| tokens.expression(&Class::of_char(c)))
            };
            let written = text.iter().map(|&c| one(letters.char(c))).collect();
            grouped(written, place == Place::Repeated && text.len() > 1)
        }
        Pattern::Run { cover, without, min, max } => {
            let class = cover.class(letters, *without);
            let times = times(*min, *max);
            let name = match (&letters.tokens, class.len(), class.ranges().next()) {
                (Some(tokens), ..) => {
                    let name = tokens.expression(&class);
                    let alternatives = name.contains('|') && (place > Place::Alone || !times.is_empty());
                    grouped(name, alternatives)
                }
                (None, 1, Some((c, _))) => escaped(c),
                _ => class.name(),
            };
            grouped(name + &times, place == Place::Repeated && !times.is_empty())
        }
        Pattern::Sequence(parts) => {
            let text: String = parts.iter().map(|part| write(letters, part, Place::InSequence)).collect();
            grouped(text, place == Place::Repeated)
        }
        Pattern::Choice(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| write(letters, part, Place::InSequence)).collect();
            grouped(parts.join("|"), place > Place::Alone)
        }
        Pattern::Repeat { item, min, max } => {
            grouped(write(letters, item, Place::Repeated) + &times(*min, *max), place == Place::Repeated)
        }
    }
}

fn times(min: usize, max: Option<usize>) -> String {
    match (min, max) {
        (1, Some(1)) => String::new(),
        (0, Some(1)) => "?".to_owned(),
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

fn escaped(c: char) -> String {
    match c {
        '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{{{:X}}}", u32::from(c)),
        c => c.to_string(),
    }
}

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
            let rows = |part: &Pattern| match part {
                Pattern::Number { rows, .. } => match &**rows {
                    Pattern::Choice(rows) => rows.clone(),
                    row => vec![row.clone()],
                },
                part => vec![part.clone()],
            };
            let parts: Vec<Pattern> = parts.iter().flat_map(rows).collect();
            // Single characters are one class: `[01]|[2-9]` is `[0-9]`.
            let (single, others): (Vec<_>, Vec<_>) = parts.iter().partition(|part| single(letters, part).is_some());
            let class = single.iter().filter_map(|part| self::single(letters, part)).reduce(|a, b| a.union(&b));
            let class =
                class.map(|class| if class.len() > 1 { class.name() } else { write(letters, single[0], place) });
            let parts: Vec<String> =
                class.into_iter().chain(others.iter().map(|part| write(letters, part, Place::InSequence))).collect();
            grouped(parts.join("|"), place > Place::Alone && parts.len() > 1)
        }
        Pattern::Number { rows, .. } => write(letters, rows, place),
        Pattern::List { item, mark, min, max } => write(letters, &Pattern::listed(item, mark, *min, *max), place),
        Pattern::Repeat { item, min, max } => {
            grouped(write(letters, item, Place::Repeated) + &times(*min, *max), place == Place::Repeated)
        }
    }
}

/// The class of a pattern that has just one character; tokens have names of their own.
fn single(letters: &Letters, pattern: &Pattern) -> Option<Class> {
    match pattern {
        _ if letters.tokens.is_some() => None,
        Pattern::Text(text) if text.len() == 1 => Some(Class::of_char(letters.char(text[0]))),
        Pattern::Run { cover, without, min: 1, max: Some(1) } => Some(cover.class(letters, *without)),
        _ => None,
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
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        c if c.is_control() => format!("\\u{{{:X}}}", u32::from(c)),
        c => c.to_string(),
    }
}

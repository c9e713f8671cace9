//! Shapes of tokens: numbers, hexadecimal codes, identifiers and so on.
//!
//! If words are lines of a log, most tokens are never seen twice, and `:number:` is more useful than a thousand
//! letters. A shape may be a letter of an alphabet of tokens, by its name. It then stands for every token of that shape
//! that is not a letter itself: next to `:number:`, the letter `200` is a number with a special meaning.

/// The form of a token. Every token has at most one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Digits, optionally with a sign and a point: `-12.5`.
    Number,
    /// At least four hexadecimal digits, including both decimal digits and letters; or any number of them after `0x`:
    /// `7f3a`.
    Hex,
    /// A letter or `_`, followed by letters, digits and `_`: `user_id`.
    Identifier,
    /// In matching quotes: `'a b'`.
    Quoted,
    /// Any other token with a letter or a digit: `2024-01-05`, `/index.html`.
    Other,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 5] = [Shape::Number, Shape::Hex, Shape::Identifier, Shape::Quoted, Shape::Other];

    /// The shape of a token; symbols such as `->` have none.
    ///
    /// ```
    /// use automata::Shape;
    /// assert_eq!(Shape::of("-12.5"), Some(Shape::Number));
    /// assert_eq!(Shape::of("7f3a"), Some(Shape::Hex));
    /// assert_eq!(Shape::of("user_7"), Some(Shape::Identifier));
    /// assert_eq!(Shape::of("/index.html"), Some(Shape::Other));
    /// assert_eq!(Shape::of("->"), None);
    /// ```
    #[must_use]
    pub fn of(token: &str) -> Option<Self> {
        if !token.contains(char::is_alphanumeric) || Self::of_name(token).is_some() {
            return None;
        }
        Some(match token {
            _ if is_number(token) => Self::Number,
            _ if is_hex(token) => Self::Hex,
            _ if is_identifier(token) => Self::Identifier,
            _ if is_quoted(token) => Self::Quoted,
            _ => Self::Other,
        })
    }

    /// The name of the letter for tokens of this shape.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => ":number:",
            Self::Hex => ":hex:",
            Self::Identifier => ":identifier:",
            Self::Quoted => ":quoted:",
            Self::Other => ":other:",
        }
    }

    /// The shape whose letter has this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

fn is_number(token: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let unsigned = token.strip_prefix(['+', '-']).unwrap_or(token);
    match unsigned.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part),
        None => digits(unsigned),
    }
}

fn is_hex(token: &str) -> bool {
    let hex = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit());
    let mixed = token.contains(|c: char| c.is_ascii_digit()) && token.contains(|c: char| c.is_ascii_alphabetic());
    match token.strip_prefix("0x") {
        Some(code) => !code.is_empty() && hex(code),
        None => token.len() >= 4 && mixed && hex(token),
    }
}

fn is_identifier(token: &str) -> bool {
    token.chars().all(|c| c.is_alphanumeric() || c == '_') && !token.starts_with(char::is_numeric)
}

fn is_quoted(token: &str) -> bool {
    token.len() >= 2 && ['"', '\'', '`'].iter().any(|quote| token.starts_with(*quote) && token.ends_with(*quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_one_shape() {
        let shapes = [
            ("0", Some(Shape::Number)),
            ("+3.14", Some(Shape::Number)),
            ("1.", Some(Shape::Other)),
            ("deadbeef", Some(Shape::Identifier)),
            ("dead0", Some(Shape::Hex)),
            ("0x1F", Some(Shape::Hex)),
            ("0x", Some(Shape::Other)),
            ("_a", Some(Shape::Identifier)),
            ("9lives", Some(Shape::Other)),
            ("café", Some(Shape::Identifier)),
            ("\"a b\"", Some(Shape::Quoted)),
            ("'a", Some(Shape::Other)),
            ("a=1", Some(Shape::Other)),
            ("--", None),
            (":number:", None),
        ];
        for (token, shape) in shapes {
            assert_eq!(Shape::of(token), shape, "{token}");
        }
    }
}

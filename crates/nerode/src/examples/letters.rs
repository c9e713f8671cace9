//! The text of a word cut into letters.

use automata::{Spelling, WordError, byte_name, byte_of_name};

use super::quoted;

/// Where one letter ends and the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Each Unicode scalar value is a letter.
    Chars,
    /// Each byte is a letter. The names of all bytes are kept, so that none is made twice.
    Bytes(Vec<String>),
    /// Letters stand between white space; one that contains some is quoted, as [`Spelling::Tokens`] has it.
    Tokens,
    /// Letters stand between copies of this text.
    Separated(String),
}

impl From<Spelling> for Cut {
    fn from(spelling: Spelling) -> Self {
        match spelling {
            Spelling::Chars | Spelling::Classes => Cut::Chars,
            Spelling::Bytes => Cut::Bytes((0..=255).map(byte_name).collect()),
            Spelling::Tokens => Cut::Tokens,
        }
    }
}

impl Cut {
    /// Calls `letter` with the name of each letter of `word`, in order.
    pub fn each(&self, word: &[u8], mut letter: impl FnMut(&str)) -> Result<(), String> {
        match self {
            Cut::Chars => utf8(word)?.chars().for_each(|c| letter(c.encode_utf8(&mut [0; 4]))),
            Cut::Bytes(names) => word.iter().for_each(|&byte| letter(&names[usize::from(byte)])),
            Cut::Tokens => {
                let text = utf8(word)?;
                if text.contains('"') {
                    let tokens = Spelling::Tokens.split(text).map_err(explained)?;
                    tokens.iter().for_each(|token| letter(token));
                } else {
                    text.split_whitespace().for_each(letter);
                }
            }
            Cut::Separated(_) if word.is_empty() => {}
            Cut::Separated(separator) => {
                for token in utf8(word)?.split(separator) {
                    if token.is_empty() {
                        return Err(format!(
                            "an empty letter: two separators {separator:?} in a row, or one at an end of the word"
                        ));
                    }
                    letter(token);
                }
            }
        }
        Ok(())
    }

    /// Whether a letter that was given by its name is one of those that words are cut into.
    pub fn check_name(&self, name: &str) -> Result<(), String> {
        match self {
            _ if name.is_empty() => Err("a letter cannot be the empty string".to_owned()),
            Cut::Chars if name.chars().nth(1).is_some() => {
                Err(format!("the letter {} is not a single character; use --letters tokens", quoted(name)))
            }
            Cut::Bytes(_) if byte_of_name(name).is_none() => Err(format!(
                "the letter {} is not a byte; write an ASCII character, or a name like \\xC3",
                quoted(name)
            )),
            _ => Ok(()),
        }
    }

    /// Whether there is nothing on a line that is cut so.
    pub fn is_blank(&self, line: &[u8]) -> bool {
        match self {
            Cut::Tokens => std::str::from_utf8(line).is_ok_and(|line| line.trim().is_empty()),
            _ => line.is_empty(),
        }
    }
}

fn utf8(word: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(word).map_err(|_| "not UTF-8 text; use --letters bytes for arbitrary bytes".to_owned())
}

fn explained(error: WordError) -> String {
    match error {
        WordError::Unclosed(letter) => format!("missing closing quote of a letter: {}", quoted(&letter)),
        other => other.to_string(),
    }
}

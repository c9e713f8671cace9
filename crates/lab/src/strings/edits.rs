//! Small mistakes that turn a word into a near miss.
//!
//! An inserted character is mostly of a kind that occurs in the language: an upper-case letter if there are any, or one
//! of its punctuation marks. So a letter beyond `f` gets into a hash, and rarely a mark that gives the mistake away.

use automata::Dfa;
use rand_core::Rng;

use crate::chance;

/// The probability that an inserted character is of a kind that occurs in the language.
const OF_ITS_KINDS: f64 = 0.85;

/// The characters of the kinds that occur in a language: digits, lower-case letters, upper-case letters, and each of
/// its punctuation marks.
#[derive(Clone, Debug)]
pub(super) struct Kinds(Vec<Vec<char>>);

impl Kinds {
    /// The kinds in the language of an automaton over characters.
    pub(super) fn of(dfa: &Dfa) -> Self {
        let dfa = dfa.trimmed();
        let mut seen: Vec<char> = Vec::new();
        for (_, letter, _) in dfa.transitions() {
            seen.extend(dfa.alphabet().name(letter).chars());
        }
        seen.sort_unstable();
        seen.dedup();
        let mut kinds: Vec<Vec<char>> = seen.into_iter().map(kind).collect();
        kinds.sort();
        kinds.dedup();
        Self(kinds)
    }

    /// A random character to insert.
    fn draw(&self, random: &mut impl Rng) -> char {
        if !self.0.is_empty() && chance::happens(OF_ITS_KINDS, random) {
            let kind = one(&self.0, random);
            return *one(kind, random);
        }
        (b' ' + chance::below(usize::from(b'~' - b' ') + 1, random) as u8) as char
    }
}

/// All characters of the same kind as this one.
fn kind(c: char) -> Vec<char> {
    match c {
        '0'..='9' => ('0'..='9').collect(),
        'a'..='z' => ('a'..='z').collect(),
        'A'..='Z' => ('A'..='Z').collect(),
        mark => vec![mark],
    }
}

fn one<'a, T>(of: &'a [T], random: &mut impl Rng) -> &'a T {
    &of[chance::below(of.len(), random)]
}

/// The edits, all equally likely.
#[derive(Clone, Copy)]
enum Edit {
    Delete,
    Insert,
    Replace,
    Swap,
    Double,
    ChangeCase,
    DropPart,
    RepeatPart,
    OtherDigit,
    Truncate,
}

impl Edit {
    const ALL: [Edit; 10] = [
        Edit::Delete,
        Edit::Insert,
        Edit::Replace,
        Edit::Swap,
        Edit::Double,
        Edit::ChangeCase,
        Edit::DropPart,
        Edit::RepeatPart,
        Edit::OtherDigit,
        Edit::Truncate,
    ];
}

/// The word after one random edit, or `None` if that edit does not apply.
pub(super) fn edited(word: &str, kinds: &Kinds, random: &mut impl Rng) -> Option<String> {
    let mut word: Vec<char> = word.chars().collect();
    let edit = *one(&Edit::ALL, random);
    if word.is_empty() && !matches!(edit, Edit::Insert) {
        return None;
    }
    match edit {
        Edit::Delete => {
            word.remove(chance::below(word.len(), random));
        }
        Edit::Insert => {
            let at = chance::below(word.len() + 1, random);
            word.insert(at, kinds.draw(random));
        }
        Edit::Replace => {
            let at = chance::below(word.len(), random);
            word[at] = kinds.draw(random);
        }
        Edit::Swap => {
            let at = chance::below(word.len().checked_sub(1).filter(|&pairs| pairs > 0)?, random);
            word.swap(at, at + 1);
        }
        Edit::Double => {
            let at = chance::below(word.len(), random);
            word.insert(at, word[at]);
        }
        Edit::ChangeCase => {
            let at = place(&word, char::is_ascii_alphabetic, random)?;
            word[at] = if word[at].is_ascii_lowercase() {
                word[at].to_ascii_uppercase()
            } else {
                word[at].to_ascii_lowercase()
            };
        }
        Edit::DropPart => {
            let (start, end) = part(&word, random)?;
            word.drain(start..end);
        }
        Edit::RepeatPart => {
            let (start, end) = part(&word, random)?;
            let again = word[start..end].to_vec();
            word.splice(end..end, again);
        }
        Edit::OtherDigit => {
            let at = place(&word, char::is_ascii_digit, random)?;
            word[at] = (b'0' + chance::below(10, random) as u8) as char;
        }
        Edit::Truncate => word.truncate(chance::below(word.len(), random)),
    }
    Some(word.into_iter().collect())
}

/// A random position of a character that satisfies the condition.
fn place(word: &[char], such: impl Fn(&char) -> bool, random: &mut impl Rng) -> Option<usize> {
    let places: Vec<usize> = (0..word.len()).filter(|&at| such(&word[at])).collect();
    (!places.is_empty()).then(|| *one(&places, random))
}

/// A part between marks, or between a mark and an end, with the mark before it, or after it if it is the first: the
/// unit for dropping or repeating a field. `None` if there is only one part.
fn part(word: &[char], random: &mut impl Rng) -> Option<(usize, usize)> {
    let marks: Vec<usize> = (0..word.len()).filter(|&at| !word[at].is_ascii_alphanumeric()).collect();
    let mut parts = Vec::new();
    if let Some(&first) = marks.first().filter(|&&first| first > 0) {
        parts.push((0, first + 1));
    }
    let ends = marks.iter().copied().skip(1).chain([word.len()]);
    parts.extend(marks.iter().copied().zip(ends).filter(|(start, end)| *end > start + 1));
    (!parts.is_empty()).then(|| *one(&parts, random))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn parts(word: &str) -> BTreeSet<String> {
        let word: Vec<char> = word.chars().collect();
        let mut random = chance::stream(0, 0);
        (0..100)
            .filter_map(|_| part(&word, &mut random))
            .map(|(start, end)| word[start..end].iter().collect())
            .collect()
    }

    #[test]
    fn a_part_goes_with_the_mark_before_it_and_the_first_with_the_one_behind() {
        assert_eq!(parts("2024-01-31"), ["-01", "-31", "2024-"].map(str::to_owned).into());
        assert_eq!(parts("/usr//bin"), ["/usr", "/bin"].map(str::to_owned).into());
        assert_eq!(parts("word"), BTreeSet::new());
        assert_eq!(parts(""), BTreeSet::new());
    }
}

//! Small mistakes: what turns a word into one that nearly belongs.
//!
//! A character that comes in is mostly of a kind that the language has: a capital where there are capitals, one of its
//! marks. So a letter beyond `f` comes into a hash, and seldom a mark that gives the mistake away.

use automata::Dfa;
use rand_core::Rng;

use crate::chance;

/// How often a character that comes in is of a kind that the language has.
const OF_ITS_KINDS: f64 = 0.85;

/// The characters of the kinds that a language has: digits, small letters, capitals, and its marks one by one.
#[derive(Clone, Debug)]
pub(super) struct Kinds(Vec<Vec<char>>);

impl Kinds {
    /// Of the language of an automaton over characters.
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

    /// A character that might come in.
    fn draw(&self, random: &mut impl Rng) -> char {
        if !self.0.is_empty() && chance::happens(OF_ITS_KINDS, random) {
            let kind = one(&self.0, random);
            return *one(kind, random);
        }
        (b' ' + chance::below(usize::from(b'~' - b' ') + 1, random) as u8) as char
    }
}

/// All characters of the kind of this one.
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

/// The word after one edit, or nothing where the edit that was drawn finds nothing to do.
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

/// One of the places that have such a character.
fn place(word: &[char], such: impl Fn(&char) -> bool, random: &mut impl Rng) -> Option<usize> {
    let places: Vec<usize> = (0..word.len()).filter(|&at| such(&word[at])).collect();
    (!places.is_empty()).then(|| *one(&places, random))
}

/// A part between marks, or between a mark and an end, with the mark before it, or behind it if it is the first: what
/// is dropped or repeated when a field is. Nothing where there is but one part.
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

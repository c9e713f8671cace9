//! What a pattern costs, in bits: one function of the pattern and the words, whoever proposed the pattern. It decides between
//! patterns; against other descriptions a pattern is judged by what it takes to state it (`stated`).
//!
//! The bits to write the pattern down keep it short; the bits to encode the given words with it keep it tight. A class of ten
//! digits takes a few bits to write and log₂ 10 for each digit of a word; two digits take more bits to write and one for each
//! digit of a word. So a few examples give a loose pattern and many a tight one, and no limit has to be set by hand.
//!
//! **The pattern** is a list of items. A bit before each says that there is one more, then its kind follows, runs being the
//! most frequent kind. A text that repeats the text before it in the same list is not spelled again: most formats have one
//! mark in several places.
//!
//! **The words** are divided among the parts of the pattern (`division`). Each character then takes the logarithm of the size
//! of its class, each repetition is counted, and each choice is encoded by how often its alternatives are taken. Words that
//! were asked about must match; they are not encoded, since they say nothing of frequencies.

use super::bits::{CHAR, CLASS, Times, log2_of, number, which};
use super::covers::{Cover, best_cover};
use super::letters::{Chars, Letters, Set};
use super::pattern::{Found, Pattern};
use super::words::Words;

/// The bit that says whether one more item follows.
pub(super) const MORE: f64 = 1.0;
/// The bits of each kind of item: a complete prefix code, runs and texts being the most frequent.
pub(super) const RUN: f64 = 2.0;
pub(super) const TEXT: f64 = 2.0;
pub(super) const AGAIN: f64 = 3.0;
pub(super) const CHOICE: f64 = 3.0;
pub(super) const REPEAT: f64 = 3.0;
pub(super) const LIST: f64 = 4.0;
pub(super) const NUMBER: f64 = 4.0;
/// Whether the texts of a choice are listed together.
pub(super) const FLAG: f64 = 1.0;
/// Minimum bits of a character of a listed text. Words are listed more often than numbers, so a digit costs no less than a
/// letter.
const LISTED: f64 = 5.0;

/// A pattern with what it costs for these words.
pub(super) fn priced(letters: &Letters, pattern: Pattern, words: &Words) -> Found {
    Found { bits: structure(letters, &pattern), data: data(&pattern, words.given()), pattern }
}

/// The bits to write a pattern down.
pub(super) fn structure(letters: &Letters, pattern: &Pattern) -> f64 {
    let items = match pattern {
        Pattern::Sequence(parts) => parts,
        item => std::slice::from_ref(item),
    };
    let mut before: Option<&[u8]> = None;
    let mut bits = MORE;
    for item in items {
        bits += MORE + item_bits(letters, item, before);
        if let Pattern::Text(text) = item {
            before = Some(text);
        }
    }
    bits
}

fn item_bits(letters: &Letters, item: &Pattern, before: Option<&[u8]>) -> f64 {
    match item {
        Pattern::Text(text) if before == Some(text) => AGAIN,
        Pattern::Text(text) => TEXT + spelled(letters, text),
        Pattern::Run { cover, min, max, .. } => RUN + cover.bits + Times { min: *min, max: *max }.bits(),
        Pattern::Number { interval, .. } => NUMBER + CLASS + interval.bits(),
        Pattern::Choice(parts) => CHOICE + choice_bits(letters, parts),
        Pattern::Repeat { item, min, max } => {
            REPEAT + Times { min: *min, max: *max }.bits_besides(Times::OPTIONAL) + structure(letters, item)
        }
        Pattern::List { item, mark, min, max } => {
            LIST + Times { min: *min, max: *max }.bits() + structure(letters, mark) + structure(letters, item)
        }
        // The empty word; other sequences within sequences are flattened.
        Pattern::Sequence(_) => REPEAT + structure(letters, item),
    }
}

/// A text that is not empty: its length, then its characters one by one or from a class that has them all.
fn spelled(letters: &Letters, text: Chars) -> f64 {
    let length = text.len() as f64;
    let (_, each) = class_of(letters, text.iter().copied());
    number(text.len() - 1) + (each * length + CLASS).min(CHAR * length)
}

/// Alternatives. Several texts may be listed together, spelled from one class.
fn choice_bits(letters: &Letters, parts: &[Pattern]) -> f64 {
    let text = |part: &&Pattern| matches!(part, Pattern::Text(_));
    let texts: Vec<&[u8]> = parts
        .iter()
        .filter_map(|part| match part {
            Pattern::Text(text) => Some(&text[..]),
            _ => None,
        })
        .collect();
    let others: f64 = parts.iter().filter(|part| !text(part)).map(|part| structure(letters, part)).sum();
    let alone: f64 = parts.iter().filter(text).map(|part| structure(letters, part)).sum();
    let count = parts.len() - texts.len();
    let together = match texts.len() {
        0 | 1 => f64::INFINITY,
        _ => number(count) + list_bits(letters, &texts),
    };
    FLAG + others + together.min(number(parts.len().saturating_sub(2)) + alone)
}

/// Several texts, spelled from one class.
pub(super) fn list_bits(letters: &Letters, texts: &[Chars]) -> f64 {
    let (class, each) = class_of(letters, texts.iter().flat_map(|text| text.iter().copied()));
    let each = each.max(LISTED);
    let text = |text: &Chars| number(text.len()) + each * text.len() as f64;
    class + number(texts.len().saturating_sub(2)) + texts.iter().map(text).sum::<f64>()
}

/// The bits of the smallest named class that has these characters, and of each character of it.
fn class_of(letters: &Letters, chars: impl Iterator<Item = u8>) -> (f64, f64) {
    let seen = Set::of(chars);
    let cover = best_cover(letters, seen, seen.len(), Set::default(), Set::default(), 1.0);
    cover.map_or((0.0, CHAR), |cover| (cover.bits, log2_of(cover.size)))
}

/// The bits of a pattern that is a single text.
pub(super) fn text_alone(letters: &Letters, text: Chars) -> f64 {
    2.0 * MORE + TEXT + spelled(letters, text)
}

/// The bits of a text of so many characters within a sequence, at most.
pub(super) fn text_within(length: usize) -> f64 {
    MORE + TEXT + number(length - 1) + CHAR * length as f64
}

/// The bits of a pattern that is a single run.
pub(super) fn run_alone(cover: &Cover, times: Times) -> f64 {
    MORE + run_within(cover, times)
}

/// The bits of a run within a sequence.
pub(super) fn run_within(cover: &Cover, times: Times) -> f64 {
    MORE + RUN + cover.bits + times.bits()
}

/// The bits of a pattern that is a list of texts.
pub(super) fn list_alone(letters: &Letters, texts: &[Chars]) -> f64 {
    2.0 * MORE + CHOICE + FLAG + number(0) + list_bits(letters, texts)
}

/// The bits to encode words with a pattern; infinite if one does not match.
fn data(pattern: &Pattern, words: &[Chars]) -> f64 {
    match pattern {
        Pattern::Text(_) => 0.0,
        Pattern::Run { cover, min, max, .. } => {
            let lengths: Vec<usize> = words.iter().map(|word| word.len()).collect();
            cover.data(lengths.iter().sum()) + Times { min: *min, max: *max }.data(&lengths)
        }
        Pattern::Number { interval, .. } => words.len() as f64 * interval.bits_each(),
        Pattern::Sequence(parts) => {
            let mut columns = vec![Vec::with_capacity(words.len()); parts.len()];
            for word in words {
                let Some(ends) = Pattern::divide(parts, word) else { return f64::INFINITY };
                for (column, piece) in columns.iter_mut().zip(pieces(word, &ends)) {
                    column.push(piece);
                }
            }
            parts.iter().zip(&columns).map(|(part, column)| data(part, column)).sum()
        }
        Pattern::Choice(parts) => {
            let mut columns = vec![Vec::new(); parts.len()];
            for word in words {
                let bits = |part: &Pattern| {
                    part.reach(word, &[(0, 0.0)]).last().filter(|(end, _)| *end == word.len()).map(|(_, bits)| *bits)
                };
                let ways = parts.iter().enumerate().filter_map(|(i, part)| Some((i, bits(part)?)));
                let Some((i, _)) = ways.min_by(|a, b| a.1.total_cmp(&b.1)) else { return f64::INFINITY };
                columns[i].push(*word);
            }
            let counts: Vec<usize> = columns.iter().map(Vec::len).collect();
            which(&counts) + parts.iter().zip(&columns).map(|(part, column)| data(part, column)).sum::<f64>()
        }
        Pattern::Repeat { item, min, max } => {
            let (mut items, mut counts) = (Vec::new(), Vec::with_capacity(words.len()));
            for word in words {
                let Some(ends) = Pattern::divide_repeated(item, word, *min, *max) else { return f64::INFINITY };
                items.extend(pieces(word, &ends));
                counts.push(ends.len());
            }
            Times { min: *min, max: *max }.data(&counts) + data(item, &items)
        }
        Pattern::List { item, mark, min, max } => {
            let (mut items, mut marks, mut counts) = (Vec::new(), Vec::new(), Vec::with_capacity(words.len()));
            for word in words {
                let Some(ends) = Pattern::divide_list(item, mark, word, *min, *max) else { return f64::INFINITY };
                for (i, piece) in pieces(word, &ends).enumerate() {
                    if i % 2 == 0 { &mut items } else { &mut marks }.push(piece);
                }
                counts.push(ends.len().div_ceil(2));
            }
            Times { min: *min, max: *max }.data(&counts) + data(item, &items) + data(mark, &marks)
        }
    }
}

/// The pieces of a word that end at these positions.
fn pieces<'a>(word: Chars<'a>, ends: &[usize]) -> impl Iterator<Item = Chars<'a>> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends.to_vec()).map(move |(start, end)| &word[start..end]).collect::<Vec<_>>().into_iter()
}

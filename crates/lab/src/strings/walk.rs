//! A random word of an expression: a walk that chooses alternatives with equal probability and keeps repetitions short.

use std::ops::Range;

use rand_core::Rng;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use crate::chance;

/// Maximum number of repetitions beyond the minimum where there is no upper bound,
const MOST_MORE: u32 = 8;
/// each with this probability: names have several characters,
const MORE_CHARACTERS: f64 = 0.75;
/// but lists have few items.
const MORE_ITEMS: f64 = 0.5;

/// A random word.
pub(super) fn word(hir: &Hir, random: &mut impl Rng) -> String {
    let mut word = String::new();
    walk(hir, &mut word, random);
    word
}

fn walk(hir: &Hir, word: &mut String, random: &mut impl Rng) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => word.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => word.extend(member(class, random)),
        HirKind::Repetition(repetition) => {
            for _ in 0..times(repetition, random) {
                walk(&repetition.sub, word, random);
            }
        }
        HirKind::Capture(capture) => walk(&capture.sub, word, random),
        HirKind::Concat(parts) => parts.iter().for_each(|part| walk(part, word, random)),
        HirKind::Alternation(parts) => walk(&parts[chance::below(parts.len(), random)], word, random),
    }
}

/// A random printable ASCII character of the class, uniformly, if it has one.
fn member(class: &Class, random: &mut impl Rng) -> Option<char> {
    let printable = |start: u32, end: u32| start.max(u32::from(' '))..(end + 1).min(u32::from('~') + 1);
    let ranges: Vec<Range<u32>> = match class {
        Class::Unicode(class) => {
            class.iter().map(|range| printable(range.start().into(), range.end().into())).collect()
        }
        Class::Bytes(class) => class.iter().map(|range| printable(range.start().into(), range.end().into())).collect(),
    };
    let count = ranges.iter().map(Range::len).sum();
    let chosen = if count > 0 { chance::below(count, random) } else { return None };
    ranges.into_iter().flatten().nth(chosen).and_then(char::from_u32)
}

fn times(repetition: &Repetition, random: &mut impl Rng) -> u32 {
    let min = repetition.min;
    match repetition.max {
        Some(max) => min + chance::below((max - min) as usize + 1, random) as u32,
        None => {
            let go_on = if matches!(repetition.sub.kind(), HirKind::Class(_)) { MORE_CHARACTERS } else { MORE_ITEMS };
            min + (0..MOST_MORE).take_while(|_| chance::happens(go_on, random)).count() as u32
        }
    }
}

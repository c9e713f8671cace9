//! A word of an expression: a walk through it that takes alternatives alike and does not repeat for long.

use std::ops::Range;

use rand_core::Rng;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use crate::chance;

/// A repetition without bound is gone through at most so many times more often than it must be,
const MOST_MORE: u32 = 8;
/// each time with this chance to go on: names have several characters,
const MORE_CHARACTERS: f64 = 0.75;
/// but lists few items.
const MORE_ITEMS: f64 = 0.5;

/// One word at random.
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

/// A printable character of ASCII that the class has, if it has one, all equally likely.
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

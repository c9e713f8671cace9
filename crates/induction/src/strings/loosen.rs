//! Patterns that are looser than an answer in one place: the rivals that a question is to decide on.
//!
//! From few strings a pattern is often tighter than what is meant: `(19|20)[0-9]{2}` where any year would do. Each part
//! that could be looser is one question, such as whether `3970-03-17` belongs.

use super::bits::best_cover;
use super::letters::{Letters, Set};
use super::pattern::Pattern;

/// All patterns that are this one with one part looser.
pub(super) fn loosened(letters: &Letters, pattern: &Pattern) -> Vec<Pattern> {
    let mut all: Vec<Pattern> = here(letters, pattern);
    let within = |parts: &[Pattern], whole: &dyn Fn(Vec<Pattern>) -> Pattern| {
        let each = (0..parts.len()).flat_map(|i| loosened(letters, &parts[i]).into_iter().map(move |part| (i, part)));
        let replaced = each.map(|(i, part)| {
            let mut parts = parts.to_vec();
            parts[i] = part;
            whole(parts)
        });
        replaced.collect::<Vec<_>>()
    };
    match pattern {
        Pattern::Text(_) | Pattern::Run { .. } => {}
        Pattern::Sequence(parts) => all.extend(within(parts, &|parts| Pattern::sequence(parts))),
        Pattern::Choice(parts) => all.extend(within(parts, &|parts| Pattern::choice(parts))),
        Pattern::Repeat { item, min, max } => {
            all.extend(loosened(letters, item).into_iter().map(|item| item.repeat(*min, *max)));
        }
    }
    all
}

/// Looser as a whole.
fn here(letters: &Letters, pattern: &Pattern) -> Vec<Pattern> {
    let wider = |set: Set, without: Set, min: usize, max: Option<usize>| {
        // With nothing to tell, the class that is shortest to write.
        let cover = best_cover(letters, set, 0, without, Set::default(), 1.0)?;
        Some(Pattern::Run { cover, without, min, max })
    };
    let mut looser = Vec::new();
    match pattern {
        Pattern::Run { cover, without, min, max } => {
            looser.extend(wider(cover.set, *without, *min, *max));
            if max.is_some_and(|max| max > 1) {
                looser.push(Pattern::Run { cover: cover.clone(), without: *without, min: 1, max: None });
            }
        }
        Pattern::Choice(_) => {
            looser.extend(extent(pattern).and_then(|(set, min, max)| wider(set, Set::default(), min, Some(max))));
        }
        Pattern::Repeat { item, max: Some(max), min } if *max > 1 => {
            looser.push(Pattern::Repeat { item: item.clone(), min: (*min).min(1), max: None });
        }
        Pattern::Text(_) | Pattern::Sequence(_) | Pattern::Repeat { .. } => {}
    }
    looser.retain(|looser| looser != pattern);
    looser
}

/// The characters of a pattern and the bounds of its length, if it has any.
fn extent(pattern: &Pattern) -> Option<(Set, usize, usize)> {
    let several = |parts: &[Pattern]| parts.iter().map(extent).collect::<Option<Vec<_>>>();
    Some(match pattern {
        Pattern::Text(text) => (Set::of(text.iter().copied()), text.len(), text.len()),
        Pattern::Run { cover, min, max, .. } => (cover.set, *min, (*max)?),
        Pattern::Sequence(parts) => several(parts)?
            .into_iter()
            .fold((Set::default(), 0, 0), |all, part| (all.0.or(part.0), all.1 + part.1, all.2 + part.2)),
        Pattern::Choice(parts) => {
            several(parts)?.into_iter().reduce(|all, part| (all.0.or(part.0), all.1.min(part.1), all.2.max(part.2)))?
        }
        Pattern::Repeat { item, min, max } => {
            let (set, least, most) = extent(item)?;
            (set, least * min, most * (*max)?)
        }
    })
}

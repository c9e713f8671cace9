//! Patterns that are looser than an answer in one place: the rivals that a question is to decide on.
//!
//! From few strings a pattern is often tighter than what is meant: `(19|20)[0-9]{2}` where any year would do. Each part
//! that could be looser is one question, such as whether `3970-03-17` belongs.

use super::covers::{Cover, best_cover};
use super::letters::{Letters, Set};
use super::pattern::Pattern;

/// For each part and each way to be looser there the patterns that are this one with that part looser, the loosest first.
pub(super) fn loosened(letters: &Letters, pattern: &Pattern) -> Vec<Vec<Pattern>> {
    let mut all: Vec<Vec<Pattern>> = here(letters, pattern);
    let within = |parts: &[Pattern], whole: &dyn Fn(Vec<Pattern>) -> Pattern| {
        let replaced = |i: usize, part: Pattern| {
            let mut parts = parts.to_vec();
            parts[i] = part;
            whole(parts)
        };
        let ways = (0..parts.len()).flat_map(|i| loosened(letters, &parts[i]).into_iter().map(move |way| (i, way)));
        ways.map(|(i, way)| way.into_iter().map(|part| replaced(i, part)).collect()).collect::<Vec<_>>()
    };
    match pattern {
        Pattern::Text(_) | Pattern::Run { .. } | Pattern::Number { .. } => {}
        Pattern::Sequence(parts) => all.extend(within(parts, &|parts| Pattern::sequence(parts))),
        Pattern::Choice(parts) => all.extend(within(parts, &|parts| Pattern::choice(parts))),
        Pattern::Repeat { item, min, max } => {
            let ways = loosened(letters, item).into_iter();
            all.extend(ways.map(|way| way.into_iter().map(|item| item.repeat(*min, *max)).collect()));
        }
        Pattern::List { item, mark, min, max } => {
            let list = |item| Pattern::list(item, Pattern::clone(mark), *min, *max);
            all.extend(loosened(letters, item).into_iter().map(|way| way.into_iter().map(list).collect()));
        }
    }
    all
}

/// Looser as a whole.
fn here(letters: &Letters, pattern: &Pattern) -> Vec<Vec<Pattern>> {
    // With nothing to tell, the class that is shortest to write; a class of what no example has stays as it is.
    let widest = |set: Set, without: Set| {
        let cover = || best_cover(letters, set, 0, without, Set::default(), 1.0);
        if set.is_empty() { None } else { cover() }
    };
    let run = |cover: Cover, without: Set, min: usize, max: Option<usize>| Pattern::Run { cover, without, min, max };
    let mut ways: Vec<Vec<Pattern>> = match pattern {
        Pattern::Run { cover, without, min, max } => {
            let mut ways = vec![widest(cover.set, *without).into_iter().collect()];
            ways.extend(stretched(letters, cover.set, *without));
            let mut ways: Vec<Vec<Pattern>> = ways
                .into_iter()
                .map(|covers: Vec<Cover>| covers.into_iter().map(|cover| run(cover, *without, *min, *max)).collect())
                .collect();
            if max.is_some_and(|max| max > 1) {
                ways.push(vec![run(cover.clone(), *without, 1, None)]);
            }
            ways
        }
        Pattern::Choice(_) | Pattern::Number { .. } => {
            let wider = |(set, min, max)| Some(run(widest(set, Set::default())?, Set::default(), min, Some(max)));
            vec![extent(pattern).and_then(wider).into_iter().collect()]
        }
        Pattern::Repeat { item, max: Some(max), min } if *max > 1 => {
            vec![vec![Pattern::Repeat { item: item.clone(), min: (*min).min(1), max: None }]]
        }
        Pattern::List { item, mark, max: Some(_), .. } => {
            vec![vec![Pattern::List { item: item.clone(), mark: mark.clone(), min: 1, max: None }]]
        }
        Pattern::Text(_) | Pattern::Sequence(_) | Pattern::Repeat { .. } | Pattern::List { .. } => Vec::new(),
    };
    ways.iter_mut().for_each(|way| way.retain(|looser| looser != pattern));
    ways.retain(|way| !way.is_empty());
    ways
}

/// Ranges of one kind that have these characters and begin earlier, or end later.
fn stretched(letters: &Letters, set: Set, without: Set) -> [Vec<Cover>; 2] {
    let kind = letters.kinds.iter().find(|kind| set.is_within(kind.set));
    let ends = set.first().zip(set.last()).map(|(first, last)| (letters.char(first), letters.char(last)));
    let Some(((first, last), kind)) = ends.zip(kind) else { return [Vec::new(), Vec::new()] };
    let (begin, end) = kind.class.ranges().next().expect("a kind has characters");
    let range = |first, last| Cover::range(letters, kind, first, last, without);
    let earlier = (begin..first).map(|first| range(first, last)).collect();
    let later = (last..=end).rev().take_while(|&end| end > last).map(|last| range(first, last)).collect();
    [earlier, later]
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
        Pattern::Number { rows, .. } => extent(rows)?,
        Pattern::List { item, mark, min, max } => extent(&Pattern::listed(item, mark, *min, *max))?,
    })
}

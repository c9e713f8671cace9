//! Finds the candidate facts, ordered from the simplest to the most unusual.
//!
//! Each kind has a limit: it is looked for only if that takes at most [`WORK`] steps through the transitions.

use fixedbitset::FixedBitSet;

use super::orders::Orders;
use super::{Fact, Factor, counts};
use crate::dfa::{Dfa, MISSING};
use crate::ids::{Letter, StateId};
use crate::minimize::minimize;
use crate::reach::reachable;
use crate::words::enumerate;

/// Maximum number of steps for one kind of fact.
pub(super) const WORK: usize = 20_000_000;

/// Longer prefixes and suffixes are reported in part.
const LONGEST_END: usize = 40;
/// Beyond this many positions, a position is reported only if it has a single letter.
const MOST_PLACES: usize = 6;
/// Maximum length of factors that every word contains.
const LONGEST_CONTAINED: usize = 6;
/// Maximum number of such factors.
const MOST_CONTAINED: usize = 3;

/// Facts about the non-empty words of `language`. All its letters occur, and no two are interchangeable.
///
/// Returns two lists, the second with one more fact: which letters occur between prefix and suffix. This fact makes
/// many others redundant, or is redundant itself.
pub(super) fn candidates(language: &Dfa) -> Vec<Vec<Fact>> {
    let dfa = without_empty_word(language);
    if dfa.is_empty_language() {
        return Vec::new();
    }
    if dfa.alphabet().len() == 1 {
        return vec![counts::of_lengths(&dfa).into_iter().chain(counts::bounds_of_length(&dfa)).collect()];
    }
    let orders = Orders::new(&dfa);
    let mut facts = Vec::new();
    let (first, last) = (places_from_first(&dfa), places_from_last(&dfa));
    let (begins, ends) = (plain(&first, &dfa), plain(&last, &dfa));
    let between = between(&dfa, begins.as_ref().map_or(0, Vec::len), ends.as_ref().map_or(0, Vec::len));
    facts.extend(begins.map(Fact::Begins));
    facts.extend(ends.map(backwards).map(Fact::Ends));
    let place = facts.len();
    facts.extend(orders.iter().flat_map(Orders::at_ends));
    facts.extend(orders.iter().flat_map(Orders::later));
    facts.extend(counts::of_letters(&dfa));
    facts.extend(counts::of_lengths(&dfa));
    facts.extend(orders.iter().flat_map(Orders::pairs));
    facts.extend(orders.iter().flat_map(|orders| orders.factors(3)));
    facts.extend(contained(&dfa).into_iter().map(Fact::Contains));
    facts.extend(counts::of_runs(&dfa));
    facts.extend(counts::bounds_of_length(&dfa));
    facts.extend(detailed(&first, &dfa).map(Fact::Begins));
    facts.extend(detailed(&last, &dfa).map(backwards).map(Fact::Ends));
    facts.extend(counts::of_pairs(&dfa));
    facts.extend(orders.iter().flat_map(|orders| orders.factors(4)));
    facts.extend(orders.iter().flat_map(|orders| orders.orders(3)));
    facts.extend(orders.iter().flat_map(|orders| orders.orders(4)));
    let Some(between) = between else { return vec![facts] };
    let mut with_between = facts.clone();
    with_between.insert(place, between);
    vec![facts, with_between]
}

fn backwards(factor: Factor) -> Factor {
    factor.into_iter().rev().collect()
}

/// The letters between the first `first` and the last `last` letters, unless all letters occur there.
fn between(dfa: &Dfa, first: usize, last: usize) -> Option<Fact> {
    if first + last == 0 {
        return None;
    }
    // A letter is in between if at least `first` letters precede it and at least `last` follow it.
    let mut begin = FixedBitSet::with_capacity(dfa.len());
    begin.insert(dfa.initial().index());
    let after = far(dfa, begin, first, |from, to| (from, to));
    let before = far(dfa, dfa.accepting_set().clone(), last, |from, to| (to, from));
    let mut letters = FixedBitSet::with_capacity(dfa.alphabet().len());
    for (from, letter, to) in dfa.transitions() {
        if after.contains(from.index()) && before.contains(to.index()) {
            letters.insert(letter.index());
        }
    }
    let letters: Vec<Letter> = letters.ones().map(Letter::new).collect();
    let tells = !letters.is_empty() && letters.len() < dfa.alphabet().len();
    tells.then_some(Fact::Between { first, last, letters })
}

/// The states that some path of `steps` or more transitions reaches from the given ones.
fn far(
    dfa: &Dfa,
    begin: FixedBitSet,
    steps: usize,
    oriented: impl Fn(StateId, StateId) -> (StateId, StateId),
) -> FixedBitSet {
    let pairs = || dfa.transitions().map(|(from, _, to)| oriented(from, to)).map(|(p, q)| (p.index(), q.index()));
    let mut here = begin;
    for _ in 0..steps {
        let mut there = FixedBitSet::with_capacity(dfa.len());
        there.extend(pairs().filter(|&(from, _)| here.contains(from)).map(|(_, to)| to));
        here = there;
    }
    let edges: Vec<(usize, usize)> = pairs().collect();
    reachable(dfa.len(), here.ones(), edges.into_iter())
}

/// The same language without the empty word, trimmed, with a new initial state that rejects.
fn without_empty_word(dfa: &Dfa) -> Dfa {
    if !dfa.is_accepting(dfa.initial()) {
        return dfa.trimmed();
    }
    let mut accepting = dfa.accepting_set().clone();
    accepting.grow(dfa.len() + 1);
    let rows = (0..dfa.len()).chain([dfa.initial().index()]);
    let table = rows.flat_map(|state| dfa.row(state).iter().copied()).collect();
    minimize(&Dfa::from_table(dfa.alphabet().clone(), StateId::new(dfa.len()), accepting, table)).trimmed()
}

/// For each position from the start, up to the length of the shortest word, the letters that occur there.
fn places_from_first(dfa: &Dfa) -> Factor {
    let mut begin = FixedBitSet::with_capacity(dfa.len());
    begin.insert(dfa.initial().index());
    places(dfa, begin, dfa.accepting_set(), |from, to| (from, to))
}

/// The same, counted from the end.
fn places_from_last(dfa: &Dfa) -> Factor {
    let mut end = FixedBitSet::with_capacity(dfa.len());
    end.insert(dfa.initial().index());
    places(dfa, dfa.accepting_set().clone(), &end, |from, to| (to, from))
}

fn places(
    dfa: &Dfa,
    begin: FixedBitSet,
    end: &FixedBitSet,
    oriented: impl Fn(StateId, StateId) -> (StateId, StateId),
) -> Factor {
    let mut places = Vec::new();
    let mut here = begin;
    while places.len() < LONGEST_END && here.is_disjoint(end) {
        let mut letters = FixedBitSet::with_capacity(dfa.alphabet().len());
        let mut there = FixedBitSet::with_capacity(dfa.len());
        for (from, letter, to) in dfa.transitions() {
            let (from, to) = oriented(from, to);
            if here.contains(from.index()) {
                letters.insert(letter.index());
                there.insert(to.index());
            }
        }
        places.push(letters.ones().map(Letter::new).collect());
        here = there;
    }
    places
}

/// The positions that have only one letter, or else the letters of the first position, unless these are all letters.
fn plain(places: &Factor, dfa: &Dfa) -> Option<Factor> {
    let single = places.iter().take_while(|letters| letters.len() == 1).count();
    let letters = places.first().filter(|letters| letters.len() < dfa.alphabet().len())?;
    Some(if single > 0 { places[..single].to_vec() } else { vec![letters.clone()] })
}

/// The first few positions, up to the last one that does not have all letters.
fn detailed(places: &Factor, dfa: &Dfa) -> Option<Factor> {
    let few = &places[..places.len().min(MOST_PLACES)];
    let last = few.iter().rposition(|letters| letters.len() < dfa.alphabet().len())?;
    Some(few[..=last].to_vec())
}

/// The longest factors, within the limits, that every word contains and that are not part of another such factor. They
/// are factors of the first word.
fn contained(dfa: &Dfa) -> Vec<Factor> {
    let transitions = dfa.len() * dfa.alphabet().len();
    if transitions.saturating_mul(counts::shortest(dfa)) > WORK {
        return Vec::new();
    }
    let Some(word) = enumerate(dfa).next() else { return Vec::new() };
    let longest = LONGEST_CONTAINED.min(word.len());
    if transitions.saturating_mul(longest * longest * word.len()) > WORK {
        return Vec::new();
    }
    let mut found: Vec<&[Letter]> = Vec::new();
    for factor in (2..=longest).rev().flat_map(|length| word.windows(length)) {
        let is_said = found.iter().any(|longer| longer.windows(factor.len()).any(|part| part == factor));
        if found.len() < MOST_CONTAINED && !is_said && stands_in_all(dfa, factor) {
            found.push(factor);
        }
    }
    found.into_iter().map(|factor| factor.iter().map(|&letter| vec![letter]).collect()).collect()
}

/// Whether every accepted word contains this factor.
fn stands_in_all(dfa: &Dfa, factor: &[Letter]) -> bool {
    // The next state of the matcher that has read `read` letters of the factor.
    let next = |read: usize, letter: Letter| {
        let longer: Vec<Letter> = factor[..read].iter().copied().chain([letter]).collect();
        (0..=longer.len()).rev().find(|&length| longer.ends_with(&factor[..length])).unwrap_or(0)
    };
    let letters = dfa.alphabet().len();
    let table: Vec<usize> =
        (0..factor.len() * letters).map(|at| next(at / letters, Letter::new(at % letters))).collect();
    let mut seen = FixedBitSet::with_capacity(dfa.len() * factor.len());
    let mut stack = vec![(dfa.initial().index(), 0)];
    seen.insert(dfa.initial().index() * factor.len());
    while let Some((state, read)) = stack.pop() {
        if dfa.accepting_set().contains(state) {
            return false;
        }
        for (letter, &to) in dfa.row(state).iter().enumerate().filter(|&(_, &to)| to != MISSING) {
            let read = table[read * letters + letter];
            if read < factor.len() && !seen.put(to as usize * factor.len() + read) {
                stack.push((to as usize, read));
            }
        }
    }
    true
}

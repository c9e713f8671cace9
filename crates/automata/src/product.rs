//! Boolean combinations of two languages, by running both automata in parallel.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::determinize::TooManyStates;
use crate::dfa::{Dfa, MISSING};
use crate::ids::StateId;
use crate::over_union;

/// The words that are in `a` or in `b`.
pub fn union(a: &Dfa, b: &Dfa, limit: usize) -> Result<Dfa, TooManyStates> {
    combine(a, b, limit, |a, b| a || b)
}

/// The words that are in `a` and in `b`.
pub fn intersection(a: &Dfa, b: &Dfa, limit: usize) -> Result<Dfa, TooManyStates> {
    combine(a, b, limit, |a, b| a && b)
}

/// The words that are in `a` but not in `b`.
pub fn difference(a: &Dfa, b: &Dfa, limit: usize) -> Result<Dfa, TooManyStates> {
    combine(a, b, limit, |a, b| a && !b)
}

/// The words that are in exactly one of `a` and `b`.
pub fn symmetric_difference(a: &Dfa, b: &Dfa, limit: usize) -> Result<Dfa, TooManyStates> {
    combine(a, b, limit, |a, b| a != b)
}

/// The words for which `rule(in a, in b)` holds, over the union of the alphabets.
///
/// Only reachable pairs are built; the construction fails beyond `limit` of them.
pub fn combine(a: &Dfa, b: &Dfa, limit: usize, rule: impl Fn(bool, bool) -> bool) -> Result<Dfa, TooManyStates> {
    if rule(false, false) {
        // A pair of missing transitions would lose words that are in neither language.
        let (a, b) = over_union(a, b);
        return combine_to(&a.completed(), &b.completed(), usize::MAX, limit, rule);
    }
    combine_to(a, b, usize::MAX, limit, rule)
}

/// Like [`combine`], but correct only for words of at most `depth` letters, and only with pairs that such words reach.
/// `rule(false, false)` must be false unless both automata are complete.
pub(crate) fn combine_to(
    a: &Dfa,
    b: &Dfa,
    depth: usize,
    limit: usize,
    rule: impl Fn(bool, bool) -> bool,
) -> Result<Dfa, TooManyStates> {
    let (a, b) = over_union(a, b);
    let accepts = |dfa: &Dfa, state: u32| state != MISSING && dfa.accepting_set().contains(state as usize);
    let next = |dfa: &Dfa, state: u32, letter: usize| match state {
        MISSING => MISSING,
        state => dfa.row(state as usize)[letter],
    };
    let letters = a.alphabet().len();
    let limit = limit.clamp(1, MISSING as usize - 1);
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
    let mut pairs = vec![(a.initial().index() as u32, b.initial().index() as u32)];
    numbers.insert(pairs[0], 0);
    let mut table = Vec::new();
    let mut read = 0;
    // Breadth-first: the pairs from `read` to `end_of_level` are first reached by words of `level` letters.
    let (mut level, mut end_of_level) = (0, 1);
    while read < pairs.len() && level < depth {
        let (p, q) = pairs[read];
        for letter in 0..letters {
            let pair = (next(&a, p, letter), next(&b, q, letter));
            if pair == (MISSING, MISSING) {
                table.push(MISSING);
                continue;
            }
            let number = *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            });
            table.push(number);
        }
        if pairs.len() > limit {
            return Err(TooManyStates { limit });
        }
        read += 1;
        if read == end_of_level {
            (level, end_of_level) = (level + 1, pairs.len());
        }
    }
    // Beyond the depth, transitions are missing.
    table.resize(pairs.len() * letters, MISSING);
    let mut accepting = FixedBitSet::with_capacity(pairs.len());
    for (state, &(p, q)) in pairs.iter().enumerate() {
        accepting.set(state, rule(accepts(&a, p), accepts(&b, q)));
    }
    Ok(Dfa::from_table(a.alphabet().clone(), StateId::new(0), accepting, table))
}

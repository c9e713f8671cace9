//! The cheapest pattern for words: without parts, or by a plan that divides them into parts, each learned in the same way.
//!
//! All plans are tried roughly, with parts that have no parts; those that look cheapest are tried in earnest. What is
//! forbidden is divided like the words. If all its parts are matched where they stand, one of them must be forbidden in
//! its place: the one that makes the pattern dearer by the least.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::mem::Discriminant;
use std::rc::Rc;

use super::bits::{CHAR, NODE, PLAN, Times, log2, number, times, which};
use super::leaves::Leaves;
use super::letters::{Chars, Letters, Set};
use super::pattern::{Found, Pattern};
use super::plan::{Odd, Plan, QUOTED, plans};
use super::words::Words;

/// A thorough search goes over the words so often, each time with more plans.
pub(super) const ROUNDS: usize = 3;
/// How many plans are tried in earnest, by round and depth; deeper there are no parts.
const WIDTHS: [[usize; 8]; ROUNDS] = [[6, 3, 2, 1, 1, 1, 1, 1], [8, 4, 3, 2, 2, 1, 1, 1], [16, 10, 6, 3, 2, 1, 1, 1]];
/// After so many places are learned one plan a place is enough, and after [`LAST`] times as many none.
const MANY_PLACES: usize = 1500;
const LAST: usize = 5;
/// So many more plans are tried where some come to nothing, by depth; deeper as many as at the last.
const SPARE: [usize; 4] = [40, 40, 20, 3];
/// Plans are tried roughly on so many words.
const SOME: usize = 24;
/// Plans that look dearer than the one that looks cheapest by this factor are not tried in earnest,
const DEARER: f64 = 1.6;
/// and by so many bits.
const SLACK: f64 = 60.0;
/// A plan that is vain at first sight looks dearer by so many bits.
const VAIN: f64 = 15.0;
/// Each plan by one character makes the next of its sort look dearer by so many bits.
const ALIKE: f64 = 10.0;

/// What the bits of the data weigh when plans are ranked: how well a plan fits shows in them, however loose the answer is.
const RANKING: f64 = 1.0;
/// To forbid a word in a part is dear above so many bits.
const DEAR: f64 = 6.0;

/// Whether to stop.
pub(super) type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// A place: its words and what is forbidden there, marks it may not have, and the depth.
type Place<'a> = (Words<'a>, Vec<Chars<'a>>, Set, usize);
/// Words, and marks that they may not have.
type Marked<'a> = (Words<'a>, Set);
/// Plans for the words of a place, those that look cheapest first.
type Ranked = Rc<[(f64, Plan)]>;

pub(super) struct Search<'a> {
    letters: &'a Letters,
    weight: f64,
    /// When it says so nothing more is divided.
    stop: &'a Stop<'a>,
    widths: [usize; 8],
    /// What was learned of places before. These are only looked up, so that their order does not matter.
    known: RefCell<HashMap<Place<'a>, Option<Found>>>,
    /// What plans look like does not depend on what is forbidden.
    ranked: RefCell<HashMap<Marked<'a>, Ranked>>,
    /// What parts come to without parts.
    rough: RefCell<HashMap<Marked<'a>, Option<Found>>>,
    /// How many places were learned for this question.
    learned: Cell<usize>,
}

impl<'a> Search<'a> {
    pub(super) fn new(letters: &'a Letters, weight: f64, stop: &'a Stop<'a>) -> Self {
        let (known, ranked, rough) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { letters, weight, stop, widths: WIDTHS[0], known, ranked, rough, learned: Cell::new(0) }
    }

    /// From now on with the plans of this round.
    pub(super) fn begin(&mut self, round: usize) {
        self.widths = WIDTHS[round];
        self.known.borrow_mut().clear();
    }

    /// The cheapest pattern that every word matches and no forbidden word does; none if a word is forbidden.
    pub(super) fn learn(&self, words: &Words<'a>, forbidden: &[Chars<'a>]) -> Option<Found> {
        self.learned.set(0);
        self.place(words, forbidden, Set::default(), 0)
    }

    /// Whether it was told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    fn leaves(&self, without: Set) -> Leaves<'_> {
        Leaves { letters: self.letters, weight: self.weight, without }
    }

    /// Without parts.
    fn roughly(&self, words: &Words<'a>, forbidden: &[Chars<'a>], without: Set) -> Option<Found> {
        let learn = || perhaps_empty(words, forbidden, &|words, forbidden| self.leaves(without).best(words, forbidden));
        if !forbidden.is_empty() {
            return learn();
        }
        let key = (words.clone(), without);
        if let Some(found) = self.rough.borrow().get(&key) {
            return found.clone();
        }
        let found = learn();
        self.rough.borrow_mut().insert(key, found.clone());
        found
    }

    fn place(&self, words: &Words<'a>, forbidden: &[Chars<'a>], without: Set, depth: usize) -> Option<Found> {
        perhaps_empty(words, forbidden, &|words, forbidden| {
            if words.iter().all(|word| *word == words[0]) {
                return self.leaves(without).best(words, forbidden);
            }
            let place = (words.sorted(), sorted(forbidden), without, depth);
            if let Some(found) = self.known.borrow().get(&place) {
                return found.clone();
            }
            self.learned.set(self.learned.get() + 1);
            let found = self.in_earnest(&place.0, &place.1, without, depth);
            self.known.borrow_mut().insert(place, found.clone());
            found
        })
    }

    fn in_earnest(&self, words: &Words<'a>, forbidden: &[Chars<'a>], without: Set, depth: usize) -> Option<Found> {
        if words.told().is_empty() {
            return self.cheapest(words, forbidden, without, depth).map(|(found, _)| found);
        }
        // What was told and expected changes nothing.
        let expected = self.place(&words.without_told(), forbidden, without, depth);
        let is_expected = |word: Chars| expected.as_ref().is_some_and(|found| found.pattern.matches(word));
        if words.told().iter().all(|word| is_expected(word)) {
            return expected;
        }
        let (found, has_parts) = self.cheapest(words, forbidden, without, depth)?;
        // What was not expected is so in one of the parts; or else it is here. As a part of others the place costs what it
        // did, so that doubt makes no plan cheaper.
        if has_parts {
            return Some(found);
        }
        let doubted =
            self.cheapest(&words.doubted(is_expected), forbidden, without, depth).map(|(doubted, _)| doubted.pattern);
        Some(Found { pattern: doubted.unwrap_or(found.pattern), ..found })
    }

    /// The cheapest pattern, and whether it has parts one after the other.
    fn cheapest(
        &self,
        words: &Words<'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        depth: usize,
    ) -> Option<(Found, bool)> {
        let mut best = self.leaves(without).best(words, forbidden).map(|found| (found, false));
        let Some(&width) = self.widths.get(depth) else { return best };
        let width = match self.learned.get() / MANY_PLACES {
            0 => width,
            1..LAST => 1,
            _ => return best,
        };
        if (self.stop)() {
            return best;
        }
        let plans = self.ranked(words, without);
        // Some come to nothing, when what is forbidden has the same parts as words.
        let tried = plans.iter().take(width + SPARE[depth.min(SPARE.len() - 1)]);
        let found = tried.filter_map(|(_, plan)| {
            let found = self.by_plan(plan, words, forbidden, without, Some(depth + 1))?;
            Some((found, !matches!(plan, Plan::Kinds(_))))
        });
        for (found, has_parts) in found.take(width) {
            if best.as_ref().is_none_or(|(best, _)| found.cost(self.weight) < best.cost(self.weight)) {
                best = Some((found, has_parts));
            }
        }
        best
    }

    /// All plans worth a try, by what they look like on some of the words.
    fn ranked(&self, words: &Words<'a>, without: Set) -> Ranked {
        let key = (words.clone(), without);
        if let Some(ranked) = self.ranked.borrow().get(&key) {
            return Rc::clone(ranked);
        }
        let some = words.some(SOME);
        let rough = |plan: Plan| Some((self.by_plan(&plan, &some, &[], without, None)?.cost(RANKING), plan));
        let mut plans: Vec<(f64, Plan)> = plans(self.letters, words).into_iter().filter_map(rough).collect();
        plans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let dearest = plans.first().map_or(0.0, |plan| plan.0 * DEARER + SLACK);
        plans.retain(|plan| plan.0 <= dearest);
        // Plans by one character after another look much alike: others should have their turn before all of these.
        let mut alike: HashMap<Discriminant<Plan>, f64> = HashMap::new();
        for (cost, plan) in &mut plans {
            if matches!(plan, Plan::Leading(_) | Plan::Trailing(_) | Plan::Kinds(_)) {
                let before = alike.entry(std::mem::discriminant(plan)).or_default();
                *cost += *before;
                *before += ALIKE;
            }
        }
        plans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let plans: Ranked = plans.into();
        self.ranked.borrow_mut().insert(key, Rc::clone(&plans));
        plans
    }

    /// The cheapest pattern by a plan; its parts are learned in earnest if a depth is given.
    fn by_plan(
        &self,
        plan: &Plan,
        words: &Words<'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        depth: Option<usize>,
    ) -> Option<Found> {
        let divided = Divided::new(self.letters, plan, words)?;
        let ways = match divided.counts.is_empty() && divided.told_counts.is_empty() {
            true => vec![None],
            false => times(&divided.counts, &divided.told_counts).into_iter().map(Some).collect(),
        };
        let mut best = None;
        for times in ways {
            let Some(parts) = self.parts(&divided, forbidden, without, times.as_ref(), depth) else { continue };
            let vain = divided.is_vain(&parts);
            if vain && depth.is_some() {
                continue;
            }
            let mut found = divided.combined(self.letters, without, parts, times.as_ref());
            // What is vain at first sight may not be when something is forbidden.
            found.bits += if vain { VAIN } else { 0.0 };
            // A part may match what a neighbour was meant to.
            if !forbidden.iter().any(|word| found.pattern.matches(word)) {
                best = Found::better(best, Some(found), self.weight);
            }
        }
        best
    }

    /// A pattern for each part, so that every forbidden word has one that does not match.
    fn parts(
        &self,
        divided: &Divided<'_, 'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        times: Option<&Times>,
        depth: Option<usize>,
    ) -> Option<Vec<Found>> {
        let count = divided.parts.len();
        let without = |i: usize| without.or(divided.plan.marks(i));
        let learn = |i: usize, forbidden: &[Chars<'a>]| match depth {
            Some(depth) => self.place(&divided.parts[i], forbidden, without(i), depth),
            None => self.roughly(&divided.parts[i], forbidden, without(i)),
        };
        if matches!(divided.plan, Plan::Kinds(_)) {
            return (0..count).map(|i| learn(i, forbidden)).collect();
        }
        let mut found: Vec<Found> = (0..count).map(|i| learn(i, &[])).collect::<Option<_>>()?;
        let mut not: Vec<Vec<Chars<'a>>> = vec![Vec::new(); count];
        for word in forbidden {
            // What cannot be divided, or has too many items, does not match.
            let Some(pieces) = divided.plan.split(word, divided.words[0]) else { continue };
            if pieces.count.is_some_and(|count| times.is_some_and(|times| !times.has(count))) {
                continue;
            }
            if pieces.parts.iter().any(|&(i, piece)| !found[i].pattern.matches(piece)) {
                continue;
            }
            let cost = |i: usize, more: Option<Chars<'a>>| {
                let not: Vec<Chars<'a>> = not[i].iter().copied().chain(more).collect();
                Some(self.roughly(&divided.parts[i], &not, without(i))?.cost(self.weight))
            };
            let mut open: Vec<(usize, Chars<'a>)> = pieces.parts.clone();
            open.retain(|(i, piece)| !divided.parts[*i].contains(piece));
            let rough = |&(i, piece): &(usize, Chars<'a>)| Some(cost(i, Some(piece))? - cost(i, None)?);
            let rough: Vec<f64> = open.iter().map(|open| rough(open).unwrap_or(f64::INFINITY)).collect();
            let least = (0..open.len()).min_by(|&a, &b| rough[a].total_cmp(&rough[b]))?;
            // Where that is dear for all, parts of parts may make it cheaper.
            let tried = if depth.is_some() && rough[least] > DEAR { 0..open.len() } else { least..least + 1 };
            let tried = tried.filter_map(|k| {
                let (i, piece) = open[k];
                let mut not = not[i].clone();
                not.push(piece);
                let better = learn(i, &not)?;
                Some((better.cost(self.weight) - found[i].cost(self.weight), i, piece, better))
            });
            let (_, i, piece, better) = tried.min_by(|a, b| a.0.total_cmp(&b.0))?;
            not[i].push(piece);
            found[i] = better;
        }
        Some(found)
    }
}

fn sorted<'a>(words: &[Chars<'a>]) -> Vec<Chars<'a>> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

/// Learns words, none of them empty, with what is forbidden.
type Learn<'l, 'a> = dyn Fn(&Words<'a>, &[Chars<'a>]) -> Option<Found> + 'l;

/// Takes care of the empty word, which no plan divides.
fn perhaps_empty<'a>(words: &Words<'a>, forbidden: &[Chars<'a>], learn: &Learn<'_, 'a>) -> Option<Found> {
    if words.is_empty() || forbidden.iter().any(|word| words.contains(word)) {
        return None;
    }
    let full = words.full();
    if full.is_empty() {
        return Some(Found { pattern: Pattern::empty(), bits: NODE, data: 0.0 });
    }
    if full.len() == words.len() {
        return learn(words, forbidden);
    }
    let found = learn(&full, forbidden)?;
    let pattern = found.pattern.optional();
    let matched = forbidden.iter().any(|word| pattern.matches(word));
    let counts = [full.given().len(), words.given().len() - full.given().len()];
    (!matched).then(|| Found { pattern, bits: found.bits + NODE, data: found.data + which(&counts) })
}

/// Words, divided by a plan.
struct Divided<'p, 'a> {
    plan: &'p Plan,
    words: &'p Words<'a>,
    /// What there is of each part.
    parts: Vec<Words<'a>>,
    /// How often each part was given.
    given: Vec<usize>,
    /// How many items or units each word has that was given, and each that was asked about.
    counts: Vec<usize>,
    told_counts: Vec<usize>,
}

/// What there is of each part, how many items or units each word has, and which parts have a digit beside them.
type Instances<'a> = (Vec<Vec<Chars<'a>>>, Vec<usize>, Vec<bool>);

fn divided<'a>(
    letters: &Letters,
    plan: &Plan,
    words: &[Chars<'a>],
    like: Chars<'a>,
    alone: bool,
) -> Option<Instances<'a>> {
    let mut parts = vec![Vec::new(); plan.parts()];
    let mut beside = vec![false; plan.parts()];
    let mut counts = Vec::new();
    for word in words {
        let pieces = plan.split(word, like)?;
        for (i, piece) in pieces.parts {
            beside[i] |= is_beside_digit(letters, word, piece, alone);
            parts[i].push(piece);
        }
        counts.extend(pieces.count);
    }
    Some((parts, counts, beside))
}

/// Whether a digit stands beside a piece of a word, or may where the word begins or ends.
fn is_beside_digit(letters: &Letters, word: Chars, piece: Chars, alone: bool) -> bool {
    // A piece is a slice of its word, and so has its place in it.
    let start = (piece.as_ptr() as usize).wrapping_sub(word.as_ptr() as usize).min(word.len());
    let is_digit = |c: Option<&u8>| c.map_or(!alone, |&c| letters.numeric.has(c));
    is_digit(start.checked_sub(1).and_then(|before| word.get(before))) || is_digit(word.get(start + piece.len()))
}

impl<'p, 'a> Divided<'p, 'a> {
    fn new(letters: &Letters, plan: &'p Plan, words: &'p Words<'a>) -> Option<Self> {
        let (given, counts, beside) = divided(letters, plan, words.given(), words[0], words.alone)?;
        let (told, told_counts, told_beside) = divided(letters, plan, words.told(), words[0], words.alone)?;
        let given_count: Vec<usize> = given.iter().map(Vec::len).collect();
        // Where nothing was given, what was told is all there is to go by.
        let part = |(i, (given, told)): (usize, (Vec<Chars<'a>>, Vec<Chars<'a>>))| {
            let words = if given.is_empty() { Words::new(told, []) } else { Words::new(given, told) };
            words.standing(!beside[i] && !told_beside[i])
        };
        let parts: Vec<Words> = given.into_iter().zip(told).enumerate().map(part).collect();
        // Nothing is gained by one unit a word, nor by a part that nobody has.
        let alone = matches!(plan, Plan::Units(_)) && counts.iter().chain(&told_counts).all(|&count| count == 1);
        let idle = parts.iter().any(|part| part.is_empty())
            || matches!(plan, Plan::Leading(_) | Plan::Trailing(_))
                && parts.iter().any(|part| part.iter().all(|piece| piece.is_empty()));
        (!alone && !idle).then_some(Self { plan, words, parts, given: given_count, counts, told_counts })
    }

    /// Whether words were parted by kind though one pattern does for all.
    fn is_vain(&self, parts: &[Found]) -> bool {
        let matched = |i: usize| self.parts[i].iter().all(|word| parts[1 - i].pattern.matches(word));
        // Of one class in both, only of other lengths: that is a bound which nobody means.
        let alike = || match [&parts[0].pattern, &parts[1].pattern] {
            [Pattern::Run { cover: a, .. }, Pattern::Run { cover: b, .. }] => a.is_like(b),
            _ => false,
        };
        matches!(self.plan, Plan::Kinds(_)) && (matched(0) || matched(1) || alike())
    }

    /// The pattern of the whole, from those of the parts.
    fn combined(&self, letters: &Letters, without: Set, parts: Vec<Found>, times: Option<&Times>) -> Found {
        let mut bits = PLAN + parts.iter().map(|part| part.bits).sum::<f64>();
        let mut data = parts.iter().map(|part| part.data).sum::<f64>();
        let words = self.words.given().len();
        let given = |part: usize| self.given[part];
        let one = given(0);
        let mut parts = parts.into_iter().map(|part| part.pattern);
        let mut next = || parts.next().unwrap_or_else(Pattern::empty);
        let like = self.words[0];
        if let Some(times) = times {
            bits += NODE + times.bits;
            data += times.data;
        }
        let pattern = match *self.plan {
            Plan::Delimited { mark, parts: count } => {
                bits += CHAR;
                let parts = (0..count).flat_map(|i| [(i > 0).then(|| Pattern::mark(mark)), Some(next())]);
                Pattern::sequence(parts.flatten())
            }
            Plan::Split { mark, .. } => {
                bits += CHAR;
                Pattern::sequence([next(), Pattern::mark(mark), next()])
            }
            Plan::Optional { mark, keeps_tail, .. } => {
                let both = given(usize::from(!keeps_tail));
                bits += CHAR + NODE;
                data += which(&[both, words - both]);
                let (head, tail, mark) = (next(), next(), Pattern::mark(mark));
                match keeps_tail {
                    true => Pattern::sequence([Pattern::sequence([head, mark]).optional(), tail]),
                    false => Pattern::sequence([head, Pattern::sequence([mark, tail]).optional()]),
                }
            }
            Plan::List { marks, odd } => {
                let items: usize = self.counts.iter().sum();
                bits += CHAR * marks.len() as f64;
                data += items as f64 * log2(marks.len() as f64);
                let (min, max) = times.map_or((1, None), |times| (times.min, times.max));
                let (item, mark) = (next(), mark_of(letters, marks, without));
                match odd {
                    Some(Odd::First) => Pattern::sequence([next(), Pattern::sequence([mark, item]).repeat(min, max)]),
                    Some(Odd::Last) => Pattern::sequence([Pattern::sequence([item, mark]).repeat(min, max), next()]),
                    None => listed(item, mark, min, max),
                }
            }
            Plan::Prefix(length) => {
                bits += CHAR * length as f64 + number(length);
                Pattern::sequence([Pattern::Text(like[..length].to_vec()), next()])
            }
            Plan::Suffix(length) => {
                bits += CHAR * length as f64 + number(length);
                Pattern::sequence([next(), Pattern::Text(like[like.len() - length..].to_vec())])
            }
            Plan::Leading(_) | Plan::Trailing(_) | Plan::First(_) | Plan::Last(_) => {
                Pattern::sequence([next(), next()])
            }
            Plan::Around(marks) => {
                bits += CHAR;
                data += words as f64 * log2(marks.len() as f64);
                Pattern::sequence([next(), mark_of(letters, marks, without), next()])
            }
            Plan::Fields { mark, quote } => {
                let (min, max) = times.map_or((1, None), |times| (times.min, times.max));
                bits += 2.0 * CHAR + NODE;
                data += which(&[one, given(QUOTED)]);
                let quoted = |content| Pattern::sequence([Pattern::mark(quote), content, Pattern::mark(quote)]);
                let item = Pattern::choice([next(), quoted(next())]);
                listed(item, Pattern::mark(mark), min, max)
            }
            Plan::Kinds(_) => {
                data += which(&[one, words - one]);
                Pattern::choice([next(), next()])
            }
            Plan::Units(_) => {
                let (min, max) = times.map_or((1, None), |times| (times.min, times.max));
                next().repeat(min, max)
            }
            Plan::Escaped(mark) => {
                let (min, max) = times.map_or((1, None), |times| (times.min, times.max));
                bits += CHAR + NODE;
                data += which(&[one, given(1)]);
                Pattern::choice([next(), Pattern::sequence([Pattern::mark(mark), next()])]).repeat(min, max)
            }
        };
        Found { pattern, bits, data }
    }
}

/// Items with a mark between each two.
fn listed(item: Pattern, mark: Pattern, min: usize, max: Option<usize>) -> Pattern {
    let more = Pattern::sequence([mark, item.clone()]);
    Pattern::sequence([item, more.repeat(min.saturating_sub(1), max.map(|max| max.saturating_sub(1)))])
}

fn mark_of(letters: &Letters, marks: Set, without: Set) -> Pattern {
    let cover = super::bits::covers(letters, marks, Set::default()).next();
    match (marks.len(), marks.first(), cover) {
        (2.., _, Some(cover)) => Pattern::Run { cover, without: without.without(marks), min: 1, max: Some(1) },
        (_, Some(mark), _) => Pattern::mark(mark),
        _ => Pattern::empty(),
    }
}

//! The cheapest pattern for words: without parts, or by a plan that divides them into parts, each learned in the same way.
//!
//! All plans are first tried roughly, with parts that have no parts of their own; those that look cheapest are tried
//! thoroughly. Plans only propose patterns: what a pattern costs is decided by `cost`. Forbidden words are divided like the
//! others. If all parts of a forbidden word match where they stand, one of them must be forbidden in its place: the one that
//! makes the pattern dearer by the least.
//!
//! The search works in slices. When a slice is used up, everything unwinds with [`Pause`]; what was found until then is in
//! the [`Memo`], and the same call made again goes on from there. A slice ends only after something new was remembered, so
//! every slice makes progress, and the result does not depend on where slices end.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::mem::Discriminant;

use super::bits::{Times, log2_of, times, which};
use super::cost::{priced, structure};
use super::leaves::Leaves;
use super::letters::{Chars, Letters, Set};
use super::memo::{Fingerprint, Key, Memo, Open, Ranked};
use super::pattern::{Found, Pattern};
use super::plan::{Odd, Plan, plans};
use super::words::Words;
use crate::work::{Meter, Pause};

/// A thorough search goes over the words this often, each time with more plans.
pub(super) const ROUNDS: usize = 3;
/// Number of plans that are tried thoroughly, by round and depth; deeper there are no parts.
const WIDTHS: [[usize; 8]; ROUNDS] = [[6, 3, 2, 1, 1, 1, 1, 1], [8, 4, 3, 2, 2, 1, 1, 1], [16, 10, 6, 3, 2, 1, 1, 1]];
/// After this many places one plan for each place is enough, and after [`LAST`] times as many none.
const MANY_PLACES: usize = 1500;
const LAST: usize = 5;
/// Number of further plans to try where some lead nowhere, by depth; deeper as many as in the last entry.
const SPARE: [usize; 4] = [40, 40, 20, 3];
/// Number of words on which plans are tried roughly.
const SOME: usize = 24;
/// Plans that look dearer than the cheapest by more than this factor are not tried thoroughly,
const DEARER: f64 = 1.6;
/// or by more than this many bits.
const SLACK: f64 = 60.0;
/// A choice that seems needless looks dearer by this many bits: it may be needed once something is forbidden.
const VAIN: f64 = 15.0;
/// Each plan by one character makes the next of its sort look dearer by this many bits.
const ALIKE: f64 = 10.0;
/// Weight of the data when plans are ranked: how well a plan fits shows there, however loose the answer may be.
const RANKING: f64 = 1.0;
/// Forbidding a word in a part is dear above this many bits.
const DEAR: f64 = 6.0;

/// A result that may have to wait for the next slice.
type Sliced<T> = Result<T, Pause>;

pub(super) struct Search<'a> {
    letters: &'a Letters,
    weight: f64,
    widths: [usize; 8],
    /// Whether words are no longer divided, so that there is an answer soon.
    hurries: bool,
    memo: RefCell<Memo>,
    meter: Cell<Meter>,
    /// Whether something was remembered in this slice.
    advanced: Cell<bool>,
}

impl<'a> Search<'a> {
    /// Takes a search up for one slice, or hurries it to its end if there is no limit.
    pub(super) fn resume(letters: &'a Letters, weight: f64, round: usize, memo: Memo, slice: Option<u64>) -> Self {
        let mut meter = Meter::default();
        meter.begin(slice.unwrap_or(u64::MAX));
        Self {
            letters,
            weight,
            widths: WIDTHS[round],
            hurries: slice.is_none(),
            memo: RefCell::new(memo),
            meter: Cell::new(meter),
            advanced: Cell::new(false),
        }
    }

    /// Puts the search down: what it has found, and how much of the slice is left.
    pub(super) fn put_down(self) -> (Memo, u64) {
        (self.memo.into_inner(), self.meter.get().left())
    }

    /// The cheapest pattern that every word matches and no forbidden word does; none if a word is forbidden.
    pub(super) fn learn(&self, words: &Words<'a>, forbidden: &[Chars<'a>]) -> Sliced<Option<Found>> {
        self.place(words, forbidden, Set::default(), 0)
    }

    /// Counts work in letters, and ends the slice when it is used up.
    fn spend(&self, words: &[Chars]) -> Sliced<()> {
        let mut meter = self.meter.get();
        meter.add(words.iter().map(|word| word.len() as u64 + 1).sum());
        self.meter.set(meter);
        if self.advanced.get() { meter.check() } else { Ok(()) }
    }

    fn remember<T>(&self, change: impl FnOnce(&mut Memo) -> T) -> T {
        self.advanced.set(true);
        change(&mut self.memo.borrow_mut())
    }

    fn leaves(&self, without: Set) -> Leaves<'_> {
        Leaves { letters: self.letters, weight: self.weight, without }
    }

    /// Without parts.
    fn roughly(&self, words: &Words<'a>, forbidden: &[Chars<'a>], without: Set) -> Sliced<Option<Found>> {
        let learn = || {
            self.spend(words)?;
            let best = |words: &Words<'a>, forbidden: &[Chars<'a>]| Ok(self.leaves(without).best(words, forbidden));
            perhaps_empty(self.letters, words, forbidden, &best)
        };
        if !forbidden.is_empty() {
            return learn();
        }
        let key = Fingerprint::new().words(words).set(without).key();
        if let Some(found) = self.memo.borrow().rough.get(&key) {
            return Ok(found.clone());
        }
        let found = learn()?;
        self.remember(|memo| memo.rough.insert(key, found.clone()));
        Ok(found)
    }

    fn place(&self, words: &Words<'a>, forbidden: &[Chars<'a>], without: Set, depth: usize) -> Sliced<Option<Found>> {
        perhaps_empty(self.letters, words, forbidden, &|words, forbidden| {
            if words.iter().all(|word| *word == words[0]) {
                return Ok(self.leaves(without).best(words, forbidden));
            }
            let (words, forbidden) = (words.sorted(), sorted(forbidden));
            let key = key(&words, &forbidden, without, depth);
            if let Some(found) = self.memo.borrow().known.get(&key) {
                return Ok(found.clone());
            }
            let found = self.thoroughly(&words, &forbidden, without, depth)?;
            self.remember(|memo| {
                memo.open.remove(&key);
                memo.known.insert(key, found.clone())
            });
            Ok(found)
        })
    }

    fn thoroughly(
        &self,
        words: &Words<'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        depth: usize,
    ) -> Sliced<Option<Found>> {
        if words.told().is_empty() {
            return Ok(self.cheapest(words, forbidden, without, depth)?.map(|(found, _)| found));
        }
        // What was asked about and expected changes nothing.
        let expected = self.place(&words.without_told(), forbidden, without, depth)?;
        let is_expected = |word: Chars| expected.as_ref().is_some_and(|found| found.pattern.matches(word));
        if words.told().iter().all(|word| is_expected(word)) {
            return Ok(expected);
        }
        let Some((found, has_parts)) = self.cheapest(words, forbidden, without, depth)? else { return Ok(None) };
        // What was not expected is so in one of the parts, or else here.
        if has_parts {
            return Ok(Some(found));
        }
        let doubted = self.cheapest(&words.doubted(is_expected), forbidden, without, depth)?;
        Ok(Some(doubted.map_or(found, |(doubted, _)| priced(self.letters, doubted.pattern, words))))
    }

    /// The cheapest pattern, and whether it has parts one after the other.
    fn cheapest(
        &self,
        words: &Words<'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        depth: usize,
    ) -> Sliced<Option<(Found, bool)>> {
        let key = key(words, forbidden, without, depth);
        let begun = self.memo.borrow().open.get(&key).cloned();
        let mut open = match begun {
            Some(open) => open,
            None => {
                self.spend(words)?;
                let best = self.leaves(without).best(words, forbidden).map(|found| (found, false));
                let learned = self.remember(|memo| {
                    memo.learned += 1;
                    memo.learned
                });
                let width = match (self.widths.get(depth), learned / MANY_PLACES) {
                    (Some(_), _) if self.hurries => 0,
                    (Some(&width), 0) => width,
                    (Some(_), 1..LAST) => 1,
                    _ => 0,
                };
                let open = Open { width, next: (width > 0).then_some(0), taken: 0, best };
                self.remember(|memo| memo.open.insert(key, open.clone()));
                open
            }
        };
        while let Some(next) = open.next.filter(|_| !self.hurries) {
            let plans = self.ranked(words, without)?;
            // Some plans lead nowhere, when forbidden words have the same parts as others.
            let spare = SPARE[depth.min(SPARE.len() - 1)];
            let plan = plans.get(next).filter(|_| next < open.width + spare && open.taken < open.width);
            open.next = plan.map(|_| next + 1);
            if let Some((_, plan)) = plan
                && let Some(found) = self.by_plan(plan, words, forbidden, without, Some(depth + 1))?
            {
                open.taken += 1;
                if open.best.as_ref().is_none_or(|(best, _)| found.cost(self.weight) < best.cost(self.weight)) {
                    open.best = Some((found, !matches!(plan, Plan::Kinds(_))));
                }
            }
            self.remember(|memo| memo.open.insert(key, open.clone()));
        }
        Ok(open.best)
    }

    /// All plans worth trying, by what they look like on some of the words.
    fn ranked(&self, words: &Words<'a>, without: Set) -> Sliced<Ranked> {
        let key = Fingerprint::new().words(words).set(without).key();
        if let Some(ranked) = self.memo.borrow().ranked.get(&key) {
            return Ok(Ranked::clone(ranked));
        }
        let some = words.some(SOME);
        let mut ranked: Vec<(f64, Plan)> = Vec::new();
        for plan in plans(self.letters, words) {
            // Shapes are those of all words; few of them may be without one.
            let tried = if matches!(plan, Plan::Shapes(_)) { words } else { &some };
            if let Some(found) = self.by_plan(&plan, tried, &[], without, None)? {
                ranked.push((found.cost(RANKING * some.len() as f64 / tried.len() as f64), plan));
            }
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let dearest = ranked.first().map_or(0.0, |plan| plan.0 * DEARER + SLACK);
        ranked.retain(|plan| plan.0 <= dearest);
        // Plans by one character after another look much alike: others should have their turn before all of these.
        let mut alike: HashMap<Discriminant<Plan>, f64> = HashMap::new();
        for (cost, plan) in &mut ranked {
            if matches!(plan, Plan::Leading(_) | Plan::Trailing(_) | Plan::Kinds(_)) {
                let before = alike.entry(std::mem::discriminant(plan)).or_default();
                *cost += *before;
                *before += ALIKE;
            }
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ranked: Ranked = ranked.into();
        self.remember(|memo| memo.ranked.insert(key, Ranked::clone(&ranked)));
        Ok(ranked)
    }

    /// The cheapest pattern that a plan proposes; its parts are learned thoroughly if a depth is given.
    fn by_plan(
        &self,
        plan: &Plan,
        words: &Words<'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        depth: Option<usize>,
    ) -> Sliced<Option<Found>> {
        self.spend(words)?;
        let Some(divided) = Divided::new(self.letters, plan, words) else { return Ok(None) };
        let ways = match divided.counts.is_empty() && divided.told_counts.is_empty() {
            true => vec![None],
            false => times(&divided.counts, &divided.told_counts).into_iter().map(Some).collect(),
        };
        let mut best = None;
        for times in ways {
            let Some(parts) = self.parts(&divided, forbidden, without, times, depth)? else { continue };
            let vain = divided.is_vain(&parts);
            if vain && depth.is_some() {
                continue;
            }
            // To rank plans it is enough to suppose that the pattern divides words as the plan does.
            let estimate = match depth {
                None => divided.estimate(&parts, times),
                Some(_) => None,
            };
            let pattern = divided.pattern(self.letters, without, parts, times);
            // A part may match what a neighbour was meant to.
            if forbidden.iter().any(|word| pattern.matches(word)) {
                continue;
            }
            let found = match estimate {
                None => priced(self.letters, pattern, words),
                Some(data) => {
                    let bits = structure(self.letters, &pattern) + if vain { VAIN } else { 0.0 };
                    Found { pattern, bits, data }
                }
            };
            best = Found::better(best, Some(found), self.weight);
        }
        Ok(best)
    }

    /// A pattern for each part, so that every forbidden word has one that does not match.
    fn parts(
        &self,
        divided: &Divided<'_, 'a>,
        forbidden: &[Chars<'a>],
        without: Set,
        times: Option<Times>,
        depth: Option<usize>,
    ) -> Sliced<Option<Vec<Found>>> {
        let count = divided.parts.len();
        // A class lacks marks, so that words divide in one way only. Nobody means all letters but one, though.
        let without = |i: usize| without.or(divided.plan.marks(i).without(self.letters.alphanumeric));
        let learn = |i: usize, forbidden: &[Chars<'a>]| match depth {
            Some(depth) => self.place(&divided.parts[i], forbidden, without(i), depth),
            None => self.roughly(&divided.parts[i], forbidden, without(i)),
        };
        let is_choice = matches!(divided.plan, Plan::Kinds(_));
        let mut found: Vec<Found> = Vec::with_capacity(count);
        for i in 0..count {
            let Some(part) = learn(i, if is_choice { forbidden } else { &[] })? else { return Ok(None) };
            found.push(part);
        }
        if is_choice {
            return Ok(Some(found));
        }
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
            let mut open: Vec<(usize, Chars<'a>)> = pieces.parts;
            open.retain(|(i, piece)| !divided.parts[*i].contains(piece));
            let mut dearer: Vec<f64> = Vec::with_capacity(open.len());
            for &(i, piece) in &open {
                let cost = |not: &[Chars<'a>]| -> Sliced<Option<f64>> {
                    Ok(self.roughly(&divided.parts[i], not, without(i))?.map(|found| found.cost(self.weight)))
                };
                let now: Vec<Chars<'a>> = not[i].iter().copied().chain([piece]).collect();
                let by = cost(&now)?.zip(cost(&not[i])?).map(|(now, before)| now - before);
                dearer.push(by.unwrap_or(f64::INFINITY));
            }
            let Some(least) = (0..open.len()).min_by(|&a, &b| dearer[a].total_cmp(&dearer[b])) else {
                return Ok(None);
            };
            // Where that is dear for all, parts of parts may make it cheaper.
            let tried = if depth.is_some() && dearer[least] > DEAR { 0..open.len() } else { least..least + 1 };
            let mut best: Option<(f64, usize, Chars<'a>, Found)> = None;
            for (i, piece) in tried.map(|k| open[k]) {
                let now: Vec<Chars<'a>> = not[i].iter().copied().chain([piece]).collect();
                let Some(tighter) = learn(i, &now)? else { continue };
                let by = tighter.cost(self.weight) - found[i].cost(self.weight);
                if best.as_ref().is_none_or(|best| by < best.0) {
                    best = Some((by, i, piece, tighter));
                }
            }
            let Some((_, i, piece, tighter)) = best else { return Ok(None) };
            not[i].push(piece);
            found[i] = tighter;
        }
        Ok(Some(found))
    }
}

/// The fingerprint of a place: its words, what is forbidden there, marks it may not have, and the depth.
fn key(words: &Words, forbidden: &[Chars], without: Set, depth: usize) -> Key {
    Fingerprint::new().words(words).chars(forbidden).set(without).number(depth as u64).key()
}

fn sorted<'a>(words: &[Chars<'a>]) -> Vec<Chars<'a>> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

/// Learns words, none of them empty, with what is forbidden.
type Learn<'l, 'a> = dyn Fn(&Words<'a>, &[Chars<'a>]) -> Sliced<Option<Found>> + 'l;

/// Takes care of the empty word, which no plan divides.
fn perhaps_empty<'a>(
    letters: &Letters,
    words: &Words<'a>,
    forbidden: &[Chars<'a>],
    learn: &Learn<'_, 'a>,
) -> Sliced<Option<Found>> {
    if words.is_empty() || forbidden.iter().any(|word| words.contains(word)) {
        return Ok(None);
    }
    let full = words.full();
    if full.is_empty() {
        return Ok(Some(priced(letters, Pattern::empty(), words)));
    }
    if full.len() == words.len() {
        return learn(words, forbidden);
    }
    let Some(found) = learn(&full, forbidden)? else { return Ok(None) };
    let pattern = found.pattern.optional();
    let matched = forbidden.iter().any(|word| pattern.matches(word));
    Ok((!matched).then(|| priced(letters, pattern, words)))
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

    /// The bits of the words, if they are divided by the plan. The choices between shapes are not counted here.
    fn estimate(&self, parts: &[Found], times: Option<Times>) -> Option<f64> {
        let words = self.words.given().len();
        let choice = |taken: usize, of: usize| which(&[taken, of - taken]);
        let glue = match *self.plan {
            Plan::Kinds(_) => choice(self.given[0], words),
            Plan::Optional { keeps_tail, .. } => choice(self.given[usize::from(!keeps_tail)], words),
            Plan::Fields { .. } | Plan::Escaped(_) => choice(self.given[0], self.given[0] + self.given[1]),
            Plan::List { marks, .. } => self.counts.iter().sum::<usize>() as f64 * log2_of(marks.len()),
            Plan::Around(marks) => words as f64 * log2_of(marks.len()),
            Plan::Shapes(_) => return None,
            _ => 0.0,
        };
        let times = times.map_or(0.0, |times| times.data(&self.counts));
        Some(glue + parts.iter().map(|part| part.data).sum::<f64>() + times)
    }

    /// The pattern of the whole, from those of the parts.
    fn pattern(&self, letters: &Letters, without: Set, parts: Vec<Found>, times: Option<Times>) -> Pattern {
        let mut parts = parts.into_iter().map(|part| part.pattern);
        let mut next = || parts.next().unwrap_or_else(Pattern::empty);
        let like = self.words[0];
        let (min, max) = times.map_or((1, None), |times| (times.min, times.max));
        match *self.plan {
            Plan::Delimited { mark, parts: count } => {
                let parts = (0..count).flat_map(|i| [(i > 0).then(|| Pattern::mark(mark)), Some(next())]);
                Pattern::sequence(parts.flatten())
            }
            Plan::Split { mark, .. } => Pattern::sequence([next(), Pattern::mark(mark), next()]),
            Plan::Optional { mark, keeps_tail, .. } => {
                let (head, tail, mark) = (next(), next(), Pattern::mark(mark));
                match keeps_tail {
                    true => Pattern::sequence([Pattern::sequence([head, mark]).optional(), tail]),
                    false => Pattern::sequence([head, Pattern::sequence([mark, tail]).optional()]),
                }
            }
            Plan::List { marks, odd } => {
                let (item, mark) = (next(), mark_of(letters, marks, without));
                match odd {
                    Some(Odd::First) => Pattern::sequence([next(), Pattern::sequence([mark, item]).repeat(min, max)]),
                    Some(Odd::Last) => Pattern::sequence([Pattern::sequence([item, mark]).repeat(min, max), next()]),
                    None => Pattern::list(item, mark, min, max),
                }
            }
            Plan::Prefix(length) => Pattern::sequence([Pattern::Text(like[..length].to_vec()), next()]),
            Plan::Suffix(length) => Pattern::sequence([next(), Pattern::Text(like[like.len() - length..].to_vec())]),
            Plan::Leading(_) | Plan::Trailing(_) | Plan::First(_) | Plan::Last(_) => {
                Pattern::sequence([next(), next()])
            }
            Plan::Around(marks) => Pattern::sequence([next(), mark_of(letters, marks, without), next()]),
            Plan::Fields { mark, quote } => {
                let quoted = |content| Pattern::sequence([Pattern::mark(quote), content, Pattern::mark(quote)]);
                Pattern::list(Pattern::choice([next(), quoted(next())]), Pattern::mark(mark), min, max)
            }
            Plan::Kinds(_) => Pattern::choice([next(), next()]),
            Plan::Shapes(ref shapes) => shapes.pattern(&parts.collect::<Vec<_>>()),
            Plan::Units(_) => next().repeat(min, max),
            Plan::Escaped(mark) => {
                Pattern::choice([next(), Pattern::sequence([Pattern::mark(mark), next()])]).repeat(min, max)
            }
        }
    }
}

fn mark_of(letters: &Letters, marks: Set, without: Set) -> Pattern {
    let cover = super::covers::covers(letters, marks, Set::default()).next();
    match (marks.len(), marks.first(), cover) {
        (2.., _, Some(cover)) => Pattern::Run { cover, without: without.without(marks), min: 1, max: Some(1) },
        (_, Some(mark), _) => Pattern::mark(mark),
        _ => Pattern::empty(),
    }
}

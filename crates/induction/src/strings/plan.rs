//! Ways to divide words into parts.
//!
//! A plan is a guess at how words are made: two parts with a dash between them, items with commas between them, a sign
//! that may be there and a number. It divides words by what is seen of them alone, so that the parts of all words in one
//! place can be learned by themselves, and so can what is forbidden there.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::letters::{Chars, Letters, Set};
use super::shapes::Shapes;

/// One way to divide words.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plan {
    /// Parts with a mark between each two, as many in every word.
    Delimited { mark: u8, parts: usize },
    /// Two parts: the first mark, or the last one, is between them.
    Split { mark: u8, last: bool },
    /// As before, or only the part behind, or the one before, with no mark.
    Optional { mark: u8, last: bool, keeps_tail: bool },
    /// Items with marks between them; the first, or the last, may be of another kind.
    List { marks: Set, odd: Option<Odd> },
    /// A text of this length that all words begin with.
    Prefix(usize),
    /// A text of this length that all words end in.
    Suffix(usize),
    /// Characters of a kind at the front, as many as there are, perhaps none; and the rest.
    Leading(Set),
    /// What comes before characters of a kind at the end, as many as there are, perhaps none; and these.
    Trailing(Set),
    /// So many characters, and the rest.
    First(usize),
    /// All but so many characters, and these.
    Last(usize),
    /// Two parts, with one of these between them, of which every word has just one.
    Around(Set),
    /// Items with a mark between each two. Those in quotes may have the mark, and are of another kind.
    Fields { mark: u8, quote: u8 },
    /// Words of two kinds.
    Kinds(Test),
    /// Units that follow one another.
    Units(Unit),
    /// Characters, some behind a mark: two kinds of them.
    Escaped(u8),
    /// All places where the kind of character changes, in words of a few shapes.
    Shapes(Arc<Shapes>),
}

/// Which item of a list is unlike the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Odd {
    First,
    Last,
}

/// What tells words of one kind from others.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    FirstUpTo(u8),
    FirstIs(u8),
    LastIs(u8),
    LengthUpTo(usize),
    Has(u8),
    FirstIn(Set),
    Within(Set),
}

impl Test {
    pub(super) fn holds(&self, word: Chars) -> bool {
        match *self {
            Self::FirstUpTo(c) => word.first().is_some_and(|&first| first <= c),
            Self::FirstIs(c) => word.first() == Some(&c),
            Self::LastIs(c) => word.last() == Some(&c),
            Self::LengthUpTo(length) => word.len() <= length,
            Self::Has(c) => word.contains(&c),
            Self::FirstIn(set) => word.first().is_some_and(|&c| set.has(c)),
            Self::Within(set) => word.iter().all(|&c| set.has(c)),
        }
    }
}

/// What follows one another.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    /// So many characters.
    Block(usize),
    /// What begins with a character of a kind.
    From(Set),
    /// What ends in characters of a kind.
    To(Set),
}

/// A word in parts.
pub(super) struct Pieces<'a> {
    /// Each with the number of the part that it is an instance of.
    pub(super) parts: Vec<(usize, Chars<'a>)>,
    /// How many items or units there are, where they may be more or fewer.
    pub(super) count: Option<usize>,
}

impl<'a> Pieces<'a> {
    fn of(parts: impl IntoIterator<Item = Chars<'a>>) -> Self {
        Self { parts: parts.into_iter().enumerate().collect(), count: None }
    }
}

/// The number of the part that all items of a list, or all units, are instances of.
const ITEM: usize = 0;
/// The numbers of fields without quotes, and of what is in quotes.
const PLAIN: usize = 0;
const QUOTED: usize = 1;
/// The number of the part that is unlike the others.
const ODD: usize = 1;

impl Plan {
    /// How many parts have to be learned.
    pub(super) fn parts(&self) -> usize {
        match self {
            Self::Delimited { parts, .. } => *parts,
            Self::Shapes(shapes) => shapes.parts(),
            Self::List { odd: Some(_), .. } => 2,
            Self::List { odd: None, .. } | Self::Prefix(_) | Self::Suffix(_) | Self::Units(_) => 1,
            Self::Split { .. }
            | Self::Optional { .. }
            | Self::Leading(_)
            | Self::Trailing(_)
            | Self::First(_)
            | Self::Last(_)
            | Self::Around(_)
            | Self::Fields { .. }
            | Self::Kinds(_)
            | Self::Escaped(_) => 2,
        }
    }

    /// The marks that a part may not have, so that a word can be divided in one way only.
    pub(super) fn marks(&self, part: usize) -> Set {
        match *self {
            Self::Delimited { mark, .. } => Set::of([mark]),
            Self::List { marks, .. } => marks,
            Self::Around(marks) => marks,
            Self::Fields { mark, quote } if part == PLAIN => Set::of([mark, quote]),
            Self::Escaped(mark) if part == 0 => Set::of([mark]),
            Self::Shapes(ref shapes) => shapes.marks(part),
            Self::Split { mark, last } | Self::Optional { mark, last, .. } if last == (part == 1) => Set::of([mark]),
            _ => Set::default(),
        }
    }

    /// The parts of a word, if it can be divided so; `like` is one of the words that the plan was made for.
    pub(super) fn split<'a>(&self, word: Chars<'a>, like: Chars) -> Option<Pieces<'a>> {
        let at_mark = |mark: u8, last: bool| match last {
            false => word.iter().position(|&c| c == mark),
            true => word.iter().rposition(|&c| c == mark),
        };
        let cut = |at: usize| Pieces::of([&word[..at], &word[at..]]);
        let around = |at: usize| Pieces::of([&word[..at], &word[at + 1..]]);
        Some(match *self {
            Self::Delimited { mark, parts } => {
                let pieces = Pieces::of(word.split(|&c| c == mark));
                return (pieces.parts.len() == parts).then_some(pieces);
            }
            Self::Split { mark, last } => around(at_mark(mark, last)?),
            Self::Optional { mark, last, keeps_tail } => match at_mark(mark, last) {
                Some(at) => around(at),
                None => Pieces { parts: vec![(usize::from(keeps_tail), word)], count: None },
            },
            Self::List { marks, odd } => {
                let items = word.split(|&c| marks.has(c));
                let mut parts: Vec<(usize, Chars)> = items.map(|item| (ITEM, item)).collect();
                let last = parts.len() - 1;
                match odd {
                    Some(Odd::First) => parts[0].0 = ODD,
                    Some(Odd::Last) => parts[last].0 = ODD,
                    None => {}
                }
                let count = if odd.is_some() { last } else { last + 1 };
                Pieces { parts, count: Some(count) }
            }
            Self::Prefix(length) => Pieces::of([word.strip_prefix(&like[..length])?]),
            Self::Suffix(length) => Pieces::of([word.strip_suffix(&like[like.len() - length..])?]),
            Self::Leading(set) => cut(word.iter().take_while(|&&c| set.has(c)).count()),
            Self::Trailing(set) => cut(word.len() - word.iter().rev().take_while(|&&c| set.has(c)).count()),
            Self::First(count) => cut((word.len() >= count).then_some(count)?),
            Self::Last(count) => cut(word.len().checked_sub(count)?),
            Self::Around(marks) => {
                let mut places = word.iter().enumerate().filter(|(_, c)| marks.has(**c));
                let (at, _) = places.next()?;
                return places.next().is_none().then(|| around(at));
            }
            Self::Fields { mark, quote } => {
                let mut within = false;
                let ends = |&c: &u8| {
                    within ^= c == quote;
                    c == mark && !within
                };
                let field = |field: &'a [u8]| match field {
                    [first, content @ .., last] if *first == quote && *last == quote => Some((QUOTED, content)),
                    field => (!field.contains(&quote)).then_some((PLAIN, field)),
                };
                let parts: Vec<(usize, Chars)> = word.split(ends).map(field).collect::<Option<_>>()?;
                Pieces { count: Some(parts.len()), parts }
            }
            Self::Shapes(ref shapes) => Pieces { parts: shapes.split(word)?, count: None },
            Self::Kinds(ref test) => Pieces { parts: vec![(usize::from(!test.holds(word)), word)], count: None },
            Self::Units(ref unit) => {
                let mut parts = Vec::new();
                let mut rest = word;
                while !rest.is_empty() {
                    let (one, more) = rest.split_at_checked(unit.length(rest))?;
                    parts.push((ITEM, one));
                    rest = more;
                }
                Pieces { count: Some(parts.len()), parts }
            }
            Self::Escaped(mark) => {
                let mut parts = Vec::new();
                let mut rest = word;
                while let Some(&c) = rest.first() {
                    let behind = usize::from(c == mark);
                    let (one, more) = rest.split_at_checked(1 + behind)?;
                    parts.push((behind, &one[behind..]));
                    rest = more;
                }
                Pieces { count: Some(parts.len()), parts }
            }
        })
    }
}

impl Unit {
    /// How long the first unit is; perhaps more than there is.
    fn length(&self, rest: Chars) -> usize {
        match *self {
            Self::Block(length) => length,
            Self::From(set) => 1 + rest[1..].iter().take_while(|&&c| !set.has(c)).count(),
            Self::To(set) => {
                let before = rest.iter().take_while(|&&c| !set.has(c)).count();
                before + rest[before..].iter().take_while(|&&c| set.has(c)).count()
            }
        }
    }
}

/// So many different marks are tried.
const MOST_MARKS: usize = 8;
/// Of so many first characters each is tried as a place to part the words.
const MOST_FIRST: usize = 16;
/// Of so many lengths each is tried.
const MOST_LENGTHS: usize = 10;
/// Words of so few different characters are looked at character by character.
const FEW: usize = 10;
/// So many places at the front or the end are told apart from the rest.
const MOST_PLACES: usize = 3;
/// Blocks of up to so many characters are tried.
const LONGEST_BLOCK: usize = 8;

/// All plans worth a thought for words of which none is empty and not all are the same.
pub(super) fn plans(letters: &Letters, words: &[Chars]) -> Vec<Plan> {
    let mut plans = Vec::new();
    let all = Set::of(words.iter().flat_map(|word| word.iter().copied()));
    by_marks(letters, words, all, &mut plans);
    by_ends(letters, words, all, &mut plans);
    by_kinds(words, &mut plans);
    by_shapes(letters, words, all, &mut plans);
    plans
}

/// Shapes with digits and letters apart, and with both together, factored. Shapes by a single mark, one alternative each: how
/// often the mark comes may say what the rest looks like.
fn by_shapes(letters: &Letters, words: &[Chars], all: Set, plans: &mut Vec<Plan>) {
    // Tokens are cut already.
    if letters.tokens.is_some() {
        return;
    }
    let (digits, both) = (letters.numeric, letters.alphanumeric);
    let kinds = [vec![digits, both.without(digits)], vec![both]];
    let mut shapes: Vec<Shapes> =
        kinds.into_iter().filter_map(|kinds| Shapes::factored(letters, kinds, words)).collect();
    // Without letters, or without digits, both are the same.
    shapes.dedup_by(|a, b| a.is_like(b));
    let marks = all.without(both);
    let rest = |mark: u8| vec![all.without(Set::of([mark]))];
    shapes.extend(marks.iter().filter_map(|mark| Shapes::apart(letters, rest(mark), words)));
    plans.extend(shapes.into_iter().map(|shapes| Plan::Shapes(Arc::new(shapes))));
}

/// What stands between parts.
fn by_marks(letters: &Letters, words: &[Chars], all: Set, plans: &mut Vec<Plan>) {
    let count = |word: &Chars, mark: u8| word.iter().filter(|&&c| c == mark).count();
    let having = |mark: u8| words.iter().filter(|word| word.contains(&mark)).count();
    let mut marks: Vec<u8> = all.without(letters.alphanumeric).iter().collect();
    marks.sort_by_key(|&mark| std::cmp::Reverse(having(mark)));
    marks.truncate(MOST_MARKS);
    for &mark in &marks {
        let counts = words.iter().map(|word| count(word, mark));
        let (min, max) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
        if min == max {
            plans.push(Plan::Delimited { mark, parts: min + 1 });
        }
        if max >= 2 || min != max {
            let odds = [None, Some(Odd::First), Some(Odd::Last)];
            plans.extend(odds.map(|odd| Plan::List { marks: Set::of([mark]), odd }));
        }
        if min >= 1 && max >= 2 {
            plans.extend([false, true].map(|last| Plan::Split { mark, last }));
        }
        if min == 0 {
            let ways = [(false, false), (false, true), (true, false), (true, true)];
            plans.extend(ways.map(|(last, keeps_tail)| Plan::Optional { mark, last, keeps_tail }));
            plans.push(Plan::Kinds(Test::Has(mark)));
        }
        plans.push(Plan::Escaped(mark));
        let quotes = marks.iter().filter(|&&quote| quote != mark && letters.is_quote(quote));
        plans.extend(quotes.map(|&quote| Plan::Fields { mark, quote }));
    }
    for (i, &a) in marks.iter().enumerate() {
        let pairs = marks[i + 1..].iter().map(|&b| Set::of([a, b]));
        plans.extend(pairs.map(|marks| Plan::List { marks, odd: None }));
    }
    for both in letters.cases.iter().filter(|both| both.is_within(all)) {
        plans.push(Plan::Around(*both));
    }
    for mark in all.iter().filter(|&c| letters.alphanumeric.has(c)) {
        if words.iter().all(|word| count(word, mark) == 1) {
            plans.push(Plan::Delimited { mark, parts: 2 });
        } else if !letters.numeric.has(mark) && words.iter().all(|word| is_alone(letters, word, mark)) {
            plans.extend([false, true].map(|keeps_tail| Plan::Optional { mark, last: false, keeps_tail }));
        }
    }
}

/// Whether a letter comes at most once, and not beside another letter: as in `1h30m`.
fn is_alone(letters: &Letters, word: Chars, mark: u8) -> bool {
    let is_letter = |c: Option<&u8>| c.is_some_and(|&c| letters.alphanumeric.has(c) && !letters.numeric.has(c));
    let mut places = word.iter().enumerate().filter(|(_, c)| **c == mark).map(|(i, _)| i);
    let alone = |i: usize| !is_letter(word.get(i + 1)) && (i == 0 || !is_letter(word.get(i - 1)));
    places.next().is_none_or(alone) && places.next().is_none()
}

/// What words begin with or end in.
fn by_ends(letters: &Letters, words: &[Chars], all: Set, plans: &mut Vec<Plan>) {
    let like = words[0];
    let alike = |same: &dyn Fn(&Chars, usize) -> bool| {
        (0..like.len()).take_while(|&i| words.iter().all(|word| same(word, i))).count()
    };
    let prefix = alike(&|word, i| word.get(i) == Some(&like[i]));
    let suffix = alike(&|word, i| word.len() > i && word[word.len() - 1 - i] == like[like.len() - 1 - i]);
    plans.extend((prefix > 0).then_some(Plan::Prefix(prefix)));
    plans.extend((suffix > 0).then_some(Plan::Suffix(suffix)));

    let [digit, lower, upper] = [0, 1, 2].map(|i| letters.kinds[i].set);
    let mut kinds = vec![digit, lower, upper, lower.or(upper), digit.or(lower), digit.or(upper), letters.alphanumeric];
    if all.len() <= FEW {
        kinds.extend(all.iter().map(|c| Set::of([c])));
    }
    let ends = |end: &dyn Fn(&Chars) -> u8| Set::of(words.iter().map(end)).without(letters.alphanumeric);
    let sets = |marks: Set| kinds.iter().copied().chain((!marks.is_empty()).then_some(marks));
    let within = |set: Set| move |word: &Chars| word.iter().all(|&c| set.has(c));
    let divides = |set: Set, at: &dyn Fn(&Chars) -> u8| {
        words.iter().any(|word| set.has(at(word))) && !words.iter().all(within(set))
    };
    let (first, last) = (|word: &Chars| word[0], |word: &Chars| word[word.len() - 1]);
    for set in sets(ends(&first)).filter(|&set| divides(set, &first)) {
        plans.push(Plan::Leading(set));
        if words.iter().all(|word| set.has(first(word))) {
            plans.push(Plan::Units(Unit::From(set)));
        }
        if !words.iter().all(|word| set.has(word[0])) {
            plans.push(Plan::Kinds(Test::FirstIn(set)));
        }
    }
    for set in sets(ends(&last)).filter(|&set| divides(set, &last)) {
        plans.push(Plan::Trailing(set));
        if words.iter().all(|word| set.has(last(word))) {
            plans.push(Plan::Units(Unit::To(set)));
        }
        if words.iter().any(within(set)) {
            plans.push(Plan::Kinds(Test::Within(set)));
        }
    }
    let (shortest, longest) =
        words.iter().fold((usize::MAX, 0), |(min, max), word| (min.min(word.len()), max.max(word.len())));
    for count in (1..=MOST_PLACES.min(shortest)).filter(|&count| count < longest) {
        plans.extend([Plan::First(count), Plan::Last(count)]);
    }
}

/// What words of one kind have, and those of another have not.
fn by_kinds(words: &[Chars], plans: &mut Vec<Plan>) {
    let firsts: BTreeSet<u8> = words.iter().map(|word| word[0]).collect();
    let lasts: BTreeSet<u8> = words.iter().map(|word| word[word.len() - 1]).collect();
    let lengths: BTreeSet<usize> = words.iter().map(|word| word.len()).collect();
    if firsts.len() <= MOST_FIRST {
        plans.extend(firsts.iter().take(firsts.len() - 1).map(|&c| Plan::Kinds(Test::FirstUpTo(c))));
    }
    if (3..=FEW).contains(&firsts.len()) {
        plans.extend(firsts.iter().skip(1).map(|&c| Plan::Kinds(Test::FirstIs(c))));
    }
    if (2..=FEW).contains(&lasts.len()) {
        plans.extend(lasts.iter().map(|&c| Plan::Kinds(Test::LastIs(c))));
    }
    if lengths.len() <= MOST_LENGTHS {
        plans.extend(lengths.iter().take(lengths.len() - 1).map(|&length| Plan::Kinds(Test::LengthUpTo(length))));
    }
    let longest = lengths.last().copied().unwrap_or(0);
    let blocks =
        (2..=LONGEST_BLOCK).filter(|block| longest > *block && lengths.iter().all(|length| length % block == 0));
    plans.extend(blocks.map(|block| Plan::Units(Unit::Block(block))));
}

//! Sets of characters that act as one letter.
//!
//! If words are dates or identifiers, most characters are never seen in most positions, and `[0-9]` is more useful than
//! ten letters. A *class* is such a set, and the letters of an alphabet may be classes. Like every letter, a class is
//! identified by its name, which is the class in the syntax of the `regex` crate: `[0-9]`, `[A-Za-z_]`. A single
//! character is never a class: the character itself is the letter.
//!
//! Two alphabets of classes are combined into their *atoms*: the coarsest classes of which all others are unions.
//!
//! Because a class is a letter like any other, grammars, automata, drawings and files need no special cases for
//! classes. Grammar text writes productions over several atoms between the same non-terminals as one, and reads them
//! back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use regex_syntax::ast::{Ast, ClassSet, ClassSetItem, parse::Parser};
use regex_syntax::hir::{self, ClassUnicode, ClassUnicodeRange, HirKind};
use unicode_width::UnicodeWidthChar;

use crate::alphabet::is_obeyed;
use crate::ids::Letter;

/// A set of characters.
///
/// ```
/// use automata::Class;
/// let hex = Class::new([('0', '9'), ('a', 'f')]);
/// assert_eq!(hex.name(), "[a-f0-9]");
/// assert_eq!(Class::parse("[0-9a-f]"), Some(hex.clone()));
/// assert_eq!(Class::of_category("Lu").unwrap().name(), r"[\p{Lu}]");
/// let parts = Class::atoms(&[hex, Class::new([('a', 'z')])]);
/// assert_eq!(parts.iter().map(Class::name).collect::<Vec<_>>(), ["[0-9]", "[a-f]", "[g-z]"]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Class {
    set: ClassUnicode,
}

impl Class {
    /// The characters of these ranges, bounds included.
    #[must_use]
    pub fn new(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let ranges = ranges.into_iter().map(|(first, last)| ClassUnicodeRange::new(first, last));
        Self { set: ClassUnicode::new(ranges) }
    }

    /// All characters of a Unicode general category, such as `Lu` for upper-case letters; `None` if there is no such
    /// category.
    #[must_use]
    pub fn of_category(category: &str) -> Option<Self> {
        translated(&format!("[\\p{{{category}}}]"))
    }

    /// The class of this character alone.
    #[must_use]
    pub fn of_char(c: char) -> Self {
        Self::new([(c, c)])
    }

    /// Reads a class in brackets that lists two or more characters, singly, as ranges or as Unicode categories, without
    /// negation: `[A-Za-z_]`, `[\p{Lu}--[A-Z]]`. `[a]` is not a class but a letter of three characters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let class = if has_category(text) { translated(text)? } else { Self::new(listed(text)?) };
        (class.len() > 1).then_some(class)
    }

    /// The class that a letter's name stands for: a character stands for itself, a class for its characters.
    ///
    /// Tokens may be in brackets, too. A token is read as a class only if it looks like one, with no repeated character
    /// and with letters in alphabetical order: `[0-9a-f]` is a class, but `[ERROR]` and `[INFO]` are not.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let mut chars = name.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Some(Self::of_char(c));
        }
        if has_category(name) {
            return Self::parse(name);
        }
        let ranges = listed(name)?;
        let class = Self::new(ranges.iter().copied());
        let count: usize = ranges.iter().map(|&(first, last)| (first..=last).count()).sum();
        let in_order = ranges.windows(2).all(|pair| {
            let (before, after) = (pair[0].1, pair[1].0);
            let comparable = before.is_alphabetic() && after.is_alphabetic();
            !comparable || before.is_uppercase() != after.is_uppercase() || before < after
        });
        (class.len() > 1 && count == class.len() && in_order).then_some(class)
    }

    /// The name of the class as a letter: a single character as it is, otherwise in brackets, as [`Class::parse`] reads
    /// it.
    #[must_use]
    pub fn name(&self) -> String {
        match self.first().filter(|_| self.len() == 1) {
            Some(only) => only.to_string(),
            None => self.pattern(),
        }
    }

    /// The class in the syntax of the `regex` crate.
    #[must_use]
    pub(crate) fn pattern(&self) -> String {
        self.by_category().unwrap_or_else(|| self.by_ranges())
    }

    /// Written with a Unicode category, if that is much shorter.
    fn by_category(&self) -> Option<String> {
        if self.ranges().count() <= MANY_RANGES {
            return None;
        }
        let said = categories().iter().filter_map(|(name, category)| {
            let (more, lacking) = (self.difference(category), category.difference(self));
            let few = [&more, &lacking].iter().all(|part| part.ranges().count() <= MANY_RANGES);
            let more = more.members();
            let lacking = if lacking.is_empty() { String::new() } else { format!("--[{}]", lacking.members()) };
            few.then(|| format!("[\\p{{{name}}}{more}{lacking}]"))
        });
        said.min_by_key(String::len)
    }

    /// The text between the brackets.
    fn members(&self) -> String {
        let text = self.by_ranges();
        match (self.len(), text.strip_prefix('[').and_then(|text| text.strip_suffix(']'))) {
            (0 | 1, _) => self.first().map(|c| in_brackets(char_pattern(c))).unwrap_or_default(),
            (_, members) => members.map(str::to_owned).unwrap_or(text),
        }
    }

    fn by_ranges(&self) -> String {
        let ranges: Vec<(u32, u32)> = self.ranges().map(|(first, last)| (first.into(), last.into())).collect();
        pattern_of(&ranges, |number| char::from_u32(number).map_or_else(String::new, char_pattern))
    }

    /// The ranges of the class: sorted, with gaps between them.
    pub fn ranges(&self) -> impl DoubleEndedIterator<Item = (char, char)> + Clone + '_ {
        self.set.ranges().iter().map(|range| (range.start(), range.end()))
    }

    /// The characters in order.
    pub fn chars(&self) -> impl Iterator<Item = char> + Clone + '_ {
        self.ranges().flat_map(|(first, last)| first..=last)
    }

    /// The character with index `i`, from 0.
    #[must_use]
    pub fn nth(&self, mut i: usize) -> Option<char> {
        for (first, last) in self.ranges() {
            let count = (first..=last).count();
            if i < count {
                return (first..=last).nth(i);
            }
            i -= count;
        }
        None
    }

    /// The number of characters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges().map(|(first, last)| (first..=last).count()).sum()
    }

    /// Whether the class is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.set.ranges().is_empty()
    }

    /// Whether the class contains `c`.
    #[must_use]
    pub fn contains(&self, c: char) -> bool {
        let ranges = self.set.ranges();
        ranges.get(ranges.partition_point(|range| range.end() < c)).is_some_and(|range| range.start() <= c)
    }

    /// Whether no character is in both.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.intersection(other).is_empty()
    }

    /// Whether all characters are also in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    /// The characters of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut set = self.set.clone();
        set.union(&other.set);
        Self { set }
    }

    /// The characters of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut set = self.set.clone();
        set.intersect(&other.set);
        Self { set }
    }

    /// The characters that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut set = self.set.clone();
        set.difference(&other.set);
        Self { set }
    }

    /// The character that represents the class in text: the first visible one, or else the first. `None` if the class
    /// is empty.
    #[must_use]
    pub fn representative(&self) -> Option<char> {
        let shows = |c: &char| !c.is_whitespace() && c.width().is_some_and(|width| width > 0);
        self.chars().find(shows).or(self.first())
    }

    /// The coarsest classes, disjoint and sorted, of which each of `classes` is a union.
    #[must_use]
    pub fn atoms(classes: &[Self]) -> Vec<Self> {
        // All characters between two consecutive range boundaries are in the same classes.
        let mut cuts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (i, class) in classes.iter().enumerate() {
            for (first, last) in class.ranges() {
                cuts.entry(rank(first)).or_default().push(i);
                cuts.entry(rank(last) + 1).or_default().push(i);
            }
        }
        let mut atoms: BTreeMap<Vec<usize>, Vec<(char, char)>> = BTreeMap::new();
        let mut open: BTreeSet<usize> = BTreeSet::new();
        let mut begin = 0;
        for (cut, turned) in cuts {
            if !open.is_empty() {
                let range = (char_of_rank(begin), char_of_rank(cut - 1));
                atoms.entry(open.iter().copied().collect()).or_default().push(range);
            }
            for i in turned {
                if !open.remove(&i) {
                    open.insert(i);
                }
            }
            begin = cut;
        }
        let mut atoms: Vec<Self> = atoms.into_values().map(Self::new).collect();
        atoms.sort_unstable_by_key(Self::first);
        atoms
    }

    fn first(&self) -> Option<char> {
        self.ranges().next().map(|(first, _)| first)
    }
}

/// The name.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The rank of a character: its code point, without the gap of the surrogates, which are not characters.
fn rank(c: char) -> u32 {
    let number = u32::from(c);
    if number < 0xD800 { number } else { number - 0x800 }
}

fn char_of_rank(rank: u32) -> char {
    let number = if rank < 0xD800 { rank } else { rank + 0x800 };
    char::from_u32(number).expect("it is the rank of a character")
}

/// A class with more ranges is written with a Unicode category, if it is close to one.
const MANY_RANGES: usize = 12;

/// The Unicode categories in common use: upper-case letters, lower-case letters, letters, digits, numbers, marks,
/// punctuation, symbols.
fn categories() -> &'static [(&'static str, Class)] {
    static CATEGORIES: std::sync::LazyLock<Vec<(&str, Class)>> = std::sync::LazyLock::new(|| {
        let names = ["Lu", "Ll", "L", "Nd", "N", "M", "P", "S"];
        names.iter().filter_map(|name| Some((*name, Class::of_category(name)?))).collect()
    });
    &CATEGORIES
}

fn has_category(text: &str) -> bool {
    text.starts_with('[') && text.contains("\\p{")
}

/// The class as the `regex` crate reads it.
fn translated(text: &str) -> Option<Class> {
    match regex_syntax::parse(text).ok()?.into_kind() {
        HirKind::Class(hir::Class::Unicode(set)) => Some(Class { set }),
        _ => None,
    }
}

/// The contents of plain brackets, in order.
fn listed(text: &str) -> Option<Vec<(char, char)>> {
    if !(text.starts_with('[') && text.ends_with(']')) {
        return None;
    }
    let ast = Parser::new().parse(text).ok()?;
    let Ast::ClassBracketed(class) = &ast else { return None };
    let ClassSet::Item(item) = &class.kind else { return None };
    let items = match item {
        ClassSetItem::Union(union) => union.items.as_slice(),
        item => std::slice::from_ref(item),
    };
    let range = |item: &ClassSetItem| match item {
        ClassSetItem::Literal(literal) => Some((literal.c, literal.c)),
        ClassSetItem::Range(range) => Some((range.start.c, range.end.c)),
        _ => None,
    };
    if class.negated { None } else { items.iter().map(range).collect() }
}

/// Data about an alphabet of classes, in addition to the names.
pub(crate) struct ClassTable {
    /// The class of each letter.
    pub(crate) classes: Vec<Class>,
    /// The number of characters of each letter.
    pub(crate) sizes: Vec<u32>,
    /// The character each letter is written as.
    pub(crate) representatives: Vec<char>,
    /// All ranges, sorted, with their letters.
    ranges: Vec<(char, char, Letter)>,
}

impl ClassTable {
    /// The table for letters with these names, if each is a character or a class, some are classes, and none overlap.
    pub(crate) fn new(names: &[String]) -> Option<Self> {
        if !names.iter().any(|name| name.len() > 1 && name.starts_with('[')) {
            return None;
        }
        let classes: Vec<Class> = names.iter().map(|name| Class::of_name(name)).collect::<Option<_>>()?;
        let mut ranges: Vec<(char, char, Letter)> = Vec::new();
        for (i, class) in classes.iter().enumerate() {
            ranges.extend(class.ranges().map(|(first, last)| (first, last, Letter::new(i))));
        }
        ranges.sort_unstable();
        let disjoint = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        let sizes: Vec<u32> = classes.iter().map(|class| class.len() as u32).collect();
        let representatives = classes.iter().map(Class::representative).collect::<Option<_>>()?;
        (disjoint && sizes.iter().any(|&size| size > 1)).then_some(Self { classes, sizes, representatives, ranges })
    }

    /// The letter that contains this character.
    pub(crate) fn letter_of(&self, c: char) -> Option<Letter> {
        let (first, _, letter) = self.ranges.get(self.ranges.partition_point(|&(_, last, _)| last < c))?;
        (*first <= c).then_some(*letter)
    }
}

/// A pattern for one of the characters or bytes in these ranges, which are sorted with gaps between them: the character
/// itself if there is only one, otherwise in brackets, with three or more in a row as a range, in the usual order:
/// `[A-Za-z0-9_]`.
pub(crate) fn pattern_of(ranges: &[(u32, u32)], write: impl Fn(u32) -> String) -> String {
    if let [(only, last)] = ranges
        && only == last
    {
        return write(*only);
    }
    let mut runs = ranges.to_vec();
    runs.sort_by_key(|(first, _)| match char::from_u32(*first) {
        Some('A'..='Z') => 0,
        Some('a'..='z') => 1,
        Some('0'..='9') => 2,
        _ => 3,
    });
    let member = |number| in_brackets(write(number));
    let mut out = String::from("[");
    for (first, last) in runs {
        out.push_str(&member(first));
        if last - first > 1 {
            out.push('-');
        }
        if last != first {
            out.push_str(&member(last));
        }
    }
    out + "]"
}

/// Inside brackets `-`, `&&` and `~~` are special, and most characters that are special outside are not.
fn in_brackets(pattern: String) -> String {
    const PLAIN: &str = ".+*?()|{}$";
    match pattern.strip_prefix('\\') {
        Some(sign) if PLAIN.contains(sign) => sign.to_owned(),
        None if matches!(pattern.as_str(), "-" | "&" | "~") => format!("\\{pattern}"),
        _ => pattern,
    }
}

/// A character as a pattern that matches it literally.
pub(crate) fn char_pattern(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        // Others escape these for use in brackets and in patterns with comments.
        '-' | '&' | '~' | '#' => c.to_string(),
        c if is_obeyed(c) || (c.is_whitespace() && c != ' ') => format!("\\u{{{:X}}}", u32::from(c)),
        c => regex_syntax::escape(c.encode_utf8(&mut [0; 4])),
    }
}

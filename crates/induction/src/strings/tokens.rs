//! Tokens in the place of characters: lines of a log, events.
//!
//! A pattern is a pattern, whatever its letters are: here each token is a character of Unicode's private use. Tokens of one
//! [shape](Shape) lie in one block, so that the block is the class of all tokens that look so, with room for those that no
//! example has. Of each shape the most frequent tokens have characters of their own; the others share one, since what is
//! seen once in a log is seldom a word of its format.

use std::collections::{BTreeMap, BTreeSet};

use automata::{Class, Letter, Shape, token_pattern};

use crate::sample::Sample;

/// So many characters has a shape: the more, the more bits it takes to tell one.
const BLOCK: u32 = 128;
/// So many tokens of a shape have characters of their own.
const KEPT: usize = 40;
/// Where the blocks begin, and where tokens without a shape do.
const FIRST: u32 = 0xF_0000;
const SHAPELESS: u32 = 0xF_8000;

/// The characters that stand for tokens.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    /// For each token of the examples.
    pub(super) chars: Vec<char>,
    /// For each character of a single token its name.
    names: BTreeMap<char, String>,
}

impl Tokens {
    pub(super) fn of(sample: &Sample) -> Self {
        let alphabet = sample.alphabet();
        let mut counts = vec![0_usize; alphabet.len()];
        sample.rows().flat_map(|(word, _)| word).for_each(|token| counts[token.index()] += 1);
        let mut tokens: Vec<Letter> = alphabet.letters().collect();
        // The most frequent first; a stable sort keeps equals in the order of the alphabet.
        tokens.sort_by_key(|token| std::cmp::Reverse(counts[token.index()]));
        let mut chars = vec!['\0'; alphabet.len()];
        let mut names = BTreeMap::new();
        let mut used: BTreeMap<Option<Shape>, u32> = BTreeMap::new();
        for token in tokens {
            let shape = Shape::of(alphabet.name(token));
            let known = used.entry(shape).or_default();
            let shares = shape.is_some() && *known as usize >= KEPT;
            let number = if shares { 0 } else { *known + 1 };
            let c = shape.map_or(at(SHAPELESS, number), |shape| at(begin(shape), number));
            *known += 1;
            chars[token.index()] = c;
            if !shares {
                names.insert(c, alphabet.name(token).to_owned());
            }
        }
        Self { chars, names }
    }

    /// The classes that have a name: each shape, and all tokens.
    pub(super) fn classes() -> Vec<Class> {
        let any = Class::new(Shape::ALL.map(range));
        Shape::ALL.iter().map(|&shape| Class::new([range(shape)])).chain([any]).collect()
    }

    /// The letters of an alphabet of tokens that a class stands for: a shape, unless it has only some of its tokens.
    pub(super) fn letters(&self, class: &Class) -> BTreeSet<&str> {
        let shapes = Shape::ALL.into_iter().filter(|&shape| class.contains(at(begin(shape), 0)));
        let alone = self.names.iter().filter(|(c, name)| {
            let by_shape = Shape::of(name).is_some_and(|shape| class.contains(at(begin(shape), 0)));
            class.contains(**c) && !by_shape
        });
        shapes.map(|shape| -> &str { shape.name() }).chain(alone.map(|(_, name)| name.as_str())).collect()
    }

    /// Whether this part of a class has only tokens of which the class has the shape.
    pub(super) fn is_keyword(&self, part: &Class, class: &Class) -> bool {
        let has_shape = |class: &Class, c: &char| {
            let shape = self.names.get(c).and_then(|name| Shape::of(name));
            shape.is_some_and(|shape| class.contains(at(begin(shape), 0)))
        };
        let mut singles = self.names.keys().filter(|c| part.contains(**c)).peekable();
        singles.peek().is_some() && singles.all(|c| has_shape(class, c) && !has_shape(part, c))
    }

    /// The letters of a class in an expression.
    pub(super) fn expression(&self, class: &Class) -> String {
        self.letters(class).into_iter().map(token_pattern).collect::<Vec<_>>().join("|")
    }
}

fn begin(shape: Shape) -> u32 {
    FIRST + BLOCK * Shape::ALL.iter().position(|known| *known == shape).unwrap_or(0) as u32
}

fn range(shape: Shape) -> (char, char) {
    (at(begin(shape), 0), at(begin(shape), BLOCK - 1))
}

fn at(begin: u32, number: u32) -> char {
    char::from_u32(begin + number).expect("the plane has room for all of them")
}

//! A plan by shapes: words are cut where one kind of character ends and another begins, and what the resulting shapes have in
//! common is written once.
//!
//! The shapes of timestamps are `9-9-9T9:9:9Z`, `9-9-9T9:9:9.9Z`, `9-9-9T9:9:9+9:9` and a few more. Other plans cut words in
//! two and have to be right many times in a row before such a format is whole; here all shapes are factored at once, into
//! `9-9-9T9:9:9(.9)?(Z|[+-]9:9)`. Each run of digits or letters is then a part to be learned like any other.
//!
//! The factored shapes are exactly those of the words, neither more nor fewer: plans only propose, and what generalises is
//! left to the parts and to the other plans.

use std::collections::{BTreeMap, BTreeSet};

use super::letters::{Chars, Letters, Set};
use super::pattern::Pattern;

/// More shapes than this are not a format but a free text.
const MOST_SHAPES: usize = 16;
/// Maximum number of shapes that are learned as alternatives.
const MOST_APART: usize = 4;
/// Longer shapes are left to other plans.
const LONGEST_SHAPE: usize = 40;

/// A piece of a word as its shape shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    /// A run of the n-th kind of characters.
    Run(u8),
    /// Any other character.
    Mark(u8),
}

/// The shape of a word.
type Shape = Vec<Token>;

/// Shapes with their common parts written once.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Mark(u8),
    /// One of some tokens, in all words a part of the same kind.
    Part(usize),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Optional(Box<Node>),
}

/// A factored set of shapes, and which part each token of a shape belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shapes {
    kinds: Vec<Set>,
    node: Node,
    parts: Vec<Vec<Token>>,
    by_shape: BTreeMap<Shape, Vec<Option<usize>>>,
    marks: Set,
}

impl Shapes {
    /// The shapes of words in which the characters of each of these kinds belong together. None where there is nothing to
    /// cut, or too much.
    pub(super) fn factored(letters: &Letters, kinds: Vec<Set>, words: &[Chars]) -> Option<Self> {
        let shapes = shapes(&kinds, words, MOST_SHAPES)?;
        let mut parts = Vec::new();
        let node = factor(&shapes, &mut parts);
        Self::new(letters, kinds, &shapes, node, parts)
    }

    /// The same, with each shape an alternative whose parts are not those of the others. None for a single shape.
    pub(super) fn apart(letters: &Letters, kinds: Vec<Set>, words: &[Chars]) -> Option<Self> {
        let shapes = shapes(&kinds, words, MOST_APART).filter(|shapes| shapes.len() > 1)?;
        let mut parts = Vec::new();
        let alternative =
            |shape: &Shape| Node::Sequence(shape.iter().map(|&token| single(vec![token], &mut parts)).collect());
        let node = Node::Choice(shapes.iter().map(alternative).collect());
        Self::new(letters, kinds, &shapes, node, parts)
    }

    fn new(
        letters: &Letters,
        kinds: Vec<Set>,
        shapes: &BTreeSet<Shape>,
        node: Node,
        parts: Vec<Vec<Token>>,
    ) -> Option<Self> {
        let by_shape: BTreeMap<_, _> = expanded(&node, &parts).into_iter().collect();
        debug_assert!(by_shape.keys().eq(shapes), "no shape is added, and none is lost");
        let marks = Set::of(marks(shapes.iter().flatten())).without(letters.alphanumeric);
        (!parts.is_empty()).then_some(Self { kinds, node, parts, by_shape, marks })
    }

    /// Whether these cut words in the same places.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.node == other.node
    }

    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The marks that a part may not have.
    pub(super) fn marks(&self, part: usize) -> Set {
        self.marks.without(Set::of(marks(&self.parts[part])))
    }

    /// The parts of a word of one of these shapes.
    pub(super) fn split<'a>(&self, word: Chars<'a>) -> Option<Vec<(usize, Chars<'a>)>> {
        let (shape, pieces): (Shape, Vec<Chars>) = tokens(&self.kinds, word).unzip();
        let parts = self.by_shape.get(&shape)?;
        Some(parts.iter().zip(pieces).filter_map(|(part, piece)| Some(((*part)?, piece))).collect())
    }

    /// The pattern of all, from those of the parts.
    pub(super) fn pattern(&self, parts: &[Pattern]) -> Pattern {
        pattern(&self.node, parts)
    }
}

/// The shapes of words, if there are no more than `most` and there is something to cut.
fn shapes(kinds: &[Set], words: &[Chars], most: usize) -> Option<BTreeSet<Shape>> {
    let mut shapes = BTreeSet::new();
    for word in words {
        let shape: Shape = tokens(kinds, word).map(|(token, _)| token).collect();
        shapes.insert((shape.len() <= LONGEST_SHAPE).then_some(shape)?);
        if shapes.len() > most {
            return None;
        }
    }
    shapes.iter().any(|shape| shape.len() > 1).then_some(shapes)
}

fn marks<'t>(tokens: impl IntoIterator<Item = &'t Token>) -> impl Iterator<Item = u8> {
    tokens.into_iter().filter_map(|token| match token {
        Token::Mark(mark) => Some(*mark),
        Token::Run(_) => None,
    })
}

/// The tokens of a word, each with what it stands for.
fn tokens<'w>(kinds: &[Set], word: Chars<'w>) -> impl Iterator<Item = (Token, Chars<'w>)> {
    let kind = |c: u8| kinds.iter().position(|kind| kind.has(c));
    let pieces = word.chunk_by(move |&a, &b| kind(a).is_some() && kind(a) == kind(b));
    pieces.map(move |piece| (kind(piece[0]).map_or(Token::Mark(piece[0]), |kind| Token::Run(kind as u8)), piece))
}

fn pattern(node: &Node, parts: &[Pattern]) -> Pattern {
    let all = |nodes: &[Node]| nodes.iter().map(|node| pattern(node, parts)).collect::<Vec<_>>();
    match node {
        Node::Mark(mark) => Pattern::mark(*mark),
        Node::Part(part) => parts[*part].clone(),
        Node::Sequence(nodes) => Pattern::sequence(all(nodes)),
        Node::Choice(nodes) => Pattern::choice(all(nodes)),
        Node::Optional(node) => pattern(node, parts).optional(),
    }
}

/// Every shape of a node, with the part that each token belongs to.
fn expanded(node: &Node, parts: &[Vec<Token>]) -> Vec<(Shape, Vec<Option<usize>>)> {
    match node {
        Node::Mark(mark) => vec![(vec![Token::Mark(*mark)], vec![None])],
        Node::Part(part) => parts[*part].iter().map(|&token| (vec![token], vec![Some(*part)])).collect(),
        Node::Choice(nodes) => nodes.iter().flat_map(|node| expanded(node, parts)).collect(),
        Node::Optional(node) => {
            let mut shapes = expanded(node, parts);
            shapes.push((Vec::new(), Vec::new()));
            shapes
        }
        Node::Sequence(nodes) => nodes.iter().fold(vec![(Vec::new(), Vec::new())], |before, node| {
            let after = expanded(node, parts);
            let joined = before.iter().flat_map(|(shape, belongs)| {
                after
                    .iter()
                    .map(move |(more, belong)| ([&shape[..], &more[..]].concat(), [&belongs[..], &belong[..]].concat()))
            });
            joined.collect()
        }),
    }
}

/// Writes a set of shapes with few tokens. Parts are numbered in the order in which they appear.
fn factor(shapes: &BTreeSet<Shape>, parts: &mut Vec<Vec<Token>>) -> Node {
    if shapes.iter().all(|shape| shape.len() == 1) {
        return single(shapes.iter().map(|shape| shape[0]).collect(), parts);
    }
    if shapes.contains(&Vec::new()) {
        let rest = shapes.iter().filter(|shape| !shape.is_empty()).cloned().collect::<BTreeSet<_>>();
        return if rest.is_empty() {
            Node::Sequence(Vec::new())
        } else {
            Node::Optional(Box::new(factor(&rest, parts)))
        };
    }
    // A product first: it includes what all shapes begin with or end in.
    if let Some((heads, tails)) = product(shapes) {
        return Node::Sequence(vec![factor(&heads, parts), factor(&tails, parts)]);
    }
    // Otherwise alternatives, by the first token or by the last, whichever leaves fewer.
    let by_first = groups(shapes, |shape| (shape[0], shape[1..].to_vec()));
    let by_last = groups(shapes, |shape| (shape[shape.len() - 1], shape[..shape.len() - 1].to_vec()));
    let is_first = by_first.len() <= by_last.len();
    let ways = if is_first { by_first } else { by_last };
    let way = |(rest, ends): (BTreeSet<Shape>, Vec<Token>)| match is_first {
        true => {
            let first = single(ends, parts);
            Node::Sequence(vec![first, factor(&rest, parts)])
        }
        false => {
            let rest = factor(&rest, parts);
            Node::Sequence(vec![rest, single(ends, parts)])
        }
    };
    Node::Choice(ways.into_iter().map(way).collect())
}

/// One of these tokens.
fn single(tokens: Vec<Token>, parts: &mut Vec<Vec<Token>>) -> Node {
    match tokens[..] {
        [Token::Mark(mark)] => Node::Mark(mark),
        _ => {
            parts.push(tokens);
            Node::Part(parts.len() - 1)
        }
    }
}

/// Tokens at one end, together where the same may stand at the other side of them.
fn groups(
    shapes: &BTreeSet<Shape>,
    parted: impl Fn(&Shape) -> (Token, Shape),
) -> BTreeMap<BTreeSet<Shape>, Vec<Token>> {
    let mut rests: BTreeMap<Token, BTreeSet<Shape>> = BTreeMap::new();
    for shape in shapes {
        let (end, rest) = parted(shape);
        rests.entry(end).or_default().insert(rest);
    }
    let mut groups: BTreeMap<BTreeSet<Shape>, Vec<Token>> = BTreeMap::new();
    rests.into_iter().for_each(|(end, rest)| groups.entry(rest).or_default().push(end));
    groups
}

/// Two sets of shapes whose combinations are exactly these, with the fewest tokens together.
fn product(shapes: &BTreeSet<Shape>) -> Option<(BTreeSet<Shape>, BTreeSet<Shape>)> {
    let prefixes: BTreeSet<&[Token]> =
        shapes.iter().flat_map(|shape| (0..=shape.len()).map(|end| &shape[..end])).collect();
    let quotient = |prefix: &[Token]| -> BTreeSet<Shape> {
        shapes.iter().filter_map(|shape| shape.strip_prefix(prefix).map(<[Token]>::to_vec)).collect()
    };
    let tokens = |shapes: &BTreeSet<Shape>| shapes.iter().map(Vec::len).sum::<usize>();
    let is_trivial = |shapes: &BTreeSet<Shape>| shapes.iter().all(Vec::is_empty);
    let tails: BTreeSet<BTreeSet<Shape>> = prefixes.iter().map(|prefix| quotient(prefix)).collect();
    let products = tails.into_iter().filter(|tails| !is_trivial(tails)).filter_map(|tails| {
        let fits = |head: &&&[Token]| tails.iter().all(|tail| shapes.contains(&[**head, &tail[..]].concat()));
        let heads: BTreeSet<Shape> = prefixes.iter().filter(fits).map(|head| head.to_vec()).collect();
        let is_all = || {
            let made: BTreeSet<Shape> =
                heads.iter().flat_map(|head| tails.iter().map(|tail| [&head[..], &tail[..]].concat())).collect();
            made == *shapes
        };
        (!is_trivial(&heads) && heads.len() * tails.len() == shapes.len() && is_all()).then_some((heads, tails))
    });
    products.min_by_key(|(heads, tails)| tokens(heads) + tokens(tails))
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label};
    use proptest::prelude::*;

    use super::super::read::Reading;
    use super::*;
    use crate::sample::Sample;

    fn shapes(words: &[&str]) -> Option<(Shapes, Vec<Vec<u8>>)> {
        let alphabet = Alphabet::of_chars(&words.concat());
        let rows = words.iter().map(|word| (alphabet.read(word).unwrap(), Label::Accepted));
        let strings = Reading::default().strings(&Sample::new(&Examples::of(&alphabet, rows), false).unwrap()).unwrap();
        let kinds = vec![strings.letters.numeric, strings.letters.alphanumeric.without(strings.letters.numeric)];
        let words: Vec<&[u8]> = strings.accepted.iter().map(|word| &word[..]).collect();
        Some((Shapes::factored(&strings.letters, kinds, &words)?, strings.accepted.clone()))
    }

    fn written(node: &Node) -> String {
        let all = |nodes: &[Node]| nodes.iter().map(written).collect::<Vec<_>>();
        match node {
            Node::Mark(_) => ".".to_owned(),
            Node::Part(_) => "p".to_owned(),
            Node::Sequence(nodes) => all(nodes).concat(),
            Node::Choice(nodes) => format!("({})", all(nodes).join("|")),
            Node::Optional(node) => format!("({})?", written(node)),
        }
    }

    #[test]
    fn timestamps_are_factored() {
        let day = "2024-01-05T10:11:12";
        let words: Vec<String> = ["", ".123"]
            .iter()
            .flat_map(|part| ["Z", "+01:00", "-02:30"].iter().map(move |zone| format!("{day}{part}{zone}")))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (shapes, _) = shapes(&words).unwrap();
        assert_eq!(written(&shapes.node), "p.p.ppp.p.p(.p)?(p|pp.p)");
    }

    #[test]
    fn free_text_has_no_shapes() {
        let words: Vec<String> = (0..40).map(|i| "a,".repeat(i) + "b").collect();
        assert!(shapes(&words.iter().map(String::as_str).collect::<Vec<_>>()).is_none());
        assert!(shapes(&["abc", "de"]).is_none());
    }

    proptest! {
        /// Every word is divided, and its pieces put together by the pattern of their texts are that word again.
        #[test]
        fn factoring_keeps_exactly_the_shapes(words in proptest::collection::btree_set("[a0.\\-]{1,6}", 1..8)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let Some((shapes, words)) = shapes(&words) else { return Ok(()) };
            for word in &words {
                let pieces = shapes.split(word).unwrap();
                // Parts that the word does not use match nothing that it has.
                let mut parts = vec![Pattern::Text(vec![u8::MAX]); shapes.parts()];
                pieces.iter().for_each(|(part, piece)| parts[*part] = Pattern::Text(piece.to_vec()));
                prop_assert!(shapes.pattern(&parts).matches(word));
            }
        }
    }
}

//! Builds expressions without redundancy: state elimination assembles its results with these functions, and each of
//! them applies the simplifications that a person would see at once. All laws used hold for every language.
//!
//! Everything is treated as a repetition: `x` is x{1,1} and ε is x{0,0}, so that `x x*` and `x?|xx` become sums and
//! unions of intervals of counts.

use super::Node;
use super::factor::factor_out;
use crate::ids::Letter;

impl Node {
    /// One of these letters.
    #[must_use]
    pub fn class(mut letters: Vec<Letter>) -> Node {
        letters.sort_unstable();
        letters.dedup();
        if letters.is_empty() { Node::Nothing } else { Node::Class(letters) }
    }

    /// The parts of a concatenation; any other expression is its own single part.
    pub(super) fn factors(self) -> Vec<Node> {
        match self {
            Node::Empty => Vec::new(),
            Node::Concat(parts) => parts,
            other => vec![other],
        }
    }

    /// The repeated expression and its counts; an expression that is not a repetition occurs once.
    fn counted(&self) -> (&Node, u32, Option<u32>) {
        match self {
            Node::Repeat { node, min, max } => (node, *min, *max),
            other => (other, 1, Some(1)),
        }
    }

    /// Concatenation.
    #[must_use]
    pub fn concat(parts: impl IntoIterator<Item = Node>) -> Node {
        let mut done: Vec<Node> = Vec::new();
        for part in parts {
            if part == Node::Nothing {
                return Node::Nothing;
            }
            for factor in part.factors() {
                push_factor(&mut done, factor);
            }
        }
        match done.len() {
            0 => Node::Empty,
            1 => done.swap_remove(0),
            _ => Node::Concat(done),
        }
    }

    /// Alternation.
    #[must_use]
    pub fn alt(parts: impl IntoIterator<Item = Node>) -> Node {
        let mut letters = Vec::new();
        let mut others: Vec<Node> = Vec::new();
        let mut optional = false;
        let mut open: Vec<Node> = parts.into_iter().collect();
        open.reverse();
        while let Some(part) = open.pop() {
            match part {
                Node::Nothing => {}
                Node::Empty => optional = true,
                Node::Class(more) => letters.extend(more),
                Node::Alt(parts) => open.extend(parts.into_iter().rev()),
                // ε is added once for all alternatives.
                Node::Repeat { node, min: 0, max: Some(1) } => {
                    optional = true;
                    open.push(*node);
                }
                other => {
                    if !others.contains(&other) {
                        others.push(other);
                    }
                }
            }
        }
        let class = Node::class(letters);
        if class != Node::Nothing {
            others.insert(0, class);
        }
        while unite_counts(&mut others, &mut optional) || factor_out(&mut others) {}
        let node = match others.len() {
            0 => Node::Nothing,
            1 => others.swap_remove(0),
            _ => Node::Alt(others),
        };
        match (optional, node) {
            (false, node) => node,
            (true, Node::Nothing) => Node::Empty,
            (true, node) => Node::repeat(node, 0, Some(1)),
        }
    }

    /// Zero or more repetitions.
    pub(super) fn star(node: Node) -> Node {
        Node::repeat(node, 0, None)
    }

    /// `min` to `max` repetitions.
    #[must_use]
    pub fn repeat(node: Node, min: u32, max: Option<u32>) -> Node {
        match (node, min, max) {
            (_, _, Some(0)) | (Node::Empty, ..) | (Node::Nothing, 0, _) => Node::Empty,
            (Node::Nothing, ..) => Node::Nothing,
            (node, 1, Some(1)) => node,
            (node, 0, Some(1)) if node.nullable() => node,
            (node, _, None) if min <= 1 => repeat_freely(node, min),
            // Merge nested counts if they leave no gap: (x{a,b}){0,1} with a ≤ 1.
            (Node::Repeat { node, min: 1, max }, 0, Some(1)) => Node::Repeat { node, min: 0, max },
            (node, min, max) => Node::Repeat { node: Box::new(node), min, max },
        }
    }
}

/// (node)* or (node)+.
fn repeat_freely(node: Node, min: u32) -> Node {
    let min = if node.nullable() { 0 } else { min };
    let body = if min == 0 { loop_body(node) } else { unrepeated(node) };
    match body {
        Node::Empty | Node::Nothing => Node::Empty,
        body => Node::Repeat { node: Box::new(body), min, max: None },
    }
}

/// (x+)+ is x+.
fn unrepeated(node: Node) -> Node {
    match node {
        Node::Repeat { node, min: 1, .. } => *node,
        other => other,
    }
}

/// A shorter expression with the same star: (x*)* is x*, (x|y*)* is (x|y)*, (x*y*)* is (x|y)*.
fn loop_body(node: Node) -> Node {
    match node {
        Node::Repeat { node, min: 0 | 1, .. } => loop_body(*node),
        Node::Concat(parts) if !parts.iter().all(Node::nullable) => Node::Concat(parts),
        Node::Alt(parts) | Node::Concat(parts) => match Node::alt(parts.into_iter().map(loop_body)) {
            Node::Alt(parts) => Node::Alt(parts),
            united => loop_body(united),
        },
        other => other,
    }
}

/// Appends a factor, or combines it with the preceding ones by the first law that applies.
fn push_factor(done: &mut Vec<Node>, factor: Node) {
    let laws = [add_counts, count_before, count_after, unnest_after, unnest_before];
    match laws.iter().find_map(|law| law(done, &factor)) {
        None => done.push(factor),
        Some((kept, united)) => {
            done.truncate(kept);
            for factor in united.into_iter().flat_map(Node::factors) {
                push_factor(done, factor);
            }
        }
    }
}

/// The result of a law: how many of the factors so far are kept, and which factors replace the rest.
type United = Option<(usize, Vec<Node>)>;

/// x{a,b} x{c,d} is x{a+c,b+d}. Plain x x is kept, so that other alternatives may share the first x.
fn add_counts(done: &[Node], factor: &Node) -> United {
    let last = done.last()?;
    let ((x, min, max), (y, more_min, more_max)) = (last.counted(), factor.counted());
    if x != y || (min, max, more_min, more_max) == (1, Some(1), 1, Some(1)) {
        return None;
    }
    let max = max.zip(more_max).map(|(max, more)| max.saturating_add(more));
    Some((done.len() - 1, vec![Node::repeat(x.clone(), min.saturating_add(more_min), max)]))
}

/// x y (x y){a,b} is (x y){a+1,b+1}; and where x is z*, z{m,} y (z* y){a,b} is z{m}(z* y){a+1,b+1}.
fn count_before(done: &[Node], factor: &Node) -> United {
    let (body, once_more) = once_more(factor)?;
    let kept = done.len().checked_sub(body.len())?;
    let surplus = surplus(&body[0], &done[kept])?;
    (done[kept + 1..] == body[1..]).then(|| (kept, vec![surplus, once_more]))
}

/// (x y){a,b} x y is (x y){a+1,b+1}; and where y is z*, (x z*){a,b} x z{m,} is (x z*){a+1,b+1} z{m}.
fn count_after(done: &[Node], factor: &Node) -> United {
    (0..done.len()).rev().find_map(|kept| {
        let (body, once_more) = once_more(&done[kept])?;
        let (last, before) = body.split_last()?;
        let surplus = surplus(last, factor)?;
        (done[kept + 1..] == *before).then(|| (kept, vec![once_more, surplus]))
    })
}

/// z{m,}(y z*)* is z{m}(z|y)*.
fn unnest_after(done: &[Node], factor: &Node) -> United {
    let (star, y) = starred(factor)?.split_last()?;
    let surplus = surplus(star, done.last()?)?;
    Some((done.len() - 1, vec![surplus, either(star, y)?]))
}

/// (z* y)* z{m,} is (z|y)* z{m}.
fn unnest_before(done: &[Node], factor: &Node) -> United {
    let (star, y) = starred(done.last()?)?.split_first()?;
    let surplus = surplus(star, factor)?;
    Some((done.len() - 1, vec![either(star, y)?, surplus]))
}

/// The body of a repeated concatenation, and the concatenation repeated once more.
fn once_more(factor: &Node) -> Option<(&[Node], Node)> {
    let Node::Repeat { node, min, max } = factor else { return None };
    let Node::Concat(body) = node.as_ref() else { return None };
    let (min, max) = (min.saturating_add(1), max.map(|max| max.saturating_add(1)));
    Some((body, Node::Repeat { node: node.clone(), min, max }))
}

/// The body of a starred concatenation.
fn starred(factor: &Node) -> Option<&[Node]> {
    match factor {
        Node::Repeat { node, min: 0, max: None } => match node.as_ref() {
            Node::Concat(body) => Some(body),
            _ => None,
        },
        _ => None,
    }
}

/// (z|y)* for z* and the factors of y.
fn either(star: &Node, y: &[Node]) -> Option<Node> {
    let Node::Repeat { node: z, min: 0, max: None } = star else { return None };
    Some(Node::star(Node::alt([(**z).clone(), Node::concat(y.iter().cloned())])))
}

/// What `found` has beyond `wanted`: nothing if they are equal, z{m} if they are z{m,} and z*.
fn surplus(wanted: &Node, found: &Node) -> Option<Node> {
    if wanted == found {
        return Some(Node::Empty);
    }
    match (wanted, found) {
        (Node::Repeat { node: z, min: 0, max: None }, Node::Repeat { node: same, min, max: None }) if z == same => {
            Some(Node::repeat((**z).clone(), *min, Some(*min)))
        }
        _ => None,
    }
}

/// Merges two alternatives that repeat the same expression, if their combined counts leave no gap: `x|xx+` is x+. Uses
/// the empty word where that closes a gap. Returns whether anything was merged.
fn unite_counts(parts: &mut Vec<Node>, optional: &mut bool) -> bool {
    for i in 0..parts.len() {
        let (x, min, max) = parts[i].counted();
        if *optional && min == 1 && max != Some(1) {
            let united = Node::repeat(x.clone(), 0, max);
            *optional = false;
            parts[i] = united;
            return true;
        }
        for j in i + 1..parts.len() {
            let (y, more_min, more_max) = parts[j].counted();
            let touches = |max: Option<u32>, min: u32| max.is_none_or(|max| min <= max.saturating_add(1));
            if x == y && touches(max, more_min) && touches(more_max, min) {
                let max = max.zip(more_max).map(|(max, more)| max.max(more));
                let united = Node::repeat(x.clone(), min.min(more_min), max);
                parts.remove(j);
                parts[i] = united;
                return true;
            }
        }
    }
    false
}

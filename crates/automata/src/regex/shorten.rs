//! The last step: rewrites that are justified by the given language, not by a general law.
//!
//! `a*(b+(a+b*)?)?` is `a*b*a*b*`, but no local law says so. Here any part of the expression may be changed in one of
//! a few ways that make it shorter; the change is kept if the whole expression still has exactly the language of the
//! automaton. So the expression can only become shorter, never wrong.
//!
//! Words that refuted earlier rewrites refute most later ones, so few rewrites need a comparison of automata.

use super::{Node, compile, write};
use crate::Word;
use crate::determinize::determinize;
use crate::dfa::Dfa;
use crate::equivalence::separating_word;

/// How hard to try.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Maximum number of rewrites to check; each check compares two automata.
    checks: usize,
    /// Number of candidates to shorten.
    polished: usize,
}

impl Effort {
    /// For an expression that is shown.
    pub(super) const THOROUGH: Self = Self { checks: 1_000, polished: 12 };
    /// To see roughly how long the expression of one language among many is.
    pub(super) const QUICK: Self = Self { checks: 100, polished: 2 };
}

/// Larger expressions are left unchanged.
const SIZE_LIMIT: usize = 150;

/// The shortest expression obtained from the candidates, all of which have the language of `dfa`.
pub(super) fn shorten(mut candidates: Vec<Node>, dfa: &Dfa, effort: Effort) -> Node {
    let mut polish = Polish { dfa, checks: effort.checks, witnesses: Vec::new() };
    candidates.sort_by_cached_key(|node| polish.cost(node));
    candidates.truncate(effort.polished);
    let padded = candidates.first().map(|best| polish.padded(best));
    candidates.extend(padded.into_iter().flatten());
    for node in &mut candidates {
        *node = polish.shortest(std::mem::replace(node, Node::Nothing));
    }
    candidates.into_iter().min_by_key(|node| polish.cost(node)).unwrap_or(Node::Nothing)
}

struct Polish<'a> {
    dfa: &'a Dfa,
    checks: usize,
    /// Words that refuted earlier rewrites. One of them refutes most later rewrites without a comparison.
    witnesses: Vec<Word>,
}

impl Polish<'_> {
    /// Reading effort, then the pattern's length, then the pattern itself, so that there are no ties.
    fn cost(&self, node: &Node) -> (usize, usize, String) {
        let pattern = write::pattern(node, self.dfa.alphabet());
        (effort(node), pattern.chars().count(), pattern)
    }

    /// The expression with any prefix or suffix allowed, where the language permits it. It is longer, but a condition
    /// that only marks the first occurrence of a factor, as in `(a|ba)*bb[ab]*`, can then be dropped: `[ab]*bb[ab]*`.
    fn padded(&mut self, node: &Node) -> Vec<Node> {
        let anything = Node::star(Node::class(self.dfa.alphabet().letters().collect()));
        let both = [anything.clone(), node.clone(), anything.clone()];
        let all = [Node::concat(both[..2].to_vec()), Node::concat(both[1..].to_vec()), Node::concat(both)];
        if node.size() > SIZE_LIMIT {
            return Vec::new();
        }
        all.into_iter().filter(|padded| padded != node && self.has_the_language(padded)).collect()
    }

    fn shortest(&mut self, mut node: Node) -> Node {
        if node.size() > SIZE_LIMIT {
            return node;
        }
        let mut least = effort(&node);
        'shorter: loop {
            let mut rewrites: Vec<_> = rewrites(&node)
                .into_iter()
                .map(|rewrite| (effort(&rewrite), rewrite))
                .filter(|(effort, _)| *effort < least)
                .collect();
            rewrites.sort_unstable();
            rewrites.dedup();
            for (effort, rewrite) in rewrites {
                if self.checks == 0 {
                    return node;
                }
                if self.has_the_language(&rewrite) {
                    (least, node) = (effort, rewrite);
                    continue 'shorter;
                }
            }
            return node;
        }
    }

    fn has_the_language(&mut self, node: &Node) -> bool {
        let Ok(nfa) = compile::compile(node, self.dfa.alphabet(), 10 * SIZE_LIMIT) else { return false };
        if self.witnesses.iter().any(|word| nfa.accepts(word) != self.dfa.accepts(word)) {
            return false;
        }
        self.checks -= 1;
        let Ok(dfa) = determinize(&nfa, 4 * self.dfa.len() + 64) else { return false };
        match separating_word(&dfa, self.dfa) {
            None => true,
            Some(word) => {
                self.witnesses.push(word);
                false
            }
        }
    }
}

/// How hard an expression is to read: letters and classes count most, parentheses and repetitions less. A repetition
/// inside a repetition costs extra, and more if it may be empty: `x+(,x+)*` reads better than `(x,?)*x`.
fn effort(node: &Node) -> usize {
    match node {
        Node::Nothing | Node::Empty => 1,
        Node::Class(_) => 2,
        Node::Concat(parts) => parts.iter().map(effort).sum(),
        Node::Alt(parts) => parts.len() - 1 + parts.iter().map(effort).sum::<usize>(),
        Node::Repeat { node, min, max } => {
            let count = if matches!((min, max), (0 | 1, None) | (0, Some(1))) { 1 } else { 2 };
            let parentheses = if matches!(**node, Node::Class(_)) { 0 } else { 2 };
            effort(node) + count + parentheses + nested(node)
        }
    }
}

/// The extra cost of repeating `node`.
fn nested(node: &Node) -> usize {
    match node {
        Node::Nothing | Node::Empty | Node::Class(_) => 0,
        Node::Repeat { min: 0, .. } => 4,
        Node::Repeat { node, .. } => nested(node).max(2),
        Node::Concat(parts) | Node::Alt(parts) => parts.iter().map(nested).max().unwrap_or(0),
    }
}

/// Every expression that differs from `node` by one rewrite at one place.
fn rewrites(node: &Node) -> Vec<Node> {
    let mut all = here(node);
    match node {
        Node::Nothing | Node::Empty | Node::Class(_) => {}
        Node::Repeat { node, min, max } => {
            all.extend(rewrites(node).into_iter().map(|inner| Node::repeat(inner, *min, *max)));
        }
        Node::Concat(parts) => all.extend(replacements(parts).map(Node::concat)),
        Node::Alt(parts) => all.extend(replacements(parts).map(Node::alt)),
    }
    all
}

/// The lists that result from rewriting one part.
fn replacements(parts: &[Node]) -> impl Iterator<Item = Vec<Node>> + '_ {
    parts.iter().enumerate().flat_map(move |(i, part)| {
        rewrites(part).into_iter().map(move |rewrite| {
            let mut parts = parts.to_vec();
            parts[i] = rewrite;
            parts
        })
    })
}

/// The rewrites of `node` itself.
fn here(node: &Node) -> Vec<Node> {
    match node {
        Node::Nothing | Node::Empty | Node::Class(_) => Vec::new(),
        Node::Repeat { node, min, max } => {
            let mut all = vec![Node::Empty, (**node).clone(), Node::star((**node).clone())];
            if *max != Some(1) {
                all.push(Node::repeat((**node).clone(), 0, Some(1)));
            }
            if let (0, Some(1), Node::Concat(parts)) = (*min, *max, node.as_ref()) {
                // Try x*y? for (x+y)?.
                all.push(Node::concat(parts.iter().cloned().map(optional)));
            }
            match (*min, *max, node.as_ref()) {
                (1, None, Node::Concat(parts)) => all.extend(unnested(parts)),
                (0, None, Node::Concat(parts)) => all.extend(separated(parts)),
                _ => {}
            }
            all
        }
        Node::Concat(parts) => {
            let mut all: Vec<Node> = without_one(parts).map(Node::concat).collect();
            all.extend((0..parts.len()).filter_map(|at| rolled(parts, at)));
            all
        }
        Node::Alt(parts) => {
            let mut all: Vec<Node> = without_one(parts).map(Node::alt).collect();
            // Try x?y* or y*x? for x|y*.
            for (i, part) in parts.iter().enumerate() {
                let rest =
                    || Node::alt(parts.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, part)| part.clone()));
                all.push(Node::concat([optional(part.clone()), optional(rest())]));
            }
            all
        }
    }
}

/// (x y*)+ as x(x|y)*, and (y* x)+ as (x|y)*x.
fn unnested(parts: &[Node]) -> Vec<Node> {
    let is_star = |node: &Node| matches!(node, Node::Repeat { min: 0, max: None, .. });
    let star_of = |x: &Node, star: &Node| {
        let Node::Repeat { node: y, .. } = star else { unreachable!("it is a star") };
        Node::star(Node::alt([x.clone(), (**y).clone()]))
    };
    let mut all = Vec::new();
    if let [parts @ .., star] = parts
        && is_star(star)
    {
        let x = Node::concat(parts.iter().cloned());
        all.push(Node::concat([x.clone(), star_of(&x, star)]));
    }
    if let [star, parts @ ..] = parts
        && is_star(star)
    {
        let x = Node::concat(parts.iter().cloned());
        all.push(Node::concat([star_of(&x, star), x]));
    }
    all
}

/// (y?x)* as x*(yx+)*, and (xy?)* as (x+y)*x*.
fn separated(parts: &[Node]) -> Vec<Node> {
    let plus = |parts: &[Node]| Node::repeat(Node::concat(parts.iter().cloned()), 1, None);
    let star = |parts: &[Node]| Node::star(Node::concat(parts.iter().cloned()));
    let mut all = Vec::new();
    if let [Node::Repeat { node: y, min: 0, max: Some(1) }, x @ ..] = parts {
        all.push(Node::concat([star(x), Node::star(Node::concat([(**y).clone(), plus(x)]))]));
    }
    if let [x @ .., Node::Repeat { node: y, min: 0, max: Some(1) }] = parts {
        all.push(Node::concat([Node::star(Node::concat([plus(x), (**y).clone()])), star(x)]));
    }
    all
}

fn optional(node: Node) -> Node {
    match node {
        Node::Repeat { node, min: 1.., max } => Node::repeat(*node, 0, max),
        node => Node::repeat(node, 0, Some(1)),
    }
}

fn without_one(parts: &[Node]) -> impl Iterator<Item = Vec<Node>> + '_ {
    (0..parts.len()).map(move |i| {
        let mut parts = parts.to_vec();
        parts.remove(i);
        parts
    })
}

/// x(yx)* as (xy)*x and vice versa, for a repetition at index `at`.
fn rolled(parts: &[Node], at: usize) -> Option<Node> {
    let Node::Repeat { node, min, max } = &parts[at] else { return None };
    let Node::Concat(body) = node.as_ref() else { return None };
    let mut parts = parts.to_vec();
    let mut body = body.clone();
    if at > 0 && body.last() == Some(&parts[at - 1]) {
        body.rotate_right(1);
        parts[at] = Node::repeat(Node::concat(body), *min, *max);
        parts.swap(at - 1, at);
    } else if at + 1 < parts.len() && body.first() == Some(&parts[at + 1]) {
        body.rotate_left(1);
        parts[at] = Node::repeat(Node::concat(body), *min, *max);
        parts.swap(at, at + 1);
    } else {
        return None;
    }
    Some(Node::concat(parts))
}

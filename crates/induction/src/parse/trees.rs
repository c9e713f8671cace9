//! Derivation trees, one at a time.

use std::fmt;
use std::iter::FusedIterator;

use automata::{Body, Direction, Grammar, Letter, Nonterminal, Production, Word};

use super::chart::Chart;

/// A derivation: from the root down, the production that rewrites each non-terminal.
///
/// In a regular grammar a body has at most one non-terminal, so a tree is a comb, and the list of its productions
/// determines it. It is written `C(C(A(b) a) c)`, or as the mirror image `A(b C(c))` if right-regular.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree<'a> {
    grammar: &'a Grammar,
    productions: Vec<Production>,
}

impl Tree<'_> {
    /// The root.
    #[must_use]
    pub fn root(&self) -> Nonterminal {
        self.productions[0].head
    }

    /// The productions from the root down: that of the last letter first, or of the first letter if right-regular.
    #[must_use]
    pub fn productions(&self) -> &[Production] {
        &self.productions
    }

    /// The letters at its leaves, in written order.
    #[must_use]
    pub fn word(&self) -> Word {
        let downwards = self.productions.iter().filter_map(|p| p.body.letter());
        match self.grammar.direction() {
            Direction::Left => downwards.rev().collect(),
            Direction::Right => downwards.collect(),
        }
    }

    /// The productions from the root down, without the grammar.
    #[must_use]
    pub fn into_productions(self) -> Vec<Production> {
        self.productions
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |c: Letter| self.grammar.alphabet().show(&[c]);
        let left = self.grammar.direction() == Direction::Left;
        for &Production { head, body } in &self.productions {
            write!(f, "{}(", self.grammar.name(head))?;
            match body {
                Body::Empty => write!(f, "ε")?,
                Body::Letter(c) => write!(f, "{}", letter(c))?,
                Body::Step(_, c) if !left => write!(f, "{} ", letter(c))?,
                Body::Unit(_) | Body::Step(..) => {}
            }
        }
        for production in self.productions.iter().rev() {
            match production.body {
                Body::Step(_, c) if left => write!(f, " {})", letter(c))?,
                _ => write!(f, ")")?,
            }
        }
        Ok(())
    }
}

/// The trees of a word or of one of its prefixes, produced one at a time.
#[derive(Clone, Debug)]
pub struct Trees<'a> {
    chart: &'a Chart,
    /// The root whose first tree has not been produced yet.
    root: Option<(usize, Nonterminal)>,
    /// Whether an `S → A` at the root is left out.
    below_start: bool,
    /// The choices of the last tree, from the root down.
    choices: Vec<Choice>,
}

/// A tree node with one of its possible productions.
#[derive(Clone, Copy, Debug)]
struct Choice {
    i: usize,
    number: usize,
    production: Production,
}

impl<'a> Trees<'a> {
    pub(super) fn of_word(chart: &'a Chart) -> Self {
        Self { below_start: true, ..Self::at(chart, chart.len(), chart.grammar().start()) }
    }

    pub(super) fn at(chart: &'a Chart, i: usize, a: Nonterminal) -> Self {
        let root = chart.contains(i, a).then_some((i, a));
        Self { chart, root, below_start: false, choices: Vec::new() }
    }

    /// The first choice at (i, a) with a number of at least `from`.
    fn choose(&self, i: usize, a: Nonterminal, from: usize) -> Option<Choice> {
        let (number, production) = self.chart.options(i, a, from).next()?;
        Some(Choice { i, number, production })
    }

    /// Changes the lowest choice that has an alternative, and drops those below it.
    fn change(&mut self) -> Option<Choice> {
        while let Some(Choice { i, number, production }) = self.choices.pop() {
            if let Some(other) = self.choose(i, production.head, number + 1) {
                return Some(other);
            }
        }
        None
    }
}

impl<'a> Iterator for Trees<'a> {
    type Item = Tree<'a>;

    fn next(&mut self) -> Option<Tree<'a>> {
        let first = match self.root.take() {
            Some((i, a)) => self.choose(i, a, 0),
            None => self.change(),
        };
        // Every node that a production needs is derivable, so the path down always ends at a leaf.
        let mut next = Some(first?);
        while let Some(choice) = next {
            self.choices.push(choice);
            next = match choice.production.body {
                Body::Empty | Body::Letter(_) => None,
                Body::Unit(b) => self.choose(choice.i, b, 0),
                Body::Step(b, _) => self.choose(choice.i - 1, b, 0),
            };
        }
        let is_hidden = |choice: &&Choice| self.below_start && matches!(choice.production.body, Body::Unit(_));
        let hidden = usize::from(self.choices.first().filter(is_hidden).is_some());
        let productions = self.choices[hidden..].iter().map(|choice| choice.production).collect();
        Some(Tree { grammar: self.chart.grammar(), productions })
    }
}

impl FusedIterator for Trees<'_> {}

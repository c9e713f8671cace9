//! All derivations of a word, shared.
//!
//! A node is a pair (i, A): `A` derives the first i letters. What stands below a node does not depend on what is above
//! it, so exponentially many trees take only as many nodes as letters times non-terminals. Trees are counted bottom-up
//! without listing them, and listed one by one without storing them.

use automata::{BigUint, Body, Direction, Grammar, Letter, Nonterminal, Production};

use super::beliefs::Beliefs;
use super::chart::Chart;
use super::trees::Trees;
use crate::bits::{self, Sets};
use crate::extraction::{all_edges, belief, ends_reaching, spelled_out};
use crate::model::Model;

/// The parse forest of a word.
#[derive(Clone, Debug)]
pub struct Forest {
    chart: Chart,
    /// For a model, the verdict of o(w).
    soft: Option<Result<(), Rejection>>,
}

/// Why a word is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// No non-terminal derives the prefix that ends with this letter, so no continuation can be accepted. In a model:
    /// from this letter to the last, all beliefs are at most 1 - τ.
    Died {
        /// The letter's index in the word as written, from 0.
        index: usize,
    },
    /// The whole word is derived, but not from the start symbol.
    Outside {
        /// The non-terminals that derive it; none for the empty word.
        nonterminals: Vec<Nonterminal>,
    },
    /// A model is not sure enough: there is some belief, but o(w) is below τ.
    Unsure,
}

impl Forest {
    /// The derivations of a word by a grammar.
    #[must_use]
    pub fn of_grammar(grammar: &Grammar, word: &[Letter]) -> Self {
        Self { chart: Chart::new(grammar, word, None), soft: None }
    }

    /// The derivations that a model believes in, as in the paper: a production is used if its belief is at least τ and
    /// the u_i before it believes in its non-terminal by at least τ. In the shape `nfa`, the tree of the whole word has
    /// the root A_µ; in the shape `dfa`, any A_k whose acceptance is at least τ.
    ///
    /// The word is accepted if o(w) reaches τ. An accepted word may have no tree, since weak beliefs in productions add
    /// up; a rejected one never has a tree.
    ///
    /// The grammar of these productions is [`Forest::grammar`], over `S` and the [names](Model::names) of the model, in
    /// the model's reading direction: a model trained on reversed words has a right-regular grammar. The empty word has
    /// no tree, since the model does not read it.
    #[must_use]
    pub fn of_model(model: &Model, word: &[Letter], threshold: f64, direction: Direction) -> Self {
        let (layout, weights) = (model.layout(), model.weights());
        let n = layout.nonterminals();
        let edges = all_edges(n, layout.letters()).filter(|&edge| belief(&weights, edge) >= threshold);
        let ends = ends_reaching(&weights, layout.shape(), threshold);
        let grammar = spelled_out(model.alphabet(), n, edges, ends.iter().copied(), false);
        let start = grammar.name(grammar.start()).to_owned();
        let grammar = grammar.renamed([&[start], model.names()].concat());
        let beliefs = Beliefs::of_weights(layout, &weights, &super::in_order(word, direction));
        let grammar = if direction == Direction::Left { grammar } else { grammar.reversed() };
        let mut believed = Sets::new(word.len() + 1, n + 1);
        for i in 1..=word.len() {
            let u = beliefs.u(i).unwrap_or_default();
            let start = beliefs.confidence_after(i).filter(|&o| o >= threshold).map(|_| 0);
            let others = (0..u.len()).filter(|&k| u[k] >= threshold).map(|k| k + 1);
            others.chain(start).for_each(|a| believed.insert(i, a));
        }
        let soft = if !word.is_empty() && beliefs.confidence() >= threshold {
            Ok(())
        } else {
            Err(soft_rejection(&beliefs, &ends, threshold, direction))
        };
        Self { chart: Chart::new(&grammar, word, Some(believed)), soft: Some(soft) }
    }

    /// The grammar in normal form, whose productions make up the trees.
    #[must_use]
    pub fn grammar(&self) -> &Grammar {
        self.chart.grammar()
    }

    /// ℓ, the number of letters.
    #[must_use]
    pub fn letters(&self) -> usize {
        self.chart.len()
    }

    /// Whether the word is accepted: by a grammar if it has a tree, by a model if o(w) reaches τ.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        match &self.soft {
            Some(said) => said.is_ok(),
            None => self.chart.contains(self.letters(), self.grammar().start()),
        }
    }

    /// Why the word is rejected, if it is.
    #[must_use]
    pub fn rejection(&self) -> Option<Rejection> {
        if let Some(said) = &self.soft {
            return said.as_ref().err().cloned();
        }
        if self.is_accepted() {
            return None;
        }
        let died = (1..=self.letters()).find(|&i| self.after(i).next().is_none());
        Some(match died {
            None => Rejection::Outside { nonterminals: self.after(self.letters()).collect() },
            Some(i) => Rejection::Died { index: written_at(self.grammar().direction(), self.letters(), i) },
        })
    }

    /// The productions used at the i-th letter in reading order: those that read it and apply to a non-terminal
    /// believed before it.
    pub fn fired(&self, i: usize) -> impl Iterator<Item = Production> + '_ {
        self.chart.fired(i)
    }

    /// The roots of the trees of the whole word, each once: the `A` of `S → A`, and `S` if it reads the last letter
    /// itself or derives the empty word.
    #[must_use]
    pub fn roots(&self) -> Vec<Nonterminal> {
        let mut roots: Vec<Nonterminal> = self
            .options(self.letters(), self.grammar().start())
            .map(|p| if let Body::Unit(b) = p.body { b } else { p.head })
            .collect();
        roots.dedup();
        roots
    }

    /// The possible roots for the first i letters: the non-terminals that derive them.
    pub fn after(&self, i: usize) -> impl Iterator<Item = Nonterminal> + '_ {
        self.chart.row(i)
    }

    /// The productions that may begin a derivation of the first i letters from `a`: the alternatives at the node.
    pub fn options(&self, i: usize, a: Nonterminal) -> impl Iterator<Item = Production> + '_ {
        // A model may not believe in the start symbol although it could be derived.
        let is_node = self.chart.contains(i, a);
        self.chart.options(i, a, 0).filter(move |_| is_node).map(|(_, production)| production)
    }

    /// The nodes (i, A) of all trees of the whole word, shorter prefixes first, including `S`.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, Nonterminal)> + use<> {
        let rows = self.below(self.letters(), self.grammar().start());
        (0..=self.letters()).flat_map(move |i| {
            let row: Vec<Nonterminal> = bits::ones(rows.set(i)).map(Nonterminal::new).collect();
            row.into_iter().map(move |a| (i, a))
        })
    }

    /// Number of trees of the word.
    #[must_use]
    pub fn count(&self) -> BigUint {
        self.count_at(self.letters(), self.grammar().start())
    }

    /// Number of trees of the first i letters with the root `a`.
    #[must_use]
    pub fn count_at(&self, i: usize, a: Nonterminal) -> BigUint {
        if !self.chart.contains(i, a) {
            return BigUint::ZERO;
        }
        let needed = self.below(i, a);
        // Row by row: that of the shorter prefix, and the current one.
        let mut before = vec![BigUint::ZERO; self.grammar().nonterminals().len()];
        let mut now = before.clone();
        for i in 0..=i {
            std::mem::swap(&mut before, &mut now);
            for a in self.others_of(&needed, i).into_iter().chain(self.start_of(&needed, i)) {
                let mut sum = BigUint::ZERO;
                for production in self.options(i, a) {
                    match production.body {
                        Body::Empty | Body::Letter(_) => sum += 1_u32,
                        Body::Unit(b) => sum += &now[b.index()],
                        Body::Step(b, _) => sum += &before[b.index()],
                    }
                }
                now[a.index()] = sum;
            }
        }
        std::mem::take(&mut now[a.index()])
    }

    /// The trees of the word, one by one, ordered by the production at the root, then by the next one down, and so on.
    /// Their roots are the [`roots`](Forest::roots), without the `S → A` above.
    pub fn trees(&self) -> Trees<'_> {
        Trees::of_word(&self.chart)
    }

    /// The trees of the first i letters with the root `a`, in the same order.
    pub fn trees_at(&self, i: usize, a: Nonterminal) -> Trees<'_> {
        Trees::at(&self.chart, i, a)
    }

    /// The nodes of the trees at (i, a): one set for each prefix up to i.
    fn below(&self, i: usize, a: Nonterminal) -> Sets {
        let mut needed = Sets::new(i + 1, self.grammar().nonterminals().len());
        if self.chart.contains(i, a) {
            needed.insert(i, a.index());
        }
        for i in (0..=i).rev() {
            // S first, since S → A needs A in the same row.
            if let Some(a) = self.start_of(&needed, i) {
                self.mark(i, a, &mut needed);
            }
            for a in self.others_of(&needed, i) {
                self.mark(i, a, &mut needed);
            }
        }
        needed
    }

    /// Marks the nodes right below (i, a).
    fn mark(&self, i: usize, a: Nonterminal, needed: &mut Sets) {
        for production in self.options(i, a) {
            match production.body {
                Body::Empty | Body::Letter(_) => {}
                Body::Unit(b) => needed.insert(i, b.index()),
                Body::Step(b, _) => needed.insert(i - 1, b.index()),
            }
        }
    }

    fn start_of(&self, rows: &Sets, i: usize) -> Option<Nonterminal> {
        Some(self.grammar().start()).filter(|start| rows.contains(i, start.index()))
    }

    fn others_of(&self, rows: &Sets, i: usize) -> Vec<Nonterminal> {
        bits::ones(rows.set(i)).map(Nonterminal::new).filter(|&a| a != self.grammar().start()).collect()
    }
}

/// Why a word whose o(w) is below τ is rejected.
fn soft_rejection(beliefs: &Beliefs, ends: &[usize], threshold: f64, direction: Direction) -> Rejection {
    let length = beliefs.iter().len();
    let is_dead = |u: &[f64]| u.iter().all(|&u| u < threshold && u <= 1.0 - threshold);
    let alive = (1..=length).rev().find(|&i| !beliefs.u(i).is_some_and(is_dead)).unwrap_or(0);
    if alive < length {
        return Rejection::Died { index: written_at(direction, length, alive + 1) };
    }
    let last = beliefs.u(length).unwrap_or_default();
    let ended: Vec<usize> = (0..last.len()).filter(|&k| last[k] >= threshold).collect();
    // Nothing derives the empty word, which the model does not read.
    if length > 0 && (ended.is_empty() || ended.iter().any(|k| ends.contains(k))) {
        return Rejection::Unsure;
    }
    Rejection::Outside { nonterminals: ended.into_iter().map(|k| Nonterminal::new(k + 1)).collect() }
}

/// The index in the word as written, from 0, of the i-th letter in reading order.
fn written_at(direction: Direction, length: usize, i: usize) -> usize {
    match direction {
        Direction::Left => i - 1,
        Direction::Right => length - i,
    }
}

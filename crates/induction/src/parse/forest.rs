//! All derivations of a word, shared.
//!
//! A node is a pair (i, A): `A` derives the first i letters. Whatever stands above it, what stands below is the same,
//! so that exponentially many trees take as many nodes as there are letters times non-terminals. They are counted from
//! the bottom up without being listed, and listed one by one without being held.

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
}

/// Why a word has no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// No non-terminal derives what was read up to and with this letter, so whatever follows is in vain.
    Died {
        /// The letter's place in the word as it is written, from 0.
        index: usize,
    },
    /// The whole word is derived, but not from the start symbol.
    Outside {
        /// From what it is derived; nothing for the empty word.
        nonterminals: Vec<Nonterminal>,
    },
}

impl Forest {
    /// The derivations of a word by a grammar.
    #[must_use]
    pub fn of_grammar(grammar: &Grammar, word: &[Letter]) -> Self {
        Self { chart: Chart::new(grammar, word, |_, _| true) }
    }

    /// The derivations that a model believes in: a production takes part when its belief is at least τ, a node (i, A_k)
    /// when it can be derived and u_i believes in A_k by at least τ. In the shape `nfa` the tree of the whole word
    /// stands on A_µ, in the shape `dfa` on any A_k whose acceptance is at least τ.
    ///
    /// The grammar of these productions is [`Forest::grammar`], over `S`, `A1`, `A2`, … as extraction names them, in the
    /// direction in which the model reads: one that was trained on reversed words has a right-regular grammar. The empty
    /// word has no tree, since the model does not read it.
    #[must_use]
    pub fn of_model(model: &Model, word: &[Letter], threshold: f64, direction: Direction) -> Self {
        let (layout, weights) = (model.layout(), model.weights());
        let n = layout.nonterminals();
        let edges = all_edges(n, layout.letters()).filter(|&edge| belief(&weights, edge) >= threshold);
        let ends = ends_reaching(&weights, layout.shape(), threshold);
        let grammar = spelled_out(model.alphabet(), n, edges, ends, false);
        let beliefs = Beliefs::of_weights(layout, &weights, &super::in_order(word, direction));
        let keep = |i: usize, a: Nonterminal| match a.index().checked_sub(1) {
            None => true,
            Some(k) => beliefs.u(i).is_some_and(|u| u[k] >= threshold),
        };
        let grammar = if direction == Direction::Left { grammar } else { grammar.reversed() };
        Self { chart: Chart::new(&grammar, word, keep) }
    }

    /// The grammar in normal form: the productions that trees are made of.
    #[must_use]
    pub fn grammar(&self) -> &Grammar {
        self.chart.grammar()
    }

    /// ℓ, the number of letters.
    #[must_use]
    pub fn letters(&self) -> usize {
        self.chart.len()
    }

    /// Whether the word has a tree.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.chart.contains(self.letters(), self.grammar().start())
    }

    /// Where the word got lost, if it did.
    #[must_use]
    pub fn rejection(&self) -> Option<Rejection> {
        if self.is_accepted() {
            return None;
        }
        let died = (1..=self.letters()).find(|&i| self.after(i).next().is_none());
        Some(match died {
            None => Rejection::Outside { nonterminals: self.after(self.letters()).collect() },
            Some(i) => Rejection::Died {
                index: match self.grammar().direction() {
                    Direction::Left => i - 1,
                    Direction::Right => self.letters() - i,
                },
            },
        })
    }

    /// What the trees of the whole word stand on, each once: the `A` of `S → A`, and `S` where it reads the last
    /// letter itself or is the empty word.
    #[must_use]
    pub fn roots(&self) -> Vec<Nonterminal> {
        let mut roots: Vec<Nonterminal> = self
            .options(self.letters(), self.grammar().start())
            .map(|p| if let Body::Unit(b) = p.body { b } else { p.head })
            .collect();
        roots.dedup();
        roots
    }

    /// What the trees of the first i letters may stand on: those that derive them.
    pub fn after(&self, i: usize) -> impl Iterator<Item = Nonterminal> + '_ {
        self.chart.row(i)
    }

    /// The productions by which a derivation of the first i letters from `a` may begin: what branches below the node.
    pub fn options(&self, i: usize, a: Nonterminal) -> impl Iterator<Item = Production> + '_ {
        // A model may not believe in a node that could be derived.
        let is_node = self.chart.contains(i, a);
        self.chart.options(i, a, 0).filter(move |_| is_node).map(|(_, production)| production)
    }

    /// The nodes (i, A) on which some tree of the whole word is built, shorter prefixes first; `S` is one of them.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, Nonterminal)> + use<> {
        let rows = self.below(self.letters(), self.grammar().start());
        (0..=self.letters()).flat_map(move |i| {
            let row: Vec<Nonterminal> = bits::ones(rows.set(i)).map(Nonterminal::new).collect();
            row.into_iter().map(move |a| (i, a))
        })
    }

    /// How many trees the word has.
    #[must_use]
    pub fn count(&self) -> BigUint {
        self.count_at(self.letters(), self.grammar().start())
    }

    /// How many trees of the first i letters stand on `a`.
    #[must_use]
    pub fn count_at(&self, i: usize, a: Nonterminal) -> BigUint {
        if !self.chart.contains(i, a) {
            return BigUint::ZERO;
        }
        let needed = self.below(i, a);
        // One row after the other: of the shorter prefix, and of this one.
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

    /// The trees of the word, one after the other: those that differ at the root first differ in the order of its
    /// productions, and so on downwards. They stand on the [`roots`](Forest::roots), without the `S → A` above.
    pub fn trees(&self) -> Trees<'_> {
        Trees::of_word(&self.chart)
    }

    /// The trees of the first i letters that stand on `a`, in the same order.
    pub fn trees_at(&self, i: usize, a: Nonterminal) -> Trees<'_> {
        Trees::at(&self.chart, i, a)
    }

    /// The nodes that trees of (i, a) are built on: for each prefix to i a set.
    fn below(&self, i: usize, a: Nonterminal) -> Sets {
        let mut needed = Sets::new(i + 1, self.grammar().nonterminals().len());
        if self.chart.contains(i, a) {
            needed.insert(i, a.index());
        }
        for i in (0..=i).rev() {
            // S first, since S → A asks for A in the same row.
            if let Some(a) = self.start_of(&needed, i) {
                self.mark(i, a, &mut needed);
            }
            for a in self.others_of(&needed, i) {
                self.mark(i, a, &mut needed);
            }
        }
        needed
    }

    /// Marks what stands right below (i, a).
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

//! A model's belief in the productions of a grammar read off it, and the grammar's names for the model's non-terminals.
//!
//! Extraction drops unused non-terminals and renumbers the others, repair merges non-terminals, and an answer that is
//! shorter as an automaton is written with that automaton's states. So `A_2` of a grammar may be the model's fifth
//! non-terminal. The correspondence is recovered: [`Places`] is the one under which the model believes most in the
//! grammar. If even then it does not believe in at least half of the productions, the two are unrelated.

use automata::{Body, Grammar, Letter, Nonterminal, Production};

use crate::extraction::belief;
use crate::model::{Model, Weights};

/// Up to this many non-terminals of a model, all assignments are tried.
const MOST_TRIED: usize = 6;
/// Maximum number of non-terminals to assign.
const MOST_PLACED: usize = 64;

/// The model's non-terminal for each non-terminal of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The start symbol has none: the model's start selector takes its place.
    places: Vec<Option<usize>>,
    /// `[letters]`: the grammar's letters as the model numbers them.
    letters: Vec<usize>,
}

impl Places {
    /// Assigns a grammar's non-terminals to different non-terminals of a model. Up to six non-terminals, the sum of
    /// beliefs is the maximum over all assignments; beyond that, it is improved greedily along the productions and by
    /// exchanging two. `None` if the grammar has letters that the model does not have, more non-terminals than the
    /// model, a start symbol that reads letters, or productions of which the model believes in fewer than half.
    #[must_use]
    pub fn of(model: &Model, grammar: &Grammar) -> Option<Self> {
        let (n, start) = (model.layout().nonterminals(), grammar.start());
        let letter = |name: &String| model.alphabet().find(name).map(Letter::index);
        let letters = grammar.alphabet().names().iter().map(letter).collect::<Option<Vec<usize>>>()?;
        let reads = |p: &Production| p.body.letter().is_some();
        let is_strange = |p: &Production| reads(p) && (p.head == start || p.body.nonterminal() == Some(start));
        let others: Vec<Nonterminal> = grammar.nonterminals().filter(|&a| a != start).collect();
        if others.len() > n.min(MOST_PLACED) || others.is_empty() || grammar.productions().iter().any(is_strange) {
            return None;
        }
        let weights = model.weights();
        let mut search = Search { grammar, weights: &weights, others: &others, n, best: 0.0, found: None };
        let mut trial = Self { places: vec![None; grammar.nonterminals().len()], letters };
        if n <= MOST_TRIED {
            search.try_all(&mut trial, 0);
        } else {
            search.climb(trial);
        }
        let places = search.found?;
        let believed = |p: &&Production| places.confidence(&weights, **p).is_some_and(|sure| sure >= 0.5);
        let reading = || grammar.productions().iter().filter(|p| reads(p));
        (2 * reading().filter(believed).count() >= reading().count()).then_some(places)
    }

    /// The names of the model's non-terminals, in its order: as in the grammar, or `M3` for the third if the grammar
    /// does not have it.
    #[must_use]
    pub fn names(&self, model: &Model, grammar: &Grammar) -> Vec<String> {
        let mut names = unnamed(model);
        for a in grammar.nonterminals() {
            if let Some(place) = self.place(a) {
                names[place] = grammar.name(a).to_owned();
            }
        }
        names
    }

    /// The index k of a non-terminal in the model, from 0; `None` for the start symbol.
    #[must_use]
    pub fn place(&self, a: Nonterminal) -> Option<usize> {
        self.places.get(a.index()).copied().flatten()
    }

    /// The belief in a production: σ(P) if it reads a letter, the start selector for `S → A_k`. `None` for `S → ε`,
    /// which a model does not read.
    #[must_use]
    pub fn confidence(&self, weights: &Weights, Production { head, body }: Production) -> Option<f64> {
        let outside = weights.last.len();
        match body {
            Body::Empty => None,
            Body::Unit(b) => Some(weights.last[self.place(b)?]),
            Body::Letter(c) => Some(belief(weights, (self.letters[c.index()], outside, self.place(head)?))),
            Body::Step(b, c) => Some(belief(weights, (self.letters[c.index()], self.place(b)?, self.place(head)?))),
        }
    }
}

/// The model with its non-terminals named as in the grammar read off it; if the two are unrelated, with names that the
/// grammar does not use.
#[must_use]
pub fn named_as(model: Model, grammar: &Grammar) -> Model {
    let names = match Places::of(&model, grammar) {
        Some(places) => places.names(&model, grammar),
        None => unnamed(&model),
    };
    model.with_names(names)
}

/// `M1`, `M2`, …: names that extraction does not use.
fn unnamed(model: &Model) -> Vec<String> {
    (1..=model.layout().nonterminals()).map(|k| format!("M{k}")).collect()
}

/// Looks for the assignment that the model believes in most; the first one on a tie.
struct Search<'a> {
    grammar: &'a Grammar,
    weights: &'a Weights,
    others: &'a [Nonterminal],
    n: usize,
    best: f64,
    found: Option<Places>,
}

impl Search<'_> {
    /// Records an assignment if it is the best so far.
    fn judge(&mut self, trial: &Places) -> bool {
        let beliefs = self.grammar.productions().iter().filter_map(|&p| trial.confidence(self.weights, p));
        let sum: f64 = beliefs.sum();
        let is_better = sum > self.best || self.found.is_none();
        if is_better {
            self.best = sum;
            self.found = Some(trial.clone());
        }
        is_better
    }

    /// Tries all assignments of the non-terminals from this one on.
    fn try_all(&mut self, trial: &mut Places, from: usize) {
        let Some(a) = self.others.get(from) else {
            self.judge(trial);
            return;
        };
        for k in 0..self.n {
            if !trial.places.contains(&Some(k)) {
                trial.places[a.index()] = Some(k);
                self.try_all(trial, from + 1);
                trial.places[a.index()] = None;
            }
        }
    }

    /// Assigns non-terminals greedily, one after the other; then changes one or exchanges two as long as that is
    /// better.
    fn climb(&mut self, mut trial: Places) {
        let mut left: Vec<Nonterminal> = self.others.to_vec();
        while !left.is_empty() {
            let mut best = (f64::NEG_INFINITY, 0, 0);
            for (at, a) in left.iter().enumerate() {
                for k in (0..self.n).filter(|&k| !trial.places.contains(&Some(k))).collect::<Vec<_>>() {
                    trial.places[a.index()] = Some(k);
                    let with_it = |p: &&Production| p.head == *a || p.body.nonterminal() == Some(*a);
                    let beside = self.grammar.productions().iter().filter(with_it);
                    let sum = beside.filter_map(|&p| trial.confidence(self.weights, p)).sum();
                    if sum > best.0 {
                        best = (sum, at, k);
                    }
                }
                trial.places[a.index()] = None;
            }
            let a = left.remove(best.1);
            trial.places[a.index()] = Some(best.2);
        }
        self.judge(&trial);
        while self.exchange(&mut trial) {}
    }

    /// Whether changing one assignment, or exchanging two, was better.
    fn exchange(&mut self, trial: &mut Places) -> bool {
        let mut has_changed = false;
        for a in self.others {
            for k in 0..self.n {
                let mut other = trial.clone();
                let before = other.places[a.index()];
                if let Some(taken) = other.places.iter_mut().find(|place| **place == Some(k)) {
                    *taken = before;
                }
                other.places[a.index()] = Some(k);
                if self.judge(&other) {
                    *trial = other;
                    has_changed = true;
                }
            }
        }
        has_changed
    }
}

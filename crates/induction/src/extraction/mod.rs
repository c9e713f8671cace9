//! Extraction: a grammar is read off a trained model.
//!
//! In the paper's shape, a production is present if its belief reaches the threshold τ, and `S → A_µ` for the non-terminal
//! that the start selector prefers. In the deterministic shape, each non-terminal and letter leads to the model's preferred
//! target, and the threshold decides where words may end:
//!
//! | shape | `A_k → c` | `A_k → A_i c` | `S → A_k` |
//! |---|---|---|---|
//! | `nfa` | belief ≥ τ | belief ≥ τ | k = µ, the largest of `last` |
//! | `dfa` | k is the largest at (`A_1`, c) | k is the largest at (`A_i`, c) | acceptance ≥ threshold |
//!
//! The first one counts on a tie. A model that was not trained to the end may be right, but not sure enough for τ; then
//! [`best_threshold`] uses the examples. Beliefs are read at temperature 1, which training sets at the end, whatever
//! temperature it used.

mod sets;

pub use sets::extract_sets;

use automata::{Alphabet, Body, Direction, Grammar, Letter, Nonterminal, Production};

use crate::model::{Model, Shape, Weights};
use crate::repair::{Productions, Scorer};
use crate::replay::{Edge, Moves, Replay};
use crate::sample::Sample;

/// How a model is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The threshold τ for beliefs; in the deterministic shape, for acceptance.
    pub threshold: f64,
    /// Whether `S → ε` is added; the model reads at least one letter and cannot decide it.
    pub empty_word: bool,
    /// Whether useless non-terminals are kept.
    pub keep_unused: bool,
}

impl Reading {
    /// The default: τ = 0.95 as in the paper, or acceptance of at least one half; without the empty word and without
    /// unused non-terminals.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        let threshold = match shape {
            Shape::Nfa => 0.95,
            Shape::Dfa => 0.5,
        };
        Self { threshold, empty_word: false, keep_unused: false }
    }
}

/// The result at the best threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Extracted {
    /// The threshold.
    pub threshold: f64,
    /// Number of wrong examples, counting repetitions, without the empty word.
    pub errors: u64,
    /// The grammar read at that threshold.
    pub grammar: Grammar,
}

/// The left-regular grammar of a model, over `S`, `A1`, `A2`, … Without unused non-terminals these are numbered without
/// gaps, so that `A2` need not be the model's second; see [`Places`](crate::confidence::Places).
///
/// ```
/// use automata::{Alphabet, formats::grammar_text};
/// use induction::{extraction::{Reading, extract}, model::{Layout, Model, Shape}};
///
/// let layout = Layout::new(Shape::Nfa, 2, 2);
/// let mut parameters = vec![-8.0; layout.len()];
/// for belief in [layout.terminal(0, 0), layout.step(1, 1, 0), layout.step(1, 1, 1), layout.last(1)] {
///     parameters[belief] = 8.0;
/// }
/// let model = Model::new(Alphabet::of_chars("ab"), layout, parameters);
/// let grammar = extract(&model, Reading::of(Shape::Nfa));
/// assert_eq!(grammar_text::write(&grammar), "S -> A2\nA1 -> a\nA2 -> A1 b\nA2 -> A2 b\n");
/// ```
#[must_use]
pub fn extract(model: &Model, reading: Reading) -> Grammar {
    Reader::new(model).grammar(reading)
}

/// The threshold at which a model gets the fewest examples wrong, and the grammar there.
///
/// It tries the reading's threshold and the midpoints of the 32 widest gaps between consecutive beliefs that a
/// threshold affects, including 0 and 1: within a gap, every threshold gives the same grammar. On a tie it prefers the
/// reading's own threshold, then the widest gap, then the higher. The empty word does not count, since no threshold
/// affects it.
#[must_use]
pub fn best_threshold(model: &Model, sample: &Sample, reading: Reading) -> Extracted {
    let reader = Reader::new(model);
    let mut moves = Moves::default();
    let mut replay = Replay::new(sample, model.alphabet(), reader.nonterminals());
    let mut best: Option<(u64, f64)> = None;
    for threshold in candidates(reading.threshold, reader.decided()) {
        if reader.shape() == Shape::Nfa || best.is_none() {
            moves.fill(reader.letters(), reader.nonterminals(), reader.edges(threshold));
            replay.walk(&moves);
        }
        let errors = replay.errors(reader.ends(threshold));
        if best.is_none_or(|(fewest, _)| errors < fewest) {
            best = Some((errors, threshold));
        }
        if errors == 0 {
            break;
        }
    }
    let (errors, threshold) = best.expect("the reading's own threshold was tried");
    Extracted { threshold, errors, grammar: reader.grammar(Reading { threshold, ..reading }) }
}

/// Like [`best_threshold`], for at most 64 non-terminals and much faster: the errors, and all productions read there,
/// including those of unused non-terminals.
pub(crate) fn best_productions(model: &Model, scorer: &mut Scorer) -> Option<(Productions, u64)> {
    let reader = Reader::new(model);
    let own = Reading::of(reader.shape()).threshold;
    let mut best: Option<(Productions, u64)> = None;
    for threshold in candidates(own, reader.decided()) {
        let (n, t) = (reader.nonterminals(), reader.letters());
        let productions = Productions::new(n, t, reader.edges(threshold), reader.ends(threshold))?;
        scorer.load(&productions);
        let limit = best.as_ref().map_or(u64::MAX, |(_, fewest)| fewest - 1);
        let errors = scorer.errors(productions.ends(), limit);
        if errors <= limit {
            best = Some((productions, errors));
        }
        if errors == 0 {
            break;
        }
    }
    best
}

/// The requested threshold, then the midpoints of the widest gaps between beliefs, widest first, higher first.
fn candidates(own: f64, mut beliefs: Vec<f64>) -> Vec<f64> {
    const GAPS: usize = 32;
    beliefs.retain(|&belief| 0.0 < belief && belief < 1.0);
    beliefs.extend([0.0, 1.0]);
    beliefs.sort_by(f64::total_cmp);
    beliefs.dedup();
    // A belief equal to the threshold reaches it, so a gap includes its upper end but not its lower one.
    let mut gaps: Vec<(f64, f64)> = beliefs.windows(2).map(|pair| (pair[0], pair[1])).collect();
    gaps.retain(|&(low, high)| !(low < own && own <= high));
    gaps.reverse();
    gaps.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
    let middles = gaps.into_iter().take(GAPS).map(|(low, high)| {
        let middle = low + (high - low) / 2.0;
        // Adjacent floating-point numbers have no midpoint.
        if middle > low { middle } else { high }
    });
    std::iter::once(own).chain(middles).collect()
}

/// A model's beliefs, with the choices that do not depend on the threshold.
struct Reader<'a> {
    model: &'a Model,
    weights: Weights,
    /// `[t][n']`, in the deterministic shape: the target of the letter.
    successors: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(model: &'a Model) -> Self {
        let weights = model.weights();
        let (n, t) = (model.layout().nonterminals(), model.layout().letters());
        let successor = |c: usize, i: usize| largest((0..n).map(|k| weights.step[(c * n + k) * n + i]));
        let successors = match model.layout().shape() {
            Shape::Nfa => Vec::new(),
            Shape::Dfa => (0..t).flat_map(|c| (0..n).map(move |i| successor(c, i))).collect(),
        };
        Self { model, weights, successors }
    }

    fn shape(&self) -> Shape {
        self.model.layout().shape()
    }

    fn nonterminals(&self) -> usize {
        self.model.layout().nonterminals()
    }

    fn letters(&self) -> usize {
        self.model.layout().letters()
    }

    /// The beliefs that a threshold affects.
    fn decided(&self) -> Vec<f64> {
        match self.shape() {
            Shape::Nfa => self.weights.terminal.iter().chain(&self.weights.step).copied().collect(),
            Shape::Dfa => self.weights.last.clone(),
        }
    }

    /// The productions that read a letter, sorted.
    fn edges(&self, threshold: f64) -> impl Iterator<Item = Edge> + '_ {
        let n = self.nonterminals();
        all_edges(n, self.letters()).filter(move |&(c, from, to)| match self.shape() {
            Shape::Nfa => belief(&self.weights, (c, from, to)) >= threshold,
            // Words start in A_1.
            Shape::Dfa => self.successors[c * n + if from == n { 0 } else { from }] == to,
        })
    }

    /// Where words may end.
    fn ends(&self, threshold: f64) -> Vec<usize> {
        ends_reaching(&self.weights, self.shape(), threshold)
    }

    fn grammar(&self, reading: Reading) -> Grammar {
        let (edges, ends) = (self.edges(reading.threshold), self.ends(reading.threshold));
        let grammar = spelled_out(self.model.alphabet(), self.nonterminals(), edges, ends, reading.empty_word);
        if reading.keep_unused { grammar } else { grammar.trimmed().with_usual_names() }
    }
}

/// All possible productions that read a letter, sorted.
pub(crate) fn all_edges(nonterminals: usize, letters: usize) -> impl Iterator<Item = Edge> {
    let sources = move |c| (0..=nonterminals).map(move |from| (c, from));
    let pairs = (0..letters).flat_map(sources);
    pairs.flat_map(move |(c, from)| (0..nonterminals).map(move |to| (c, from, to)))
}

/// The model's belief in a production that reads a letter.
pub(crate) fn belief(weights: &Weights, (c, from, to): Edge) -> f64 {
    let n = weights.last.len();
    if from == n { weights.terminal[c * n + to] } else { weights.step[(c * n + to) * n + from] }
}

/// The k with `S → A_k`: the one that the start selector prefers, or those whose acceptance reaches the threshold.
pub(crate) fn ends_reaching(weights: &Weights, shape: Shape, threshold: f64) -> Vec<usize> {
    match shape {
        Shape::Nfa => vec![largest(weights.last.iter().copied())],
        Shape::Dfa => (0..weights.last.len()).filter(|&k| weights.last[k] >= threshold).collect(),
    }
}

/// The grammar of these edges and ends: `S` is the first non-terminal, `A_k` the one numbered k.
pub(crate) fn spelled_out(
    alphabet: &Alphabet,
    nonterminals: usize,
    edges: impl IntoIterator<Item = Edge>,
    ends: impl IntoIterator<Item = usize>,
    empty_word: bool,
) -> Grammar {
    let start = Nonterminal::new(0);
    let named = |k: usize| Nonterminal::new(k + 1);
    let names = std::iter::once("S".to_owned()).chain((1..=nonterminals).map(|k| format!("A{k}"))).collect();
    let starts = ends.into_iter().map(|k| Body::Unit(named(k)));
    let starts = starts.chain(empty_word.then_some(Body::Empty)).map(|body| Production { head: start, body });
    let steps = edges.into_iter().map(|(c, from, to)| {
        let letter = Letter::new(c);
        let body = if from == nonterminals { Body::Letter(letter) } else { Body::Step(named(from), letter) };
        Production { head: named(to), body }
    });
    Grammar::new(alphabet.clone(), Direction::Left, names, start, starts.chain(steps))
}

/// The index of the largest entry; the first one on a tie.
fn largest(entries: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, entry) in entries.enumerate() {
        if entry > best.1 {
            best = (i, entry);
        }
    }
    best.0
}

//! The matrices that a word queries: the paper's P_T, P_N^k and start selector, as beliefs between 0 and 1.
//!
//! A letter selects its column in every matrix. The column of P_T is u_1; the dot product of the column of P_N^k with
//! the belief before the letter is entry k of the belief after it. A grammar has such matrices, too, with ones for its
//! productions.

use automata::{Alphabet, Body, Grammar, Letter, Nonterminal, Production};

use crate::confidence::Places;
use crate::model::{Model, Weights};

/// The matrices, entry by entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrices {
    alphabet: Alphabet,
    names: Vec<String>,
    weights: Weights,
}

impl Matrices {
    /// The matrices of a model.
    #[must_use]
    pub fn of_model(model: &Model) -> Self {
        Self { alphabet: model.alphabet().clone(), names: model.names().to_vec(), weights: model.weights() }
    }

    /// The matrices of a model that a grammar was read off: first the rows with a non-terminal in the grammar, under
    /// its name, then the others, such as `M3` for the model's third. All take part in the sums. Also returns the index
    /// of each row in a vector of beliefs.
    #[must_use]
    pub fn of_model_in(model: &Model, grammar: &Grammar, places: &Places) -> (Self, Vec<usize>) {
        let whole = Self::of_model(model);
        let (n, t) = (whole.names.len(), whole.alphabet.len());
        let mut rows: Vec<(usize, String)> =
            rows_of(grammar).into_iter().filter_map(|a| Some((places.place(a)?, grammar.name(a).to_owned()))).collect();
        for (k, name) in places.names(model, grammar).into_iter().enumerate() {
            if rows.iter().all(|(place, _)| *place != k) {
                rows.push((k, name));
            }
        }
        let mut weights = Weights { terminal: Vec::new(), step: Vec::new(), last: Vec::new() };
        for c in 0..t {
            weights.terminal.extend(rows.iter().map(|(k, _)| whole.weights.terminal[c * n + k]));
            for (k, _) in &rows {
                weights.step.extend(rows.iter().map(|(i, _)| whole.weights.step[(c * n + k) * n + i]));
            }
        }
        weights.last.extend(rows.iter().map(|(k, _)| whole.weights.last[*k]));
        let (stands, names) = rows.into_iter().unzip();
        (Self { names, weights, ..whole }, stands)
    }

    /// The matrices of a grammar, in zeros and ones. The start symbol has a row only if it reads letters itself or
    /// occurs in a body; then it also reads whatever `S → A` may read.
    #[must_use]
    pub fn of_grammar(grammar: &Grammar) -> Self {
        let grammar = grammar.normalized();
        let rows = rows_of(&grammar);
        let (n, t, start) = (rows.len(), grammar.alphabet().len(), grammar.start());
        let place = |a: Nonterminal| rows.iter().position(|&row| row == a);
        let units: Vec<Nonterminal> = grammar
            .productions_of(start)
            .iter()
            .filter_map(|p| if let Body::Unit(b) = p.body { Some(b) } else { None })
            .collect();
        let mut weights = Weights { terminal: vec![0.0; t * n], step: vec![0.0; t * n * n], last: vec![0.0; n] };
        for &Production { head, body } in grammar.productions() {
            let Some(c) = body.letter().map(Letter::index) else { continue };
            let through = units.contains(&head).then(|| place(start)).flatten();
            for k in place(head).into_iter().chain(through) {
                match body.nonterminal() {
                    None => weights.terminal[c * n + k] = 1.0,
                    Some(b) => place(b).into_iter().for_each(|i| weights.step[(c * n + k) * n + i] = 1.0),
                }
            }
        }
        let ends = if rows.contains(&start) { vec![start] } else { units };
        ends.into_iter().filter_map(place).for_each(|k| weights.last[k] = 1.0);
        let names = rows.iter().map(|&a| grammar.name(a).to_owned()).collect();
        Self { alphabet: grammar.alphabet().clone(), names, weights }
    }

    /// The letters, one per column.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The names of the non-terminals, one per row.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The belief in `A_k → c`.
    #[must_use]
    pub fn terminal(&self, k: usize, c: Letter) -> f64 {
        self.weights.terminal[c.index() * self.names.len() + k]
    }

    /// The belief in `A_k → A_i c`.
    #[must_use]
    pub fn step(&self, k: usize, i: usize, c: Letter) -> f64 {
        let n = self.names.len();
        self.weights.step[(c.index() * n + k) * n + i]
    }

    /// How strongly a word that ends in `A_k` is accepted.
    #[must_use]
    pub fn last(&self, k: usize) -> f64 {
        self.weights.last[k]
    }
}

/// All non-terminals, except a start symbol that is only rewritten to others.
fn rows_of(grammar: &Grammar) -> Vec<Nonterminal> {
    let start = grammar.start();
    let is_row = |p: &Production| {
        (p.head == start && p.body.letter().is_some()) || matches!(p.body, Body::Step(b, _) if b == start)
    };
    let starts = grammar.productions().iter().any(is_row);
    grammar.nonterminals().filter(|&a| a != start || starts).collect()
}

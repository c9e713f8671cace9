//! Which non-terminals derive which prefix of a word: one row of bits per letter.
//!
//! This table is all that is stored of a forest. The nodes below a node are recomputed from it and the productions, so
//! that the memory is that of the rows, however many trees there are.

use automata::{Body, Grammar, Letter, Nonterminal, Production};

use crate::bits::{self, Sets};

/// A word, a grammar in normal form, and the non-terminals that derive each prefix.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    grammar: Grammar,
    /// The word in reading order.
    word: Vec<Letter>,
    /// The productions that read a letter, sorted by letter, then head, then body.
    reading: Vec<(Letter, Production)>,
    /// `S → ε` and `S → A`.
    silent: Vec<Production>,
    /// For i from 0 to ℓ, the non-terminals that derive the first i letters.
    rows: Sets,
    /// For i from 0 to ℓ, the non-terminals that a model believes in, derived or not; for a grammar, they are those
    /// derived.
    believed: Option<Sets>,
}

impl Chart {
    /// The table of a word. With beliefs, productions apply only to believed non-terminals, and the start symbol
    /// derives only prefixes for which it is believed.
    pub(super) fn new(grammar: &Grammar, word: &[Letter], believed: Option<Sets>) -> Self {
        let grammar = grammar.normalized();
        let word = super::in_order(word, grammar.direction());
        let productions = || grammar.productions().iter().copied();
        let goes_nowhere = |p: Production| p.body == Body::Unit(p.head);
        let silent = productions().filter(|&p| p.body.letter().is_none() && !goes_nowhere(p)).collect();
        let mut reading: Vec<(Letter, Production)> =
            productions().filter_map(|p| Some((p.body.letter()?, p))).collect();
        reading.sort_unstable();
        let rows = Sets::new(word.len() + 1, grammar.nonterminals().len());
        let mut chart = Self { grammar, word, reading, silent, rows, believed };
        chart.fill();
        chart
    }

    fn fill(&mut self) {
        let start = self.grammar.start();
        for i in 0..=self.len() {
            let heads: Vec<Nonterminal> =
                self.reading_at(i).iter().filter(|(_, p)| self.is_possible(i, p.body)).map(|(_, p)| p.head).collect();
            for head in heads {
                self.rows.insert(i, head.index());
            }
            // After the others, since S → A needs A in the same row.
            if self.silent.iter().any(|p| self.is_possible(i, p.body)) && self.is_believed(i, start) {
                self.rows.insert(i, start.index());
            }
        }
    }

    /// The grammar in normal form, whose productions make up the trees.
    pub(super) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// ℓ, the number of letters.
    pub(super) fn len(&self) -> usize {
        self.word.len()
    }

    /// The non-terminals that derive the first i letters, ascending; none if there are fewer letters.
    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = Nonterminal> + '_ {
        let row = if i <= self.len() { self.rows.set(i) } else { &[] };
        bits::ones(row).map(Nonterminal::new)
    }

    /// Whether `a` derives the first i letters.
    pub(super) fn contains(&self, i: usize, a: Nonterminal) -> bool {
        i <= self.len() && self.rows.contains(i, a.index())
    }

    /// The productions used at the i-th letter: those that read it and apply to a non-terminal believed before it. In a
    /// model, that non-terminal may have no derivation, since weak beliefs add up.
    pub(super) fn fired(&self, i: usize) -> impl Iterator<Item = Production> + '_ {
        let starts = move |body: Body| match (body, &self.believed) {
            (Body::Step(b, _), Some(believed)) => i > 1 && believed.contains(i - 1, b.index()),
            _ => self.is_possible(i, body),
        };
        self.reading_at(i).iter().map(|(_, p)| *p).filter(move |p| starts(p.body))
    }

    /// The productions that may begin a derivation of the first i letters from `a`, each with a number to continue
    /// from; those with a number below `from` are left out.
    pub(super) fn options(
        &self,
        i: usize,
        a: Nonterminal,
        from: usize,
    ) -> impl Iterator<Item = (usize, Production)> + '_ {
        let silent = if a == self.grammar.start() { &self.silent[..] } else { &[] };
        let at = self.reading_at(i);
        let begin = at.partition_point(|(_, p)| p.head < a);
        let end = at.partition_point(|(_, p)| p.head <= a);
        let reading = at[begin..end].iter().map(|(_, p)| p);
        let all = silent.iter().chain(reading).copied().enumerate();
        all.skip(from).filter(move |(_, p)| self.is_possible(i, p.body))
    }

    /// The productions that read the i-th letter, sorted by head, then body.
    fn reading_at(&self, i: usize) -> &[(Letter, Production)] {
        let Some(letter) = i.checked_sub(1).and_then(|before| self.word.get(before)) else { return &[] };
        let begin = self.reading.partition_point(|(c, _)| c < letter);
        let end = self.reading.partition_point(|(c, _)| c <= letter);
        &self.reading[begin..end]
    }

    /// Whether `body` derives the first i letters, the i-th being the one it reads.
    fn is_possible(&self, i: usize, body: Body) -> bool {
        match body {
            Body::Empty => i == 0,
            Body::Letter(_) => i == 1,
            Body::Unit(b) => self.contains(i, b) && self.is_believed(i, b),
            Body::Step(b, _) => i > 1 && self.contains(i - 1, b) && self.is_believed(i - 1, b),
        }
    }

    fn is_believed(&self, i: usize, a: Nonterminal) -> bool {
        self.believed.as_ref().is_none_or(|believed| believed.contains(i, a.index()))
    }
}

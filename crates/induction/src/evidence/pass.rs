//! One pass over words in lexicographic order: for each non-terminal that derives a prefix, the productions of some
//! derivation and those of every derivation.

use automata::{Alphabet, Body, Grammar, Letter, Production};

use crate::bits;

/// A grammar in normal form, prepared to be followed as if it were left-regular.
struct Steps {
    /// Number of blocks of a set of productions.
    blocks: usize,
    /// Number of non-terminals; as an index, the start of words.
    nonterminals: usize,
    start: usize,
    /// `[letters][n + 1]`, and the end: where the steps of a letter after a non-terminal, or at the start of words,
    /// begin.
    offsets: Vec<usize>,
    /// The head that a step leads to, and the number of its production.
    steps: Vec<(usize, usize)>,
    /// `S → A`: the non-terminal on the right, and the number of the production.
    units: Vec<(usize, usize)>,
}

/// What is known after some letters.
#[derive(Default)]
struct Row {
    /// The non-terminals that derive the letters so far.
    heads: Vec<usize>,
    /// `[heads][blocks]`: the productions of some derivation.
    some: Vec<u64>,
    /// `[heads][blocks]`: the productions of every derivation.
    every: Vec<u64>,
    /// `[blocks]`: the productions that derive any prefix so far.
    fired: Vec<u64>,
}

/// The pass over the words, one after the other.
pub(super) struct Pass {
    steps: Steps,
    /// The grammar's letter for each letter of the sample, if it has one.
    known: Vec<Option<Letter>>,
    /// The last word read, and what is known after each of its letters. There may be further rows, left from other
    /// words.
    word: Vec<Letter>,
    rows: Vec<Row>,
    /// For each non-terminal its index in the current row, counted from 1; 0 if it is not there.
    places: Vec<usize>,
    /// The set of `S → ε`, if there is one.
    empty: Option<Vec<u64>>,
}

/// The result for a word.
pub(super) struct Read<'a> {
    pub(super) accepted: bool,
    some: &'a [u64],
    every: &'a [u64],
    fired: &'a [u64],
}

impl Read<'_> {
    /// The productions of some derivation of the word.
    pub(super) fn some(&self) -> impl Iterator<Item = usize> + '_ {
        bits::ones(self.some)
    }

    /// The productions of every derivation of the word.
    pub(super) fn every(&self) -> impl Iterator<Item = usize> + '_ {
        bits::ones(self.every)
    }

    /// The productions that help to derive some non-empty prefix.
    pub(super) fn fired(&self) -> impl Iterator<Item = usize> + '_ {
        bits::ones(self.fired)
    }
}

impl Pass {
    /// For a grammar in normal form whose productions come in these groups, and words over these letters.
    pub(super) fn new<'a>(
        grammar: &Grammar,
        groups: impl Iterator<Item = &'a [Production]>,
        letters: &Alphabet,
    ) -> Self {
        let (n, start) = (grammar.nonterminals().len(), grammar.start());
        let mut reading: Vec<(usize, usize, usize)> = Vec::new();
        let (mut units, mut empty, mut count) = (Vec::new(), None, 0);
        for (number, group) in groups.enumerate() {
            count = number + 1;
            for &Production { head, body } in group {
                match body {
                    Body::Empty => empty = Some(number),
                    // `S → S` would loop without reading.
                    Body::Unit(b) if b == start => {}
                    Body::Unit(b) => units.push((b.index(), number)),
                    Body::Letter(c) => reading.push((c.index() * (n + 1) + n, head.index(), number)),
                    Body::Step(b, c) => reading.push((c.index() * (n + 1) + b.index(), head.index(), number)),
                }
            }
        }
        reading.sort_unstable();
        let sources = grammar.alphabet().len() * (n + 1);
        let blocks = count.div_ceil(u64::BITS as usize);
        let none = || vec![0; blocks];
        Self {
            steps: Steps {
                blocks,
                nonterminals: n,
                start: start.index(),
                offsets: (0..=sources).map(|source| reading.partition_point(|step| step.0 < source)).collect(),
                steps: reading.into_iter().map(|(_, head, number)| (head, number)).collect(),
                units,
            },
            known: letters.names().iter().map(|name| grammar.alphabet().letter_for(name)).collect(),
            word: Vec::new(),
            rows: vec![Row { heads: vec![n], some: none(), every: none(), fired: none() }],
            places: vec![0; n],
            empty: empty.map(|number| {
                let mut set = none();
                insert(&mut set, number);
                set
            }),
        }
    }

    /// Reads a word over the sample's letters, starting where it differs from the last one.
    pub(super) fn read(&mut self, word: &[Letter]) -> Read<'_> {
        let shared = self.word.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.word.truncate(shared);
        self.word.extend_from_slice(&word[shared..]);
        for (i, letter) in word.iter().enumerate().skip(shared) {
            if self.rows.len() == i + 1 {
                self.rows.push(Row::default());
            }
            let (before, after) = self.rows.split_at_mut(i + 1);
            let letter = self.known.get(letter.index()).copied().flatten();
            self.steps.follow(&before[i], letter, &mut after[0], &mut self.places);
        }
        let row = &self.rows[word.len()];
        let place = row.heads.iter().position(|&head| head == self.steps.start);
        match (place, &self.empty) {
            (Some(at), _) => {
                let set = at * self.steps.blocks..(at + 1) * self.steps.blocks;
                Read { accepted: true, some: &row.some[set.clone()], every: &row.every[set], fired: &row.fired }
            }
            (None, Some(empty)) if word.is_empty() => {
                Read { accepted: true, some: empty, every: empty, fired: &row.fired }
            }
            (None, _) => Read { accepted: false, some: &[], every: &[], fired: &row.fired },
        }
    }
}

impl Steps {
    /// The row after one more letter; nothing derives an unknown letter.
    fn follow(&self, before: &Row, letter: Option<Letter>, row: &mut Row, places: &mut [usize]) {
        row.heads.clear();
        row.some.clear();
        row.every.clear();
        row.fired.clone_from(&before.fired);
        let Some(letter) = letter else { return };
        for (at, &below) in before.heads.iter().enumerate() {
            let set = at * self.blocks..(at + 1) * self.blocks;
            let source = letter.index() * (self.nonterminals + 1) + below;
            for &(head, number) in &self.steps[self.offsets[source]..self.offsets[source + 1]] {
                row.derive(head, number, &before.some[set.clone()], &before.every[set.clone()], places);
            }
        }
        // After the others, since S → A needs A in the same row.
        for &(below, number) in &self.units {
            let Some(at) = places[below].checked_sub(1) else { continue };
            let set = at * self.blocks..(at + 1) * self.blocks;
            let (some, every) = (row.some[set.clone()].to_vec(), row.every[set].to_vec());
            row.derive(self.start, number, &some, &every, places);
        }
        row.heads.iter().for_each(|&head| places[head] = 0);
    }
}

impl Row {
    /// Adds an alternative derivation of the letters from `head`: by this production, and by these below it.
    fn derive(&mut self, head: usize, number: usize, some: &[u64], every: &[u64], places: &mut [usize]) {
        insert(&mut self.fired, number);
        let (block, bit) = bits::place(number);
        if let Some(at) = places[head].checked_sub(1) {
            let begin = at * some.len();
            for i in 0..some.len() {
                let own = if i == block { bit } else { 0 };
                self.some[begin + i] |= some[i] | own;
                self.every[begin + i] &= every[i] | own;
            }
        } else {
            self.heads.push(head);
            places[head] = self.heads.len();
            let begin = self.some.len();
            self.some.extend_from_slice(some);
            self.every.extend_from_slice(every);
            insert(&mut self.some[begin..], number);
            insert(&mut self.every[begin..], number);
        }
    }
}

fn insert(set: &mut [u64], number: usize) {
    let (block, bit) = bits::place(number);
    set[block] |= bit;
}

//! A grammar as rows of bits; a flip adds or removes one production.

use automata::{Alphabet, Dfa, Grammar, Nfa, StateId};
use serde::{Deserialize, Serialize};

use crate::extraction::spelled_out;
use crate::replay::Edge;

/// Maximum number of non-terminals: a set of them is one integer.
pub(crate) const MOST: usize = 64;

/// The productions of a left-regular grammar over `n` non-terminals and `t` letters, and where words may end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Productions {
    nonterminals: usize,
    letters: usize,
    /// `[t][n + 1]`: where a letter leads from a non-terminal; the last row of a letter is for the start of words.
    rows: Vec<u64>,
    /// The k with `S → A_k`.
    ends: u64,
}

/// Something that can be present or absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flip {
    /// A production that reads a letter.
    Edge(Edge),
    /// `S → A_k`.
    End(usize),
}

impl Productions {
    /// These productions; `None` if there are more than 64 non-terminals, or too many productions to number.
    pub(crate) fn new(
        nonterminals: usize,
        letters: usize,
        edges: impl IntoIterator<Item = Edge>,
        ends: impl IntoIterator<Item = usize>,
    ) -> Option<Self> {
        let possible = letters.checked_mul(nonterminals + 1)?.checked_add(1)?.checked_mul(nonterminals)?;
        if nonterminals > MOST || u32::try_from(possible).is_err() {
            return None;
        }
        let mut productions = Self { nonterminals, letters, rows: vec![0; letters * (nonterminals + 1)], ends: 0 };
        edges.into_iter().for_each(|edge| productions.flip(Flip::Edge(edge)));
        ends.into_iter().for_each(|end| productions.flip(Flip::End(end)));
        Some(productions)
    }

    /// The productions of an automaton over the same letters: one non-terminal for each useful state that has an
    /// incoming letter.
    pub(crate) fn from_nfa(nfa: &Nfa) -> Option<Self> {
        let nfa = nfa.trimmed();
        let mut number = vec![None; nfa.len()];
        let mut n = 0;
        for (_, _, to) in nfa.edges() {
            let to = &mut number[to.index()];
            if to.is_none() {
                *to = Some(n);
                n += 1;
            }
        }
        let mut edges: Vec<Edge> = Vec::new();
        for (from, letter, to) in nfa.edges() {
            let to = number[to.index()].expect("a letter leads there");
            edges.extend(number[from.index()].map(|from| (letter.index(), from, to)));
            edges.extend(nfa.is_initial(from).then_some((letter.index(), n, to)));
        }
        edges.sort_unstable();
        edges.dedup();
        Self::new(n, nfa.alphabet().len(), edges, nfa.accepting().filter_map(|state| number[state.index()]))
    }

    /// The productions of a deterministic automaton: one non-terminal per state, the initial one first.
    pub(crate) fn from_dfa(dfa: &Dfa) -> Option<Self> {
        let dfa = dfa.canonical();
        let n = dfa.len();
        let edges = dfa.transitions().flat_map(|(from, letter, to)| {
            let first = (from == dfa.initial()).then_some((letter.index(), n, to.index()));
            std::iter::once((letter.index(), from.index(), to.index())).chain(first)
        });
        Self::new(n, dfa.alphabet().len(), edges, dfa.accepting().map(StateId::index))
    }

    /// The same language with a single end, which is new if there were several.
    pub(crate) fn with_one_end(&self) -> Option<Self> {
        if self.ends.count_ones() == 1 {
            return Some(self.clone());
        }
        let last = self.nonterminals;
        let mut one = Self::new(last + 1, self.letters, [], [last])?;
        for letter in 0..self.letters {
            for (from, &row) in self.rows(letter).iter().enumerate() {
                // Nothing follows the new one, and the index for the start of words moves up by one.
                let from = if from == last { last + 1 } else { from };
                one.rows[letter * (last + 2) + from] = row | u64::from(row & self.ends != 0) << last;
            }
        }
        Some(one)
    }

    pub(crate) fn nonterminals(&self) -> usize {
        self.nonterminals
    }

    pub(crate) fn letters(&self) -> usize {
        self.letters
    }

    pub(crate) fn ends(&self) -> u64 {
        self.ends
    }

    /// Where a letter leads from each non-terminal, and last from the start of words.
    pub(crate) fn rows(&self, letter: usize) -> &[u64] {
        &self.rows[letter * (self.nonterminals + 1)..][..self.nonterminals + 1]
    }

    /// Copies another of the same size.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.rows.copy_from_slice(&other.rows);
        self.ends = other.ends;
    }

    /// Where a letter leads from the start of words.
    pub(crate) fn beginning(&self, letter: usize) -> u64 {
        self.rows[letter * (self.nonterminals + 1) + self.nonterminals]
    }

    /// Number of chunks of a set, eight non-terminals each.
    pub(crate) fn chunks(&self) -> usize {
        self.nonterminals.div_ceil(8).max(1)
    }

    /// Tabulates where a letter leads from every set of eight non-terminals: `table` is `[t][chunks][256]`.
    pub(crate) fn tabulate(&self, letter: usize, table: &mut [u64]) {
        let rows = &self.rows(letter)[..self.nonterminals];
        let table = &mut table[letter * self.chunks() * 256..][..self.chunks() * 256];
        for (chunk, table) in table.chunks_exact_mut(256).enumerate() {
            // The last chunk may have fewer than eight members, and so fewer sets.
            let sets = 1_usize << rows.len().saturating_sub(chunk * 8).min(8);
            table[0] = 0;
            for set in 1..sets {
                table[set] = table[set & (set - 1)] | rows[chunk * 8 + set.trailing_zeros() as usize];
            }
        }
    }

    /// The same with this many non-terminals, the new ones unused; `None` if there are more already.
    pub(crate) fn with_room(&self, nonterminals: usize) -> Option<Self> {
        if nonterminals < self.nonterminals {
            return None;
        }
        let mut wide = Self::new(nonterminals, self.letters, [], [])?;
        wide.ends = self.ends;
        for letter in 0..self.letters {
            let (beginning, rows) = self.rows(letter).split_last()?;
            let of_letter = &mut wide.rows[letter * (nonterminals + 1)..][..nonterminals + 1];
            of_letter[..rows.len()].copy_from_slice(rows);
            of_letter[nonterminals] = *beginning;
        }
        Some(wide)
    }

    pub(crate) fn flip(&mut self, flip: Flip) {
        match flip {
            Flip::Edge((letter, from, to)) => self.rows[letter * (self.nonterminals + 1) + from] ^= 1 << to,
            Flip::End(k) => self.ends ^= 1 << k,
        }
    }

    pub(crate) fn has(&self, flip: Flip) -> bool {
        match flip {
            Flip::Edge((letter, from, to)) => self.rows(letter)[from] >> to & 1 == 1,
            Flip::End(k) => self.ends >> k & 1 == 1,
        }
    }

    /// Number of productions, including `S → A_k`.
    pub(crate) fn len(&self) -> usize {
        self.rows.iter().chain([&self.ends]).map(|row| row.count_ones() as usize).sum()
    }

    /// Everything that is present.
    pub(super) fn present(&self) -> impl Iterator<Item = Flip> {
        let n = self.nonterminals;
        let edge = move |row: usize, to: usize| Flip::Edge((row / (n + 1), row % (n + 1), to));
        let edges = self.rows.iter().enumerate().flat_map(move |(i, row)| members(*row).map(move |to| edge(i, to)));
        edges.chain(members(self.ends).map(Flip::End))
    }

    /// Number of rows of bits.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Number of possible flips.
    pub(crate) fn flip_count(&self) -> u64 {
        (self.rows.len() * self.nonterminals + self.nonterminals) as u64
    }

    /// The flip with this number.
    pub(crate) fn numbered_flip(&self, number: u64) -> Flip {
        let (row, to) = (number as usize / self.nonterminals, number as usize % self.nonterminals);
        match row.checked_sub(self.rows.len()) {
            None => Flip::Edge((row / (self.nonterminals + 1), row % (self.nonterminals + 1), to)),
            Some(_) => Flip::End(to),
        }
    }

    /// Merges two non-terminals: everything that led to or from `gone` now leads to or from `kept`.
    pub(crate) fn merge(&mut self, kept: usize, gone: usize) {
        let n = self.nonterminals;
        for rows in self.rows.chunks_exact_mut(n + 1) {
            rows[kept] |= rows[gone];
            rows[gone] = 0;
        }
        for row in self.rows.iter_mut().chain([&mut self.ends]) {
            *row |= (*row >> gone & 1) << kept;
            *row &= !(1 << gone);
        }
    }

    /// The grammar without useless productions, with non-terminals numbered without gaps.
    pub(crate) fn to_grammar(&self, alphabet: &Alphabet, empty_word: bool) -> Grammar {
        let edges =
            (0..self.letters).flat_map(|c| self.rows(c).iter().enumerate().map(move |(from, row)| (c, from, *row)));
        let edges = edges.flat_map(|(c, from, row)| members(row).map(move |to| (c, from, to)));
        spelled_out(alphabet, self.nonterminals, edges, members(self.ends), empty_word).trimmed().with_usual_names()
    }
}

fn members(row: u64) -> impl Iterator<Item = usize> {
    let rest = move |row: &u64| Some(row & (row - 1)).filter(|row| *row != 0);
    std::iter::successors(Some(row).filter(|row| *row != 0), rest).map(|row| row.trailing_zeros() as usize)
}

//! The corrected words in canonical order, each with its edits.

use super::grid::Grid;
use super::ways::Ways;
use super::{Correction, Edit, FARTHEST_LISTED};
use crate::Word;
use crate::dfa::MISSING;
use crate::ids::Letter;

/// The corrected words, one after the other.
pub(super) struct Listing<'a> {
    pub(super) grid: &'a Grid<'a>,
    pub(super) ways: &'a Ways,
}

/// A prefix of a corrected word: the state it leads to, and how many of the typed letters it may stand for, each with
/// its number of edits, ascending.
struct Prefix {
    state: usize,
    stands_for: Vec<(usize, u32)>,
    /// The letter last tried after it, if any.
    next: Option<usize>,
}

impl Listing<'_> {
    pub(super) fn list(&self, most: usize) -> (Vec<Correction>, bool) {
        let mut found = Vec::new();
        let Some(possible) = self.ways.possible(0, self.grid.dfa.initial().index()) else { return (found, true) };
        for more in possible.numbers() {
            let length = (self.grid.typed.len() as i64 + i64::from(more)).max(0) as usize;
            if !self.list_length(length, most, &mut found) {
                return (found, false);
            }
        }
        // At large distances, longer words have not been examined.
        (found, self.ways.distance <= FARTHEST_LISTED)
    }

    /// Adds the words of this length; returns false if there are more than wanted.
    fn list_length(&self, length: usize, most: usize, found: &mut Vec<Correction>) -> bool {
        let initial = self.grid.dfa.initial().index();
        let mut stands_for = vec![(0, 0)];
        self.delete(initial, &mut stands_for);
        let mut path = vec![Prefix { state: initial, stands_for, next: None }];
        while let Some(depth) = path.len().checked_sub(1) {
            if depth == length {
                if found.len() == most {
                    return false;
                }
                found.push(self.correction(&path));
                path.pop();
                continue;
            }
            let prefix = &mut path[depth];
            let from = prefix.next.map_or(0, |letter| letter + 1);
            let letters = from..self.grid.dfa.alphabet().len();
            let step =
                letters.into_iter().find_map(|letter| Some((letter, self.step(prefix, letter, length - depth - 1)?)));
            match step {
                None => drop(path.pop()),
                Some((letter, next)) => {
                    prefix.next = Some(letter);
                    path.push(next);
                }
            }
        }
        true
    }

    /// The prefix extended by a letter, if some correction begins with it and has `rest` more letters.
    fn step(&self, prefix: &Prefix, letter: usize, rest: usize) -> Option<Prefix> {
        let state = Some(self.grid.dfa.row(prefix.state)[letter]).filter(|&next| next != MISSING)? as usize;
        let mut stands_for: Vec<(usize, u32)> = Vec::new();
        for &(i, edits) in &prefix.stands_for {
            let inserted = (i, edits + 1);
            let typed = self.grid.typed.get(i).copied();
            let kept_or_replaced = typed.map(|typed| (i + 1, edits + u32::from(typed != Some(Letter::new(letter)))));
            for (i, edits) in [Some(inserted), kept_or_replaced].into_iter().flatten() {
                if self.ways.has(self.grid.cell(i, state), edits) {
                    stands_for.push((i, edits));
                }
            }
        }
        self.delete(state, &mut stands_for);
        let left = self.grid.typed.len();
        // Drop entries that cannot lead to the right length.
        stands_for.retain(|&(i, _)| {
            let possible = self.ways.possible(i, state);
            possible.is_some_and(|possible| possible.contains(rest as i64 - (left - i) as i64))
        });
        (!stands_for.is_empty()).then_some(Prefix { state, stands_for, next: None })
    }

    /// Adds what the prefix may stand for if letters are deleted after it, and sorts.
    fn delete(&self, state: usize, stands_for: &mut Vec<(usize, u32)>) {
        stands_for.sort_unstable();
        let mut all: Vec<(usize, u32)> = Vec::with_capacity(stands_for.len());
        let mut begin = stands_for.iter().copied().peekable();
        let mut next = begin.next();
        while let Some((i, edits)) = next {
            all.push((i, edits));
            // On a cheapest path each cell has one number of edits.
            while begin.next_if(|other| other.0 == i).is_some() {}
            let is_left = i < self.grid.typed.len();
            let deleted = is_left && self.ways.has(self.grid.cell(i + 1, state), edits + 1);
            next = if deleted { Some((i + 1, edits + 1)) } else { begin.next() };
        }
        *stands_for = all;
    }

    /// The word that the path spells, with its edits: from the end backwards, prefers keeping, then replacing, deleting
    /// and inserting.
    fn correction(&self, path: &[Prefix]) -> Correction {
        let letters = path[..path.len() - 1].iter().filter_map(|prefix| prefix.next).map(Letter::new);
        let word: Word = letters.collect();
        let stands = |depth: usize, i: usize, edits: u32| path[depth].stands_for.binary_search(&(i, edits)).is_ok();
        let (mut depth, mut i) = (word.len(), self.grid.typed.len());
        let edits_of = |prefix: &Prefix, i: usize| prefix.stands_for.iter().find(|cell| cell.0 == i).map(|cell| cell.1);
        let mut edits = edits_of(&path[depth], i).unwrap_or(0);
        let mut script = Vec::new();
        while depth > 0 || i > 0 {
            let letter = depth.checked_sub(1).map(|before| word[before]);
            let typed = i.checked_sub(1).map(|before| self.grid.typed[before]);
            let fewer = edits.saturating_sub(1);
            let edit = match (letter, typed) {
                (Some(letter), Some(typed)) if typed == Some(letter) && stands(depth - 1, i - 1, edits) => {
                    Edit::Keep(letter)
                }
                (Some(letter), Some(_)) if edits > 0 && stands(depth - 1, i - 1, fewer) => Edit::Replace(letter),
                (_, Some(_)) if edits > 0 && stands(depth, i - 1, fewer) => Edit::Delete,
                (Some(letter), _) => Edit::Insert(letter),
                // Every cell but the first was reached from another one.
                _ => break,
            };
            if !matches!(edit, Edit::Keep(_)) {
                edits = fewer;
            }
            depth -= usize::from(edit != Edit::Delete);
            i -= usize::from(!matches!(edit, Edit::Insert(_)));
            script.push(edit);
        }
        script.reverse();
        Correction { word, edits: script }
    }
}

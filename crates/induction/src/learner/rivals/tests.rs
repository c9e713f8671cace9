//! Rivals compared with all changes tried one by one.

use automata::{Alphabet, Examples, Label, Regex, StateId, enumerate, minimize};
use proptest::prelude::*;

use super::*;

/// Makes every change in full and checks every word.
fn naive(dfa: &Dfa, sample: &Sample, limit: usize) -> Vec<Dfa> {
    let (states, letters) = (dfa.len(), dfa.alphabet().len());
    let target = |from: StateId, letter| dfa.next(from, letter).unwrap().index();
    let row = |from| dfa.alphabet().letters().map(|letter| target(from, letter)).collect::<Vec<_>>();
    let table: Vec<Vec<usize>> = dfa.states().map(row).collect();
    let accepting: Vec<bool> = dfa.states().map(|state| dfa.is_accepting(state)).collect();
    let initial = dfa.initial().index();
    let build = |table: &[Vec<usize>], accepting: &[bool], initial: usize| {
        let rows: Vec<Vec<Option<usize>>> = table.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        let accepting = (0..accepting.len()).filter(|state| accepting[*state]);
        let changed = Dfa::new(dfa.alphabet().clone(), initial, accepting, &rows).unwrap();
        let agrees = sample.rows().all(|(word, counts)| changed.accepts(word) == (counts.accepted > counts.rejected));
        agrees.then(|| minimize(&changed))
    };
    let mut merged = Vec::new();
    for (gone, kept) in (0..states).rev().flat_map(|gone| (0..states).map(move |kept| (gone, kept))) {
        let renamed = |state: usize| if state == gone { kept } else { state };
        let rows: Vec<Vec<usize>> = table.iter().map(|row| row.iter().copied().map(renamed).collect()).collect();
        merged.extend(build(&rows, &accepting, renamed(initial)));
    }
    let mut redirected = Vec::new();
    let cells: Vec<(usize, usize)> =
        (0..states).flat_map(|from| (0..letters).map(move |letter| (from, letter))).collect();
    for (&(from, letter), to) in cells.iter().flat_map(|cell| (0..states).map(move |to| (cell, to))) {
        let mut rows = table.clone();
        rows[from][letter] = to;
        redirected.extend(build(&rows, &accepting, initial));
    }
    for state in 0..states {
        let mut accepting = accepting.clone();
        accepting[state] ^= true;
        redirected.extend(build(&table, &accepting, initial));
    }
    let mut split = Vec::new();
    for &(from, letter) in &cells {
        let of = table[from][letter];
        let mut rows = table.clone();
        rows.push(table[of].clone());
        rows[from][letter] = states;
        let mut turned = accepting.clone();
        turned.push(!accepting[of]);
        split.extend(build(&rows, &turned, initial));
        turned[states] ^= true;
        for (twisted, to) in (0..letters).flat_map(|twisted| (0..states).map(move |to| (twisted, to))) {
            let before = std::mem::replace(&mut rows[states][twisted], to);
            split.extend(build(&rows, &turned, initial));
            rows[states][twisted] = before;
        }
    }
    let mut rivals: Vec<Dfa> = Vec::new();
    for found in [merged, redirected, split] {
        let mut kind: Vec<Dfa> = Vec::new();
        for rival in found {
            if rival != *dfa && !rivals.contains(&rival) && !kind.contains(&rival) {
                kind.push(rival);
            }
        }
        kind.sort_by(|a, b| automaton_bits(a).total_cmp(&automaton_bits(b)));
        kind.truncate(limit);
        rivals.extend(kind);
    }
    rivals
}

/// The result in slices of this size, and the maximum excess of a slice.
fn sliced(mut rivals: Rivals, slice: u64) -> (Vec<Dfa>, u64) {
    let mut excess = 0;
    loop {
        let before = rivals.work();
        let state = rivals.advance(slice);
        excess = excess.max((rivals.work() - before).saturating_sub(slice));
        if let ControlFlow::Break(found) = state {
            return (found, excess);
        }
    }
}

/// A long word and many letters: no slice replays all of it.
#[test]
fn slices_are_bounded() {
    const LETTERS: usize = 300;
    let alphabet = Alphabet::new((0..LETTERS).map(|i| format!("l{i}"))).unwrap();
    let long: automata::Word = (0..50_000).map(|i| automata::Letter::new((i * i + 2) % LETTERS)).collect();
    let short: automata::Word = [automata::Letter::new(1)].into_iter().collect();
    let rows = vec![(long, Label::Accepted), (short, Label::Rejected)];
    let sample = Arc::new(Sample::new(&Examples::of(&alphabet, rows), false).unwrap());
    // The letter of the short word leads from the first state to the second, every other one back.
    let row: Vec<Option<usize>> = (0..LETTERS).map(|i| Some(usize::from(i == 1))).collect();
    let dfa = minimize(&Dfa::new(alphabet, 0, [0], &[row.clone(), row]).unwrap());
    assert!(sample.rows().all(|(word, counts)| dfa.accepts(word) == (counts.accepted > 0)));
    let (found, excess) = sliced(Rivals::new(dfa.clone(), Arc::clone(&sample), 3), 1_000);
    assert_eq!(found, rivals(&dfa, &sample, 3));
    let one_automaton = MINIMISED * (dfa.len() * LETTERS) as u64;
    assert!(excess <= one_automaton + 1_000, "{excess} beyond a slice");
}

proptest! {
    /// Slices of one unit stop at every possible point.
    #[test]
    fn rivals_are_what_trying_every_change_finds(
        pattern in "(a|b|ab|ba|\\(ab\\)\\*|a\\*|b\\*|\\(a\\|bb\\)\\*){1,2}",
        shown in prop::collection::vec(any::<bool>(), 31),
        limit in 1..20_usize,
        slice in 1..500_u64,
    ) {
        let alphabet = Alphabet::of_chars("ab");
        let dfa = minimize(&Regex::parse(&pattern, &alphabet).unwrap().to_dfa().unwrap());
        let words = enumerate(&Dfa::constant(alphabet.clone(), true)).take(31).zip(&shown);
        let rows = words.filter(|(_, shown)| **shown).map(|(word, _)| (word.clone(), Label::from(dfa.accepts(&word))));
        let sample = Arc::new(Sample::new(&Examples::of(&alphabet, rows), false).unwrap());
        let expected = naive(&dfa, &sample, limit);
        for slice in [1, slice, u64::MAX] {
            let (found, _) = sliced(Rivals::new(dfa.clone(), Arc::clone(&sample), limit), slice);
            prop_assert_eq!(&found, &expected);
        }
    }

    /// All words up to length 4 with some labels: a rival agrees with them and is another language; and if one
    /// transition can be redirected without harm, some rival is found.
    #[test]
    fn rivals_agree_with_the_examples_and_differ(
        pattern in "(a|b|ab|ba|\\(ab\\)\\*|a\\*|b\\*|\\(a\\|bb\\)\\*){1,3}",
        shown in prop::collection::vec(any::<bool>(), 31),
    ) {
        let alphabet = Alphabet::of_chars("ab");
        let dfa = minimize(&Regex::parse(&pattern, &alphabet).unwrap().to_dfa().unwrap());
        let words = enumerate(&Dfa::constant(alphabet.clone(), true)).take(31).zip(&shown);
        let rows: Vec<_> = words.filter(|(_, shown)| **shown).map(|(word, _)| (word.clone(), Label::from(dfa.accepts(&word)))).collect();
        let sample = Sample::new(&Examples::of(&alphabet, rows.clone()), false).unwrap();
        let found = rivals(&dfa, &sample, 1_000);
        for rival in &found {
            prop_assert!(*rival != dfa);
            prop_assert!(rows.iter().all(|(word, label)| rival.accepts(word) == (*label == Label::Accepted)));
        }
        let mut table: Vec<Vec<Option<usize>>> = dfa.states().map(|state| {
            alphabet.letters().map(|letter| dfa.next(state, letter).map(StateId::index)).collect()
        }).collect();
        for state in 0..dfa.len() {
            for letter in 0..2 {
                for target in 0..dfa.len() {
                    let old = table[state][letter].replace(target);
                    let accepting = dfa.accepting().map(StateId::index);
                    let changed = minimize(&Dfa::new(alphabet.clone(), dfa.initial().index(), accepting, &table).unwrap());
                    let agrees = rows.iter().all(|(word, label)| changed.accepts(word) == (*label == Label::Accepted));
                    prop_assert!(!agrees || changed == dfa || found.contains(&changed));
                    table[state][letter] = old;
                }
            }
        }
    }
}

//! Determinising, minimising, comparing and combining, against brute force and against second opinions.

mod common;

use std::collections::BTreeSet;

use automata::{
    Dfa, Nfa, TooManyStates, Word, combine, determinize, difference, equivalent, intersection, minimize,
    separating_word, symmetric_difference, union,
};
use common::{LENGTH, all_words, dfa, dfa_of, naive_accepts, nfa};
use proptest::prelude::*;

const LIMIT: usize = 100_000;

/// Brzozowski's minimisation, the second oracle of Hopcroft: reverse and determinise, twice.
fn brzozowski(dfa: &Dfa) -> Dfa {
    let backwards = determinize(&Nfa::from(dfa).reversed(), LIMIT).unwrap();
    let forwards = determinize(&Nfa::from(&backwards).reversed(), LIMIT).unwrap();
    if forwards.is_empty_language() {
        return Dfa::constant(dfa.alphabet().clone(), false);
    }
    // What it yields is minimal among partial automata; the dead state is ours to add where it is missing.
    forwards.trimmed().canonical().completed().canonical()
}

proptest! {
    #[test]
    fn an_nfa_accepts_what_its_paths_spell(nfa in nfa()) {
        for word in all_words(nfa.alphabet(), 6) {
            prop_assert_eq!(nfa.accepts(&word), naive_accepts(&nfa, &word));
        }
    }

    #[test]
    fn determinizing_keeps_the_language(nfa in nfa()) {
        let dfa = determinize(&nfa, LIMIT).unwrap();
        let minimal = minimize(&dfa);
        let trimmed = nfa.trimmed();
        let renumbered = nfa.numbered_breadth_first();
        for word in all_words(nfa.alphabet(), LENGTH) {
            let expected = nfa.accepts(&word);
            prop_assert_eq!(dfa.accepts(&word), expected);
            prop_assert_eq!(minimal.accepts(&word), expected);
            prop_assert_eq!(trimmed.accepts(&word), expected);
            prop_assert_eq!(renumbered.accepts(&word), expected);
        }
        prop_assert_eq!(&dfa, &dfa.canonical(), "the subset construction numbers breadth-first");
    }

    #[test]
    fn reversal_reads_words_backwards(nfa in nfa()) {
        let reversed = nfa.reversed();
        for word in all_words(nfa.alphabet(), 6) {
            prop_assert_eq!(reversed.accepts(&word), nfa.accepts(&word.reversed()));
        }
    }

    #[test]
    fn hopcroft_agrees_with_brzozowski(dfa in dfa_of(12)) {
        prop_assert_eq!(minimize(&dfa), brzozowski(&dfa));
    }

    #[test]
    fn minimal_means_no_two_states_alike(dfa in dfa_of(9)) {
        let minimal = minimize(&dfa);
        // What a state accepts: if a word tells two states apart, some word of fewer letters than states does.
        let words = all_words(minimal.alphabet(), minimal.len().saturating_sub(2).min(7));
        let behaviour = |state| -> Vec<bool> {
            let end = |word: &Word| word.iter().try_fold(state, |q, &letter| minimal.next(q, letter));
            words.iter().map(|word| end(word).is_some_and(|q| minimal.is_accepting(q))).collect()
        };
        let all: BTreeSet<Vec<bool>> = minimal.states().map(behaviour).collect();
        prop_assert_eq!(all.len(), minimal.len());
        prop_assert!(minimal.is_complete());
        prop_assert_eq!(&minimal.canonical(), &minimal);
    }

    #[test]
    fn equal_languages_have_equal_minimal_automata(a in dfa(), b in dfa()) {
        let alphabet = a.alphabet().union(b.alphabet());
        let (wide_a, wide_b) = (a.over(&alphabet), b.over(&alphabet));
        prop_assert_eq!(minimize(&wide_a) == minimize(&wide_b), equivalent(&a, &b));
        prop_assert!(equivalent(&a, &minimize(&a)));
        prop_assert!(equivalent(&a.trimmed(), &a.completed()));
    }

    #[test]
    fn a_separating_word_is_real_and_shortest(a in dfa(), b in dfa()) {
        let alphabet = a.alphabet().union(b.alphabet());
        let (a, b) = (a.over(&alphabet), b.over(&alphabet));
        let differ = all_words(&alphabet, LENGTH).into_iter().find(|word| a.accepts(word) != b.accepts(word));
        let found = separating_word(&a, &b);
        if let Some(word) = &found {
            prop_assert!(a.accepts(word) != b.accepts(word));
        }
        match (differ, found) {
            (Some(shortest), Some(found)) => prop_assert_eq!(shortest.len(), found.len()),
            (Some(_), None) => prop_assert!(false, "they differ"),
            (None, Some(found)) => prop_assert!(found.len() > LENGTH),
            (None, None) => {}
        }
    }

    #[test]
    fn combinations_combine(a in dfa(), b in dfa()) {
        let alphabet = a.alphabet().union(b.alphabet());
        let (wide_a, wide_b) = (a.over(&alphabet), b.over(&alphabet));
        let all = [
            (union(&a, &b, LIMIT).unwrap(), (|x, y| x || y) as fn(bool, bool) -> bool),
            (intersection(&a, &b, LIMIT).unwrap(), |x, y| x && y),
            (difference(&a, &b, LIMIT).unwrap(), |x, y| x && !y),
            (symmetric_difference(&a, &b, LIMIT).unwrap(), |x, y| x != y),
        ];
        for word in all_words(&alphabet, 6) {
            for (combined, rule) in &all {
                prop_assert_eq!(combined.accepts(&word), rule(wide_a.accepts(&word), wide_b.accepts(&word)));
            }
            prop_assert_eq!(wide_a.complement().accepts(&word), !wide_a.accepts(&word));
        }
        prop_assert_eq!(all[3].0.is_empty_language(), equivalent(&a, &b));
    }

    #[test]
    fn emptiness_finiteness_universality_by_brute_force(dfa in dfa_of(5)) {
        // With n states, some word shorter than n is accepted if any is, and some word of n to 2n − 1 letters if
        // infinitely many are.
        let n = minimize(&dfa).len();
        // Three letters to length eleven are a quarter of a million words: enough.
        prop_assume!(n <= 5 || dfa.alphabet().len() == 2);
        let words = all_words(dfa.alphabet(), 2 * n - 1);
        let accepted: Vec<_> = words.iter().filter(|word| dfa.accepts(word)).collect();
        prop_assert_eq!(dfa.is_empty_language(), accepted.is_empty());
        prop_assert_eq!(dfa.is_universal(), accepted.len() == words.len());
        prop_assert_eq!(dfa.is_finite_language(), accepted.iter().all(|word| word.len() < n));
    }
}

#[test]
fn a_product_meets_its_limit() {
    let cycle = |n: usize| {
        let rows: Vec<Vec<Option<usize>>> = (0..n).map(|q| vec![Some((q + 1) % n)]).collect();
        Dfa::new(automata::Alphabet::of_chars("a"), 0, [0], &rows).unwrap()
    };
    let (a, b) = (cycle(97), cycle(101));
    assert_eq!(intersection(&a, &b, 97 * 101).unwrap().len(), 97 * 101);
    assert_eq!(combine(&a, &b, 1000, |a, b| a && b), Err(TooManyStates { limit: 1000 }));
    assert_eq!(separating_word(&a, &b).unwrap().len(), 97);
}

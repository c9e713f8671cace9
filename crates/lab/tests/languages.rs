//! Random grammars and automata are what they are said to be.

use std::collections::BTreeSet;

use automata::formats::grammar_text;
use automata::{Body, Direction, Grammar, Nonterminal, determinize, minimize};
use lab::dfas::{random_dfa, random_dfa_of_size};
use lab::grammars::{GrammarError, GrammarSettings, random_grammar};
use proptest::prelude::*;

fn settings() -> impl Strategy<Value = GrammarSettings> {
    (1..=5_usize, 1..=6_usize, 1.0..6.0, 0.0..=1.0).prop_map(|(letters, nonterminals, productions, terminal)| {
        GrammarSettings { letters, nonterminals, productions, terminal }
    })
}

/// The non-terminals that derivations from the start symbol meet: whatever a known one derives, until nothing is new.
fn reachable(grammar: &Grammar) -> BTreeSet<Nonterminal> {
    let mut known = BTreeSet::from([grammar.start()]);
    loop {
        let known_heads = grammar.productions().iter().filter(|production| known.contains(&production.head));
        let new: BTreeSet<Nonterminal> = known_heads.filter_map(|production| production.body.nonterminal()).collect();
        if new.is_subset(&known) {
            return known;
        }
        known.extend(new);
    }
}

proptest! {
    #[test]
    fn a_random_grammar_has_a_word_and_reaches_all_its_symbols(settings in settings(), seed: u64) {
        let grammar = random_grammar(&settings, seed).unwrap();
        prop_assert_eq!(grammar.alphabet().len(), settings.letters);
        prop_assert_eq!(grammar.nonterminals().len(), settings.nonterminals);
        prop_assert_eq!(grammar.direction(), Direction::Left);
        prop_assert_eq!(reachable(&grammar).len(), settings.nonterminals);
        let dfa = determinize(&grammar.to_nfa(), 1000).unwrap();
        prop_assert!(!dfa.is_empty_language());
        prop_assert!(!dfa.accepts(&[]), "the paper's grammars never derive the empty word");
        prop_assert!(grammar.productions().iter().all(|p| matches!(p.body, Body::Letter(_) | Body::Step(..))));
        let text = grammar_text::write(&grammar);
        prop_assert_eq!(grammar_text::read(&text).unwrap(), grammar.clone(), "{}", text);
        prop_assert_eq!(random_grammar(&settings, seed).unwrap(), grammar);
    }

    #[test]
    fn a_random_automaton_is_minimal_and_complete(states in 0..40_usize, letters in 0..4_usize, seed: u64) {
        let dfa = random_dfa(states, letters, seed);
        prop_assert!(dfa.is_complete() && dfa.len() <= (states + states / 4).max(1));
        prop_assert_eq!(dfa.alphabet().len(), letters);
        prop_assert_eq!(minimize(&dfa), dfa.clone());
        prop_assert_eq!(random_dfa(states, letters, seed), dfa);
    }

    #[test]
    fn an_automaton_of_a_size_has_it(states in 1..60_usize, letters in 2..4_usize, seed: u64) {
        let dfa = random_dfa_of_size(states, letters, seed).unwrap();
        prop_assert_eq!(dfa.len(), states);
        prop_assert_eq!(minimize(&dfa), dfa);
    }
}

#[test]
fn no_automaton_is_found_where_there_is_none() {
    assert!(random_dfa_of_size(2, 0, 0).is_err(), "without letters one state is all");
    assert!(random_dfa_of_size(0, 2, 0).is_err(), "an automaton has a state");
}

#[test]
fn settings_out_of_range_are_refused() {
    let good = GrammarSettings::default();
    for (settings, error) in [
        (GrammarSettings { letters: 0, ..good }, GrammarError::Letters(0)),
        (GrammarSettings { nonterminals: 0, ..good }, GrammarError::Nonterminals(0)),
        (GrammarSettings { productions: 0.9, ..good }, GrammarError::Productions(0.9)),
        (GrammarSettings { productions: f64::INFINITY, ..good }, GrammarError::Productions(f64::INFINITY)),
        (GrammarSettings { terminal: 1.5, ..good }, GrammarError::Terminal(1.5)),
    ] {
        assert_eq!(random_grammar(&settings, 0), Err(error));
    }
    assert!(random_grammar(&GrammarSettings { productions: f64::NAN, ..good }, 0).is_err());
}

/// Over many letters equal productions are rare, so that the numbers drawn show.
#[test]
fn numbers_of_productions_and_their_forms_have_the_means_asked_for() {
    let settings = GrammarSettings { letters: 1000, nonterminals: 2000, productions: 3.0, terminal: 0.4 };
    let grammar = random_grammar(&settings, 1).unwrap();
    let productions = grammar.productions();
    // The repairs add one for each of the lost non-terminals: those that no other one's production has.
    let mut per_head = vec![0_usize; 2000];
    productions.iter().for_each(|production| per_head[production.head.index()] += 1);
    let mean = productions.len() as f64 / 2000.0;
    assert!((3.0..3.5).contains(&mean), "{mean}");
    let single = per_head.iter().filter(|&&count| count == 1).count() as f64 / 2000.0;
    assert!((0.2..0.36).contains(&single), "a third have one production, before the repairs: {single}");
    let letters = productions.iter().filter(|p| matches!(p.body, Body::Letter(_))).count() as f64 / 6000.0;
    assert!((0.37..0.43).contains(&letters), "{letters}");
}

/// The facts known of the paper's draws: 8 % finite, 3 to 13 states with median 5.
#[test]
fn languages_are_as_sparse_as_the_papers() {
    let mut sizes = Vec::new();
    let mut finite = 0;
    for n in 2..=4 {
        for p in 2..=5 {
            for seed in 0..100 {
                let settings = GrammarSettings { nonterminals: n, productions: f64::from(p), ..Default::default() };
                let grammar = random_grammar(&settings, seed).unwrap();
                let dfa = minimize(&determinize(&grammar.to_nfa(), 1000).unwrap());
                finite += usize::from(dfa.is_finite_language());
                sizes.push(dfa.len());
            }
        }
    }
    sizes.sort_unstable();
    assert_eq!(sizes[sizes.len() / 2], 5);
    assert!((60..=140).contains(&finite), "{finite} of 1200");
}

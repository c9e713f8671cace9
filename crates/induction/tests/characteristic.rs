//! Oncina and García: from a characteristic sample, and from any larger one, merging in the order of a dictionary finds
//! the language. So does the solver once the sample leaves no other language of that size.

mod common;

use std::sync::Arc;

use automata::{Dfa, Letter, StateId, Word, minimize, separating_word};
use common::languages::dfa;
use induction::Sample;
use induction::proof::{ProofSettings, Verdict, prove};
use induction::symbolic::sat::{Budget, Exact, Found};
use induction::symbolic::{Merging, Rule, merge};
use proptest::prelude::*;

/// The first word to each state: the shortest, and of these the first in the dictionary.
fn first_words(dfa: &Dfa) -> Vec<Word> {
    let mut words: Vec<(StateId, Word)> = vec![(dfa.initial(), Word::empty())];
    let mut read = 0;
    while read < words.len() {
        let (state, word) = words[read].clone();
        for letter in dfa.alphabet().letters() {
            let next = dfa.next(state, letter).expect("it is complete");
            if words.iter().all(|(known, _)| *known != next) {
                words.push((next, word.iter().copied().chain([letter]).collect()));
            }
        }
        read += 1;
    }
    words.into_iter().map(|(_, word)| word).collect()
}

/// The automaton that begins in another state.
fn from(dfa: &Dfa, state: StateId) -> Dfa {
    let row = |at: StateId| dfa.alphabet().letters().map(|letter| dfa.next(at, letter).map(StateId::index)).collect();
    let rows: Vec<Vec<Option<usize>>> = dfa.states().map(row).collect();
    Dfa::new(dfa.alphabet().clone(), state.index(), dfa.accepting().map(StateId::index), &rows).unwrap()
}

/// The first word to each state, each of them with each letter, and for every two of these that lead to different
/// states an ending that tells them apart, after both.
fn characteristic(dfa: &Dfa) -> Vec<Word> {
    let first = first_words(dfa);
    let letters: Vec<Letter> = dfa.alphabet().letters().collect();
    let longer = first.iter().flat_map(|word| letters.iter().map(|&letter| word.iter().copied().chain([letter])));
    let longer: Vec<Word> = longer.map(Iterator::collect).collect();
    let mut words = first.clone();
    for u in &first {
        for v in first.iter().chain(&longer) {
            let [p, q] = [u, v].map(|word| dfa.run(word).expect("it is complete"));
            if let Some(ending) = separating_word(&from(dfa, p), &from(dfa, q)) {
                words.extend([u, v].map(|word| word.iter().chain(ending.iter()).copied().collect::<Word>()));
            }
        }
    }
    words.extend(longer);
    words
}

fn labelled(dfa: &Dfa, words: Vec<Word>) -> Sample {
    common::sample(dfa.alphabet(), words.into_iter().map(|word| (word.clone(), dfa.accepts(&word))).collect())
}

fn more(dfa: &Dfa, seed: u64) -> impl Iterator<Item = Word> {
    let (letters, mut numbers) = (dfa.alphabet().len(), common::Numbers(seed));
    let count = if letters == 0 { 0 } else { numbers.below(60) };
    (0..count).map(move |_| numbers.word(letters, 9))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn merging_finds_every_language(dfa in dfa(), seed: u64) {
        let dfa = minimize(&dfa);
        let words: Vec<Word> = characteristic(&dfa).into_iter().chain(more(&dfa, seed)).collect();
        let found = merge(&labelled(&dfa, words), &Merging::by(Rule::Rpni)).unwrap();
        prop_assert_eq!(minimize(&found), dfa);
    }

    #[test]
    fn the_solver_finds_no_more_states(dfa in dfa(), seed: u64) {
        let dfa = minimize(&dfa);
        let sample = labelled(&dfa, characteristic(&dfa).into_iter().chain(more(&dfa, seed)).collect());
        // First words are all apart, for each two have an ending that tells them.
        let mut exact = Exact::new(Arc::new(sample.clone()));
        prop_assert!(exact.prepare(u64::MAX).is_break());
        prop_assert_eq!(exact.bound(), dfa.len());
        let mut budget = Budget::new(100_000);
        let Found::Automaton(found) = exact.automaton(dfa.len(), &mut budget) else { panic!("there is one") };
        // Each transition is told by endings, too.
        prop_assert_eq!(minimize(&found), dfa.clone());
        let proof = prove(&sample, &dfa, &[], ProofSettings::default());
        prop_assert_eq!((proof.minimal, proof.unique), (Verdict::Proved, Verdict::Proved));
    }
}

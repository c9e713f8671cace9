//! A certificate says of every example what the automaton says of it, and nothing else.

use std::collections::BTreeMap;

use automata::{Alphabet, Dfa, Examples, Label, Letter, Word};
use induction::certificate::{NAMED, Wrong};
use induction::{Sample, certify};
use proptest::prelude::*;

/// Automata with holes over some of the letters a to d, so that they lack letters of the sample and have others.
fn automaton() -> impl Strategy<Value = Dfa> {
    (1..=5_usize, prop::sample::subsequence(vec!["a", "b", "c", "d"], 0..=4)).prop_flat_map(|(states, names)| {
        let next = prop_oneof![4 => (0..states).prop_map(Some), 1 => Just(None)];
        let rows = prop::collection::vec(prop::collection::vec(next, names.len()), states);
        (rows, prop::collection::vec(any::<bool>(), states), 0..states).prop_map(move |(rows, accepts, initial)| {
            let accepting = (0..accepts.len()).filter(|&q| accepts[q]);
            Dfa::new(Alphabet::new(names.clone()).unwrap(), initial, accepting, &rows).unwrap()
        })
    })
}

fn rows() -> impl Strategy<Value = Vec<(String, Label)>> {
    let label = prop_oneof![4 => Just(Label::Accepted), 4 => Just(Label::Rejected), 1 => Just(Label::Unlabelled)];
    prop::collection::vec(("[abc]{0,5}", label), 0..60)
}

/// Whether the automaton accepts a word, with nothing but its list of transitions.
fn accepts(dfa: &Dfa, word: &str) -> bool {
    let mut state = dfa.initial();
    for name in word.chars() {
        let step = dfa
            .transitions()
            .find(|&(from, letter, _)| from == state && dfa.alphabet().name(letter) == name.to_string());
        match step {
            Some((_, _, to)) => state = to,
            None => return false,
        }
    }
    dfa.accepting().any(|accepting| accepting == state)
}

fn sample_of(rows: &[(String, Label)]) -> Sample {
    let alphabet = Alphabet::of_chars("abc");
    let rows = rows.iter().map(|(word, label)| (alphabet.read(word).unwrap(), *label));
    Sample::new(&Examples::of(&alphabet, rows), true).unwrap()
}

proptest! {
    #[test]
    fn every_example_is_replayed(dfa in automaton(), rows in rows()) {
        let sample = sample_of(&rows);
        let certificate = certify(&dfa, &sample);
        let labelled = rows.iter().filter(|(_, label)| *label != Label::Unlabelled);
        prop_assert_eq!(certificate.examples, labelled.clone().count() as u64);

        let mut wrong: BTreeMap<Word, (bool, u32)> = BTreeMap::new();
        for (word, label) in labelled {
            let accepted = *label == Label::Accepted;
            if accepts(&dfa, word) != accepted {
                wrong.entry(sample.alphabet().read(word).unwrap()).or_insert((accepted, 0)).1 += 1;
            }
        }
        prop_assert_eq!(certificate.wrong, wrong.values().map(|&(_, times)| u64::from(times)).sum::<u64>());
        prop_assert_eq!(certificate.is_consistent(), wrong.is_empty());
        let first = wrong.into_iter().take(NAMED).map(|(word, (accepted, times))| Wrong { word, accepted, times });
        prop_assert_eq!(certificate.first_wrong, first.collect::<Vec<_>>());
    }
}

#[test]
fn the_empty_word_is_an_example() {
    let nothing = Dfa::constant(Alphabet::of_chars(""), false);
    let certificate =
        certify(&nothing, &sample_of(&[(String::new(), Label::Accepted), (String::new(), Label::Accepted)]));
    assert_eq!((certificate.examples, certificate.wrong), (2, 2));
    assert_eq!(certificate.first_wrong, [Wrong { word: Word::empty(), accepted: true, times: 2 }]);
    assert!(certify(&nothing, &sample_of(&[])).is_consistent());
}

#[test]
fn a_word_labelled_both_ways_is_wrong_either_way() {
    let rows = [("a", Label::Accepted), ("a", Label::Rejected), ("a", Label::Rejected)];
    let sample = sample_of(&rows.map(|(word, label)| (word.to_owned(), label)));
    let wrong = |everything| certify(&Dfa::constant(Alphabet::of_chars("abc"), everything), &sample).wrong;
    assert_eq!((wrong(true), wrong(false)), (2, 1));
}

/// Letters are what they are called, not what number they have.
#[test]
fn letters_are_matched_by_name() {
    let only_c = Dfa::new(Alphabet::of_chars("c"), 0, [0], &[vec![Some(0)]]).unwrap();
    let rows = [("ccc", Label::Accepted), ("a", Label::Rejected), ("cb", Label::Rejected)];
    assert!(certify(&only_c, &sample_of(&rows.map(|(word, label)| (word.to_owned(), label)))).is_consistent());
    assert_eq!(only_c.alphabet().find("c"), Some(Letter::new(0)));
}

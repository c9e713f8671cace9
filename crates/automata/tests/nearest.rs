//! The nearest words against measuring the distance to every word.

mod common;

use automata::{Alphabet, Dfa, Edit, Letter, Regex, Typed, Word, nearest};
use common::{all_words, dfa_of};
use proptest::prelude::*;

/// The textbook's table, a row a letter.
fn distance(typed: &Typed, word: &Word) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (i, &letter) in typed.iter().enumerate() {
        let mut next = vec![i + 1];
        for j in 0..word.len() {
            let replaced = row[j] + usize::from(letter != Some(word[j]));
            next.push(replaced.min(row[j + 1] + 1).min(next[j] + 1));
        }
        row = next;
    }
    row[word.len()]
}

/// Does the edits and counts them.
fn apply(typed: &Typed, edits: &[Edit]) -> Option<(Word, usize)> {
    let mut letters = typed.iter();
    let mut word = Vec::new();
    let mut count = 0;
    for &edit in edits {
        match edit {
            Edit::Keep(letter) if *letters.next()? != Some(letter) => return None,
            Edit::Keep(_) => {}
            Edit::Insert(_) => count += 1,
            Edit::Delete => {
                letters.next()?;
                count += 1;
            }
            Edit::Replace(letter) if *letters.next()? == Some(letter) => return None,
            Edit::Replace(_) => count += 1,
        }
        word.extend(edit.letter());
    }
    letters.next().is_none().then_some((Word::from(word), count))
}

fn typed() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..4_usize, 0..6)
}

fn language(pattern: &str, letters: &str) -> Dfa {
    Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap()
}

proptest! {
    #[test]
    fn no_other_word_is_nearer_and_none_is_left_out(dfa in dfa_of(6), letters in typed()) {
        let known = dfa.alphabet().len();
        let typed: Typed = letters.iter().map(|&c| (c < known).then(|| Letter::new(c))).collect();
        // A word of fewer letters than states is accepted, if any is: no farther than the typed letters and five.
        let words = all_words(dfa.alphabet(), 6);
        let accepted = words.into_iter().filter(|word| dfa.accepts(word));
        let measured: Vec<(usize, Word)> = accepted.map(|word| (distance(&typed, &word), word)).collect();
        let found = nearest(&dfa, &typed, 100_000).unwrap();
        let Some(least) = measured.iter().map(|(distance, _)| *distance).min() else {
            prop_assert!(found.is_none());
            return Ok(());
        };
        let found = found.expect("there are words");
        prop_assert!(found.all);
        prop_assert!(found.distance <= least);
        for correction in &found.corrections {
            let done = Some((correction.word.clone(), found.distance));
            prop_assert_eq!(apply(&typed, &correction.edits), done);
            prop_assert!(dfa.accepts(&correction.word));
        }
        let words: Vec<Word> = found.corrections.iter().map(|correction| correction.word.clone()).collect();
        prop_assert!(words.is_sorted_by(|a, b| a < b), "in order, each once");
        // A longer word may be nearer only if it has more than six letters.
        let expected: Vec<Word> =
            measured.into_iter().filter(|(distance, _)| *distance == found.distance).map(|(_, word)| word).collect();
        let short: Vec<Word> = words.iter().filter(|word| word.len() <= 6).cloned().collect();
        prop_assert_eq!(short, expected);
        if !words.is_empty() {
            let first = nearest(&dfa, &typed, 1).unwrap().unwrap();
            prop_assert_eq!(&first.corrections, &found.corrections[..1]);
            prop_assert_eq!(first.all, words.len() == 1);
        }
        prop_assert!(!words.is_empty());
    }
}

#[test]
fn edits_are_told_in_order() {
    let dfa = language("(ab)+c", "abc");
    let abc = dfa.alphabet().clone();
    let [a, b, c] = [0, 1, 2].map(Letter::new);
    let found = nearest(&dfa, &Typed::read("aabxc", &abc).unwrap(), 5).unwrap().unwrap();
    assert_eq!(found.distance, 2);
    let words: Vec<String> = found.corrections.iter().map(|correction| abc.write(&correction.word)).collect();
    assert_eq!(words, ["abc", "ababc"]);
    assert_eq!(found.corrections[0].edits, [Edit::Delete, Edit::Keep(a), Edit::Keep(b), Edit::Delete, Edit::Keep(c)]);
    let longer = [Edit::Keep(a), Edit::Insert(b), Edit::Keep(a), Edit::Keep(b), Edit::Delete, Edit::Keep(c)];
    assert_eq!(found.corrections[1].edits, longer);
}

#[test]
fn an_accepted_word_is_its_own_nearest() {
    let dfa = language("[ab]*c+", "abc");
    let word = dfa.alphabet().read("abcc").unwrap();
    let found = nearest(&dfa, &Typed::from(&word[..]), 5).unwrap().unwrap();
    assert_eq!((found.distance, found.all), (0, true));
    assert_eq!(found.corrections[0].word, word);
}

#[test]
fn nothing_is_near_where_no_word_is_accepted() {
    let dfa = Dfa::constant(Alphabet::of_chars("ab"), false);
    assert_eq!(nearest(&dfa, &Typed::default(), 5), Ok(None));
}

#[test]
fn long_words_and_large_automata_are_searched() {
    // Lengths are multiples of 997, so that a word of 10,000 letters has to be cut by 30.
    let rows: Vec<Vec<Option<usize>>> = (0..997).map(|q| vec![Some((q + 1) % 997); 2]).collect();
    let dfa = Dfa::new(Alphabet::of_chars("ab"), 0, [0], &rows).unwrap();
    let typed: Typed = (0..10_000).map(|i| Some(Letter::new(i / 7 % 2))).collect();
    let found = nearest(&dfa, &typed, 3).unwrap().unwrap();
    assert_eq!((found.distance, found.corrections.len(), found.all), (30, 3, false));
    assert!(found.corrections.iter().all(|correction| correction.word.len() == 9_970));
}

#[test]
fn far_words_are_the_shortest_ones() {
    let dfa = language("b*|b*c{80}", "abc");
    let typed: Typed = vec![Some(Letter::new(0)); 70].into_iter().collect();
    let found = nearest(&dfa, &typed, 3).unwrap().unwrap();
    assert_eq!((found.distance, found.all), (70, false));
    assert_eq!(found.corrections.len(), 1);
    assert!(found.corrections[0].word.is_empty());
    assert_eq!(found.corrections[0].edits, vec![Edit::Delete; 70]);
}

#[test]
fn what_is_too_large_is_refused() {
    let dfa = language("(a{2000})*", "a");
    let typed: Typed = vec![None; 100_000].into_iter().collect();
    let error = nearest(&dfa, &typed, 3).unwrap_err();
    assert!(error.to_string().starts_with("a word of 100000 letters and an automaton of 2000 states"), "{error}");
}

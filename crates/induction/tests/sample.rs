//! Labelled words as a prefix tree, against the list they came from.

mod common;

use std::collections::BTreeMap;

use automata::{Alphabet, Counts, Examples, Label, Letter, Word};
use common::{examples, letters, word};
use induction::{Sample, SampleError};
use proptest::prelude::*;

fn accepted(accepted: u32) -> Counts {
    Counts { accepted, ..Counts::default() }
}

fn rejected(rejected: u32) -> Counts {
    Counts { rejected, ..Counts::default() }
}

/// The words of a sample as text, with what was said of them, in its order.
fn listed(sample: &Sample) -> Vec<(String, Counts)> {
    sample.entries().iter().map(|entry| (sample.alphabet().write(sample.word(entry)), entry.counts)).collect()
}

#[test]
fn words_are_listed_once_shorter_ones_first() {
    let rows = ["+ba", "-b", "+a", "+ba", "-abc", "-b", "-b", "+ab"];
    let sample = Sample::new(&examples(&letters(3), &rows), false).unwrap();
    let expected =
        [("a", accepted(1)), ("b", rejected(3)), ("ab", accepted(1)), ("ba", accepted(2)), ("abc", rejected(1))];
    assert_eq!(listed(&sample), expected.map(|(text, counts)| (text.to_owned(), counts)));
    assert_eq!(sample.longest(), 3);
    assert_eq!(sample.empty_word(), Counts::default());
    assert_eq!(sample.unlabelled(), 0);
    // ε, a, ab, abc, b, ba.
    assert_eq!((sample.parents().len(), sample.letters().len()), (6, 6));
}

#[test]
fn a_word_labelled_both_ways_is_named() {
    let alphabet = letters(2);
    let rows = examples(&alphabet, &["+ab", "-ab", "+a", "-ab"]);
    let error = Sample::new(&rows, false).unwrap_err();
    assert_eq!(error, SampleError::Contradiction { word: "ab".to_owned(), accepted: 1, rejected: 2 });
    assert_eq!(error.to_string(), "the word ab is labelled both ways: as accepted once, as rejected 2 times");
    let noisy = Sample::new(&rows, true).unwrap();
    assert_eq!(noisy.entries()[1].counts, accepted(1).and(rejected(2)));
}

#[test]
fn words_that_would_not_show_are_quoted_when_named() {
    let empty = Sample::new(&examples(&letters(2), &["+", "-"]), false).unwrap_err();
    assert!(empty.to_string().starts_with("the word \"\" is labelled both ways"), "{empty}");
    let alphabet = Alphabet::new(["log in", "log out"]).unwrap();
    let twice = |label| (Word::from(vec![Letter::new(0), Letter::new(1)]), label);
    let rows = vec![twice(Label::Accepted), twice(Label::Rejected)];
    let tokens = Sample::new(&Examples::of(&alphabet, rows), false).unwrap_err();
    assert!(tokens.to_string().starts_with(r#"the word "log in" "log out" is labelled"#), "{tokens}");
}

#[test]
fn letters_beyond_the_alphabet_are_refused() {
    let sample = Sample::new(&examples(&letters(1), &["+a"]), false).unwrap();
    let more = [0, 5].map(|letter| (Word::from(vec![Letter::new(letter)]), accepted(1)));
    let error = sample.and(&more, false).unwrap_err();
    assert_eq!(error.to_string(), "word 2 has the letter number 6, but there are only 1 letters");
}

#[test]
fn samples_that_differ_have_other_fingerprints() {
    let of = |rows: &[&str]| Sample::new(&examples(&letters(2), rows), true).unwrap().fingerprint();
    let all = [of(&["+a", "-b"]), of(&["-a", "+b"]), of(&["+a", "+a", "-b"]), of(&["+ab"]), of(&["+"]), of(&[])];
    for (i, a) in all.iter().enumerate() {
        assert!(all[i + 1..].iter().all(|b| a != b), "{all:?}");
    }
    assert_eq!(of(&["+a", "-b"]), of(&["-b", "+a"]));
}

#[test]
fn the_empty_word_is_kept_beside_the_tree() {
    let sample = Sample::new(&examples(&letters(2), &["+", "-a", "+"]), false).unwrap();
    assert_eq!(sample.empty_word(), accepted(2));
    assert_eq!(listed(&sample), [("a".to_owned(), rejected(1))]);
    let noisy = Sample::new(&examples(&letters(2), &["+", "-"]), true).unwrap();
    assert_eq!(noisy.empty_word(), accepted(1).and(rejected(1)));
    assert_eq!((noisy.entries().len(), noisy.longest()), (0, 0));
}

#[test]
fn unlabelled_words_are_left_out_and_counted() {
    let sample = Sample::new(&examples(&letters(2), &["?abab", "+a", "?a", "?"]), false).unwrap();
    assert_eq!(sample.unlabelled(), 3);
    assert_eq!(listed(&sample), [("a".to_owned(), accepted(1))]);
    assert_eq!(sample.empty_word(), Counts::default());
    assert_eq!(sample.parents().len(), 2, "an unlabelled word adds no prefix");
}

#[test]
fn no_words_make_a_sample_too() {
    for alphabet in [letters(2), letters(0)] {
        let sample = Sample::new(&examples(&alphabet, &[]), false).unwrap();
        assert_eq!((sample.entries().len(), sample.longest(), sample.unlabelled()), (0, 0, 0));
        assert_eq!(sample.parents(), [0]);
        assert_eq!(sample.alphabet(), &alphabet);
    }
}

#[test]
fn what_is_shared_is_a_prefix() {
    let sample = Sample::new(&examples(&letters(2), &["+aab", "-aaa", "+aa"]), false).unwrap();
    assert_eq!(sample.parents().len(), 1 + 4);
    assert_eq!(word(&letters(2), "aab"), prefix(&sample, sample.entries()[2].node));
}

/// The word that leads to a node.
fn prefix(sample: &Sample, mut node: u32) -> Word {
    let mut letters = Vec::new();
    while node != 0 {
        letters.push(sample.letters()[node as usize]);
        node = sample.parents()[node as usize];
    }
    letters.reverse();
    letters.into()
}

/// A node comes after its parent; the words of nodes are those of their parents and one letter.
fn assert_tree(sample: &Sample) -> Result<(), TestCaseError> {
    prop_assert_eq!(sample.parents().len(), sample.letters().len());
    prop_assert_eq!(sample.parents()[0], 0);
    for node in 1..sample.parents().len() {
        let parent = sample.parents()[node];
        prop_assert!((parent as usize) < node);
        let mut word = prefix(sample, parent).to_vec();
        word.push(sample.letters()[node]);
        prop_assert_eq!(prefix(sample, node as u32), Word::from(word));
    }
    for entry in sample.entries() {
        prop_assert_eq!(&prefix(sample, entry.node)[..], sample.word(entry));
        prop_assert_eq!(sample.word(entry).len(), entry.length as usize);
    }
    Ok(())
}

fn rows() -> impl Strategy<Value = Vec<(Word, Label)>> {
    let word = prop::collection::vec((0..2_usize).prop_map(Letter::new), 0..6).prop_map(Word::from);
    let label = prop_oneof![Just(Label::Accepted), Just(Label::Rejected), Just(Label::Unlabelled)];
    prop::collection::vec((word, label), 0..40)
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_is_added(rows in rows()) {
        let mut expected: BTreeMap<Word, Counts> = BTreeMap::new();
        for (word, label) in rows.iter().filter(|(_, label)| *label != Label::Unlabelled) {
            let counts = expected.entry(word.clone()).or_default();
            match label {
                Label::Accepted => counts.accepted += 1,
                _ => counts.rejected += 1,
            }
        }
        let unlabelled = rows.iter().filter(|(_, label)| *label == Label::Unlabelled).count();
        let examples = Examples::of(&letters(2), rows);
        let contradiction = expected.values().any(|counts| counts.accepted > 0 && counts.rejected > 0);
        prop_assert_eq!(Sample::new(&examples, false).is_err(), contradiction);

        let sample = Sample::new(&examples, true).unwrap();
        assert_tree(&sample)?;
        prop_assert_eq!(sample.unlabelled(), unlabelled);
        prop_assert_eq!(sample.empty_word(), expected.remove(&Word::empty()).unwrap_or_default());
        // Words are ordered by length, then letter by letter, and so are those of the sample.
        let found: Vec<(Word, Counts)> =
            sample.entries().iter().map(|entry| (Word::from(sample.word(entry).to_vec()), entry.counts)).collect();
        prop_assert_eq!(&found, &expected.into_iter().collect::<Vec<_>>());
        // Children of one node come in alphabet order.
        for (node, parent) in sample.parents().iter().enumerate().skip(1) {
            let later = (node + 1..sample.parents().len()).filter(|&other| sample.parents()[other] == *parent);
            prop_assert!(later.into_iter().all(|other| sample.letters()[node] < sample.letters()[other]));
        }
        // No two nodes are the same prefix, and each is a prefix of some word.
        let mut nodes: Vec<Word> = (0..sample.parents().len() as u32).map(|node| prefix(&sample, node)).collect();
        prop_assert!(nodes.iter().skip(1).all(|node| found.iter().any(|(word, _)| word.starts_with(node))));
        nodes.sort();
        nodes.dedup();
        prop_assert_eq!(nodes.len(), sample.parents().len());
    }
}

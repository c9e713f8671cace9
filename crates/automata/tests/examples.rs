//! Examples against a naive model: a list of rows, and a map from each word to its labels.

use std::collections::BTreeMap;

use automata::formats::abbadingo;
use automata::{Alphabet, Counts, Examples, ExamplesBuilder, Label, Letter, Word, WordError};
use proptest::prelude::*;

fn labels() -> impl Strategy<Value = Label> {
    proptest::sample::select(Label::ALL.to_vec())
}

/// Rows over few short words, so that many words come several times.
fn rows() -> impl Strategy<Value = Vec<(Word, Label)>> {
    let word = prop::collection::vec(0..3_usize, 0..4).prop_map(|word| word.into_iter().map(Letter::new).collect());
    prop::collection::vec((word, labels()), 0..60)
}

fn abc() -> Alphabet {
    Alphabet::of_chars("abc")
}

fn naive(rows: &[(Word, Label)]) -> BTreeMap<Word, Counts> {
    let mut naive: BTreeMap<Word, Counts> = BTreeMap::new();
    for (word, label) in rows {
        let counts = naive.entry(word.clone()).or_default();
        match label {
            Label::Accepted => counts.accepted += 1,
            Label::Rejected => counts.rejected += 1,
            Label::Unlabelled => counts.unlabelled += 1,
        }
    }
    naive
}

proptest! {
    #[test]
    fn words_are_counted_in_order_of_first_appearance(rows in rows()) {
        let examples = Examples::of(&abc(), rows.clone());
        let naive = naive(&rows);
        let mut order: Vec<&Word> = Vec::new();
        rows.iter().for_each(|(word, _)| if !order.contains(&word) { order.push(word) });

        prop_assert_eq!(examples.len(), order.len());
        prop_assert_eq!(examples.is_empty(), rows.is_empty());
        prop_assert_eq!(examples.iter().len(), order.len());
        for (number, ((word, counts), expected)) in examples.iter().zip(order).enumerate() {
            prop_assert_eq!(word, &expected[..]);
            prop_assert_eq!(counts, naive[expected]);
            prop_assert_eq!((examples.word(number), examples.counts(number)), (word, counts));
            let labelled = rows.iter().filter(|(other, label)| other == expected && *label != Label::Unlabelled);
            prop_assert_eq!(counts.labelled(), labelled.count() as u64);
        }
        for label in Label::ALL {
            prop_assert_eq!(examples.total(label), rows.iter().filter(|(_, other)| *other == label).count() as u64);
        }
    }

    /// Memory can be released at any time, and what was added before is still found.
    #[test]
    fn adding_goes_on_after_shrinking(rows in rows(), others in rows()) {
        let mut examples = Examples::of(&abc(), rows.clone());
        examples.extend(others.clone());
        let all: Vec<(Word, Label)> = rows.into_iter().chain(others).collect();
        prop_assert_eq!(&examples, &Examples::of(&abc(), all.clone()));

        let mut again = Examples::new(&abc());
        for (word, label) in &all {
            let number = again.add(word, *label);
            prop_assert_eq!(again.word(number), &word[..]);
            again.shrink_to_fit();
        }
        prop_assert_eq!(again, examples);
    }

    #[test]
    fn rows_are_all_that_was_seen(rows in rows()) {
        let examples = Examples::of(&abc(), rows.clone());
        let seen: Vec<(Word, Label)> = examples.rows().map(|(word, label)| (word.to_vec().into(), label)).collect();
        prop_assert_eq!(naive(&seen), naive(&rows));
        prop_assert_eq!(seen.len(), rows.len());
        // Copies of a word follow each other, by label.
        let chunks: Vec<_> = seen.chunk_by(|(a, _), (b, _)| a == b).collect();
        prop_assert_eq!(chunks.len(), examples.len());
        prop_assert!(chunks.into_iter().all(<[_]>::is_sorted));
        prop_assert_eq!(Examples::of(&abc(), seen), examples);
    }

    /// A builder that meets letters in any order gives the same examples.
    #[test]
    fn letters_may_come_in_any_order(rows in rows()) {
        let mut builder = ExamplesBuilder::default();
        // The letters in another order than that of the alphabet, and all of them.
        let provisional = ["c", "a", "b"].map(|name| (name, builder.letter(name)));
        for (i, (word, label)) in rows.iter().enumerate() {
            let word: Vec<Letter> = word.iter().map(|&letter| builder.letter(abc().name(letter))).collect();
            prop_assert!(builder.add(&word, *label) <= i);
        }
        let (examples, letters) = builder.build().unwrap();
        prop_assert_eq!(&examples, &Examples::of(&abc(), rows));
        for (name, letter) in provisional {
            prop_assert_eq!(examples.alphabet().name(letters[letter.index()]), name);
        }
    }

    #[test]
    fn a_larger_alphabet_keeps_words_and_labels(rows in rows()) {
        let examples = Examples::of(&abc(), rows);
        let mut larger = examples.over(&Alphabet::of_chars("Xabc"));
        prop_assert_eq!(larger.len(), examples.len());
        for ((word, counts), (moved, same)) in examples.iter().zip(larger.iter()) {
            prop_assert_eq!(abc().write(word), larger.alphabet().write(moved));
            prop_assert_eq!(counts, same);
        }
        // Words are found again although their letters have other numbers.
        for (word, _) in examples.iter() {
            let moved = larger.alphabet().read(&abc().write(word)).unwrap();
            larger.add(&moved, Label::Unlabelled);
        }
        prop_assert_eq!(larger.len(), examples.len());
    }
}

#[test]
fn classes_that_are_split_become_the_letter_they_are_written_as() {
    let classes = Alphabet::new(["[0-9]", "x"]).unwrap();
    let word = classes.read("7x").unwrap();
    let examples = Examples::of(&classes, [(word, Label::Accepted)]);
    let larger = Alphabet::new(["[1-9]", "0", "x"]).unwrap();
    let split = examples.over(&larger);
    assert_eq!(split.alphabet().write(split.word(0)), examples.alphabet().write(examples.word(0)));
}

#[test]
fn equal_words_over_different_alphabets_are_different_examples() {
    let of = |letters: &str| {
        let alphabet = Alphabet::of_chars(letters);
        let word = alphabet.read("a").unwrap();
        Examples::of(&alphabet, [(word, Label::Accepted)])
    };
    assert_eq!(of("ab"), of("ab"));
    assert_ne!(of("ab"), of("ac"));
    assert_ne!(of("ab"), Examples::new(&Alphabet::of_chars("ab")));
}

#[test]
fn a_letter_needs_a_name() {
    let mut builder = ExamplesBuilder::default();
    let letter = builder.letter("");
    builder.add(&[letter], Label::Accepted);
    assert_eq!(builder.build().unwrap_err(), WordError::EmptyLetter);
}

#[test]
#[should_panic(expected = "a letter is not in the alphabet")]
fn foreign_letters_are_refused() {
    Examples::new(&Alphabet::of_chars("a")).add(&[Letter::new(1)], Label::Accepted);
}

#[test]
fn abbadingo_rows_know_their_lines() {
    let text = "\n3 2\n\n1 1 0\n0 2 0 1\n\n-1 0\n";
    let rows = abbadingo::Rows::new(text).unwrap();
    assert_eq!(rows.alphabet().names(), ["0", "1"]);
    let lines: Vec<(usize, Label)> = rows.map(|row| row.map(|row| (row.line, row.label)).unwrap()).collect();
    assert_eq!(lines, [(4, Label::Accepted), (5, Label::Rejected), (7, Label::Unlabelled)]);
    let mut short = abbadingo::Rows::new("2 1\n1 1 0\n").unwrap();
    assert!(short.next().is_some_and(|row| row.is_ok()));
    assert!(short.next().is_some_and(|row| row.is_err()), "a word is missing");
    assert_eq!(short.next(), None);
    let error = abbadingo::read("\n\nwords\n").unwrap_err();
    assert_eq!(error.line(), Some(3));
}

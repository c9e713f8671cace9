//! The paper's example: how its words were chosen, and that they identify the language.

use std::collections::BTreeSet;

use automata::{Alphabet, Dfa, Letter, Regex, Word, enumerate, equivalent};

use super::*;

const PAPER: &str = include_str!("../../../../../testdata/samples/paper.csv");

fn language() -> Dfa {
    Regex::parse("(a|b)*cc*", &Alphabet::of_chars("abc")).unwrap().to_dfa().unwrap()
}

/// `count` of these words, evenly spaced.
fn spread(words: &[Word], count: usize) -> impl Iterator<Item = &Word> {
    let count = count.min(words.len());
    (0..count).map(move |i| &words[i * words.len() / count])
}

/// The word with another letter at one position.
fn changed(word: &Word, place: usize, by: usize) -> Word {
    let turned =
        |(i, letter): (usize, &Letter)| if i == place { Letter::new((letter.index() + by) % 3) } else { *letter };
    word.iter().enumerate().map(turned).collect()
}

/// The procedure of `testdata/samples/README.md`.
fn chosen() -> Examples {
    let language = language();
    let all: Vec<Word> = enumerate(&language).take_while(|word| word.len() <= 8).collect();
    let of_length = |length: usize| all.iter().filter(|word| word.len() == length).cloned().collect::<Vec<Word>>();
    let accepted: Vec<Word> = [1, 3, 7, 9, 10, 10, 10, 10]
        .into_iter()
        .zip(1..)
        .flat_map(|(count, length)| spread(&of_length(length), count).cloned().collect::<Vec<Word>>())
        .collect();
    let mut rejected: BTreeSet<Word> = enumerate(&language.complement()).take_while(|word| word.len() <= 2).collect();
    for (i, word) in accepted.iter().enumerate().filter(|(_, word)| word.len() > 2) {
        if rejected.len() == 60 {
            break;
        }
        let places = (0..word.len()).map(|place| (i + place) % word.len());
        let misses = places.flat_map(|place| [changed(word, place, 1), changed(word, place, 2)]);
        let mut new = misses.filter(|miss| !language.accepts(miss) && !rejected.contains(miss));
        if let Some(miss) = new.next() {
            rejected.insert(miss);
        }
    }
    let accepted = accepted.into_iter().map(|word| (word, Label::Accepted));
    let mut rows: Vec<(Word, Label)> =
        accepted.chain(rejected.into_iter().map(|word| (word, Label::Rejected))).collect();
    rows.sort();
    Examples::of(language.alphabet(), rows)
}

#[test]
fn its_words_are_those_that_its_readme_describes() {
    let given = Given::paper();
    assert_eq!(given.examples, chosen());
    assert_eq!((given.examples.len(), given.blank), (120, 0));
    given.check(false).unwrap();
    given.check_labels().unwrap();
    let language = language();
    assert!(given.examples.rows().all(|(word, label)| Label::from(language.accepts(word)) == label));
    assert_eq!(place(&given, 0, Label::Rejected), "example:paper:2");

    let folder = tempfile::tempdir().unwrap();
    saving::write(&folder.path().join("paper.csv"), &chosen()).unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("paper.csv")).unwrap(), PAPER);
}

#[test]
fn it_is_found_by_name() {
    let none: [(&str, &str); 0] = [];
    assert_eq!(rows(&read(&none, &["example:paper"]).unwrap()), rows(&Given::paper()));
}

/// Every automaton with three states that agrees with the examples accepts the paper's language.
#[test]
fn its_words_leave_no_other_language_of_three_states() {
    let examples = Given::paper().examples;
    let mut agreeing = 0;
    for code in 0..3_usize.pow(9) {
        let table: Vec<usize> = (0..9).map(|cell| code / 3_usize.pow(cell) % 3).collect();
        let end = |word: &[Letter]| word.iter().fold(0, |state, letter| table[3 * state + letter.index()]);
        let mut seen = [None; 3];
        let agrees = examples.rows().all(|(word, label)| *seen[end(word)].get_or_insert(label) == label);
        if agrees {
            agreeing += 1;
            let next: Vec<Vec<Option<usize>>> =
                table.chunks(3).map(|row| row.iter().copied().map(Some).collect()).collect();
            let accepting = (0..3).filter(|&state| seen[state] == Some(Label::Accepted));
            let dfa = Dfa::new(examples.alphabet().clone(), 0, accepting, &next).unwrap();
            assert!(equivalent(&dfa, &language()));
        }
    }
    assert_eq!(agreeing, 2, "the one and its mirror image in the numbers of the states");
}

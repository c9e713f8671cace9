//! The languages of `testdata/languages` against their definitions in words.

mod common;

use automata::{Dfa, formats::grammar_text, minimize};
use common::{LENGTH, all_words};

fn read(text: &str) -> Dfa {
    minimize(&automata::determinize(&grammar_text::read(text).unwrap().to_nfa(), 1000).unwrap())
}

/// The lengths of the runs of equal letters: `1100` is [('1', 2), ('0', 2)].
fn runs(word: &str) -> Vec<(char, usize)> {
    let chars: Vec<char> = word.chars().collect();
    chars.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

fn count(word: &str, letter: char) -> usize {
    word.matches(letter).count()
}

fn is_paper(word: &str) -> bool {
    let rest = word.trim_end_matches('c');
    rest.len() < word.len() && !rest.contains('c')
}

fn is_tomita3(word: &str) -> bool {
    runs(word).windows(2).all(|pair| !(pair[0].0 == '1' && pair[0].1 % 2 == 1 && pair[1].1 % 2 == 1))
}

fn is_tomita7(word: &str) -> bool {
    let runs = runs(word);
    let most = if runs.first().is_some_and(|run| run.0 == '1') { 3 } else { 4 };
    runs.len() <= most
}

/// Name, grammar, states of the minimal automaton, definition.
type Language = (&'static str, &'static str, usize, fn(&str) -> bool);

#[test]
fn each_language_is_what_it_says() {
    let languages: [Language; 8] = [
        ("paper", include_str!("../../../testdata/languages/paper.txt"), 3, is_paper),
        ("tomita1", include_str!("../../../testdata/languages/tomita1.txt"), 2, |word| !word.contains('0')),
        ("tomita2", include_str!("../../../testdata/languages/tomita2.txt"), 3, |word| {
            "10".repeat(word.len() / 2) == *word
        }),
        ("tomita3", include_str!("../../../testdata/languages/tomita3.txt"), 5, is_tomita3),
        ("tomita4", include_str!("../../../testdata/languages/tomita4.txt"), 4, |word| !word.contains("000")),
        ("tomita5", include_str!("../../../testdata/languages/tomita5.txt"), 4, |word| {
            count(word, '0').is_multiple_of(2) && count(word, '1').is_multiple_of(2)
        }),
        ("tomita6", include_str!("../../../testdata/languages/tomita6.txt"), 3, |word| {
            count(word, '0') % 3 == count(word, '1') % 3
        }),
        ("tomita7", include_str!("../../../testdata/languages/tomita7.txt"), 5, is_tomita7),
    ];
    for (name, text, states, holds) in languages {
        let dfa = read(text);
        assert_eq!(dfa.len(), states, "{name}");
        for word in all_words(dfa.alphabet(), LENGTH) {
            let written = dfa.alphabet().write(&word);
            assert_eq!(dfa.accepts(&word), holds(&written), "{name}: {written:?}");
        }
    }
}

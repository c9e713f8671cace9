//! Ambiguity against counting the trees of every word.

mod common;

use automata::{Body, Direction, Grammar, Letter, Nonterminal, Word, ambiguous_word};
use common::{LENGTH, all_words, grammar};
use proptest::prelude::*;

/// How many trees a word has by the productions of the normal form without `S → S`, prefix after prefix: none, one, or
/// two for more.
fn trees(normal: &Grammar, word: &Word) -> usize {
    let word = if normal.direction() == Direction::Left { word.clone() } else { word.reversed() };
    let start = normal.start();
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for i in 0..=word.len() {
        let mut row = vec![0; normal.nonterminals().len()];
        let last: Option<Letter> = i.checked_sub(1).map(|before| word[before]);
        let mut units: Vec<Nonterminal> = Vec::new();
        for production in normal.productions() {
            row[production.head.index()] += match production.body {
                Body::Empty => usize::from(i == 0),
                Body::Letter(c) => usize::from(i == 1 && last == Some(c)),
                Body::Step(b, c) if i > 1 && last == Some(c) => rows[i - 1][b.index()],
                Body::Step(..) => 0,
                Body::Unit(b) => {
                    units.extend((b != start).then_some(b));
                    0
                }
            };
        }
        row[start.index()] += units.iter().map(|b| row[b.index()]).sum::<usize>();
        rows.push(row.into_iter().map(|count| count.min(2)).collect());
    }
    rows[word.len()][start.index()]
}

proptest! {
    #[test]
    fn the_word_is_the_first_with_two_trees(grammar in grammar()) {
        let normal = grammar.normalized();
        let expected = all_words(grammar.alphabet(), LENGTH).into_iter().find(|word| trees(&normal, word) > 1);
        let found = ambiguous_word(&grammar);
        if let Some(word) = &found {
            prop_assert_eq!(trees(&normal, word), 2);
        }
        prop_assert_eq!(found.filter(|word| word.len() <= LENGTH), expected);
    }

    #[test]
    fn a_deterministic_automaton_gives_an_unambiguous_grammar(dfa in common::dfa()) {
        for direction in [Direction::Left, Direction::Right] {
            prop_assert_eq!(ambiguous_word(&Grammar::from_dfa(&dfa, direction)), None);
        }
    }
}

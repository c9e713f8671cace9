//! Grammars against a naive reading of their productions.

mod common;

use std::collections::BTreeSet;

use automata::formats::{Document, dot, grammar_text, json};
use automata::{Body, Direction, Grammar, Nfa, Production, Word, determinize, drawing, equivalent, minimize};
use common::{LENGTH, all_words, dfa, grammar, nfa};
use proptest::prelude::*;

/// The words of each non-terminal to the given length, by applying the productions until nothing is new.
fn derived(grammar: &Grammar, length: usize) -> BTreeSet<Word> {
    let count = grammar.nonterminals().len();
    let mut words: Vec<BTreeSet<Word>> = vec![BTreeSet::new(); count];
    loop {
        let before: usize = words.iter().map(BTreeSet::len).sum();
        for production in grammar.productions() {
            let new: Vec<Word> = match production.body {
                Body::Empty => vec![Word::empty()],
                Body::Letter(c) => vec![Word::from(vec![c])],
                Body::Unit(b) => words[b.index()].iter().cloned().collect(),
                Body::Step(b, c) => words[b.index()]
                    .iter()
                    .filter(|word| word.len() < length)
                    .map(|word| match grammar.direction() {
                        Direction::Left => word.iter().copied().chain([c]).collect(),
                        Direction::Right => [c].into_iter().chain(word.iter().copied()).collect(),
                    })
                    .collect(),
            };
            words[production.head.index()].extend(new);
        }
        if words.iter().map(BTreeSet::len).sum::<usize>() == before {
            return words.swap_remove(grammar.start().index());
        }
    }
}

proptest! {
    #[test]
    fn its_automaton_accepts_what_it_derives(grammar in grammar()) {
        let expected = derived(&grammar, LENGTH);
        let nfa = grammar.to_nfa();
        for word in all_words(grammar.alphabet(), LENGTH) {
            prop_assert_eq!(nfa.accepts(&word), expected.contains(&word));
        }
    }

    #[test]
    fn normalizing_trimming_and_turning_keep_the_language(grammar in grammar()) {
        let expected = derived(&grammar, 6);
        let normalized = grammar.normalized();
        prop_assert_eq!(&derived(&normalized, 6), &expected);
        for production in normalized.productions() {
            prop_assert!(
                production.head == normalized.start() || !matches!(production.body, Body::Empty | Body::Unit(_))
            );
        }
        let trimmed = grammar.trimmed();
        prop_assert_eq!(&derived(&trimmed, 6), &expected);
        for direction in [Direction::Left, Direction::Right] {
            let turned = grammar.directed(direction);
            prop_assert_eq!(turned.direction(), direction);
            prop_assert_eq!(&derived(&turned, 6), &expected);
        }
        let backwards: BTreeSet<Word> = expected.iter().map(Word::reversed).collect();
        prop_assert_eq!(derived(&grammar.reversed(), 6), backwards);
    }

    #[test]
    fn trimming_leaves_nothing_useless(grammar in grammar()) {
        let trimmed = grammar.trimmed();
        for a in trimmed.nonterminals().filter(|&a| a != trimmed.start()) {
            // It derives a word: started from it, the grammar is not empty.
            let names = || trimmed.nonterminals().map(|a| trimmed.name(a).to_owned()).collect();
            let (alphabet, direction) = (trimmed.alphabet().clone(), trimmed.direction());
            let from_a = Grammar::new(alphabet.clone(), direction, names(), a, trimmed.productions().iter().copied());
            prop_assert!(!derived(&from_a, 12).is_empty());
            // It is met from the start: were it the only one to end in a new letter, that letter would be seen.
            let marked = alphabet.union(&automata::Alphabet::of_chars("z"));
            let z = marked.find("z").unwrap();
            let productions = trimmed.productions().iter().copied().filter(|p| p.body.nonterminal().is_some());
            let marks = Production { head: a, body: Body::Letter(z) };
            let only_a_ends = Grammar::new(marked, direction, names(), trimmed.start(), productions.chain([marks]));
            prop_assert!(!derived(&only_a_ends, 12).is_empty());
        }
    }

    #[test]
    fn an_nfa_comes_back_from_its_grammars(nfa in nfa()) {
        for direction in [Direction::Left, Direction::Right] {
            let grammar = Grammar::from_nfa(&nfa, direction);
            for word in all_words(nfa.alphabet(), 6) {
                prop_assert_eq!(grammar.to_nfa().accepts(&word), nfa.accepts(&word));
            }
            prop_assert_eq!(&grammar.trimmed(), &grammar, "nothing in it is useless");
            for grammar in [grammar, automata::shortest_grammar(&nfa, None, direction)] {
                let names = grammar.nonterminals().map(|a| grammar.name(a).replace('A', "State"));
                let named = grammar.clone().renamed(names.collect());
                let nfa = named.to_named_nfa();
                let back = Grammar::from_named_nfa(&nfa, direction);
                // An automaton without useful states has no names left.
                prop_assert_eq!(back.unwrap_or_else(|| Grammar::from_nfa(&nfa, direction)), named);
            }
        }
    }

    #[test]
    fn a_dfa_comes_back_from_its_grammars(dfa in dfa()) {
        let left = Grammar::from_dfa(&dfa, Direction::Left);
        let right = left.directed(Direction::Right);
        for grammar in [left, right] {
            let back = determinize(&grammar.to_nfa(), 100_000).unwrap();
            prop_assert!(equivalent(&back, &dfa));
            prop_assert_eq!(minimize(&back), minimize(&dfa));
        }
    }
}

/// The states of a grammar's automaton are its non-terminals, in files and pictures; those of others keep their numbers.
#[test]
fn states_have_one_name_everywhere() {
    let grammar = grammar_text::read("S -> B\nX -> a\nB -> X b\nB -> B b\nY -> Y a").unwrap();
    let nfa = grammar.to_named_nfa().trimmed().numbered_breadth_first();
    assert_eq!(nfa.names().unwrap(), ["ε", "X", "B"]);
    assert_eq!(nfa, grammar.to_nfa().trimmed().numbered_breadth_first(), "names are no part of an automaton");
    let written = json::write_nfa(&nfa);
    assert!(written.contains("\"names\": [\"ε\",\"X\",\"B\"]"), "{written}");
    let Ok(Document::Nfa(back)) = json::read(&written) else { panic!("an automaton") };
    assert_eq!((&back, back.names()), (&nfa, nfa.names()));
    assert!(json::read(&written.replace("\"X\",", "")).unwrap_err().message().contains("3 states, but 2 names"));
    assert!(dot::write(&nfa).contains("s2 [label=\"B\", shape=doublecircle]"), "{}", dot::write(&nfa));
    let picture = drawing::svg(&nfa, &drawing::Options::default()).unwrap();
    for name in ["ε", "X", "B"] {
        assert!(picture.contains(&format!(">{name}</text>")), "{name}");
    }
    assert_eq!(grammar.trimmed().with_usual_names().nonterminals().len(), 3);
    assert_eq!(grammar_text::write(&grammar.trimmed().with_usual_names()).lines().next(), Some("S -> A2"));

    // The dead state is the second: the third is still called 2 when it is gone.
    let dfa =
        minimize(&determinize(&grammar_text::read("S -> A\nA -> b\n%alphabet a b").unwrap().to_nfa(), 10).unwrap());
    let trimmed = Nfa::from(&dfa).named_by_number().trimmed();
    assert_eq!(trimmed.names().unwrap(), ["0", "2"]);
    assert!(dot::write(&trimmed).contains("  s0 -> s2 [label=\"b\"];\n"), "{}", dot::write(&trimmed));
    assert_eq!(Nfa::from(&dfa).named_by_number().names(), None, "numbers are no names");
}

//! Reduced automata and shortest grammars have the same language, and are not larger.

mod common;

use automata::{
    Alphabet, Body, Dfa, Direction, Grammar, Nfa, NfaBuilder, Regex, StateId, determinize, minimize, reduce,
    shortest_grammar, smallest_automaton,
};
use common::{ab, all_words, dfa_of, nfa, pattern};
use proptest::prelude::*;

const LIMIT: usize = 100_000;

fn minimal(nfa: &Nfa) -> Dfa {
    minimize(&determinize(nfa, LIMIT).unwrap())
}

fn positions(pattern: &str) -> Nfa {
    Regex::parse(pattern, &ab()).unwrap().to_nfa().unwrap()
}

/// Dense automata of up to seven states, in which much is superfluous.
fn dense() -> impl Strategy<Value = Nfa> {
    (1..=7_usize).prop_flat_map(|states| {
        let set = move || prop::collection::vec(any::<bool>(), states);
        (set(), set(), prop::collection::vec(prop::bool::weighted(0.3), 2 * states * states)).prop_map(
            move |(initial, accepting, edges)| {
                let mut builder = NfaBuilder::with_states(ab(), states);
                let letters: Vec<_> = ab().letters().collect();
                for state in 0..states {
                    if initial[state] {
                        builder.initial(StateId::new(state));
                    }
                    if accepting[state] {
                        builder.accepting(StateId::new(state));
                    }
                }
                for edge in (0..edges.len()).filter(|&edge| edges[edge]) {
                    let (from, to) = (StateId::new(edge / 2 / states), StateId::new(edge / 2 % states));
                    builder.edge(from, letters[edge % 2], to);
                }
                builder.build()
            },
        )
    })
}

fn check(nfa: &Nfa) -> Result<(), TestCaseError> {
    let reduced = reduce(nfa);
    let trimmed = nfa.trimmed();
    prop_assert_eq!(minimal(&reduced), minimal(nfa));
    prop_assert!(reduced.len() <= trimmed.len() && reduced.edges().count() <= trimmed.edges().count());
    prop_assert_eq!(&reduced.trimmed(), &reduced, "no state is useless");
    prop_assert_eq!(reduce(&nfa.reversed()).len(), reduce(&nfa.reversed()).trimmed().len());
    for word in all_words(nfa.alphabet(), 5) {
        prop_assert_eq!(reduced.accepts(&word), nfa.accepts(&word));
    }
    Ok(())
}

/// The shortest grammar has the language, S in no body, and no more productions than the obvious ones.
fn check_grammar(nfa: &Nfa, dfa: Option<&Dfa>) -> Result<(), TestCaseError> {
    let expected = minimal(nfa);
    for direction in [Direction::Left, Direction::Right] {
        let shortest = shortest_grammar(nfa, dfa, direction);
        prop_assert_eq!(shortest.direction(), direction);
        prop_assert_eq!(minimal(&shortest.to_nfa()), expected.clone());
        prop_assert!(shortest.productions().iter().all(|p| p.body.nonterminal() != Some(shortest.start())));
        prop_assert!(
            shortest.productions().iter().all(|p| p.head == shortest.start() || p.body.letter().is_some()),
            "only S has unit productions"
        );
        prop_assert!(!shortest.productions().iter().any(|p| p.head != shortest.start() && p.body == Body::Empty));
        prop_assert_eq!(&shortest.trimmed(), &shortest, "nothing in it is useless");
        for other in [Grammar::from_dfa(&expected, direction), Grammar::from_nfa(&reduce(nfa), direction)] {
            prop_assert!(shortest.productions().len() <= other.productions().len());
        }
    }
    let smallest = smallest_automaton(nfa, dfa);
    prop_assert_eq!(minimal(&smallest), expected.clone());
    prop_assert!(smallest == Nfa::from(&expected) || smallest.len() < Nfa::from(&expected).trimmed().len());
    Ok(())
}

proptest! {
    #[test]
    fn random_automata_keep_their_language(nfa in nfa(), dense in dense()) {
        check(&nfa)?;
        check(&dense)?;
    }

    #[test]
    fn position_automata_keep_their_language(pattern in pattern()) {
        check(&positions(&pattern))?;
    }

    #[test]
    fn deterministic_automata_keep_their_language(dfa in dfa_of(12)) {
        check(&Nfa::from(&dfa))?;
    }

    #[test]
    fn the_shortest_grammar_is_one_of_the_language(nfa in nfa(), dense in dense(), pattern in pattern()) {
        for nfa in [nfa, dense, positions(&pattern)] {
            check_grammar(&nfa, None)?;
            check_grammar(&nfa, Some(&minimal(&nfa)))?;
        }
    }

    #[test]
    fn a_deterministic_automaton_has_a_shortest_grammar(dfa in dfa_of(9)) {
        check_grammar(&Nfa::from(&dfa), Some(&dfa))?;
    }
}

/// The number of productions and non-terminals of the shortest left-regular grammar.
fn size(pattern: &str) -> (usize, usize) {
    let regex = Regex::parse(pattern, &Alphabet::of_chars("01")).unwrap();
    let grammar = shortest_grammar(&regex.to_nfa().unwrap(), None, Direction::Left);
    (grammar.productions().len(), grammar.nonterminals().len())
}

#[test]
fn what_depends_on_the_end_stays_short() {
    assert_eq!(size("[01]*1[01]{4}"), (14, 6));
    // Too many states to make it deterministic: the expression is enough.
    assert_eq!(size("[01]*1[01]{60}"), (126, 62));
    assert_eq!(size("[01]*0110"), (9, 5));
}

/// From the deterministic automaton alone, the positions are found again.
#[test]
fn a_deterministic_automaton_forgets_nothing() {
    let regex = Regex::parse("[01]*1[01]{4}", &Alphabet::of_chars("01")).unwrap();
    let dfa = regex.to_dfa().unwrap();
    let from_positions = shortest_grammar(&regex.to_nfa().unwrap(), None, Direction::Left);
    let from_states = shortest_grammar(&Nfa::from(&dfa), Some(&dfa), Direction::Left);
    assert_eq!(from_states.productions().len(), from_positions.productions().len());
    assert_eq!(smallest_automaton(&Nfa::from(&dfa), Some(&dfa)).len(), 6);
}

#[test]
fn languages_without_words_and_with_the_empty_one() {
    let nothing = NfaBuilder::new(ab()).build();
    assert!(reduce(&nothing).is_empty());
    assert!(shortest_grammar(&nothing, None, Direction::Left).productions().is_empty());
    let empty_word = positions("()");
    assert_eq!(reduce(&empty_word).len(), 1);
    let grammar = shortest_grammar(&empty_word, None, Direction::Right);
    assert_eq!((grammar.productions().len(), grammar.nonterminals().len()), (1, 1));
}

/// Beyond its limit, an automaton is trimmed and keeps its language.
#[test]
fn large_automata_are_left_alone() {
    let nfa = positions("(a{1500}|b{1500})");
    assert_eq!(reduce(&nfa), nfa.numbered_breadth_first());
    // A word list is made deterministic, however long it is.
    let grammar = shortest_grammar(&nfa, None, Direction::Left);
    assert_eq!(grammar.productions().len(), 3000);
}

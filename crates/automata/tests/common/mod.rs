//! Random languages and the brute force they are checked against.
#![allow(dead_code, reason = "each test file uses its part")]

use automata::{
    Alphabet, Body, Dfa, Direction, Grammar, Letter, Nfa, NfaBuilder, Nonterminal, Production, StateId, Word,
};
use proptest::prelude::*;

/// How long the words of the brute force are.
pub(crate) const LENGTH: usize = 8;

/// All words over the alphabet to the given length, in length-lexicographic order.
pub(crate) fn all_words(alphabet: &Alphabet, length: usize) -> Vec<Word> {
    let mut words = vec![Word::empty()];
    let mut begin = 0;
    for _ in 0..length {
        let end = words.len();
        for i in begin..end {
            for letter in alphabet.letters() {
                let longer = words[i].iter().copied().chain([letter]).collect();
                words.push(longer);
            }
        }
        begin = end;
    }
    words
}

/// The same automaton drawn by a naive definition: some path spells the word.
pub(crate) fn naive_accepts(nfa: &Nfa, word: &[Letter]) -> bool {
    fn from(nfa: &Nfa, state: StateId, word: &[Letter]) -> bool {
        match word {
            [] => nfa.is_accepting(state),
            [first, rest @ ..] => {
                nfa.edges().any(|(p, letter, q)| p == state && letter == *first && from(nfa, q, rest))
            }
        }
    }
    nfa.initial().any(|state| from(nfa, state, word))
}

pub(crate) fn ab() -> Alphabet {
    Alphabet::of_chars("ab")
}

/// Sparse automata of up to six states, several of them initial, some edges reading nothing.
pub(crate) fn nfa() -> impl Strategy<Value = Nfa> {
    (1..=6_usize).prop_flat_map(|states| {
        let state = 0..states;
        (
            Just(states),
            prop::collection::vec(state.clone(), 0..3),
            prop::collection::vec(state.clone(), 0..3),
            prop::collection::vec((state.clone(), 0..2_usize, state.clone()), 0..12),
            prop::collection::vec((state.clone(), state), 0..3),
        )
            .prop_map(|(states, initial, accepting, edges, empty_edges)| {
                let mut builder = NfaBuilder::with_states(ab(), states);
                initial.into_iter().for_each(|q| builder.initial(StateId::new(q)));
                accepting.into_iter().for_each(|q| builder.accepting(StateId::new(q)));
                for (p, c, q) in edges {
                    builder.edge(StateId::new(p), Letter::new(c), StateId::new(q));
                }
                for (p, q) in empty_edges {
                    builder.empty_edge(StateId::new(p), StateId::new(q));
                }
                builder.build()
            })
    })
}

/// Automata of up to `most` states, complete or with holes, over none to three letters.
pub(crate) fn dfa_of(most: usize) -> impl Strategy<Value = Dfa> {
    (1..=most, 0..=3_usize, any::<bool>()).prop_flat_map(|(states, letters, complete)| {
        let hole = if complete { 0_u32 } else { 1 };
        let next = prop_oneof![3 => (0..states).prop_map(Some), hole => Just(None)];
        (
            prop::collection::vec(prop::collection::vec(next, letters), states),
            prop::collection::vec(any::<bool>(), states),
            0..states,
        )
            .prop_map(move |(rows, accepts, initial)| {
                let accepting = (0..accepts.len()).filter(|&q| accepts[q]);
                Dfa::new(Alphabet::of_chars(&"abc"[..letters]), initial, accepting, &rows).unwrap()
            })
    })
}

pub(crate) fn dfa() -> impl Strategy<Value = Dfa> {
    dfa_of(7)
}

/// Grammars of up to five non-terminals with every kind of production anywhere.
pub(crate) fn grammar() -> impl Strategy<Value = Grammar> {
    (1..=5_usize, any::<bool>()).prop_flat_map(|(count, left)| {
        let nonterminal = move || (0..count).prop_map(Nonterminal::new);
        let letter = (0..2_usize).prop_map(Letter::new);
        let body = prop_oneof![
            1 => Just(Body::Empty),
            1 => nonterminal().prop_map(Body::Unit),
            3 => letter.clone().prop_map(Body::Letter),
            6 => (nonterminal(), letter).prop_map(|(b, c)| Body::Step(b, c)),
        ];
        let production = (nonterminal(), body).prop_map(|(head, body)| Production { head, body });
        (prop::collection::vec(production, 0..12), nonterminal()).prop_map(move |(productions, start)| {
            let names = (0..count).map(|i| format!("N{i}")).collect();
            let direction = if left { Direction::Left } else { Direction::Right };
            Grammar::new(ab(), direction, names, start, productions)
        })
    })
}

/// Patterns of the regular subset over a and b.
pub(crate) fn pattern() -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![Just("a"), Just("b"), Just("[ab]"), Just("."), Just("[^a]"), Just("()")].prop_map(String::from);
    leaf.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("{x}{y}")),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("(?:{x}|{y})")),
            (inner, prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"]))
                .prop_map(|(x, count)| format!("({x}){count}")),
        ]
    })
}

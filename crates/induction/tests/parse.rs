//! Beliefs and forests, against derivations counted one by one.

mod common;

use std::collections::BTreeSet;

use automata::formats::grammar_text;
use automata::{BigUint, Body, Direction, Grammar, Letter, Nonterminal, Production, Word, ambiguous_word};
use common::languages::{all_words, grammar};
use common::{ADDED, Numbers, PAPER, letters, naive_count, named, paper, word};
use induction::confidence::Places;
use induction::extraction::{Reading, extract};
use induction::model::{Layout, Model, Shape, Weights};
use induction::parse::{Beliefs, Forest, Matrices, Rejection, Tree};
use proptest::prelude::*;

const TAU: f64 = 0.95;

fn texts<'a>(trees: impl Iterator<Item = Tree<'a>>) -> Vec<String> {
    trees.map(|tree| tree.to_string()).collect()
}

/// Every listed tree is a derivation of the word by productions of the grammar, and none is listed twice.
fn assert_derivations(forest: &Forest, word: &[Letter]) -> Result<(), TestCaseError> {
    let grammar = forest.grammar();
    let mut seen = BTreeSet::new();
    for tree in forest.trees() {
        prop_assert_eq!(&tree.word()[..], word);
        let root = tree.root();
        let from_start = Production { head: grammar.start(), body: Body::Unit(root) };
        prop_assert!(root == grammar.start() || grammar.productions().contains(&from_start));
        prop_assert!(tree.productions().iter().all(|p| grammar.productions().contains(p)));
        for pair in tree.productions().windows(2) {
            prop_assert_eq!(pair[0].body.nonterminal(), Some(pair[1].head));
        }
        prop_assert_eq!(tree.productions().last().unwrap().body.nonterminal(), None);
        prop_assert!(seen.insert(tree.into_productions()), "a tree came twice");
    }
    prop_assert_eq!(forest.count(), BigUint::from(seen.len()));
    let stood_on: BTreeSet<Nonterminal> = forest.trees().map(|tree| tree.root()).collect();
    let mut roots = forest.roots();
    roots.sort_unstable();
    prop_assert!(roots.into_iter().eq(stood_on), "each root once");
    Ok(())
}

#[test]
fn the_paper_s_ambiguous_word_has_three_trees() {
    let three = ["C(C(A(A(A(b) b) a) c) c)", "C(C(C(C(A(b) b) a) c) c)", "C(C(C(C(C(b) b) a) c) c)"];
    let renamed = |text: &str| text.replace('A', "A1").replace('C', "A2");
    for (productions, trees) in [(PAPER.to_owned(), &three[..1]), (format!("{PAPER}{ADDED}"), &three[..])] {
        let (grammar, model) = paper(&productions);
        let bbacc = word(grammar.alphabet(), "bbacc");

        let forest = Forest::of_grammar(&grammar, &bbacc);
        assert_eq!(texts(forest.trees()), trees);
        assert_eq!(texts(forest.trees_at(5, named(&grammar, "C"))), trees);
        assert_eq!(forest.count(), BigUint::from(trees.len()));
        assert_eq!(texts(forest.trees_at(5, named(&grammar, "A"))), [""; 0]);
        assert_eq!(texts(forest.trees_at(3, named(&grammar, "A"))), ["A(A(A(b) b) a)"]);

        let forest = Forest::of_model(&model, &bbacc, TAU, Direction::Left);
        let trees: Vec<String> = trees.iter().map(|text| renamed(text)).collect();
        assert_eq!(texts(forest.trees()), trees);
        assert_eq!(texts(forest.trees_at(5, named(forest.grammar(), "A2"))), trees);
        assert_eq!(forest.count(), BigUint::from(trees.len()));
        assert_eq!(forest.roots(), [named(forest.grammar(), "A2")]);
    }
}

#[test]
fn ambiguous_beliefs_are_clamped() {
    let (grammar, model) = paper(&format!("{PAPER}{ADDED}"));
    let bbacc = word(grammar.alphabet(), "bbacc");
    let expected = [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0]];
    for beliefs in [Beliefs::of_grammar(&grammar, &bbacc), Beliefs::of_model(&model, &bbacc, Direction::Left).unwrap()]
    {
        assert_eq!(beliefs.iter().len(), 5);
        for (u, expected) in beliefs.iter().zip(expected) {
            assert!(u.iter().zip(expected).all(|(u, expected)| (u - expected).abs() < 1e-12), "{u:?}");
        }
        assert!((beliefs.confidence() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_paper_s_rejected_word_ends_outside_the_start_symbol() {
    let (grammar, model) = paper(PAPER);
    let abb = word(grammar.alphabet(), "abb");
    for beliefs in [Beliefs::of_grammar(&grammar, &abb), Beliefs::of_model(&model, &abb, Direction::Left).unwrap()] {
        let u = beliefs.u(3).unwrap();
        assert!((u[0] - 1.0).abs() < 1e-12 && u[1] < 1e-12);
        assert!(beliefs.confidence() < 1e-12);
        assert_eq!((beliefs.u(0), beliefs.u(4)), (None, None));
    }
    for (forest, a) in
        [(Forest::of_grammar(&grammar, &abb), "A"), (Forest::of_model(&model, &abb, TAU, Direction::Left), "A1")]
    {
        let nonterminals = vec![named(forest.grammar(), a)];
        assert_eq!(forest.rejection(), Some(Rejection::Outside { nonterminals }));
        assert_eq!((forest.count(), forest.trees().count()), (BigUint::ZERO, 0));
        assert_eq!(forest.nodes().count(), 0);
    }
}

#[test]
fn a_word_dies_at_the_letter_that_nothing_derives() {
    let (grammar, model) = paper(PAPER);
    for (text, index) in [("ca", 1), ("abca", 3), ("accbcc", 3)] {
        let read = word(grammar.alphabet(), text);
        assert_eq!(Forest::of_grammar(&grammar, &read).rejection(), Some(Rejection::Died { index }));
        assert_eq!(Forest::of_model(&model, &read, TAU, Direction::Left).rejection(), Some(Rejection::Died { index }));
        // The mirror image reads the mirrored word from its end, so it dies at the same letter.
        let mirrored = Forest::of_grammar(&grammar.reversed(), &read.reversed());
        assert_eq!(mirrored.rejection(), Some(Rejection::Died { index: text.len() - 1 - index }));
        assert_eq!(Beliefs::of_grammar(&grammar, &read), Beliefs::of_grammar(&grammar.reversed(), &read.reversed()));
    }
    assert_eq!(Forest::of_grammar(&grammar, &word(grammar.alphabet(), "abc")).rejection(), None);
}

#[test]
fn a_letter_that_is_not_known_kills_the_word() {
    let (grammar, model) = paper(PAPER);
    let strange = [Letter::new(0), Letter::new(7), Letter::new(2)];
    assert_eq!(Forest::of_grammar(&grammar, &strange).rejection(), Some(Rejection::Died { index: 1 }));
    assert_eq!(
        Forest::of_model(&model, &strange, TAU, Direction::Left).rejection(),
        Some(Rejection::Died { index: 1 })
    );
    assert_eq!(Beliefs::of_model(&model, &strange, Direction::Left).unwrap().confidence(), 0.0);
}

#[test]
fn the_empty_word_is_said_by_the_grammar_and_not_by_the_model() {
    let (grammar, model) = paper(PAPER);
    assert_eq!(Beliefs::of_model(&model, &[], Direction::Left), None);
    assert_eq!(Beliefs::of_grammar(&grammar, &[]).confidence(), 0.0);
    let outside = Some(Rejection::Outside { nonterminals: Vec::new() });
    assert_eq!(Forest::of_grammar(&grammar, &[]).rejection(), outside);
    assert_eq!(Forest::of_model(&model, &[], TAU, Direction::Left).rejection(), outside);

    let with_empty = grammar_text::read("S -> ε\nS -> S a\n").unwrap();
    assert_eq!(Beliefs::of_grammar(&with_empty, &[]).confidence(), 1.0);
    assert_eq!(Beliefs::of_grammar(&with_empty, &[]).iter().len(), 0);
    let forest = Forest::of_grammar(&with_empty, &[]);
    assert_eq!((texts(forest.trees()), forest.count()), (vec!["S(ε)".to_owned()], BigUint::from(1_u32)));
    assert_eq!(forest.roots(), [with_empty.start()]);
}

#[test]
fn places_that_are_not_there_have_no_trees() {
    let (grammar, _) = paper(PAPER);
    let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), "ac"));
    for (i, a) in [(3, 0), (usize::MAX, 0), (1, 2), (1, 700)] {
        let a = Nonterminal::new(a);
        assert_eq!(forest.trees_at(i, a).count(), 0);
        assert_eq!(forest.count_at(i, a), BigUint::ZERO);
        assert_eq!(forest.options(i, a).count(), 0);
    }
    assert_eq!(forest.after(usize::MAX).count(), 0);
}

#[test]
fn a_start_symbol_inside_a_word_keeps_its_units() {
    let grammar = grammar_text::read("S -> A | S b\nA -> a | S c\n").unwrap();
    let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), "acb"));
    assert_eq!(texts(forest.trees()), ["S(S(A(S(A(a)) c)) b)"]);
    let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), "abc"));
    assert_eq!(texts(forest.trees()), ["A(S(S(A(a)) b) c)"]);
}

#[test]
fn a_right_regular_tree_leans_to_the_right() {
    let grammar = grammar_text::read("S -> a S | b T\nT -> c | c T\n").unwrap();
    assert_eq!(grammar.direction(), Direction::Right);
    let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), "aabcc"));
    assert_eq!(texts(forest.trees()), ["S(a S(a S(b T(c T(c)))))"]);
    let lost = Forest::of_grammar(&grammar, &word(grammar.alphabet(), "abac"));
    assert_eq!(lost.rejection(), Some(Rejection::Died { index: 2 }), "read from its end, a does not stand before c");
}

/// Every word of a's has 2^ℓ derivations, half of them from each of the two.
fn doubling() -> Grammar {
    grammar_text::read("S -> A | B\nA -> a | A a | B a\nB -> a | A a | B a\n").unwrap()
}

#[test]
fn long_words_are_counted_and_listed_without_being_held() {
    let grammar = doubling();
    let long: Word = (0..10_000).map(|_| Letter::new(0)).collect();
    let forest = Forest::of_grammar(&grammar, &long);
    assert_eq!(forest.count(), BigUint::from(1_u32) << 10_000_u32);
    assert_eq!(forest.count_at(5000, named(&grammar, "B")), BigUint::from(1_u32) << 4999_u32);
    let first: Vec<Tree> = forest.trees().take(3).collect();
    assert!(first.iter().all(|tree| tree.word() == long && tree.productions().len() == 10_000));
    assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
    assert!(first[0].to_string().starts_with("A(A(A("));
    assert_eq!(forest.nodes().count(), 20_000 + 1);

    let mut rejected = long.to_vec();
    rejected[9000] = Letter::new(1);
    assert_eq!(Forest::of_grammar(&grammar, &rejected).rejection(), Some(Rejection::Died { index: 9000 }));
    let beliefs = Beliefs::of_grammar(&grammar, &long);
    assert_eq!((beliefs.iter().len(), beliefs.u(10_000)), (10_000, Some(&[1.0, 1.0, 1.0][..])));
}

#[test]
fn trees_come_in_a_fixed_order() {
    let grammar = doubling();
    let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), "aa"));
    assert_eq!(texts(forest.trees()), ["A(A(a) a)", "A(B(a) a)", "B(A(a) a)", "B(B(a) a)"]);
    let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), &"a".repeat(8)));
    let mut trees: Vec<Vec<Production>> = forest.trees().map(Tree::into_productions).collect();
    let listed = trees.clone();
    trees.sort();
    assert_eq!(trees, listed);
}

fn random_model(shape: Shape, n: usize, t: usize, scale: f32, seed: u64) -> Model {
    let mut numbers = Numbers(seed);
    let layout = Layout::new(shape, n, t);
    Model::new(letters(t), layout, (0..layout.len()).map(|_| scale * numbers.signed()).collect())
}

/// The derivations that a model believes in, from the definition: u by recursion, then every production and node by τ.
struct Naive<'a> {
    model: &'a Model,
    weights: Weights,
    word: &'a [Letter],
}

impl Naive<'_> {
    fn u(&self, i: usize, k: usize) -> f64 {
        let (n, c) = (self.model.layout().nonterminals(), self.word[i - 1].index());
        let sum = match i {
            1 => self.weights.terminal[c * n + k],
            _ => (0..n).map(|b| self.weights.step[(c * n + k) * n + b] * self.u(i - 1, b)).sum(),
        };
        if self.model.layout().shape() == Shape::Nfa { sum.min(1.0) } else { sum }
    }

    fn count(&self, i: usize, k: usize, tau: f64) -> u64 {
        let (n, c) = (self.model.layout().nonterminals(), self.word[i - 1].index());
        match i {
            1 => u64::from(self.weights.terminal[c * n + k] >= tau),
            _ => {
                let fires = |&b: &usize| self.weights.step[(c * n + k) * n + b] >= tau && self.u(i - 1, b) >= tau;
                let believed = (0..n).filter(fires);
                believed.map(|b| self.count(i - 1, b, tau)).sum()
            }
        }
    }
}

#[test]
fn blunt_beliefs_fade_along_the_word() {
    // 0.96 each time: A1 is believed in after one letter, and no longer after two.
    let layout = Layout::new(Shape::Nfa, 1, 1);
    let logit = (0.96_f32 / 0.04).ln();
    let model = Model::new(letters(1), layout, vec![logit, logit, 0.0]);
    let aa = [Letter::new(0); 2];
    assert!(Forest::of_model(&model, &aa[..1], TAU, Direction::Left).is_accepted());
    let forest = Forest::of_model(&model, &aa, TAU, Direction::Left);
    assert_eq!(forest.rejection(), Some(Rejection::Unsure), "0.92 is not dead");
    assert_eq!((forest.fired(2).count(), forest.trees().count()), (1, 0));
    assert!(Forest::of_grammar(&extract(&model, Reading::of(Shape::Nfa)), &aa).is_accepted());
}

#[test]
fn beliefs_that_fade_may_come_back() {
    // A1 fades below τ, but what is believed of A2 besides adds up: the word is accepted, though no tree is believed in.
    let logit = |belief: f32| (belief / (1.0 - belief)).ln();
    let layout = Layout::new(Shape::Nfa, 2, 2);
    let mut parameters = vec![-30.0; layout.len()];
    for (at, belief) in [
        (layout.terminal(0, 0), 0.99),
        (layout.step(0, 0, 0), 0.951),
        (layout.terminal(0, 1), 0.5),
        (layout.step(0, 1, 1), 0.9),
        (layout.step(1, 1, 0), 0.99),
        (layout.step(1, 1, 1), 0.9),
    ] {
        parameters[at] = logit(belief);
    }
    parameters[layout.last(1)] = 30.0;
    let model = Model::new(letters(2), layout, parameters);
    let [a, b] = [Letter::new(0), Letter::new(1)];
    let forest = Forest::of_model(&model, &[a, a, a, b], TAU, Direction::Left);
    let beliefs = Beliefs::of_model(&model, &[a, a, a, b], Direction::Left).unwrap();
    assert!(beliefs.u(2).unwrap()[0] < TAU && beliefs.confidence() >= TAU);
    assert_eq!((forest.is_accepted(), forest.rejection(), forest.count()), (true, None, BigUint::ZERO));
    assert_eq!((1..=4).map(|i| forest.fired(i).count()).collect::<Vec<_>>(), [1, 1, 0, 0]);
    // Where belief never comes back, the word is dead.
    let forest = Forest::of_model(&model, &[a, b, a, a], TAU, Direction::Left);
    assert_eq!(forest.rejection(), Some(Rejection::Unsure), "0.9 · 0.9 of A2 is left");
    let forest = Forest::of_model(&model, &[a, a, b, b, b], 0.5, Direction::Left);
    assert!(forest.is_accepted());
    let forest = Forest::of_model(&model, &[b, a, a], TAU, Direction::Left);
    assert_eq!(forest.rejection(), Some(Rejection::Died { index: 0 }));
}

proptest! {
    #[test]
    fn a_forest_holds_every_derivation_once(grammar in grammar()) {
        let normal = grammar.normalized();
        let nfa = grammar.to_nfa();
        for word in all_words(grammar.alphabet(), 6) {
            let forest = Forest::of_grammar(&grammar, &word);
            prop_assert_eq!(forest.is_accepted(), nfa.accepts(&word));
            prop_assert_eq!(forest.rejection().is_none(), nfa.accepts(&word));
            let read = if grammar.direction() == Direction::Left { word.clone() } else { word.reversed() };
            let count = naive_count(&normal, &read, read.len(), normal.start());
            prop_assert_eq!(forest.count(), BigUint::from(count));
            assert_derivations(&forest, &word)?;
        }
    }

    #[test]
    fn every_prefix_has_the_trees_that_it_has_as_a_word(grammar in grammar(), seed in any::<u64>()) {
        let word = Numbers(seed).word(2, 7);
        let forest = Forest::of_grammar(&grammar, &word);
        let beliefs = Beliefs::of_grammar(&grammar, &word);
        let read = if grammar.direction() == Direction::Left { word.clone() } else { word.reversed() };
        for i in 0..=word.len() {
            for a in grammar.nonterminals() {
                let count = naive_count(forest.grammar(), &read, i, a);
                prop_assert_eq!(forest.count_at(i, a), BigUint::from(count));
                prop_assert_eq!(forest.trees_at(i, a).count() as u64, count);
                prop_assert!(forest.trees_at(i, a).all(|tree| tree.root() == a && tree.word().len() == i));
                prop_assert_eq!(forest.after(i).any(|b| b == a), count > 0);
                if i > 0 {
                    prop_assert_eq!(beliefs.u(i).unwrap()[a.index()] == 1.0, count > 0);
                }
            }
        }
        prop_assert_eq!(beliefs.confidence() == 1.0, forest.is_accepted());
    }

    #[test]
    fn the_nodes_are_those_that_the_trees_are_built_on(grammar in grammar(), seed in any::<u64>()) {
        let word = Numbers(seed).word(2, 6);
        let forest = Forest::of_grammar(&grammar, &word);
        let mut met = BTreeSet::new();
        for tree in forest.trees_at(word.len(), forest.grammar().start()) {
            let mut i = word.len();
            for production in tree.productions() {
                met.insert((i, production.head));
                prop_assert!(forest.options(i, production.head).any(|option| option == *production));
                i -= usize::from(production.body.letter().is_some());
            }
        }
        prop_assert!(forest.nodes().eq(met));
    }

    #[test]
    fn a_model_believes_what_the_definition_says(
        n in 1..=3_usize, is_dfa in any::<bool>(), scale in 1.0..12.0_f32, tau in 0.1..0.99_f64, seed in any::<u64>(),
    ) {
        let shape = if is_dfa { Shape::Dfa } else { Shape::Nfa };
        let model = random_model(shape, n, 2, scale, seed);
        let weights = model.weights();
        let preferred = (0..n).rev().max_by(|&a, &b| weights.last[a].total_cmp(&weights.last[b])).unwrap();
        for word in all_words(model.alphabet(), 5).into_iter().skip(1) {
            let naive = Naive { model: &model, weights: weights.clone(), word: &word };
            let beliefs = Beliefs::of_model(&model, &word, Direction::Left).unwrap();
            let forest = Forest::of_model(&model, &word, tau, Direction::Left);
            let length = word.len();
            for k in 0..n {
                prop_assert!((beliefs.u(length).unwrap()[k] - naive.u(length, k)).abs() < 1e-12);
                let expected = BigUint::from(naive.count(length, k, tau));
                prop_assert_eq!(forest.count_at(length, Nonterminal::new(k + 1)), expected);
            }
            let o: f64 = (0..n).map(|k| weights.last[k] * naive.u(length, k)).sum();
            prop_assert!((beliefs.confidence() - o).abs() < 1e-12);
            prop_assert_eq!(forest.is_accepted(), o >= tau);
            prop_assert_eq!(forest.rejection().is_none(), o >= tau);
            let ends = (0..n).filter(|&k| if is_dfa { weights.last[k] >= tau } else { k == preferred });
            let believed = ends.filter(|&k| o >= tau && naive.u(length, k) >= tau);
            let expected: u64 = believed.map(|k| naive.count(length, k, tau)).sum();
            prop_assert_eq!(forest.count(), BigUint::from(expected));
            if let Some(Rejection::Died { index }) = forest.rejection() {
                let later = (index..length).flat_map(|i| beliefs.u(i + 1).unwrap().to_vec());
                prop_assert!(later.into_iter().all(|u| u < tau && u <= 1.0 - tau));
            }
            assert_derivations(&forest, &word)?;
        }
    }

    #[test]
    fn a_sure_model_parses_as_its_grammar_does(n in 1..=4_usize, seed in any::<u64>()) {
        let mut numbers = Numbers(seed);
        let layout = Layout::new(Shape::Nfa, n, 2);
        let mut parameters: Vec<f32> =
            (0..layout.len()).map(|_| if numbers.below(3) == 0 { 30.0 } else { -30.0 }).collect();
        // The start selector, too, is sure: of one.
        let start = numbers.below(n);
        (0..n).for_each(|k| parameters[layout.last(k)] = if k == start { 30.0 } else { -30.0 });
        let model = Model::new(letters(2), layout, parameters);
        let grammar = extract(&model, Reading { keep_unused: true, ..Reading::of(Shape::Nfa) });
        for word in all_words(model.alphabet(), 4) {
            let (by_model, by_grammar) = (Forest::of_model(&model, &word, TAU, Direction::Left), Forest::of_grammar(&grammar, &word));
            prop_assert_eq!(by_model.grammar(), &grammar);
            prop_assert_eq!(by_model.rejection(), by_grammar.rejection());
            prop_assert_eq!(by_model.count(), by_grammar.count());
            prop_assert!(by_model.trees().take(500).eq(by_grammar.trees().take(500)));
        }
    }
}

/// The matrices say what the beliefs are: u_1 is the column of P_T, then each P_N^k's column dotted with what was before.
fn assert_queried(matrices: &Matrices, beliefs: &Beliefs, shown: &[usize], word: &[Letter], clamp: bool) {
    let n = matrices.names().len();
    let mut u: Vec<f64> = Vec::new();
    for (i, &c) in word.iter().enumerate() {
        let entry = |k: usize| match i {
            0 => matrices.terminal(k, c),
            _ => (0..n).map(|j| matrices.step(k, j, c) * u[j]).sum(),
        };
        u = (0..n).map(entry).map(|u| if clamp { u.min(1.0) } else { u }).collect();
        let expected = beliefs.u(i + 1).unwrap();
        assert!(shown.iter().zip(&u).all(|(&at, u)| (expected[at] - u).abs() < 1e-12), "{u:?} {expected:?}");
    }
    let o: f64 = (0..n).map(|k| matrices.last(k) * u[k]).sum();
    assert!((o.min(1.0) - beliefs.confidence()).abs() < 1e-12);
}

proptest! {
    #[test]
    fn matrices_are_what_words_query(grammar in grammar(), seed in any::<u64>(), is_dfa in any::<bool>()) {
        let word = Numbers(seed).word(2, 6);
        if !word.is_empty() {
            let matrices = Matrices::of_grammar(&grammar);
            let read = if grammar.direction() == Direction::Left { word.clone() } else { word.reversed() };
            let shown: Vec<usize> = matrices.names().iter().map(|name| named(&grammar, name).index()).collect();
            assert_queried(&matrices, &Beliefs::of_grammar(&grammar, &word), &shown, &read, true);

            let model = random_model(if is_dfa { Shape::Dfa } else { Shape::Nfa }, 3, 2, 6.0, seed);
            let beliefs = Beliefs::of_model(&model, &word, Direction::Right).unwrap();
            assert_queried(&Matrices::of_model(&model), &beliefs, &[0, 1, 2], &word.reversed(), !is_dfa);
            // Under the names of a grammar that has fewer non-terminals, the sums are still of all.
            let grammar = extract(&model, Reading::of(model.layout().shape()));
            if let Some(places) = Places::of(&model, &grammar) {
                let (matrices, stands) = Matrices::of_model_in(&model, &grammar, &places);
                assert_queried(&matrices, &beliefs, &stands, &word.reversed(), !is_dfa);
            }
        }
    }

    #[test]
    fn a_mirrored_model_parses_mirrored_words(n in 1..=3_usize, seed in any::<u64>(), tau in 0.1..0.99_f64) {
        let model = random_model(Shape::Nfa, n, 2, 8.0, seed);
        let word = Numbers(seed ^ 1).word(2, 6);
        let forwards = Forest::of_model(&model, &word, tau, Direction::Left);
        let backwards = Forest::of_model(&model, &word.reversed(), tau, Direction::Right);
        prop_assert_eq!(backwards.grammar(), &forwards.grammar().reversed());
        prop_assert_eq!(forwards.count(), backwards.count());
        prop_assert!(backwards.trees().take(50).all(|tree| tree.word() == word.reversed()));
        let mirrored = backwards.rejection().map(|rejection| match rejection {
            Rejection::Died { index } => Rejection::Died { index: word.len() - 1 - index },
            other => other,
        });
        prop_assert_eq!(forwards.rejection(), mirrored);
    }

    #[test]
    fn ambiguity_is_what_counting_trees_says(grammar in grammar()) {
        let several = |word: &Word| Forest::of_grammar(&grammar, word).count() > BigUint::from(1_u32);
        let first = all_words(grammar.alphabet(), 8).into_iter().find(several);
        let found = ambiguous_word(&grammar);
        if let Some(word) = &found {
            prop_assert!(several(word));
        }
        prop_assert_eq!(found.filter(|word| word.len() <= 8), first);
    }
}

#[test]
fn many_nonterminals_parse_as_few_do() {
    for n in [64, 65, 130] {
        // A chain A1 → a, A2 → A1 a, …, and a second way into the last from the first.
        let name = |k: usize| format!("A{k}");
        let mut text = format!("S -> {}\nA1 -> a\n", name(n));
        for k in 2..=n {
            text += &format!("{} -> {} a\n", name(k), name(k - 1));
        }
        text += &format!("{} -> A1 a\n{} -> {} a\n", name(n), name(n), name(n));
        let grammar = grammar_text::read(&text).unwrap();
        let forest = Forest::of_grammar(&grammar, &word(grammar.alphabet(), &"a".repeat(n)));
        assert_eq!(forest.count(), BigUint::from(2_u32));
        assert_eq!(forest.trees().count(), 2);
        assert_eq!(forest.after(n).map(|a| grammar.name(a).to_owned()).collect::<Vec<_>>(), ["S".to_owned(), name(n)]);
    }
}

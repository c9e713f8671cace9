//! Models read off as grammars, against brute force.

mod common;

use std::collections::BTreeSet;

use automata::formats::grammar_text;
use automata::{
    Body, Dfa, Direction, Grammar, Letter, Nonterminal, Production, Word, determinize, equivalent, minimize,
};
use common::languages::{all_words, dfa_of, grammar};
use common::{Numbers, examples, letters, naive_errors, paper, sample, word};
use induction::confidence::named_as;
use induction::extraction::{Extracted, Reading, best_threshold, extract};
use induction::model::{Layout, Model, Shape};
use induction::parse::{Forest, Matrices};
use induction::{Sample, errors};
use proptest::prelude::*;

const KEPT: Reading = Reading { threshold: 0.95, empty_word: false, keep_unused: true };

/// The grammar over S, A1, A2, … with these productions (head, body), `None` for A_k → c.
fn named(n: usize, t: usize, steps: &[(usize, Option<usize>, usize)], ends: &[usize]) -> Grammar {
    let steps = steps.iter().map(|&(k, i, c)| {
        let body = match i {
            None => Body::Letter(Letter::new(c)),
            Some(i) => Body::Step(Nonterminal::new(i + 1), Letter::new(c)),
        };
        Production { head: Nonterminal::new(k + 1), body }
    });
    let start = Nonterminal::new(0);
    let ends = ends.iter().map(|k| Production { head: start, body: Body::Unit(Nonterminal::new(k + 1)) });
    let names = std::iter::once("S".to_owned()).chain((1..=n).map(|k| format!("A{k}"))).collect();
    Grammar::new(letters(t), Direction::Left, names, start, steps.chain(ends))
}

/// Each production with probability one in `rarity`, and a model that believes in it: ±8 and noise.
fn noisy(n: usize, t: usize, rarity: usize, seed: u64) -> (Grammar, Model) {
    let mut numbers = Numbers(seed);
    let layout = Layout::new(Shape::Nfa, n, t);
    let mut parameters = vec![0.0; layout.len()];
    let mut steps = Vec::new();
    for c in 0..t {
        for k in 0..n {
            for i in std::iter::once(None).chain((0..n).map(Some)) {
                let at = i.map_or(layout.terminal(c, k), |i| layout.step(c, k, i));
                let is_there = numbers.below(rarity) == 0;
                parameters[at] = if is_there { 8.0 } else { -8.0 } + 4.0 * numbers.signed();
                if is_there {
                    steps.push((k, i, c));
                }
            }
        }
    }
    let start = numbers.below(n);
    for k in 0..n {
        parameters[layout.last(k)] = if k == start { 2.0 } else { numbers.signed() };
    }
    (named(n, t, &steps, &[start]), Model::new(letters(t), layout, parameters))
}

/// A model whose beliefs are anywhere.
fn blunt(shape: Shape, n: usize, t: usize, seed: u64) -> Model {
    let mut numbers = Numbers(seed);
    let layout = Layout::new(shape, n, t);
    Model::new(letters(t), layout, (0..layout.len()).map(|_| 3.0 * numbers.signed()).collect())
}

fn random_sample(t: usize, words: usize, longest: usize, seed: u64) -> Sample {
    let mut numbers = Numbers(seed);
    let rows = (0..words).map(|_| (numbers.word(t, longest), numbers.below(2) == 0)).collect();
    sample(&letters(t), rows)
}

/// The wrong examples of a grammar, each word run through its automaton.
fn recount(grammar: &Grammar, sample: &Sample) -> u64 {
    let dfa = determinize(&grammar.to_nfa(), 1 << 16).unwrap();
    naive_errors(sample, |word| dfa.accepts(word))
}

#[test]
fn noise_around_sure_beliefs_changes_nothing() {
    for n in [1, 2, 5, 63, 64, 65, 130] {
        let (grammar, model) = noisy(n, 2, 3, n as u64);
        assert_eq!(extract(&model, KEPT), grammar);
        assert_eq!(extract(&model, Reading { keep_unused: false, ..KEPT }), grammar.trimmed());
        let empty = Production { head: grammar.start(), body: Body::Empty };
        let with_empty = extract(&model, Reading { empty_word: true, ..KEPT });
        let expected: BTreeSet<_> = grammar.productions().iter().copied().chain([empty]).collect();
        assert!(with_empty.productions().iter().copied().eq(expected));
        assert!(with_empty.to_nfa().accepts(&[]));
        assert!(!grammar.to_nfa().accepts(&[]));
    }
}

#[test]
fn the_paper_s_model_gives_the_paper_s_grammar() {
    let (grammar, model) = paper(common::PAPER);
    let extracted = extract(&model, Reading::of(Shape::Nfa));
    let text = automata::formats::grammar_text::write(&extracted);
    assert_eq!(text, "S -> A2\nA1 -> a\nA1 -> b\nA1 -> A1 a\nA1 -> A1 b\nA2 -> c\nA2 -> A1 c\nA2 -> A2 c\n");
    for word in all_words(grammar.alphabet(), 6) {
        assert_eq!(extracted.to_nfa().accepts(&word), grammar.to_nfa().accepts(&word));
    }
}

#[test]
fn a_belief_that_equals_the_threshold_reaches_it_and_the_first_of_equal_choices_counts() {
    let layout = Layout::new(Shape::Nfa, 3, 1);
    let half = Model::new(letters(1), layout, vec![0.0; layout.len()]);
    let all = extract(&half, Reading { threshold: 0.5, ..KEPT });
    assert_eq!(all.productions().len(), 3 + 9 + 1);
    assert_eq!(all.productions()[0], Production { head: all.start(), body: Body::Unit(Nonterminal::new(1)) });
    assert_eq!(extract(&half, Reading { threshold: 0.5001, ..KEPT }).productions().len(), 1);

    let layout = Layout::new(Shape::Dfa, 3, 1);
    let even = Model::new(letters(1), layout, vec![0.0; layout.len()]);
    let grammar = extract(&even, Reading { keep_unused: true, ..Reading::of(Shape::Dfa) });
    let steps = [(0, None, 0), (0, Some(0), 0), (0, Some(1), 0), (0, Some(2), 0)];
    assert_eq!(grammar, named(3, 1, &steps, &[0, 1, 2]));
}

#[test]
fn parameters_that_are_no_numbers_are_read_as_no_belief() {
    for shape in [Shape::Nfa, Shape::Dfa] {
        let layout = Layout::new(shape, 2, 2);
        let model = Model::new(letters(2), layout, vec![f32::NAN; layout.len()]);
        let sample = sample(&letters(2), vec![(word(&letters(2), "ab"), true)]);
        assert_eq!(best_threshold(&model, &sample, Reading::of(shape)).errors, 1);
    }
}

/// What is wrong at every threshold that reads differently.
fn fewest_errors(model: &Model, sample: &Sample, own: f64) -> u64 {
    let weights = model.weights();
    let decided = match model.layout().shape() {
        Shape::Nfa => [weights.terminal, weights.step].concat(),
        Shape::Dfa => weights.last,
    };
    let at = |threshold| recount(&extract(model, Reading { threshold, ..KEPT }), sample);
    decided.into_iter().chain([own, 1.0]).map(at).min().unwrap()
}

#[test]
fn a_blunt_model_is_read_at_the_threshold_that_its_examples_ask_for() {
    let (grammar, model) = paper(common::PAPER);
    // Sure of nothing: 0.69 for what is there, 0.31 for what is not.
    let parameters = model.parameters().iter().map(|x| x / 50.0).collect();
    let model = Model::new(model.alphabet().clone(), model.layout(), parameters);
    let words = all_words(grammar.alphabet(), 5);
    let rows = words.into_iter().map(|word| (word.clone(), grammar.to_nfa().accepts(&word))).collect();
    let sample = sample(grammar.alphabet(), rows);

    let usual = Reading::of(Shape::Nfa);
    assert!(errors(&extract(&model, usual), &sample) > 0);
    let Extracted { threshold, errors: wrong, grammar: found } = best_threshold(&model, &sample, usual);
    assert_eq!(wrong, 0);
    assert!((threshold - 0.5).abs() < 1e-6, "the middle of the gap between 0.31 and 0.69, not {threshold}");
    let dfa = |grammar: &Grammar| determinize(&grammar.to_nfa(), 100).unwrap();
    assert!(equivalent(&dfa(&found), &dfa(&grammar)));
}

#[test]
fn the_threshold_asked_for_is_kept_when_none_is_better() {
    let (grammar, model) = paper(common::PAPER);
    let alphabet = grammar.alphabet();
    // Nothing reads these right: both cannot be.
    let rows = vec![(word(alphabet, "ac"), true), (word(alphabet, "ac"), false), (word(alphabet, "ab"), false)];
    let sample = sample(alphabet, rows);
    for threshold in [0.95, 0.9, 0.3] {
        let best = best_threshold(&model, &sample, Reading { threshold, ..KEPT });
        assert_eq!((best.threshold, best.errors), (threshold, 1));
    }
}

#[test]
fn of_equally_good_gaps_the_widest_is_taken() {
    // Beliefs 0.1, 0.2, 0.6, 0.7 in A1 → a, b, c, d; accepting c is asked for, rejecting a too, b does not matter.
    let layout = Layout::new(Shape::Nfa, 1, 4);
    let mut parameters = vec![-40.0; layout.len()];
    for (c, belief) in [0.1_f32, 0.2, 0.6, 0.7].into_iter().enumerate() {
        parameters[layout.terminal(c, 0)] = (belief / (1.0 - belief)).ln();
    }
    let model = Model::new(letters(4), layout, parameters);
    let rows = [("a", false), ("c", true)].map(|(text, label)| (word(&letters(4), text), label));
    let best = best_threshold(&model, &sample(&letters(4), rows.into()), KEPT);
    assert_eq!(best.errors, 0);
    assert!((best.threshold - 0.4).abs() < 1e-6, "{}", best.threshold);
}

#[test]
fn a_belief_of_one_is_told_from_those_below_however_few_there_are() {
    let layout = Layout::new(Shape::Nfa, 1, 2);
    let mut parameters = vec![-40.0; layout.len()];
    parameters[layout.terminal(0, 0)] = 40.0;
    parameters[layout.terminal(1, 0)] = 5.0;
    let model = Model::new(letters(2), layout, parameters);
    let rows = [("a", true), ("b", false)].map(|(text, label)| (word(&letters(2), text), label));
    let best = best_threshold(&model, &sample(&letters(2), rows.into()), KEPT);
    assert_eq!(best.errors, 0);
    assert!(best.threshold > 0.99 && best.threshold < 1.0);
}

#[test]
fn many_nonterminals_are_replayed_as_few_are() {
    for n in [1, 63, 64, 65, 128, 130, 300] {
        // About one successor for each non-terminal and letter, so that sets neither die nor fill.
        let (grammar, model) = noisy(n, 2, n, 7 + n as u64);
        let sample = random_sample(2, 400, 12, n as u64);
        let best = best_threshold(&model, &sample, KEPT);
        let nfa = best.grammar.to_nfa();
        assert_eq!(best.errors, naive_errors(&sample, |word| nfa.accepts(word)), "n' = {n}");
        let nfa = grammar.to_nfa();
        let empty = u64::from(sample.empty_word().accepted);
        assert_eq!(errors(&grammar, &sample), empty + naive_errors(&sample, |word| nfa.accepts(word)), "n' = {n}");
    }
}

#[test]
fn many_beliefs_are_swept_without_trying_all() {
    for (shape, n) in [(Shape::Nfa, 65), (Shape::Dfa, 130)] {
        let model = blunt(shape, n, 2, 3);
        let sample = random_sample(2, 300, 8, 5);
        let best = best_threshold(&model, &sample, Reading::of(shape));
        let nfa = best.grammar.to_nfa();
        assert_eq!(best.errors, naive_errors(&sample, |word| nfa.accepts(word)));
        assert!(best.errors <= naive_errors(&sample, |word| extract(&model, KEPT).to_nfa().accepts(word)));
    }
}

#[test]
fn a_letter_is_known_by_its_name() {
    let sample = Sample::new(&examples(&letters(3), &["+ca", "-c", "-ab", "+"]), false).unwrap();
    let grammar = automata::formats::grammar_text::read("S -> c\nS -> S a\n").unwrap();
    assert_eq!(errors(&grammar, &sample), 2, "c is accepted, the empty word is not");
    let layout = Layout::new(Shape::Nfa, 1, 2);
    let mut parameters = vec![-8.0; layout.len()];
    parameters[layout.terminal(1, 0)] = 8.0;
    parameters[layout.step(0, 0, 0)] = 8.0;
    let model = Model::new(grammar.alphabet().clone(), layout, parameters);
    assert_eq!(best_threshold(&model, &sample, KEPT).errors, 1);
}

/// A model that goes where the automaton goes; both begin in the first state.
fn like(dfa: &Dfa, seed: u64) -> Model {
    let mut numbers = Numbers(seed);
    let layout = Layout::new(Shape::Dfa, dfa.len(), dfa.alphabet().len());
    let mut parameters: Vec<f32> = (0..layout.len()).map(|_| numbers.signed()).collect();
    for (from, letter, to) in dfa.transitions() {
        parameters[layout.step(letter.index(), to.index(), from.index())] += 4.0;
    }
    for state in dfa.states() {
        parameters[layout.last(state.index())] += if dfa.is_accepting(state) { 1.5 } else { -1.5 };
    }
    Model::new(dfa.alphabet().clone(), layout, parameters)
}

proptest! {
    #[test]
    fn a_deterministic_model_gives_its_automaton(dfa in dfa_of(7), seed in any::<u64>()) {
        prop_assume!(!dfa.alphabet().is_empty());
        let dfa = minimize(&dfa);
        let model = like(&dfa, seed);
        let empty_word = dfa.is_accepting(dfa.initial());
        for keep_unused in [false, true] {
            let grammar = extract(&model, Reading { empty_word, keep_unused, ..Reading::of(Shape::Dfa) });
            prop_assert!(equivalent(&determinize(&grammar.to_nfa(), 1000).unwrap(), &dfa));
        }
        // One way from each non-terminal on each letter, and one from where words begin.
        let kept = extract(&model, Reading { keep_unused: true, ..Reading::of(Shape::Dfa) });
        let ends = dfa.accepting().count();
        prop_assert_eq!(kept.productions().len(), (dfa.len() + 1) * dfa.alphabet().len() + ends);
    }

    #[test]
    fn the_best_threshold_is_the_best(
        n in 1..=3_usize, t in 1..=2_usize, is_dfa in any::<bool>(), seed in any::<u64>(), own in 0.05..0.99_f64,
    ) {
        // Small enough that every gap is tried.
        let model = blunt(if is_dfa { Shape::Dfa } else { Shape::Nfa }, n, t, seed);
        let sample = random_sample(t, 30, 6, seed ^ 1);
        let best = best_threshold(&model, &sample, Reading { threshold: own, ..KEPT });
        prop_assert_eq!(&best.grammar, &extract(&model, Reading { threshold: best.threshold, ..KEPT }));
        prop_assert_eq!(best.errors, recount(&best.grammar, &sample));
        prop_assert_eq!(best.errors, fewest_errors(&model, &sample, own));
        let of_own = recount(&extract(&model, Reading { threshold: own, ..KEPT }), &sample);
        prop_assert_eq!(best.threshold == own, of_own == best.errors);
    }

    #[test]
    fn errors_of_any_grammar_are_those_of_its_automaton(grammar in grammar(), seed in any::<u64>()) {
        let sample = random_sample(2, 60, 7, seed);
        let nfa = grammar.to_nfa();
        let empty = sample.empty_word();
        let of_empty = if nfa.accepts(&Word::empty()) { empty.rejected } else { empty.accepted };
        prop_assert_eq!(errors(&grammar, &sample), u64::from(of_empty) + recount(&grammar, &sample));
    }
}

/// What is left out leaves no gap: the grammar has A1 and A2, though the model uses its second and fourth.
#[test]
fn names_have_no_gaps_and_the_model_is_told_by_them() {
    let layout = Layout::new(Shape::Nfa, 4, 2);
    let mut parameters = vec![-8.0; layout.len()];
    for at in [layout.terminal(0, 3), layout.step(1, 1, 3), layout.step(1, 1, 1), layout.last(1)] {
        parameters[at] = 8.0;
    }
    let model = Model::new(letters(2), layout, parameters);
    let grammar = extract(&model, Reading { keep_unused: false, ..KEPT });
    assert_eq!(grammar_text::write(&grammar), "S -> A1\nA1 -> A1 b\nA1 -> A2 b\nA2 -> a\n");
    let named = named_as(model, &grammar);
    assert_eq!(named.names(), ["M1", "A1", "M3", "A2"]);
    let back = Model::from_safetensors(&named.to_safetensors()).unwrap();
    assert_eq!(back, named);
    let forest = Forest::of_model(&back, &[Letter::new(0), Letter::new(1)], 0.95, Direction::Left);
    assert_eq!(forest.trees().next().unwrap().to_string(), "A1(A2(a) b)");
    assert_eq!(Matrices::of_model(&back).names(), named.names());
}

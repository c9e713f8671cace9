//! Evidence against doing it the long way: every derivation listed, every production taken away in turn.

mod common;

use automata::{Alphabet, Direction, Grammar, Letter, Production, Word};
use common::languages::{all_words, grammar};
use common::{Numbers, PAPER, letters, naive_count, paper, sample};
use induction::Sample;
use induction::confidence::Places;
use induction::evidence::{Evidence, Examples, NAMED, weigh};
use induction::model::{Layout, Model, Shape};
use induction::parse::Forest;
use proptest::prelude::*;

/// A grammar without some of its productions.
fn without(grammar: &Grammar, gone: &[Production]) -> Grammar {
    let names = grammar.nonterminals().map(|a| grammar.name(a).to_owned()).collect();
    let kept = grammar.productions().iter().filter(|p| !gone.contains(p)).copied();
    Grammar::new(grammar.alphabet().clone(), grammar.direction(), names, grammar.start(), kept)
}

/// Whether a grammar in normal form derives a word.
fn derives(grammar: &Grammar, word: &[Letter]) -> bool {
    let mut read = word.to_vec();
    if grammar.direction() == Direction::Right {
        read.reverse();
    }
    naive_count(grammar, &read, read.len(), grammar.start()) > 0
}

fn those(sample: &Sample, accepted: bool, holds: impl Fn(&[Letter]) -> bool) -> Examples {
    let times = |counts: automata::Counts| if accepted { counts.accepted } else { counts.rejected };
    let rows = || sample.rows().filter(|(word, counts)| times(*counts) > 0 && holds(word));
    Examples {
        count: rows().map(|(_, counts)| u64::from(times(counts))).sum(),
        first: rows().take(NAMED).map(|(word, _)| Word::from(word.to_vec())).collect(),
    }
}

/// What is said of a production, from the definitions.
fn naive(grammar: &Grammar, one: &Evidence, sample: &Sample) -> Evidence {
    let is_meant = |p: &Production| one.productions.contains(p);
    let smaller = without(grammar, &one.productions);
    let flips = |word: &[Letter]| derives(grammar, word) && !derives(&smaller, word);
    let uses = |word: &[Letter]| {
        let forest = Forest::of_grammar(grammar, word);
        forest.trees_at(word.len(), grammar.start()).any(|tree| tree.productions().iter().any(is_meant))
    };
    let fires = |word: &[Letter]| {
        let forest = Forest::of_grammar(grammar, word);
        (1..=word.len()).any(|i| forest.after(i).any(|a| forest.options(i, a).any(|p| is_meant(&p))))
    };
    Evidence {
        used: those(sample, true, uses),
        lost: those(sample, true, flips),
        mended: those(sample, false, flips),
        reached: those(sample, false, |word| !derives(grammar, word) && fires(word)),
        ..one.clone()
    }
}

/// Labels that do not always tell the truth, some words twice.
fn labelled(grammar: &Grammar, alphabet: &Alphabet, seed: u64) -> Sample {
    let mut numbers = Numbers(seed);
    let mut rows = Vec::new();
    for word in all_words(grammar.alphabet(), 5) {
        for _ in 0..numbers.below(3) {
            rows.push((word.clone(), derives(grammar, &word) != (numbers.below(6) == 0)));
        }
    }
    sample(alphabet, rows)
}

proptest! {
    #[test]
    fn evidence_is_what_taking_productions_away_says(grammar in grammar(), seed in any::<u64>()) {
        let grammar = grammar.normalized();
        let sample = labelled(&grammar, grammar.alphabet(), seed);
        let evidence = weigh(&grammar, None, &sample).unwrap();
        let weighed: Vec<Production> = evidence.iter().flat_map(|one| one.productions.clone()).collect();
        prop_assert_eq!(&weighed, grammar.productions());
        for one in &evidence {
            prop_assert_eq!(one, &naive(&grammar, one, &sample));
        }
    }
}

#[test]
fn more_productions_than_a_block_of_bits_are_weighed_alike() {
    // A path of 100 letters with a way round every other one.
    let mut text = "S -> A100\nA1 -> a\n".to_owned();
    for k in 2..=100 {
        text += &format!("A{k} -> A{} a\n", k - 1);
        if k % 2 == 0 {
            text += &format!("B{k} -> A{} a\nA{k} -> A{} b\n", k - 1, k - 1);
        }
    }
    let grammar = automata::formats::grammar_text::read(&text).unwrap();
    let word = |letter: &str| grammar.alphabet().read(&(letter.to_owned() + &"a".repeat(99))).unwrap();
    let sample = sample(grammar.alphabet(), vec![(word("a"), true), (word("b"), false)]);
    let evidence = weigh(&grammar, None, &sample).unwrap();
    let of = |text: &str| evidence.iter().find(|one| one.text == text).unwrap();
    assert_eq!((of("A77 -> A76 a").used.count, of("A77 -> A76 a").lost.count), (1, 1));
    assert_eq!((of("A76 -> A75 b").used.count, of("B76 -> A75 a").used.count), (0, 0));
    assert_eq!(of("S -> A100").lost.first, [word("a")]);
    assert!(evidence.iter().all(|one| one.reached.count == 0), "b begins nothing");
}

#[test]
fn a_class_is_one_line_and_has_the_words_as_they_were() {
    let grammar = automata::formats::grammar_text::read("S -> A\nA -> [0-4]\nA -> [5-9]\nA -> A [0-4]\n").unwrap();
    let digits = Alphabet::of_chars("0123456789x");
    let word = |text: &str| digits.read(text).unwrap();
    let sample = sample(&digits, vec![(word("7"), true), (word("31"), true), (word("37"), false), (word("1x"), false)]);
    let evidence = weigh(&grammar, None, &sample).unwrap();
    let texts: Vec<&str> = evidence.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["S -> A", "A -> [0-9]", "A -> A [0-4]"]);
    assert_eq!(evidence[1].lost.first, [word("7"), word("31")]);
    assert_eq!(evidence[1].reached.first, [word("1x"), word("37")]);
    assert_eq!((evidence[2].used.count, evidence[2].reached.count), (1, 0));
}

#[test]
fn a_model_s_confidence_is_that_of_its_names() {
    let (_, model) = paper(PAPER);
    let text = "S -> A2\nA1 -> a\nA1 -> b\nA1 -> A1 a\nA1 -> A1 b\nA2 -> c\nA2 -> A1 c\nA2 -> A2 c\n";
    let grammar = automata::formats::grammar_text::read(text).unwrap();
    let sample = sample(&letters(3), vec![(letters(3).read("ac").unwrap(), true)]);
    let evidence = weigh(&grammar, Some(&model), &sample).unwrap();
    assert!(evidence.iter().all(|one| one.confidence.is_some_and(|sure| sure > 0.999)), "{evidence:?}");

    // One production that the model does not have is told as it is; a grammar with other names is not of this model.
    let mended = automata::formats::grammar_text::read(&format!("{text}S -> ε\nA2 -> A2 b\n")).unwrap();
    let evidence = weigh(&mended, Some(&model), &sample).unwrap();
    let of = |text: &str| evidence.iter().find(|one| one.text == text).unwrap().confidence;
    assert!(of("A2 -> A2 b").is_some_and(|sure| sure < 0.001));
    assert_eq!(of("S -> ε"), None);
    // Whatever the names are, if the productions are those of the model; others have no place in it.
    let other = text.replace("A1", "X").replace("A2", "A1");
    let other = automata::formats::grammar_text::read(&other).unwrap();
    let places = Places::of(&model, &other).unwrap();
    let place = |name: &str| other.nonterminals().find(|&a| other.name(a) == name).and_then(|a| places.place(a));
    assert_eq!([place("X"), place("A1"), place("S")], [Some(0), Some(1), None]);
    for strange in ["S -> a | S b", "S -> A | B | C\nA -> a\nB -> b\nC -> c", "S -> A\nA -> z | A z", "S -> ε"] {
        let strange = automata::formats::grammar_text::read(strange).unwrap();
        assert_eq!(Places::of(&model, &strange), None);
    }
    let unbelieved = "S -> A\nB -> c | B a | A a\nA -> B b | A b\n";
    assert_eq!(Places::of(&model, &automata::formats::grammar_text::read(unbelieved).unwrap()), None);
}

#[test]
fn many_nonterminals_find_their_places() {
    // A cycle of nine in a model of ten, read off in another order.
    let layout = Layout::new(Shape::Nfa, 10, 2);
    let mut parameters = vec![-20.0; layout.len()];
    parameters[layout.terminal(0, 3)] = 20.0;
    let around = [3, 7, 1, 9, 0, 4, 8, 2, 6];
    for (i, &k) in around.iter().enumerate() {
        parameters[layout.step(i % 2, around[(i + 1) % 9], k)] = 20.0;
    }
    parameters[layout.last(6)] = 20.0;
    let model = Model::new(letters(2), layout, parameters);
    let mut text = "S -> B8\nB0 -> a\n".to_owned();
    for i in 0..9 {
        text += &format!("B{} -> B{i} {}\n", (i + 1) % 9, ["a", "b"][i % 2]);
    }
    let grammar = automata::formats::grammar_text::read(&text).unwrap();
    let places = Places::of(&model, &grammar).unwrap();
    let weights = model.weights();
    let is_sure = |p: &automata::Production| places.confidence(&weights, *p).is_some_and(|sure| sure > 0.9);
    assert!(grammar.productions().iter().all(is_sure));
}

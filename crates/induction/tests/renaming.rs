//! What a language costs and what is learned depend on the examples alone: not on their order, nor on the names of letters.

mod common;

use automata::{Dfa, Examples, Fact, Formula, Gap, Label, Letter, Literal, Pattern, Regex, RegexNode, Word};
use common::letters;
use induction::Sample;
use induction::learner::{Engine, Learner, Settings, Stop};
use induction::measure::{automaton_bits, expression_bits, formula_bits};
use induction::selection::{Candidate, Origin};
use proptest::prelude::*;

const LETTERS: usize = 3;

/// An automaton of three states from a row of numbers.
fn automaton(cells: &[usize], accepting: usize, order: &[usize]) -> Dfa {
    let mut rows = vec![vec![None; LETTERS]; 3];
    for (i, &to) in cells.iter().enumerate() {
        rows[i / LETTERS][order[i % LETTERS]] = Some(to);
    }
    Dfa::new(letters(LETTERS), 0, (0..3).filter(|state| accepting >> state & 1 == 1), &rows).unwrap()
}

fn renamed(word: &[usize], order: &[usize]) -> Word {
    word.iter().map(|&letter| Letter::new(order[letter])).collect()
}

/// The words with the labels of an automaton, with letters renamed in this order.
fn sample(words: &[Vec<usize>], dfa: &Dfa, order: &[usize]) -> Sample {
    let rows = words.iter().map(|word| {
        let word = renamed(word, order);
        let label = Label::from(dfa.accepts(&word));
        (word, label)
    });
    Sample::new(&Examples::of(dfa.alphabet(), rows), false).unwrap()
}

fn orders() -> impl Strategy<Value = Vec<usize>> {
    Just((0..LETTERS).collect::<Vec<_>>()).prop_shuffle()
}

fn words() -> impl Strategy<Value = Vec<Vec<usize>>> {
    proptest::collection::vec(proptest::collection::vec(0..LETTERS, 1..8), 12..40)
}

fn tables() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0_usize..3, 3 * LETTERS)
}

/// The bits of the answer and its words, if both labels occur.
fn learned(sample: Sample, settings: &Settings) -> Option<(Dfa, f64)> {
    let mut learner = Learner::new(sample, settings.clone(), 1).ok()?;
    learner.learn(&Stop::new()).ok()?;
    let best = learner.pool().best()?;
    Some((best.dfa.clone(), best.total(None)))
}

/// An expression of some depth from a stream of numbers, with letters renamed in this order, and alternatives turned around.
fn expression(numbers: &mut common::Numbers, depth: usize, order: &[usize], turned: bool) -> RegexNode {
    let kind = if depth == 0 { numbers.below(3) } else { numbers.below(7) };
    let mut part = || expression(numbers, depth - 1, order, turned);
    match kind {
        0 | 1 => RegexNode::class(vec![Letter::new(order[numbers.below(3)])]),
        2 => {
            let without = order[numbers.below(3)];
            RegexNode::class((0..LETTERS).filter(|&letter| letter != without).map(Letter::new).collect())
        }
        3 => RegexNode::concat([part(), part()]),
        4 => RegexNode::repeat(part(), 0, None),
        _ => {
            let mut parts = [part(), part(), part()];
            if turned {
                parts.reverse();
            }
            RegexNode::Alt(parts.to_vec())
        }
    }
}

/// Facts of a formula, with letters renamed in this order.
fn literals(numbers: &mut common::Numbers, order: &[usize]) -> Vec<Literal> {
    let mut set = |size: usize| {
        let first = numbers.below(3);
        let mut set: Vec<Letter> = (0..size).map(|i| Letter::new(order[(first + i) % LETTERS])).collect();
        set.sort_unstable();
        set
    };
    let tier = set(2);
    let gap = |without: bool| if without { Gap::Without(tier.clone()) } else { Gap::Free };
    let patterns = [
        (vec![set(1), set(1)], vec![Gap::Free, Gap::Adjacent, Gap::Free], 1),
        (vec![set(1), set(2)], vec![Gap::Free, Gap::Free, Gap::Free], 2),
        (vec![set(1)], vec![Gap::Adjacent, Gap::Free], 1),
        (vec![set(1), set(1)], vec![Gap::Free, gap(true), Gap::Free], 1),
    ];
    let mut facts: Vec<Fact> = patterns
        .into_iter()
        .filter_map(|(places, gaps, least)| Pattern::new(places, gaps, least))
        .map(Fact::Has)
        .collect();
    facts.push(Fact::CountModulo { letters: set(1), modulus: 3, remainder: 1 });
    facts.push(Fact::LengthModulo { modulus: 2, remainder: 0 });
    facts.into_iter().map(|fact| Literal { fact, holds: true }).collect()
}

proptest! {
    /// A language and its words cost the same if letters are renamed, states renumbered, or examples given in another order.
    #[test]
    fn the_measure_depends_on_the_language(
        cells in tables(), accepting in 1_usize..8, order in orders(), words in words(),
    ) {
        let plain: Vec<usize> = (0..LETTERS).collect();
        let (one, other) = (automaton(&cells, accepting, &plain), automaton(&cells, accepting, &order));
        prop_assert!((automaton_bits(&one) - automaton_bits(&other)).abs() < 1e-9);
        // The second and the third state exchanged.
        let exchanged = |state: usize| [0, 2, 1][state];
        let states = [0, 2, 1].into_iter().flat_map(|state| &cells[state * LETTERS..][..LETTERS]);
        let renumbered: Vec<usize> = states.map(|&to| exchanged(to)).collect();
        let end = accepting & 1 | (accepting & 2) << 1 | (accepting & 4) >> 1;
        prop_assert!((automaton_bits(&one) - automaton_bits(&automaton(&renumbered, end, &plain))).abs() < 1e-9);

        // The examples may be wrong about the language.
        let labels = automaton(&cells, 7 - accepting.min(6), &plain);
        let of = |words: &[Vec<usize>], order: &[usize]| {
            let rows = words.iter().map(|word| (renamed(word, order), Label::from(labels.accepts(&renamed(word, &plain)))));
            Sample::new(&Examples::of(&letters(LETTERS), rows), true).unwrap()
        };
        let total = |dfa: &Dfa, sample: &Sample| {
            let candidate = Candidate::from_dfa(dfa, sample, Origin::Given);
            (candidate.total(None), candidate.total(Some(sample.words())))
        };
        let backwards: Vec<Vec<usize>> = words.iter().rev().cloned().collect();
        let (first, second, third) =
            (total(&one, &of(&words, &plain)), total(&other, &of(&words, &order)), total(&one, &of(&backwards, &plain)));
        prop_assert!((first.0 - second.0).abs() < 1e-6 && (first.1 - second.1).abs() < 1e-6, "{:?} {:?}", first, second);
        prop_assert_eq!(first, third);
    }

    /// So do expressions and formulas, in whichever order alternatives and clauses stand.
    #[test]
    fn descriptions_cost_the_same(seed in 0_u64..1_000_000, order in orders()) {
        let plain: Vec<usize> = (0..LETTERS).collect();
        let bits = |order: &[usize], turned: bool| {
            let node = expression(&mut common::Numbers(seed), 3, order, turned);
            expression_bits(&Regex::new(letters(LETTERS), node))
        };
        prop_assert!((bits(&plain, false) - bits(&order, false)).abs() < 1e-9);
        let clauses = |order: &[usize]| {
            let literals = literals(&mut common::Numbers(seed), order);
            literals.chunks(2).map(<[Literal]>::to_vec).collect::<Vec<_>>()
        };
        let bits = |clauses: Vec<Vec<Literal>>| formula_bits(&Formula { every: true, clauses }, LETTERS);
        let known = bits(clauses(&plain));
        prop_assert!((known - bits(clauses(&order))).abs() < 1e-9);
        prop_assert!((known - bits(clauses(&plain).into_iter().rev().collect())).abs() < 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The order of examples decides nothing; nor do the names of letters, of what formulas cost.
    #[test]
    fn learned_languages_depend_on_the_examples(
        cells in tables(), accepting in 1_usize..7, order in orders(), words in words(),
    ) {
        let plain: Vec<usize> = (0..LETTERS).collect();
        let backwards: Vec<Vec<usize>> = words.iter().rev().cloned().collect();
        let (one, other) = (automaton(&cells, accepting, &plain), automaton(&cells, accepting, &order));
        for engine in [Engine::Facts, Engine::Rpni, Engine::Edsm] {
            let settings =
                Settings { engine, ..Settings::default() };
            let known = learned(sample(&words, &one, &plain), &settings);
            prop_assert_eq!(&known, &learned(sample(&backwards, &one, &plain), &settings));
            if engine == Engine::Facts {
                let moved = learned(sample(&words, &other, &order), &settings);
                let bits = [&known, &moved].map(|found| found.as_ref().map(|found| (found.1 * 1e6).round()));
                prop_assert_eq!(bits[0], bits[1]);
            }
        }
    }
}

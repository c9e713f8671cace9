use automata::{Alphabet, Dfa, Examples, Label, Regex, Word, determinize, minimize};
use proptest::prelude::*;

use super::*;
use crate::repair::Scorer;

/// All words over two letters up to this length, labelled by an expression.
fn labelled(pattern: &str, longest: u32) -> (Dfa, Sample) {
    let alphabet = Alphabet::of_chars("ab");
    let truth = minimize(&Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap());
    let words = (1..=longest).flat_map(|length| (0..1_u32 << length).map(move |bits| (length, bits)));
    let word = |(length, bits): (u32, u32)| -> Word {
        (0..length).map(|i| automata::Letter::new((bits >> i & 1) as usize)).collect()
    };
    let rows = words.map(word).map(|word| {
        let label = Label::from(truth.accepts(&word));
        (word, label)
    });
    let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
    (truth, sample)
}

fn language(search: &ProductionSearch, sample: &Sample) -> Dfa {
    let grammar = search.best().to_grammar(sample.alphabet(), false);
    minimize(&determinize(&grammar.to_nfa(), 1000).unwrap())
}

/// The automaton has eight states; the grammar has four non-terminals and a handful of productions.
#[test]
fn finds_a_grammar_that_is_smaller_than_its_automaton() {
    let (truth, sample) = labelled("[ab]*a[ab][ab]", 7);
    let mut search = ProductionSearch::new(&sample, 4, &[], 1).unwrap();
    while search.visits() < 50_000_000 && search.advance(1_000_000) {}
    assert_eq!(truth.len(), 8);
    assert_eq!(language(&search, &sample), truth);
    assert!(search.good().iter().all(|good| {
        let mut scorer = Scorer::new(&sample, false);
        scorer.load(good);
        scorer.errors(good.ends(), u64::MAX) == 0
    }));
}

#[test]
fn threads_change_nothing() {
    let (_, sample) = labelled("(a|bb*a)*b?", 6);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut search = ProductionSearch::new(&sample, 4, &[], 7).unwrap();
            search.advance(500_000);
            (search.best().clone(), search.visits())
        })
    };
    assert_eq!(run(1), run(3));
}

/// Only the empty word: no flip affects any example.
#[test]
fn samples_without_letters_end() {
    let alphabet = Alphabet::of_chars("");
    let rows = vec![(Word::default(), Label::Accepted)];
    let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
    let mut search = ProductionSearch::new(&sample, 2, &[], 0).unwrap();
    while search.advance(10_000) {}
    assert!(ProductionSearch::new(&sample, 65, &[], 0).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Incremental errors equal those of a full replay, and moves do not allocate.
    #[test]
    fn errors_are_those_of_a_replay(
        words in prop::collection::vec((prop::collection::vec(0..3_usize, 1..9), 0..4_u32, 0..4_u32), 1..60),
        nonterminals in 1..11_usize,
        seed in 0..1000_u64,
    ) {
        let alphabet = Alphabet::of_chars("abc");
        let rows = words.iter().flat_map(|(word, accepted, rejected)| {
            let word: Word = word.iter().map(|&letter| automata::Letter::new(letter)).collect();
            let rows = [(Label::Accepted, *accepted), (Label::Rejected, *rejected)];
            rows.into_iter().flat_map(move |(label, times)| vec![(word.clone(), label); times as usize])
        });
        let sample = Sample::new(&Examples::of(&alphabet, rows), true).unwrap();
        let mut search = ProductionSearch::new(&sample, nonterminals, &[], seed).unwrap();
        let room: Vec<usize> = search.walkers.iter().map(Walker::room).collect();
        let mut scorer = Scorer::new(&sample, false);
        for _ in 0..5 {
            search.advance(5_000);
            for walker in &search.walkers {
                scorer.load(walker.now());
                prop_assert_eq!(walker.errors, scorer.errors(walker.now().ends(), u64::MAX));
                scorer.load(&walker.best.productions);
                prop_assert_eq!(walker.best.errors, scorer.errors(walker.best.productions.ends(), u64::MAX));
            }
        }
        prop_assert_eq!(room, search.walkers.iter().map(Walker::room).collect::<Vec<_>>());
    }
}

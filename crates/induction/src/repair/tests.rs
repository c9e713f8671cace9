//! Repair against naive replay.

use automata::formats::abbadingo::{Examples, Label};
use automata::{Alphabet, Letter, Word, determinize, minimize};
use proptest::prelude::*;

use super::*;
use crate::extraction::all_edges;
use crate::replay::errors;
use crate::sample::Sample;

prop_compose! {
    fn grammars()(n in 1_usize..12, t in 1_usize..4)(
        n in Just(n),
        t in Just(t),
        present in prop::collection::vec(prop::bool::weighted(0.2), t * n * (n + 1)),
        ends in prop::collection::vec(prop::bool::weighted(0.4), n),
    ) -> Productions {
        let edges = all_edges(n, t).zip(present).filter(|(_, present)| *present).map(|(edge, _)| edge);
        let ends = ends.into_iter().enumerate().filter(|(_, present)| *present).map(|(k, _)| k);
        Productions::new(n, t, edges, ends).unwrap()
    }
}

fn samples(letters: usize) -> impl Strategy<Value = Sample> {
    let words = prop::collection::vec((prop::collection::vec(0..letters, 1..6), any::<bool>()), 1..20);
    words.prop_map(move |words| {
        let label = |accepted| if accepted { Label::Accepted } else { Label::Rejected };
        let word = |letters: Vec<usize>| letters.into_iter().map(Letter::new).collect::<Word>();
        let rows = words.into_iter().map(|(letters, accepted)| (word(letters), label(accepted))).collect();
        Sample::new(&Examples { alphabet: Alphabet::of_chars(&"abc"[..letters]), rows }, true).unwrap()
    })
}

fn counted(productions: &Productions, sample: &Sample) -> u64 {
    errors(&productions.to_grammar(sample.alphabet(), false), sample)
}

proptest! {
    #[test]
    fn scores_are_those_of_a_replay(
        (productions, sample) in grammars().prop_flat_map(|p| (Just(p.clone()), samples(p.letters()))),
    ) {
        let mut scorer = Scorer::new(&sample, false);
        scorer.load(&productions);
        let wrong = scorer.errors(productions.ends(), u64::MAX);
        prop_assert_eq!(wrong, counted(&productions, &sample));
        // A flip reloads one letter.
        let mut flipped = productions.clone();
        flipped.flip(Flip::Edge((0, 0, 0)));
        scorer.load_letter(&flipped, 0);
        prop_assert_eq!(scorer.errors(flipped.ends(), u64::MAX), counted(&flipped, &sample));
    }

    #[test]
    fn repair_makes_nothing_worse_and_leaves_nothing_idle(
        (productions, sample) in grammars().prop_flat_map(|p| (Just(p.clone()), samples(p.letters()))),
        seed in any::<u64>(),
    ) {
        let mut scorer = Scorer::new(&sample, false);
        let before = counted(&productions, &sample);
        let mut random = random::stream(seed, 0);
        let (mended, wrong) = repair(&mut scorer, productions, (Cost::Errors, Cost::Exact), 100_000, &mut random);
        prop_assert_eq!(wrong, counted(&mended, &sample));
        prop_assert!(wrong <= before);
        for flip in mended.flips().filter(|flip| mended.has(*flip)) {
            let mut without = mended.clone();
            without.flip(flip);
            prop_assert!(counted(&without, &sample) > wrong, "{:?} is not needed", flip);
        }
    }

    #[test]
    fn other_forms_have_the_same_language(productions in grammars()) {
        let alphabet = Alphabet::of_chars(&"abc"[..productions.letters()]);
        let minimal = |productions: &Productions| {
            minimize(&determinize(&productions.to_grammar(&alphabet, false).to_nfa(), 5_000).unwrap())
        };
        let dfa = minimal(&productions);
        if productions.ends().count_ones() > 0 {
            prop_assert_eq!(&minimal(&productions.with_one_end().unwrap()), &dfa);
        }
        let nfa = productions.to_grammar(&alphabet, false).to_nfa();
        prop_assert_eq!(&minimal(&Productions::from_nfa(&nfa).unwrap()), &dfa);
        if let Some(again) = Productions::from_dfa(&dfa) {
            prop_assert_eq!(&minimal(&again), &dfa);
        }
    }
}

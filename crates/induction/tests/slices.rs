//! Engines work in slices: what they find does not depend on how the work is cut, and a slice is bounded.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Alphabet, Dfa, Examples, Label, Letter, Word};
use induction::Sample;
use induction::proof::Prover;
use induction::search::{Minimising, Search};
use induction::symbolic::sat::Exact;
use induction::symbolic::{Beam, Merger, Merging, Randomness, Rule, merge, merge_widely};
use induction::training::Trainer;
use proptest::prelude::*;

/// An engine to be advanced, what it finds at its end, and how much it has done.
trait Engine {
    type Found;
    fn advance(&mut self, slice: u64) -> ControlFlow<Self::Found>;
    fn work(&self) -> u64;
}

macro_rules! engine {
    ($type:ty, $found:ty) => {
        impl Engine for $type {
            type Found = $found;
            fn advance(&mut self, slice: u64) -> ControlFlow<$found> {
                Self::advance(self, slice)
            }
            fn work(&self) -> u64 {
                Self::work(self)
            }
        }
    };
}

engine!(Merger, Option<Dfa>);
engine!(Beam, Vec<Dfa>);

/// What is found in slices of these sizes, again and again; and the most that a slice exceeded what was asked for.
fn sliced<E: Engine + Send + 'static>(mut engine: E, slices: &[u64]) -> (E::Found, u64) {
    let mut excess = 0;
    for &slice in slices.iter().cycle() {
        let before = engine.work();
        let state = engine.advance(slice);
        excess = excess.max((engine.work() - before).saturating_sub(slice));
        if let ControlFlow::Break(found) = state {
            return (found, excess);
        }
    }
    unreachable!("slices are repeated for ever")
}

fn letters(count: usize) -> Alphabet {
    Alphabet::new((0..count).map(|i| format!("l{i}"))).unwrap()
}

fn sample(letters_: usize, rows: Vec<(Vec<usize>, bool)>) -> Arc<Sample> {
    let word = |word: Vec<usize>| word.into_iter().map(Letter::new).collect::<Word>();
    let rows = rows.into_iter().map(|(letters, accepted)| (word(letters), Label::from(accepted)));
    Arc::new(Sample::new(&Examples::of(&letters(letters_), rows), true).unwrap())
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Words with labels that follow no rule.
fn random_words(words: usize, letters: usize, longest: usize) -> Arc<Sample> {
    let mut numbers = Numbers(1);
    let mut word = || {
        let length = 1 + numbers.below(longest);
        ((0..length).map(|_| numbers.below(letters)).collect(), numbers.below(2) == 0)
    };
    let rows = (0..words).map(|_| word()).collect();
    sample(letters, rows)
}

/// One long word, and a short one that contradicts folding it into one state.
fn long_word(length: usize) -> Arc<Sample> {
    let mut numbers = Numbers(2);
    let word: Vec<usize> = (0..length).map(|_| numbers.below(2)).collect();
    sample(2, vec![(vec![word[0]], false), (word, true)])
}

/// As many letters as words, nearly.
fn many_letters(letters: usize) -> Arc<Sample> {
    let mut numbers = Numbers(3);
    let rows = (0..letters).map(|i| (vec![i, numbers.below(letters)], numbers.below(2) == 0)).collect();
    sample(letters, rows)
}

fn small_samples() -> impl Strategy<Value = Arc<Sample>> {
    (1..4_usize).prop_flat_map(|letters| {
        let word = prop::collection::vec(0..letters, 0..7);
        prop::collection::vec((word, any::<bool>()), 0..30).prop_map(move |rows| sample(letters, rows))
    })
}

fn ways() -> impl Strategy<Value = Merging> {
    let chance = prop::option::of((0.1..5.0, any::<u64>()));
    let limits = (prop::option::weighted(0.2, 1..8_usize), prop::option::weighted(0.2, 0..3_000_u64));
    (any::<bool>(), chance, prop_oneof![Just(0.0), 0.01..0.4], any::<bool>(), limits).prop_map(
        |(edsm, chance, tolerance, dead_ends, (most_states, most_visits))| Merging {
            rule: if edsm { Rule::Edsm } else { Rule::Rpni },
            randomness: chance.map(|(strength, seed)| Randomness { strength, seed }),
            tolerance,
            dead_ends,
            most_states,
            most_visits,
        },
    )
}

proptest! {
    /// Slices of one unit stop at every point at which an engine can be stopped.
    #[test]
    fn merging_is_the_same_in_slices(
        sample in small_samples(),
        how in ways(),
        slices in prop::collection::vec(1..200_u64, 1..5),
    ) {
        let whole = merge(&sample, &how);
        for slices in [&[1][..], &slices] {
            prop_assert_eq!(&sliced(Merger::new(Arc::clone(&sample), &how), slices).0, &whole);
        }
    }

    #[test]
    fn a_beam_is_the_same_in_slices(
        sample in small_samples(),
        how in ways(),
        width in 1..6_usize,
        slices in prop::collection::vec(1..200_u64, 1..5),
    ) {
        let whole = merge_widely(&sample, &how, width);
        for slices in [&[1][..], &slices] {
            prop_assert_eq!(&sliced(Beam::new(Arc::clone(&sample), &how, width), slices).0, &whole);
        }
    }
}

/// Each of these took minutes in one go, at its full size.
#[test]
fn slices_of_merging_are_bounded() {
    const SLICE: u64 = 1_000;
    let samples = [random_words(2_000, 50, 6), long_word(20_000), many_letters(2_000)];
    for sample in samples {
        let letters = sample.alphabet().len() as u64;
        for rule in [Rule::Rpni, Rule::Edsm] {
            for dead_ends in [false, true] {
                let how = Merging { dead_ends, most_visits: Some(300_000), ..Merging::by(rule) };
                let (found, excess) = sliced(Merger::new(Arc::clone(&sample), &how), &[SLICE]);
                assert_eq!(found, merge(&sample, &how));
                // A node and its children; the cells of an automaton are not counted.
                assert!(excess <= 4 * letters + SLICE, "{excess} beyond a slice with {rule:?}");
            }
        }
        let how = Merging { most_visits: Some(30_000), ..Merging::by(Rule::Edsm) };
        let nodes = sample.parents().len() as u64;
        let (_, excess) = sliced(Beam::new(Arc::clone(&sample), &how, 3), &[SLICE]);
        assert!(excess <= 4 * letters + SLICE + 2 * nodes, "{excess} beyond a slice of a beam");
    }
}

/// Between two slices an engine can be kept anywhere, and go on in another thread.
#[test]
fn engines_own_what_they_need() {
    fn is_free<T: Send + 'static>() {}
    is_free::<Merger>();
    is_free::<Beam>();
    is_free::<Exact>();
    is_free::<Prover>();
    is_free::<Trainer>();
    is_free::<Search>();
    is_free::<Minimising>();
}

//! Repair compared with naive replay.

use automata::{Alphabet, Examples, Label, Letter, Word, determinize, minimize};
use proptest::prelude::*;

use super::tally::Tally;
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
        let word = |letters: Vec<usize>| letters.into_iter().map(Letter::new).collect::<Word>();
        let rows = words.into_iter().map(|(letters, accepted)| (word(letters), Label::from(accepted)));
        Sample::new(&Examples::of(&Alphabet::of_chars(&"abc"[..letters]), rows), true).unwrap()
    })
}

fn counted(productions: &Productions, sample: &Sample) -> u64 {
    errors(&productions.to_grammar(sample.alphabet(), false), sample)
}

/// Repair without a limit on the work of a pass, with everything recounted.
fn plain(
    scorer: &mut Scorer,
    mut now: Productions,
    (mending, pruning): (Cost, Cost),
    budget: u64,
    random: &mut ChaCha8Rng,
) -> (Productions, u64) {
    scorer.load(&now);
    let mut errors = scorer.errors(now.ends(), u64::MAX);
    let mut left = budget;
    let mut attempt = |now: &mut Productions, errors: &mut u64, left: &mut u64, cost: Cost, changed: Productions| {
        let price = cost.of(*errors, &Tally::new(now));
        let Some(limit) = cost.errors_below(price, &Tally::new(&changed)) else { return false };
        *left = left.saturating_sub(1);
        scorer.load(&changed);
        let wrong = scorer.errors(changed.ends(), limit);
        if wrong <= limit {
            (*now, *errors) = (changed, wrong);
        }
        wrong <= limit
    };
    let flipped = |now: &Productions, flip: Flip| {
        let mut changed = now.clone();
        changed.flip(flip);
        changed
    };
    if errors > 0 {
        let mut flips: Vec<Flip> = (0..now.flip_count()).map(|number| now.numbered_flip(number)).collect();
        let mut idle = 0;
        while idle < flips.len() && left > 0 {
            random::shuffle(&mut flips, random);
            for &flip in &flips {
                let changed = flipped(&now, flip);
                idle = if attempt(&mut now, &mut errors, &mut left, mending, changed) { 0 } else { idle + 1 };
                if idle >= flips.len() || left == 0 {
                    break;
                }
            }
        }
    }
    left = budget;
    loop {
        let before = now.len();
        for gone in (1..now.nonterminals()).rev() {
            for kept in 0..gone {
                let reads = |k: usize| {
                    now.present().any(|flip| matches!(flip, Flip::Edge((_, from, to)) if from == k || to == k))
                };
                if reads(kept) && reads(gone) {
                    let mut merged = now.clone();
                    merged.merge(kept, gone);
                    attempt(&mut now, &mut errors, &mut left, pruning, merged);
                }
            }
        }
        let mut flips: Vec<Flip> = now.present().collect();
        random::shuffle(&mut flips, random);
        for flip in flips {
            let changed = flipped(&now, flip);
            attempt(&mut now, &mut errors, &mut left, pruning, changed);
        }
        if now.len() == before || left == 0 {
            return (now, errors);
        }
    }
}

/// The result in slices of this size, and the maximum excess of a slice.
fn sliced(mut repair: Repair, slice: u64) -> (Repaired, u64) {
    let mut excess = 0;
    loop {
        let before = repair.work();
        let goes_on = repair.advance(slice).is_continue();
        excess = excess.max((repair.work() - before).saturating_sub(slice));
        if !goes_on {
            return (repair.finish(), excess);
        }
    }
}

proptest! {
    /// Slices of one unit stop at every possible point.
    #[test]
    fn repair_is_the_same_in_slices(
        (productions, sample) in grammars().prop_flat_map(|p| (Just(p.clone()), samples(p.letters()))),
        seed in any::<u64>(),
        budget in prop_oneof![0..50_u64, Just(100_000)],
        bits in prop::option::of(0.5..8.0),
        slice in 1..3_000_u64,
    ) {
        let costs = bits.map_or((Cost::Errors, Cost::Exact), |bits| (Cost::Bits(bits), Cost::Bits(bits)));
        let (mut scorer, mut random) = (Scorer::new(&sample, false), random::stream(seed, 0));
        let (expected, wrong) = plain(&mut scorer, productions.clone(), costs, budget, &mut random);
        for slice in [1, slice, u64::MAX] {
            let scorer = Scorer::new(&sample, false);
            let repair = Repair::new(scorer, productions.clone(), costs, budget, random::stream(seed, 0));
            let (repaired, _) = sliced(repair, slice);
            prop_assert_eq!((&repaired.productions, repaired.errors), (&expected, wrong));
            prop_assert_eq!(&repaired.random, &random);
        }
    }

    /// A repair ended early is no worse than the given grammar.
    #[test]
    fn a_repair_may_be_ended_at_any_time(
        (productions, sample) in grammars().prop_flat_map(|p| (Just(p.clone()), samples(p.letters()))),
        slices in 1..200_usize,
    ) {
        let costs = (Cost::Errors, Cost::Exact);
        let mut repair =
            Repair::new(Scorer::new(&sample, false), productions.clone(), costs, 1_000, random::stream(1, 0));
        let _ = repair.advance(1_000);
        for _ in 0..slices {
            let _ = repair.advance(1);
        }
        let repaired = repair.finish();
        prop_assert_eq!(repaired.errors, counted(&repaired.productions, &sample));
        prop_assert!(repaired.errors <= counted(&productions, &sample));
    }

    #[test]
    fn a_tally_is_what_counting_anew_finds(productions in grammars(), flips in prop::collection::vec(any::<u64>(), 0..40)) {
        let mut flipped = productions.clone();
        let mut tally = Tally::new(&productions);
        for number in flips {
            let flip = flipped.numbered_flip(number % flipped.flip_count());
            flipped.flip(flip);
            tally.flip(flip, flipped.has(flip));
        }
        prop_assert_eq!(&tally, &Tally::new(&flipped));
        prop_assert_eq!(tally.productions(), flipped.len());
    }

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
        for flip in mended.present() {
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

/// With thousands of letters, a repair once examined every production, whatever its limit.
#[test]
fn slices_and_work_of_a_repair_are_bounded() {
    const LETTERS: usize = 5_000;
    let alphabet = Alphabet::new((0..LETTERS).map(|i| format!("l{i}"))).unwrap();
    let label = |i: usize| Label::from(i.is_multiple_of(3));
    let word = |i: usize| [i, (7 * i + 1) % LETTERS].map(Letter::new).into_iter().collect::<Word>();
    let rows = (0..LETTERS).map(|i| (word(i), label(i)));
    let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
    let edges = all_edges(6, LETTERS).filter(|(c, from, to)| (c + 3 * from + to) % 4 == 0);
    let productions = Productions::new(6, LETTERS, edges, [0, 1]).unwrap();
    let possible = productions.flip_count();
    let repair = || {
        let scorer = Scorer::new(&sample, false);
        Repair::new(scorer, productions.clone(), (Cost::Errors, Cost::Exact), 100, random::stream(1, 0))
    };
    let (repaired, excess) = sliced(repair(), 10_000);
    assert!(excess <= possible, "{excess} beyond a slice");
    let mut whole = repair();
    assert!(whole.advance(u64::MAX).is_break());
    assert!(whole.work() <= PASS_WORK + 20 * possible, "{} in all", whole.work());
    assert_eq!(whole.finish().productions, repaired.productions);
}

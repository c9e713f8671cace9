//! The search compared with plain replays, and with itself when interrupted or run on other threads.

use automata::{Alphabet, Counts, Dfa, Examples, Label, Letter, Word, minimize};
use fearless_simd::Level;
use proptest::prelude::*;

use super::candidate::{Candidate, Cell};
use super::price::{MOST_LANES, Pricer};
use super::rung::{Goal, Rung};
use super::tree::Tree;
use super::{Checkpoint, Minimising, MinimisingCheckpoint, Search, SearchError, Settings, seeds};
use crate::random::{below, stream};
use crate::sample::Sample;

/// Random labelled words, some repeated, some with both labels.
fn noise(letters: usize, words: usize, longest: u64, seed: u64) -> Sample {
    let mut random = stream(seed, 0);
    let rows = (0..words).map(|_| {
        let length = below(longest + 1, &mut random);
        let word: Word = (0..length).map(|_| Letter::new(below(letters as u64, &mut random) as usize)).collect();
        (word, if below(2, &mut random) == 0 { Label::Rejected } else { Label::Accepted })
    });
    let alphabet = Alphabet::of_chars(&"abcdefgh"[..letters]);
    Sample::new(&Examples::of(&alphabet, rows), true).unwrap()
}

/// Words labelled by a random automaton with this many states.
fn language(states: usize, words: usize, longest: u64, seed: u64) -> Sample {
    let alphabet = Alphabet::of_chars("ab");
    let mut random = stream(seed, 1);
    let mut any = || Some(below(states as u64, &mut random) as usize);
    let rows: Vec<_> = (0..states).map(|_| vec![any(), any()]).collect();
    let accepting = (0..states).filter(|state| state % 2 == 0);
    let dfa = Dfa::new(alphabet.clone(), 0, accepting, &rows).unwrap();
    let rows = (0..words).map(|_| {
        let length = below(longest + 1, &mut random);
        let word: Word = (0..length).map(|_| Letter::new(below(2, &mut random) as usize)).collect();
        let label = Label::from(dfa.accepts(&word));
        (word, label)
    });
    Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
}

/// Number of wrong examples, counted word by word.
fn errors_of(dfa: &Dfa, sample: &Sample) -> u64 {
    let wrong =
        |word: &[Letter], counts: Counts| u64::from(if dfa.accepts(word) { counts.rejected } else { counts.accepted });
    let words = sample.entries().iter().map(|entry| wrong(sample.word(entry), entry.counts));
    words.sum::<u64>() + wrong(&[], sample.empty_word())
}

/// The instruction sets of this machine.
fn levels() -> Vec<Level> {
    let mut levels = vec![Level::new(), Level::fallback()];
    #[cfg(target_arch = "x86_64")]
    levels.extend(Level::new().as_avx2().map(fearless_simd::Simd::level));
    levels
}

/// Sizes on both sides of each table width.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![1..20_usize, 30..36_usize, 60..70_usize, 120..=128_usize]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Pricing all targets at once equals pricing each alone, on every instruction set.
    #[test]
    fn prices_are_those_of_whole_replays(size in sizes(), letters in 1..5_usize, words in 0..120_usize, seed: u64) {
        let sample = noise(letters, words, 12, seed);
        let tree = Tree::new(&sample).unwrap();
        prop_assume!(!tree.letters.is_empty());
        let mut random = stream(seed, 2);
        let mut now = seeds::random(&tree, size, &mut random);
        for level in levels() {
            for _ in 0..8 {
                let cell = Cell {
                    state: below(size as u64, &mut random) as u8,
                    letter: below(tree.letters.len() as u64, &mut random) as u16,
                };
                let mut pricer = Pricer::new(&tree, size);
                for target in &mut pricer.targets {
                    *target = below(size as u64, &mut random) as u8;
                }
                let walked = pricer.price(level, &tree, &now, cell);
                prop_assert!(walked < tree.len() as u64);
                for (&target, &errors) in pricer.targets.iter().zip(&pricer.errors) {
                    let there = Candidate::new(&tree, size, |c| if c == cell { target } else { now.target(c) });
                    prop_assert_eq!(there.errors(&tree), errors);
                    prop_assert_eq!(errors_of(&tree.dfa(&there), &sample), errors);
                }
                now.send(&tree, cell, pricer.targets[0], &pricer.touched);
                prop_assert_eq!(&now, &Candidate::with_table(&tree, size, &now.table));
            }
        }
    }

    /// After thousands of moves, a walker's state still matches a full replay.
    #[test]
    fn walkers_do_not_drift(size in sizes(), words in 1..150_usize, seed: u64) {
        let sample = noise(2, words, 10, seed);
        let tree = Tree::new(&sample).unwrap();
        let mut random = stream(seed, 3);
        let now = seeds::random(&tree, size, &mut random);
        let mut rung = Rung::new(&tree, now, 1.0, random);
        rung.run(Level::new(), &tree, Goal { visits: 50_000, tolerated: 0, hunting: true });
        prop_assert_eq!(&rung.now, &Candidate::with_table(&tree, size, &rung.now.table));
        prop_assert_eq!(rung.errors, rung.now.errors(&tree));
        prop_assert_eq!(rung.best.0, Candidate::with_table(&tree, size, &rung.best.1).errors(&tree));
        let dfa = tree.dfa(&rung.now);
        prop_assert_eq!(errors_of(&dfa, &sample), rung.errors);
        if size >= 100 {
            prop_assert!(rung.now.table.iter().any(|&next| usize::from(next) >= MOST_LANES));
        }
    }

    /// A seed that fits is kept unchanged; of a larger one, no more is kept than fits.
    #[test]
    fn seeds_that_fit_are_kept(size in 1..20_usize, room in 0..20_usize, words in 0..150_usize, seed: u64) {
        let sample = language(size, words, 10, seed);
        let tree = Tree::new(&sample).unwrap();
        let mut random = stream(seed, 4);
        let dfa = tree.dfa(&seeds::random(&tree, size, &mut random));
        let folded = seeds::fold(&tree, size + room, &dfa, &mut random);
        let majority = folded.errors(&tree);
        prop_assert!(majority <= errors_of(&dfa, &sample));
        let small = seeds::fold(&tree, size.div_ceil(2), &dfa, &mut random);
        prop_assert_eq!(&small, &Candidate::with_table(&tree, size.div_ceil(2), &small.table));
    }
}

fn settings(states: usize) -> Settings {
    Settings { rungs: 4, round: 20_000, seed: 5, ..Settings::new(states) }
}

#[test]
fn small_languages_are_found() {
    for seed in 0..4 {
        let sample = language(6, 300, 10, seed);
        let mut search = Search::new(&sample, settings(6), &[]).unwrap();
        search.advance(40_000_000);
        assert!(search.solved(), "{} errors", search.errors());
        let (dfa, errors) = search.best();
        assert_eq!((dfa.len(), errors, errors_of(&dfa, &sample)), (6, 0, 0));
        assert_eq!(search.rivals().count(), 1);
        assert!(errors_of(search.rivals().next().unwrap(), &sample) == 0);
    }
}

#[test]
fn threads_change_nothing() {
    let sample = language(12, 200, 12, 7);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut search = Search::new(&sample, settings(11), &[]).unwrap();
        pool.install(|| search.advance(1_000_000));
        search.checkpoint()
    };
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(3));
}

#[test]
fn cut_after_every_round_it_gives_the_same() {
    let sample = language(8, 150, 12, 9);
    let mut whole = Search::new(&sample, settings(8), &[]).unwrap();
    let mut parts = whole.clone();
    whole.advance(u64::MAX);
    whole.hunt(2_000_000);
    let cut = |search: &Search| {
        let file = serde_json::to_string(&search.checkpoint()).unwrap();
        Search::resume(&sample, serde_json::from_str::<Checkpoint>(&file).unwrap()).unwrap()
    };
    while !parts.solved() {
        parts.advance(1);
        parts = cut(&parts);
    }
    let end = parts.visits() + 2_000_000;
    while parts.visits() < end && parts.rivals().count() < super::MOST_RIVALS {
        parts.hunt(1);
        parts = cut(&parts);
    }
    assert_eq!(parts.checkpoint(), whole.checkpoint());
    assert!(parts.rivals().eq(whole.rivals()));
    assert!(whole.rivals().count() > 1, "with few words there is more than one language");
    assert!(whole.rivals().all(|dfa| errors_of(dfa, &sample) == 0));
}

#[test]
fn checkpoints_of_something_else_are_refused() {
    let (sample, other) = (language(4, 50, 8, 1), language(4, 50, 8, 2));
    let good = Search::new(&sample, settings(4), &[]).unwrap().checkpoint();
    assert_eq!(Search::resume(&other, good.clone()).unwrap_err(), SearchError::OtherSample);
    let mut broken = good.clone();
    broken.rungs[1].table[0] = 4;
    assert!(matches!(Search::resume(&sample, broken), Err(SearchError::Broken { .. })));
    let mut broken = good.clone();
    broken.rungs[2].temperature = f64::NAN;
    assert!(matches!(Search::resume(&sample, broken), Err(SearchError::Broken { .. })));
    let mut broken = good.clone();
    broken.rungs.pop();
    assert!(matches!(Search::resume(&sample, broken), Err(SearchError::Broken { .. })));
    assert!(Search::resume(&sample, good).is_ok());
}

#[test]
fn impossible_wishes_are_errors() {
    let sample = language(4, 50, 8, 1);
    let refused = |settings| Search::new(&sample, settings, &[]).unwrap_err();
    assert_eq!(refused(Settings::new(0)), SearchError::States { states: 0 });
    assert_eq!(refused(Settings::new(129)), SearchError::States { states: 129 });
    assert!(matches!(refused(Settings { rungs: 0, ..Settings::new(3) }), SearchError::Settings { .. }));
    assert!(matches!(refused(Settings { coldest: -1.0, ..Settings::new(3) }), SearchError::Settings { .. }));
}

#[test]
fn without_words_anything_will_do() {
    let nothing = Examples::new(&Alphabet::of_chars("ab"));
    let empty_word = Examples::of(&Alphabet::of_chars(""), vec![(Word::default(), Label::Accepted)]);
    for examples in [nothing, empty_word] {
        let sample = Sample::new(&examples, false).unwrap();
        let mut search = Search::new(&sample, settings(3), &[]).unwrap();
        search.advance(1_000_000);
        search.hunt(1_000_000);
        assert!(search.solved());
        assert_eq!(errors_of(&search.best().0, &sample), 0);
        assert_eq!(search.rivals().count(), 1);
        let mut search = Minimising::new(&sample, settings(3), 1, &[]).unwrap();
        assert!(search.advance(1_000_000).is_break());
        assert_eq!(search.best().0.len(), 1);
    }
}

/// A word with both labels is wrong in any case, and without letters there is no move.
#[test]
fn hopeless_samples_come_to_an_end() {
    let rows = vec![(Word::default(), Label::Accepted), (Word::default(), Label::Rejected)];
    let sample = Sample::new(&Examples::of(&Alphabet::of_chars("ab"), rows), true).unwrap();
    let mut search = Search::new(&sample, settings(3), &[]).unwrap();
    search.advance(u64::MAX);
    assert_eq!((search.solved(), search.best().1), (false, 1));
    let mut search = Minimising::new(&sample, settings(3), 9, &[]).unwrap();
    assert!(search.advance(u64::MAX).is_break());
    assert_eq!((search.progress().found, search.best().1), (None, 1));
}

/// Words that occur a million times as often are searched in the same way.
#[test]
fn how_often_words_come_does_not_matter() {
    let once = language(6, 200, 10, 4);
    let mut tree = Tree::new(&once).unwrap();
    let walker = |tree: &Tree| {
        let mut random = stream(1, 1);
        let now = seeds::random(tree, 6, &mut random);
        let mut rung = Rung::new(tree, now, settings(6).temperatures(tree)[3], random);
        rung.run(Level::new(), tree, Goal { visits: 300_000, tolerated: 0, hunting: true });
        rung.now.table
    };
    let expected = walker(&tree);
    for step in &mut tree.steps {
        step.weight <<= 20;
    }
    (tree.usual, tree.examples) = (tree.usual * f64::from(1 << 20), tree.examples << 20);
    assert_eq!(walker(&tree), expected);
}

#[test]
fn noise_is_tolerated_when_asked() {
    let sample = noise(2, 60, 8, 3);
    let mut search = Search::new(&sample, Settings { tolerated: 20, ..settings(4) }, &[]).unwrap();
    search.advance(10_000_000);
    assert!(search.solved());
    let (dfa, errors) = search.best();
    assert!(errors > 0 && errors <= 20 && errors_of(&dfa, &sample) == errors);
}

/// Without a given size, it finds as few states as the language has; afterwards only smaller sizes are tried.
#[test]
fn the_smallest_size_is_found() {
    for seed in 0..4 {
        let sample = language(7, 350, 10, seed);
        let mut search = Minimising::new(&sample, settings(40), 1, &[]).unwrap();
        while search.progress().found.is_none_or(|size| size > 7) {
            assert!(search.advance(100_000).is_continue() && search.visits() < 100_000_000, "{:?}", search.progress());
        }
        let (dfa, errors) = search.best();
        assert_eq!((errors, errors_of(&dfa, &sample)), (0, 0));
        assert_eq!(minimize(&dfa), dfa);
        assert!(search.progress().trying.iter().all(|&size| size < dfa.len()));
        assert!(search.progress().residuals.iter().all(|&(size, errors)| errors > 0 || size >= dfa.len()));
    }
}

/// A correct seed counts as found; when nothing smaller is possible, the search is over.
#[test]
fn seeds_that_are_right_are_found_at_once() {
    let sample = language(7, 350, 10, 3);
    let mut first = Minimising::new(&sample, settings(40), 1, &[]).unwrap();
    while first.progress().found.is_none() {
        assert!(first.advance(1).is_continue());
    }
    let (dfa, size) = (first.best().0, first.progress().found.unwrap());
    let mut done = Minimising::new(&sample, settings(40), size, std::slice::from_ref(&dfa)).unwrap();
    assert!(done.advance(u64::MAX).is_break());
    assert_eq!((done.best(), done.visits()), ((dfa.clone(), 0), 0));
    // The tree of all prefixes is correct, too, and far too large.
    let tree = prefix_tree(&sample);
    assert!(tree.len() > 128);
    let mut search = Minimising::new(&sample, settings(40), 1, &[tree]).unwrap();
    while search.progress().found.is_none_or(|found| found > size) {
        assert!(search.advance(100_000).is_continue() && search.visits() < 100_000_000, "{:?}", search.progress());
    }
}

/// The automaton of exactly the accepted words.
fn prefix_tree(sample: &Sample) -> Dfa {
    let mut rows = vec![vec![None; sample.alphabet().len()]; sample.parents().len()];
    for node in 1..sample.parents().len() {
        rows[sample.parents()[node] as usize][sample.letters()[node].index()] = Some(node);
    }
    let accepting = sample.counts_by_node().into_iter().enumerate().filter(|(_, counts)| counts.accepted > 0);
    Dfa::new(sample.alphabet().clone(), 0, accepting.map(|(node, _)| node), &rows).unwrap()
}

#[test]
fn minimising_cut_after_every_round_gives_the_same() {
    let sample = language(8, 100, 12, 9);
    let settings = Settings { round: 50_000, ..settings(30) };
    let mut whole = Minimising::new(&sample, settings, 1, &[]).unwrap();
    let mut parts = whole.clone();
    assert!(whole.advance(6_000_000).is_continue());
    whole.hunt(1_000_000);
    let cut = |search: &Minimising| {
        let file = serde_json::to_string(&search.checkpoint()).unwrap();
        Minimising::resume(&sample, serde_json::from_str::<MinimisingCheckpoint>(&file).unwrap()).unwrap()
    };
    while parts.visits() < 6_000_000 {
        assert!(parts.advance(1).is_continue());
        parts = cut(&parts);
    }
    parts.hunt(1_000_000);
    assert_eq!(cut(&parts).checkpoint(), whole.checkpoint());
    assert!(parts.rivals().eq(whole.rivals()) && parts.progress() == whole.progress());
    let rivals: Vec<&Dfa> = whole.rivals().collect();
    assert!(rivals.len() > 1, "with few words there is more than one language");
    assert!(rivals.iter().all(|dfa| errors_of(dfa, &sample) == 0 && dfa.len() == rivals[0].len()));
    assert!(Minimising::resume(&language(8, 100, 12, 8), whole.checkpoint()).is_err());
}

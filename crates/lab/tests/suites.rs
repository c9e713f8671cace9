//! The suites are what they are said to be, and the same every time.

use std::collections::BTreeSet;

use automata::{Word, count_to, determinize, minimize};
use lab::examples::{Draw, ExampleError, ExampleSet};
use lab::kinds::Kind;
use lab::suites::{Lengths, dense, grid, tomita};

fn words(set: &ExampleSet, positive: bool) -> Vec<&Word> {
    set.rows.iter().filter(|row| row.is_positive() == positive).map(|row| &row.word).collect()
}

fn distinct(words: &[&Word]) -> usize {
    words.iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn the_grid_has_sixty_sets_of_two_thousand_words_a_class() {
    let mut grammars = Vec::new();
    for (depth, draw) in [(8, Draw::Uniform), (16, Draw::Even)] {
        let sets = grid(depth, draw, 0).unwrap();
        assert_eq!(sets.len(), 60);
        assert_eq!(sets.iter().map(|set| &set.name).collect::<BTreeSet<_>>().len(), 60);
        for set in &sets {
            let name = &set.name;
            assert_eq!((set.grammar.alphabet().len(), set.grammar.nonterminals().len()), (4, set.n), "{name}");
            assert_eq!(minimize(&determinize(&set.grammar.to_nfa(), 100).unwrap()), set.target, "{name}");
            let (positive, negative) = (words(&set.examples, true), words(&set.examples, false));
            assert_eq!((positive.len(), negative.len()), (2000, 2000), "{name}");
            assert_eq!(distinct(&negative), 2000, "{name}");
            let there = usize::try_from(count_to(&set.target, depth)).unwrap_or(2000).min(2000);
            assert_eq!(distinct(&positive), there, "{name}");
            assert!(positive.iter().all(|word| word.len() <= depth && set.target.accepts(word)), "{name}");
            assert!(negative.iter().all(|word| word.len() <= depth && !set.target.accepts(word)), "{name}");
            assert!(negative.contains(&&Word::empty()), "{name}");
            for kind in [Kind::NonAccepting, Kind::InvalidPostfix, Kind::InvalidInfix] {
                assert!(set.examples.count(kind) <= 500, "{name}");
            }
            assert!(set.examples.count(Kind::Random) >= 500, "{name}");
        }
        grammars.push(sets.into_iter().map(|set| set.grammar).collect::<Vec<_>>());
    }
    assert_eq!(grammars[0], grammars[1], "the words differ, the languages do not");
    assert!(matches!(grid(16, Draw::All, 0), Err(ExampleError::TooMany { .. })));
    assert!(matches!(grid(0, Draw::Even, 0), Err(ExampleError::NoPositives { .. })));
}

#[test]
fn the_seven_languages_of_tomita_have_even_lengths_and_the_empty_word() {
    for number in 1..=7 {
        let set = tomita(number, 0).unwrap();
        assert_eq!(set.name, format!("tomita{number}"));
        let (positive, negative) = (words(&set.examples, true), words(&set.examples, false));
        let there = usize::try_from(count_to(&set.target, 15)).unwrap().min(250);
        assert_eq!((positive.len(), distinct(&positive)), (there, there));
        assert_eq!((negative.len(), distinct(&negative)), (250, 250));
        assert!(positive.contains(&&Word::empty()), "all seven accept the empty word");
        assert!(positive.iter().all(|word| set.target.accepts(word)));
        assert!(negative.iter().all(|word| !set.target.accepts(word)));
        let longest = negative.iter().filter(|word| word.len() == 15).count();
        let next = negative.iter().filter(|word| word.len() == 14).count();
        assert!(longest.abs_diff(next) <= 1);
    }
    assert!(tomita(0, 0).is_none() && tomita(8, 0).is_none());
}

#[test]
fn dense_sets_have_the_size_and_the_lengths_asked_for() {
    let even = dense(20, 50, Lengths::Even, 3, 0).unwrap();
    assert_eq!((even.name.as_str(), even.target.len()), ("dense-k20-w50-even-3", 20));
    let all: Vec<&Word> = even.examples.rows.iter().map(|row| &row.word).collect();
    assert_eq!((all.len(), distinct(&all)), (1000, 1000));
    let of_length = |length| all.iter().filter(|word| word.len() == length).count();
    // 8, 16, 32 and 64 are all there are of the shortest; the rest is shared by nine lengths.
    assert_eq!((of_length(2), of_length(3), of_length(6), of_length(16)), (0, 8, 64, 0));
    assert!((7..=15).all(|length| of_length(length) == 97 || of_length(length) == 98));
    assert!(even.examples.rows.iter().all(|row| row.is_positive() == even.target.accepts(&row.word)));

    let uniform = dense(20, 50, Lengths::Uniform, 3, 0).unwrap();
    assert_eq!(uniform.target, even.target);
    let long = uniform.examples.rows.iter().filter(|row| row.word.len() >= 14).count();
    assert!((700..800).contains(&long), "three of four words have 14 or 15 letters: {long}");
    assert_ne!(dense(20, 50, Lengths::Even, 4, 0).unwrap().target, even.target);
}

/// Benchmarks of different days are of the same sets: what is drawn from the first seed stays.
#[test]
fn the_same_seed_gives_the_same_bytes_for_ever() {
    let mut all = String::new();
    grid(8, Draw::Even, 0).unwrap().iter().for_each(|set| all.push_str(&set.examples.write_abbadingo()));
    (1..=7).for_each(|number| all.push_str(&tomita(number, 0).unwrap().examples.write_abbadingo()));
    all.push_str(&dense(20, 50, Lengths::Uniform, 0, 0).unwrap().examples.write_abbadingo());
    // FNV-1a: any change shows.
    let hash = all
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    assert_eq!(format!("{hash:016x}"), "3dc85599677360be");
}

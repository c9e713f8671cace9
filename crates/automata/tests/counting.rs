//! Counting, listing and drawing words, against listing them all.

mod common;

use std::collections::BTreeMap;

use automata::{
    Alphabet, BigUint, Dfa, Ratio, Regex, Sampler, Word, cardinality, count_by_length, count_to, enumerate,
    enumerate_from, overlap,
};
use common::{LENGTH, all_words, dfa};
use proptest::prelude::*;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

fn language(pattern: &str, letters: &str) -> Dfa {
    Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap()
}

proptest! {
    #[test]
    fn counts_are_the_numbers_of_words(dfa in dfa()) {
        let words: Vec<Word> = all_words(dfa.alphabet(), 7).into_iter().filter(|word| dfa.accepts(word)).collect();
        let counts = count_by_length(&dfa, 7);
        for (length, count) in counts.iter().enumerate() {
            let expected = words.iter().filter(|word| word.len() == length).count();
            prop_assert_eq!(count, &BigUint::from(expected));
        }
        prop_assert_eq!(count_to(&dfa, 7), BigUint::from(words.len()));
    }

    #[test]
    fn listing_gives_every_word_once_in_order(dfa in dfa()) {
        let expected: Vec<Word> = all_words(dfa.alphabet(), 7).into_iter().filter(|word| dfa.accepts(word)).collect();
        let listed: Vec<Word> = enumerate(&dfa).take_while(|word| word.len() <= 7).collect();
        prop_assert_eq!(listed, expected);
    }

    #[test]
    fn the_size_of_a_language_is_finite_or_not(dfa in dfa()) {
        match cardinality(&dfa) {
            None => prop_assert!(!dfa.is_finite_language()),
            Some(count) => prop_assert_eq!(BigUint::from(enumerate(&dfa).count()), count),
        }
    }

    #[test]
    fn overlap_is_counted_on_the_product(a in dfa(), b in dfa()) {
        let alphabet = a.alphabet().union(b.alphabet());
        let (wide_a, wide_b) = (a.over(&alphabet), b.over(&alphabet));
        let count = |holds: &dyn Fn(&Word) -> bool| all_words(&alphabet, 6).iter().filter(|word| holds(word)).count();
        let (both, either) = (
            count(&|word| wide_a.accepts(word) && wide_b.accepts(word)),
            count(&|word| wide_a.accepts(word) || wide_b.accepts(word)),
        );
        let (in_a, in_b) = (count(&|word| wide_a.accepts(word)), count(&|word| wide_b.accepts(word)));
        let found = overlap(&a, &b, 6, 10_000).unwrap();
        let quotient = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        prop_assert!((found.recall().to_f64() - quotient(both, in_a)).abs() < 1e-15);
        prop_assert!((found.precision().to_f64() - quotient(both, in_b)).abs() < 1e-15);
        prop_assert!((found.accuracy().to_f64() - quotient(both, either)).abs() < 1e-15);
    }

    #[test]
    fn drawn_words_are_words(dfa in dfa(), seed in any::<u64>(), length in 0..LENGTH) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        match Sampler::of_length(&dfa, length) {
            Some(sampler) => {
                let word = sampler.draw(&mut random);
                prop_assert!(dfa.accepts(&word) && word.len() == length);
            }
            None => prop_assert!(count_by_length(&dfa, length)[length] == BigUint::ZERO),
        }
        match Sampler::up_to(&dfa, length) {
            Some(sampler) => {
                let word = sampler.draw(&mut random);
                prop_assert!(dfa.accepts(&word) && word.len() <= length);
                prop_assert_eq!(sampler.total(), &count_to(&dfa, length));
            }
            None => prop_assert!(count_to(&dfa, length) == BigUint::ZERO),
        }
    }

    #[test]
    fn one_sampler_draws_words_of_each_of_its_lengths(dfa in dfa(), shortest in 0..4_usize, seed: u64) {
        let counts = count_by_length(&dfa, 7);
        let Some(sampler) = Sampler::between(&dfa, shortest, 6) else {
            prop_assert!(counts[shortest..=6].iter().all(|count| *count == BigUint::ZERO));
            return Ok(());
        };
        prop_assert_eq!(sampler.total(), &counts[shortest..=6].iter().sum::<BigUint>());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for (length, count) in counts.iter().enumerate() {
            let drawn = sampler.draw_of_length(length, &mut random);
            prop_assert_eq!(drawn.is_some(), (shortest..=6).contains(&length) && *count != BigUint::ZERO);
            prop_assert!(drawn.is_none_or(|word| word.len() == length && dfa.accepts(&word)));
        }
        prop_assert!((shortest..=6).contains(&sampler.draw(&mut random).len()));
    }
}

/// The statistic of a draw of `draws` words from `sampler`, whose words are `words`; 0 is perfectly even.
fn chi_square(sampler: &Sampler, words: &[Word], draws: usize, seed: u64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut counts: BTreeMap<Word, usize> = words.iter().map(|word| (word.clone(), 0)).collect();
    for _ in 0..draws {
        *counts.get_mut(&sampler.draw(&mut random)).expect("a word of the language") += 1;
    }
    let expected = draws as f64 / words.len() as f64;
    counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum()
}

#[test]
fn draws_are_even() {
    // Words of very different lengths and ways: an automaton walked at random would favour the short ones.
    let dfa = language("a|b(a|b)*c|c(a|b|c)c?", "abc");
    let words: Vec<Word> = enumerate(&dfa).take_while(|word| word.len() <= 6).collect();
    let degrees = (words.len() - 1) as f64;
    let statistic = chi_square(&Sampler::up_to(&dfa, 6).unwrap(), &words, 200 * words.len(), 1);
    // Mean f, deviation √(2f): three of them either way, as too even would be wrong too.
    assert!((statistic - degrees).abs() < 3.0 * (2.0 * degrees).sqrt(), "{statistic} for {degrees} degrees of freedom");

    let fives: Vec<Word> = words.into_iter().filter(|word| word.len() == 5).collect();
    let degrees = (fives.len() - 1) as f64;
    let statistic = chi_square(&Sampler::of_length(&dfa, 5).unwrap(), &fives, 200 * fives.len(), 2);
    assert!((statistic - degrees).abs() < 3.0 * (2.0 * degrees).sqrt(), "{statistic} for {degrees} degrees of freedom");
}

#[test]
fn the_same_seed_draws_the_same_words() {
    let dfa = language("[ab]*c+", "abc");
    let sampler = Sampler::up_to(&dfa, 12).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(42);
    let words: Vec<String> = (0..4).map(|_| dfa.alphabet().write(&sampler.draw(&mut random))).collect();
    assert_eq!(words, ["babbbabbabbc", "bbbbbbaababc", "aaabbaabbabc", "bbbbbbabbbac"]);
}

#[test]
fn large_counts_are_exact() {
    // All words over four letters: 4¹⁰⁰⁰ of length 1000.
    let dfa = language("[abcd]*", "abcd");
    let counts = count_by_length(&dfa, 1000);
    assert_eq!(counts[1000], BigUint::from(4_u32).pow(1000));
    // Half of them have an even number of a's and b's together; ratios of such numbers do not overflow.
    let even = language("([cd]|[ab][cd]*[ab])*", "abcd");
    let found = overlap(&dfa, &even, 1000, 100).unwrap();
    assert!((found.recall().to_f64() - 0.5).abs() < 1e-12);
    assert!(found.precision().is_one());
    assert_eq!(found.precision().to_f64(), 1.0);
}

#[test]
fn small_ratios_keep_their_digits() {
    // One in 2ⁿ, and a third of that, to the last bit or almost.
    for n in [10_u32, 62, 64, 80, 500, 1000] {
        let whole = BigUint::from(2_u32).pow(n);
        let ratio = Ratio { part: BigUint::from(1_u32), whole: whole.clone() };
        assert_eq!(ratio.to_f64(), f64::from_bits(u64::from(1023 - n) << 52), "2^-{n}");
        let third = Ratio { part: BigUint::from(1_u32), whole: whole * 3_u32 }.to_f64();
        assert!((third * 3.0 / ratio.to_f64() - 1.0).abs() < 1e-15, "2^-{n} / 3");
    }
    assert_eq!(Ratio { part: BigUint::ZERO, whole: BigUint::from(7_u32) }.to_f64(), 0.0);
}

#[test]
fn lengths_beyond_the_longest_word_cost_nothing() {
    assert_eq!(count_to(&language("a{0,3}", "ab"), 1_000_000), BigUint::from(4_u32));
    assert_eq!(cardinality(&language("a{60000}", "a")), Some(BigUint::from(1_u32)));
}

#[test]
fn listing_may_begin_at_a_length() {
    let dfa = language("[ab]*", "ab");
    let word = enumerate_from(&dfa, 60).next().unwrap();
    assert_eq!(dfa.alphabet().write(&word), "a".repeat(60));
    assert_eq!(enumerate_from(&language("a{0,3}", "ab"), 5).next(), None);
}

#[test]
fn overlap_looks_no_deeper_than_it_counts() {
    // The product has four million states, of which words of sixteen letters reach seventeen.
    let (a, b) = (language("(a{1999})*", "a"), language("(a{1997})*", "a"));
    assert!(overlap(&a, &b, 16, 1000).unwrap().recall().is_one());
}

#[test]
fn nothing_out_of_nothing_is_one() {
    let (nothing, all) = (language(r"[^\s\S]", "a"), language("a*", "a"));
    let against_nothing = overlap(&nothing, &all, 4, 10).unwrap();
    assert_eq!(against_nothing.recall().to_f64(), 1.0);
    assert_eq!(against_nothing.precision().to_f64(), 0.0);
    assert_eq!(against_nothing.accuracy().to_f64(), 0.0);
    let both_nothing = overlap(&nothing, &nothing, 4, 10).unwrap();
    assert!(both_nothing.recall().is_one() && both_nothing.precision().is_one() && both_nothing.accuracy().is_one());
    assert_eq!(overlap(&all, &language("aa?", "a"), 4, 10).unwrap().recall().to_string(), "2/5");
}

#[test]
fn words_whose_counts_take_too_long_are_refused_and_others_are_not() {
    let check =
        |pattern: &str, length| Sampler::check(&language(pattern, "ab"), length).map_err(|error| error.to_string());
    let refused = check("(a|b)*", 1_000_000).unwrap_err();
    assert!(refused.starts_with("sampling words of up to 1000000 letters from 1 states takes too long"), "{refused}");
    let most: usize = refused.rsplit_once("at most ").unwrap().1.trim_end_matches(" letters").parse().unwrap();
    assert!((100_000..500_000).contains(&most), "{refused}");
    assert_eq!((check("(a|b)*", most), check("(a|b)*", most + 1).is_err()), (Ok(()), true));
    // Few words, however long, and words that are not so long.
    for pattern in ["(ab)*", "a*b*", "a{1,100}b{1,100}"] {
        assert_eq!(check(pattern, 1_000_000), Ok(()), "{pattern}");
    }
}

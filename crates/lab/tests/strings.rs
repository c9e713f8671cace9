//! The everyday languages and what is drawn of them, held against the `regex` crate.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use automata::{Alphabet, Examples, Label, count_to, separating_word};
use induction::Sample;
use lab::strings::{Language, Strings, near_misses, positives};
use proptest::prelude::*;
use regex::Regex;

/// Each language, and its reference by other code than ours.
static SUITE: LazyLock<Vec<(Language, Regex)>> = LazyLock::new(|| {
    let matcher = |language: &Language| Regex::new(&format!(r"\A(?:{})\z", language.entry.regex)).unwrap();
    lab::strings::suite().into_iter().map(|language| (language.clone(), matcher(&language))).collect()
});

fn distinct(words: &[String]) -> usize {
    words.iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn the_suite_has_many_languages_and_holds_out_every_fourth() {
    assert!(SUITE.len() >= 44);
    assert_eq!(SUITE.iter().map(|(language, _)| &language.entry.name).collect::<BTreeSet<_>>().len(), SUITE.len());
    for (place, (language, _)) in SUITE.iter().enumerate() {
        let name = &language.entry.name;
        assert_eq!(language.entry.held_out, place % 4 == 3, "{name}");
        assert!(language.entry.regex.is_ascii() && !language.entry.about.is_empty(), "{name}");
        assert!(!language.accepts(""), "{name}: a file of words has no empty lines");
    }
}

#[test]
fn what_is_drawn_is_what_it_is_said_to_be() {
    for (language, matcher) in SUITE.iter() {
        let name = &language.entry.name;
        let examples = Strings::examples(language, 200, 7);
        let fresh = Strings::fresh(language, 2000, 7, &examples);
        let all = [&examples.positives[..], &fresh.positives].concat();
        let there = usize::try_from(count_to(language.dfa(), 80)).unwrap_or(usize::MAX);
        // A language with few words is drawn to the end.
        assert_eq!((examples.positives.len(), all.len()), (there.min(100), there.min(1100)), "{name}");
        assert!(all.iter().all(|word| matcher.is_match(word)), "{name}");
        assert_eq!(distinct(&all), all.len(), "{name}");
        let all = [&examples.negatives[..], &fresh.negatives].concat();
        assert_eq!((examples.negatives.len(), all.len(), distinct(&all)), (100, 1100, 1100), "{name}");
        assert!(!all.iter().any(|word| matcher.is_match(word)), "{name}");
        assert!(all.iter().all(|word| word.chars().all(|c| (' '..='~').contains(&c))), "{name}");
        assert_eq!(fresh.balanced_accuracy(|word| matcher.is_match(word)), 1.0, "{name}");
        assert!(examples.agrees(|word| matcher.is_match(word)), "{name}");
    }
}

#[test]
fn balanced_accuracy_is_the_mean_of_two_shares() {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let set = Strings { positives: words(&["a", "b"]), negatives: words(&["c", "d", "e", "f"]) };
    assert_eq!(set.balanced_accuracy(|word| word == "a"), 0.75);
    assert_eq!(set.balanced_accuracy(|_| true), 0.5);
    assert!(!set.agrees(|word| word == "a") && set.agrees(|word| word < "c"));
    let rejected = Strings { positives: Vec::new(), ..set };
    assert_eq!(rejected.balanced_accuracy(|word| word == "c"), 0.75);
}

/// Benchmarks of different days are of the same words.
#[test]
fn the_words_of_a_seed_stay() {
    let mut all = String::new();
    for (language, _) in SUITE.iter() {
        let set = Strings::examples(language, 40, 0);
        set.positives.iter().chain(&set.negatives).for_each(|word| all.push_str(word));
    }
    let hash = all
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    assert_eq!(format!("{hash:016x}"), "c0b513befd2e0e85");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn the_same_seed_gives_the_same_words_and_more_begin_with_fewer(seed: u64, few in 0..20_usize, more in 0..40_usize) {
        let more = few + more;
        for (language, matcher) in SUITE.iter() {
            for draw in [positives, near_misses] {
                let words = draw(language, more, seed);
                let first = draw(language, few, seed);
                prop_assert_eq!(&words[..first.len()], &first[..]);
                prop_assert_eq!(&draw(language, more, seed), &words);
                prop_assert_eq!(distinct(&words), words.len());
                prop_assert!(words.len() == more || draw(language, more + 1, seed) == words);
            }
            prop_assert!(positives(language, more, seed).iter().all(|word| matcher.is_match(word)));
            prop_assert!(!near_misses(language, more, seed).iter().any(|word| matcher.is_match(word)));
            let examples = Strings::examples(language, few, seed);
            let fresh = Strings::fresh(language, more, seed, &examples);
            let known: BTreeSet<&String> = examples.positives.iter().chain(&examples.negatives).collect();
            prop_assert!(!fresh.positives.iter().chain(&fresh.negatives).any(|word| known.contains(word)));
        }
    }

    /// Both readers agree on any edit of a word, too.
    #[test]
    fn the_automaton_is_the_expression(seed: u64, at in any::<prop::sample::Index>(), to in prop::char::range(' ', '~')) {
        for (language, matcher) in SUITE.iter() {
            for word in positives(language, 5, seed).into_iter().chain(near_misses(language, 5, seed)) {
                let mut chars: Vec<char> = word.chars().collect();
                let at = at.index(chars.len());
                chars[at] = to;
                let word: String = chars.into_iter().collect();
                prop_assert_eq!(language.accepts(&word), matcher.is_match(&word), "{} {}", language.entry.name, word);
            }
        }
    }
}

/// From two hundred strings the rule itself is found, and not only something near it.
#[test]
fn everyday_languages_are_found_exactly() {
    for name in ["zip", "camel-case", "scientific", "phone", "log-prefix", "uuid", "snake-case"] {
        let (language, _) = SUITE.iter().find(|(language, _)| language.entry.name == name).unwrap();
        let Strings { positives, negatives } = Strings::examples(language, 200, 0);
        let alphabet = Alphabet::of_chars(&(positives.concat() + &negatives.concat()));
        let positives = positives.iter().map(|word| (alphabet.read(word).unwrap(), Label::Accepted));
        let negatives = negatives.iter().map(|word| (alphabet.read(word).unwrap(), Label::Rejected));
        let rows = positives.chain(negatives);
        let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
        let induced = induction::strings::learn(&sample, None, &|| false).unwrap();
        let both = language.dfa().alphabet().union(induced.dfa.alphabet());
        let differing = separating_word(&language.dfa().over(&both), &induced.dfa.over(&both));
        assert_eq!(differing.map(|word| both.write(&word)), None, "{name}: {:?}", induced.expression);
    }
}

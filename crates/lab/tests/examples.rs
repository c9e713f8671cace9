//! Examples against all words: labels, kinds, numbers, evenness, chance.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use automata::formats::abbadingo;
use automata::{Dfa, Examples, Letter, Word, minimize};
use common::{all_words, dfa, language};
use lab::examples::{Draw, Example, ExampleError, ExampleSet, ExampleSettings, Shares, all, count_all, draw};
use lab::kinds::{Kind, Kinds};
use proptest::prelude::*;

const DEPTH: usize = 5;

/// The kind of a word, step by step as the paper tells it.
fn naive_kind(dfa: &Dfa, word: &Word) -> Kind {
    let paths = minimize(dfa).trimmed();
    let mut state = paths.initial();
    for (i, &letter) in word.iter().enumerate() {
        let Some(next) = paths.next(state, letter) else {
            let rest: &[Letter] = &word[i + 1..];
            let walk = |from| rest.iter().try_fold(from, |state, &letter| paths.next(state, letter));
            let ends_well = |from| walk(from).is_some_and(|end| paths.is_accepting(end));
            return match paths.states().any(ends_well) {
                _ if rest.is_empty() => Kind::InvalidPostfix,
                true => Kind::InvalidInfix,
                false => Kind::Random,
            };
        };
        state = next;
    }
    if paths.is_accepting(state) { Kind::Positive } else { Kind::NonAccepting }
}

fn shares() -> impl Strategy<Value = Shares> {
    (0..3_u32, 0..3_u32, 0..3_u32, 0..3_u32)
        .prop_map(|(non_accepting, invalid_postfix, invalid_infix, random)| Shares {
            non_accepting,
            invalid_postfix,
            invalid_infix,
            random,
        })
        .prop_filter("some share", |shares| *shares != Shares { random: 0, ..Shares::RANDOM })
}

fn settings() -> impl Strategy<Value = ExampleSettings> {
    let draw = prop_oneof![Just(Draw::Uniform), Just(Draw::Even)];
    let flags = any::<(bool, bool, bool)>();
    (0..=DEPTH, 0..60_usize, 0..60_usize, shares(), draw, flags, any::<u64>()).prop_map(
        |(depth, positives, negatives, shares, draw, (empty_word, balance, even_random), seed)| ExampleSettings {
            depth,
            positives: Some(positives),
            negatives: Some(negatives),
            shares,
            draw,
            even_random,
            empty_word,
            balance,
            seed,
        },
    )
}

/// The words that there are for each class.
fn classes(dfa: &Dfa, settings: &ExampleSettings) -> (Vec<Word>, Vec<Word>) {
    let words = all_words(dfa.alphabet(), settings.depth).into_iter();
    words.filter(|word| settings.empty_word || !word.is_empty()).partition(|word| dfa.accepts(word))
}

fn words_of(set: &ExampleSet, positive: bool) -> Vec<Word> {
    set.rows.iter().filter(|row| row.is_positive() == positive).map(|row| row.word.clone()).collect()
}

fn distinct(words: &[Word]) -> usize {
    words.iter().collect::<BTreeSet<_>>().len()
}

proptest! {
    #[test]
    fn every_word_is_of_the_kind_that_the_paper_gives_it(dfa in dfa()) {
        let kinds = Kinds::new(&dfa, 1000).unwrap();
        let words = all_words(dfa.alphabet(), DEPTH);
        for word in &words {
            prop_assert_eq!(kinds.of(word), naive_kind(&dfa, word), "{}", dfa.alphabet().write(word));
        }
        for kind in Kind::ALL {
            let language = kinds.language(&[kind]);
            prop_assert!(words.iter().all(|word| language.accepts(word) == (kinds.of(word) == kind)));
        }
        let listed: Vec<(Word, Kind)> = kinds.all(&Kind::ALL, DEPTH).collect();
        let mut expected: Vec<(Word, Kind)> = words.into_iter().map(|word| (word.clone(), kinds.of(&word))).collect();
        expected.sort_by_key(|(word, kind)| (word.len(), *kind));
        prop_assert_eq!(listed, expected);
    }

    #[test]
    fn drawn_examples_are_true_distinct_and_as_many_as_there_are(dfa in dfa(), settings in settings()) {
        let (positive, negative) = classes(&dfa, &settings);
        let (wanted, unwanted) = (settings.positives.unwrap(), settings.negatives.unwrap());
        let depth = settings.depth;
        let set = match draw(&dfa, &settings) {
            Err(ExampleError::NoPositives { .. }) => {
                prop_assert!(wanted > 0 && positive.is_empty());
                return Ok(());
            }
            Err(ExampleError::NoNegatives { .. }) => {
                prop_assert!(unwanted > 0 && negative.is_empty());
                return Ok(());
            }
            other => other.unwrap(),
        };
        prop_assert_eq!(&draw(&dfa, &settings).unwrap(), &set, "the same seed gives the same words");
        for row in &set.rows {
            prop_assert!(row.word.len() <= depth && (settings.empty_word || !row.word.is_empty()));
            prop_assert_eq!(row.is_positive(), dfa.accepts(&row.word));
            prop_assert!(row.kind == Kind::Random || row.kind == naive_kind(&dfa, &row.word));
        }
        let accepted = words_of(&set, true);
        prop_assert_eq!(distinct(&accepted), wanted.min(positive.len()));
        if settings.balance {
            prop_assert_eq!(accepted.len(), wanted);
            let mut times = BTreeMap::new();
            accepted.iter().for_each(|word| *times.entry(word).or_insert(0) += 1);
            let (least, most) = (times.values().min().copied(), times.values().max().copied());
            prop_assert!(most.unwrap_or(0) - least.unwrap_or(0) <= 1);
        } else {
            prop_assert_eq!(accepted.len(), wanted.min(positive.len()));
        }
        let rejected = words_of(&set, false);
        prop_assert_eq!(rejected.len(), unwanted.min(negative.len()));
        prop_assert_eq!(distinct(&rejected), rejected.len());
        if settings.empty_word {
            let (class, wanted) = if dfa.accepts(&[]) { (&accepted, wanted) } else { (&rejected, unwanted) };
            prop_assert!(wanted == 0 || class.contains(&Word::empty()), "the empty word is labelled");
        }
    }

    #[test]
    fn kinds_have_their_shares_and_random_words_fill_up(dfa in dfa(), settings in settings()) {
        let Ok(set) = draw(&dfa, &settings) else { return Ok(()) };
        let wanted = settings.negatives.unwrap();
        let whole: u32 = Kind::NEGATIVE.iter().map(|&kind| settings.shares.of(kind)).sum();
        for kind in [Kind::NonAccepting, Kind::InvalidPostfix, Kind::InvalidInfix] {
            let words = all_words(dfa.alphabet(), settings.depth);
            let there = words.iter().filter(|word| !word.is_empty() && naive_kind(&dfa, word) == kind).count();
            let share = wanted * settings.shares.of(kind) as usize / whole as usize;
            let count = set.count(kind);
            // Rounding gives one more, the empty word takes one from any kind and adds one to its own.
            prop_assert!(count <= share + 2, "{count} of {kind:?}");
            prop_assert!(count + 1 >= share.min(there), "{count} of {kind:?}, {share} wanted, {there} there");
        }
    }

    #[test]
    fn even_draws_take_as_much_of_each_length_as_of_any_other(dfa in dfa(), wanted in 1..60_usize, seed: u64) {
        let settings = ExampleSettings {
            depth: DEPTH,
            positives: Some(wanted),
            negatives: Some(0),
            empty_word: false,
            seed,
            ..ExampleSettings::default()
        };
        let Ok(set) = draw(&dfa, &settings) else { return Ok(()) };
        let (there, _) = classes(&dfa, &settings);
        let of_length = |words: &[Word], length| words.iter().filter(|word| word.len() == length).count();
        let drawn = words_of(&set, true);
        let most = (1..=DEPTH).map(|length| of_length(&drawn, length)).max().unwrap();
        for length in 1..=DEPTH {
            let (drawn, there) = (of_length(&drawn, length), of_length(&there, length));
            prop_assert!(drawn == there || drawn + 1 >= most, "{drawn} of {there} words of length {length}");
        }
    }

    #[test]
    fn all_examples_are_all_words(dfa in dfa(), empty_word: bool) {
        let settings = ExampleSettings {
            depth: DEPTH,
            positives: None,
            negatives: None,
            draw: Draw::All,
            empty_word,
            ..ExampleSettings::default()
        };
        let (positive, negative) = classes(&dfa, &settings);
        match (draw(&dfa, &settings), all(&dfa, &settings)) {
            (Err(error), Err(other)) => {
                prop_assert_eq!(error, other);
                prop_assert!(positive.is_empty() || negative.is_empty());
            }
            (Ok(set), Ok(listed)) => {
                let listed: Vec<Example> = listed.collect();
                prop_assert_eq!(count_all(&dfa, &settings).unwrap(), listed.len().into());
                let by_length: Vec<usize> = listed.iter().map(|row| row.word.len()).collect();
                prop_assert!(by_length.is_sorted());
                let mut sorted = listed;
                sorted.sort_by_key(|row| row.kind);
                prop_assert_eq!(&sorted, &set.rows);
                prop_assert_eq!(words_of(&set, true), positive);
                let rejected: BTreeSet<Word> = words_of(&set, false).into_iter().collect();
                prop_assert_eq!(rejected.len(), set.rows.len() - set.count(Kind::Positive));
                prop_assert_eq!(rejected, negative.into_iter().collect());
                prop_assert!(set.rows.iter().all(|row| row.kind == naive_kind(&dfa, &row.word)));
            }
            (set, _) => prop_assert!(false, "{set:?}"),
        }
    }
}

/// Chance as it should be: of the sets of two out of five words each word is in two of five, however it is drawn.
fn check_uniform(dfa: &Dfa, wanted: usize, spread: impl Fn(u64) -> ExampleSettings) {
    const DRAWS: usize = 3000;
    let mut times: BTreeMap<Word, usize> = BTreeMap::new();
    for seed in 0..DRAWS as u64 {
        let set = draw(dfa, &spread(seed)).unwrap();
        assert_eq!(set.rows.len(), wanted);
        set.rows.into_iter().for_each(|row| *times.entry(row.word).or_default() += 1);
    }
    let mean = (DRAWS * wanted) as f64 / times.len() as f64;
    let chi_square: f64 = times.values().map(|&count| (count as f64 - mean).powi(2) / mean).sum();
    // As many degrees of freedom as words, less one: the mean of the sum, whose deviation is √(2 · freedom).
    let freedom = (times.len() - 1) as f64;
    assert!(chi_square < freedom + 4.0 * (2.0 * freedom).sqrt(), "{chi_square} for {freedom} degrees of freedom");
}

#[test]
fn words_are_equally_likely_whether_listed_or_drawn() {
    let (dfa, settings) = (language("[ab]*", "abc"), ExampleSettings { draw: Draw::Uniform, ..Default::default() });
    let settings = ExampleSettings { depth: 4, empty_word: false, negatives: Some(0), ..settings };
    // 30 words: two are drawn one by one, twenty from the list.
    check_uniform(&dfa, 2, |seed| ExampleSettings { seed, positives: Some(2), ..settings });
    check_uniform(&dfa, 20, |seed| ExampleSettings { seed, positives: Some(20), ..settings });
    // Random ones among all that are rejected: 90 words.
    let negative = ExampleSettings { positives: Some(0), shares: Shares::RANDOM, even_random: false, ..settings };
    check_uniform(&dfa, 5, |seed| ExampleSettings { seed, negatives: Some(5), ..negative });
}

#[test]
fn random_words_are_short_as_often_as_long_however_the_others_are_drawn() {
    let dfa = language("[ab]*a", "abcd");
    let settings = ExampleSettings { depth: 16, draw: Draw::Uniform, shares: Shares::RANDOM, ..Default::default() };
    let of_length = |settings: &ExampleSettings, length| {
        let set = draw(&dfa, settings).unwrap();
        set.rows.iter().filter(|row| row.kind == Kind::Random && row.word.len() == length).count()
    };
    // All 3, 14 and 60 of the shortest, and of thirteen lengths as many as of any other.
    assert!((4..=16).all(|length| (70..=71).contains(&of_length(&settings, length))));
    let uniform = ExampleSettings { even_random: false, ..settings };
    assert!((700..800).contains(&of_length(&uniform, 16)), "three of four words are as long as can be");
}

#[test]
fn what_cannot_be_had_is_said() {
    let settings = ExampleSettings { depth: 16, ..ExampleSettings::default() };
    let error = |dfa: &Dfa, settings: &ExampleSettings| draw(dfa, settings).unwrap_err().to_string();
    assert_eq!(
        error(&language("[^ab]", "ab"), &settings),
        "no word of at most 16 letters is in the language: there are no positive examples"
    );
    assert_eq!(
        error(&language("[ab]*", "ab"), &settings),
        "every word of at most 16 letters is in the language: there are no negative examples"
    );
    assert_eq!(
        error(&language("[abcd]*a", "abcd"), &ExampleSettings { draw: Draw::All, ..settings }),
        "there are 1431655765 positive words of at most 16 letters, more than the 1000 allowed"
    );
    assert_eq!(
        error(&language("[abcd]*a", "abcd"), &ExampleSettings { positives: None, ..settings }),
        "there are 1431655765 positive words of at most 16 letters, more than the 10000000 allowed"
    );
    assert_eq!(
        error(&language("a*", "ab"), &ExampleSettings { shares: Shares { random: 0, ..Shares::RANDOM }, ..settings }),
        "negative examples are requested, but no kind has a share"
    );
    let complete = language("([ab][ab])*", "ab");
    let infix = Shares { invalid_infix: 1, random: 0, ..Shares::RANDOM };
    assert_eq!(
        error(
            &complete,
            &ExampleSettings { shares: infix, empty_word: false, draw: Draw::All, positives: Some(0), ..settings }
        ),
        "no word of at most 16 letters is a negative example of the requested kinds"
    );
    assert_eq!(
        error(&language("[ab]*a", "ab"), &ExampleSettings { depth: 1_000_000, ..settings }),
        "words of up to 1000000 letters are too long to be drawn: their counts would not fit into a gibibyte"
    );
}

#[test]
fn any_number_of_words_is_listed_one_by_one() {
    let settings = ExampleSettings { depth: 16, positives: None, negatives: None, ..ExampleSettings::default() };
    let dfa = language("([ab]*c+d?)*", "abcd");
    let listed: Vec<Example> = all(&dfa, &settings).unwrap().take(100_000).collect();
    assert_eq!(listed.len(), 100_000);
    assert!(listed.iter().all(|row| row.is_positive() == dfa.accepts(&row.word)));
}

#[test]
fn examples_are_written_as_abbadingo_has_them() {
    let settings = ExampleSettings { depth: 2, ..ExampleSettings::default() };
    let set = draw(&language("a+", "ab"), &settings).unwrap();
    let text = abbadingo::write(&Examples::from(&set));
    assert_eq!(text, "7 2\n1 1 0\n1 2 0 0\n0 0\n0 1 1\n0 2 0 1\n0 2 1 0\n0 2 1 1\n");
}

//! Letters that are classes, against the same languages written out in characters.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use automata::formats::{self, Document, Format, att, dot, grammar_text, json, write_regex};
use automata::{
    Alphabet, BigUint, Class, Dfa, Direction, Grammar, Letter, Nfa, Regex, Sampler, Spelling, StateId, cardinality,
    count_by_length, count_to, determinize, difference, enumerate, equivalent, intersection, minimize, overlap,
    separating_word, union,
};
use common::{all_words, pattern};
use proptest::prelude::*;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use regex_automata::meta;

/// Characters that mean something in brackets, that do not show, and plain ones.
const AWKWARD: [char; 16] =
    ['a', 'b', 'c', 'z', '0', '9', '-', ']', '[', '^', '\\', '&', ' ', '\n', '\u{D7FF}', '\u{E000}'];
/// For languages: few enough to list all words.
const FEW: [char; 6] = ['a', 'b', 'c', '0', '-', '"'];

fn set_of(class: &Class) -> BTreeSet<char> {
    class.chars().collect()
}

fn class_of(set: &BTreeSet<char>) -> Class {
    Class::new(set.iter().map(|&c| (c, c)))
}

fn any_class() -> impl Strategy<Value = Class> {
    let range = prop_oneof![
        4 => prop::sample::select(AWKWARD.to_vec()).prop_map(|c| (c, c)),
        2 => (prop::sample::select(AWKWARD.to_vec()), 0..40_u32).prop_map(|(c, more)| {
            (c, char::from_u32(u32::from(c) + more).unwrap_or(c))
        }),
        1 => any::<(char, u8)>().prop_map(|(c, more)| (c, char::from_u32(u32::from(c) + u32::from(more)).unwrap_or(c))),
    ];
    prop::collection::vec(range, 0..6).prop_map(Class::new)
}

/// Some of these characters, in up to four disjoint classes.
fn alphabet_of(chars: &'static [char]) -> impl Strategy<Value = Alphabet> {
    prop::collection::vec(0..5_usize, chars.len()).prop_map(|groups| {
        let group = |i: usize| chars.iter().zip(&groups).filter(move |(_, group)| **group == i).map(|(&c, _)| (c, c));
        Alphabet::of_classes(&(0..4).map(|i| Class::new(group(i))).collect::<Vec<_>>())
    })
}

/// Automata of up to `most` states over classes of `chars`.
fn dfa_of(most: usize, chars: &'static [char]) -> impl Strategy<Value = Dfa> {
    (1..=most, alphabet_of(chars)).prop_flat_map(|(states, alphabet)| {
        let next = prop_oneof![3 => (0..states).prop_map(Some), 1 => Just(None)];
        (
            prop::collection::vec(prop::collection::vec(next, alphabet.len()), states),
            prop::collection::vec(any::<bool>(), states),
        )
            .prop_map(move |(rows, accepts)| {
                let accepting = (0..accepts.len()).filter(|&q| accepts[q]);
                Dfa::new(alphabet.clone(), 0, accepting, &rows).unwrap()
            })
    })
}

fn dfa() -> impl Strategy<Value = Dfa> {
    dfa_of(6, &FEW)
}

/// The same language over characters.
fn written_out(dfa: &Dfa) -> Dfa {
    let old = dfa.alphabet();
    let letter_of: BTreeMap<char, Letter> =
        old.letters().flat_map(|letter| set_of(&old.class(letter)).into_iter().map(move |c| (c, letter))).collect();
    let alphabet = Alphabet::of_chars(&letter_of.keys().collect::<String>());
    let row = |state| letter_of.values().map(|&letter| dfa.next(state, letter).map(StateId::index)).collect();
    let rows: Vec<Vec<Option<usize>>> = dfa.states().map(row).collect();
    Dfa::new(alphabet, dfa.initial().index(), dfa.accepting().map(StateId::index), &rows).unwrap()
}

/// Whether the language has the word that is written so.
fn has(dfa: &Dfa, text: &str) -> bool {
    dfa.alphabet().read(text).is_ok_and(|word| dfa.accepts(&word))
}

/// What a file holds, its format found out.
fn read(text: &str) -> Document {
    formats::read(text, Format::detect(text), &Alphabet::of_chars(""), Spelling::Chars).unwrap()
}

/// All texts over [`FEW`] of at most three characters.
fn texts() -> Vec<String> {
    let chars = Alphabet::new(FEW).unwrap();
    all_words(&chars, 3).iter().map(|word| chars.write(word)).collect()
}

proptest! {
    #[test]
    fn classes_are_sets(a in any_class(), b in any_class(), c in any::<char>()) {
        let (x, y) = (set_of(&a), set_of(&b));
        prop_assert_eq!(&class_of(&x), &a);
        prop_assert_eq!(a.len(), x.len());
        prop_assert_eq!(a.is_empty(), x.is_empty());
        prop_assert_eq!(set_of(&a.union(&b)), &x | &y);
        prop_assert_eq!(set_of(&a.intersection(&b)), &x & &y);
        prop_assert_eq!(set_of(&a.difference(&b)), &x - &y);
        prop_assert_eq!(a.is_disjoint(&b), x.is_disjoint(&y));
        prop_assert_eq!(a.is_subset(&b), x.is_subset(&y));
        for c in AWKWARD.into_iter().chain([c]) {
            prop_assert_eq!(a.contains(c), x.contains(&c));
        }
        prop_assert!(x.iter().enumerate().all(|(i, &c)| a.nth(i) == Some(c)));
        prop_assert_eq!(a.nth(x.len()), None);
        prop_assert_eq!(a.representative().is_some(), !x.is_empty());
        prop_assert!(a.representative().is_none_or(|c| x.contains(&c)));
    }

    #[test]
    fn a_class_is_read_by_its_name(class in any_class()) {
        let name = class.name();
        match class.len() {
            0 => {}
            1 => prop_assert_eq!(Class::parse(&name), None),
            _ => prop_assert_eq!(Class::parse(&name), Some(class.clone())),
        }
        if !class.is_empty() {
            prop_assert_eq!(Class::of_name(&name), Some(class.clone()));
            // And by the `regex` crate.
            let pattern = Regex::parse_spelled(&name, &Alphabet::of_classes(std::slice::from_ref(&class)), Spelling::Classes);
            let matches = class.len() < 2 || meta::Regex::new(&format!("^{name}$")).is_ok_and(|regex| {
                AWKWARD.into_iter().chain(class.chars()).all(|c| regex.is_match(&c.to_string()) == class.contains(c))
            });
            prop_assert!(matches, "{}", name);
            prop_assert!(class.len() < 2 || pattern.is_ok_and(|regex| regex.alphabet().len() == 1));
        }
    }

    #[test]
    fn atoms_tell_apart_just_what_classes_do(classes in prop::collection::vec(any_class(), 0..5)) {
        let atoms = Class::atoms(&classes);
        let mut naive: BTreeMap<Vec<bool>, BTreeSet<char>> = BTreeMap::new();
        for c in classes.iter().flat_map(Class::chars) {
            naive.entry(classes.iter().map(|class| class.contains(c)).collect()).or_default().insert(c);
        }
        let mut naive: Vec<BTreeSet<char>> = naive.into_values().collect();
        naive.sort();
        prop_assert_eq!(atoms.iter().map(set_of).collect::<Vec<_>>(), naive);
        let alphabet = Alphabet::of_classes(&classes);
        prop_assert_eq!(alphabet.len(), atoms.len());
        let all_single = atoms.iter().all(|atom| atom.len() == 1);
        prop_assert_eq!(alphabet.spelling(), if all_single { Spelling::Chars } else { Spelling::Classes });
        for letter in alphabet.letters() {
            prop_assert!(atoms.contains(&alphabet.class(letter)));
        }
    }

    #[test]
    fn words_are_read_as_they_are_written(alphabet in alphabet_of(&AWKWARD), word in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let letters: Vec<Letter> = alphabet.letters().collect();
        let word: Vec<Letter> = if letters.is_empty() { Vec::new() } else { word.iter().map(|i| *i.get(&letters)).collect() };
        prop_assert_eq!(alphabet.read(&alphabet.write(&word)).unwrap().to_vec(), word);
        for c in AWKWARD {
            let letter = alphabet.letters().find(|&letter| alphabet.class(letter).contains(c));
            prop_assert_eq!(alphabet.read(&c.to_string()).ok().map(|word| word[0]), letter);
        }
    }

    #[test]
    fn a_language_of_classes_has_the_words_of_its_characters(dfa in dfa()) {
        let plain = written_out(&dfa);
        for text in texts() {
            prop_assert_eq!(has(&dfa, &text), has(&plain, &text), "{:?}", text);
        }
        prop_assert!(equivalent(&dfa, &plain));
        let expanded = dfa.alphabet().expanded(100).unwrap();
        prop_assert_eq!(&dfa.over(&expanded), &plain);
        prop_assert_eq!(minimize(&minimize(&dfa).over(&expanded)), minimize(&plain));
        let nfa = Nfa::from(&dfa).over(&expanded);
        prop_assert_eq!(nfa, Nfa::from(&plain));
        for direction in [Direction::Left, Direction::Right] {
            let grammar = Grammar::from_dfa(&dfa, direction).over(&expanded);
            prop_assert!(equivalent(&determinize(&grammar.to_nfa(), 1000).unwrap(), &plain));
        }
    }

    #[test]
    fn languages_of_different_classes_meet(a in dfa(), b in dfa()) {
        let (plain_a, plain_b) = (written_out(&a), written_out(&b));
        let word = separating_word(&a, &b);
        prop_assert_eq!(word.as_ref().map(|w| w.len()), separating_word(&plain_a, &plain_b).map(|w| w.len()));
        prop_assert_eq!(word.is_some(), separating_word(&a, &plain_b).is_some());
        if let Some(word) = word {
            let text = a.alphabet().union(b.alphabet()).write(&word);
            prop_assert!(has(&a, &text) != has(&b, &text), "{:?}", text);
        }
        let either = union(&a, &b, 1000).unwrap();
        let both = intersection(&a, &plain_b, 1000).unwrap();
        let only_a = difference(&plain_a, &b, 1000).unwrap();
        for text in texts() {
            let (in_a, in_b) = (has(&a, &text), has(&b, &text));
            prop_assert_eq!(has(&either, &text), in_a || in_b);
            prop_assert_eq!(has(&both, &text), in_a && in_b);
            prop_assert_eq!(has(&only_a, &text), in_a && !in_b);
        }
        let wide = a.alphabet().union(b.alphabet());
        prop_assert_eq!(wide.union(a.alphabet()), wide);
    }

    #[test]
    fn counts_are_those_of_characters(a in dfa(), b in dfa()) {
        let (plain_a, plain_b) = (written_out(&a), written_out(&b));
        prop_assert_eq!(count_by_length(&a, 9), count_by_length(&plain_a, 9));
        prop_assert_eq!(count_to(&a, 20), count_to(&plain_a, 20));
        prop_assert_eq!(cardinality(&a), cardinality(&plain_a));
        prop_assert_eq!(overlap(&a, &b, 9, 1000).unwrap(), overlap(&plain_a, &plain_b, 9, 1000).unwrap());
        let totals = [&a, &plain_a].map(|dfa| Sampler::up_to(dfa, 6).map(|sampler| sampler.total().clone()));
        prop_assert_eq!(&totals[0], &totals[1]);
        let listed: Vec<String> =
            enumerate(&a).take_while(|word| word.len() <= 3).map(|word| a.alphabet().write(&word)).collect();
        prop_assert!(listed.iter().all(|text| has(&plain_a, text)));
    }

    #[test]
    fn expressions_are_read_over_classes_as_over_characters(pattern in pattern(), alphabet in alphabet_of(&FEW)) {
        let over_classes = Regex::parse_spelled(&pattern, &alphabet, Spelling::Classes).unwrap().to_dfa().unwrap();
        let chars = alphabet.expanded(100).unwrap();
        let over_chars = Regex::parse(&pattern, &chars).unwrap().to_dfa().unwrap();
        prop_assert!(equivalent(&over_classes, &over_chars));
        prop_assert_eq!(&over_classes.alphabet().expanded(100).unwrap(), over_chars.alphabet());
    }

    #[test]
    fn every_format_comes_back(dfa in dfa_of(4, &AWKWARD)) {
        let nfa = Nfa::from(&dfa);
        prop_assert_eq!(read(&json::write_dfa(&dfa)), Document::Dfa(dfa.clone()));
        prop_assert_eq!(read(&json::write_nfa(&nfa)), Document::Nfa(nfa.clone()));
        prop_assert_eq!(dot::read(&dot::write(&nfa)).unwrap(), nfa.clone());
        let back = att::read(&att::write(&nfa)).unwrap();
        prop_assert_eq!(back.alphabet(), nfa.alphabet());
        prop_assert!(equivalent(&determinize(&back, 100).unwrap(), &dfa));
        for direction in [Direction::Left, Direction::Right] {
            let grammar = Grammar::from_dfa(&dfa, direction);
            prop_assert_eq!(read(&json::write_grammar(&grammar)), Document::Grammar(grammar.clone()));
            let text = grammar_text::write(&grammar);
            let back = grammar_text::read(&text).unwrap();
            prop_assert_eq!(back.alphabet(), grammar.alphabet(), "{}", text);
            prop_assert_eq!(grammar_text::write(&back), text);
            prop_assert!(equivalent(&determinize(&back.to_nfa(), 1000).unwrap(), &dfa));
        }
    }
}

proptest! {
    // Expressions of dense automata are long, and to shorten them takes long.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn expressions_are_those_of_the_regex_crate(dfa in dfa_of(3, &AWKWARD)) {
        let minimal = minimize(&dfa);
        let written = Regex::from_dfa(&minimal).unwrap().to_string();
        let back = Regex::parse(&written, minimal.alphabet()).unwrap();
        prop_assert_eq!(back.to_dfa().unwrap(), minimal.clone(), "{}", written);
        let apart = read(&write_regex(&Regex::from_dfa(&minimal).unwrap())).to_minimal_dfa(1000).unwrap();
        prop_assert!(equivalent(&apart, &minimal), "{}", written);
        let oracle = meta::Regex::new(&format!("^(?:{written})$")).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for dfa in [&minimal, &minimal.complement()] {
            let Some(sampler) = Sampler::up_to(dfa, 8) else { continue };
            for _ in 0..20 {
                let text = sampler.draw_text(&mut random);
                prop_assert_eq!(oracle.is_match(&text), has(&minimal, &text), "{} on {:?}", written, text);
            }
        }
    }
}

fn dates() -> Dfa {
    let known = Alphabet::new(["[0-9]", "-"]).unwrap();
    Regex::parse("[0-9]{4}-[0-9]{2}", &known).unwrap().to_dfa().unwrap()
}

#[test]
fn a_date_is_made_of_digits() {
    let dates = dates();
    assert_eq!(dates.alphabet().names(), ["-", "[0-9]"]);
    assert_eq!(dates.len(), 9, "eight states, and a dead one");
    assert!(has(&dates, "2024-07") && !has(&dates, "2024-7"));
    assert_eq!(Regex::from_dfa(&dates).unwrap().to_string(), "[0-9]{4}-[0-9]{2}");
    assert_eq!(cardinality(&dates), Some(BigUint::from(1_000_000_u32)));
    let grammar = grammar_text::write(&Grammar::from_dfa(&dates, Direction::Left));
    assert!(grammar.contains("\nA1 -> [0-9]\n") && grammar.contains("\nA2 -> A1 [0-9]\n"), "{grammar}");
    // What is told apart becomes a letter of its own.
    let july = Regex::parse("[0-9]+-07", dates.alphabet()).unwrap().to_dfa().unwrap();
    assert_eq!(july.alphabet().names(), ["-", "0", "7", "[1-689]"]);
    let word = separating_word(&dates, &july).unwrap();
    let text = dates.alphabet().union(july.alphabet()).write(&word);
    assert!(has(&july, &text) && !has(&dates, &text), "{text}");
    let found = overlap(&dates, &july, 7, 1000).unwrap();
    assert_eq!(found.recall().to_string(), "1/100");
}

#[test]
fn what_reads_like_a_class_is_one() {
    let spelling = |names: &[&str]| Alphabet::new(names.iter().copied()).unwrap().spelling();
    for class in ["[0-9]", "[0-9a-f]", "[+-]", "[.\\-]", "[eE]", "[ \\t]", "[\\u{0}-\\u{10FFFF}]", "[_A-Za-z]"] {
        assert_eq!(spelling(&[class]), Spelling::Classes, "{class}");
    }
    for token in ["[INFO]", "[ERROR]", "[a]", "[]", "[^ab]", "[a", "[a]b]", "[[ab]]", "[\\d]", "[a&&b]", "[b-a]"] {
        assert_eq!(spelling(&[token, "x"]), Spelling::Tokens, "{token}");
    }
    assert_eq!(spelling(&["[0-9]", "login"]), Spelling::Tokens);
    assert_eq!(spelling(&["[0-9]", "5"]), Spelling::Tokens, "they overlap");
    assert_eq!(spelling(&["[", "]"]), Spelling::Chars);
    // Tokens meet classes by name.
    let digits = Alphabet::new(["[0-9]"]).unwrap();
    let tokens = Alphabet::new(["login", "5"]).unwrap();
    assert_eq!(digits.union(&tokens).names(), ["5", "[0-9]", "login"]);
    assert_eq!(tokens.union(&digits).spelling(), Spelling::Tokens);
}

#[test]
fn very_many_characters_are_a_class() {
    let parse = |pattern: &str, known: &str| Regex::parse(pattern, &Alphabet::of_chars(known)).unwrap();
    let anything = parse(r"[\x00-\u{10FFFF}]*", "");
    assert_eq!(anything.alphabet().names(), [r"[\u{0}-􏿿]"]);
    assert_eq!(count_by_length(&anything.to_dfa().unwrap(), 1)[1], BigUint::from(0x11_0000_u32 - 0x800));
    let others = parse(r"k[^k]|[\u{80}-\u{10FFFF}]", "xy");
    assert_eq!(others.alphabet().names(), [r"[\u{80}-􏿿]", "k", "x", "y"]);
    assert!(equivalent(&parse(&anything.to_string(), "").to_dfa().unwrap(), &anything.to_dfa().unwrap()));
}

#[test]
fn an_unknown_character_is_named() {
    let error = dates().alphabet().read("2024/07").unwrap_err();
    assert_eq!(error.to_string(), r#"unknown letter "/"; the alphabet is {-, [0-9]}"#);
}

#[test]
fn drawn_texts_are_even() {
    let alphabet = Alphabet::new(["[a-c]", "[01]", "x"]).unwrap();
    let dfa = Regex::parse("[a-c][01]?|x[01x]", &alphabet).unwrap().to_dfa().unwrap();
    let plain = written_out(&dfa);
    let mut counts: BTreeMap<String, usize> =
        enumerate(&plain).map(|word| (plain.alphabet().write(&word), 0)).collect();
    assert_eq!(counts.len(), 12);
    let sampler = Sampler::up_to(&dfa, 2).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..12 * 400 {
        *counts.get_mut(&sampler.draw_text(&mut random)).expect("a word of the language") += 1;
    }
    let statistic: f64 = counts.values().map(|&count| (count as f64 - 400.0).powi(2) / 400.0).sum();
    assert!((statistic - 11.0).abs() < 3.0 * 22.0_f64.sqrt(), "{statistic} for 11 degrees of freedom");
    // The same numbers draw the same letters.
    let (mut one, mut other) = (ChaCha8Rng::seed_from_u64(6), ChaCha8Rng::seed_from_u64(6));
    for _ in 0..50 {
        assert_eq!(alphabet.read(&sampler.draw_text(&mut one)).unwrap(), sampler.draw(&mut other));
    }
}

#[test]
fn a_production_over_several_classes_is_written_once() {
    let text = "S -> S [0-9]\nS -> S x\nA -> S 5\nS -> [a-f0-9]\nS -> A -\n";
    let grammar = grammar_text::read(text).unwrap();
    assert_eq!(grammar.alphabet().names(), ["-", "5", "[0-46-9]", "[a-f]", "x"]);
    assert_eq!(grammar.productions().len(), 8);
    assert_eq!(grammar_text::write(&grammar), "S -> [a-f0-9]\nS -> S [x0-9]\nS -> A -\nA -> S 5\n");
    assert_eq!(grammar_text::read(&grammar_text::write(&grammar)).unwrap(), grammar);
}

/// A class of hundreds of ranges has a short name, and the name is read as the same class, by us and by the `regex` crate.
#[test]
fn categories_of_unicode_are_named() {
    let [capitals, small, letters] = ["Lu", "Ll", "L"].map(|name| Class::of_category(name).unwrap());
    let latin = Class::new([('a', 'z')]);
    for (class, name) in [
        (capitals.clone(), r"[\p{Lu}]"),
        (small.difference(&latin), r"[\p{Ll}--[a-z]]"),
        (letters.union(&Class::new([('0', '9'), ('_', '_')])), r"[\p{L}0-9_]"),
        (letters.union(&Class::new([(']', ']')])).difference(&Class::of_char('-')), r"[\p{L}\]]"),
        (capitals.difference(&Class::of_char('Q')), r"[\p{Lu}--[Q]]"),
        (small.union(&Class::new([('-', '-'), ('[', '[')])).difference(&Class::of_char('z')), r"[\p{Ll}\-\[--[z]]"),
    ] {
        assert_eq!(class.name(), name);
        assert_eq!(Class::of_name(name), Some(class.clone()));
        assert_eq!(Class::parse(name), Some(class));
    }
    assert_eq!(Class::of_category("nothing"), None);
    assert_eq!(Class::of_name(r"[\p{nothing}]"), None);
}

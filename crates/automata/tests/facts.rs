//! Descriptions against brute force, against the automata of their facts, and as people read them.

mod common;

use automata::{
    Alphabet, Class, Description, Dfa, Fact, Regex, describe, difference, equivalent, formats::grammar_text,
    intersection, union,
};
use common::{all_words, dfa_of, pattern};
use proptest::prelude::*;

const LIMIT: usize = 100_000;

/// What a fact and the empty word allow.
fn allowed(fact: &Fact, description: &Description) -> Dfa {
    let automaton = fact.automaton(description.alphabet());
    if !description.but_empty_word {
        return automaton;
    }
    union(&automaton, &Fact::OnlyEmptyWord.automaton(description.alphabet()), LIMIT).unwrap()
}

fn together<'a>(facts: impl IntoIterator<Item = &'a Fact>, description: &Description) -> Dfa {
    let everything = Dfa::constant(description.alphabet().clone(), true);
    facts.into_iter().fold(everything, |all, fact| intersection(&all, &allowed(fact, description), LIMIT).unwrap())
}

fn is_part(a: &Dfa, b: &Dfa) -> bool {
    difference(a, b, LIMIT).unwrap().is_empty_language()
}

fn check(dfa: &Dfa) {
    let description = describe(dfa);
    let sentence = description.sentence();
    for word in all_words(dfa.alphabet(), 7).iter().filter(|word| dfa.accepts(word)) {
        for fact in &description.facts {
            let holds = (description.but_empty_word && word.is_empty()) || fact.automaton(dfa.alphabet()).accepts(word);
            assert!(holds, "{sentence}: {fact:?} of {:?}", dfa.alphabet().write(word));
        }
    }
    for (i, fact) in description.facts.iter().enumerate() {
        assert!(is_part(dfa, &allowed(fact, &description)), "{sentence}: {fact:?}");
        let others = description.facts.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, fact)| fact);
        let says_more = !is_part(&together(others, &description), &allowed(fact, &description));
        assert!(says_more || description.facts.len() == 1, "{sentence}: {fact:?} follows from the others");
    }
    let all = together(&description.facts, &description);
    assert_eq!(equivalent(&all, dfa), description.complete, "{sentence}");
    assert_eq!(description.words, automata::cardinality(dfa));
    assert_eq!(description.sentences().len(), description.facts.len());
}

proptest! {
    #[test]
    fn facts_are_true_needed_and_as_complete_as_they_say(dfa in dfa_of(6)) {
        check(&dfa);
    }

    #[test]
    fn of_expressions_too(pattern in pattern()) {
        check(&Regex::parse(&pattern, &Alphabet::of_chars("abc")).unwrap().to_dfa().unwrap());
    }
}

fn dfa(pattern: &str, letters: &str) -> Dfa {
    Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap()
}

/// Patterns over characters, and what is said of their languages.
const PATTERNS: [(&str, &str, &str); 32] = [
    ("abc", "[ab]*c+", "All words over a, b, c that end in c, with no a or b after the first c."),
    ("ab", "[ab]*", "All words over a, b."),
    ("ab", "()", "Only the empty word."),
    ("a", "a+", "All non-empty words over a."),
    ("ab", "ab|ba|()", "Only the empty word, ab and ba."),
    ("ab", "[ab]{3}", "All words over a, b that have exactly three letters. There are 8 of them."),
    ("a", "(aaa)*a", "All words over a that have length 1 modulo 3."),
    ("abc", "a*b*c*", "All words over a, b, c with no a after the first b and no a or b after the first c."),
    ("ab", ".*abba.*", "All words over a, b that contain abba."),
    ("ab", "a.*b|()", "The empty word and all words over a, b that begin with a and end in b."),
    ("abc", "[ab]*c[ab]*", "All words over a, b, c that have exactly one c."),
    ("abc", "(b*ab*a)*b*", "All words over a, b, c that have an even number of a, with no c."),
    (
        "abc",
        "(a|b)(ab|c)*",
        "Some of the words over a, b, c that begin with a or b and have an odd number of a or b, with no [bc]b or [a-c]a[ac].",
    ),
    ("ab", "(..)*", "All words over a, b that have even length."),
    ("-0123456789", "-?[0-9]+", r#"All words over [0-9\-] that end in [0-9], with no - after the first letter."#),
    ("ab", "(b|aa)*", "All words over a, b that have only even runs of a."),
    ("ab", "[ab]*a[ab]{2}", "All words over a, b that end in a[ab]{2}."),
    ("ab", "(a|b)*abb", "All words over a, b that end in abb."),
    ("ab", "a{2,5}b+", "All words over a, b that end in b and have two to five a, with no a after the first b."),
    ("ab", "a*|b*", "All words over a, b with no b after the first a and no a after the first b."),
    ("ab", "b*a?b*a?b*", "All words over a, b that have at most two a."),
    (
        "ab",
        "(ab|ba)*",
        "The empty word and some of the words over a, b that contain a and b, and have even length, with no aaa or bbb.",
    ),
    ("01", "(0|1(01*0)*1)*", "Some of the words over 0, 1."),
    ("abc", "[bc]*(a[bc]*){2,}", "All words over a, b, c that have at least two a."),
    (
        "abcdefghijklmnopqrstuvwxyz@.",
        "[a-z]+@[a-z]+[.]com",
        r#"All words over [a-z.@] that begin with [a-z], end in .com, and have exactly one "." and exactly one @, with no "@."."#,
    ),
    (
        "abcdefghijklmnopqrstuvwxyz/ GETHP",
        "GET /[a-z/]* HTTP",
        r#"All words over [EGHPTa-z /] that begin with "GET /", end in " HTTP" and have only [a-z/] between the first five letters and the last five letters."#,
    ),
    (
        "-.0123456789",
        "-?[0-9]+([.][0-9]+)?",
        r#"All words over [0-9\-.] that begin with [0-9\-], end in [0-9] and have at most one ".", with no - after the first letter and no "-."."#,
    ),
    (
        "abc",
        ".*abc.*cba.*",
        "Some of the words over a, b, c that have at least two a and at least two c, and contain abc and cba.",
    ),
    // How long words are is told, however much there is to tell of letters.
    (
        "0123456",
        "(01|12|23|34|45|56|60){3}",
        "Some of the words over [0-6] that have at most three 0, at most three 1, at most three 2, at most three 3, at most three 4 and exactly six letters. There are 343 of them.",
    ),
    ("ab", "()|a|aa.*", "The empty word and some of the words over a, b that begin with a."),
    ("0123456789-", "[0-9]{4}(-[0-9]{2}){2}", "Only [0-9]{4}-[0-9]{2}-[0-9]{2}."),
    ("abcdefghijklmnopqrstuvwxyz0123456789", "[a-z][a-z0-9]*", "All words over [a-z0-9] that begin with [a-z]."),
];

#[test]
fn sentences_read_well() {
    for (letters, pattern, expected) in PATTERNS {
        let dfa = dfa(pattern, letters);
        if letters.len() <= 4 {
            check(&dfa);
        }
        assert_eq!(describe(&dfa).sentence(), expected, "{pattern}");
    }
}

#[test]
fn tomita_s_languages_are_recognised() {
    let languages = [
        (include_str!("../../../testdata/languages/tomita1.txt"), "All words over 0, 1 with no 0."),
        (
            include_str!("../../../testdata/languages/tomita2.txt"),
            "The empty word and all words over 0, 1 that begin with 1 and end in 0, with no 00 or 11.",
        ),
        (include_str!("../../../testdata/languages/tomita3.txt"), "Some of the words over 0, 1 with no 0101."),
        (include_str!("../../../testdata/languages/tomita4.txt"), "All words over 0, 1 with no 000."),
        (
            include_str!("../../../testdata/languages/tomita5.txt"),
            "All words over 0, 1 that have an even number of 0 and an even number of 1.",
        ),
        (
            include_str!("../../../testdata/languages/tomita6.txt"),
            "All words over 0, 1 that have as many 0 as 1 modulo 3.",
        ),
        (
            include_str!("../../../testdata/languages/tomita7.txt"),
            "All words over 0, 1 with no 1 … 0 … 1 … 0 in this order.",
        ),
    ];
    for (text, expected) in languages {
        let dfa = automata::determinize(&grammar_text::read(text).unwrap().to_nfa(), 1000).unwrap();
        check(&dfa);
        assert_eq!(describe(&dfa).sentence(), expected);
    }
}

#[test]
fn letters_are_written_as_the_alphabet_writes_them() {
    let classes = Alphabet::of_classes(&[Class::new([('0', '9')]), Class::of_char('-'), Class::of_char('+')]);
    let tokens = Alphabet::new(["login", "logout", "read", "write"]).unwrap();
    const BYTES: &str = "All words over \\xA4, \\xC3, a that begin with \\xC3 or a and end in a, with no a before the last \
                         letter and no \\xA4\\xA4 or \\xC3 (\\xC3 or a).";
    let bytes = Alphabet::new(["\\xC3", "\\xA4", "a"]).unwrap();
    let languages = [
        (
            &classes,
            "[+-]?[0-9]+",
            "All words over +, -, [0-9] that end in [0-9], with no + or - after the first letter.",
        ),
        (&classes, "[0-9]{4}-[0-9]{2}", "Only [0-9]{4}-[0-9]{2}."),
        (
            &tokens,
            "(<login>(<read>|<write>)*<logout>)*",
            "The empty word and all words over login, logout, read, write that begin with login and end in logout, with no (login, read or write) login or logout (logout, read or write).",
        ),
        (&bytes, "(?-u:(\\xC3\\xA4)*a)", BYTES),
    ];
    for (alphabet, pattern, expected) in languages {
        let dfa = Regex::parse_spelled(pattern, alphabet, alphabet.spelling()).unwrap().to_dfa().unwrap();
        check(&dfa);
        assert_eq!(describe(&dfa).sentence(), expected, "{pattern}");
    }
}

#[test]
fn nothing_is_said_in_words() {
    let nothing = describe(&Dfa::constant(Alphabet::of_chars("ab"), false));
    assert_eq!((nothing.sentence().as_str(), nothing.complete), ("No word at all.", true));
    let only_empty = describe(&Dfa::constant(Alphabet::of_chars(""), true));
    assert_eq!(only_empty.sentence(), "Only the empty word.");
}

#[test]
fn large_automata_are_described_in_part() {
    // Transitions from a congruence, so that nothing is to be said; and a cycle, of which there is.
    let names: Vec<String> = (0..100).map(|i| format!("t{i}")).collect();
    let tokens = Alphabet::new(names).unwrap();
    let mut random = 7_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some((random >> 33) as usize % 3000)
    };
    let rows: Vec<Vec<Option<usize>>> = (0..3000).map(|_| (0..100).map(|_| next()).collect()).collect();
    let dense = describe(&Dfa::new(tokens.clone(), 0, 0..1500, &rows).unwrap());
    assert!(!dense.complete && dense.facts.is_empty(), "{}", dense.sentence());

    let rows: Vec<Vec<Option<usize>>> = (0..3000).map(|q| (0..100).map(|c| Some((q + c) % 3000)).collect()).collect();
    let cycle = describe(&Dfa::new(tokens.clone(), 0, [0], &rows).unwrap());
    assert!(!cycle.complete);

    let rows: Vec<Vec<Option<usize>>> = (0..900).map(|q| vec![Some((q + 1) % 900); 100]).collect();
    let lengths = describe(&Dfa::new(tokens, 0, [450], &rows).unwrap());
    assert_eq!(lengths.facts, [Fact::LengthModulo { modulus: 900, remainder: 450 }]);
    assert!(lengths.complete);

    // A single word of 30,000 letters.
    let rows: Vec<Vec<Option<usize>>> = (1..=30_001).map(|q| vec![(q <= 30_000).then_some(q), None]).collect();
    let chain = describe(&Dfa::new(Alphabet::of_chars("ab"), 0, [30_000], &rows).unwrap());
    assert_eq!(chain.sentence(), "Some of the words over a, b with no b. There is 1 of them.");
}

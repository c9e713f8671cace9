//! Expressions against `regex-automata`, and against their own automata.

mod common;

use automata::{Alphabet, Dfa, Regex, Spelling, determinize, equivalent, minimize};
use common::{LENGTH, ab, all_words, dfa_of, pattern};
use proptest::prelude::*;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use regex_automata::meta;

/// What patterns are made of, the odd things first.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        r"\p{Zl}",
        r"\P{any}",
        "(?-u)",
        "(?u)",
        "(?i)",
        "(?-i)",
        "(?x)",
        "(?s)",
        "(?-u:a)",
        r"(?u:\xFF)",
        r"[^\x00-\xFE]",
        "[[:space:]&&[^ ]]",
        "[éü]",
        r"\xFF",
        "é",
        "ς",
        "ſ",
        "[^",
        "]",
        "(",
        ")",
        "|",
        "{2}",
        "{0,3}",
        "*",
        "+?",
        ".",
        "^",
        "$",
        "a",
        "[ab]",
        r"\d",
        r"\W",
        "<a>",
        "<log in>",
        "<",
        ">",
        "\\",
        r"\<",
        "(?<n>",
        "\u{f0000}",
    ])
}

/// Whether the `regex` crate's engine matches the whole of `text`.
fn oracle(pattern: &str) -> impl Fn(&str) -> bool + use<> {
    let engine = meta::Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap();
    move |text| engine.is_match(text)
}

proptest! {
    #[test]
    fn a_pattern_means_what_the_regex_crate_says(pattern in pattern()) {
        let regex = Regex::parse(&pattern, &ab()).unwrap();
        let (nfa, matches) = (regex.to_nfa().unwrap(), oracle(&pattern));
        for word in all_words(&ab(), LENGTH) {
            prop_assert_eq!(nfa.accepts(&word), matches(&ab().write(&word)), "{:?}", ab().write(&word));
        }
        // Reading simplifies, and what is written of it means the same.
        let matches_written = oracle(&regex.to_string());
        for word in all_words(&ab(), 6) {
            prop_assert_eq!(matches_written(&ab().write(&word)), matches(&ab().write(&word)));
        }
    }

    #[test]
    fn an_automaton_comes_back_from_its_expression(dfa in dfa_of(8)) {
        let regex = Regex::from_dfa(&dfa).unwrap();
        let written = regex.to_string();
        let back = Regex::parse(&written, dfa.alphabet()).unwrap();
        prop_assert_eq!(back.to_dfa().unwrap(), minimize(&dfa), "{}", written);
        let matches = oracle(&written);
        for word in all_words(dfa.alphabet(), 5) {
            prop_assert_eq!(matches(&dfa.alphabet().write(&word)), dfa.accepts(&word));
        }
    }

    #[test]
    fn a_pattern_comes_back_through_its_automaton(pattern in pattern()) {
        let regex = Regex::parse(&pattern, &ab()).unwrap();
        let dfa = minimize(&determinize(&regex.to_nfa().unwrap(), 100_000).unwrap());
        let back = Regex::from_dfa(&dfa).unwrap();
        prop_assert!(equivalent(&Regex::parse(&back.to_string(), &ab()).unwrap().to_dfa().unwrap(), &dfa));
    }

    #[test]
    fn every_character_stands_for_itself(text in "[ -~\n\t\u{7}\u{a0}é→]{1,6}", more in "[ -~é]{0,4}") {
        // One word, and one letter out of many: outside brackets and inside.
        let letters = Alphabet::of_chars(&format!("{text}{more}"));
        let word = letters.read(&text).unwrap();
        let mut rows: Vec<Vec<Option<usize>>> = vec![vec![None; letters.len()]; text.chars().count() + 2];
        for (i, letter) in word.iter().enumerate() {
            rows[i][letter.index()] = Some(i + 1);
        }
        let end = rows.len() - 1;
        rows[end - 1] = vec![Some(end); letters.len()];
        let dfa = minimize(&Dfa::new(letters.clone(), 0, [end], &rows).unwrap());
        let written = Regex::from_dfa(&dfa).unwrap().to_string();
        let back = Regex::parse(&written, &letters).unwrap();
        prop_assert_eq!(back.to_dfa().unwrap(), dfa, "{}", written);
        let matches = oracle(&written);
        for letter in letters.names() {
            prop_assert!(matches(&format!("{text}{letter}")), "{}", written);
        }
        prop_assert!(!matches(&text));
    }

    #[test]
    fn no_pieces_of_patterns_make_the_reader_panic(pieces in prop::collection::vec(piece(), 1..8)) {
        let pattern = pieces.concat();
        for spelling in [Spelling::Chars, Spelling::Classes, Spelling::Bytes, Spelling::Tokens] {
            if let Ok(regex) = Regex::parse_spelled(&pattern, &ab(), spelling) {
                let _ = regex.to_string();
                let _ = regex.to_nfa();
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,40}") {
        for spelling in [Spelling::Chars, Spelling::Classes, Spelling::Bytes, Spelling::Tokens] {
            let _ = Regex::parse_spelled(&text, &ab(), spelling).map(|regex| regex.to_nfa());
        }
    }
}

/// What is read, and what a person should get to see of it.
#[test]
fn expressions_come_back_readable() {
    for (pattern, expected) in [
        ("(a|b)*cc*", "[ab]*c+"),
        ("a*b*a*b*", "a*b*a*b*"),
        ("(ab)*", "(ab)*"),
        ("(b|ab|aab)*(|a|aa)", "(a{0,2}b)*a{0,2}"),
        ("(aa|bb|(ab|ba)(aa|bb)*(ab|ba))*", "(aa|bb|(ab|ba)(aa|bb)*(ab|ba))*"),
        ("(0|1(01*0)*1)*", "(0|1(01*0)*1)*"),
        (r"\d{4}-\d{2}-\d{2}", "[0-9]{4}(-[0-9]{2}){2}"),
        (r"v?\d+\.\d+\.\d+", r"v?([0-9]+\.){2}[0-9]+"),
        ("[A-Za-z_][A-Za-z0-9_]*", "[A-Za-z_][A-Za-z0-9_]*"),
        ("(a|b)(a|b)(a|b)a(a|b)*", "[ab]{3}a[ab]*"),
        ("(a|b)*a(a|b)(a|b)(a|b)", "[ab]*a[ab]{3}"),
        ("aab|aac|aa", "aa[bc]?"),
        ("x+(,x+)*", "(x+,)*x+"),
        ("a(a|b)*b", "a[ab]*b"),
        ("(a|b)*(aa|bb)(a|b)*", "[ab]*(aa|bb)[ab]*"),
        ("(a|b|c)*abcb(a|b|c)*", "[a-c]*abcb[a-c]*"),
        (r"\w+(-\w+)*=\d+", "([A-Za-z0-9_]+-)*[A-Za-z0-9_]+=[0-9]+"),
        ("a{2,5}", "a{2,5}"),
        ("(ab){1,3}c", "(ab){1,3}c"),
        ("foo|bar|baz", "foo|ba[rz]"),
        (r"[a-c.\-\]^]+", r"[a-c\-.\]\^]+"),
        ("#([0-9a-f]{3}){1,2}", "#([a-f0-9]{3}){1,2}"),
        ("[&~#-]+&", r"[#\&\-\~]+&"),
        ("(?:)", "(?:)"),
        (r"[^\s\S]", r"[^\s\S]"),
        ("a?", "a?"),
    ] {
        let dfa = Regex::parse(pattern, &Alphabet::of_chars("")).unwrap().to_dfa().unwrap();
        assert_eq!(Regex::from_dfa(&dfa).unwrap().to_string(), expected, "from {pattern}");
    }
}

#[test]
fn what_is_not_regular_or_not_about_words_is_named() {
    for (pattern, message) in [
        (r"(a)\1", "backreferences are not supported"),
        ("a(?=b)", "look-around, including look-ahead and look-behind, is not supported"),
        (r"\bab", "a word boundary is not supported"),
        ("a^b", "^ after the start is not supported"),
        ("(^a)*", "^ after the start is not supported"),
        ("(?m)^a$", "a line anchor (?m) is not supported"),
        ("(a", "at column 1 of the expression: unclosed group"),
        ("aé[b", "at column 3 of the expression: unclosed character class"),
        ("(?-u:\\xFF)[\\x00-\\u{10FFFF}]", "a range names more than 4096 letters"),
        ("(a{1000}){1000}", "expanded, it has more than 100000 letters"),
    ] {
        let error = Regex::parse(pattern, &ab()).and_then(|regex| regex.to_nfa()).unwrap_err().to_string();
        assert!(error.contains(message), "{pattern}: {error}");
    }
}

#[test]
fn anchors_at_the_edges_say_nothing_new() {
    for (pattern, same) in [("^ab$", "ab"), ("^a|b$", "a|b"), ("(^a|^b)b$", "[ab]b"), ("^$", "(?:)"), (r"\Aa\z", "a")] {
        let dfa = |pattern| Regex::parse(pattern, &ab()).unwrap().to_dfa().unwrap();
        assert!(equivalent(&dfa(pattern), &dfa(same)), "{pattern}");
    }
}

#[test]
fn dots_and_negated_brackets_range_over_the_known_letters() {
    let count = |pattern: &str, letters: &str| {
        let dfa = Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap();
        automata::count_to(&dfa, 1).to_string()
    };
    assert_eq!(count(".", "abc"), "3");
    assert_eq!(count("[^a]", "abc"), "2");
    assert_eq!(count("[^a]", ""), "0", "only a is known");
    assert_eq!(count(".", "ab\n"), "2", "as in the regex crate, no line end");
    assert_eq!(count(r"\d", ""), "10");
    assert_eq!(count(r"\D", "a7"), "1");
    assert_eq!(count(r"[^\d\s]", "a7"), "1", "what is excluded is not made known");
    assert_eq!(count(r"\p{Greek}", "aλω"), "2");
    assert_eq!(count("(?i)k", ""), "2");
    let vacuous = |pattern| Regex::parse(pattern, &Alphabet::of_chars("")).unwrap().has_vacuous_class();
    assert!(vacuous(".*") && vacuous("[^,]*,") && vacuous(r"\p{Greek}"));
    assert!(!vacuous("a.") && !vacuous(r"[^\s\S]") && !vacuous("[a&&b]") && !vacuous(r"\d"));
}

#[test]
fn bytes_and_tokens_go_both_ways() {
    for (letters, spelling, pattern) in [
        (vec!["a", "\\xC3", "\\xFF"], Spelling::Bytes, r"(?-u:\xC3[a\xFF]*)"),
        (vec!["login", "read", "x", "log out"], Spelling::Tokens, "<login>(x|<read>)*<log out>"),
        (vec!["<", ">", "a>b", "++"], Spelling::Tokens, r"(<\+\+>|<a\x3Eb>)*\x3E[\x3C\x3E]?"),
    ] {
        let alphabet = Alphabet::new(letters).unwrap();
        assert_eq!(alphabet.spelling(), spelling);
        let regex = Regex::parse_spelled(pattern, &alphabet, spelling).unwrap();
        assert_eq!(regex.alphabet(), &alphabet, "the pattern mentions nothing else");
        let dfa = regex.to_dfa().unwrap();
        let written = Regex::from_dfa(&dfa).unwrap().to_string();
        assert_eq!(written, pattern);
        let syntax = regex_automata::util::syntax::Config::new().utf8(false);
        assert!(meta::Regex::builder().syntax(syntax).build(&written).is_ok(), "the regex crate reads it");
    }
}

/// Patterns that were once read wrongly, or made the reader panic.
#[test]
fn what_went_wrong_once_stays_right() {
    let words = |pattern: &str, spelling, letters: &[&str]| {
        let alphabet = Alphabet::new(letters.iter().copied()).unwrap();
        let dfa = Regex::parse_spelled(pattern, &alphabet, spelling).unwrap().to_dfa().unwrap();
        let words = automata::enumerate(&dfa).take_while(|word| word.len() <= 2);
        words.map(|word| dfa.alphabet().write(&word)).collect::<Vec<_>>()
    };
    // A class of one member that is not known.
    assert!(words(r"\p{Zl}", Spelling::Chars, &["a"]).is_empty());
    assert!(words(r"(?-u)[^\x00-\xFE]", Spelling::Chars, &["a"]).is_empty());
    assert!(words(r"[[:space:]&&[^\t\n\r\f ]]", Spelling::Chars, &["a"]).is_empty());
    // A flag for bytes after a letter that is two of them.
    assert_eq!(words("é(?-u:a)?", Spelling::Chars, &[]), ["é"]);
    // Alternatives of one character each, which become a class of characters on their way, over bytes.
    assert_eq!(words("é|ü|b", Spelling::Bytes, &[]), ["b", "é", "ü"]);
    assert_eq!(words(r"(?-u:\xC3\xA9|\xC3\xBC)", Spelling::Chars, &[]), ["é", "ü"]);
    assert_eq!(words("(?u:[éü])", Spelling::Bytes, &[]), ["é", "ü"]);
    // A token of one character is that character.
    assert_eq!(words("<a>|[^a]", Spelling::Tokens, &["b", "login"]), ["a", "b", "login"]);
    // A letter of the plane from which the stand-ins for tokens are taken.
    assert_eq!(words("\u{f0000}", Spelling::Tokens, &["\u{f0000}", "login"]), ["\u{f0000}"]);
    // All cases of a letter, and of an ASCII letter the ASCII ones.
    assert_eq!(words("(?i)ς", Spelling::Chars, &[]), ["Σ", "ς", "σ"]);
    assert_eq!(words("(?i)k", Spelling::Chars, &[]), ["K", "k"]);
    // Many letters are not many different ones.
    assert!(Regex::parse(&"a".repeat(40_000), &ab()).is_ok());
}

#[test]
fn nested_counts_are_written_in_no_time() {
    let levels = 60;
    let pattern = format!("{}ab{}", "(?:".repeat(levels), "){2}".repeat(levels));
    assert!(Regex::parse(&pattern, &ab()).unwrap().to_string().ends_with("{2}"));
}

#[test]
fn what_nests_deeply_is_read_back() {
    // a counts up, b counts down: the expression nests as deeply as there are states.
    let top: usize = 298;
    let rows: Vec<Vec<Option<usize>>> = (0..=top).map(|i| vec![(i < top).then_some(i + 1), i.checked_sub(1)]).collect();
    let dfa = Dfa::new(ab(), 0, [0], &rows).unwrap();
    let written = Regex::from_dfa(&dfa).unwrap().to_string();
    assert!(equivalent(&Regex::parse(&written, &ab()).unwrap().to_dfa().unwrap(), &dfa));
}

#[test]
fn an_expression_too_large_to_read_is_refused() {
    // A dense automaton: no expression of it is short.
    let (states, mut random) = (60, ChaCha8Rng::seed_from_u64(1));
    let mut next = || Some(random.next_u32() as usize % states);
    let rows: Vec<Vec<Option<usize>>> = (0..states).map(|_| (0..4).map(|_| next()).collect()).collect();
    let dfa = Dfa::new(Alphabet::of_chars("abcd"), 0, (0..states).step_by(2), &rows).unwrap();
    let error = Regex::from_dfa(&dfa).unwrap_err();
    assert!(error.to_string().starts_with("the expression is too large"), "{error}");
}

#[test]
fn nesting_ends_in_an_error_and_not_in_the_stack() {
    for (open, close) in [("(", ")"), ("(?:", ")*"), ("(b|", ")?"), ("[", "]")] {
        for depth in [300, 1_000, 100_000] {
            let pattern = format!("{}a{}", open.repeat(depth), close.repeat(depth));
            if let Ok(regex) = Regex::parse(&pattern, &ab()) {
                assert!(Regex::parse(&regex.to_string(), &ab()).is_ok());
                let _ = regex.to_dfa();
            }
        }
    }
}

/// By comparing all alternatives with all others at every step this would take half an hour.
#[test]
fn many_alternatives_with_a_common_beginning_are_read() {
    let words: Vec<String> = (1..=1_000).map(|length| "a".repeat(length)).collect();
    let regex = Regex::parse(&words.join("|"), &Alphabet::of_chars("")).unwrap();
    assert_eq!(regex.to_string(), "a{1,1000}");
}

/// The limit is on the work and on the size of the expression, not on the number of states.
#[test]
fn large_automata_with_short_expressions_are_written() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut list = |words: usize, length: usize| {
        let mut word = || -> String { (0..length).map(|_| ['a', 'b', 'c'][random.next_u32() as usize % 3]).collect() };
        (0..words).map(|_| word()).collect::<Vec<String>>().join("|")
    };
    let up_to_300: Vec<String> = (1..=300).map(|length| "a".repeat(length)).collect();
    for (pattern, short) in [
        (up_to_300.join("|"), Some("a{1,300}")),
        ("a{3,1200}b".to_owned(), Some("a{3,1200}b")),
        ("(a{400}b)*".to_owned(), Some("(a{400}b)*")),
        ("(c|ab){1,500}".to_owned(), Some("(c|ab){1,500}")),
        (list(10, 200), None),
        (list(500, 10), None),
    ] {
        let dfa = Regex::parse(&pattern, &Alphabet::of_chars("")).unwrap().to_dfa().unwrap();
        assert!(dfa.len() > 300);
        let written = Regex::from_dfa(&dfa).unwrap().to_string();
        assert!(short.is_none_or(|short| written == short), "{written}");
        assert!(equivalent(&Regex::parse(&written, dfa.alphabet()).unwrap().to_dfa().unwrap(), &dfa));
    }
}

#[test]
fn an_automaton_that_takes_too_long_or_nests_too_deeply_is_refused() {
    let counter = |top: usize| {
        let row = |i: usize| vec![(i < top).then_some(i + 1), i.checked_sub(1)];
        Dfa::new(ab(), 0, [0], &(0..=top).map(row).collect::<Vec<_>>()).unwrap()
    };
    let refused = |dfa: &Dfa| Regex::from_dfa(dfa).unwrap_err().to_string();
    let deep = refused(&counter(1_000));
    assert_eq!(deep, "the expression is too large: it needs more than 640 levels of parentheses");
    let long = Regex::parse("a{12000}", &ab()).unwrap().to_dfa().unwrap();
    assert!(refused(&long).ends_with("its automaton has 12001 states, which takes too long"), "{}", refused(&long));
}

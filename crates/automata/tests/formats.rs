//! Every format there and back, foreign files, and files that are wrong.

mod common;

use automata::formats::{self, Document, Format, abbadingo, att, dot, grammar_text, json};
use automata::{
    Alphabet, Body, Direction, Examples, Grammar, Label, Letter, Nfa, NfaBuilder, Nonterminal, Production, Spelling,
    StateId, Word, determinize, equivalent, minimize,
};
use common::{dfa, grammar, nfa};
use proptest::prelude::*;

/// Letters that every format finds awkward.
const AWKWARD: [&str; 16] =
    ["\"", "\\", " ", "\t", "\n", "#", "%", "|", "->", "ε", "<eps>", "log in", "@_SPACE_@", "S", "\\x41", "\u{7}é→"];

fn read(text: &str) -> Result<Document, formats::FormatError> {
    formats::read(text, Format::detect(text), &Alphabet::of_chars(""), Spelling::Chars)
}

fn read_nfa(text: &str) -> Nfa {
    match read(text).unwrap() {
        Document::Nfa(nfa) => nfa,
        Document::Dfa(dfa) => Nfa::from(&dfa),
        other => panic!("an automaton was written: {other:?}"),
    }
}

/// The same automaton with letters that are hard to write.
fn awkward(nfa: &Nfa, names: &[&str]) -> Nfa {
    let alphabet = Alphabet::new(names.iter().copied()).unwrap();
    let mut builder = NfaBuilder::with_states(alphabet, nfa.len());
    for (p, c, q) in nfa.edges() {
        builder.edge(p, c, q);
    }
    nfa.initial().for_each(|q| builder.initial(q));
    nfa.accepting().for_each(|q| builder.accepting(q));
    builder.build()
}

fn two_letters() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(AWKWARD.to_vec(), 2)
}

fn same_language(a: &Nfa, b: &Nfa) -> bool {
    equivalent(&determinize(a, 10_000).unwrap(), &determinize(b, 10_000).unwrap())
}

proptest! {
    #[test]
    fn automata_come_back_as_they_were(nfa in nfa(), letters in two_letters()) {
        for nfa in [awkward(&nfa, &letters), nfa] {
            prop_assert_eq!(&json::read(&json::write_nfa(&nfa)).unwrap(), &Document::Nfa(nfa.clone()));
            prop_assert_eq!(&dot::read(&dot::write(&nfa)).unwrap(), &nfa);
            prop_assert_eq!(&read_nfa(&dot::write(&nfa)), &nfa);
            // One initial state only, so not always the same automaton: the same language and letters.
            let back = att::read(&att::write(&nfa)).unwrap();
            prop_assert_eq!(back.alphabet(), nfa.alphabet());
            prop_assert!(same_language(&back, &nfa));
        }
    }

    #[test]
    fn deterministic_automata_come_back_as_they_were(dfa in dfa()) {
        let text = json::write_dfa(&dfa);
        prop_assert_eq!(&read(&text).unwrap(), &Document::Dfa(dfa.clone()));
        prop_assert_eq!(&json::write_dfa(&dfa), &text);
        let minimal = minimize(&dfa);
        for text in [dot::write(&Nfa::from(&minimal)), att::write(&Nfa::from(&minimal))] {
            match read(&text).unwrap() {
                Document::Dfa(back) => prop_assert_eq!(minimize(&back), minimal.clone()),
                other => prop_assert!(false, "{:?} is deterministic", other),
            }
        }
    }

    #[test]
    fn grammars_come_back_as_they_were(grammar in grammar(), letters in two_letters()) {
        let names = grammar.nonterminals().map(|a| grammar.name(a).to_owned()).collect();
        let awkward = Grammar::new(
            Alphabet::new(letters).unwrap(), grammar.direction(), names, grammar.start(),
            grammar.productions().iter().copied(),
        );
        for grammar in [awkward, grammar] {
            prop_assert_eq!(&json::read(&json::write_grammar(&grammar)).unwrap(), &Document::Grammar(grammar.clone()));
            let back = grammar_text::read(&grammar_text::write(&grammar)).unwrap();
            // Text lists the non-terminals in the order of the productions, so compare what is written.
            prop_assert_eq!(grammar_text::write(&back), sorted_by_appearance(&grammar));
            prop_assert_eq!(back.alphabet(), grammar.alphabet());
            prop_assert_eq!(back.direction(), grammar.direction());
            prop_assert!(same_language(&back.to_nfa(), &grammar.to_nfa()));
        }
    }

    #[test]
    fn samples_come_back_as_they_were(
        rows in prop::collection::vec((prop::collection::vec(0..12_usize, 0..6), 0..3_usize), 0..10),
    ) {
        let alphabet = Alphabet::new((0..12).map(|i: usize| i.to_string())).unwrap();
        let rows = rows.into_iter().map(|(word, label)| {
            let word: Word = word.into_iter().map(Letter::new).collect();
            (word, Label::ALL[label])
        });
        let examples = Examples::of(&alphabet, rows);
        prop_assert_eq!(&abbadingo::read(&abbadingo::write(&examples)).unwrap(), &examples);
        let tree = examples.prefix_tree();
        for (word, counts) in examples.iter() {
            prop_assert_eq!(tree.accepts(word), counts.accepted > 0);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        try_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_nearly_right_file_makes_a_reader_panic(
        nfa in nfa(), which in 0..6_usize, cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let dfa = minimize(&determinize(&nfa, 1000).unwrap());
        let grammar = Grammar::from_nfa(&nfa, Direction::Right);
        let mut bytes = match which {
            0 => json::write_nfa(&nfa),
            1 => json::write_dfa(&dfa),
            2 => json::write_grammar(&grammar),
            3 => dot::write(&nfa),
            4 => att::write(&nfa),
            _ => grammar_text::write(&grammar),
        }.into_bytes();
        for (at, byte) in cuts {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        try_all(&String::from_utf8_lossy(&bytes));
    }
}

/// What writing gives once the non-terminals stand in the order in which text mentions them.
fn sorted_by_appearance(grammar: &Grammar) -> String {
    let text = grammar_text::write(grammar);
    grammar_text::write(&grammar_text::read(&text).unwrap())
}

fn try_all(text: &str) {
    for format in Format::ALL {
        if let Ok(document) = formats::read(text, format, &Alphabet::of_chars("ab"), Spelling::Chars) {
            let _ = document.to_nfa();
        }
    }
    let _ = read(text);
}

fn message(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn grammars_are_read_as_people_write_them() {
    let paper = "# the paper's example\nC → c | A c | C c\nA → a | b | A a | A b\n";
    let Document::Grammar(grammar) = read(paper).unwrap() else { panic!("a grammar") };
    assert_eq!(grammar.name(grammar.start()), "C", "there is no S, and C is rewritten first");
    assert_eq!(grammar.alphabet().names(), ["a", "b", "c"]);
    assert_eq!(grammar.productions().len(), 7);
    assert_eq!(read("C ::= c | A c | C c\nA ::= a | b | A a | A b\n"), Ok(Document::Grammar(grammar)));
    let right = grammar_text::read("S -> a S\nS -> ε\nS -> \"log in\" S\n").unwrap();
    assert_eq!(right.direction(), Direction::Right);
    assert_eq!(grammar_text::write(&right), "S -> ε\nS -> a S\nS -> \"log in\" S\n");
    let tight = read("S->a|b\nS->S a\n");
    assert!(tight.is_err(), "a|b is no letter: a bar stands by itself");
    assert!(matches!(read("S->a\nS->S b\n").unwrap(), Document::Grammar(_)));
    let windows = grammar_text::read("S -> a\r\nS -> S b\r\n").unwrap();
    assert_eq!(windows.alphabet().names(), ["a", "b"]);
}

#[test]
fn what_the_productions_do_not_say_is_said() {
    let names = vec!["A".to_owned(), "B".to_owned()];
    let head = Nonterminal::new(0);
    let productions = [Production { head, body: Body::Letter(Letter::new(0)) }];
    let grammar = Grammar::new(Alphabet::of_chars("ab"), Direction::Right, names, head, productions);
    let text = grammar_text::write(&grammar);
    assert_eq!(text, "%right\n%nonterminals B\n%alphabet a b\nA -> a\n");
    let back = grammar_text::read(&text).unwrap();
    assert_eq!(back.direction(), Direction::Right);
    assert_eq!(back.alphabet(), grammar.alphabet());
}

#[test]
fn dot_is_read_as_others_write_it() {
    let aalpy = "digraph learnedModel {\ns0 [label=\"s0\"];\ns1 [label=\"s1\", shape=doublecircle];\n\
                 s0 -> s0 [label=\"b\"];\ns0 -> s1 [label=\"a\"];\ns1 -> s1 [label=\"a\"];\ns1 -> s0 [label=\"b\"];\n\
                 __start0 [label=\"\", shape=none];\n__start0 -> s0 [label=\"\"];\n}\n";
    let learnlib = "digraph g {\n\n\ts0 [shape=\"circle\" label=\"0\"];\n\ts1 [shape=\"doublecircle\" label=\"1\"];\n\
                    \ts0 -> s1 [label=\"a\"];\n\ts0 -> s0 [label=\"b\"];\n\ts1 -> s1 [label=\"a\"];\n\
                    \ts1 -> s0 [label=\"b\"];\n\n__start0 [label=\"\" shape=\"none\" width=\"0\" height=\"0\"];\n\
                    __start0 -> s0;\n\n}\n";
    let by_hand = "/* words that end in a */ strict digraph {\n  rankdir = LR; node [shape = doublecircle]; yes;\n\
                   node [shape = circle];\n  start [shape=point]\n  start -> no -> yes -> yes [label = a] // chained\n\
                   subgraph cluster { edge [label=b]; no -> no; yes -> no }\n}";
    let peripheries =
        by_hand.replace("shape = doublecircle", "peripheries = 2").replace("shape = circle", "peripheries=1");
    for text in [aalpy, learnlib, by_hand, &peripheries] {
        let Document::Dfa(dfa) = read(text).unwrap() else { panic!("it is deterministic: {text}") };
        let word = |text| dfa.alphabet().read(text).unwrap();
        assert_eq!(dfa.alphabet().names(), ["a", "b"]);
        assert!(dfa.accepts(&word("a")) && dfa.accepts(&word("bba")) && !dfa.accepts(&word("ab")), "{text}");
    }
}

#[test]
fn att_is_read_as_others_write_it() {
    let hfst = "0\t1\ta\ta\t0.000000\n1\t1\t@_SPACE_@\t@_SPACE_@\t0.0\n1\t2\t@0@\t@0@\t0\n2\t0.0\n";
    let openfst = "0 1 a\n1 1 <eps>\n1 2 b\n2\n";
    let nfa = read_nfa(hfst);
    assert_eq!(nfa.alphabet().names(), [" ", "a"]);
    assert!(nfa.accepts(&nfa.alphabet().read("a  ").unwrap()));
    let nfa = read_nfa(openfst);
    assert!(nfa.accepts(&nfa.alphabet().read("ab").unwrap()) && !nfa.accepts(&nfa.alphabet().read("a").unwrap()));
}

#[test]
fn mistakes_are_named_with_their_lines() {
    for (text, expected) in [
        ("S -> a\nS -> S a b\n", "line 2: a production of a regular grammar has at most"),
        ("S -> a\nthis is no production\n", "line 2: not a production; write"),
        ("S -> a\nS ->\n", "line 2: nothing after the arrow or bar"),
        ("S -> A a\nA -> a A\n", "line 2: left-regular (`A -> B c`) and right-regular (`A -> c B`)"),
        ("S -> Ab\n", "line 1: Ab is neither a non-terminal, since no production rewrites it, nor a letter"),
        ("S -> \"a\n", "line 1: missing closing quote of the letter \"a"),
        ("S -> a\n%strat S\n", "line 2: %strat is not a directive"),
        ("{\n  \"alphabet\": [\"a\",\n}", "line 3: expected value (column 1)"),
        (
            "{\"alphabet\": [\"a\"],\n \"initial\": \"0\",\n \"accepting\": [], \"transitions\": [[0]]}",
            "line 2: invalid type: string \"0\", expected usize (column 15)",
        ),
        ("{\"alphabet\": [\"a\"]}", "the JSON object has neither `productions` (a grammar) nor `transitions`"),
        (
            "{\"alphabet\": [\"a\"], \"initial\": 0, \"accepting\": [], \"transitions\": [[3]]}",
            "next state 3 is out of range; the last state is 0",
        ),
        (
            "{\"alphabet\": [\"a\"], \"initial\": 0, \"accepting\": [], \"transitions\": [[0, 0]]}",
            "state 0 has 2 transitions, but the alphabet has 1 letters",
        ),
        (
            "{\"alphabet\": [\"a\"], \"states\": 1, \"initial\": [0], \"accepting\": [], \"transitions\": [[0, \"b\", 0]]}",
            "unknown letter \"b\"; the alphabet is {a}",
        ),
        (
            "{\"alphabet\": [\"a\", \"a\"], \"initial\": 0, \"accepting\": [], \"transitions\": []}",
            "lists a letter twice",
        ),
        ("digraph {\n  s0 -> s1 [label=a];\n}", "no initial state; mark it"),
        ("digraph {\n  __start0 -> s0;\n  s0 -> s1;\n}", "line 3: the edge has no label"),
        ("digraph {\n  s0 -- s1;\n}", "line 2: an automaton has directed edges: `->`, not `--`"),
        ("digraph {\n  s0 [label=\"a];\n}", "line 2: missing closing quote"),
        ("0 1 a b\n1\n", "line 1: transducers are not supported: input a, output b"),
        ("0 1 a 0.5\n1\n", "line 1: weights are not supported: 0.5"),
        ("2 2\n1 1 0\n0 2 0 5\n", "line 3: the letter \"5\" is not a number below 2"),
        ("3 2\n1 1 0\n", "the header promises 3 words, but there are 1"),
        ("2 2\n1 1 0\n7 1 0\n", "line 3: the label \"7\" is not 1, 0 or -1"),
        ("2 2\n1 1 0\n1 3 0\n", "line 3: the word should have 3 letters, but has 1"),
        ("", "the file is empty"),
        ("hello\nworld\n", "line 2: no format is recognised"),
    ] {
        let message = message(text);
        assert!(message.contains(expected), "{text:?}: {message}");
        assert!(!message.contains('\n'), "one line: {message}");
    }
}

#[test]
fn an_expression_is_never_taken_for_something_else() {
    for pattern in
        ["0 0", "0 1", "0 1 a", "a -> b", "a->b", "//a", "digraph", "strict x", "%start", " ", "\u{feff}a", "{a}", "#"]
    {
        // As a word, so that every character stands for itself.
        let word = Alphabet::of_chars(pattern).read(pattern).unwrap();
        let mut rows = vec![vec![None; Alphabet::of_chars(pattern).len()]; word.len() + 1];
        for (i, letter) in word.iter().enumerate() {
            rows[i][letter.index()] = Some(i + 1);
        }
        let dfa = automata::Dfa::new(Alphabet::of_chars(pattern), 0, [word.len()], &rows).unwrap();
        let written = formats::write_regex(&automata::Regex::from_dfa(&dfa).unwrap());
        let Document::Regex(back) = read(&written).unwrap() else { panic!("{written:?} is an expression") };
        assert!(equivalent(&back.to_dfa().unwrap(), &dfa), "{written:?}");
    }
}

#[test]
fn a_byte_order_mark_hides_no_format() {
    for text in ["S -> a\n", "%start S\nS -> a\n", "digraph { __start0 -> s0; }\n"] {
        let marked = format!("\u{feff}{text}");
        assert_eq!(read(&marked), read(text));
        assert!(!matches!(read(&marked), Ok(Document::Regex(_)) | Err(_)));
    }
}

#[test]
fn names_that_would_mean_something_else_are_refused() {
    for name in ["", "ε", "#A", "%start", "%x", "|", "->", "→", "a b", "A->B", "\"A"] {
        let name = serde_json::to_string(name).unwrap();
        let text = format!(
            r#"{{"direction": "left", "alphabet": ["a"], "start": {name}, "nonterminals": [{name}], "productions": []}}"#
        );
        assert!(message(&text).contains("cannot be the name of a non-terminal"), "{name}");
    }
}

#[test]
fn the_empty_word_alone_survives_every_format() {
    let only_empty = Nfa::from(&automata::Dfa::constant(Alphabet::of_chars(""), true));
    for text in [att::write(&only_empty), dot::write(&only_empty), json::write_nfa(&only_empty)] {
        let back = read_nfa(&text);
        assert!(back.accepts_empty_word() && back.edges().count() == 0, "{text}");
    }
}

#[test]
fn a_large_grammar_is_read_in_no_time() {
    // A chain as long as a large automaton: every step was once a pass over all the others.
    let n = 100_000;
    let mut text = String::from("S -> A0\nA0 -> a\n");
    for i in 1..n {
        text.push_str(&format!("A{i} -> A{} a\n", i - 1));
    }
    let grammar = grammar_text::read(&text).unwrap();
    assert_eq!(grammar.to_nfa().len(), n + 2);
    assert_eq!(grammar_text::write(&grammar), text);
}

#[test]
fn a_file_of_another_order_means_the_same() {
    let text = r#"{"alphabet": ["b", "a"], "initial": 0, "accepting": [1], "transitions": [[0, 1], [null, 1]]}"#;
    let Document::Dfa(dfa) = read(text).unwrap() else { panic!("a DFA") };
    assert_eq!(dfa.alphabet().names(), ["a", "b"]);
    let next = |q: usize, c: usize| dfa.next(StateId::new(q), Letter::new(c)).map(StateId::index);
    assert_eq!([next(0, 0), next(0, 1), next(1, 0), next(1, 1)], [Some(1), Some(0), Some(1), None]);
}

#[test]
fn files_keep_to_their_schemas() {
    let validator = |schema: &str| jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let dfa_schema = validator(include_str!("../../../docs/dfa.schema.json"));
    let nfa_schema = validator(include_str!("../../../docs/nfa.schema.json"));
    let grammar_schema = validator(include_str!("../../../docs/grammar.schema.json"));
    for pattern in ["(a|b)*cc*", "a?", r"[^\s\S]"] {
        let regex = automata::Regex::parse(pattern, &Alphabet::of_chars("abc")).unwrap();
        let (nfa, dfa) = (regex.to_nfa().unwrap(), regex.to_dfa().unwrap());
        let value = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
        assert!(dfa_schema.is_valid(&value(json::write_dfa(&dfa))));
        assert!(dfa_schema.is_valid(&value(json::write_dfa(&dfa.trimmed()))));
        assert!(nfa_schema.is_valid(&value(json::write_nfa(&nfa))));
        for direction in [Direction::Left, Direction::Right] {
            let grammar = value(json::write_grammar(&Grammar::from_dfa(&dfa, direction)));
            assert!(grammar_schema.is_valid(&grammar));
            assert!(!nfa_schema.is_valid(&grammar) && !dfa_schema.is_valid(&grammar), "the schemas tell them apart");
        }
    }
}

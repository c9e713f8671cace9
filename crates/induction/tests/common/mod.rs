//! Models, grammars and samples made for a test, and the brute force they are checked against.
#![allow(dead_code, reason = "each test file uses its part")]

use automata::formats::grammar_text;
use automata::{Alphabet, Body, Dfa, Examples, Grammar, Label, Letter, Nonterminal, Regex, Word, enumerate};
use induction::Sample;
use induction::model::{Layout, Model, Shape};

/// Random languages, as the crate below makes them for its own tests.
#[path = "../../../automata/tests/common/mod.rs"]
pub(crate) mod languages;

/// The paper's grammar of `[ab]*c+`, without its start symbol: every production of A and C.
pub(crate) const PAPER: &str = "A -> a\nA -> b\nA -> A a\nA -> A b\nC -> c\nC -> A c\nC -> C c\n";
/// What the paper adds to make it ambiguous.
pub(crate) const ADDED: &str = "C -> b\nC -> A b\nC -> C b\nC -> C a\n";

/// The non-terminal with this name.
pub(crate) fn named(grammar: &Grammar, name: &str) -> Nonterminal {
    grammar.nonterminals().find(|&a| grammar.name(a) == name).expect("there is one")
}

/// A grammar of non-terminals A and C that starts with C, and a model with n' = 2 that is sure of the same.
pub(crate) fn paper(productions: &str) -> (Grammar, Model) {
    let grammar = grammar_text::read(&format!("%start C\n{productions}")).unwrap();
    let layout = Layout::new(Shape::Nfa, 2, 3);
    let mut parameters = vec![-40.0; layout.len()];
    for production in grammar.productions() {
        let c = production.body.letter().expect("no units here").index();
        let k = production.head.index();
        parameters[match production.body.nonterminal() {
            None => layout.terminal(c, k),
            Some(b) => layout.step(c, k, b.index()),
        }] = 40.0;
    }
    parameters[layout.last(named(&grammar, "C").index())] = 40.0;
    let model = Model::new(grammar.alphabet().clone(), layout, parameters);
    (grammar, model)
}

/// The first letters of the alphabet: a, b, c, …
pub(crate) fn letters(count: usize) -> Alphabet {
    Alphabet::of_chars(&"abcdefghij"[..count])
}

pub(crate) fn word(alphabet: &Alphabet, text: &str) -> Word {
    alphabet.read(text).unwrap()
}

/// The sample of these words, + before an accepted, − before a rejected, ? before an unlabelled one.
pub(crate) fn examples(alphabet: &Alphabet, rows: &[&str]) -> Examples {
    let row = |row: &&str| {
        let (label, text) = row.split_at(1);
        let label = match label {
            "+" => Label::Accepted,
            "-" => Label::Rejected,
            _ => Label::Unlabelled,
        };
        (word(alphabet, text), label)
    };
    Examples::of(alphabet, rows.iter().map(row))
}

/// A sample of words, each with whether it was accepted; words may come several times and contradict each other.
pub(crate) fn sample(alphabet: &Alphabet, rows: Vec<(Word, bool)>) -> Sample {
    let rows = rows.into_iter().map(|(word, accepted)| (word, Label::from(accepted)));
    Sample::new(&Examples::of(alphabet, rows), true).unwrap()
}

/// The language of an expression, and all words to a length, labelled.
pub(crate) fn language(letters: &str, expression: &str, longest: usize) -> (Dfa, Sample) {
    let alphabet = Alphabet::of_chars(letters);
    let dfa = Regex::parse(expression, &alphabet).unwrap().to_dfa().unwrap();
    let all = Regex::parse(".*", &alphabet).unwrap().to_dfa().unwrap();
    let words = enumerate(&all).take_while(|word| word.len() <= longest);
    let rows = words.map(|word| (word.clone(), dfa.accepts(&word))).collect();
    (dfa, sample(&alphabet, rows))
}

/// The wrong examples, one word at a time; the empty word left out.
pub(crate) fn naive_errors(sample: &Sample, accepts: impl Fn(&[Letter]) -> bool) -> u64 {
    let wrong = sample.entries().iter().map(|entry| {
        let accepted = accepts(sample.word(entry));
        u64::from(if accepted { entry.counts.rejected } else { entry.counts.accepted })
    });
    wrong.sum()
}

/// The derivations of the first i letters from `a` by a grammar in normal form, by following every production.
pub(crate) fn naive_count(grammar: &Grammar, word: &[Letter], i: usize, a: Nonterminal) -> u64 {
    let of = |body: Body| match body {
        Body::Empty => u64::from(i == 0),
        Body::Letter(c) => u64::from(i == 1 && word[0] == c),
        // Only the start symbol has units in normal form; those to itself lead nowhere.
        Body::Unit(b) if b == a => 0,
        Body::Unit(b) => naive_count(grammar, word, i, b),
        Body::Step(b, c) if i > 1 && word[i - 1] == c => naive_count(grammar, word, i - 1, b),
        Body::Step(..) => 0,
    };
    grammar.productions().iter().filter(|p| p.head == a).map(|p| of(p.body)).sum()
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// One below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    /// One between −1 and 1.
    pub(crate) fn signed(&mut self) -> f32 {
        self.below(2001) as f32 / 1000.0 - 1.0
    }

    pub(crate) fn word(&mut self, letters: usize, longest: usize) -> Word {
        let length = self.below(longest + 1);
        (0..length).map(|_| Letter::new(self.below(letters))).collect()
    }
}

//! Training as a whole: it learns, it repeats itself bit for bit, it can be interrupted.

mod common;

use automata::formats::abbadingo::{Examples, Label};
use automata::{Alphabet, Dfa, Regex, Word, determinize, enumerate, equivalent};
use induction::Sample;
use induction::extraction::{Reading, best_threshold};
use induction::model::Shape;
use induction::training::{Hardware, Settings, train};

/// The language of an expression, and all words to a length, labelled.
fn language(letters: &str, expression: &str, longest: usize) -> (Dfa, Sample) {
    let alphabet = Alphabet::of_chars(letters);
    let dfa = Regex::parse(expression, &alphabet).unwrap().to_dfa().unwrap();
    let all = Regex::parse(".*", &alphabet).unwrap().to_dfa().unwrap();
    let rows: Vec<(Word, Label)> = enumerate(&all)
        .take_while(|word| word.len() <= longest)
        .map(|word| {
            let label = if dfa.accepts(&word) { Label::Accepted } else { Label::Rejected };
            (word, label)
        })
        .collect();
    (dfa, Sample::new(&Examples { alphabet, rows }, false).unwrap())
}

#[test]
fn both_shapes_learn_the_papers_example() {
    let (dfa, sample) = language("abc", "(a|b)*cc*", 6);
    for shape in [Shape::Nfa, Shape::Dfa] {
        let settings = Settings::practical(shape);
        let trained = train(&sample, &settings, Hardware::with_threads(1), &mut ()).unwrap();
        let found = trained.models.iter().filter(|model| {
            let grammar = best_threshold(model, &sample, Reading::of(shape)).grammar;
            equivalent(&determinize(&grammar.to_nfa(), 1000).unwrap(), &dfa)
        });
        let found = found.count();
        assert!(found >= 4, "{shape:?}: {found} of 16 restarts learned it");
    }
}

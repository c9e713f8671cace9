//! Small and large: one non-terminal and seventy, hundreds of letters, words of ten thousand, populations that diverge.

mod common;
#[path = "common/watching.rs"]
mod watching;

use automata::{Alphabet, Letter, Word};
use common::{Numbers, language, letters, sample};
use induction::Sample;
use induction::model::{Model, Shape};
use induction::training::{EpochRecord, Schedule, Settings, StopReason, Trained};
use watching::{Bits, here, trained};

const SHAPES: [Shape; 2] = [Shape::Nfa, Shape::Dfa];

/// Whether all that came out are numbers, and something was learned or at least tried.
fn assert_sound(before: &Trained, (trained, records): &(Trained, Vec<EpochRecord>)) {
    assert!(trained.models.iter().flat_map(Model::parameters).all(|x| x.is_finite()));
    assert!(trained.models.iter().zip(&before.models).all(|(after, before)| after != before));
    for record in records.iter().flat_map(|record| &record.restarts) {
        assert!(record.prediction.is_finite() && record.total.is_finite(), "{record:?}");
        assert!((0.0..=1.0).contains(&record.accuracy), "{record:?}");
        assert!((0.0..=1.0).contains(&record.sharpening) && (0.0..=1.0).contains(&record.production_use), "{record:?}");
    }
}

fn check(sample: &Sample, settings: &Settings) -> (Trained, Vec<EpochRecord>) {
    let (before, _) = trained(sample, &Settings { steps: 0, ..settings.clone() }, here());
    let after = trained(sample, settings, here());
    assert_sound(&before, &after);
    after
}

#[test]
fn one_nonterminal_and_many() {
    let (_, sample) = language("ab", "(a|b)*ab", 5);
    for (shape, nonterminals) in SHAPES.into_iter().flat_map(|shape| [1, 2, 16, 64, 70].map(|n| (shape, n))) {
        let steps = if nonterminals < 64 { 40 } else { 3 };
        check(&sample, &Settings { nonterminals, steps, ..Settings::practical(shape) });
    }
}

#[test]
fn hundreds_of_letters() {
    for count in [1, 256, 300] {
        let alphabet = Alphabet::new((0..count).map(|c| format!("letter {c}"))).unwrap();
        let mut numbers = Numbers(3);
        let rows = (0..200).map(|_| (numbers.word(count, 8), numbers.below(2) == 0)).collect();
        let sample = sample(&alphabet, rows);
        for shape in SHAPES {
            let settings = Settings { steps: 25, ..Settings::practical(shape) };
            let (trained, _) = check(&sample, &settings);
            assert_eq!(trained.models[0].layout().letters(), count);
        }
    }
}

/// A letter that no word has keeps the beliefs it began with, but for what the other losses say of them.
#[test]
fn letters_that_never_come() {
    let alphabet = letters(5);
    let rows = ["a", "ab", "abb"].map(|text| (common::word(&alphabet, text), true)).to_vec();
    let sample = sample(&alphabet, rows);
    let beta = Schedule::Constant(0.0);
    let settings = Settings { steps: 25, beta, ..Settings::practical(Shape::Nfa) };
    let (before, _) = trained(&sample, &Settings { steps: 0, ..settings.clone() }, here());
    let (after, _) = check(&sample, &settings);
    let layout = after.models[0].layout();
    for c in 2..5 {
        for at in (0..5).flat_map(|k| (0..5).map(move |i| layout.step(c, k, i)).chain([layout.terminal(c, k)])) {
            assert_eq!(after.models[0].parameters()[at], before.models[0].parameters()[at]);
        }
    }
}

#[test]
fn a_word_of_ten_thousand_letters() {
    let alphabet = letters(2);
    let long: Word = (0..10_000).map(|i| Letter::new(i % 2)).collect();
    let short = common::word(&alphabet, "aab");
    let sample = sample(&alphabet, vec![(long, true), (short, false)]);
    for (shape, batch) in SHAPES.into_iter().flat_map(|shape| [(shape, None), (shape, Some(1))]) {
        let length_limit = Schedule::Constant(1.0);
        let settings = Settings { steps: 5, batch, length_limit, ..Settings::practical(shape) };
        let (_, records) = check(&sample, &settings);
        assert_eq!(records[0].length_limit, 10_000);
    }
}

/// Words that share long beginnings, so many that a batch is done in pieces.
#[test]
fn long_words_with_long_beginnings_in_common() {
    let alphabet = letters(2);
    let rows = (0..2048_usize).map(|number| {
        let ending = (0..11).map(|bit| Letter::new(number >> bit & 1));
        let word: Word = (0..700).map(|_| Letter::new(0)).chain(ending).collect();
        (word, number % 2 == 0)
    });
    let sample = sample(&alphabet, rows.collect());
    let settings = Settings { steps: 2, batch: None, nonterminals: 2, ..Settings::practical(Shape::Dfa) };
    check(&sample, &settings);
}

#[test]
fn a_batch_larger_than_the_sample_is_the_sample() {
    let (_, sample) = language("ab", "a*", 3);
    for shape in SHAPES {
        let of = |batch| Settings { steps: 30, batch: Some(batch), ..Settings::practical(shape) };
        let whole = trained(&sample, &Settings { batch: None, ..of(1) }, here());
        for batch in [sample.entries().len(), 100, usize::MAX] {
            let larger = trained(&sample, &of(batch), here());
            assert!(Bits::of(&larger.0) == Bits::of(&whole.0) && larger.1 == whole.1, "{batch}");
        }
    }
}

/// In a batch of all a word that came three times weighs as much as three words; one by one it comes three times.
#[test]
fn words_count_as_often_as_they_come() {
    let alphabet = letters(2);
    let word = |text: &str| common::word(&alphabet, text);
    let thrice = vec![(word("ab"), true), (word("ab"), true), (word("ab"), true), (word("b"), false)];
    let thrice = sample(&alphabet, thrice);
    assert_eq!(thrice.entries().len(), 2);
    for (shape, batch) in SHAPES.into_iter().flat_map(|shape| [(shape, None), (shape, Some(2)), (shape, Some(80))]) {
        let settings = Settings { steps: 20, batch, ..Settings::practical(shape) };
        let settings = Settings { length_limit: Schedule::Constant(1.0), ..settings };
        let (_, records) = check(&thrice, &settings);
        let passes = if batch == Some(2) { 10 } else { 20 };
        assert_eq!(records[0].examples, 4 * passes);
    }
}

/// A word labelled both ways is believed as often as it was accepted.
#[test]
fn contradictions_are_weighed() {
    let alphabet = letters(1);
    let word = || common::word(&alphabet, "a");
    let sample = sample(&alphabet, vec![(word(), true), (word(), false), (word(), true), (word(), true)]);
    let settings = Settings {
        nonterminals: 1,
        restarts: 3,
        steps: 1500,
        batch: None,
        beta: Schedule::Constant(0.0),
        ..Settings::practical(Shape::Nfa)
    };
    let (trained, records) = check(&sample, &settings);
    for (model, record) in trained.models.iter().zip(&records.last().unwrap().restarts) {
        let belief = model.weights().terminal[0];
        assert!((belief - 0.75).abs() < 0.01, "{belief}");
        assert_eq!((record.accuracy, record.stopped), (0.75, Some(StopReason::Budget)));
    }
    // One by one, batches contradict each other, and none of them is ever got all right.
    let settings = Settings { batch: Some(1), steps: 100, ..settings };
    assert!(check(&sample, &settings).0.stopped.iter().all(|&why| why == StopReason::Budget));
}

/// Without the clamp an ambiguous grammar counts its parses, and these are soon more than any number holds.
#[test]
fn who_diverges_is_stopped_with_the_parameters_from_before() {
    let alphabet = letters(2);
    let long = |length: usize| -> Word { (0..length).map(|i| Letter::new(i % 2)).collect() };
    for longest in (2..60).chain([70, 100, 200, 500]) {
        let rows = vec![(long(longest), false), (long(longest - 1), true), (long(1), true)];
        let sample = sample(&alphabet, rows);
        for batch in [None, Some(1)] {
            let settings = Settings {
                nonterminals: 8,
                restarts: 3,
                steps: 60,
                batch,
                mean: 6.0,
                deviation: 1.0,
                clamp: false,
                length_limit: Schedule::Constant(1.0),
                early_stop: None,
                ..Settings::practical(Shape::Nfa)
            };
            let (trained, records) = trained(&sample, &settings, here());
            let finite = trained.models.iter().flat_map(Model::parameters).all(|x| x.is_finite());
            assert!(finite, "words of {longest} letters, batch {batch:?}");
            for record in &records {
                let text = serde_json::to_string(record).unwrap();
                let again: EpochRecord = serde_json::from_str(&text).unwrap();
                for (again, record) in again.restarts.iter().zip(&record.restarts) {
                    let finite = record.prediction.is_finite();
                    assert_eq!(record.stopped == Some(StopReason::Diverged), !finite);
                    assert!(again == record || !finite && again.prediction.is_nan());
                }
            }
            if longest >= 100 {
                assert!(trained.stopped.iter().all(|&why| why == StopReason::Diverged), "{longest} {batch:?}");
            }
        }
    }
}

/// Just before the loss is beyond all numbers, the gradient is, in which a long word adds up many parts.
#[test]
fn a_gradient_may_diverge_before_the_loss() {
    let alphabet = letters(1);
    let mut diverged = 0;
    for length in (40..200).step_by(3) {
        let sample = sample(&alphabet, vec![((0..length).map(|_| Letter::new(0)).collect(), false)]);
        let settings = Settings {
            nonterminals: 2,
            steps: 1,
            mean: 1.5,
            deviation: 0.1,
            clamp: false,
            length_limit: Schedule::Constant(1.0),
            early_stop: None,
            ..Settings::practical(Shape::Nfa)
        };
        let (trained, _) = trained(&sample, &settings, here());
        let finite = trained.models.iter().flat_map(Model::parameters).all(|x| x.is_finite());
        assert!(finite, "a word of {length} letters");
        diverged += trained.stopped.iter().filter(|&&why| why == StopReason::Diverged).count();
    }
    assert!((1..54 * 16).contains(&diverged), "{diverged} diverged");
}

//! The slow population as an oracle for the fast one, and with every start selector.

mod common;
#[path = "common/watching.rs"]
mod watching;

use std::sync::Arc;

use common::language;
use induction::Sample;
use induction::model::{Model, Selector, Shape};
use induction::training::{
    EpochRecord, Precision, Reference, Schedule, Settings, StopReason, TrainError, Trainer, train,
};
use watching::{Watcher, here, trained};

fn sample() -> Sample {
    language("ab", "(a|b)*ab", 5).1
}

fn settings(shape: Shape) -> Settings {
    Settings {
        nonterminals: 3,
        restarts: 18,
        steps: 60,
        batch: Some(30),
        learning_rate: Schedule::Constant(0.05),
        gamma: Schedule::Constant(0.01),
        beta: Schedule::Constant(0.02),
        early_stop: None,
        ..Settings::practical(shape)
    }
}

const SELECTORS: [Selector; 4] = [Selector::Softmax, Selector::Fixed, Selector::TwoLayers, Selector::ThreeLayers];

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

/// Both populations make the same 60 steps, one with 32 bits and the other with 64. Tolerances are a few times what was
/// measured: parameters differ by 3e-6 (nfa) and 7e-4 (dfa, given divided by a temperature down to 0.1), losses by 3e-7.
/// Adam moves a parameter by up to 0.05 in one step, so a wrong gradient would be far outside.
#[test]
fn both_populations_learn_the_same() {
    let sample = sample();
    for (shape, tolerance) in [(Shape::Nfa, 1e-5), (Shape::Dfa, 2e-3)] {
        let settings = settings(shape);
        let (fast, fast_records) = trained(&sample, &settings, here());
        let mut watcher = Watcher::default();
        let slow = train(&sample, &settings, Reference::default(), &mut watcher).unwrap();
        assert_eq!(slow.stopped, fast.stopped);
        assert_eq!(slow.steps, fast.steps);
        let parameters = |models: &[Model]| -> Vec<f64> {
            models.iter().flat_map(|model| model.parameters().to_vec()).map(f64::from).collect()
        };
        let pairs = parameters(&slow.models).into_iter().zip(parameters(&fast.models));
        let largest = pairs.map(|(slow, fast)| (slow - fast).abs()).fold(0.0, f64::max);
        assert!(largest < tolerance, "{shape:?}: off by {largest}");
        assert_eq!(watcher.records.len(), fast_records.len());
        for (slow, fast) in watcher.records.iter().zip(&fast_records) {
            assert_eq!((slow.steps, slow.examples, slow.length_limit), (fast.steps, fast.examples, fast.length_limit));
            for (slow, fast) in slow.restarts.iter().zip(&fast.restarts) {
                assert!(close(slow.prediction, fast.prediction, 1e-6), "{slow:?} {fast:?}");
                assert!(close(slow.sharpening, fast.sharpening, 1e-6), "{slow:?} {fast:?}");
                assert!(close(slow.production_use, fast.production_use, 1e-6), "{slow:?} {fast:?}");
                assert_eq!(slow.accuracy, fast.accuracy);
            }
        }
    }
}

/// Put down after every round and taken up again, all selectors give the same bits.
#[test]
fn every_selector_can_be_put_down_and_taken_up() {
    let sample = Arc::new(sample());
    for selector in SELECTORS {
        let settings = Settings { restarts: 2, ..settings(Shape::Nfa) };
        let backend = Reference { selector };
        let mut whole = Trainer::new(Arc::clone(&sample), settings.clone(), backend).unwrap();
        while whole.advance(&mut ()).is_continue() {}
        let mut broken = Trainer::new(Arc::clone(&sample), settings, backend).unwrap();
        while broken.advance(&mut Watcher::of_all()).is_continue() {
            broken = Trainer::resume(Arc::clone(&sample), &broken.checkpoint(), backend).unwrap();
        }
        assert_eq!(broken.checkpoint(), whole.checkpoint(), "{selector}");
        let perceptron = matches!(selector, Selector::TwoLayers | Selector::ThreeLayers);
        assert_eq!(whole.model(0).is_none(), perceptron);
        assert_eq!(whole.parameters(0).unwrap().len(), selector.parameters(whole.layout()));
        assert_eq!(whole.parameters(2), None);
        assert_eq!(whole.finish().models.len(), if perceptron { 0 } else { 2 });
    }
}

/// The first non-terminal is what a fixed selector reads.
#[test]
fn the_fixed_selector_prefers_the_first() {
    let backend = Reference { selector: Selector::Fixed };
    let trained = train(&sample(), &Settings { restarts: 1, ..settings(Shape::Nfa) }, backend, &mut ()).unwrap();
    assert_eq!(trained.models[0].weights().last, [1.0, 0.0, 0.0]);
}

#[test]
fn a_restart_that_diverges_stops_where_it_was() {
    let settings = Settings { learning_rate: Schedule::Constant(1e6), clamp: false, ..settings(Shape::Nfa) };
    let mut records: Vec<EpochRecord> = Vec::new();
    let mut note = |record: &EpochRecord| {
        records.push(record.clone());
        std::ops::ControlFlow::Continue(())
    };
    // Without the clamp, beliefs of 1 in everything count derivations: 3^1000 of them are no number.
    let long = common::sample(&common::letters(1), vec![(vec![automata::Letter::new(0); 1000].into(), true)]);
    let settings = Settings { mean: 50.0, nonterminals: 3, length_limit: Schedule::Constant(1.0), ..settings };
    let trained = train(&long, &settings, Reference::default(), &mut note).unwrap();
    assert!(trained.stopped.iter().all(|why| *why == StopReason::Diverged), "{:?}", trained.stopped);
    assert_eq!(records.len(), 1);
    assert!(trained.models.iter().flat_map(Model::parameters).all(|x| (x - 50.0).abs() < 10.0));
}

#[test]
fn selectors_are_for_the_shape_nfa() {
    for selector in SELECTORS {
        let refused = Trainer::new(Arc::new(sample()), settings(Shape::Dfa), Reference { selector }).err();
        assert_eq!(refused, (selector != Selector::Softmax).then_some(TrainError::Selector));
    }
    let huge = Settings { nonterminals: usize::MAX, ..settings(Shape::Nfa) };
    let refused = Trainer::new(Arc::new(sample()), huge, Reference::default()).unwrap_err();
    assert!(matches!(refused, TrainError::TooLarge { .. }));
    let large = Settings { nonterminals: 10_000, ..settings(Shape::Nfa) };
    let refused = Trainer::new(Arc::new(sample()), large, Reference::default()).unwrap_err();
    assert!(matches!(refused, TrainError::OutOfReach { restarts: 1, .. }));
}

#[test]
fn numbers_are_rounded_to_what_a_population_has() {
    assert_eq!(Precision::F32.round(0.1), f64::from(0.1_f32));
    assert_eq!(Precision::F64.round(0.1), 0.1);
}

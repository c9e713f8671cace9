//! What cannot be meant is refused in one line that names it; what the paper did is what `paper` says.

mod common;

use std::sync::Arc;

use common::{examples, language, letters};
use induction::model::Shape;
use induction::training::{EarlyStop, Hardware, Schedule, Settings, TrainError, Trainer};
use induction::{InstructionSet, Sample};

fn sample() -> Sample {
    language("ab", "a*", 2).1
}

/// Why these settings are refused.
fn refusal(settings: Settings) -> String {
    let error = settings.check().expect_err("it cannot be meant").to_string();
    let refused = Trainer::new(Arc::new(sample()), settings, Hardware::with_threads(1)).expect_err("nor trained with");
    assert_eq!(refused.to_string(), error);
    assert!(!error.contains('\n'));
    error
}

#[test]
fn the_papers_protocol() {
    let expected = Settings {
        shape: Shape::Nfa,
        nonterminals: 5,
        restarts: 1,
        seed: 0,
        steps: 30_000,
        batch: Some(80),
        mean: 0.0,
        deviation: 1.0,
        learning_rate: Schedule::Constant(0.005),
        beta: Schedule::Switch { before: 0.0, after: 0.05, at: 0.6 },
        gamma: Schedule::Constant(0.0),
        temperature: Schedule::Constant(1.0),
        length_limit: Schedule::Constant(1.0),
        clamp: true,
        slope_bound: 1e-6,
        sharp: 0.95,
        early_stop: None,
    };
    assert_eq!(Settings::paper(), expected);
}

#[test]
fn what_is_offered_can_be_meant() {
    for settings in [Settings::paper(), Settings::practical(Shape::Nfa), Settings::practical(Shape::Dfa)] {
        settings.check().unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings, "{text}");
    }
}

#[test]
fn what_cannot_be_meant_is_named() {
    let paper = Settings::paper;
    let constant = Schedule::Constant;
    for (settings, expected) in [
        (Settings { nonterminals: 0, ..paper() }, "the number of non-terminals is 0, but must be at least 1"),
        (Settings { restarts: 0, ..paper() }, "the number of restarts is 0, but must be at least 1"),
        (Settings { batch: Some(0), ..paper() }, "the batch is 0, but must be at least 1"),
        (Settings { mean: f64::NAN, ..paper() }, "the mean is NaN, but must be from -1000000 to 1000000"),
        (Settings { mean: 1e39, ..paper() }, "but must be from -1000000 to 1000000"),
        (Settings { deviation: -1.0, ..paper() }, "the deviation is -1, but must be from 0 to 1000000"),
        (Settings { deviation: f64::INFINITY, ..paper() }, "the deviation is inf"),
        (Settings { learning_rate: constant(-0.1), ..paper() }, "the learning rate is -0.1, but must be from 0"),
        (Settings { learning_rate: constant(f64::NAN), ..paper() }, "the learning rate is NaN"),
        (Settings { beta: constant(-0.5), ..paper() }, "beta is -0.5"),
        (Settings { beta: Schedule::Switch { before: 0.0, after: -1.0, at: 0.5 }, ..paper() }, "beta is -1"),
        (
            Settings { beta: Schedule::Switch { before: 0.0, after: 1.0, at: f64::NAN }, ..paper() },
            "the part of the training at which beta changes is NaN",
        ),
        (
            Settings { gamma: Schedule::Linear { from: 1.0, to: f64::NAN, begin: 0.0, end: 1.0 }, ..paper() },
            "gamma is NaN",
        ),
        (
            Settings { gamma: Schedule::Linear { from: f64::NAN, to: 1.0, begin: 0.0, end: 1.0 }, ..paper() },
            "gamma is NaN",
        ),
        (
            Settings {
                gamma: Schedule::Linear { from: 0.0, to: 1.0, begin: f64::NEG_INFINITY, end: f64::INFINITY },
                ..paper()
            },
            "the part of the training at which gamma changes is -inf",
        ),
        (
            Settings { gamma: Schedule::Geometric { from: 0.0, to: 1.0, begin: 0.0, end: 1.0 }, ..paper() },
            "gamma is 0, but must be above 0, to change by factors",
        ),
        (
            Settings { temperature: constant(0.0), ..paper() },
            "the temperature is 0, but must be from 0.000001 to 1000000",
        ),
        (
            Settings { length_limit: constant(0.0), ..paper() },
            "the length limit is 0, but must be above 0 and at most 1",
        ),
        (
            Settings { length_limit: constant(1.5), ..paper() },
            "the length limit is 1.5, but must be above 0 and at most 1",
        ),
        (Settings { slope_bound: 0.0, ..paper() }, "the slope's bound is 0, but must be from 0.000000000001 to 0.5"),
        (Settings { slope_bound: 0.6, ..paper() }, "the slope's bound is 0.6"),
        (Settings { sharp: 0.4, ..paper() }, "the threshold is 0.4, but must be from 0.5 to 0.999999"),
        (Settings { sharp: 1.0, ..paper() }, "the threshold is 1, but must be from 0.5 to 0.999999"),
        (
            Settings { early_stop: Some(EarlyStop { loss: -1.0, sharp: true }), ..paper() },
            "the loss to stop at is -1, but must be from 0 to 1000000",
        ),
    ] {
        let error = refusal(settings);
        assert!(error.contains(expected), "{error:?} and not {expected:?}");
    }
}

#[test]
fn there_must_be_a_word() {
    let refusal = |rows: &[&str]| {
        let sample = Sample::new(&examples(&letters(2), rows), false).unwrap();
        Trainer::new(Arc::new(sample.clone()), Settings::paper(), Hardware::with_threads(1))
            .expect_err("nothing to learn from")
    };
    for rows in [&[][..], &["+"], &["-"], &["?ab"]] {
        let error = refusal(rows);
        assert_eq!(error, TrainError::NoWords);
        assert!(error.to_string().starts_with("there is no word to learn from"));
    }
}

#[test]
fn instructions_must_be_there() {
    let all = [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Neon, InstructionSet::Portable];
    let available = InstructionSet::available();
    assert_eq!(available.last(), Some(&InstructionSet::Portable));
    let missing: Vec<InstructionSet> = all.into_iter().filter(|set| !available.contains(set)).collect();
    assert!(!missing.is_empty(), "no machine has all of them");
    for instructions in missing {
        let hardware = Hardware { instructions, threads: 4, sharing: true };
        let error = Trainer::new(Arc::new(sample()), Settings::paper(), hardware).unwrap_err();
        assert_eq!(error, TrainError::Hardware { instructions, threads: 4 });
        assert_eq!(error.to_string(), format!("this machine cannot train with {instructions} on 4 threads"));
    }
}

#[test]
fn more_threads_than_blocks_are_not_started() {
    let sample = sample();
    let settings = Settings { steps: 20, ..Settings::paper() };
    for threads in [0, 1, 1_000_000, usize::MAX] {
        let mut trainer =
            Trainer::new(Arc::new(sample.clone()), settings.clone(), Hardware::with_threads(threads)).unwrap();
        assert!(trainer.advance(&mut ()).is_break());
    }
}

#[test]
fn what_no_memory_can_hold_is_refused() {
    for (restarts, nonterminals) in [(usize::MAX, 1), (1, usize::MAX), (usize::MAX, usize::MAX), (1 << 40, 1 << 20)] {
        let settings = Settings { restarts, nonterminals, ..Settings::paper() };
        let error = Trainer::new(Arc::new(sample()), settings.clone(), Hardware::with_threads(1)).unwrap_err();
        assert_eq!(error, TrainError::TooLarge { restarts, nonterminals, letters: 2 });
        assert!(settings.memory(&sample(), usize::MAX) > i64::MAX as u64);
    }
}

#[test]
fn no_steps_are_a_training_too() {
    let sample = sample();
    let settings = Settings { steps: 0, ..Settings::paper() };
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings, Hardware::with_threads(1)).unwrap();
    let before: Vec<_> = trainer.models().collect();
    assert!(trainer.advance(&mut ()).is_break());
    let trained = trainer.finish();
    assert_eq!((trained.models, trained.steps), (before, 0));
}

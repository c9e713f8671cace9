//! Training put down and taken up again: the same bits, or a clear error.

mod common;
#[path = "common/container.rs"]
mod container;
#[path = "common/watching.rs"]
mod watching;

use std::sync::Arc;

use common::{Numbers, language};
use container::{closed, opened, with_header, with_text};
use induction::model::Shape;
use induction::training::{CheckpointError, EarlyStop, Reference, Schedule, Settings, StopReason, TrainError, Trainer};
use induction::{InstructionSet, Sample};
use serde_json::{Value, json};
use watching::{Bits, Watcher, here, on, trained};

fn sample() -> Sample {
    language("ab", "(a|b)*ab", 6).1
}

/// Numbers whose decimals do not end soon, so that one that is read inexactly would show.
fn settings(shape: Shape) -> Settings {
    Settings {
        restarts: 40,
        steps: 110,
        mean: -1.0 / 3.0,
        deviation: 0.1 + 0.2,
        learning_rate: Schedule::Geometric { from: 0.3 + 1.0 / 7.0, to: 1.0 / 3.0, begin: 0.0, end: 2.0 / 3.0 },
        gamma: Schedule::Constant(1.0 / 70.0),
        length_limit: Schedule::Linear { from: 0.2, to: 1.0, begin: 0.0, end: 0.3 },
        early_stop: Some(EarlyStop { loss: 0.02, sharp: false }),
        ..Settings::practical(shape)
    }
}

#[test]
fn interrupted_after_every_epoch_it_gives_the_same() {
    let sample = sample();
    for shape in [Shape::Nfa, Shape::Dfa] {
        let settings = settings(shape);
        let (expected, records) = trained(&sample, &settings, here());
        assert!(expected.stopped.contains(&StopReason::Converged) && expected.stopped.contains(&StopReason::Budget));

        let hardware = [on(InstructionSet::best(), 2), on(InstructionSet::Portable, 1), here()];
        let mut file = Trainer::new(Arc::new(sample.clone()), settings, here()).unwrap().checkpoint();
        let mut watcher = Watcher::of_all();
        let (mut interruptions, mut with_stopped) = (0, 0);
        let last = loop {
            let mut trainer = Trainer::resume(Arc::new(sample.clone()), &file, hardware[interruptions % 3]).unwrap();
            let goes_on = trainer.advance(&mut watcher).is_continue();
            file = trainer.checkpoint();
            if !goes_on {
                break Trainer::resume(Arc::new(sample.clone()), &file, here()).unwrap();
            }
            interruptions += 1;
            with_stopped += usize::from(trainer.stopped().iter().any(Option::is_some));
        };
        assert!(interruptions >= 3 && with_stopped >= 1, "{interruptions}, {with_stopped} with stopped restarts");
        assert_eq!(last.checkpoint(), file, "what was read is written again");
        assert!(Bits::of(&last.finish()) == Bits::of(&expected), "{shape:?}");
        assert_eq!(watcher.records, records);
    }
}

#[test]
fn a_training_that_was_cancelled_can_go_on() {
    let sample = sample();
    let settings = Settings { steps: 600, early_stop: None, ..settings(Shape::Nfa) };
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings, here()).unwrap();
    let mut cancel = |_: &_| std::ops::ControlFlow::Break(());
    assert!(trainer.advance(&mut cancel).is_break());
    let file = trainer.checkpoint();
    assert!(trainer.advance(&mut ()).is_break());
    assert!(trainer.stopped().contains(&Some(StopReason::Cancelled)));
    let mut again = Trainer::resume(Arc::new(sample.clone()), &file, here()).unwrap();
    while again.advance(&mut ()).is_continue() {}
    let mut whole = Trainer::new(Arc::new(sample.clone()), again.settings().clone(), here()).unwrap();
    while whole.advance(&mut ()).is_continue() {}
    assert!(Bits::of(&again.finish()) == Bits::of(&whole.finish()));
}

/// A small training, two restarts, of which one has stopped.
fn small() -> (Sample, Vec<u8>) {
    let sample = language("ab", "a*b", 3).1;
    let settings =
        Settings { nonterminals: 2, restarts: 2, steps: 40, early_stop: None, ..Settings::practical(Shape::Nfa) };
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings, here()).unwrap();
    assert!(trainer.advance(&mut Watcher::of_all()).is_continue());
    let file = with_progress(&trainer.checkpoint(), |progress| progress["stopped"][1] = "converged".into());
    (sample, file)
}

fn with_progress(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    with_text(file, "nerode.training", change)
}

#[test]
fn a_part_of_a_checkpoint_is_none() {
    let (sample, file) = small();
    assert!(Trainer::resume(Arc::new(sample.clone()), &file, here()).is_ok());
    for length in 0..file.len() {
        assert!(
            Trainer::resume(Arc::new(sample.clone()), &file[..length], here()).is_err(),
            "{length} of {} bytes",
            file.len()
        );
    }
    let longer = [&file[..], &[0]].concat();
    assert!(Trainer::resume(Arc::new(sample.clone()), &longer, here()).is_err());
}

/// A flipped bit may give another training that can be meant, of another seed or with other parameters; what it must not
/// do is bring the program down.
#[test]
fn a_flipped_bit_is_an_error_or_another_training() {
    let (sample, file) = small();
    let header = file.len() - opened(&file).1.len();
    let mut numbers = Numbers(1);
    let (mut errors, mut trainings) = (0, 0);
    for at in (0..header).chain((header..file.len()).step_by(37)) {
        let mut file = file.clone();
        file[at] ^= 1 << numbers.below(8);
        match Trainer::resume(Arc::new(sample.clone()), &file, here()) {
            Ok(mut trainer) => {
                trainings += 1;
                let _ = trainer.advance(&mut ());
            }
            Err(error) => {
                errors += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(errors > 100 && trainings > 20, "{errors} errors, {trainings} trainings");
}

/// The one line a broken checkpoint is answered with.
fn complaint(sample: &Sample, file: &[u8]) -> String {
    Trainer::resume(Arc::new(sample.clone()), file, here()).expect_err("it is broken").to_string()
}

#[test]
fn sizes_that_cannot_be_are_refused_before_anything_is_made_of_them() {
    let (sample, file) = small();
    let huge = [u64::MAX, 1 << 62, 1 << 40, 1 << 32, 3];
    for size in huge {
        for key in ["nonterminals", "restarts"] {
            let file = with_progress(&file, |progress| progress["settings"][key] = size.into());
            let error = complaint(&sample, &file);
            assert!(error.contains("more than memory can hold") || error.starts_with("not a checkpoint: "), "{error}");
        }
        // A batch larger than the sample is the sample.
        let file = with_progress(&file, |progress| progress["settings"]["batch"] = size.into());
        assert!(Trainer::resume(Arc::new(sample.clone()), &file, here()).unwrap().advance(&mut ()).is_break());
    }
    // The header's own sizes: the numbers that would belong to them are not there.
    let large = 1_u64 << 40;
    for shape in [json!([large, large, large]), json!([2, large]), json!([u64::MAX]), json!([0, 14])] {
        let file = with_header(&file, |header| header["parameters"]["shape"] = shape);
        assert!(complaint(&sample, &file).starts_with("not a checkpoint: "));
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let (sample, file) = small();
    let progress = |change: &dyn Fn(&mut Value)| complaint(&sample, &with_progress(&file, change));
    let header = |change: &dyn Fn(&mut Value)| complaint(&sample, &with_header(&file, change));

    assert_eq!(
        progress(&|progress| progress["stopped"] = json!([null, null, null])),
        "not a checkpoint: its number of restarts is inconsistent"
    );
    assert_eq!(
        progress(&|progress| progress["epoch"] = u64::MAX.into()),
        "not a checkpoint: it has more epochs than steps"
    );
    assert_eq!(
        progress(&|progress| progress["settings"]["shape"] = "dfa".into()),
        "not a checkpoint: parameters has the shape [2, 14], but must have [2, 10]"
    );
    assert_eq!(
        progress(&|progress| progress["settings"]["sharp"] = 2.into()),
        "the threshold is 2, but must be from 0.5 to 0.999999"
    );
    assert!(progress(&|progress| progress["settings"]["shape"] = "pda".into()).contains("unknown variant `pda`"));
    assert!(progress(&|progress| *progress = json!([])).starts_with("not a checkpoint: "));
    assert!(progress(&|progress| progress["step"] = (-1).into()).starts_with("not a checkpoint: "));
    assert_eq!(
        header(&|header| header["__metadata__"] = json!({})),
        "not a checkpoint: the file has no text under the key nerode.training"
    );
    assert_eq!(
        header(&|header| {
            let moved = header.as_object_mut().unwrap().remove("first_moment").unwrap();
            header["first"] = moved;
        }),
        "not a checkpoint: tensor `first_moment` not found"
    );
    assert_eq!(
        header(&|header| header["second_moment"]["dtype"] = "I64".into()),
        "not a checkpoint: second_moment has numbers of type I64, but must have F64"
    );
    assert!(complaint(&sample, b"").starts_with("not a checkpoint: "));
    assert!(complaint(&sample, &closed("{}", &[])).starts_with("not a checkpoint: "));

    // More steps than there were to be made are all of them.
    let file = with_progress(&file, |progress| (progress["step"], progress["epoch"]) = (u64::MAX.into(), 3.into()));
    assert!(Trainer::resume(Arc::new(sample.clone()), &file, here()).unwrap().advance(&mut ()).is_break());
}

/// Only a population of the same kind gives the same bits, and other formats would be misread.
#[test]
fn another_kind_or_format_is_refused() {
    let (sample, file) = small();
    let error = Trainer::resume(Arc::new(sample.clone()), &file, Reference::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint was trained in f32 with the selector softmax, \
         but would resume in f64 with the selector softmax"
    );
    for (format, expected) in [(json!(3), 3), (Value::Null, 1)] {
        let file = with_progress(&file, |progress| match format {
            Value::Null => drop(progress.as_object_mut().unwrap().remove("format")),
            format => progress["format"] = format,
        });
        assert_eq!(
            complaint(&sample, &file),
            format!("the checkpoint has format {expected}, but this version reads format 2")
        );
    }
}

#[test]
fn another_sample_is_refused() {
    let (_, file) = small();
    let other = language("abc", "a*b", 3).1;
    let error = Trainer::resume(Arc::new(other.clone()), &file, here()).unwrap_err();
    assert!(matches!(error, CheckpointError::OtherAlphabet { .. }));
    assert_eq!(error.to_string(), "the checkpoint was trained over a, b, but the sample is over a, b, c");
    let longer = language("ab", "a*b", 4).1;
    let error = Trainer::resume(Arc::new(longer.clone()), &file, here()).unwrap_err();
    assert!(matches!(error, CheckpointError::OtherSample));
    let none = language("ab", "a*b", 0).1;
    let error = Trainer::resume(Arc::new(none.clone()), &file, here()).unwrap_err();
    assert!(matches!(error, CheckpointError::Train(TrainError::NoWords)));
}

/// Such numbers would be trained on differently by different instructions; 0.1 is no number of 32 bits.
#[test]
fn numbers_that_no_training_leaves_are_refused() {
    let (sample, file) = small();
    // The second moments come last in the file, and are never negative.
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.1] {
        let mut file = file.clone();
        let end = file.len() - 8;
        file[end..].copy_from_slice(&bad.to_le_bytes());
        let error = Trainer::resume(Arc::new(sample.clone()), &file, here()).unwrap_err();
        assert_eq!(error.to_string(), "not a checkpoint: it holds numbers that training cannot produce");
    }
    assert!(Trainer::resume(Arc::new(sample.clone()), &file, here()).is_ok());
}

//! The same sample and settings give the same bits: on every instruction set, with any number of threads, whatever else
//! is in the population.

mod common;
#[path = "common/watching.rs"]
mod watching;

use common::language;
use induction::model::Shape;
use induction::training::{EarlyStop, EpochRecord, Hardware, Schedule, Settings, StopReason};
use induction::{InstructionSet, Sample};
use watching::{Bits, bits, here, on, trained};

/// The words of up to six letters, those that end in ab accepted: 126, more than a batch, and learned quickly enough that
/// some restarts stop early and others do not.
fn sample() -> Sample {
    language("ab", "(a|b)*ab", 6).1
}

/// Two blocks and a half, everything switched on.
fn settings(shape: Shape, nonterminals: usize, batch: Option<usize>) -> Settings {
    Settings {
        nonterminals,
        restarts: 40,
        seed: 7,
        steps: 110,
        batch,
        learning_rate: Schedule::Constant(0.3),
        beta: Schedule::Switch { before: 0.0, after: 0.05, at: 0.5 },
        gamma: Schedule::Constant(0.01),
        clamp: true,
        length_limit: Schedule::Linear { from: 0.2, to: 1.0, begin: 0.0, end: 0.3 },
        early_stop: Some(EarlyStop { loss: 0.02, sharp: false }),
        ..Settings::practical(shape)
    }
}

fn all_settings() -> impl Iterator<Item = Settings> {
    let shapes = [Shape::Nfa, Shape::Dfa].into_iter();
    let sized = shapes.flat_map(|shape| [3, 5, 9].map(|n| (shape, n)));
    sized.flat_map(|(shape, n)| [Some(80), None].map(|batch| settings(shape, n, batch)))
}

fn outcome(sample: &Sample, settings: &Settings, hardware: Hardware) -> (Bits, Vec<EpochRecord>) {
    let (trained, records) = trained(sample, settings, hardware);
    (Bits::of(&trained), records)
}

#[test]
fn instructions_and_threads_leave_no_trace() {
    let sample = sample();
    let (mut converged, mut went_on) = (0, 0);
    for settings in all_settings() {
        let expected = outcome(&sample, &settings, here());
        converged += expected.0.stopped.iter().filter(|&&why| why == StopReason::Converged).count();
        went_on += expected.0.stopped.iter().filter(|&&why| why == StopReason::Budget).count();
        let others = InstructionSet::available().into_iter().map(|set| on(set, 1));
        for hardware in others.chain([2, 3].map(|threads| on(InstructionSet::best(), threads))) {
            assert!(outcome(&sample, &settings, hardware) == expected, "{hardware:?} {settings:?}");
        }
    }
    // Or else there was nothing to see.
    assert!(converged >= 50 && went_on >= 50, "{converged} converged, {went_on} went on");
}

#[test]
fn restarts_do_not_know_of_each_other() {
    let sample = sample();
    for settings in all_settings() {
        let (all, all_records) = trained(&sample, &settings, here());
        for restarts in [1, 17] {
            let (some, records) = trained(&sample, &Settings { restarts, ..settings.clone() }, here());
            for restart in 0..restarts {
                assert_eq!(bits(&some.models[restart]), bits(&all.models[restart]), "{restart} of {restarts}");
            }
            assert_eq!(some.stopped, all.stopped[..restarts]);
            for (few, many) in records.iter().zip(&all_records) {
                let of_few = many.restarts.iter().filter(|record| record.restart < restarts);
                assert!(few.restarts.iter().eq(of_few), "epoch {}", few.epoch);
            }
        }
    }
}

#[test]
fn another_seed_is_another_training() {
    let sample = sample();
    let settings = settings(Shape::Nfa, 3, Some(20));
    let (one, _) = trained(&sample, &settings, here());
    let (other, _) = trained(&sample, &Settings { seed: 8, ..settings }, here());
    assert!(one.models.iter().all(|model| !other.models.contains(model)));
}

/// Whether prefixes are shared changes the order in which gradients are added up, and nothing else.
#[test]
fn sharing_prefixes_changes_no_more_than_rounding() {
    let (_, sample) = language("ab", "(a|b)*ab", 7);
    for shape in [Shape::Nfa, Shape::Dfa] {
        let settings = Settings {
            steps: 5,
            batch: None,
            learning_rate: Schedule::Constant(0.01),
            temperature: Schedule::Constant(1.0),
            length_limit: Schedule::Constant(1.0),
            ..Settings::practical(shape)
        };
        let (shared, _) = trained(&sample, &settings, here());
        let (alone, _) = trained(&sample, &settings, Hardware { sharing: false, ..here() });
        let pairs = || shared.models.iter().zip(&alone.models);
        assert!(pairs().any(|(a, b)| bits(a) != bits(b)), "{shape:?}: the order is another");
        let largest = pairs().flat_map(|(a, b)| a.parameters().iter().zip(b.parameters())).map(|(a, b)| (a - b).abs());
        let largest = largest.fold(0.0, f32::max);
        assert!(largest < 5e-5, "{shape:?}: {largest}");
    }
}

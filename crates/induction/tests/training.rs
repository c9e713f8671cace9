//! Training as a whole: it learns, shows what it is told to show, and says truly what it did.

mod common;
#[path = "common/watching.rs"]
mod watching;

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{determinize, equivalent};
use common::{examples, language, letters};
use induction::Sample;
use induction::extraction::{Reading, best_threshold, extract};
use induction::model::reference::{Evaluation, Example, LossSettings, evaluate};
use induction::model::{Model, Selector, Shape};
use induction::training::{EarlyStop, EpochRecord, Hardware, Schedule, Settings, StopReason, Trainer, train};
use watching::{Bits, Watcher, bits, here, trained};

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

/// Everything on, little to do.
fn settings(shape: Shape) -> Settings {
    Settings {
        restarts: 20,
        steps: 300,
        learning_rate: Schedule::Constant(0.3),
        length_limit: Schedule::Linear { from: 0.2, to: 1.0, begin: 0.0, end: 0.3 },
        early_stop: Some(EarlyStop { loss: 0.05, sharp: false }),
        ..Settings::practical(shape)
    }
}

fn sample() -> Sample {
    language("ab", "(a|b)*ab", 5).1
}

mod records {
    use super::*;

    #[test]
    fn there_is_one_for_each_epoch_and_their_steps_are_the_budget() {
        let sample = sample();
        for (steps, batch, each) in [(110, Some(80), 20), (110, None, 20), (100, Some(80), 20), (7, Some(80), 20)] {
            let settings = Settings { steps, batch, early_stop: None, ..settings(Shape::Nfa) };
            let (trained, records) = trained(&sample, &settings, here());
            assert_eq!(trained.steps, steps);
            assert!(trained.stopped.iter().all(|&why| why == StopReason::Budget));
            let epochs: Vec<(u64, u64)> = records.iter().map(|record| (record.epoch, record.steps)).collect();
            let expected = (1..=steps.div_ceil(each)).map(|epoch| (epoch - 1, (epoch * each).min(steps)));
            assert_eq!(epochs, expected.collect::<Vec<_>>());
            assert!(records.iter().all(|record| record.restarts.len() == settings.restarts));
        }
    }

    /// A pass is shown whole, and again until there were 20 steps.
    #[test]
    fn small_samples_are_passed_over_several_times() {
        let sample = sample(); // 62 words
        for (batch, steps, examples) in [
            (None, 20, 20 * 62),
            (Some(1000), 20, 20 * 62),
            (Some(62), 20, 20 * 62),
            (Some(61), 20, 10 * 62),
            (Some(20), 20, 5 * 62),
            (Some(10), 21, 3 * 62),
            (Some(3), 21, 62),
            (Some(1), 62, 62),
        ] {
            let length_limit = Schedule::Constant(1.0);
            let settings = Settings { batch, length_limit, early_stop: None, restarts: 1, ..settings(Shape::Nfa) };
            let (_, records) = trained(&sample, &settings, here());
            assert_eq!((records[0].steps, records[0].examples), (steps, examples), "{batch:?}");
        }
    }

    #[test]
    fn they_are_the_same_after_a_way_through_json() {
        for shape in [Shape::Nfa, Shape::Dfa] {
            let (_, records) = trained(&sample(), &settings(shape), here());
            for record in records {
                let text = serde_json::to_string(&record).unwrap();
                assert_eq!(serde_json::from_str::<EpochRecord>(&text).unwrap(), record, "{text}");
            }
        }
    }

    #[test]
    fn the_last_one_of_a_restart_says_why_it_stopped() {
        let settings = settings(Shape::Nfa);
        let (trained, records) = trained(&sample(), &settings, here());
        for restart in 0..settings.restarts {
            let of_it = records.iter().flat_map(|record| &record.restarts).filter(|record| record.restart == restart);
            let stops: Vec<Option<StopReason>> = of_it.map(|record| record.stopped).collect();
            let (last, before) = stops.split_last().unwrap();
            assert!(before.iter().all(Option::is_none), "{restart}");
            assert_eq!(last.unwrap_or(StopReason::Budget), trained.stopped[restart], "{restart}");
        }
        assert!(trained.stopped.contains(&StopReason::Converged));
    }

    #[test]
    fn steps_are_those_that_were_made() {
        let settings = Settings { restarts: 1, ..settings(Shape::Dfa) };
        let (trained, records) = trained(&sample(), &settings, here());
        assert_eq!(trained.stopped, [StopReason::Converged]);
        assert_eq!(records.last().unwrap().steps, trained.steps);
        assert!(trained.steps < settings.steps, "{}", trained.steps);
    }

    /// What the reference says of these parameters, over the whole sample.
    fn said(model: &Model, sample: &Sample, settings: &Settings) -> Evaluation {
        let parameters: Vec<f64> = model.parameters().iter().copied().map(f64::from).collect();
        let counted = sample.entries().iter().map(|entry| Example {
            word: sample.word(entry),
            accepted: f64::from(entry.counts.accepted),
            rejected: f64::from(entry.counts.rejected),
        });
        let losses = LossSettings {
            beta: settings.beta.at(0.0),
            gamma: settings.gamma.at(0.0),
            // Models are given at temperature 1, whatever they were trained at.
            temperature: 1.0,
            clamp: settings.clamp,
            slope_bound: settings.slope_bound,
        };
        evaluate(model.layout(), Selector::Softmax, &parameters, &counted.collect::<Vec<_>>(), &losses)
    }

    /// With a rate of 0 nothing moves, so that what is said of an epoch can be computed afterwards.
    #[test]
    fn they_say_what_the_reference_says() {
        let rows = ["+a", "+a", "+a", "-b", "+ab", "-ab", "-ab", "-ba", "+bab", "-aaab", "+bbbbbb", "+abab"];
        let samples = [sample(), Sample::new(&examples(&letters(2), &rows), true).unwrap()];
        for (sample, shape, batch) in samples.iter().flat_map(|sample| {
            [(Shape::Nfa, None), (Shape::Nfa, Some(5)), (Shape::Dfa, None), (Shape::Dfa, Some(1000))]
                .map(|(shape, batch)| (sample, shape, batch))
        }) {
            let settings = Settings {
                batch,
                learning_rate: Schedule::Constant(0.0),
                beta: Schedule::Constant(0.07),
                gamma: Schedule::Constant(0.03),
                temperature: Schedule::Constant(0.8),
                length_limit: Schedule::Constant(1.0),
                early_stop: None,
                ..settings(shape)
            };
            let (trained, records) = trained(sample, &settings, here());
            // All but the last epoch, which may end within the sample when there are no steps left, show it whole.
            for (record, model) in records[0].restarts.iter().zip(&trained.models) {
                let expected = said(model, sample, &settings);
                let near = |a: f64, b: f64| (a - b).abs() < 1e-5 * (1.0 + b.abs());
                assert!(near(record.sharpening, expected.sharpening), "{record:?}");
                assert!(near(record.production_use, expected.production_use), "{record:?}");
                assert!(near(record.prediction, expected.prediction), "{record:?} {}", expected.prediction);
                assert!(near(record.total, expected.total), "{record:?}");
                let counts = sample.entries().iter().map(|entry| entry.counts);
                let right = counts
                    .zip(&expected.outputs)
                    .map(|(counts, &o)| f64::from(if o < 0.5 { counts.rejected } else { counts.accepted }));
                let all: f64 = sample.entries().iter().map(|e| f64::from(e.counts.accepted + e.counts.rejected)).sum();
                assert!(near(record.accuracy, right.sum::<f64>() / all), "{record:?}");
            }
        }
    }
}

mod observers {
    use super::*;

    #[test]
    fn may_end_the_training() {
        let settings = Settings { steps: 100_000, early_stop: None, ..settings(Shape::Dfa) };
        let mut told = 0;
        let mut cancel = |_: &EpochRecord| {
            told += 1;
            if told == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let trained = train(&sample(), &settings, here(), &mut cancel).unwrap();
        assert_eq!(told, 3, "who has said to end is told no more");
        assert!(trained.stopped.iter().all(|&why| why == StopReason::Cancelled));
        assert!(trained.steps >= 60 && trained.steps < 300, "{}", trained.steps);
    }

    #[test]
    fn are_given_the_models_as_they_were_after_the_epoch() {
        let sample = sample();
        let settings = settings(Shape::Nfa);
        let mut every = Vec::new();
        let mut trainer = Trainer::new(Arc::new(sample.clone()), settings.clone(), here()).unwrap();
        let mut all = Watcher::of_all();
        while trainer.advance(&mut all).is_continue() {
            every.push(trainer.models().collect::<Vec<_>>());
        }
        every.push(trainer.models().collect());
        assert_eq!(all.records.len(), every.len());
        for (epoch, (number, models)) in all.models.iter().enumerate() {
            assert_eq!((*number, models), (epoch as u64, &every[epoch]));
        }

        let wanted = vec![0, 4, 5, 9];
        let mut some = Watcher { wanted: wanted.clone(), ..Watcher::default() };
        let trained = train(&sample, &settings, here(), &mut some).unwrap();
        assert_eq!(some.models.iter().map(|(epoch, _)| *epoch).collect::<Vec<_>>(), wanted);
        for (epoch, models) in some.models {
            assert_eq!(models, every[epoch as usize], "epoch {epoch}");
        }
        assert_eq!(trained.models, *every.last().unwrap());
        assert_eq!(some.records, all.records, "where rounds end does not matter");
    }

    #[test]
    fn do_not_disturb() {
        let (sample, settings) = (sample(), settings(Shape::Dfa));
        let alone = train(&sample, &settings, here(), &mut ()).unwrap();
        let watched = train(&sample, &settings, here(), &mut Watcher::of_all()).unwrap();
        assert!(Bits::of(&alone) == Bits::of(&watched));
    }
}

mod stopping {
    use super::*;

    #[test]
    fn who_has_stopped_stays_while_others_go_on() {
        for shape in [Shape::Nfa, Shape::Dfa] {
            let settings = settings(shape);
            let mut watcher = Watcher::of_all();
            let trained = train(&sample(), &settings, here(), &mut watcher).unwrap();
            let mut stopped = 0;
            for (record, (_, models)) in watcher.records.iter().zip(&watcher.models) {
                for of_restart in record.restarts.iter().filter(|record| record.stopped == Some(StopReason::Converged))
                {
                    let restart = of_restart.restart;
                    assert_eq!(bits(&models[restart]), bits(&trained.models[restart]), "restart {restart}");
                    let others = watcher.records[record.epoch as usize + 1..].iter();
                    assert!(others.flat_map(|record| &record.restarts).all(|record| record.restart != restart));
                    // It had earned it.
                    assert_eq!(of_restart.accuracy, 1.0);
                    assert!(of_restart.prediction < 0.05 && record.length_limit == 5);
                    stopped += usize::from(record.epoch + 1 < watcher.records.len() as u64);
                }
            }
            assert!(stopped >= 3, "{shape:?}: {stopped} stopped before the last epoch");
        }
    }

    /// A model that accepts everything, which is right of the words it is shown; but has it been shown them all?
    #[test]
    fn is_for_who_has_seen_all_words() {
        let sample = language("ab", ".*", 5).1;
        for (steps, expected) in [(61, StopReason::Budget), (62, StopReason::Converged)] {
            let settings = Settings {
                steps,
                batch: Some(1),
                mean: 10.0,
                length_limit: Schedule::Constant(1.0),
                ..settings(Shape::Nfa)
            };
            let (trained, records) = trained(&sample, &settings, here());
            assert_eq!((records[0].restarts[0].accuracy, trained.stopped[0]), (1.0, expected));
        }
    }

    #[test]
    fn may_ask_for_sharp_entries() {
        let sharp = Settings { early_stop: Some(EarlyStop { loss: 0.05, sharp: true }), ..settings(Shape::Dfa) };
        let (_, blunt) = trained(&sample(), &settings(Shape::Dfa), here());
        let (_, sharp) = trained(&sample(), &sharp, here());
        let unsharp = |records: &[EpochRecord]| -> Vec<u32> {
            let all = records.iter().flat_map(|record| &record.restarts);
            all.filter(|record| record.stopped == Some(StopReason::Converged)).map(|record| record.unsharp).collect()
        };
        assert!(unsharp(&blunt).iter().any(|&unsharp| unsharp > 0));
        let sharp = unsharp(&sharp);
        assert!(!sharp.is_empty() && sharp.iter().all(|&unsharp| unsharp == 0));
    }
}

mod curriculum {
    use super::*;

    fn limits(sample: &Sample, length_limit: Schedule) -> Vec<usize> {
        let settings = Settings { length_limit, early_stop: None, ..settings(Shape::Nfa) };
        trained(sample, &settings, here()).1.iter().map(|record| record.length_limit).collect()
    }

    #[test]
    fn longer_words_come_later() {
        let rising = Schedule::Linear { from: 0.2, to: 1.0, begin: 0.0, end: 0.5 };
        let limits = limits(&language("ab", "a*", 6).1, rising);
        assert_eq!((limits[0], *limits.last().unwrap()), (2, 6));
        assert!(limits.is_sorted());
        assert!(limits.len() == 15 && limits[8..].iter().all(|&limit| limit == 6), "{limits:?}");
        // Only what takes part is shown: a, b and the four words of two letters.
        let settings = Settings { length_limit: rising, early_stop: None, ..settings(Shape::Nfa) };
        let (_, records) = trained(&language("ab", "a*", 6).1, &settings, here());
        assert_eq!(records[0].examples, 20 * 6);
    }

    #[test]
    fn there_is_always_a_word() {
        let rows = ["+abababab", "-abababaa", "+aaaaabababab", "-bbbbbbbbbbbbbbbbbbbb"];
        let sample = Sample::new(&examples(&letters(2), &rows), false).unwrap();
        assert_eq!((sample.entries()[0].length, sample.longest()), (8, 20));
        let rising = Schedule::Linear { from: 1e-300, to: 1.0, begin: 0.0, end: 0.5 };
        let limits = limits(&sample, rising);
        assert_eq!((limits[0], *limits.last().unwrap()), (8, 20));
        assert!(limits.is_sorted());
    }

    #[test]
    fn a_restart_converges_on_all_words_only() {
        let never_all = Schedule::Constant(0.5);
        let settings = Settings { length_limit: never_all, ..settings(Shape::Dfa) };
        let (trained, records) = trained(&sample(), &settings, here());
        assert!(records.iter().flat_map(|record| &record.restarts).any(|record| record.prediction < 0.05));
        assert!(trained.stopped.iter().all(|&why| why == StopReason::Budget));
    }
}

/// What is trained at a temperature is read at none: the models that come out believe what the last records say.
#[test]
fn models_are_as_sharp_as_their_last_record_says() {
    let (_, sample) = language("ab", "(a|b)*a", 5);
    for shape in [Shape::Nfa, Shape::Dfa] {
        let temperature = Schedule::Geometric { from: 1.0, to: 0.2, begin: 0.0, end: 1.0 };
        let settings = Settings { nonterminals: 3, steps: 800, temperature, ..Settings::practical(shape) };
        let mut last = std::collections::BTreeMap::new();
        let mut keep = |record: &EpochRecord| {
            last.extend(record.restarts.iter().map(|restart| (restart.restart, restart.clone())));
            std::ops::ControlFlow::Continue(())
        };
        let trained = train(&sample, &settings, Hardware::with_threads(1), &mut keep).unwrap();
        assert!(trained.stopped.contains(&StopReason::Converged), "{shape:?}: {:?}", trained.stopped);
        for (restart, model) in trained.models.iter().enumerate() {
            let weights = model.weights();
            let entries = weights.productions(shape);
            let unsharp = entries.filter(|e| *e > 0.05 + 1e-4 && *e < 0.95 - 1e-4).count();
            let record = &last[&restart];
            assert!(unsharp <= record.unsharp as usize, "{shape:?}: {unsharp} of {restart}, {record:?}");
            assert_eq!(record.stopped, Some(trained.stopped[restart]));
        }
    }
}

/// The paper's protocol to the letter, one restart, read at its threshold.
#[test]
fn the_papers_protocol_learns_the_papers_example() {
    let (dfa, sample) = language("abc", "(a|b)*cc*", 6);
    let trained = train(&sample, &Settings::paper(), Hardware::with_threads(1), &mut ()).unwrap();
    assert_eq!((trained.steps, &trained.stopped[..]), (30_000, &[StopReason::Budget][..]));
    let grammar = extract(&trained.models[0], Reading::of(Shape::Nfa));
    assert!(equivalent(&determinize(&grammar.to_nfa(), 1000).unwrap(), &dfa), "{grammar:?}");
}

//! Rounds only change when the trainer returns.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Alphabet, Examples, Label, Letter, Word};

use super::*;
use crate::model::Shape;
use crate::sample::Sample;

/// All words up to a length over two letters, accepted if they have an even number of the second.
fn sample(longest: u32) -> Arc<Sample> {
    let words = (1..=longest).flat_map(|length| (0..1_u32 << length).map(move |bits| (length, bits)));
    let row = |(length, bits): (u32, u32)| {
        let word: Word = (0..length).map(|i| Letter::new((bits >> i & 1) as usize)).collect();
        (word, Label::from(bits.count_ones() % 2 == 0))
    };
    let rows = words.map(row);
    Arc::new(Sample::new(&Examples::of(&Alphabet::of_chars("ab"), rows), false).unwrap())
}

fn trainer(settings: &Settings, round_work: u64) -> Trainer {
    let mut trainer = Trainer::new(sample(5), settings.clone(), Hardware::with_threads(1)).unwrap();
    trainer.round_work = round_work;
    trainer
}

/// Settings with several batches per epoch, with full batches, with an early stop, and diverging ones.
fn trainings() -> [Settings; 4] {
    let practical = Settings { nonterminals: 3, restarts: 18, steps: 150, ..Settings::practical(Shape::Nfa) };
    let paper = Settings { restarts: 2, steps: 130, ..Settings::paper() };
    [
        Settings { batch: Some(7), ..practical.clone() },
        Settings { batch: None, shape: Shape::Dfa, ..practical.clone() },
        Settings { learning_rate: Schedule::Constant(1e6), batch: Some(5), ..practical },
        paper,
    ]
}

#[test]
fn rounds_do_not_change_the_bits() {
    for settings in trainings() {
        let run = |round_work: u64| {
            let mut records: Vec<EpochRecord> = Vec::new();
            let mut trainer = trainer(&settings, round_work);
            let mut rounds = 0;
            let mut note = |record: &EpochRecord| {
                records.push(record.clone());
                ControlFlow::Continue(())
            };
            while trainer.advance(&mut note).is_continue() {
                rounds += 1;
            }
            // Compare as text, since NaN losses are not equal to themselves.
            (format!("{records:?}"), trainer.checkpoint(), rounds)
        };
        let (records, end, few) = run(u64::MAX);
        for round_work in [1, 20_000] {
            let (others, other_end, rounds) = run(round_work);
            assert_eq!(others, records);
            assert_eq!(other_end, end);
            assert!(rounds > few);
        }
    }
}

#[test]
fn a_training_can_be_put_down_in_the_midst_of_an_epoch() {
    for settings in trainings() {
        let mut whole = trainer(&settings, u64::MAX);
        while whole.advance(&mut ()).is_continue() {}
        let mut broken = trainer(&settings, 1);
        while broken.advance(&mut ()).is_continue() {
            let hardware = Hardware::with_threads(1);
            broken = Trainer::resume(sample(5), &broken.checkpoint(), hardware).unwrap();
            broken.round_work = 1;
        }
        assert_eq!(broken.checkpoint(), whole.checkpoint());
        assert_eq!(broken.steps(), whole.steps());
    }
}

#[test]
fn a_round_has_no_more_work_than_was_asked_for_and_a_step() {
    const WORK: u64 = 30_000;
    let settings = Settings { batch: Some(4), restarts: 40, steps: 500, ..Settings::practical(Shape::Nfa) };
    let mut trainer = trainer(&settings, WORK);
    loop {
        let (before, epochs) = (trainer.steps(), trainer.epochs());
        let goes_on = trainer.advance(&mut ()).is_continue();
        assert!(trainer.epochs() <= epochs + 1, "an epoch is more than a round");
        let epoch = trainer.planned(0, 0).epoch;
        let largest = (0..epoch.batches.len()).map(|batch| trainer.work(&epoch, batch)).max().unwrap();
        let smallest = (0..epoch.batches.len()).map(|batch| trainer.work(&epoch, batch)).min().unwrap();
        assert!((trainer.steps() - before - 1) * smallest <= WORK, "with steps of up to {largest}");
        if !goes_on {
            break;
        }
    }
}

#[test]
fn a_trainer_can_be_kept_anywhere() {
    fn is_free<T: Send + 'static>() {}
    is_free::<Trainer>();
}

/// Training that would take gigabytes for sixteen restarts is refused before anything is allocated.
#[test]
fn long_words_and_many_letters_are_refused() {
    let long: Word = (0..4_000_000).map(|_| Letter::new(0)).collect();
    let rows = vec![(long, Label::Accepted)];
    let long = Arc::new(Sample::new(&Examples::of(&Alphabet::of_chars("a"), rows), false).unwrap());
    let letters = Alphabet::new((0..20_000).map(|i| format!("l{i}"))).unwrap();
    let rows = vec![(Word::from(vec![Letter::new(0)]), Label::Accepted)];
    let many = Arc::new(Sample::new(&Examples::of(&letters, rows), false).unwrap());
    for (sample, nonterminals) in [(long, 5), (many, 32)] {
        let settings = Settings { nonterminals, ..Settings::practical(Shape::Nfa) };
        let refused = Trainer::new(sample, settings, Hardware::with_threads(1)).unwrap_err();
        assert!(matches!(refused, TrainError::OutOfReach { .. }), "{refused}");
    }
}

//! What training holds, that its steps take nothing, and that a list of words takes no more than its words: counted where
//! all memory comes from.
//!
//! One test, since what is held is counted for the whole process.
#![allow(unsafe_code, reason = "an allocator is unsafe by contract; this one passes everything on to the system's")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use automata::{Alphabet, Letter, Word};
use common::{Numbers, language, letters};
use induction::learner::{self, Learner, Way};
use induction::model::Shape;
use induction::training::{EpochRecord, Hardware, Observer, Schedule, Settings, Trainer};
use induction::{InstructionSet, Sample};

/// The system's allocator, and how much was asked of it.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// How often this thread took memory; those of a pool take some when they end, whenever that is.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn taken(size: usize) {
    let held = HELD.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(held, Relaxed);
    // When a thread ends, its counter may be gone before its last memory.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call goes to the system's allocator with the arguments it came with, and what that returns is returned;
// so its guarantees are kept. Growing is left to the trait's own way over `alloc` and `dealloc`, so that old and new are
// counted while both are there.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`, and the pointer came from the system.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn memory() {
    no_more_than_is_said();
    steps_take_nothing();
    a_list_takes_no_more_than_its_words();
}

/// A stop waits for the answer. Labels by chance leave a list, whose automaton must not take a set of words for each state.
fn a_list_takes_no_more_than_its_words() {
    let peak_of = |words: usize| {
        let mut numbers = Numbers(5);
        let alphabet = Alphabet::of_chars("abcdefghij0123456789");
        let word = |numbers: &mut Numbers| (0..20).map(|_| Letter::new(numbers.below(20))).collect::<Word>();
        let rows = (0..words).map(|_| (word(&mut numbers), numbers.below(2) == 0)).collect();
        let classes = Some(vec!["[0-9]".to_owned(), "[a-z]".to_owned()]);
        let settings = learner::Settings { way: Way::Classes, classes, ..learner::Settings::default() };
        let mut learner = Learner::new(common::sample(&alphabet, rows), settings, 1).unwrap();
        peak(|| {
            learner.cut().unwrap();
            let induced = learner.induced(learner::StopReason::Cut);
            assert!(induced.certificate.is_consistent() && induced.dfa.len() > words);
        })
    };
    let [few, many] = [1_000, 4_000].map(peak_of);
    assert!(many < 6 * few, "{many} bytes for four times as many words as take {few}");
}

/// The most that was held while something was done, beside what was held before.
fn peak(work: impl FnOnce()) -> usize {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}

/// Words drawn at random, each labelled at random.
fn random(letter_count: usize, words: usize, lengths: Range<usize>) -> Sample {
    let alphabet = Alphabet::new((0..letter_count).map(|c| format!("{c:04}"))).unwrap();
    let mut numbers = Numbers(5);
    let rows = (0..words).map(|_| {
        let length = lengths.start + numbers.below(lengths.len());
        let word: Word = (0..length).map(|_| Letter::new(numbers.below(letter_count))).collect();
        (word, numbers.below(2) == 0)
    });
    common::sample(&alphabet, rows.collect())
}

fn no_more_than_is_said() {
    let small = language("ab", "(a|b)*ab", 5).1;
    let all = language("ab", "(a|b)*ab", 13).1;
    let short = random(2, 20_000, 20..21);
    let long = {
        let long: Word = (0..10_000).map(|i| Letter::new(i % 2)).collect();
        common::sample(&letters(2), vec![(long, true), (common::word(&letters(2), "ab"), false)])
    };
    let tokens = random(300, 500, 1..12);
    let settings = |nonterminals, restarts, batch| Settings {
        nonterminals,
        restarts,
        batch,
        steps: 300,
        length_limit: Schedule::Constant(1.0),
        early_stop: None,
        ..Settings::practical(Shape::Nfa)
    };
    // What is said is said of the widest registers.
    let narrow = if InstructionSet::best() == InstructionSet::Avx512 { 3 } else { 8 };
    let brief = |settings| Settings { steps: 3, ..settings };
    for (name, sample, settings) in [
        ("one restart", &small, Settings { restarts: 1, steps: 300, ..Settings::paper() }),
        ("one non-terminal", &small, settings(1, 16, Some(80))),
        ("a thousand restarts", &small, settings(5, 1000, Some(80))),
        ("64 non-terminals", &small, brief(settings(64, 16, None))),
        ("a large batch", &all, brief(settings(3, 16, None))),
        ("a large batch, deterministic", &all, Settings { shape: Shape::Dfa, ..brief(settings(3, 16, None)) }),
        ("many words", &short, settings(3, 16, Some(80))),
        ("many words at once", &short, brief(settings(3, 16, None))),
        ("batches of a thousand", &all, settings(2, 16, Some(1000))),
        ("more than there is", &random(2, 3000, 8..30), brief(settings(2, 16, Some(usize::MAX)))),
        ("a long word", &long, brief(settings(5, 16, None))),
        ("many letters", &tokens, brief(settings(5, 40, Some(80)))),
    ] {
        for threads in [1, 2, 3] {
            let hardware = Hardware::with_threads(threads);
            let shared = Arc::new(sample.clone());
            let peak = peak(|| {
                let mut trainer = Trainer::new(shared, settings.clone(), hardware).unwrap();
                while trainer.advance(&mut ()).is_continue() {}
                drop(trainer.finish());
            }) as u64;
            let said = settings.memory(sample, threads);
            assert!(peak <= said, "{name} on {threads} threads: {peak} bytes, said to be at most {said}");
            assert!(peak >= said / narrow, "{name} on {threads} threads: only {peak} bytes, said to be at most {said}");
        }
    }
}

/// Has the trainer come back after every epoch, and keeps nothing.
struct Epochs;

impl Observer for Epochs {
    fn epoch(&mut self, _: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_models(&self, _: u64) -> bool {
        true
    }
}

/// How often memory was taken in each of three epochs of so many steps, each a batch of eight words.
fn taken_by_epochs(hardware: Hardware, steps: usize, lengths: Range<usize>) -> Vec<usize> {
    let sample = random(2, steps * 8, lengths);
    let settings = Settings { steps: 3 * steps as u64, batch: Some(8), nonterminals: 3, ..Settings::paper() };
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings, hardware).unwrap();
    let mut epoch = || {
        let before = COUNT.get();
        let _ = trainer.advance(&mut Epochs);
        COUNT.get() - before
    };
    (0..3).map(|_| epoch()).collect()
}

/// An epoch takes memory when it begins, and as often whether it makes a hundred steps or four hundred.
fn steps_take_nothing() {
    for instructions in InstructionSet::available() {
        for sharing in [false, true] {
            let hardware = Hardware { instructions, threads: 1, sharing };
            let few = taken_by_epochs(hardware, 100, 24..25);
            let many = taken_by_epochs(hardware, 400, 24..25);
            assert!(few.iter().chain(&many).all(|&count| count == few[0]), "{hardware:?}: {few:?}, {many:?}");
            assert!((1..100).contains(&few[0]), "{hardware:?}: {few:?}");
        }
    }
    // With words of all lengths, a later batch may be the largest yet, and the six vectors of a plan and its planner
    // grow: to twice their size, so seldom.
    let few = taken_by_epochs(Hardware::with_threads(1), 100, 1..40);
    let many = taken_by_epochs(Hardware::with_threads(1), 400, 1..40);
    let (least, most) = (few.iter().min().unwrap(), many.iter().max().unwrap());
    assert!(*most <= least + 6, "{few:?}, {many:?}");
}

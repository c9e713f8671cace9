//! The measured program behind `cargo xtask bench kernels` and `bench torch`. Each call measures one thing and prints
//! one line of JSON:
//!
//! - `speed SHAPE N' ISA RESTARTS`: training on one thread, prefixes not shared, beside the machine's peak of fused
//!   multiply-adds, the two measured in turns;
//! - `threads SHAPE N' RESTARTS`: one thread and two, in turns;
//! - `sharing SHAPE N' RESTARTS`: prefixes shared and not, in turns, on words drawn from the paper's example;
//! - `sets`: the instruction sets this machine has, fastest first;
//! - `data FILE`: writes the words that `speed` trains on, for others to train on.
//!
//! A speed is in *restart-letters* a second: restarts times the letters of the words shown, each letter having been
//! taken forwards, backwards and into the update.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use automata::{Alphabet, Examples, Label, Letter, Regex, Sampler, Word};
use fearless_simd::prelude::*;
use fearless_simd::{Fallback, Level};
use induction::model::Shape;
use induction::training::{Hardware, Schedule, Settings, Trainer};
use induction::{InstructionSet, Sample};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::json;

const LETTERS: usize = 4;
const LENGTH: usize = 16;
const WORDS: usize = 4_000;
const BATCH: usize = 80;
/// How often each thing is measured; the best counts.
const TURNS: usize = 25;
/// About how long a turn takes: short, as measuring the peak is, so that what else the machine does meanwhile disturbs
/// both alike.
const SECONDS: f64 = 0.05;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let line = match arguments[..] {
        ["speed", shape, n, isa, restarts] => speed(shape_of(shape), number(n), isa, number(restarts)),
        ["threads", shape, n, restarts] => threads(shape_of(shape), number(n), number(restarts)),
        ["sharing", shape, n, restarts] => sharing(shape_of(shape), number(n), number(restarts)),
        ["sets"] => json!(InstructionSet::available()),
        ["data", file] => data(file),
        // `cargo test --benches` and the like call without arguments: there is nothing to measure then.
        _ => return,
    };
    println!("{line}");
}

fn shape_of(name: &str) -> Shape {
    match name {
        "nfa" => Shape::Nfa,
        "dfa" => Shape::Dfa,
        other => panic!("no shape {other}"),
    }
}

/// Random words, all of one length, half of them called accepted.
fn random_rows() -> Vec<(Word, Label)> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut word = || (0..LENGTH).map(|_| Letter::new(random.next_u32() as usize % LETTERS)).collect();
    (0..WORDS).map(|i| (word(), if i % 2 == 0 { Label::Accepted } else { Label::Rejected })).collect()
}

fn random_sample() -> Sample {
    Sample::new(&Examples::of(&Alphabet::of_chars("abcd"), random_rows()), true).expect("few words")
}

fn data(file: &str) -> serde_json::Value {
    let rows = random_rows();
    let words: Vec<Vec<usize>> = rows.iter().map(|(word, _)| word.iter().map(|c| c.index()).collect()).collect();
    let labels: Vec<u8> = rows.iter().map(|(_, label)| u8::from(*label == Label::Accepted)).collect();
    let text = json!({ "alphabet": LETTERS, "words": words, "labels": labels }).to_string();
    std::fs::write(file, text).expect("the file can be written");
    json!({ "words": WORDS })
}

fn settings(shape: Shape, nonterminals: usize, restarts: usize, steps: u64) -> Settings {
    // A rate so low that the parameters stay where they began: the machine's time is measured, not luck.
    let learning_rate = Schedule::Constant(1e-6);
    let length_limit = Schedule::Constant(1.0);
    let own = Settings { nonterminals, restarts, steps, learning_rate, length_limit, ..Settings::practical(shape) };
    Settings { early_stop: None, batch: Some(BATCH), ..own }
}

/// Trains for so many steps and says how many restart-letters that was a second.
fn train(sample: &Sample, settings: &Settings, hardware: Hardware) -> f64 {
    let mut trainer = Trainer::new(Arc::new(sample.clone()), settings.clone(), hardware).expect("good settings");
    let mut letters = 0.0;
    let mut count = |record: &induction::training::EpochRecord| {
        // All examples of an epoch are equally likely, so letters go by the mean length.
        letters += record.examples as f64;
        std::ops::ControlFlow::Continue(())
    };
    let start = Instant::now();
    while trainer.advance(&mut count).is_continue() {}
    let seconds = start.elapsed().as_secs_f64();
    black_box(trainer.models().count());
    let (words, total) = sample.entries().iter().fold((0.0, 0.0), |(words, total), entry| {
        let shown = f64::from(entry.counts.accepted + entry.counts.rejected);
        (words + shown, total + shown * f64::from(entry.length))
    });
    letters * total / words * settings.restarts as f64 / seconds
}

/// So many steps that a turn takes about its time.
fn steps_for(sample: &Sample, settings: &Settings, hardware: Hardware) -> u64 {
    let mut steps = 2;
    loop {
        let start = Instant::now();
        train(sample, &Settings { steps, ..settings.clone() }, hardware);
        let seconds = start.elapsed().as_secs_f64();
        if seconds > SECONDS / 4.0 {
            return ((steps as f64 * SECONDS / seconds) as u64).max(2);
        }
        steps *= 2;
    }
}

fn speed(shape: Shape, n: usize, isa: &str, restarts: usize) -> serde_json::Value {
    let instructions = *InstructionSet::available().iter().find(|set| set.to_string() == isa).expect("available");
    let hardware = Hardware { instructions, threads: 1, sharing: false };
    let sample = random_sample();
    let settings = settings(shape, n, restarts, 0);
    let settings = Settings { steps: steps_for(&sample, &settings, hardware), ..settings };
    let (mut best, mut best_peak) = (0.0_f64, 0.0_f64);
    for _ in 0..TURNS {
        best_peak = best_peak.max(peak(instructions));
        best = best.max(train(&sample, &settings, hardware));
    }
    // Each letter but the first takes n'² multiply-adds forwards and twice as many backwards; the end of a word n' and
    // twice as many.
    let (n_f, length) = (n as f64, LENGTH as f64);
    let needed = (3.0 * n_f * n_f * (length - 1.0) + 3.0 * n_f) / length;
    json!({
        "shape": shape, "nonterminals": n, "isa": isa, "threads": 1, "restarts": restarts, "steps": settings.steps,
        "restart_letters_per_s": best, "peak_multiply_adds_per_s": best_peak,
        "multiply_adds_per_letter": needed, "fraction_of_peak": best * needed / best_peak,
    })
}

fn threads(shape: Shape, n: usize, restarts: usize) -> serde_json::Value {
    let sample = random_sample();
    let hardware = |threads| Hardware { sharing: false, ..Hardware::with_threads(threads) };
    let settings = settings(shape, n, restarts, 0);
    let steps = steps_for(&sample, &settings, hardware(1)) * 4;
    let settings = Settings { steps, ..settings };
    let mut best = [0.0_f64; 2];
    for _ in 0..5 {
        for (best, threads) in best.iter_mut().zip([1, 2]) {
            *best = best.max(train(&sample, &settings, hardware(threads)));
        }
    }
    json!({ "shape": shape, "nonterminals": n, "isa": InstructionSet::best(), "restarts": restarts,
            "one_thread": best[0], "two_threads": best[1], "ratio": best[1] / best[0] })
}

/// Words of (a|b)*cc* to length 16, drawn uniformly, and as many others, even by length.
fn drawn_sample() -> Sample {
    let alphabet = Alphabet::of_chars("abc");
    let dfa = Regex::parse("(a|b)*cc*", &alphabet).and_then(|regex| regex.to_dfa()).expect("a good expression");
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let sampler = Sampler::up_to(&dfa, LENGTH).expect("there are such words");
    let mut rows: Vec<(Word, Label)> = (0..2_000).map(|_| (sampler.draw(&mut random), Label::Accepted)).collect();
    while rows.len() < 4_000 {
        let length = 1 + random.next_u32() as usize % LENGTH;
        let word: Word = (0..length).map(|_| Letter::new(random.next_u32() as usize % 3)).collect();
        if !dfa.accepts(&word) {
            rows.push((word, Label::Rejected));
        }
    }
    Sample::new(&Examples::of(&alphabet, rows), false).expect("few words")
}

fn sharing(shape: Shape, n: usize, restarts: usize) -> serde_json::Value {
    let sample = drawn_sample();
    let mut rows = Vec::new();
    for (name, batch) in [("batches of 80", Some(BATCH)), ("the whole sample", None)] {
        let hardware = |sharing| Hardware { sharing, ..Hardware::with_threads(1) };
        let settings = Settings { batch, ..settings(shape, n, restarts, 0) };
        let settings = Settings { steps: steps_for(&sample, &settings, hardware(true)), ..settings };
        let mut best = [0.0_f64; 2];
        for _ in 0..TURNS {
            for (best, sharing) in best.iter_mut().zip([false, true]) {
                *best = best.max(train(&sample, &settings, hardware(sharing)));
            }
        }
        rows.push(json!({ "batch": name, "shape": shape, "nonterminals": n, "restarts": restarts,
                          "not_shared": best[0], "shared": best[1], "gain": best[1] / best[0] }));
    }
    json!(rows)
}

/// Fused multiply-adds a second of one thread: chains of them, twelve, as many as any machine can keep going, or fewer
/// where they are emulated and more would not fit.
fn peak(instructions: InstructionSet) -> f64 {
    let best = Level::new();
    match instructions {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        InstructionSet::Avx512 => best.as_avx512().map_or(f64::NAN, |simd| chains::<_, 12>(simd, 1_500_000)),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        InstructionSet::Avx2 => best.as_avx2().map_or(f64::NAN, |simd| chains::<_, 12>(simd, 1_500_000)),
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => best.as_neon().map_or(f64::NAN, |simd| chains::<_, 12>(simd, 1_500_000)),
        _ => (chains::<_, 1>(Fallback::new(), 400_000))
            .max(chains::<_, 2>(Fallback::new(), 200_000))
            .max(chains::<_, 4>(Fallback::new(), 100_000)),
    }
}

fn chains<S: Simd, const CHAINS: usize>(simd: S, rounds: u32) -> f64 {
    let start = Instant::now();
    let sum = simd.vectorize(
        #[inline(always)]
        || {
            // No chain settles at a number that would make emulated multiply-adds take their longer way.
            let (factor, term) = (S::f32s::splat(simd, black_box(-0.731_7)), S::f32s::splat(simd, black_box(0.413_9)));
            let mut chains = [factor; CHAINS];
            for (i, chain) in chains.iter_mut().enumerate() {
                *chain *= S::f32s::splat(simd, 1.0 + i as f32 * 0.137);
            }
            for _ in 0..rounds {
                for chain in &mut chains {
                    *chain = chain.mul_add_precise(factor, term);
                }
            }
            chains.iter().map(|chain| chain.as_slice()[0]).sum::<f32>()
        },
    );
    black_box(sum);
    f64::from(rounds) * (CHAINS * S::f32s::LEN) as f64 / start.elapsed().as_secs_f64()
}

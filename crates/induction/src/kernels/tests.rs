//! The kernels against the reference: losses, gradients, functions, plans.

use automata::{Alphabet, Examples, Label, Letter, Word};
use fearless_simd::prelude::*;
use fearless_simd::{Fallback, Level};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::plan::{Planner, Plans, bounds};
use super::step::{Adam, Lanes, StepSettings, Workspace};
use super::{InstructionSet, Instructions, LANES, V, math, splat};
use crate::model::reference::{Evaluation, Example, LossSettings, evaluate};
use crate::model::{Layout, Selector, Shape};
use crate::sample::Sample;
use crate::training::Shown;

/// Runs generic code on an instruction set.
macro_rules! on {
    ($set:expr, $simd:ident => $code:expr) => {
        match $set.level().expect("only sets that are available are asked for") {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512($simd) => $code,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2($simd) => $code,
            #[cfg(target_arch = "aarch64")]
            Level::Neon($simd) => $code,
            _ => {
                let $simd = Fallback::new();
                $code
            }
        }
    };
}

fn alphabet(letters: usize) -> Alphabet {
    Alphabet::new((0..letters).map(|i| format!("{i:03}"))).unwrap()
}

/// Random words, many of them prefixes of others, some repeated, some labelled both ways.
fn sample(letters: usize, words: usize, longest: usize, seed: u64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rows: Vec<(Word, Label)> = Vec::new();
    for _ in 0..words {
        let mut word: Vec<Letter> = match rows.len() {
            0 => Vec::new(),
            known if random.next_u32() % 3 > 0 => {
                let word = &rows[random.next_u32() as usize % known].0;
                word[..random.next_u32() as usize % (word.len() + 1)].to_vec()
            }
            _ => Vec::new(),
        };
        let length = 1 + random.next_u32() as usize % longest;
        while word.len() < length {
            word.push(Letter::new(random.next_u32() as usize % letters));
        }
        let label = Label::from(random.next_u32() % 2 == 0);
        rows.push((word.into(), label));
    }
    Sample::new(&Examples::of(&alphabet(letters), rows), true).unwrap()
}

struct Case {
    layout: Layout,
    sample: Sample,
    settings: StepSettings,
    /// `[layout.len()][LANES]`
    parameters: Vec<f32>,
    /// Relative tolerance of the gradient: long words have long sums.
    tolerance: f64,
}

impl Case {
    fn new(shape: Shape, n: usize, t: usize, clamp: bool, longest: usize, seed: u64) -> Self {
        let layout = Layout::new(shape, n, t);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // Sparse enough that not everything is clamped, dense enough that something is.
        let centre = if clamp { 1.0 - (n as f32).ln() } else { -(n as f32).ln() - 1.0 };
        let parameters = (0..layout.len() * LANES)
            .map(|_| centre + 4.0 * (random.next_u32() as f32 / u32::MAX as f32 - 0.5))
            .collect();
        let settings = StepSettings {
            beta: 0.3,
            gamma: 0.2,
            temperature: 0.8,
            clamp,
            slope_bound: 0.05,
            adam: Adam { rate: 0.0, scale: 1.0 },
        };
        Self { layout, sample: sample(t, 60, longest, seed), settings, parameters, tolerance: 2e-6 * longest as f64 }
    }

    fn shown(&self) -> Vec<Shown> {
        let entries = (0_u32..).zip(self.sample.entries());
        entries
            .map(|(entry, word)| Shown {
                entry,
                accepted: word.counts.accepted as f32,
                rejected: word.counts.rejected as f32,
            })
            .collect()
    }

    fn reference(&self, lane: usize) -> Evaluation {
        let parameters: Vec<f64> = self.parameters.chunks_exact(LANES).map(|row| f64::from(row[lane])).collect();
        let entries = self.sample.entries().iter();
        let examples: Vec<Example> = entries
            .map(|entry| Example {
                word: self.sample.word(entry),
                accepted: f64::from(entry.counts.accepted),
                rejected: f64::from(entry.counts.rejected),
            })
            .collect();
        let StepSettings { beta, gamma, temperature, clamp, slope_bound, .. } = self.settings;
        let settings = LossSettings {
            beta: f64::from(beta),
            gamma: f64::from(gamma),
            temperature: f64::from(temperature),
            clamp,
            slope_bound: f64::from(slope_bound),
        };
        evaluate(self.layout, Selector::Softmax, &parameters, &examples, &settings)
    }

    /// For each lane its loss, number of mistakes, and gradient.
    fn fast<S: Instructions>(&self, simd: S, sharing: bool) -> Vec<(f32, f32, Vec<f32>)> {
        let shown = self.shown();
        let examples: f32 = shown.iter().map(|s| s.accepted + s.rejected).sum();
        let mut plans = Plans::default();
        Planner::new(&self.sample, sharing).plan(&shown, &mut plans);
        let (slots, width) = bounds(&self.sample, shown.len());
        let mut workspace = Workspace::new(simd, self.layout, slots, width);
        let mut results = Vec::new();
        for begin in (0..LANES).step_by(V::<S>::LEN) {
            let rows = self.parameters.chunks_exact(LANES);
            let zeros = vec![splat(simd, 0.0); self.layout.len()];
            let mut lanes = Lanes {
                parameters: rows.map(|row| V::<S>::from_slice(simd, &row[begin..][..V::<S>::LEN])).collect(),
                first: zeros.clone(),
                second: zeros,
                active: u64::MAX,
            };
            let report = workspace.step(simd, &mut lanes, &plans, examples, &self.settings);
            for lane in 0..V::<S>::LEN {
                let gradient = workspace.parameter_gradient().iter().map(|row| row.as_slice()[lane]).collect();
                results.push((report.loss.as_slice()[lane] / examples, report.wrong.as_slice()[lane], gradient));
            }
        }
        results
    }

    fn check(&self) {
        for sharing in [true, false] {
            let mut before: Option<Vec<(f32, f32, Vec<f32>)>> = None;
            for set in InstructionSet::available() {
                let results = on!(set, simd => self.fast(simd, sharing));
                match &before {
                    None => self.compare(&results),
                    Some(before) => assert_eq!(bits(before), bits(&results), "{set} differs, {:?}", self.layout),
                }
                before = Some(results);
            }
        }
    }

    fn compare(&self, results: &[(f32, f32, Vec<f32>)]) {
        for (lane, (loss, wrong, gradient)) in results.iter().enumerate() {
            let expected = self.reference(lane);
            let context = format!("{:?}, clamp {}, lane {lane}", self.layout, self.settings.clamp);
            let close = (f64::from(*loss) - expected.prediction).abs() <= 1e-4 * (1.0 + expected.prediction.abs());
            assert!(close, "{context}: loss {loss}, expected {}", expected.prediction);
            let mistakes: f64 = (expected.outputs.iter().zip(self.sample.entries()))
                .map(|(o, entry)| f64::from(if *o < 0.5 { entry.counts.accepted } else { entry.counts.rejected }))
                .sum();
            // An output may be so close to one half that rounding decides.
            assert!((f64::from(*wrong) - mistakes).abs() <= 2.0, "{context}: {wrong} mistakes, expected {mistakes}");
            // Relative to the whole gradient: an entry that is the difference of large ones has their rounding error.
            let norm = expected.gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
            let difference = (gradient.iter().zip(&expected.gradient)).map(|(a, b)| (f64::from(*a) - b).powi(2));
            let difference = difference.sum::<f64>().sqrt();
            // Moreover 1 − o loses digits where o is near 1, and its slope is steep there.
            let allowed = self.tolerance * norm + f64::from(f32::EPSILON / self.settings.slope_bound);
            assert!(difference <= allowed, "{context}: gradient off by {difference:e} of {norm:e}");
        }
    }
}

/// Parameters after some steps of PyTorch's Adam in `f64`, lane by lane.
fn reference_steps(case: &mut Case, steps: u32, rate: f64) -> Vec<Vec<f64>> {
    let mut lanes = Vec::new();
    for lane in 0..LANES {
        let original = case.parameters.clone();
        let (mut first, mut second) = (vec![0.0; case.layout.len()], vec![0.0; case.layout.len()]);
        let mut parameters: Vec<f64> = original.chunks_exact(LANES).map(|row| f64::from(row[lane])).collect();
        for step in 1..=steps {
            for (row, parameter) in case.parameters.chunks_exact_mut(LANES).zip(&parameters) {
                row[lane] = *parameter as f32;
            }
            let gradient = case.reference(lane).gradient;
            let correction = |beta: f64| 1.0 - beta.powi(step as i32);
            for (i, g) in gradient.into_iter().enumerate() {
                first[i] = 0.9 * first[i] + 0.1 * g;
                second[i] = 0.999 * second[i] + 0.001 * g * g;
                let (m, v): (f64, f64) = (first[i] / correction(0.9), second[i] / correction(0.999));
                parameters[i] -= rate * m / (v.sqrt() + 1e-8);
            }
        }
        case.parameters = original;
        lanes.push(parameters);
    }
    lanes
}

/// Nothing is believed after the first letter, but gradients grow on their way back until they are infinite, and
/// infinity times 0 is NaN.
#[test]
fn a_gradient_that_is_no_number_is_noticed() {
    let mut case = Case::new(Shape::Nfa, 8, 1, true, 2, 1);
    let rows = vec![(vec![Letter::new(0); 60], Label::Accepted)];
    case.sample = Sample::new(&Examples::of(&alphabet(1), rows), false).unwrap();
    let terminals = case.layout.terminals() * LANES;
    case.parameters.fill(8.0);
    case.parameters[..terminals].fill(-40.0);
    for set in InstructionSet::available() {
        let results = on!(set, simd => case.fast(simd, true));
        assert!(results.iter().all(|(loss, _, _)| loss.is_nan()), "{set}");
    }
}

#[test]
fn updates_are_those_of_adam() {
    const RATE: f64 = 0.05;
    for (shape, clamp) in [(Shape::Nfa, true), (Shape::Dfa, false)] {
        let mut case = Case::new(shape, 3, 2, clamp, 6, 11);
        let expected = reference_steps(&mut case, 6, RATE);
        let shown = case.shown();
        let examples: f32 = shown.iter().map(|s| s.accepted + s.rejected).sum();
        let simd = Fallback::new();
        let mut plans = Plans::default();
        Planner::new(&case.sample, true).plan(&shown, &mut plans);
        let (slots, width) = bounds(&case.sample, shown.len());
        let mut workspace = Workspace::new(simd, case.layout, slots, width);
        let len = V::<Fallback>::LEN;
        let zeros = vec![splat(simd, 0.0); case.layout.len()];
        let rows = case.parameters.chunks_exact(LANES);
        let parameters = rows.map(|row| V::<Fallback>::from_slice(simd, &row[..len])).collect();
        // The last lane is stopped.
        let mut lanes = Lanes { parameters, first: zeros.clone(), second: zeros, active: (1 << (len - 1)) - 1 };
        for step in 1..=6 {
            let correction = |beta: f64| 1.0 - beta.powi(step);
            let adam = Adam { rate: (RATE / correction(0.9)) as f32, scale: (1.0 / correction(0.999).sqrt()) as f32 };
            workspace.step(simd, &mut lanes, &plans, examples, &StepSettings { adam, ..case.settings });
        }
        for (i, found) in lanes.parameters.iter().enumerate() {
            for (lane, &found) in found.as_slice().iter().enumerate() {
                let began = case.parameters[i * LANES + lane];
                let expected = if lane == len - 1 { f64::from(began) } else { expected[lane][i] };
                let off = (f64::from(found) - expected).abs();
                assert!(off < 1e-3, "{shape:?}, lane {lane}: {found} after {began}, expected {expected}");
            }
        }
    }
}

fn bits(results: &[(f32, f32, Vec<f32>)]) -> Vec<u32> {
    results.iter().flat_map(|(a, b, c)| [*a, *b].into_iter().chain(c.iter().copied()).map(f32::to_bits)).collect()
}

#[test]
fn gradients_are_those_of_the_reference_for_every_small_size() {
    for n in 1..=9 {
        for (shape, clamp) in [(Shape::Nfa, true), (Shape::Nfa, false), (Shape::Dfa, false)] {
            Case::new(shape, n, 1 + n % 4, clamp, 9, n as u64).check();
        }
    }
}

#[test]
fn gradients_are_those_of_the_reference_for_large_sizes() {
    for (n, t) in [(10, 3), (12, 2), (13, 2), (15, 2), (16, 4), (17, 1), (21, 2), (33, 2), (64, 1), (3, 256), (65, 2)] {
        for (shape, clamp) in [(Shape::Nfa, true), (Shape::Dfa, false)] {
            Case::new(shape, n, t, clamp, 6, n as u64).check();
        }
    }
}

#[test]
fn long_words_are_cut_into_pieces_and_added_up() {
    for (shape, clamp) in [(Shape::Nfa, true), (Shape::Dfa, false)] {
        Case::new(shape, 4, 3, clamp, 300, 5).check();
    }
}

#[test]
fn a_word_of_ten_thousand_letters_has_a_gradient() {
    let mut case = Case::new(Shape::Dfa, 3, 2, false, 5, 1);
    let word: Word = (0..10_000).map(|i| Letter::new(i % 2)).collect();
    let rows = vec![(word, Label::Accepted), (Word::from(vec![Letter::new(0)]), Label::Rejected)];
    case.sample = Sample::new(&Examples::of(&alphabet(2), rows), false).unwrap();
    case.tolerance = 1e-3;
    case.check();
}

/// Every 997th float between two: enough for every exponent, with thousands of mantissas each.
fn floats(from: f32, to: f32) -> impl Iterator<Item = f32> {
    let step = 997;
    (from.to_bits()..to.to_bits()).step_by(step).map(f32::from_bits)
}

fn in_lanes<S: Instructions>(simd: S, x: &[f32], f: impl Fn(V<S>) -> V<S>) -> Vec<f32> {
    let lanes = |chunk: &[f32]| {
        let mut padded = [1.0; LANES];
        padded[..chunk.len()].copy_from_slice(chunk);
        f(V::<S>::from_slice(simd, &padded[..V::<S>::LEN])).as_slice()[..chunk.len()].to_vec()
    };
    x.chunks(V::<S>::LEN).flat_map(lanes).collect()
}

/// The error in ulps of the true value.
fn ulps(found: f32, truth: f64) -> f64 {
    let place = f64::from((truth as f32).next_up()) - f64::from(truth as f32);
    (f64::from(found) - truth).abs() / place
}

#[test]
fn exp_and_ln_are_as_near_as_they_say_and_the_same_everywhere() {
    let positive: Vec<f32> = floats(1e-6, 88.0).collect();
    let arguments: Vec<f32> =
        positive.iter().copied().chain(positive.iter().map(|x| -x.min(87.0))).chain([0.0]).collect();
    let mut worst = 0.0_f64;
    let exps = InstructionSet::available()
        .into_iter()
        .map(|set| on!(set, simd => in_lanes(simd, &arguments, |x| math::exp(simd, x))));
    let mut first: Option<Vec<u32>> = None;
    for exps in exps {
        for (x, y) in arguments.iter().zip(&exps) {
            worst = worst.max(ulps(*y, libm::exp(f64::from(*x))));
        }
        let bits: Vec<u32> = exps.iter().map(|y| y.to_bits()).collect();
        assert_eq!(*first.get_or_insert(bits.clone()), bits);
    }
    assert!(worst < 1.0, "exp is off by {worst} units");

    let arguments: Vec<f32> = floats(f32::MIN_POSITIVE, f32::MAX).collect();
    let mut worst = 0.0_f64;
    let mut first: Option<Vec<u32>> = None;
    for set in InstructionSet::available() {
        let lns = on!(set, simd => in_lanes(simd, &arguments, |x| math::ln(simd, x)));
        for (x, y) in arguments.iter().zip(&lns) {
            worst = worst.max(ulps(*y, libm::log(f64::from(*x))));
        }
        let bits: Vec<u32> = lns.iter().map(|y| y.to_bits()).collect();
        assert_eq!(*first.get_or_insert(bits.clone()), bits);
    }
    assert!(worst < 1.0, "ln is off by {worst} units");
}

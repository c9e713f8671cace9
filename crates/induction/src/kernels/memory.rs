//! How much memory a training takes, said before it begins.

use super::LANES;
use super::plan::bounds;
use super::population::LaneSums;
use crate::model::Shape;
use crate::sample::Sample;
use crate::training::{EPOCH_STEPS, Outcome, ROUND_STEPS, RestartRecord, Settings, Shown, Step};

/// A vector of 16 lanes of 4 bytes, the widest there is. Narrower instruction sets take a half or a quarter of what is
/// said of the workspace.
const VECTOR: u128 = 4 * LANES as u128;

impl Settings {
    /// At most so many bytes a training with these settings holds at once, on so many threads, with prefixes shared.
    ///
    /// It is the sum of
    ///
    /// - **state**, 2 · 3 · 64 P bytes for each of the B blocks of 16 restarts: parameters and Adam's moments, once in
    ///   rows and, while they are trained, once in registers' order. P is n'(t(n' + 1) + 1) in the shape `nfa` and
    ///   n'(tn' + 1) in the shape `dfa`;
    /// - **workspace**, 64 (P + 2n'(t(n' + 1) + 1) + n'(s + 2w)) bytes for each thread, at most one for a block:
    ///   gradients and beliefs, and n' vectors for each of s = max(2048, longest word) prefixes, w = min(s, batch) of
    ///   which may have the same length;
    /// - **plans** for each thread: of one batch, at most 40 bytes for each prefix, 96 for each level of each piece of
    ///   2048 prefixes, 224 for each word, and a part of this again while they grow;
    /// - **batches**: at most 12 bytes for each example shown in a round of 256 steps or one epoch, if that is longer,
    ///   80 for each step (a round of much work is shorter, but for its last epoch);
    /// - **outcomes** of a round, 13 epochs at the most, the record of one, and sums of 264 bytes for each block;
    /// - 64 KiB for each thread, and once more, for what is too small to be counted.
    ///
    /// The sample is not in it, nor are records and models that an observer keeps. What is beyond all numbers is said
    /// to be the largest.
    #[must_use]
    pub fn memory(&self, sample: &Sample, threads: usize) -> u64 {
        let blocks = (self.restarts as u128).div_ceil(LANES as u128);
        let threads = (threads.max(1) as u128).min(blocks);
        let work = Work::of(self, sample);
        let parts = [
            blocks.saturating_mul(2 * 3 * VECTOR).saturating_mul(work.parameters),
            threads.saturating_mul(work.workspace().saturating_add(work.plans())),
            work.batches(),
            (blocks * LANES as u128).saturating_mul(work.outcomes()),
            blocks.saturating_mul(size_of::<LaneSums>() as u128),
            (self.restarts as u128).saturating_mul(size_of::<RestartRecord>() as u128 + 1),
            (threads + 1) << 16,
        ];
        let sum = parts.into_iter().fold(0, u128::saturating_add);
        u64::try_from(sum).unwrap_or(u64::MAX)
    }
}

/// The sizes that decide.
struct Work {
    nonterminals: u128,
    letters: u128,
    parameters: u128,
    /// Distinct prefixes of the sample.
    nodes: u128,
    longest: u128,
    /// Prefixes that a piece of a batch may have, and those of one length.
    slots: u128,
    width: u128,
    /// The examples of a batch: all distinct words, or as many as are asked for, a word several times among them.
    batch: u128,
    /// The letters of these examples, at most.
    text: u128,
    /// Examples that are shown in a round, at most.
    shown: u128,
    steps: u128,
    epochs: u128,
}

impl Work {
    fn of(settings: &Settings, sample: &Sample) -> Self {
        let (n, t) = (settings.nonterminals as u128, sample.alphabet().len() as u128);
        let terminals = match settings.shape {
            Shape::Nfa => t * n,
            Shape::Dfa => 0,
        };
        let square = n.saturating_mul(n).saturating_mul(t);
        let words = sample.entries().len();
        let counts = sample.entries().iter().map(|entry| entry.counts);
        let examples: u128 = counts.map(|counts| u128::from(counts.accepted) + u128::from(counts.rejected)).sum();
        let budget = u128::from(settings.steps);
        let epochs = budget.min(ROUND_STEPS as u128).div_ceil(EPOCH_STEPS as u128);
        let (batch, steps, shown) = match settings.batch.map(|batch| batch as u128).filter(|batch| *batch < examples) {
            None => (words as u128, (epochs * EPOCH_STEPS as u128).min(budget), epochs * words as u128),
            Some(batch) => {
                // A round goes on until it has enough steps; its last epoch may be a pass and almost that again.
                let pass = examples.div_ceil(batch.max(1)); // 0 is refused elsewhere
                let steps = ((ROUND_STEPS + EPOCH_STEPS) as u128 + pass).min(budget);
                (batch, steps, steps * batch + examples)
            }
        };
        let (slots, width) = bounds(sample, usize::try_from(batch).unwrap_or(usize::MAX));
        Self {
            nonterminals: n,
            letters: t,
            parameters: square.saturating_add(terminals).saturating_add(n),
            nodes: sample.parents().len() as u128,
            longest: sample.longest() as u128,
            slots: slots as u128,
            width: width as u128,
            batch,
            text: text(sample, settings.batch.map(|_| batch)),
            shown,
            steps,
            epochs,
        }
    }

    fn workspace(&self) -> u128 {
        let &Self { nonterminals: n, letters: t, slots, width, .. } = self;
        // Beliefs and their gradients have P_T in both shapes.
        let productions = n.saturating_mul(t).saturating_mul(n + 1).saturating_add(n);
        let rows = n.saturating_mul(slots + 2 * width);
        let vectors = self.parameters.saturating_add(productions.saturating_mul(2)).saturating_add(rows);
        vectors.saturating_mul(VECTOR)
    }

    fn plans(&self) -> u128 {
        let &Self { letters, nodes, longest, slots, batch, text, .. } = self;
        // A piece is closed when the next word does not fit, so it is full but for less than one word; and the prefix
        // it has in common with the piece before is in both. Where words are long that says little, and then it is that
        // a piece and what is new in the next word are more than a full one.
        let fresh = slots.saturating_sub(2 * longest).max(slots.saturating_sub(longest) / 2);
        let nodes = nodes.min(text);
        let pieces = nodes.checked_div(fresh).map_or(batch, |pieces| (pieces + 2).min(batch));
        let prefixes = (nodes + pieces * longest).min(text);
        let levels = (pieces * longest).min(prefixes);
        // Vectors that grow may be twice as large as what they hold: for each prefix 4 bytes for its parent, at most
        // 16 for its group; for each level 48; for each word 16 at its end, and twice 48 while it is planned; 1 for
        // each prefix of a piece. Then two numbers for each letter.
        let groups = prefixes.min(levels * letters);
        let held = 2 * (4 * prefixes + 16 * groups + 48 * levels + 112 * batch + slots) + 8 * letters;
        // Where one grows, the old one is there too.
        held + (48 * longest).max(16 * slots).max(48 * batch)
    }

    /// Of one restart.
    fn outcomes(&self) -> u128 {
        size_of::<Vec<Option<Outcome>>>() as u128 + self.epochs * size_of::<Option<Outcome>>() as u128
    }

    fn batches(&self) -> u128 {
        let step = (size_of::<Step>() + size_of::<std::ops::Range<usize>>()) as u128;
        self.shown * size_of::<Shown>() as u128 + self.steps * step
    }
}

/// How many letters so many examples have at most; with none, all words once.
fn text(sample: &Sample, examples: Option<u128>) -> u128 {
    let mut left = examples.unwrap_or(u128::MAX);
    let mut text = 0;
    for entry in sample.entries().iter().rev() {
        let times = match examples {
            None => 1,
            Some(_) => u128::from(entry.counts.accepted) + u128::from(entry.counts.rejected),
        };
        text += u128::from(entry.length) * times.min(left);
        left -= times.min(left);
    }
    text
}

//! The memory that training takes, computed in advance.

use super::LANES;
use super::plan::bounds;
use super::population::LaneSums;
use crate::model::Shape;
use crate::sample::Sample;
use crate::training::{EPOCH_STEPS, Outcome, ROUND_STEPS, RestartRecord, Settings, Shown, Step};

/// A vector of 16 lanes of 4 bytes, the widest there is. Narrower instruction sets take a half or a quarter of the
/// workspace given here.
const VECTOR: u128 = 4 * LANES as u128;

impl Settings {
    /// An upper bound, in bytes, on the memory that training with these settings holds at once, with this many threads
    /// and shared prefixes.
    ///
    /// It is the sum of
    ///
    /// - **state**, 2 · 3 · 64 P bytes for each of the B blocks of 16 restarts: parameters and Adam's moments, stored
    ///   in rows and, during training, again in register order. P is n'(t(n' + 1) + 1) in the shape `nfa` and
    ///   n'(tn' + 1) in the shape `dfa`;
    /// - **workspace**, 64 (P + 2n'(t(n' + 1) + 1) + n'(s + 2w)) bytes per thread, with at most one thread per block:
    ///   gradients and beliefs, and n' vectors for each of s = max(2048, longest word) prefixes, up to
    ///   w = min(s, batch) of which have the same length;
    /// - **plans** per thread: for one batch, at most 40 bytes per prefix, 96 per level of each piece of 2048 prefixes,
    ///   224 per word, and part of this again while they grow;
    /// - **batches**: at most 12 bytes per example shown in a round of 256 steps, or in one epoch if that is longer,
    ///   and 80 per step (a round of much work is shorter, except for its last epoch);
    /// - **outcomes** of a round of at most 13 epochs, the record of one, and sums of 264 bytes per block;
    /// - 64 KiB per thread, and once more, for everything too small to count.
    ///
    /// The sample is not included, nor are records and models that an observer keeps. The sum saturates.
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

/// The sizes that determine the memory.
struct Work {
    nonterminals: u128,
    letters: u128,
    parameters: u128,
    /// Distinct prefixes of the sample.
    nodes: u128,
    longest: u128,
    /// The most prefixes in a piece of a batch, and the most of one length.
    slots: u128,
    width: u128,
    /// Examples per batch: all distinct words, or the batch size, with possible repetitions.
    batch: u128,
    /// The most letters of these examples.
    text: u128,
    /// The most examples shown in a round.
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
                // A round continues until it has enough steps; its last epoch may take up to almost two passes.
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
        // Beliefs and their gradients include P_T in both shapes.
        let productions = n.saturating_mul(t).saturating_mul(n + 1).saturating_add(n);
        let rows = n.saturating_mul(slots + 2 * width);
        let vectors = self.parameters.saturating_add(productions.saturating_mul(2)).saturating_add(rows);
        vectors.saturating_mul(VECTOR)
    }

    fn plans(&self) -> u128 {
        let &Self { letters, nodes, longest, slots, batch, text, .. } = self;
        // A piece is closed when the next word does not fit, so less than one word of it is free; and the prefix it
        // shares with the previous piece is in both. For long words this bound is weak; then use that a piece and the
        // new part of the next word exceed a full piece.
        let fresh = slots.saturating_sub(2 * longest).max(slots.saturating_sub(longest) / 2);
        let nodes = nodes.min(text);
        let pieces = nodes.checked_div(fresh).map_or(batch, |pieces| (pieces + 2).min(batch));
        let prefixes = (nodes + pieces * longest).min(text);
        let levels = (pieces * longest).min(prefixes);
        // Growing vectors may be twice as large as their contents: per prefix 4 bytes for its parent and at most 16 for
        // its group; per level 48; per word 16 at its end, and twice 48 during planning; 1 per prefix of a piece. Then
        // two numbers per letter.
        let groups = prefixes.min(levels * letters);
        let held = 2 * (4 * prefixes + 16 * groups + 48 * levels + 112 * batch + slots) + 8 * letters;
        // While a vector grows, the old one still exists.
        held + (48 * longest).max(16 * slots).max(48 * batch)
    }

    /// Per restart.
    fn outcomes(&self) -> u128 {
        size_of::<Vec<Option<Outcome>>>() as u128 + self.epochs * size_of::<Option<Outcome>>() as u128
    }

    fn batches(&self) -> u128 {
        let step = (size_of::<Step>() + size_of::<std::ops::Range<usize>>()) as u128;
        self.shown * size_of::<Shown>() as u128 + self.steps * step
    }
}

/// The most letters this many examples can have; with `None`, all words once.
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

//! Which words are shown when: a function of the sample, the settings and the epoch number alone, so that training can
//! resume at any epoch.

use std::ops::Range;

use super::{Settings, Shown};
use crate::random;
use crate::sample::Sample;

/// Minimum steps per epoch: small samples are passed over several times.
pub(crate) const EPOCH_STEPS: usize = 20;

/// The batches of an epoch.
#[derive(Debug)]
pub(super) struct Batches {
    pub(super) shown: Vec<Shown>,
    pub(super) batches: Vec<Range<usize>>,
    pub(super) length_limit: usize,
    /// Whether they contain every example of the sample.
    pub(super) complete: bool,
}

impl Batches {
    /// The batches of this epoch, where `progress` is the share of training done and `steps` the steps left.
    pub(super) fn new(sample: &Sample, settings: &Settings, epoch: u64, progress: f64, steps: u64) -> Self {
        let entries = sample.entries();
        let longest = sample.longest();
        let shortest = entries.first().map_or(0, |entry| entry.length as usize);
        let limit = libm::ceil(settings.length_limit.at(progress) * longest as f64) as usize;
        let length_limit = limit.clamp(shortest, longest.max(shortest));
        let count = entries.partition_point(|entry| entry.length as usize <= length_limit);
        let all = count == entries.len();
        let words = || (0_u32..).zip(&entries[..count]);
        let one_by_one = || {
            words().flat_map(|(entry, word)| {
                let accepted = (0..word.counts.accepted).map(move |_| Shown { entry, accepted: 1.0, rejected: 0.0 });
                let rejected = (0..word.counts.rejected).map(move |_| Shown { entry, accepted: 0.0, rejected: 1.0 });
                accepted.chain(rejected)
            })
        };
        let most = usize::try_from(steps).unwrap_or(usize::MAX);
        let enough = EPOCH_STEPS.min(most);
        let examples = one_by_one().count();

        // A batch large enough for everything is the whole sample, stored and planned once.
        let Some(batch) = settings.batch.filter(|batch| *batch < examples) else {
            let counted = words().map(|(entry, word)| {
                let (accepted, rejected) = (word.counts.accepted as f32, word.counts.rejected as f32);
                Shown { entry, accepted, rejected }
            });
            let shown: Vec<Shown> = counted.collect();
            let batches = vec![0..shown.len(); enough];
            return Self { shown, batches, length_limit, complete: all };
        };
        let pass = examples.div_ceil(batch);
        let passes = enough.div_ceil(pass);
        let mut random = random::stream(settings.seed, SHUFFLES | epoch);
        let mut shown = Vec::with_capacity(passes * examples);
        let mut batches = Vec::with_capacity((passes * pass).min(most));
        for _ in 0..passes {
            let begin = shown.len();
            shown.extend(one_by_one());
            random::shuffle(&mut shown[begin..], &mut random);
            let end = shown.len();
            let cut = (begin..end).step_by(batch).map(|from| from..(from + batch).min(end));
            batches.extend(cut.take(most - batches.len()));
        }
        // The remaining steps may not suffice for a full pass.
        let complete = all && batches.len() >= pass;
        Self { shown, batches, length_limit, complete }
    }
}

/// Random streams from here on are for shuffling; those below initialise restarts.
const SHUFFLES: u64 = 1 << 63;

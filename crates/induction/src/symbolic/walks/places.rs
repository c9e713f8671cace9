//! The prefix tree of the examples, and what becomes of it when places are merged.
//!
//! A place counts how often accepted words end in it and how often they go on with each letter. Merging two places adds
//! their counts and then merges the places that they lead to with the same letter. All lists of steps are in one vector, to
//! which merges only append, so that a merge that was only tried is undone by cutting the vector and restoring a few places.

use std::sync::LazyLock;

use crate::sample::Sample;

/// Logarithms of Γ(n / 2) are kept for n below this number; larger ones are computed when they are needed.
const KEPT: usize = 1 << 16;

/// A transition, and how many accepted words take it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) letter: u32,
    pub(super) to: u32,
    pub(super) times: u32,
}

/// A state, or a node of the prefix tree that is not folded into a state yet.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// How many accepted words end here, counting repetitions.
    pub(super) ends: u32,
    /// Whether a rejected word ends here.
    pub(super) rejects: bool,
    pub(super) is_red: bool,
    /// Where its steps begin, and how many there are, in alphabet order.
    first: u32,
    count: u32,
    /// The bits of what happened here.
    bits: f64,
}

/// A transition from a red place to one that is not red yet.
#[derive(Clone, Copy)]
pub(super) struct Blue {
    /// Its number among all steps.
    step: u32,
    pub(super) letter: u32,
    pub(super) place: u32,
    pub(super) times: u32,
}

/// What is to be restored if a merge is undone.
#[derive(Clone, Copy)]
struct Before {
    place: u32,
    was: Place,
}

pub(super) struct Places {
    places: Vec<Place>,
    steps: Vec<Step>,
    letters: usize,
    /// Places as they were before the last merge,
    journal: Vec<Before>,
    /// the step that it redirected, and the number of steps at that time.
    redirected: Option<(u32, u32, usize)>,
    waiting: Vec<(u32, u32)>,
    /// Places and steps that were looked at.
    visits: u64,
}

impl Places {
    /// The prefix tree. A word counts as what most of its labels say, as often as it was given.
    pub(super) fn new(sample: &Sample) -> Self {
        let nodes = sample.parents().len();
        let mut places = vec![Place::default(); nodes];
        let mut passing = vec![0_u32; nodes];
        for (node, counts) in sample.counts_by_node().into_iter().enumerate() {
            if counts.accepted > counts.rejected {
                (places[node].ends, passing[node]) = (counts.accepted, counts.accepted);
            }
            places[node].rejects = counts.rejected > counts.accepted;
        }
        for node in (1..nodes).rev() {
            let parent = sample.parents()[node] as usize;
            passing[parent] = passing[parent].saturating_add(passing[node]);
            places[parent].count += 1;
        }
        let mut first = 0;
        for place in &mut places {
            (place.first, first) = (first, first + place.count);
            place.count = 0;
        }
        // Siblings are in alphabet order.
        let mut steps = vec![Step { letter: 0, to: 0, times: 0 }; nodes - 1];
        for node in 1..nodes {
            let parent = &mut places[sample.parents()[node] as usize];
            let letter = sample.letters()[node].index() as u32;
            steps[(parent.first + parent.count) as usize] = Step { letter, to: node as u32, times: passing[node] };
            parent.count += 1;
        }
        let letters = sample.alphabet().len();
        for place in &mut places {
            place.bits = GAMMAS.bits(place.ends, &steps[place.first as usize..][..place.count as usize], letters);
        }
        let (journal, waiting) = (Vec::new(), Vec::new());
        Self { places, steps, letters, journal, redirected: None, waiting, visits: 0 }
    }

    /// Becomes a copy, in the memory that it has.
    pub(super) fn reset(&mut self, tree: &Self) {
        self.places.clone_from(&tree.places);
        self.steps.clone_from(&tree.steps);
        self.keep();
    }

    pub(super) fn copied(&self) -> Self {
        Self {
            places: self.places.clone(),
            steps: self.steps.clone(),
            letters: self.letters,
            journal: Vec::new(),
            redirected: None,
            waiting: Vec::new(),
            visits: 0,
        }
    }

    /// The size of the tree, which copying it costs.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn letters(&self) -> usize {
        self.letters
    }

    /// Takes the number of visits since the last call.
    pub(super) fn take_visits(&mut self) -> u64 {
        std::mem::take(&mut self.visits)
    }

    pub(super) fn place(&self, place: u32) -> &Place {
        &self.places[place as usize]
    }

    pub(super) fn redden(&mut self, place: u32) {
        self.places[place as usize].is_red = true;
    }

    /// The steps of a place that accepted words take.
    pub(super) fn steps(&self, place: u32) -> impl Iterator<Item = &Step> {
        let Place { first, count, .. } = self.places[place as usize];
        self.steps[first as usize..][..count as usize].iter().filter(|step| step.times > 0)
    }

    /// Whether accepted words come by.
    pub(super) fn is_passed(&self, place: u32) -> bool {
        self.places[place as usize].ends > 0 || self.steps(place).next().is_some()
    }

    /// The blue places that a red one leads to.
    pub(super) fn blue(&mut self, from: u32) -> impl Iterator<Item = Blue> {
        let Place { first, count, .. } = self.places[from as usize];
        self.visits += u64::from(1 + count);
        (first..first + count).filter_map(move |step| {
            let Step { letter, to, times } = self.steps[step as usize];
            let is_blue = times > 0 && !self.places[to as usize].is_red;
            is_blue.then_some(Blue { step, letter, place: to, times })
        })
    }

    /// Merges a blue place into a red one, and returns the evidence: the bits that are saved by describing what happened at
    /// merged places as one, and `label_bits` for each pair of equal labels. `None` if labels contradict each other; then the
    /// merge must be undone.
    pub(super) fn merge(&mut self, blue: Blue, red: u32, label_bits: f64) -> Option<f64> {
        self.redirected = Some((blue.step, blue.place, self.steps.len()));
        self.steps[blue.step as usize].to = red;
        self.waiting.clear();
        self.waiting.push((red, blue.place));
        let mut evidence = 0.0;
        while let Some((kept, folded)) = self.waiting.pop() {
            let (before, other) = (self.places[kept as usize], self.places[folded as usize]);
            if before.ends > 0 && other.rejects || before.rejects && other.ends > 0 {
                return None;
            }
            self.visits += u64::from(1 + before.count + other.count);
            let agrees = before.rejects && other.rejects || before.ends > 0 && other.ends > 0;
            let both = self.joined(before, other);
            evidence += before.bits + other.bits - both.bits + if agrees { label_bits } else { 0.0 };
            self.places[kept as usize] = both;
            self.journal.push(Before { place: kept, was: before });
        }
        Some(evidence)
    }

    /// Two places as one; the pairs of places that must be joined next are left waiting.
    fn joined(&mut self, kept: Place, folded: Place) -> Place {
        let first = self.steps.len();
        let (mut at, end) = (kept.first as usize, (kept.first + kept.count) as usize);
        let (mut other_at, other_end) = (folded.first as usize, (folded.first + folded.count) as usize);
        while at < end || other_at < other_end {
            let step = (at < end).then(|| self.steps[at]);
            let other = (other_at < other_end).then(|| self.steps[other_at]);
            let next = match (step, other) {
                (Some(step), Some(other)) if step.letter == other.letter => {
                    (at, other_at) = (at + 1, other_at + 1);
                    self.waiting.push((step.to, other.to));
                    Step { times: step.times.saturating_add(other.times), ..step }
                }
                (Some(step), other) if other.is_none_or(|other| step.letter < other.letter) => {
                    at += 1;
                    step
                }
                (_, Some(other)) => {
                    other_at += 1;
                    other
                }
                (_, None) => break,
            };
            self.steps.push(next);
        }
        let ends = kept.ends.saturating_add(folded.ends);
        Place {
            ends,
            rejects: kept.rejects || folded.rejects,
            is_red: kept.is_red,
            first: first as u32,
            count: (self.steps.len() - first) as u32,
            bits: GAMMAS.bits(ends, &self.steps[first..], self.letters),
        }
    }

    /// Undoes the last merge.
    pub(super) fn undo(&mut self) {
        while let Some(Before { place, was }) = self.journal.pop() {
            self.places[place as usize] = was;
        }
        if let Some((step, to, steps)) = self.redirected.take() {
            self.steps[step as usize].to = to;
            self.steps.truncate(steps);
        }
    }

    /// The last merge stays.
    pub(super) fn keep(&mut self) {
        self.journal.clear();
        self.redirected = None;
    }
}

static GAMMAS: LazyLock<Gammas> = LazyLock::new(Gammas::new);

/// log₂ Γ(n / 2) by n.
struct Gammas(Vec<f64>);

impl Gammas {
    fn new() -> Self {
        // Γ(0) is never asked for.
        Self(std::iter::once(0.0).chain((1..KEPT).map(Self::computed)).collect())
    }

    fn computed(n: usize) -> f64 {
        libm::lgamma(n as f64 / 2.0) / std::f64::consts::LN_2
    }

    fn of(&self, n: usize) -> f64 {
        self.0.get(n).copied().unwrap_or_else(|| Self::computed(n))
    }

    fn factorial(&self, n: usize) -> f64 {
        self.of(2 * n + 2)
    }

    /// The bits of what happened at a place: which of all letters follow, and then each ending or letter by its frequency
    /// so far.
    fn bits(&self, ends: u32, steps: &[Step], all: usize) -> f64 {
        let (mut total, mut letters, mut events) = (ends as usize, 0, self.of(2 * ends as usize + 1) - self.of(1));
        for step in steps.iter().filter(|step| step.times > 0) {
            total += step.times as usize;
            letters += 1;
            events += self.of(2 * step.times as usize + 1) - self.of(1);
        }
        if total == 0 {
            return 0.0;
        }
        let possible = letters + usize::from(ends > 0);
        let frequencies = self.of(2 * total + possible) - self.of(possible) - events;
        let which = self.factorial(all) - self.factorial(letters) - self.factorial(all - letters);
        1.0 + frequencies + which + libm::log2((all + 1) as f64)
    }
}

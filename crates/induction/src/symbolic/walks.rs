//! State merging by how words go on.
//!
//! EDSM compares labels. Where accepted words are walks through a model of software, or lines of a log, nearly all prefixes are
//! unlabelled, but there is much to compare all the same: how often words went on with each letter, and how often they ended.
//! If two states are one, both were draws from the same frequencies, and describing them together is shorter (`measure::walks`).
//!
//! The *evidence* for a merge is the sum over all pairs of states that it joins of the bits saved by describing them as one
//! state, and one bit for each pair of equal labels, as in `noise`. A merge needs positive evidence and no contradiction.
//! Blue states are considered in the order of how many words pass them, [`FRINGE`] at a time: what is rare says little, and it
//! says more once the states that it leads to are known. If one of these has no possible merge it becomes red; otherwise the
//! best merge is made. Trees that no accepted word passes are left out, because a partial automaton rejects them anyway.
//!
//! On automata like those of the StaMInA competition, with 50 letters, this finds in a twentieth of a second what merging by
//! labels does not find at all (plan `stamina`).

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use rand_chacha::ChaCha8Rng;

use super::merging::Randomness;
use crate::random;
use crate::sample::Sample;
use crate::work::{Meter, Pause};

/// Number of blue states considered at a time. Measured: with one, rare states are merged too early; from 20 on it makes no
/// difference.
const FRINGE: usize = 20;
/// Logarithms of Γ(n / 2) are kept for n below this number; larger ones are computed when they are needed.
const KEPT: usize = 1 << 16;

/// Settings of merging by how words go on.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Walking {
    /// Randomness, in bits.
    pub randomness: Option<Randomness>,
    /// Maximum number of states of the automaton.
    pub most_states: usize,
    /// Maximum work, in visits.
    pub most_visits: u64,
}

/// A transition, and how many accepted words take it.
#[derive(Clone, Copy)]
struct Step {
    letter: u32,
    to: u32,
    times: u32,
}

/// A state, or a node of the prefix tree that is not folded into a state yet.
#[derive(Clone, Default)]
struct Place {
    /// How many accepted words end here, counting repetitions.
    ends: u32,
    /// Whether a rejected word ends here.
    rejects: bool,
    is_red: bool,
    /// In alphabet order.
    steps: Vec<Step>,
    /// The bits of what happened here.
    bits: f64,
}

impl Place {
    fn passes(&self) -> u32 {
        self.steps.iter().fold(self.ends, |sum, step| sum.saturating_add(step.times))
    }
}

/// A blue state: the transition to it.
#[derive(Clone, Copy)]
struct Blue {
    from: u32,
    /// Its index among the steps of `from`.
    step: usize,
    place: u32,
    times: u32,
}

/// The best merge so far: its evidence, the number of the blue state and the red one.
type Best = (f64, usize, u32);

/// What a run is doing.
enum Doing {
    /// It looks for blue states.
    Survey,
    /// It compares the blue state with this number with the red state with this number.
    Compare { blue: usize, red: usize, any: bool, best: Option<Best> },
}

/// A run in slices.
pub struct Walker {
    sample: Arc<Sample>,
    how: Walking,
    random: Option<(f64, ChaCha8Rng)>,
    places: Vec<Place>,
    red: Vec<u32>,
    fringe: Vec<Blue>,
    doing: Doing,
    /// Places as they were before the merge that is being tried.
    journal: Vec<(u32, Place)>,
    waiting: Vec<(u32, u32)>,
    gammas: Gammas,
    meter: Meter,
}

impl Walker {
    /// A new run. Words with contradictory labels count as what most of their labels say.
    #[must_use]
    pub fn new(sample: Arc<Sample>, how: &Walking) -> Self {
        let chance = how.randomness.filter(|chance| chance.strength > 0.0);
        let gammas = Gammas::new();
        let mut places = unfolded(&sample);
        for place in &mut places {
            place.bits = gammas.bits(place, sample.alphabet().len());
        }
        Self {
            places,
            how: *how,
            random: chance.map(|Randomness { strength, seed }| (strength, random::stream(seed, 0))),
            red: vec![0],
            fringe: Vec::new(),
            doing: Doing::Survey,
            journal: Vec::new(),
            waiting: Vec::new(),
            gammas,
            meter: Meter::default(),
            sample,
        }
    }

    /// Continues for about this many visits. When finished, returns the automaton, or `None` if a limit was exceeded or no
    /// word is accepted; after that it must not be called again. A slice may be exceeded by one merge.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Option<Dfa>> {
        self.meter.begin(visits);
        self.places[0].is_red = true;
        loop {
            match self.step() {
                Ok(true) if self.red.len() > self.how.most_states || self.meter.done() > self.how.most_visits => {
                    return ControlFlow::Break(None);
                }
                Ok(true) => {}
                Ok(false) => return ControlFlow::Break(self.automaton()),
                Err(Pause) => return ControlFlow::Continue(()),
            }
        }
    }

    /// One comparison, merge or promotion; false if no blue state is left.
    fn step(&mut self) -> Result<bool, Pause> {
        self.meter.check()?;
        let Doing::Compare { blue, red, any, best } = self.doing else {
            self.survey();
            self.doing = Doing::Compare { blue: 0, red: 0, any: false, best: None };
            return Ok(!self.fringe.is_empty());
        };
        let Some(&candidate) = self.fringe.get(blue) else {
            if let Some((_, blue, red)) = best {
                let _ = self.merge(self.fringe[blue], red);
                self.journal.clear();
            }
            self.doing = Doing::Survey;
            return Ok(true);
        };
        let Some(&other) = self.red.get(red) else {
            self.doing = match any {
                true => Doing::Compare { blue: blue + 1, red: 0, any: false, best },
                false => {
                    self.places[candidate.place as usize].is_red = true;
                    self.red.push(candidate.place);
                    Doing::Survey
                }
            };
            return Ok(true);
        };
        let evidence = self.merge(candidate, other);
        self.undo();
        let evidence = evidence.map(|bits| bits + self.luck()).filter(|&bits| bits > 0.0);
        let best = match (evidence, best) {
            (Some(bits), Some((most, ..))) if bits <= most => best,
            (Some(bits), _) => Some((bits, blue, other)),
            (None, _) => best,
        };
        self.doing = Doing::Compare { blue, red: red + 1, any: any || evidence.is_some(), best };
        Ok(true)
    }

    fn luck(&mut self) -> f64 {
        self.random.as_mut().map_or(0.0, |(strength, numbers)| *strength * random::gumbel(numbers))
    }

    /// Finds the blue states that most words pass.
    fn survey(&mut self) {
        self.fringe.clear();
        for &from in &self.red {
            let steps = &self.places[from as usize].steps;
            self.meter.add(1 + steps.len() as u64);
            let blue = steps.iter().enumerate().filter(|(_, to)| to.times > 0 && !self.places[to.to as usize].is_red);
            self.fringe.extend(blue.map(|(step, to)| Blue { from, step, place: to.to, times: to.times }));
        }
        self.fringe.sort_by_key(|blue| std::cmp::Reverse(blue.times));
        self.fringe.truncate(FRINGE);
    }

    /// Merges a blue state into a red one, and returns the evidence; `None` if labels contradict each other.
    fn merge(&mut self, blue: Blue, red: u32) -> Option<f64> {
        self.journal.push((blue.from, self.places[blue.from as usize].clone()));
        self.places[blue.from as usize].steps[blue.step].to = red;
        self.waiting.clear();
        self.waiting.push((red, blue.place));
        let mut evidence = 0.0;
        while let Some((kept, folded)) = self.waiting.pop() {
            let (before, other) = (&self.places[kept as usize], &self.places[folded as usize]);
            if before.ends > 0 && other.rejects || before.rejects && other.ends > 0 {
                return None;
            }
            let before = std::mem::take(&mut self.places[kept as usize]);
            let other = std::mem::take(&mut self.places[folded as usize]);
            self.meter.add(1 + (before.steps.len() + other.steps.len()) as u64);
            let agrees = before.rejects && other.rejects || before.ends > 0 && other.ends > 0;
            let both = self.joined(&before, &other);
            evidence += f64::from(u8::from(agrees)) + before.bits + other.bits - both.bits;
            self.places[kept as usize] = both;
            self.places[folded as usize] = other;
            self.journal.push((kept, before));
        }
        Some(evidence)
    }

    /// Two places as one; the pairs of places that must be joined next are left waiting.
    fn joined(&mut self, kept: &Place, folded: &Place) -> Place {
        let (mut steps, mut others) =
            (Vec::with_capacity(kept.steps.len() + folded.steps.len()), folded.steps.iter().peekable());
        for step in &kept.steps {
            while let Some(other) = others.next_if(|other| other.letter < step.letter) {
                steps.push(*other);
            }
            match others.next_if(|other| other.letter == step.letter) {
                Some(other) => {
                    self.waiting.push((step.to, other.to));
                    steps.push(Step { times: step.times.saturating_add(other.times), ..*step });
                }
                None => steps.push(*step),
            }
        }
        steps.extend(others);
        let (ends, rejects) = (kept.ends.saturating_add(folded.ends), kept.rejects || folded.rejects);
        let both = Place { ends, rejects, is_red: kept.is_red, steps, bits: 0.0 };
        Place { bits: self.gammas.bits(&both, self.sample.alphabet().len()), ..both }
    }

    fn undo(&mut self) {
        while let Some((place, before)) = self.journal.pop() {
            self.places[place as usize] = before;
        }
    }

    /// The red states as an automaton; `None` if no word is accepted.
    fn automaton(&self) -> Option<Dfa> {
        if self.places[0].passes() == 0 {
            return None;
        }
        let mut numbers = vec![None; self.places.len()];
        self.red.iter().enumerate().for_each(|(number, &red)| numbers[red as usize] = Some(number));
        let rows: Vec<Vec<Option<usize>>> = self
            .red
            .iter()
            .map(|&red| {
                let mut row = vec![None; self.sample.alphabet().len()];
                for step in self.places[red as usize].steps.iter().filter(|step| step.times > 0) {
                    row[step.letter as usize] = numbers[step.to as usize];
                }
                row
            })
            .collect();
        let accepting = (0..self.red.len()).filter(|&number| self.places[self.red[number] as usize].ends > 0);
        Dfa::new(self.sample.alphabet().clone(), 0, accepting, &rows).ok().map(|dfa| dfa.canonical())
    }
}

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
    fn bits(&self, place: &Place, all: usize) -> f64 {
        let total = place.passes() as usize;
        if total == 0 {
            return 0.0;
        }
        let seen = place.steps.iter().map(|step| step.times).filter(|&times| times > 0);
        let letters = seen.clone().count();
        let possible = letters + usize::from(place.ends > 0);
        let events =
            seen.chain(Some(place.ends)).map(|times| self.of(2 * times as usize + 1) - self.of(1)).sum::<f64>();
        let frequencies = self.of(2 * total + possible) - self.of(possible) - events;
        let which = self.factorial(all) - self.factorial(letters) - self.factorial(all - letters);
        1.0 + frequencies + which + libm::log2((all + 1) as f64)
    }
}

/// The prefix tree. A word counts as what most of its labels say, as often as it was given.
fn unfolded(sample: &Sample) -> Vec<Place> {
    let mut places = vec![Place::default(); sample.parents().len()];
    let mut passing = vec![0_u32; places.len()];
    for (node, counts) in sample.counts_by_node().into_iter().enumerate() {
        if counts.accepted > counts.rejected {
            (places[node].ends, passing[node]) = (counts.accepted, counts.accepted);
        }
        places[node].rejects = counts.rejected > counts.accepted;
    }
    for node in (1..places.len()).rev() {
        let parent = sample.parents()[node] as usize;
        passing[parent] = passing[parent].saturating_add(passing[node]);
    }
    // Siblings are in alphabet order.
    for node in 1..places.len() {
        let step = Step { letter: sample.letters()[node].index() as u32, to: node as u32, times: passing[node] };
        places[sample.parents()[node] as usize].steps.push(step);
    }
    places
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label, Letter, Word, equivalent};

    use super::*;

    const HOW: Walking = Walking { randomness: None, most_states: 100, most_visits: u64::MAX };

    /// A menu: a loop of three letters from which `d` leads to another loop.
    fn truth() -> Dfa {
        let rows = [
            vec![Some(1), None, None, Some(3)],
            vec![None, Some(2), None, None],
            vec![Some(1), None, Some(0), None],
            vec![None, Some(3), Some(0), None],
        ];
        Dfa::new(Alphabet::of_chars("abcd"), 0, [0, 3], &rows).unwrap()
    }

    /// Random walks, and words that differ from one in a letter and are rejected.
    fn walks(truth: &Dfa, count: usize, seed: u64) -> Vec<(Word, Label)> {
        let mut random = random::stream(seed, 0);
        let mut words = Vec::new();
        while words.len() < count {
            let (mut state, mut word) = (truth.initial(), Vec::new());
            while word.len() < 60 {
                let letters = truth.alphabet().letters();
                let steps: Vec<_> = letters.filter_map(|letter| Some((letter, truth.next(state, letter)?))).collect();
                if truth.is_accepting(state) && random::below(5, &mut random) == 0 {
                    words.push((Word::from(word.clone()), Label::Accepted));
                    break;
                }
                let (letter, next) = steps[random::below(steps.len() as u64, &mut random) as usize];
                word.push(letter);
                state = next;
            }
            if let Some(place) = random::below(word.len() as u64 + 1, &mut random).checked_sub(1) {
                word[place as usize] = Letter::new(random::below(4, &mut random) as usize);
                if !truth.accepts(&word) {
                    words.push((Word::from(word), Label::Rejected));
                }
            }
        }
        words
    }

    fn sample(rows: Vec<(Word, Label)>) -> Arc<Sample> {
        Arc::new(Sample::new(&Examples::of(&Alphabet::of_chars("abcd"), rows), false).unwrap())
    }

    fn learned(sample: &Arc<Sample>, visits: u64) -> Option<Dfa> {
        let mut walker = Walker::new(Arc::clone(sample), &HOW);
        loop {
            if let ControlFlow::Break(found) = walker.advance(visits) {
                return found;
            }
        }
    }

    #[test]
    fn walks_through_an_automaton_are_learned() {
        for seed in 0..10 {
            let found = learned(&sample(walks(&truth(), 400, seed)), u64::MAX).unwrap();
            assert!(equivalent(&found, &truth()), "{seed}: {found:?}");
        }
    }

    #[test]
    fn slices_change_nothing() {
        let sample = sample(walks(&truth(), 50, 3));
        let whole = learned(&sample, u64::MAX);
        assert!(whole.is_some());
        assert_eq!(learned(&sample, 1), whole);
    }

    #[test]
    fn every_example_is_right() {
        for seed in 0..30 {
            let rows = walks(&truth(), 30, seed);
            let Some(found) = learned(&sample(rows.clone()), u64::MAX) else { continue };
            let is_right = |(word, label): &(Word, Label)| found.accepts(word) == (*label == Label::Accepted);
            assert!(rows.iter().all(is_right), "{seed}");
        }
    }

    #[test]
    fn nothing_is_learned_without_accepted_words() {
        assert_eq!(learned(&sample(vec![(Word::from(vec![Letter::new(0)]), Label::Rejected)]), u64::MAX), None);
        assert_eq!(learned(&sample(Vec::new()), u64::MAX), None);
    }
}

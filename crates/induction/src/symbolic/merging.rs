//! Which merge comes next: by order (RPNI) or by evidence (EDSM).
//!
//! *RPNI* (Oncina and García 1992) takes the first blue state in canonical order and merges it into the first red state
//! that it can be merged into; if there is none, it becomes red. Given all short words it finds the language itself.
//!
//! *EDSM*, evidence-driven state merging (Lang, Pearlmutter and Price 1998, the winner of Abbadingo), looks at all pairs of
//! a blue and a red state. As soon as a blue state cannot be merged into any red one it becomes red, the shallowest
//! first; only when all blue states have somewhere to go the merge is made for which most labels speak.
//!
//! # What is not computed twice
//! Merging two states makes everything that follows from it true, and later merges only add to that: a pair that
//! contradicts itself once does so for ever, and is never looked at again. Making a state red changes no pair at all. So
//! after a promotion only pairs with the new states are looked at, and after a merge those that are left; of these one
//! for each blue state is enough to know that it need not become red, and others only if their tree has as many labels
//! as would beat the best merge so far.
//!
//! # Noise
//! When labels are wrong at a rate η, two labels of one state disagree with probability p = 2η(1 − η), and labels of
//! unrelated states half of the time. A merge that makes a labels agree and d disagree is then a·log₂ 2(1 − p) +
//! d·log₂ 2p bits more likely if the states are one than if they are unrelated. That is its score, and the merge is allowed
//! unless the score is negative. As η goes to 0 this becomes the strict rule: the score is a, and no d is allowed.
//! States accept by majority. A pair refused once stays refused, as without noise.

use std::collections::BTreeMap;

use automata::Dfa;
use rand_chacha::ChaCha8Rng;

use super::fold::{Evidence, Quotient, Slot, Survey};
use crate::random;
use crate::sample::Sample;

/// Which of the possible merges is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The first one in canonical order.
    Rpni,
    /// The one for which most labels speak.
    Edsm,
}

/// Chance in the choice of merges: `strength` times a number from Gumbel's distribution is added to each pair's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Randomness {
    /// How much a merge may gain by chance, in labels.
    pub strength: f64,
    /// Where the numbers come from.
    pub seed: u64,
}

/// How states are merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merging {
    /// Which merge is made.
    pub rule: Rule,
    /// Chance in the choice, of use with [`Rule::Edsm`] alone.
    pub randomness: Option<Randomness>,
    /// The rate, below one half, at which labels are supposed to be wrong; with 0 none is, and the automaton agrees with
    /// every example that is not contradicted by another.
    pub tolerance: f64,
    /// How many states the automaton may have.
    pub most_states: Option<usize>,
    /// How many nodes of the tree may be looked at, over and over: the work, counted so that it is the same everywhere.
    pub most_visits: Option<u64>,
}

impl Merging {
    /// Merging by this rule, strictly, without chance or limit.
    #[must_use]
    pub fn by(rule: Rule) -> Self {
        Self { rule, randomness: None, tolerance: 0.0, most_states: None, most_visits: None }
    }
}

/// The automaton that a sample is folded into, in canonical numbering; none when it would go beyond a limit.
///
/// It is partial: a transition that no example takes is missing, and a state accepts if an accepted word ends there. A
/// word that was labelled both ways counts by the majority, and not at all if there is none.
///
/// ```
/// use automata::formats::abbadingo::{Examples, Label};
/// use automata::{Alphabet, Regex};
/// use induction::Sample;
/// use induction::symbolic::{Merging, Rule, merge};
///
/// // An even number of b's.
/// let words = ["", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "abb", "baa", "bab", "abab"];
/// let label = |word: &str| if word.matches('b').count() % 2 == 0 { Label::Accepted } else { Label::Rejected };
/// let alphabet = Alphabet::of_chars("ab");
/// let rows = words.map(|word| Ok((alphabet.read(word)?, label(word))));
/// let rows = rows.into_iter().collect::<Result<_, automata::WordError>>()?;
/// let sample = Sample::new(&Examples { alphabet, rows }, false)?;
/// let dfa = merge(&sample, &Merging::by(Rule::Edsm)).expect("no limit was given");
/// assert_eq!(Regex::from_dfa(&dfa)?.to_string(), "(a|ba*b)*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn merge(sample: &Sample, how: &Merging) -> Option<Dfa> {
    let quotient = Quotient::new(sample, how.tolerance > 0.0)?;
    let mut work = Work { quotient, measure: Measure::new(how.tolerance), limits: *how, survey: Survey::default() };
    match how.rule {
        Rule::Rpni => work.in_order()?,
        Rule::Edsm => work.by_evidence()?,
    }
    let dfa = work.quotient.to_dfa(sample);
    debug_assert!(how.tolerance > 0.0 || agrees(&dfa, sample), "strict merging contradicts an example");
    Some(dfa)
}

/// Whether the automaton says of every word what was said of it more often.
fn agrees(dfa: &Dfa, sample: &Sample) -> bool {
    let words = sample.entries().iter().map(|entry| (sample.word(entry), entry.counts));
    words.chain([(&[][..], sample.empty_word())]).all(|(word, counts)| {
        counts.accepted == counts.rejected || dfa.accepts(word) == (counts.accepted > counts.rejected)
    })
}

/// What labels that agree and contradict each other are worth.
#[derive(Clone, Copy)]
struct Measure {
    agreement: f64,
    contradiction: f64,
}

impl Measure {
    fn new(tolerance: f64) -> Self {
        let rate = if tolerance > 0.0 { tolerance.min(0.5) } else { 0.0 };
        let disagree = 2.0 * rate * (1.0 - rate);
        // Where nothing may contradict there is nothing to multiply, and infinity times nothing is no number.
        let contradiction = if rate > 0.0 { libm::log2(2.0 * disagree) } else { 0.0 };
        Self { agreement: libm::log2(2.0 * (1.0 - disagree)), contradiction }
    }

    fn score(self, evidence: Evidence) -> f64 {
        f64::from(evidence.agreeing) * self.agreement + f64::from(evidence.contradicting) * self.contradiction
    }
}

/// A merge that may be made.
struct Candidate {
    red: u32,
    /// What chance adds to its score.
    luck: f64,
    score: f64,
    /// How many merges had been made when the score was found; later it may be larger, or the merge impossible.
    known_at: usize,
}

/// A blue state and where it may go.
struct Blue {
    candidates: Vec<Candidate>,
    /// How many red states it was asked about: those that are not candidates contradict it.
    asked: usize,
    /// How many labels its tree has, and when that was counted.
    labels: u32,
    counted_at: usize,
}

/// In place of a number of merges: this was not found out yet.
const NEVER: usize = usize::MAX;

struct Work {
    quotient: Quotient,
    measure: Measure,
    limits: Merging,
    survey: Survey,
}

impl Work {
    fn in_order(&mut self) -> Option<()> {
        loop {
            self.quotient.survey(&mut self.survey);
            let Some(&slot) = self.survey.blue.first() else { return Some(()) };
            let mut merged = false;
            for i in 0..self.survey.red.len() {
                if self.score(self.survey.red[i], slot)?.is_some() {
                    merged = true;
                    break;
                }
            }
            match merged {
                true => self.quotient.keep(),
                false => self.promote(slot)?,
            }
        }
    }

    fn by_evidence(&mut self) -> Option<()> {
        let chosen = self.limits.randomness.filter(|chance| chance.strength > 0.0);
        let mut chance = chosen.map(|Randomness { strength, seed }| (strength, random::stream(seed, 0)));
        let mut states: BTreeMap<u32, Blue> = BTreeMap::new();
        let mut merges = 0;
        loop {
            self.quotient.survey(&mut self.survey);
            let blue = std::mem::take(&mut self.survey.blue);
            if blue.is_empty() {
                return Some(());
            }
            let mut stuck = None;
            for &slot in &blue {
                let state = states.entry(self.quotient.root(slot)).or_insert_with(Blue::new);
                state.ask(self.quotient.len(), &mut chance);
                if !self.has_somewhere_to_go(state, slot, merges)? {
                    stuck = Some(slot);
                    break;
                }
            }
            match stuck {
                Some(slot) => {
                    states.remove(&self.quotient.root(slot));
                    self.promote(slot)?;
                }
                None => {
                    let (slot, red) = self.best(&blue, &mut states, merges)?;
                    states.remove(&self.quotient.root(slot));
                    let _ = self.quotient.merge(red, slot);
                    self.quotient.keep();
                    merges += 1;
                }
            }
            self.survey.blue = blue;
        }
    }

    /// Whether a blue state can be merged into some red one. Candidates met on the way that contradict are dropped.
    fn has_somewhere_to_go(&mut self, state: &mut Blue, slot: Slot, merges: usize) -> Option<bool> {
        if state.candidates.iter().any(|candidate| candidate.known_at == merges) {
            return Some(true);
        }
        while let Some(candidate) = state.candidates.last_mut() {
            if let Some(score) = self.tried(candidate.red, slot)? {
                candidate.score = score;
                candidate.known_at = merges;
                return Some(true);
            }
            state.candidates.pop();
        }
        Some(false)
    }

    /// The merge with the highest score, the first in canonical order if there are several, when each blue state has
    /// somewhere to go.
    fn best(&mut self, blue: &[Slot], states: &mut BTreeMap<u32, Blue>, merges: usize) -> Option<(Slot, u32)> {
        // Those with the most labels first: they set the mark that most of the others cannot reach.
        let mut order: Vec<(u32, usize)> = Vec::with_capacity(blue.len());
        for (i, &slot) in blue.iter().enumerate() {
            let state = states.get_mut(&self.quotient.root(slot)).expect("it was asked");
            if state.counted_at != merges {
                state.labels = self.quotient.labels_in_tree(slot);
                state.counted_at = merges;
            }
            order.push((state.labels, i));
        }
        order.sort_unstable_by_key(|&(labels, i)| (std::cmp::Reverse(labels), i));
        // The score, and where in canonical order: the lower the better.
        let mut best: Option<(f64, (usize, u32), u32)> = None;
        for (labels, i) in order {
            let state = states.get_mut(&self.quotient.root(blue[i])).expect("it was asked");
            let bound = f64::from(labels) * self.measure.agreement;
            let mut at = 0;
            while at < state.candidates.len() {
                let candidate = &mut state.candidates[at];
                at += 1;
                if candidate.known_at != merges {
                    if best.is_some_and(|(score, ..)| bound + candidate.luck < score) {
                        continue;
                    }
                    let Some(score) = self.tried(candidate.red, blue[i])? else {
                        at -= 1;
                        state.candidates.swap_remove(at);
                        continue;
                    };
                    candidate.score = score;
                    candidate.known_at = merges;
                }
                let score = candidate.score + candidate.luck;
                let rank = (i, self.survey.rank[candidate.red as usize]);
                if best.is_none_or(|(highest, first, _)| score > highest || score == highest && rank < first) {
                    best = Some((score, rank, candidate.red));
                }
            }
            // The most promising one is tried first when the next merge has been made.
            let promising = (0..state.candidates.len()).max_by(|&a, &b| {
                let of = |i: usize| &state.candidates[i];
                (of(a).known_at == merges, of(a).score)
                    .partial_cmp(&(of(b).known_at == merges, of(b).score))
                    .expect("finite")
            });
            let last = state.candidates.len() - 1;
            state.candidates.swap(promising.expect("it has somewhere to go"), last);
        }
        best.map(|(_, (i, _), red)| (blue[i], red))
    }

    /// A merge's score, nothing if it is not allowed; it is made and taken back.
    fn tried(&mut self, red: u32, slot: Slot) -> Option<Option<f64>> {
        let score = self.score(red, slot)?;
        self.quotient.take_back();
        Some(score)
    }

    /// A merge's score, nothing if it is not allowed. What is allowed has been made and waits to be kept or taken back.
    fn score(&mut self, red: u32, slot: Slot) -> Option<Option<f64>> {
        let evidence = self.quotient.merge(red, slot);
        if self.limits.most_visits.is_some_and(|most| self.quotient.visits() > most) {
            return None;
        }
        let score = evidence.map(|evidence| self.measure.score(evidence));
        if score.is_some_and(|score| score < 0.0) {
            self.quotient.take_back();
            return Some(None);
        }
        Some(score)
    }

    fn promote(&mut self, slot: Slot) -> Option<()> {
        if self.limits.most_states.is_some_and(|most| self.quotient.len() >= most) {
            return None;
        }
        self.quotient.promote(slot);
        Some(())
    }
}

impl Blue {
    fn new() -> Self {
        Self { candidates: Vec::new(), asked: 0, labels: 0, counted_at: NEVER }
    }

    /// Takes the red states that came since as candidates.
    fn ask(&mut self, red: usize, chance: &mut Option<(f64, ChaCha8Rng)>) {
        for red in self.asked..red {
            let luck = chance.as_mut().map_or(0.0, |(strength, numbers)| *strength * random::gumbel(numbers));
            self.candidates.push(Candidate { red: red as u32, luck, score: 0.0, known_at: NEVER });
        }
        self.asked = red;
    }
}

//! Accepted words as walks through the automaton.
//!
//! Models of software, logs and texts do not use all words of a length equally often: at each state some letters are likelier
//! than others. Then words are described better one letter after the other. At each state that a word reaches, the message says
//! whether the word ends there or how it goes on, among what the automaton allows, by the estimator of Krichevsky and Trofimov:
//! each possibility counts as often as it was seen before, and half a time more. No frequencies need to be stated.
//!
//! Each distinct word is walked once: how often it was given is the same for every answer, as in the other codes. The order of
//! the walks is not part of the examples, so their code is shortened by the number of orders.
//!
//! A state with one possibility costs nothing. So an automaton pays for each possibility that it allows and the words do not
//! use, and for merging states whose words go on differently.

use automata::{Dfa, StateId};

use super::code::factorial;
use crate::sample::Sample;

/// The bits of the walks of all accepted words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walks(f64);

impl Walks {
    /// The walks of all words that the automaton accepts; it is over the letters of the sample, complete and minimal.
    pub(crate) fn of(dfa: &Dfa, sample: &Sample) -> Self {
        let mut states = vec![dfa.initial(); sample.parents().len()];
        for (node, (&parent, &letter)) in sample.parents().iter().zip(sample.letters()).enumerate().skip(1) {
            states[node] = dfa.next(states[parent as usize], letter).expect("the automaton is complete");
        }
        Self::along(dfa, sample, &states)
    }

    /// The same, if `states` has the state at each prefix. The empty word is not coded, and neither are words that were asked about,
    /// or whose labels say that they are rejected.
    pub(crate) fn along(dfa: &Dfa, sample: &Sample, states: &[StateId]) -> Self {
        let events = dfa.alphabet().len() + 1;
        let mut seen = vec![0_u32; dfa.len() * events];
        let mut passing = vec![0_u32; states.len()];
        let mut words = 0;
        for entry in sample.entries() {
            let (state, node) = (states[entry.node as usize], entry.node as usize);
            let is_wrong = entry.counts.rejected > entry.counts.accepted;
            if dfa.is_accepting(state)
                && !is_wrong
                && (sample.asked().is_empty() || !sample.is_asked(sample.word(entry)))
            {
                words += 1;
                passing[node] = 1;
                seen[state.index() * events + events - 1] += 1;
            }
        }
        // A node comes after its parent.
        for node in (1..states.len()).rev() {
            let (times, parent) = (passing[node], sample.parents()[node] as usize);
            if times > 0 {
                seen[states[parent].index() * events + sample.letters()[node].index()] += times;
                passing[parent] += times;
            }
        }
        let dead = dfa.states().find(|&state| is_dead(dfa, state));
        let is_possible = |state: StateId, letter| dfa.next(state, letter) != dead;
        let walked = dfa.states().map(|state| {
            let seen = &seen[state.index() * events..][..events];
            match seen.iter().any(|&times| times > 0) {
                true => {
                    let letters = dfa.alphabet().letters().filter(|&letter| is_possible(state, letter)).count();
                    estimated(seen, letters + usize::from(dfa.is_accepting(state)))
                }
                false => 0.0,
            }
        });
        let how_many = libm::log2((sample.entries().len() + 1) as f64);
        Self(walked.sum::<f64>() - factorial(words) + how_many)
    }

    /// How many of the words belong, and which walks they are.
    pub(crate) fn bits(self) -> f64 {
        self.0
    }
}

/// Whether a state accepts nothing. A minimal automaton has one such state at most, and all transitions from it lead back.
fn is_dead(dfa: &Dfa, state: StateId) -> bool {
    !dfa.is_accepting(state) && dfa.alphabet().letters().all(|letter| dfa.next(state, letter) == Some(state))
}

/// The bits of a sequence of events, given how often each was seen and how many events are possible.
fn estimated(seen: &[u32], possible: usize) -> f64 {
    // log Γ(1/2)
    const ROOT_OF_PI: f64 = 0.572_364_942_924_700_1;
    if possible < 2 {
        return 0.0;
    }
    let total: f64 = seen.iter().map(|&times| f64::from(times)).sum();
    let half = possible as f64 / 2.0;
    let events =
        seen.iter().filter(|&&times| times > 0).map(|&times| libm::lgamma(f64::from(times) + 0.5) - ROOT_OF_PI);
    (libm::lgamma(total + half) - libm::lgamma(half) - events.sum::<f64>()) / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label, Regex};

    use super::*;

    fn sample(letters: &str, accepted: &[&str]) -> Sample {
        let alphabet = Alphabet::of_chars(letters);
        let rows = accepted.iter().map(|word| (alphabet.read(word).unwrap(), Label::Accepted));
        Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
    }

    fn walks(pattern: &str, letters: &str, accepted: &[&str]) -> Walks {
        let sample = sample(letters, accepted);
        let dfa = Regex::parse(pattern, sample.alphabet()).unwrap().to_dfa().unwrap().over(sample.alphabet());
        Walks::of(&automata::minimize(&dfa), &sample)
    }

    /// The estimator, event by event.
    #[test]
    fn the_estimate_is_a_product_of_predictions() {
        let sequence = [0, 2, 0, 0, 1, 2, 0];
        let (mut seen, mut bits) = ([0_u32; 4], 0.0);
        for (i, &event) in sequence.iter().enumerate() {
            bits -= ((f64::from(seen[event]) + 0.5) / (i as f64 + 1.5)).log2();
            seen[event] += 1;
        }
        assert!((estimated(&seen, 3) - bits).abs() < 1e-9, "{bits}");
        assert_eq!(estimated(&[0, 9], 1), 0.0);
    }

    #[test]
    fn what_is_the_only_way_costs_nothing() {
        let once = walks("abc", "abc", &["abc"]);
        // One bit says how many of the words belong.
        assert!((once.bits() - 1.0).abs() < 1e-9, "{once:?}");
        let often = walks("abc", "abc", &["abc"; 7]);
        assert!((often.bits() - 1.0).abs() < 1e-9, "{often:?}");
    }

    /// Kraft's inequality: over all sets of words of up to three letters. More words would only add to the sum.
    #[test]
    fn walks_have_a_code() {
        let words = ["a", "b", "aa", "ab", "ba", "bb", "aba", "bab"];
        let alphabet = Alphabet::of_chars("ab");
        for pattern in ["[ab]*", "a[ab]*", "(ab?)*", "a|b|aba"] {
            let dfa = Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap();
            let mut sums = vec![0.0; words.len() + 1];
            for chosen in 1..1_usize << words.len() {
                let chosen: Vec<&str> = (0..words.len()).filter(|i| chosen >> i & 1 == 1).map(|i| words[i]).collect();
                if chosen.iter().all(|word| dfa.accepts(&alphabet.read(word).unwrap())) {
                    // How many belong is known here: all.
                    let how_many = libm::log2((chosen.len() + 1) as f64);
                    sums[chosen.len()] += libm::exp2(how_many - walks(pattern, "ab", &chosen).bits());
                }
            }
            assert!(sums.iter().all(|&sum| sum <= 1.0 + 1e-9), "{pattern} {sums:?}");
        }
    }

    #[test]
    fn states_that_go_on_differently_are_told_apart() {
        let words = ["ab", "aab", "abb", "aabb", "aaab", "abbb", "aaabb", "aabbb", "aaaab", "abbbb", "aaabbb"];
        let apart = walks("a+b+", "ab", &words);
        let merged = walks("[ab]+", "ab", &words);
        assert!(apart.bits() < merged.bits(), "{apart:?} {merged:?}");
    }
}

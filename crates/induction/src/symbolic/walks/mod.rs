//! State merging by how words go on.
//!
//! EDSM compares labels. Where accepted words are walks through a model of software, or lines of a log, nearly all prefixes are
//! unlabelled, but there is much to compare all the same: how often words went on with each letter, and how often they ended.
//! If two states are one, both were draws from the same frequencies, and describing them together is shorter (`measure::walks`).
//!
//! ```text
//!   places    the prefix tree with counts; merges, tried and undone
//!   walker    one run of merging: from the tree, or from parts of an automaton that are taken for granted
//!   rebuilder many runs: a part of the best automaton is forgotten and built again, as long as the description gets shorter
//! ```
//!
//! On automata like those of the StaMInA competition, with 50 letters, one run takes a twentieth of a second and finds what
//! merging by labels does not find at all. A run never takes a merge back, and one wrong merge leads to others, so answers can
//! have many states too many although the true automaton has the shorter description. Building parts of them again mends
//! that (plan `stamina`).

mod places;
mod rebuilder;
mod walker;

pub use rebuilder::{Rebuilder, Rebuilding, Tree};
pub use walker::{Choice, Walker, Walking};

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use automata::{Alphabet, Dfa, Examples, Label, Letter, Word, equivalent};

    use super::*;
    use crate::random;
    use crate::sample::Sample;

    const HOW: Walking = Walking {
        randomness: None,
        choice: Choice::Strongest,
        label_bits: 1.0,
        most_states: 100,
        most_visits: u64::MAX,
    };

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

    fn rebuilt(sample: &Arc<Sample>, start: &Dfa, slice: u64) -> Dfa {
        let how = Rebuilding { seed: 5, most_visits: 10_000_000 };
        let tree = Arc::new(Tree::of(sample));
        let mut rebuilder = Rebuilder::new(Arc::clone(sample), tree, start, &how);
        loop {
            if let ControlFlow::Break(found) = rebuilder.advance(slice) {
                return found;
            }
        }
    }

    /// From the automaton of a handful of the words, which has too many states or too few.
    #[test]
    fn what_is_wrong_is_rebuilt() {
        for seed in 0..10 {
            let rows = walks(&truth(), 400, seed);
            let few = learned(&sample(rows[..40].to_vec()), u64::MAX).unwrap();
            let sample = sample(rows);
            let is_right = |dfa: &Dfa| sample.rows().all(|(word, counts)| dfa.accepts(word) == (counts.accepted > 0));
            let start = if is_right(&few) { few } else { prefix_tree(&sample) };
            let found = rebuilt(&sample, &start, u64::MAX);
            assert!(equivalent(&found, &truth()), "{seed}: {found:?}");
        }
    }

    /// Every accepted word has its own states.
    fn prefix_tree(sample: &Sample) -> Dfa {
        let mut rows = vec![vec![None; sample.alphabet().len()]; sample.parents().len()];
        for (node, (&parent, letter)) in sample.parents().iter().zip(sample.letters()).enumerate().skip(1) {
            rows[parent as usize][letter.index()] = Some(node);
        }
        let accepted = sample.counts_by_node().into_iter().enumerate().filter(|(_, counts)| counts.accepted > 0);
        Dfa::new(sample.alphabet().clone(), 0, accepted.map(|(node, _)| node), &rows).unwrap()
    }

    #[test]
    fn slices_of_rebuilding_change_nothing() {
        let sample = sample(walks(&truth(), 60, 3));
        let start = prefix_tree(&sample);
        assert_eq!(rebuilt(&sample, &start, 1), rebuilt(&sample, &start, u64::MAX));
    }

    #[test]
    fn what_is_rebuilt_is_right_about_every_example() {
        for seed in 0..20 {
            let rows = walks(&truth(), 30, seed);
            let sample = sample(rows.clone());
            if !rows.iter().any(|(_, label)| *label == Label::Accepted) {
                continue;
            }
            let found = rebuilt(&sample, &prefix_tree(&sample), u64::MAX);
            let is_right = |(word, label): &(Word, Label)| found.accepts(word) == (*label == Label::Accepted);
            assert!(rows.iter().all(is_right), "{seed}");
        }
    }
}

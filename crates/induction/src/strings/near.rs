//! Near misses: strings one edit away from an accepted one, to ask about.
//!
//! A shortest word on which two answers differ tells a machine what is open, but seldom a person. `2024-13-01` does.

use std::collections::BTreeSet;

use automata::{Dfa, Letter, Word};

use crate::learner::Undecided;
use crate::sample::Sample;

/// So many accepted strings are edited, from short to long.
const EDITED: usize = 40;
/// So many near misses are told.
const TOLD: usize = 20;

/// Near misses on which the answers differ: nearest to an even split first, then shorter ones.
pub(super) fn undecided(sample: &Sample, answers: &[&Dfa]) -> Vec<Undecided> {
    let judged = near(sample).into_iter().map(|word| {
        let accepted_by = answers.iter().filter(|dfa| accepts(dfa, sample, &word)).count();
        Undecided { word, accepted_by, of: answers.len() }
    });
    let mut open: Vec<Undecided> = judged.filter(|open| (1..open.of).contains(&open.accepted_by)).collect();
    open.sort_by_key(|open| (2 * open.accepted_by).abs_diff(open.of));
    // One of each kind: words that the same answers accept tell little more than one of them.
    open.truncate(TOLD);
    open
}

/// Near misses that the answer accepts though nobody said so: what to ask about when the answers agree.
pub(super) fn doubtful(sample: &Sample, answer: &Dfa) -> Vec<Undecided> {
    let accepted = near(sample).into_iter().filter(|word| accepts(answer, sample, word));
    accepted.take(TOLD).map(|word| Undecided { word, accepted_by: 1, of: 1 }).collect()
}

fn accepts(dfa: &Dfa, sample: &Sample, word: &Word) -> bool {
    let known: Option<Word> = word.iter().map(|&c| dfa.alphabet().letter_for(sample.alphabet().name(c))).collect();
    known.is_some_and(|word| dfa.accepts(&word))
}

/// All words one edit away from accepted ones that have no label, shorter ones first.
fn near(sample: &Sample) -> BTreeSet<Word> {
    let accepted = sample.rows().filter(|(_, counts)| counts.accepted > 0).map(|(word, _)| word);
    let labelled: BTreeSet<&[Letter]> = sample.rows().map(|(word, _)| word).collect();
    let letters: Vec<Letter> = sample.alphabet().letters().collect();
    let mut words = BTreeSet::new();
    for word in accepted.take(EDITED) {
        for at in 0..=word.len() {
            let (before, after) = word.split_at(at);
            let mut add = |middle: &[Letter], after: &[Letter]| {
                let edited: Word = before.iter().chain(middle).chain(after).copied().collect();
                if !edited.is_empty() && !labelled.contains(&edited[..]) {
                    words.insert(edited);
                }
            };
            let [first, rest @ ..] = after else { continue };
            add(&[], rest);
            add(&[*first, *first], rest);
            for &letter in letters.iter().filter(|letter| *letter != first) {
                add(&[letter], rest);
            }
        }
    }
    words
}

//! Merging with second thoughts: several quotients are kept at a time, not one.
//!
//! The first merges are made when least is known, and a wrong one is noticed only later, by states that multiply. So the
//! best few quotients with the same number of merges are carried along (a *beam*), each is continued by every merge it
//! can make, and of what comes of that again the best few are kept. The better one is that in which more labels agree,
//! with so many taken off for each state. Merges in another order lead to the same quotient; it is kept once. Since an
//! automaton of few states is whole after few merges, the first ones to be whole are the smallest ones found.

use std::collections::BTreeSet;

use automata::Dfa;
use rayon::prelude::*;

use super::fringe::{Choice, Fringe};
use super::merging::Merging;
use crate::sample::Sample;

/// How many agreeing labels a state must be worth: between 1 and 5 the smallest automata were found most often.
const LABELS_PER_STATE: f64 = 2.0;

/// One of the quotients that are kept.
struct Path {
    fringe: Fringe,
    /// What speaks for the merges made so far.
    evidence: f64,
}

/// The smallest automata found when the best `width` quotients are kept at a time: those that are whole first, fewer
/// states first. The rule is evidence; a width of 1 is [`merge`](super::merge) by [`Rule::Edsm`](super::Rule::Edsm). There
/// are none when all go beyond a limit; that of visits is for each path from the tree to an automaton.
///
/// It takes `2 · width` times the memory of the tree, of 20 bytes a node, and the result is the same with any number of
/// threads.
#[must_use]
pub fn merge_widely(sample: &Sample, how: &Merging, width: usize) -> Vec<Dfa> {
    let beginning = Fringe::new(sample, how).map(|fringe| Path { fringe, evidence: 0.0 });
    let mut paths: Vec<Path> = beginning.into_iter().collect();
    while !paths.is_empty() {
        let mut settled: Vec<(bool, Path)> = paths
            .into_par_iter()
            .filter_map(|mut path| path.fringe.settle().map(|unfinished| (unfinished, path)))
            .collect();
        // What became red on one path now may have done so on another path before its last merge.
        let mut cores = BTreeSet::new();
        settled.retain(|(_, path)| cores.insert(path.fringe.core(None)));
        let mut whole: Vec<&Path> =
            settled.iter().filter(|(unfinished, _)| !unfinished).map(|(_, path)| path).collect();
        if !whole.is_empty() {
            whole.sort_by_key(|path| path.fringe.len());
            return whole.into_iter().map(|path| path.fringe.finished(sample)).collect();
        }
        paths = continued(settled.into_iter().map(|(_, path)| path).collect(), width);
    }
    Vec::new()
}

/// The best quotients that are one merge away.
fn continued(paths: Vec<Path>, width: usize) -> Vec<Path> {
    let asked: Vec<(Path, Vec<Choice>)> =
        paths.into_par_iter().filter_map(|mut path| path.fringe.choices().map(|choices| (path, choices))).collect();
    let mut ranked: Vec<(f64, &Path, &Choice)> = Vec::new();
    for (path, choices) in &asked {
        let base = path.evidence - LABELS_PER_STATE * path.fringe.len() as f64;
        ranked.extend(choices.iter().map(|choice| (base + choice.score, path, choice)));
    }
    // Stable: of equals the first in canonical order stays the first.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut cores = BTreeSet::new();
    let mut kept: Vec<(&Path, &Choice)> = Vec::new();
    for (_, path, choice) in ranked {
        if kept.len() >= width.max(1) {
            break;
        }
        if cores.insert(path.fringe.core(Some(choice))) {
            kept.push((path, choice));
        }
    }
    let make = |(path, choice): (&Path, &Choice)| {
        let mut fringe = path.fringe.clone();
        fringe.make(*choice);
        Path { fringe, evidence: path.evidence + choice.score }
    };
    kept.into_par_iter().map(make).collect()
}

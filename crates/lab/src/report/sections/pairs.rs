//! Learner against learner on the same examples.

use std::collections::BTreeMap;

use super::super::document::{Section, Table};
use super::super::figures::p;
use super::super::statistics::{holm, mcnemar, sign_test};
use super::super::study::{Study, Trial, trial};

pub(super) fn section(study: &Study) -> Option<Section> {
    let learners = study.learners();
    let outcomes: Vec<BTreeMap<Trial, bool>> = learners
        .iter()
        .map(|learner| study.of(learner).map(|record| (trial(&record.spec), record.is_exact())).collect())
        .collect();
    let mut pairs = Vec::new();
    for (i, first) in learners.iter().enumerate() {
        for (j, second) in learners.iter().enumerate().skip(i + 1) {
            pairs.extend(Pair::of(&outcomes[i], &outcomes[j]).map(|pair| (*first, *second, pair)));
        }
    }
    if pairs.is_empty() {
        return None;
    }
    let mut section = Section::new("Learner against learner");
    section.text(
        "On the same sets of examples: how many both learners got exactly, how many only one of them, how many neither. The \
         first p-value is that of McNemar's exact test, which takes all sets for independent. They are not: sets of one language \
         have much in common. The second p-value is exact and takes languages as a whole: a language counts with the difference of \
         what the two learners got on its sets, and the signs of these differences are turned around in all ways. The third \
         is the second after Holm's correction for the number of pairs in this table. All are two-sided.",
    );
    let corrected = holm(&pairs.iter().map(|(_, _, pair)| pair.clustered()).collect::<Vec<f64>>());
    let head = [
        "pair",
        "both",
        "only first",
        "only second",
        "neither",
        "McNemar's p-value",
        "languages",
        "clustered p-value",
        "corrected",
    ];
    let mut table = Table::new("Exact recovery in pairs", head);
    for ((first, second, pair), corrected) in pairs.iter().zip(corrected) {
        table.row([
            format!("{first} against {second}"),
            pair.both.to_string(),
            pair.only_first.to_string(),
            pair.only_second.to_string(),
            pair.neither.to_string(),
            p(mcnemar(pair.only_first, pair.only_second)),
            pair.differences.len().to_string(),
            p(pair.clustered()),
            p(corrected),
        ]);
    }
    section.table(table);
    Some(section)
}

/// Two learners on their common sets.
#[derive(Debug, Default, PartialEq)]
struct Pair<'a> {
    both: u64,
    only_first: u64,
    only_second: u64,
    neither: u64,
    /// By language: the number of sets on which only the first was exact, minus those on which only the second was.
    differences: BTreeMap<&'a str, i64>,
}

impl<'a> Pair<'a> {
    fn of(first: &'a BTreeMap<Trial<'a>, bool>, second: &BTreeMap<Trial<'a>, bool>) -> Option<Self> {
        let mut pair = Self::default();
        for (trial, first) in first {
            let Some(second) = second.get(trial) else { continue };
            let count = match (first, second) {
                (true, true) => &mut pair.both,
                (true, false) => &mut pair.only_first,
                (false, true) => &mut pair.only_second,
                (false, false) => &mut pair.neither,
            };
            *count += 1;
            *pair.differences.entry(&trial.0).or_default() += i64::from(*first) - i64::from(*second);
        }
        (!pair.differences.is_empty()).then_some(pair)
    }

    fn clustered(&self) -> f64 {
        sign_test(&self.differences.values().copied().collect::<Vec<i64>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_set_and_by_language() {
        let trial = |language: &str, run| (language.to_owned(), "d6-even", 0, run);
        let first = BTreeMap::from([
            (trial("a", 0), true),
            (trial("a", 1), true),
            (trial("b", 0), false),
            (trial("c", 0), true),
            (trial("c", 1), true),
        ]);
        let second = BTreeMap::from([
            (trial("a", 0), false),
            (trial("a", 1), false),
            (trial("b", 0), true),
            (trial("c", 0), true),
            (trial("d", 0), true),
        ]);
        let pair = Pair::of(&first, &second).unwrap();
        assert_eq!((pair.both, pair.only_first, pair.only_second, pair.neither), (1, 2, 1, 0));
        assert_eq!(pair.differences, BTreeMap::from([("a", 2), ("b", -1), ("c", 0)]));
        // 2 - 1 is 1; all of ±2 ±1 are at least as far from 0.
        assert_eq!(pair.clustered(), 1.0);
        assert_eq!(Pair::of(&first, &BTreeMap::new()), None);
    }
}

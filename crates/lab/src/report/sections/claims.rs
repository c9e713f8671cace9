//! Tests of the paper's other claims on these records: that longer examples help the more complex grammars by 2 to 5
//! points, that fewer non-terminals are easier, that more productions are easier.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::{Section, Table};
use super::super::figures::{NONE, p, points, share};
use super::super::published::{LENGTHS, MEAN_ACCURACY};
use super::super::statistics::{mean, sign_test_of_means, trend_test};
use super::super::study::Study;
use crate::spec::Language;

/// A p-value below this is significant.
const SURE: f64 = 0.05;

/// One answer: its job and its accuracy.
struct Case {
    grammar: String,
    nonterminals: usize,
    productions: usize,
    length: usize,
    accuracy: f64,
    exact: bool,
}

pub(super) fn section(study: &Study) -> Option<Section> {
    if study.name != "paper" {
        return None;
    }
    let learners: Vec<(&str, Vec<Case>)> = study
        .learners()
        .into_iter()
        .map(|learner| (learner, cases(study, learner)))
        .filter(|(_, cases)| !cases.is_empty())
        .collect();
    if learners.is_empty() {
        return None;
    }
    let mut section = Section::new("The paper's claims");
    section.text(
        "Each is asked of mean accuracy, and answered where chance alone would do as much in fewer than 5 of 100 cases; \
         grammars are what is counted, not runs. For lengths, each grammar gives its accuracy at the longest examples less \
         that at the shortest, and signs are turned around. For sizes, grammars are dealt out anew among the values of n \
         (those with the same p), or of p (those with the same n). P-values \
         are not corrected for their number. A learner that is nearly always right has no room for any of the three.",
    );
    section.table(lengths(&learners));
    let nonterminals = Factor {
        claim: "Fewer non-terminals are easier",
        letter: "n",
        value: |case| (case.nonterminals, case.productions),
        easier: -1.0,
        published: |value| mean(MEAN_ACCURACY.iter().filter(|(n, ..)| *n == value).flat_map(|row| row.2).flatten()),
    };
    let productions = Factor {
        claim: "More productions are easier",
        letter: "p",
        value: |case| (case.productions, case.nonterminals),
        easier: 1.0,
        published: |value| mean(MEAN_ACCURACY.iter().filter(|(_, p, _)| *p == value).flat_map(|row| row.2).flatten()),
    };
    section.table(nonterminals.table(&learners));
    section.table(productions.table(&learners));
    Some(section)
}

fn cases(study: &Study, learner: &str) -> Vec<Case> {
    let case = |record: &crate::record::Record| {
        let Language::Grammar { nonterminals, productions, .. } = record.spec.language else { return None };
        let answer = record.answer.as_ref()?;
        Some(Case {
            grammar: record.spec.language.name(),
            nonterminals,
            productions,
            length: record.spec.draw.depth,
            accuracy: answer.evaluation.accuracy.value,
            exact: answer.exact,
        })
    };
    study.of(learner).filter_map(case).collect()
}

fn lengths(learners: &[(&str, Vec<Case>)]) -> Table {
    let ends = |lengths: &mut dyn Iterator<Item = usize>| {
        lengths.fold(None, |ends: Option<(usize, usize)>, length| {
            Some(ends.map_or((length, length), |(low, high)| (low.min(length), high.max(length))))
        })
    };
    let all = ends(&mut learners.iter().flat_map(|(_, cases)| cases).map(|case| case.length));
    let Some((short, long)) = all.filter(|(short, long)| short < long) else { return Table::default() };
    let head = [
        "learner".to_owned(),
        format!("accuracy at {short}"),
        format!("at {long}"),
        "points".to_owned(),
        format!("exact at {short}"),
        format!("at {long}"),
        "grammars better, same, worse".to_owned(),
        "p-value".to_owned(),
        "answer".to_owned(),
    ];
    let mut table = Table::new("Longer examples help the more complex grammars by 2 to 5 points", head);
    let sizes: BTreeSet<usize> = learners.iter().flat_map(|(_, cases)| cases).map(|case| case.nonterminals).collect();
    for (learner, cases) in learners {
        table.row(at_ends((*learner).to_owned(), &cases.iter().collect::<Vec<&Case>>(), (short, long)));
        for n in sizes.iter().filter(|_| sizes.len() > 1) {
            let cases: Vec<&Case> = cases.iter().filter(|case| case.nonterminals == *n).collect();
            table.row(at_ends(format!("{learner}, n {n}"), &cases, (short, long)));
        }
    }
    for n in [None].into_iter().chain(sizes.iter().copied().filter(|_| sizes.len() > 1).map(Some)) {
        let published = |length: usize| {
            let column = LENGTHS.iter().position(|&known| known == length)?;
            let rows = MEAN_ACCURACY.iter().filter(|row| n.is_none_or(|n| row.0 == n));
            mean(rows.filter_map(|row| row.2[column]))
        };
        let gain = published(long).zip(published(short)).map(|(long, short)| long - short);
        let name = n.map_or(String::new(), |n| format!(", n {n}"));
        let mut row = vec![format!("the paper's figure{name}"), share(published(short)), share(published(long))];
        row.push(gain.map_or(NONE.to_owned(), points));
        row.resize(table.head.len(), NONE.to_owned());
        table.row(row);
    }
    table
}

/// A learner's gain from the shortest examples to the longest.
fn at_ends(name: String, cases: &[&Case], (short, long): (usize, usize)) -> Vec<String> {
    let at = |length: usize| mean(cases.iter().filter(|case| case.length == length).map(|case| case.accuracy));
    let exact = |length: usize| {
        mean(cases.iter().filter(|case| case.length == length).map(|case| f64::from(u8::from(case.exact))))
    };
    let mut grammars: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.length == short || case.length == long) {
        grammars.entry(&case.grammar).or_default()[usize::from(case.length == long)].push(case.accuracy);
    }
    let differences: Vec<f64> = grammars
        .values()
        .filter_map(|[short, long]| Some(mean(long.iter().copied())? - mean(short.iter().copied())?))
        .collect();
    let chance = sign_test_of_means(&differences);
    let gain = at(long).zip(at(short)).map(|(long, short)| long - short);
    let count = |kind: fn(&f64) -> bool| differences.iter().filter(|difference| kind(difference)).count();
    let answer = match gain {
        None => NONE,
        Some(_) if chance >= SURE => "not shown",
        Some(gain) if gain < 0.0 => "no: they hurt",
        Some(gain) if gain < 0.02 => "yes, but by less",
        Some(gain) if gain <= 0.05 => "yes",
        Some(_) => "yes, by more",
    };
    vec![
        name,
        share(at(short)),
        share(at(long)),
        gain.map_or(NONE.to_owned(), points),
        share(exact(short)),
        share(exact(long)),
        format!("{}, {}, {}", count(|d| *d > 0.0), count(|d| *d == 0.0), count(|d| *d < 0.0)),
        p(chance),
        answer.to_owned(),
    ]
}

/// A parameter of grammars, and the claim about it.
struct Factor {
    claim: &'static str,
    letter: &'static str,
    /// Its value, and the value of the other parameter, which is held fixed.
    value: fn(&Case) -> (usize, usize),
    /// Whether higher (1) or lower (-1) values are claimed to be easier.
    easier: f64,
    published: fn(usize) -> Option<f64>,
}

impl Factor {
    fn table(&self, learners: &[(&str, Vec<Case>)]) -> Table {
        let values = learners.iter().flat_map(|(_, cases)| cases).map(|case| (self.value)(case).0);
        let values: Vec<usize> = values.collect::<BTreeSet<usize>>().into_iter().collect();
        if values.len() < 2 {
            return Table::default();
        }
        let head = ["learner".to_owned()]
            .into_iter()
            .chain(values.iter().map(|value| format!("accuracy at {} {value}", self.letter)))
            .chain([format!("points for each {}", self.letter), "p-value".to_owned(), "answer".to_owned()]);
        let mut table = Table::new(self.claim, head);
        for (learner, cases) in learners {
            let mut grammars: BTreeMap<&str, (usize, usize, Vec<f64>)> = BTreeMap::new();
            for case in cases {
                let (value, held) = (self.value)(case);
                grammars.entry(&case.grammar).or_insert((held, value, Vec::new())).2.push(case.accuracy);
            }
            let entries: Vec<(usize, f64, f64)> = grammars
                .values()
                .filter_map(|(held, value, list)| Some((*held, *value as f64, mean(list.iter().copied())?)))
                .collect();
            let at = |value: &usize| {
                let list = cases.iter().filter(|case| (self.value)(case).0 == *value).map(|case| case.accuracy);
                share(mean(list))
            };
            let (slope, chance, answer) = match trend_test(&entries) {
                None => (NONE.to_owned(), NONE.to_owned(), NONE),
                Some((slope, chance)) if chance >= SURE => (points(slope), p(chance), "not shown"),
                Some((slope, chance)) if slope * self.easier > 0.0 => (points(slope), p(chance), "yes"),
                Some((slope, chance)) => (points(slope), p(chance), "no: the opposite"),
            };
            let row = [(*learner).to_owned()].into_iter().chain(values.iter().map(at));
            table.row(row.chain([slope, chance, answer.to_owned()]));
        }
        let published = values.iter().map(|value| share((self.published)(*value)));
        let row = ["the paper's figure".to_owned()].into_iter().chain(published);
        table.row(row.chain([NONE; 3].map(str::to_owned)));
        table
    }
}

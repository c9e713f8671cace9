//! Mean accuracy by size of the grammar and length of the examples, beside the paper's own numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::{Section, Table};
use super::super::figures::{number_of, share};
use super::super::pictures::heat::{self, Grid};
use super::super::published;
use super::super::statistics::mean;
use super::super::study::{Study, answers, in_order, variant};
use crate::record::Record;
use crate::spec::Language;

/// t, n, 𝔭.
type Size = (usize, usize, usize);

/// The cells of a learner with one way of drawing.
struct Cells<'a> {
    learner: &'a str,
    variant: String,
    means: BTreeMap<(Size, usize), f64>,
}

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut all = Vec::new();
    for learner in study.learners() {
        for variant in
            in_order(study.of(learner).filter(|record| size(record).is_some()).map(|record| variant(&record.spec)))
        {
            all.push(Cells::of(study, learner, variant));
        }
    }
    all.retain(|cells| !cells.means.is_empty());
    let sizes: BTreeSet<Size> = all.iter().flat_map(|cells| cells.means.keys().map(|(size, _)| *size)).collect();
    let lengths: BTreeSet<usize> = all.iter().flat_map(|cells| cells.means.keys().map(|(_, length)| *length)).collect();
    if sizes.len() < 2 {
        return None;
    }
    let (sizes, lengths): (Vec<Size>, Vec<usize>) = (sizes.into_iter().collect(), lengths.into_iter().collect());
    let one_alphabet = sizes.iter().all(|(letters, ..)| *letters == sizes[0].0);
    let name = |&(t, n, p): &Size| if one_alphabet { format!("{n}, {p}") } else { format!("{t}, {n}, {p}") };
    let corner = if one_alphabet { "n, p" } else { "t, n, p" };
    let several_variants = all.iter().any(|cells| cells.variant != all[0].variant);

    let published: BTreeMap<(Size, usize), f64> = sizes
        .iter()
        .flat_map(|size| lengths.iter().map(move |length| (*size, *length)))
        .filter_map(|(size, length)| Some(((size, length), published_at(size, length)?)))
        .collect();

    let mut section = Section::new("Accuracy by size of the grammar and length of the examples");
    section.text(
        "Mean accuracy, |L ∩ L'| / |L ∪ L'|, over the answers for grammars with n non-terminals and on average p productions \
         for each; columns are the length of the longest examples.",
    );
    let titled = |cells: &Cells| match several_variants {
        true => format!("{} ({})", cells.learner, cells.variant),
        false => cells.learner.to_owned(),
    };
    let mut means = Table::new(
        "Mean over cells",
        ["learner", "cells", "mean", "cells of the paper's grid", "ours there", "the paper's there"],
    );
    for cells in &all {
        let shared: Vec<(f64, f64)> =
            cells.means.iter().filter_map(|(cell, ours)| Some((*ours, *published.get(cell)?))).collect();
        means.row([
            titled(cells),
            cells.means.len().to_string(),
            share(mean(cells.means.values().copied())),
            shared.len().to_string(),
            share(mean(shared.iter().map(|(ours, _)| *ours))),
            share(mean(shared.iter().map(|(_, paper)| *paper))),
        ]);
    }
    if published.is_empty() {
        means.head.truncate(3);
        means.rows.iter_mut().for_each(|row| row.truncate(3));
    }
    section.table(means);

    let grid = |title: String, means: &BTreeMap<(Size, usize), f64>| Grid {
        title,
        rows: sizes.iter().map(name).collect(),
        columns: lengths.iter().map(ToString::to_string).collect(),
        cells: sizes
            .iter()
            .map(|size| lengths.iter().map(|length| means.get(&(*size, *length)).copied()).collect())
            .collect(),
    };
    let mut grids: Vec<Grid> = all.iter().map(|cells| grid(titled(cells), &cells.means)).collect();
    let beside = if published.is_empty() { "" } else { ", and the paper's own numbers" };
    if !published.is_empty() {
        grids.push(grid("published in the paper".to_owned(), &published));
    }
    let svg = heat::picture("Mean accuracy by size of the grammar and length of the examples", corner, &grids);
    section.picture(
        "heat",
        format!("Mean accuracy by {corner} (rows) and length of the examples (columns){beside}"),
        svg,
    );

    for cells in &all {
        let caption = match published.is_empty() {
            true => titled(cells),
            false => format!("{}, and in brackets what the paper says", titled(cells)),
        };
        let mut table =
            Table::new(&caption, [corner.to_owned()].into_iter().chain(lengths.iter().map(ToString::to_string)));
        for size in &sizes {
            let cell = |length: &usize| {
                let ours = share(cells.means.get(&(*size, *length)).copied());
                published.get(&(*size, *length)).map_or(ours.clone(), |paper| format!("{ours} ({paper:.2})"))
            };
            table.row([name(size)].into_iter().chain(lengths.iter().map(cell)));
        }
        section.table(table);
    }
    let answered = answers(study.records.iter()).filter(|(spec, _)| spec.language.nonterminals().is_some()).count();
    section.text(format!("These are means over {}.", number_of(answered, "answer", "answers")));
    Some(section)
}

/// The size of the grammar, if the language is that of one as the paper draws them.
fn size(record: &Record) -> Option<Size> {
    match record.spec.language {
        Language::Grammar { letters, nonterminals, productions, reversed: false, .. } => {
            Some((letters, nonterminals, productions))
        }
        _ => None,
    }
}

fn published_at((letters, nonterminals, productions): Size, length: usize) -> Option<f64> {
    (letters == published::LETTERS).then(|| published::mean_accuracy(nonterminals, productions, length))?
}

impl<'a> Cells<'a> {
    fn of(study: &'a Study, learner: &'a str, variant: String) -> Self {
        let mut lists: BTreeMap<(Size, usize), Vec<f64>> = BTreeMap::new();
        for record in study.of(learner).filter(|record| super::super::study::variant(&record.spec) == variant) {
            if let (Some(size), Some(answer)) = (size(record), &record.answer) {
                let cell = lists.entry((size, record.spec.draw.depth)).or_default();
                cell.push(answer.evaluation.accuracy.value);
            }
        }
        let means = lists.into_iter().filter_map(|(cell, list)| Some((cell, mean(list)?))).collect();
        Self { learner, variant, means }
    }
}

//! Mean accuracy by size of the grammar and length of the examples, next to the paper's numbers.
//!
//! If lengths vary, each learner has a sheet with a column per length, as in the paper. If only the draws vary, columns
//! are draws; and if there is only one draw, columns are learners.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::{Section, Table};
use super::super::figures::{NONE, share};
use super::super::pictures::heat::{self, Grid};
use super::super::published;
use super::super::statistics::mean;
use super::super::study::{Study, in_order, variant};
use crate::record::Record;
use crate::spec::Language;

/// t, n, 𝔭.
type Size = (usize, usize, usize);

/// A table of means.
struct Sheet {
    title: String,
    columns: Vec<Column>,
}

/// The means of some records by size, and the paper's numbers for the same sizes.
struct Column {
    name: String,
    means: BTreeMap<Size, f64>,
    published: BTreeMap<Size, f64>,
}

pub(super) fn section(study: &Study) -> Option<Section> {
    let records: Vec<&Record> =
        study.records.iter().filter(|record| size(record).is_some() && record.answer.is_some()).collect();
    let sizes: BTreeSet<Size> = records.iter().filter_map(|record| size(record)).collect();
    if sizes.len() < 2 {
        return None;
    }
    let of_draw = |record: &&&Record| (variant(&record.spec), record.spec.draw.depth);
    let draws = in_order(records.iter().map(|record| of_draw(&record)));
    let variants = in_order(draws.iter().map(|(variant, _)| variant));
    let by_length = draws.len() > variants.len();
    let sheets = match (by_length, draws.len()) {
        (true, _) => by_lengths(&records, variants.len() > 1),
        (false, 1) => vec![by_learners(&records)],
        (false, _) => by_draws(&records),
    };

    let sizes: Vec<Size> = sizes.into_iter().collect();
    let one_alphabet = sizes.iter().all(|(letters, ..)| *letters == sizes[0].0);
    let name = |&(t, n, p): &Size| if one_alphabet { format!("{n}, {p}") } else { format!("{t}, {n}, {p}") };
    let corner = if one_alphabet { "n, p" } else { "t, n, p" };
    let compared = sheets.iter().flat_map(|sheet| &sheet.columns).any(|column| !column.published.is_empty());

    let (title, columns) = match (by_length, draws.len()) {
        (true, _) => ("size of the grammar and length of the examples", "the length of the longest examples"),
        (false, 1) => ("size of the grammar", "learners"),
        (false, _) => ("size of the grammar and draw of the examples", "draws of the examples"),
    };
    let mut section = Section::new(format!("Accuracy by {title}"));
    let mut about = format!(
        "Mean accuracy, |L ∩ L'| / |L ∪ L'|, over the answers for grammars with n non-terminals and on average p \
         productions for each (t letters); columns are {columns}."
    );
    if compared {
        about += " The paper's numbers are from the figure of its long version; its grammars are others, drawn in the same \
                  way, and for n 4, p 5 it had two or three runs a cell.";
    }
    section.text(about);
    if by_length {
        section.table(means(&sheets, compared));
    }
    let mut grids: Vec<Grid> =
        sheets.iter().map(|sheet| grid(&sheet.title, &sizes, &name, &sheet.columns, |column| &column.means)).collect();
    if compared && by_length {
        let all =
            sheets.iter().max_by_key(|sheet| sheet.columns.iter().map(|column| column.published.len()).sum::<usize>());
        let columns = all.map_or(&[][..], |sheet| &sheet.columns);
        grids.push(grid("published in the paper", &sizes, &name, columns, |column| &column.published));
    }
    let svg = heat::picture(&format!("Mean accuracy by {title}"), corner, &grids);
    let beside = if compared { "; beside them what the paper says" } else { "" };
    section.picture("heat", format!("Mean accuracy by {corner} (rows) and {columns} (columns){beside}"), svg);
    for sheet in &sheets {
        section.table(sheet.table(corner, &sizes, &name, by_length && compared));
    }
    Some(section)
}

/// A sheet for each learner and way of drawing, with a column per length.
fn by_lengths(records: &[&Record], several_variants: bool) -> Vec<Sheet> {
    let of = |record: &&Record| (record.spec.learner.name.clone(), variant(&record.spec));
    let sheet = |key: (String, String)| {
        let own: Vec<&Record> = records.iter().copied().filter(|record| of(record) == key).collect();
        let lengths: BTreeSet<usize> = own.iter().map(|record| record.spec.draw.depth).collect();
        let column = |length: usize| {
            let of_length = own.iter().copied().filter(|record| record.spec.draw.depth == length);
            let mut column = Column::of(length.to_string(), of_length);
            column.compare(length);
            column
        };
        let title = if several_variants { format!("{} ({})", key.0, key.1) } else { key.0.clone() };
        Sheet { title, columns: lengths.into_iter().map(column).collect() }
    };
    in_order(records.iter().map(of)).into_iter().map(sheet).collect()
}

/// A sheet for each learner, with a column per draw.
fn by_draws(records: &[&Record]) -> Vec<Sheet> {
    let sheet = |learner: &str| {
        let own: Vec<&Record> = records.iter().copied().filter(|record| record.spec.learner.name == learner).collect();
        let draws = in_order(own.iter().map(|record| record.spec.draw.name.as_str()));
        let column = |draw: &str| {
            Column::of(draw.to_owned(), own.iter().copied().filter(|record| record.spec.draw.name == draw))
        };
        Sheet { title: learner.to_owned(), columns: draws.into_iter().map(column).collect() }
    };
    in_order(records.iter().map(|record| record.spec.learner.name.as_str())).into_iter().map(sheet).collect()
}

/// One sheet, with a column for each learner and one for the paper.
fn by_learners(records: &[&Record]) -> Sheet {
    let learners = in_order(records.iter().map(|record| record.spec.learner.name.as_str()));
    let column = |learner: &&str| {
        let own = records.iter().copied().filter(|record| record.spec.learner.name == *learner);
        Column::of((*learner).to_owned(), own)
    };
    let mut columns: Vec<Column> = learners.iter().map(column).collect();
    let mut paper = Column::of("published".to_owned(), records.iter().copied());
    paper.compare(records.first().map_or(0, |record| record.spec.draw.depth));
    if !paper.published.is_empty() {
        columns.push(Column { means: paper.published.clone(), ..paper });
    }
    let draw = records.first().map_or("", |record| &record.spec.draw.name);
    Sheet { title: draw.to_owned(), columns }
}

impl Column {
    fn of<'a>(name: String, records: impl Iterator<Item = &'a Record>) -> Self {
        let mut lists: BTreeMap<Size, Vec<f64>> = BTreeMap::new();
        for record in records {
            if let (Some(size), Some(answer)) = (size(record), &record.answer) {
                lists.entry(size).or_default().push(answer.evaluation.accuracy.value);
            }
        }
        let means = lists.into_iter().filter_map(|(size, list)| Some((size, mean(list)?))).collect();
        Self { name, means, published: BTreeMap::new() }
    }

    /// Adds the paper's numbers for the same sizes at this length.
    fn compare(&mut self, length: usize) {
        let published = |&(letters, n, p): &Size| {
            (letters == published::LETTERS).then(|| published::mean_accuracy(n, p, length)).flatten()
        };
        self.published = self.means.keys().filter_map(|size| Some((*size, published(size)?))).collect();
    }
}

impl Sheet {
    fn table(&self, corner: &str, sizes: &[Size], name: &dyn Fn(&Size) -> String, compared: bool) -> Table {
        let caption = match compared {
            true => format!("{}, and in brackets what the paper says", self.title),
            false => self.title.clone(),
        };
        let head = [corner.to_owned()].into_iter().chain(self.columns.iter().map(|column| column.name.clone()));
        let mut table = Table::new(&caption, head);
        let cell = |ours: Option<f64>, paper: Option<f64>| match paper.filter(|_| compared) {
            Some(paper) => format!("{} ({paper:.2})", share(ours)),
            None => share(ours),
        };
        for size in sizes {
            let cells = self
                .columns
                .iter()
                .map(|column| cell(column.means.get(size).copied(), column.published.get(size).copied()));
            table.row([name(size)].into_iter().chain(cells));
        }
        let last = self
            .columns
            .iter()
            .map(|column| cell(mean(column.means.values().copied()), mean(column.published.values().copied())));
        table.row(["mean".to_owned()].into_iter().chain(last));
        table
    }
}

/// The means over all cells of each sheet, and over those that the paper also has.
fn means(sheets: &[Sheet], compared: bool) -> Table {
    let mut head = vec!["learner", "cells", "mean"];
    if compared {
        head.extend(["cells of the paper", "mean there", "the paper's"]);
    }
    let mut table = Table::new("Mean over cells", head);
    for sheet in sheets {
        let cells: Vec<f64> = sheet.columns.iter().flat_map(|column| column.means.values()).copied().collect();
        let mut row = vec![sheet.title.clone(), cells.len().to_string(), share(mean(cells))];
        if compared {
            let pairs = sheet.columns.iter().flat_map(|column| {
                column.published.iter().filter_map(|(size, paper)| Some((*column.means.get(size)?, *paper)))
            });
            let pairs: Vec<(f64, f64)> = pairs.collect();
            let told = |list: Option<f64>| if pairs.is_empty() { NONE.to_owned() } else { share(list) };
            row.push(pairs.len().to_string());
            row.push(told(mean(pairs.iter().map(|(ours, _)| *ours))));
            row.push(told(mean(pairs.iter().map(|(_, paper)| *paper))));
        }
        table.row(row);
    }
    table
}

fn grid(
    title: &str,
    sizes: &[Size],
    name: &dyn Fn(&Size) -> String,
    columns: &[Column],
    values: fn(&Column) -> &BTreeMap<Size, f64>,
) -> Grid {
    let row = |size: &Size| columns.iter().map(|column| values(column).get(size).copied()).collect();
    Grid {
        title: title.to_owned(),
        rows: sizes.iter().map(name).collect(),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
        cells: sizes.iter().map(row).collect(),
    }
}

/// The size of the grammar, if the language was drawn as in the paper.
fn size(record: &Record) -> Option<Size> {
    match record.spec.language {
        Language::Grammar { letters, nonterminals, productions, reversed: false, .. } => {
            Some((letters, nonterminals, productions))
        }
        _ => None,
    }
}

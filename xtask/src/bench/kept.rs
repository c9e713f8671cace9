//! The figures of all sets by row, cell, engine and name, in `target/bench/NAME.json`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::root;

pub(super) struct Kept {
    path: PathBuf,
    rows: Value,
}

impl Kept {
    /// What is there from before, if anything is.
    pub(super) fn open(name: &str) -> anyhow::Result<Self> {
        let folder = root().join("target/bench");
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{name}.json"));
        let rows = match std::fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| format!("{} is broken", path.display()))?,
            Err(_) => json!({}),
        };
        Ok(Self { path, rows })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what came of a set, in place of what came of it before.
    pub(super) fn add(&mut self, at: [&str; 3], line: Value) -> anyhow::Result<()> {
        let [row, cell, engine] = at;
        let name = line["set"].as_str().unwrap_or(cell).to_owned();
        self.rows[row][cell][engine][name] = line;
        // Whole or not at all: hours may have gone into it.
        let new = self.path.with_extension("new");
        std::fs::write(&new, serde_json::to_string_pretty(&self.rows)? + "\n")?;
        Ok(std::fs::rename(&new, &self.path)?)
    }

    /// Drops what came of a cell before.
    pub(super) fn forget(&mut self, row: &str, cell: &str, engine: &str) {
        if let Some(engines) = self.rows[row][cell].as_object_mut() {
            engines.remove(engine);
        }
    }

    /// How many sets of a cell are there.
    pub(super) fn count(&self, row: &str, cell: &str, engine: &str) -> usize {
        self.lines(row, cell, engine).len()
    }

    /// Whether this set is there.
    pub(super) fn has(&self, at: [&str; 3], set: &str) -> bool {
        self.lines(at[0], at[1], at[2]).iter().any(|line| line["set"] == set)
    }

    /// The sets of a cell with one engine.
    pub(super) fn lines(&self, row: &str, cell: &str, engine: &str) -> Vec<&Value> {
        self.rows[row][cell][engine].as_object().into_iter().flat_map(Map::values).collect()
    }

    /// Says what the figures of a row were measured under: one of each, unless a run was taken up again later.
    pub(super) fn print_conditions(&self, row: &str) {
        let cells = self.rows[row].as_object().into_iter().flat_map(Map::values);
        let engines = cells.filter_map(Value::as_object).flat_map(Map::values);
        let lines: Vec<&Value> = engines.filter_map(Value::as_object).flat_map(Map::values).collect();
        let commits: BTreeSet<&str> = lines.iter().filter_map(|line| line["commit"].as_str()).collect();
        let limits: BTreeSet<u64> = lines.iter().filter_map(|line| line["limit_seconds"].as_u64()).collect();
        let commits: Vec<&str> = commits.into_iter().collect();
        let limits: Vec<String> = limits.iter().map(u64::to_string).collect();
        println!("a set is cut after {} s; commit {}", limits.join(" or "), commits.join(", "));
    }
}

//! Plans: which languages, which words, which learners, and how many runs.
//!
//! A plan is a TOML file. It stands for a list of jobs: every combination of language, draw, learner and run, in this
//! order. Instead of languages and draws, or beside them, it may name fixed [`suites`](crate::suites).
//!
//! ```toml
//! name = "mine"
//! about = "Do longer words help?"
//! runs = 5                           # each with other words and another learner's seed
//! evaluation_depth = 16
//!
//! [[languages.grammars]]
//! letters = 4                        # t
//! nonterminals = [2, 3]              # n: a list stands for each of its values
//! productions = 3                    # 𝔭
//! count = 5                          # five grammars each
//!
//! [[draws]]
//! depth = [6, 8]
//! words = 4000                       # half of each label
//!
//! [[learners]]
//! name = "nerode"
//! engine = "auto"
//! ```

mod expansion;
mod file;

use std::collections::BTreeSet;

use crate::spec::Spec;

/// The built-in plans: names and texts.
pub const BUILT_IN: [(&str, &str); 19] = [
    ("paper", include_str!("../../plans/paper.toml")),
    ("ablation", include_str!("../../plans/ablation.toml")),
    ("grid", include_str!("../../plans/grid.toml")),
    ("fresh", include_str!("../../plans/fresh.toml")),
    ("lengths", include_str!("../../plans/lengths.toml")),
    ("quantity", include_str!("../../plans/quantity.toml")),
    ("guess", include_str!("../../plans/guess.toml")),
    ("noise", include_str!("../../plans/noise.toml")),
    ("tomita", include_str!("../../plans/tomita.toml")),
    ("dense", include_str!("../../plans/dense.toml")),
    ("proofs", include_str!("../../plans/proofs.toml")),
    ("scale", include_str!("../../plans/scale.toml")),
    ("foreign", include_str!("../../plans/foreign.toml")),
    ("questions", include_str!("../../plans/questions.toml")),
    ("strings", include_str!("../../plans/strings.toml")),
    ("textbook", include_str!("../../plans/textbook.toml")),
    ("subregular", include_str!("../../plans/subregular.toml")),
    ("stamina", include_str!("../../plans/stamina.toml")),
    ("smoke", include_str!("../../plans/smoke.toml")),
];

/// The text of the built-in plan with this name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The name.
    pub name: String,
    /// The question it asks.
    pub about: String,
    /// The jobs, in order; no two have the same name.
    pub jobs: Vec<Spec>,
}

/// A mistake in a plan: the line, the key, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {place}: {message}")]
pub struct PlanError {
    /// The line, counted from 1.
    pub line: usize,
    /// `key` followed by the key, or the header of a table.
    pub place: String,
    /// What is wrong there.
    pub message: String,
}

/// Maximum number of jobs in a plan.
const MOST_JOBS: usize = 1_000_000;

impl Plan {
    /// Reads a plan.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        let at = |offset: usize, message: String| mistake(text, offset, message);
        let file: file::File = toml::from_str(text)
            .map_err(|error| at(error.span().map_or(text.len(), |span| span.start), one_line(error.message())))?;
        let jobs = expansion::jobs(&file).map_err(|(offset, message)| at(offset, message))?;
        let mut names = BTreeSet::new();
        for job in &jobs {
            if !names.insert(&job.name) {
                let message = format!("two jobs are named {}: give the draws or learners different names", job.name);
                let place = file.languages.as_ref().map_or(0, |languages| languages.span().start);
                return Err(at(place, message));
            }
        }
        Ok(Self { name: file.name.0, about: file.about, jobs })
    }
}

fn one_line(message: &str) -> String {
    message.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

/// The error at this position: the key is the one on that line, or on the last line before it that has one.
fn mistake(text: &str, offset: usize, message: String) -> PlanError {
    let offset = offset.min(text.len());
    let line = text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let place = |line: &str| {
        let line = line.trim();
        match line.split_once('=') {
            _ if line.starts_with('#') => None,
            _ if line.starts_with('[') && line.ends_with(']') => Some(line.to_owned()),
            Some((key, _)) if !key.trim().contains([' ', '[', '{', ',']) => Some(format!("key `{}`", key.trim())),
            _ => None,
        }
    };
    let before: Vec<&str> = text.lines().take(line).collect();
    let place = before.iter().rev().find_map(|line| place(line)).unwrap_or_else(|| "at the beginning".to_owned());
    PlanError { line, place, message }
}

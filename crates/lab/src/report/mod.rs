//! Reports: the results of a study, as tables, pictures and tests.
//!
//! ```text
//!   Study ──► sections ──► Document ──► report.md, report.html, pictures/*.svg
//!   (records,  (statistics,   └ tables and pictures, all of plain text
//!    timings)   published)
//!        └──► columns ──► records.csv, timings.csv
//! ```
//!
//! A report is a function of its study: no clock, no randomness except from fixed seeds, the same bytes from the same
//! records. Times are in a separate section, and in `timings.csv`.

pub mod columns;
mod csv;
pub mod document;
mod figures;
mod html;
mod markdown;
pub(crate) mod pictures;
pub mod published;
mod sections;
pub mod statistics;
mod study;

pub use csv::csv;
pub use document::Document;
pub use html::html;
pub use markdown::markdown;
pub use study::Study;

/// The report on a study, in sections.
#[must_use]
pub fn document(study: &Study) -> Document {
    Document { title: format!("{}: {TITLE}", study.name), sections: sections::all(study) }
}

/// The end of the title of every report.
const TITLE: &str = "report of a study";

/// Whether this text is a `report.md`, of any version.
#[must_use]
pub fn is_report(markdown: &str) -> bool {
    let title = markdown.lines().next().and_then(|line| line.strip_prefix("# "));
    title.is_some_and(|title| title.ends_with(&format!(": {TITLE}")))
}

/// A file of a report: its path with `/`, and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the folder of the report.
    pub path: String,
    /// The content.
    pub content: Vec<u8>,
}

/// All files of the report.
#[must_use]
pub fn files(study: &Study) -> Vec<File> {
    let document = document(study);
    let file = |path: &str, content: String| File { path: path.to_owned(), content: content.into_bytes() };
    let mut files = vec![
        file("report.md", markdown(&document)),
        file("report.html", html(&document)),
        file("records.csv", csv(&columns::records(study))),
    ];
    if !study.timings.is_empty() {
        files.push(file("timings.csv", csv(&columns::timings(study))));
    }
    files.extend(
        document.pictures().map(|picture| file(&format!("pictures/{}.svg", picture.name), picture.svg.clone())),
    );
    files
}

//! Jobs without an answer, and files that are not records.

use super::super::document::{Block, Section};
use super::super::study::Study;

/// Maximum number of each to list.
const TOLD: usize = 20;

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("What went wrong");
    let errors = study.records.iter().filter_map(|record| Some((&record.spec.name, record.error.as_ref()?)));
    let errors: Vec<String> = errors.map(|(name, error)| format!("{name}: {error}")).collect();
    list(&mut section, "Jobs that ended without an answer:", &errors);
    list(&mut section, "Files that could not be read and are not counted in this report:", &study.broken);
    section.if_any()
}

fn list(section: &mut Section, head: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    section.text(head);
    let mut told: Vec<String> = entries.iter().take(TOLD).cloned().collect();
    if entries.len() > TOLD {
        told.push(format!("… and {} more", entries.len() - TOLD));
    }
    section.blocks.push(Block::List(told));
}

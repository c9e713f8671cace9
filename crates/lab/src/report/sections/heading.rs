//! What was run, how much of it is complete, and how to run it again.

use induction::learner::StopReason;

use super::super::document::{Block, Section};
use super::super::figures::number_of;
use super::super::study::{Study, answers, in_order, set};

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("The study");
    if !study.about.is_empty() {
        section.text(format!("{}.", study.about.trim_end_matches('.')));
    }
    let records = study.records.len();
    let of_all = study.jobs.map_or(String::new(), |jobs| format!(" of {}", number_of(jobs, "job", "jobs")));
    let missing = study.jobs.map_or(0, |jobs| jobs.saturating_sub(records));
    let mut points = vec![format!("{}{of_all}", number_of(records, "record", "records"))];
    if missing > 0 {
        points[0] += &format!("; {missing} are missing, so nothing here is final");
    }
    let languages = in_order(study.records.iter().map(|record| record.spec.language.name())).len();
    let sets = in_order(study.records.iter().map(|record| set(&record.spec))).len();
    points.push(format!(
        "{}, {} of examples, {}: {}",
        number_of(languages, "language", "languages"),
        number_of(sets, "set", "sets"),
        number_of(study.learners().len(), "learner", "learners"),
        study.learners().join(", ")
    ));
    let versions = in_order(study.records.iter().map(|record| record.version.as_str()));
    points.push(format!("made by nerode {}", versions.join(" and ")));
    if versions.len() > 1 {
        points.push("the records were made by several versions, which may differ".to_owned());
    }
    let errors = study.records.iter().filter(|record| record.error.is_some()).count();
    if errors > 0 {
        points.push(format!("{} with an error and no answer", number_of(errors, "job", "jobs")));
    }
    let cut = answers(study.records.iter()).filter(|(_, answer)| answer.stop_reason == StopReason::Cut).count();
    if cut > 0 {
        points.push(format!("{cut} stopped by the time limit: these depend on the machine"));
    }
    if !study.broken.is_empty() {
        points.push(format!("{} that could not be read", number_of(study.broken.len(), "file", "files")));
    }
    section.blocks.push(Block::List(points));
    section.text("To run it again:");
    section.blocks.push(Block::Command(study.command.clone()));
    Some(section)
}

//! The course of chosen trainings, as in the paper's figure.

use super::super::document::Section;
use super::super::pictures::tiles;
use super::super::study::Study;

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("The course of a training");
    for (i, progression) in study.progressions.iter().enumerate() {
        let caption = format!(
            "{}: beliefs in all productions from the random beginning to the end, a column for each left side. Bright is 1, \
             dark is 0; the last row is the belief in the start symbol",
            progression.job
        );
        section.picture(&format!("progression-{}", i + 1), caption, tiles::picture(progression));
    }
    section.if_any()
}

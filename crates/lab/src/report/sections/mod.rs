//! The sections of a report, one file per question. A section appears only if the records have the data it needs.

mod accuracy;
mod claims;
mod effort;
mod failures;
mod heading;
mod heat;
mod labels;
mod lengths;
mod pairs;
mod progression;
mod recovery;
mod small;
mod stamina;
mod strings;
mod subregular;
mod textbook;
mod times;
mod troubles;

use super::document::Section;
use super::study::Study;

/// All sections, in order; the times come last.
pub(super) fn all(study: &Study) -> Vec<Section> {
    let sections: [fn(&Study) -> Option<Section>; 18] = [
        heading::section,
        recovery::section,
        small::section,
        strings::section,
        textbook::section,
        subregular::section,
        stamina::section,
        heat::section,
        claims::section,
        accuracy::section,
        lengths::section,
        pairs::section,
        failures::section,
        effort::section,
        labels::section,
        progression::section,
        troubles::section,
        times::section,
    ];
    sections.into_iter().filter_map(|section| section(study)).collect()
}

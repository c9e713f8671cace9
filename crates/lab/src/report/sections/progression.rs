//! The progress of selected training runs, as in the paper's figure.

use induction::model::Shape;
use nerode::pictures::tiles::{Tiles, strip};

use super::super::document::Section;
use super::super::study::Study;
use crate::job::{Frame, Progression};

pub(super) fn section(study: &Study) -> Option<Section> {
    let mut section = Section::new("The course of a training");
    for (i, progression) in study.progressions.iter().enumerate() {
        let caption = format!(
            "{}: beliefs in all productions from the random beginning to the end, a column for each left side. Bright is 1, \
             dark is 0; the last row is the belief in the start symbol",
            progression.job
        );
        section.picture(&format!("progression-{}", i + 1), caption, picture(progression));
    }
    section.if_any()
}

/// The progress of a training run that was repeated.
fn picture(progression: &Progression) -> String {
    let byte = |belief: f64| libm::round(255.0 * belief.clamp(0.0, 1.0)) as u8;
    let bytes = |Frame { weights, .. }: &Frame| -> Vec<u8> {
        weights.terminal.iter().chain(&weights.step).chain(&weights.last).map(|belief| byte(*belief)).collect()
    };
    let frames: Vec<Vec<u8>> = progression.frames.iter().map(bytes).collect();
    strip(&Tiles {
        title: &format!("The course of the training of {}", progression.job),
        shape: Shape::Nfa,
        letters: progression.alphabet.names(),
        nonterminals: &(1..=progression.nonterminals).map(|k| format!("A{k}")).collect::<Vec<_>>(),
        frames: progression.frames.iter().map(|frame| frame.epochs).zip(frames.iter().map(Vec::as_slice)).collect(),
    })
}

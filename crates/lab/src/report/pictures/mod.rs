//! The pictures of reports, drawn with `nerode::pictures`.

pub(super) mod chart;
pub(super) mod heat;

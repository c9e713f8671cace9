//! Pictures as hand-written SVG.
//!
//! A picture is self-contained: it has its own light background, and its colours as attributes. Ink, lines, background
//! and series also have classes, so that a page can restyle them for dark mode. Series differ by shape as well as by
//! colour, and the colours are those of Okabe and Ito, so that they work in print and for colour-blind readers.

pub mod losses;
pub mod svg;
pub mod tiles;

/// The colours of series in light and dark mode.
pub const SERIES: [(&str, &str); 8] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff9248"),
    ("#009e73", "#2fd0a2"),
    ("#a0447f", "#e79fc7"),
    ("#5f5f5f", "#b9b9b9"),
    ("#b07a00", "#f0c040"),
    ("#3b3bb3", "#a3a3ff"),
    ("#8b1a1a", "#ff8f8f"),
];

/// Background in light and dark mode.
pub const GROUND: (&str, &str) = ("#ffffff", "#171b22");
/// Ink in light and dark mode.
pub const INK: (&str, &str) = ("#1c2330", "#e4e8ef");
/// Lines in light and dark mode.
pub const LINE: (&str, &str) = ("#c4cad6", "#3d4656");

/// The style with which a page shows pictures in dark mode.
pub fn night() -> String {
    let mut css = format!(".ground {{ fill: {} }} .ink {{ fill: {} }} .line {{ stroke: {} }}", GROUND.1, INK.1, LINE.1);
    for (i, (_, night)) in SERIES.iter().enumerate() {
        css += &format!(" .s{i} {{ color: {night} }}");
    }
    css
}

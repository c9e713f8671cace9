//! Pictures as SVG, written by hand.
//!
//! A picture stands by itself: it has its own light ground and its colours as attributes. What is ink, line or ground also
//! says so by its class, and each series by its own, so that a page that holds the picture can give it the colours of night.
//! Series differ by shape as well as by colour, and colours are those of Okabe and Ito, so that print and the colour-blind
//! lose nothing.

pub mod losses;
pub mod svg;
pub mod tiles;

/// The colours of series by day and by night.
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

/// Ground, ink and lines by day and by night.
pub const GROUND: (&str, &str) = ("#ffffff", "#171b22");
/// Ink by day and by night.
pub const INK: (&str, &str) = ("#1c2330", "#e4e8ef");
/// Lines by day and by night.
pub const LINE: (&str, &str) = ("#c4cad6", "#3d4656");

/// How a page gives pictures the colours of night.
pub fn night() -> String {
    let mut css = format!(".ground {{ fill: {} }} .ink {{ fill: {} }} .line {{ stroke: {} }}", GROUND.1, INK.1, LINE.1);
    for (i, (_, night)) in SERIES.iter().enumerate() {
        css += &format!(" .s{i} {{ color: {night} }}");
    }
    css
}

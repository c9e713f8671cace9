//! The layout as SVG text.
//!
//! The picture brings its own light ground, so that it can be read on a page of any colour, and uses no style sheet, so
//! that every viewer shows it alike.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::chains::RADIUS;
use super::graph::Graph;
use super::label::{FONT_SIZE, LINE_HEIGHT, Label};
use super::route::{ARROW, Block, Curve, Layout, Point};

pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#1c2330";
pub(super) const LINE: &str = "#46506a";
pub(super) const SANS: &str = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
pub(super) const MONO: &str =
    "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/// The picture of an automaton.
pub(super) fn picture(graph: &Graph, layout: &Layout, title: &str) -> String {
    let mut out = Svg::open(layout.width, layout.height, title);
    let curves = || {
        let arrows = layout.arrows.iter().map(|(curve, _)| curve);
        layout.entries.iter().chain(arrows).chain(layout.loops.iter().flatten().map(|(curve, _)| curve))
    };
    out.line(format_args!("<g fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.4\">"));
    for curve in curves() {
        out.line(format_args!("<path d=\"{}\"/>", path(curve)));
    }
    out.line(format_args!("</g>"));
    out.line(format_args!("<g fill=\"{LINE}\">"));
    for curve in curves() {
        out.line(format_args!("<path d=\"{}\"/>", head(curve)));
    }
    out.line(format_args!("</g>"));

    out.line(format_args!("<g fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\"1.6\">"));
    for (state, &Point { x, y }) in graph.states.iter().zip(&layout.states) {
        let (x, y) = (number(x), number(y));
        out.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", number(RADIUS)));
        if state.accepting {
            out.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", number(RADIUS - 4.0)));
        }
    }
    out.line(format_args!("</g>"));
    out.line(format_args!("<g fill=\"{INK}\" font-family=\"{SANS}\" text-anchor=\"middle\">"));
    for (state, &Point { x, y }) in graph.states.iter().zip(&layout.states) {
        let size = (52.0 / state.name.width().max(1) as f64).min(15.0);
        let (x, y) = (number(x), number(y + 0.36 * size));
        out.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\">{}</text>",
            number(size),
            escaped(&state.name)
        ));
    }
    out.line(format_args!("</g>"));

    // The paper-coloured rim keeps a label legible where a line comes close.
    out.line(format_args!(
        "<g fill=\"{INK}\" font-family=\"{MONO}\" font-size=\"{}\" text-anchor=\"middle\" stroke=\"{PAPER}\" \
         stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">",
        number(FONT_SIZE)
    ));
    for (arrow, (_, block)) in graph.arrows.iter().zip(&layout.arrows) {
        out.label(&arrow.label, block);
    }
    for (state, shape) in graph.states.iter().zip(&layout.loops) {
        if let (Some(label), Some((_, block))) = (&state.looping, shape) {
            out.label(label, block);
        }
    }
    out.line(format_args!("</g>"));
    out.close()
}

/// A picture of one line of text.
pub(super) fn notice(text: &str, title: &str) -> String {
    let (width, height) = (text.width() as f64 * 9.0 + 40.0, 48.0);
    let mut out = Svg::open(width, height, title);
    let (x, y) = (number(width / 2.0), number(height / 2.0 + 5.5));
    out.line(format_args!(
        "<text x=\"{x}\" y=\"{y}\" fill=\"{INK}\" font-family=\"{SANS}\" font-size=\"16\" text-anchor=\"middle\">{}</text>",
        escaped(text)
    ));
    out.close()
}

/// The document as it grows.
pub(super) struct Svg(String);

impl Svg {
    pub(super) fn open(width: f64, height: f64, title: &str) -> Self {
        let (width, height) = (number(width), number(height));
        let mut out = Self(String::new());
        out.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">"
        ));
        out.line(format_args!("<title>{}</title>", escaped(title)));
        out.line(format_args!("<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\"/>"));
        out
    }

    pub(super) fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
        self.0.push('\n');
    }

    fn label(&mut self, label: &Label, block: &Block) {
        let x = number((block.left + block.right) / 2.0);
        let middle = (block.top + block.bottom) / 2.0;
        let lines = label.lines().len() as f64;
        for (i, text) in label.lines().iter().enumerate() {
            let baseline = middle + LINE_HEIGHT * (i as f64 + 1.0 - lines / 2.0) - 3.5;
            self.line(format_args!("<text x=\"{x}\" y=\"{}\">{}</text>", number(baseline), escaped(text)));
        }
    }

    pub(super) fn close(mut self) -> String {
        self.line(format_args!("</svg>"));
        self.0
    }
}

/// A coordinate to a tenth, as short as it goes.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, part) = (tenths.abs() / 10, tenths.abs() % 10);
    if part == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

fn pair(point: Point) -> String {
    format!("{},{}", number(point.x), number(point.y))
}

/// The line of an arrow.
fn path(curve: &Curve) -> String {
    let [first, rest @ ..] = curve.points.as_slice() else { return String::new() };
    let mut text = format!("M{}", pair(*first));
    let mut here = *first;
    for piece in rest.chunks_exact(3) {
        let [one, two, end] = [piece[0], piece[1], piece[2]];
        let _ = if one == here && two == end {
            write!(text, " L{}", pair(end))
        } else {
            write!(text, " C{} {} {}", pair(one), pair(two), pair(end))
        };
        here = end;
    }
    text
}

/// The head of an arrow, along the last bit of its line.
fn head(curve: &Curve) -> String {
    let Point { x, y } = curve.tip;
    let Some(&end) = curve.points.last() else { return String::new() };
    let (dx, dy) = (end.x - x, end.y - y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    let (dx, dy) = (dx / length, dy / length);
    let barb = |side: f64| Point { x: x + ARROW * dx - side * dy, y: y + ARROW * dy + side * dx };
    format!("M{} L{} L{} L{} Z", pair(curve.tip), pair(barb(3.8)), pair(end), pair(barb(-3.8)))
}

/// Text for XML and HTML, on one line. What XML cannot hold is replaced.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

//! A writer of SVG documents.

use std::fmt::Write;

use automata::drawing::escaped;

use super::{GROUND, INK, LINE};

const SANS: &str = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// The alignment of a text at its position.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// Text begins here.
    Start,
    /// Text is centred here.
    Middle,
    /// Text ends here.
    End,
}

/// An unfinished picture.
pub struct Svg(String);

impl Svg {
    /// Starts a picture of this size.
    pub fn open(width: f64, height: f64, title: &str) -> Self {
        let (width, height) = (number(width), number(height));
        let mut out = Self(String::new());
        out.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{SANS}\" font-size=\"12\">"
        ));
        out.line(format_args!("<title>{}</title>", escaped(title)));
        let ground = GROUND.0;
        out.line(format_args!(
            "<rect class=\"ground\" width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{ground}\"/>"
        ));
        out
    }

    /// Adds a line of SVG.
    pub fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
        self.0.push('\n');
    }

    /// A text in ink.
    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, more: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, ink) = (number(x), number(y), INK.0);
        self.line(format_args!(
            "<text class=\"ink\" x=\"{x}\" y=\"{y}\"{anchor} fill=\"{ink}\"{more}>{}</text>",
            escaped(text)
        ));
    }

    /// A faint line.
    pub fn rule(&mut self, from: (f64, f64), to: (f64, f64), more: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        let line = LINE.0;
        self.line(format_args!(
            "<line class=\"line\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{line}\"{more}/>"
        ));
    }

    /// Ends the picture and returns its text.
    pub fn close(mut self) -> String {
        self.line(format_args!("</svg>"));
        self.0
    }
}

/// A coordinate with one decimal, as short as possible.
pub fn number(value: f64) -> String {
    let tenths = libm::round(value * 10.0) as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, part) = (tenths.abs() / 10, tenths.abs() % 10);
    if part == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// The approximate width of a text at the usual size.
pub fn width(text: &str) -> f64 {
    6.6 * text.chars().count() as f64
}

//! Points and lines over two axes, in one panel or several under one legend.

use std::collections::BTreeSet;

use nerode::pictures::SERIES;
use nerode::pictures::svg::{Anchor, Svg, number, width};

/// One plot with two axes.
pub(in super::super) struct Panel {
    pub(in super::super) title: String,
    pub(in super::super) x: Axis,
    pub(in super::super) y: Axis,
    pub(in super::super) series: Vec<Series>,
    /// The position of a vertical line.
    pub(in super::super) mark: Option<f64>,
}

/// An axis: its range and its ticks.
pub(in super::super) struct Axis {
    label: String,
    from: f64,
    to: f64,
    ticks: Vec<(f64, String)>,
    log: bool,
}

/// Points drawn in one style.
pub(in super::super) struct Series {
    pub(in super::super) name: String,
    pub(in super::super) points: Vec<Point>,
    pub(in super::super) line: Line,
}

/// How the points of a series are connected.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Line {
    None,
    Straight,
    Steps,
}

#[derive(Clone, Copy)]
pub(in super::super) struct Point {
    pub(in super::super) x: f64,
    pub(in super::super) y: f64,
    /// An interval about y.
    pub(in super::super) range: Option<(f64, f64)>,
}

impl Point {
    pub(in super::super) fn at(x: f64, y: f64) -> Self {
        Self { x, y, range: None }
    }
}

impl Axis {
    /// One position per name: 0, 1, 2, …
    pub(in super::super) fn categories(label: &str, names: &[&str]) -> Self {
        let ticks = names.iter().enumerate().map(|(place, name)| (place as f64, (*name).to_owned())).collect();
        Self { label: label.to_owned(), from: -0.5, to: names.len() as f64 - 0.5, ticks, log: false }
    }

    /// From 0 to 1, with some room for what is drawn at the ends.
    pub(in super::super) fn shares(label: &str) -> Self {
        let ticks = (0..=5).map(|i| (f64::from(i) / 5.0, format!("{:.1}", f64::from(i) / 5.0))).collect();
        Self { label: label.to_owned(), from: -0.02, to: 1.03, ticks, log: false }
    }

    /// Integers from 0.
    pub(in super::super) fn counts(label: &str, to: usize) -> Self {
        let step = [1, 2, 4, 5, 10, 20, 50, 100, 200].into_iter().find(|step| to / step <= 8).unwrap_or(500);
        let ticks = (0..=to).step_by(step).map(|tick| (tick as f64, tick.to_string())).collect();
        Self { label: label.to_owned(), from: -0.02 * to as f64, to: 1.02 * to as f64, ticks, log: false }
    }

    /// Logarithmic, around these bounds, which must be positive.
    pub(in super::super) fn log(label: &str, (low, high): (f64, f64)) -> Self {
        let (from, to) = (low / 1.3, high * 1.3);
        let decades = libm::floor(libm::log10(from)) as i32..=libm::ceil(libm::log10(to)) as i32;
        let parts: &[f64] = match to / from {
            ratio if ratio < 20.0 => &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0],
            ratio if ratio < 200.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let ticks = decades.flat_map(|decade| parts.iter().map(move |part| part * libm::exp10(f64::from(decade))));
        let ticks = ticks.filter(|tick| (from..=to).contains(tick)).map(|tick| (tick, written(tick))).collect();
        Self { label: label.to_owned(), from, to, ticks, log: true }
    }

    /// The position of a number: 0 at the start of the axis, 1 at its end.
    fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.log { libm::log(value) } else { value };
        (scale(value) - scale(self.from)) / (scale(self.to) - scale(self.from))
    }
}

/// `0.001`, `2`, `10000`.
fn written(tick: f64) -> String {
    if tick >= 0.9 { format!("{tick:.0}") } else { format!("{tick:.6}").trim_end_matches('0').to_owned() }
}

const MARGIN: f64 = 16.0;
/// Left of the plot: numbers and the label of the axis.
const LEFT: f64 = 58.0;
const GAP: f64 = 18.0;
const LEGEND: f64 = 22.0;
/// Maximum width of a picture, unless a single panel is wider.
const WIDEST: f64 = 1080.0;

/// Panels of this size, in rows from left to right; a series has the colour and shape of its name in `names`.
pub(in super::super) fn picture(title: &str, names: &[&str], panels: &[Panel], (wide, high): (f64, f64)) -> String {
    let slanted = panels.iter().any(|panel| is_slanted(&panel.x, wide));
    let longest = panels.iter().flat_map(|panel| &panel.x.ticks).map(|(_, name)| width(name)).fold(0.0, f64::max);
    let below = if slanted { 20.0 + 0.5 * longest } else { 22.0 };
    let below = below + if panels.iter().any(|panel| !panel.x.label.is_empty()) { 18.0 } else { 0.0 };
    let above = if panels.iter().any(|panel| !panel.title.is_empty()) { 22.0 } else { 6.0 };
    let (panel_wide, panel_high) = (LEFT + wide, above + high + below);
    let across = (((WIDEST - 2.0 * MARGIN + GAP) / (panel_wide + GAP)) as usize).clamp(1, panels.len().max(1));
    let down = panels.len().div_ceil(across);

    let full = 2.0 * MARGIN + (panel_wide + GAP) * across as f64 - GAP;
    let shown: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| panels.iter().any(|panel| panel.series.iter().any(|s| s.name == *name)))
        .collect();
    let legend = legend(&shown, full - 2.0 * MARGIN);
    let lines = legend.iter().map(|(_, line)| line + 1).max().unwrap_or(0);
    let top = MARGIN + LEGEND * lines as f64;
    let mut out = Svg::open(full, top + (panel_high + GAP) * down as f64 - GAP + MARGIN, title);
    let style = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0);
    for (name, &(x, line)) in shown.iter().zip(&legend) {
        let y = MARGIN + LEGEND * line as f64 + 6.0;
        open_series(&mut out, style(name));
        out.line(format_args!("{}", marker(style(name), MARGIN + x + 6.0, y, 5.0)));
        out.line(format_args!("</g>"));
        out.text(MARGIN + x + 17.0, y + 4.0, Anchor::Start, "", name);
    }
    for (i, panel) in panels.iter().enumerate() {
        let left = MARGIN + LEFT + (panel_wide + GAP) * (i % across) as f64;
        let top = top + above + (panel_high + GAP) * (i / across) as f64;
        draw(&mut out, panel, Frame { left, top, wide, high, below }, slanted, &style);
    }
    out.close()
}

/// Where each name of the legend begins, and on which line.
fn legend(names: &[&str], room: f64) -> Vec<(f64, usize)> {
    let (mut x, mut line) = (0.0, 0);
    let mut places = Vec::new();
    for name in names {
        let wide = 17.0 + width(name) + 22.0;
        if x > 0.0 && x + wide > room {
            (x, line) = (0.0, line + 1);
        }
        places.push((x, line));
        x += wide;
    }
    places
}

fn is_slanted(axis: &Axis, wide: f64) -> bool {
    let room = wide / axis.ticks.len().max(1) as f64;
    !axis.log && axis.ticks.iter().any(|(_, name)| width(name) + 6.0 > room)
}

/// Points of a scatter plot that are closer to each other are drawn as one.
const CLOSE: f64 = 2.0;

/// The position of a panel's plot, and the room below it.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    top: f64,
    wide: f64,
    high: f64,
    below: f64,
}

fn draw(out: &mut Svg, panel: &Panel, frame: Frame, slanted: bool, style: &dyn Fn(&str) -> usize) {
    let Frame { left, top, wide, high, below } = frame;
    let (right, bottom) = (left + wide, top + high);
    let x = |value: f64| left + wide * panel.x.place(value);
    let y = |value: f64| bottom - high * panel.y.place(value);
    if !panel.title.is_empty() {
        out.text(left, top - 8.0, Anchor::Start, " font-weight=\"600\"", &panel.title);
    }
    for (tick, name) in &panel.y.ticks {
        out.rule((left, y(*tick)), (right, y(*tick)), " stroke-width=\"0.7\"");
        out.text(left - 7.0, y(*tick) + 4.0, Anchor::End, " font-size=\"11\"", name);
    }
    for (tick, name) in &panel.x.ticks {
        let at = x(*tick);
        out.rule((at, bottom), (at, bottom + 4.0), "");
        if slanted {
            let turn =
                format!(" font-size=\"11\" transform=\"rotate(-30 {} {})\"", number(at + 4.0), number(bottom + 15.0));
            out.text(at + 4.0, bottom + 15.0, Anchor::End, &turn, name);
        } else {
            out.text(at, bottom + 17.0, Anchor::Middle, " font-size=\"11\"", name);
        }
    }
    out.rule((left, bottom), (right, bottom), " stroke-width=\"1.4\"");
    out.rule((left, top), (left, bottom), " stroke-width=\"1.4\"");
    if let Some(mark) = panel.mark {
        out.rule((x(mark), top), (x(mark), bottom), " stroke-width=\"1.6\" stroke-dasharray=\"5 4\"");
    }
    out.text((left + right) / 2.0, bottom + below - 2.0, Anchor::Middle, "", &panel.x.label);
    let (side, middle) = (left - 42.0, (top + bottom) / 2.0);
    let turn = format!(" transform=\"rotate(-90 {} {})\"", number(side), number(middle));
    out.text(side, middle, Anchor::Middle, &turn, &panel.y.label);
    for series in &panel.series {
        let style = style(&series.name);
        open_series(out, style);
        if let Some(path) = path(series, &x, &y) {
            let dashes = ["", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""][style % 3];
            out.line(format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"{dashes}/>"
            ));
        }
        // Of overlapping points in a scatter plot, draw only one.
        let mut covered = BTreeSet::new();
        for point in &series.points {
            let pixels = [x(point.x), y(point.y)].map(|at| (at / CLOSE) as i64);
            if series.line == Line::None && !covered.insert(pixels) {
                continue;
            }
            if let Some((low, high)) = point.range {
                let (at, low, high) = (number(x(point.x)), number(y(low)), number(y(high)));
                out.line(format_args!(
                    "<path d=\"M{at},{low} V{high}\" stroke=\"currentColor\" stroke-width=\"1.6\"/>"
                ));
            }
            let size = if series.line == Line::Straight { 2.6 } else { 4.0 };
            out.line(format_args!("{}", marker(style, x(point.x), y(point.y), size)));
        }
        out.line(format_args!("</g>"));
    }
}

fn open_series(out: &mut Svg, style: usize) {
    let which = style % SERIES.len();
    out.line(format_args!("<g class=\"s{which}\" color=\"{}\">", SERIES[which].0));
}

fn path(series: &Series, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) -> Option<String> {
    let [first, rest @ ..] = series.points.as_slice() else { return None };
    let mut path = format!("M{},{}", number(x(first.x)), number(y(first.y)));
    for point in rest {
        let (x, y) = (number(x(point.x)), number(y(point.y)));
        path += &match series.line {
            Line::None => return None,
            Line::Straight => format!(" L{x},{y}"),
            Line::Steps => format!(" H{x} V{y}"),
        };
    }
    Some(path)
}

/// The marker of a series: each colour has its own shape, and the next round of colours has hollow ones.
fn marker(style: usize, x: f64, y: f64, size: f64) -> String {
    let look = match style < SERIES.len() {
        true => "fill=\"currentColor\" fill-opacity=\"0.75\"",
        false => "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\"",
    };
    let polygon = |corners: &[(f64, f64)]| {
        let at = |(dx, dy): &(f64, f64)| format!("{},{}", number(x + dx * size), number(y + dy * size));
        format!("<polygon points=\"{}\" {look}/>", corners.iter().map(at).collect::<Vec<_>>().join(" "))
    };
    match style % SERIES.len() {
        0 => format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {look}/>", number(x), number(y), number(size)),
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        3 => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        4 => polygon(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
        5 => polygon(&[(-1.3, -0.45), (1.3, -0.45), (1.3, 0.45), (-1.3, 0.45)]),
        6 => polygon(&[(-0.45, -1.3), (0.45, -1.3), (0.45, 1.3), (-0.45, 1.3)]),
        _ => polygon(&[(-0.6, -1.1), (0.6, -1.1), (1.2, 0.0), (0.6, 1.1), (-0.6, 1.1), (-1.2, 0.0)]),
    }
}

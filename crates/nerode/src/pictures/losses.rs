//! A chart of the losses of all restarts of a training by epoch, with one restart highlighted.

use super::svg::{Anchor, Svg, number};
use super::{INK, SERIES};

const WIDE: f64 = 560.0;
const HIGH: f64 = 200.0;
const LEFT: f64 = 56.0;
const MARGIN: f64 = 16.0;
/// Smaller losses are drawn at this value.
const LEAST: f64 = 1e-4;
/// Maximum number of points of a line; more are thinned.
const MOST_POINTS: usize = 240;

/// A restart: number of epochs, and the loss after them.
pub type Points = Vec<(u64, f64)>;

/// One line per restart, on a logarithmic scale; the one in front is thick, the others faint.
pub fn picture(title: &str, restarts: &[(usize, Points)], front: Option<usize>) -> String {
    let all = || restarts.iter().flat_map(|(_, points)| points).filter(|(_, loss)| loss.is_finite());
    let last = all().map(|(epochs, _)| *epochs).max().unwrap_or(1).max(1);
    let most = all().map(|(_, loss)| loss.max(LEAST)).fold(LEAST, f64::max);
    let least = all().map(|(_, loss)| loss.max(LEAST)).fold(most, f64::min);
    let decade = |value: f64| libm::log10(value);
    let (from, to) = (libm::floor(decade(least)), libm::ceil(decade(most)).max(libm::floor(decade(least)) + 1.0));
    let (right, bottom) = (LEFT + WIDE, MARGIN + HIGH);
    let x = |epochs: u64| LEFT + WIDE * epochs as f64 / last as f64;
    let y = |loss: f64| bottom - HIGH * (decade(loss.max(LEAST)) - from) / (to - from);
    let mut out = Svg::open(right + MARGIN + 8.0, bottom + 44.0, title);
    for power in from as i32..=to as i32 {
        let at = y(libm::exp10(f64::from(power)));
        out.rule((LEFT, at), (right, at), " stroke-width=\"0.7\"");
        let digits = usize::try_from(-power).unwrap_or(0);
        let name = format!("{:.digits$}", libm::exp10(f64::from(power)));
        out.text(LEFT - 7.0, at + 4.0, Anchor::End, " font-size=\"11\"", &name);
    }
    for tick in ticks(last) {
        out.rule((x(tick), bottom), (x(tick), bottom + 4.0), "");
        out.text(x(tick), bottom + 17.0, Anchor::Middle, " font-size=\"11\"", &tick.to_string());
    }
    out.rule((LEFT, bottom), (right, bottom), " stroke-width=\"1.4\"");
    out.text((LEFT + right) / 2.0, bottom + 36.0, Anchor::Middle, "", "epochs");
    let (side, middle) = (14.0, MARGIN + HIGH / 2.0);
    let turn = format!(" transform=\"rotate(-90 {} {})\"", number(side), number(middle));
    out.text(side, middle, Anchor::Middle, &turn, "prediction loss");
    let behind = restarts.iter().filter(|(restart, _)| Some(*restart) != front);
    let in_front = restarts.iter().filter(|(restart, _)| Some(*restart) == front);
    for (restart, points) in behind.chain(in_front) {
        let is_front = Some(*restart) == front;
        let step = points.len().div_ceil(MOST_POINTS).max(1);
        let shown = points.iter().enumerate().filter(|(i, _)| i % step == 0 || i + 1 == points.len());
        let mut path = String::new();
        for (_, (epochs, loss)) in shown.filter(|(_, (_, loss))| loss.is_finite()) {
            path += &format!("{}{},{}", if path.is_empty() { "M" } else { " L" }, number(x(*epochs)), number(y(*loss)));
        }
        let (class, colour) = if is_front { ("s0", SERIES[0].0) } else { ("s4", SERIES[4].0) };
        let look = if is_front { "stroke-width=\"2.4\"" } else { "stroke-width=\"1\" stroke-opacity=\"0.55\"" };
        out.line(format_args!(
            "<path class=\"{class}\" color=\"{colour}\" d=\"{path}\" fill=\"none\" stroke=\"currentColor\" {look}/>"
        ));
        if let (true, Some((epochs, loss))) = (is_front, points.last()) {
            let (x, y, ink) = (number(x(*epochs)), number(y(*loss)), INK.0);
            out.line(format_args!("<circle class=\"ink\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"{ink}\"/>"));
        }
    }
    out.close()
}

/// A few round numbers from 0.
fn ticks(last: u64) -> impl Iterator<Item = u64> {
    let steps = (0..19).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    let step = steps.into_iter().find(|step| last / step <= 6).unwrap_or(last);
    (0..=last / step).map(move |i| i * step)
}

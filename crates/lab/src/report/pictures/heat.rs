//! Tables of shares as coloured cells with the numbers in them, side by side.

use super::super::figures::{NONE, short_share};
use nerode::pictures::INK;
use nerode::pictures::svg::{Anchor, Svg, number, width};

/// A table of shares.
pub(in super::super) struct Grid {
    pub(in super::super) title: String,
    pub(in super::super) rows: Vec<String>,
    pub(in super::super) columns: Vec<String>,
    pub(in super::super) cells: Vec<Vec<Option<f64>>>,
}

const CELL: (f64, f64) = (44.0, 26.0);
const MARGIN: f64 = 16.0;
const GAP: f64 = 28.0;
/// Height of the title.
const TITLE: f64 = 24.0;
/// Height of the column heads, unless they are long and slanted.
const HEAD: f64 = 22.0;
/// Maximum width of a picture, unless a single table is wider.
const WIDEST: f64 = 1080.0;

/// From 0 to 1: the lower a share, the darker, so that errors stand out, even in print.
const SHADES: [(f64, [f64; 3]); 8] = [
    (0.0, [8.0, 29.0, 88.0]),
    (0.3, [8.0, 69.0, 148.0]),
    (0.5, [33.0, 113.0, 181.0]),
    (0.7, [88.0, 160.0, 207.0]),
    (0.85, [150.0, 196.0, 223.0]),
    (0.95, [202.0, 222.0, 240.0]),
    (0.99, [228.0, 239.0, 249.0]),
    (1.0, [247.0, 251.0, 255.0]),
];

/// Tables in rows from left to right.
pub(in super::super) fn picture(title: &str, corner: &str, grids: &[Grid]) -> String {
    if grids.is_empty() {
        return Svg::open(0.0, 0.0, title).close();
    }
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| width(text)).fold(0.0, f64::max);
    let names = widest(&mut grids.iter().flat_map(|grid| &grid.rows)).max(width(corner)) + 10.0;
    let heads = widest(&mut grids.iter().flat_map(|grid| &grid.columns));
    let columns = grids.iter().map(|grid| grid.columns.len()).max().unwrap_or(0);
    let rows = grids.iter().map(|grid| grid.rows.len()).max().unwrap_or(0);
    let slanted = heads > CELL.0 - 4.0;
    let (head, aside) = if slanted { (HEAD + 0.5 * heads, 0.75 * heads - CELL.0 / 2.0) } else { (HEAD, 0.0) };
    let place = Place { names, head: TITLE + head, slanted };
    let titles = 1.1 * widest(&mut grids.iter().map(|grid| &grid.title));
    let wide = (names + CELL.0 * columns as f64 + aside.max(0.0)).max(titles);
    let high = place.head + CELL.1 * rows as f64;
    let across = (((WIDEST - 2.0 * MARGIN + GAP) / (wide + GAP)) as usize).clamp(1, grids.len());
    let down = grids.len().div_ceil(across);
    // Rows of as equal length as possible.
    let across = grids.len().div_ceil(down);
    let mut out = Svg::open(
        2.0 * MARGIN + (wide + GAP) * across as f64 - GAP,
        2.0 * MARGIN + (high + GAP) * down as f64 - GAP,
        title,
    );
    for (i, grid) in grids.iter().enumerate() {
        let left = MARGIN + (wide + GAP) * (i % across) as f64;
        let top = MARGIN + (high + GAP) * (i / across) as f64;
        table(&mut out, grid, corner, (left, top), place);
    }
    out.close()
}

/// The room for the names of rows and columns.
#[derive(Clone, Copy)]
struct Place {
    names: f64,
    head: f64,
    slanted: bool,
}

fn table(out: &mut Svg, grid: &Grid, corner: &str, (left, top): (f64, f64), place: Place) {
    let Place { names, head, slanted } = place;
    out.text(left, top + 13.0, Anchor::Start, " font-weight=\"600\" font-size=\"13\"", &grid.title);
    out.text(left + names - 8.0, top + head - 8.0, Anchor::End, " font-style=\"italic\"", corner);
    for (i, column) in grid.columns.iter().enumerate() {
        let (x, y) = (left + names + CELL.0 * (i as f64 + 0.5), top + head - 8.0);
        if slanted {
            let turn = format!(" transform=\"rotate(-35 {} {})\"", number(x), number(y));
            out.text(x, y, Anchor::Start, &turn, column);
        } else {
            out.text(x, y, Anchor::Middle, "", column);
        }
    }
    for (i, (row, cells)) in grid.rows.iter().zip(&grid.cells).enumerate() {
        let y = top + head + CELL.1 * i as f64;
        out.text(left + names - 8.0, y + CELL.1 / 2.0 + 4.0, Anchor::End, "", row);
        for (j, cell) in cells.iter().enumerate() {
            let x = left + names + CELL.0 * j as f64;
            let middle = (x + CELL.0 / 2.0, y + CELL.1 / 2.0 + 4.0);
            let Some(value) = *cell else {
                out.text(middle.0, middle.1, Anchor::Middle, "", NONE);
                continue;
            };
            let [x, y, w, h] = [x + 0.5, y + 0.5, CELL.0 - 1.0, CELL.1 - 1.0].map(number);
            out.line(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"2\" fill=\"{}\" stroke=\"#9db2c9\" stroke-width=\"0.6\"/>",
                shade(value)
            ));
            // The background is the cell's colour, in light and dark mode alike.
            let ink = if value < 0.72 { "#ffffff" } else { INK.0 };
            let (x, y) = (number(middle.0), number(middle.1));
            out.line(format_args!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                short_share(value)
            ));
        }
    }
}

fn shade(value: f64) -> String {
    let value = value.clamp(0.0, 1.0);
    let above = SHADES.iter().position(|(known, _)| *known >= value).unwrap_or(SHADES.len() - 1).max(1);
    let ((low, dark), (high, light)) = (SHADES[above - 1], SHADES[above]);
    let part = (value - low) / (high - low);
    let [r, g, b] = [0, 1, 2].map(|i| libm::round(dark[i] + (light[i] - dark[i]) * part) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::shade;

    #[test]
    fn lower_is_darker() {
        let light = |value: f64| {
            let shade = shade(value);
            let part = |i: usize| u32::from_str_radix(&shade[i..i + 2], 16).unwrap();
            2 * part(1) + 7 * part(3) + part(5)
        };
        for i in 0..100 {
            assert!(light(f64::from(i) / 100.0) < light(f64::from(i + 1) / 100.0));
        }
    }
}

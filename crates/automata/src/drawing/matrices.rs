//! The matrices of a grammar as a word queries them: the second figure of the paper.
//!
//! There is one panel per letter, in reading order. The first letter selects its column of P_T, which is u_1. Every
//! other letter selects its column of each P_N^k, whose dot product with the belief before it is taken. The last panel
//! compares the belief after the last letter with the start selector. Every entry is a number; a framed column is the
//! query, a framed entry a production that is used.

use super::flow::Room;
use super::name::{shortened, visible};
use super::render::{INK, LINE, MONO, SANS, Svg, escaped, number};

/// Maximum number of non-terminals or letters of the alphabet.
const MOST_ROWS: usize = 12;
/// Maximum number of letters of a word.
const MOST_PANELS: usize = 24;
const ROOM: Room = Room { margin: MARGIN, gap: 34.0, widest: 1640.0 };
const CELL: f64 = 34.0;
const ROW: f64 = 21.0;
const NAMES: f64 = 46.0;
const SIGN: f64 = 18.0;
const HEAD: f64 = 44.0;
const MARGIN: f64 = 20.0;

/// A word, what it queries, and the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The non-terminals, one to a row.
    pub names: Vec<String>,
    /// The letters, one to a column.
    pub letters: Vec<String>,
    /// `[n][t]`: the belief in `A_k → c`.
    pub terminal: Vec<Vec<f64>>,
    /// `[n][n][t]`: the belief in `A_k → A_i c`.
    pub step: Vec<Vec<Vec<f64>>>,
    /// `[n]`: how strongly a word that ends in `A_k` is accepted.
    pub last: Vec<f64>,
    /// The word: the column of each letter, in reading order; `None` for an unknown letter.
    pub word: Vec<Option<usize>>,
    /// The letters of the word by name, in the same order.
    pub spelled: Vec<String>,
    /// `[ℓ][n]`: the beliefs after each letter.
    pub beliefs: Vec<Vec<f64>>,
    /// `[ℓ]`: the productions used at each letter, `(k, i)` for `A_k → A_i c` and `(k, None)` for `A_k → c`.
    pub fired: Vec<Vec<(usize, Option<usize>)>>,
    /// The roots of the trees of the whole word.
    pub roots: Vec<usize>,
    /// o(w).
    pub confidence: f64,
    /// A note about the names, below the picture.
    pub note: Option<String>,
    /// The title, for screen readers.
    pub title: String,
}

/// Matrices or a word too large for a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{rows} non-terminals, {columns} letters and a word of {length} are too many to draw; the limits are {MOST_ROWS} \
     non-terminals, {MOST_ROWS} letters and a word of {MOST_PANELS}"
)]
pub struct TooManyEntries {
    rows: usize,
    columns: usize,
    length: usize,
}

/// The matrices that a word queries, as an SVG document.
///
/// # Panics
/// If the arrays do not have the stated sizes.
pub fn matrices_svg(query: &Query) -> Result<String, TooManyEntries> {
    let (rows, columns, length) = (query.names.len(), query.letters.len(), query.word.len());
    if rows > MOST_ROWS || columns > MOST_ROWS || length > MOST_PANELS {
        return Err(TooManyEntries { rows, columns, length });
    }
    let mut panels: Vec<Panel> = (0..length).map(|i| Panel::of_letter(query, i)).collect();
    panels.push(Panel::of_end(query));

    let flow = ROOM.flow(panels.iter().map(|panel| (panel.width, panel.height)));
    for (panel, place) in panels.iter_mut().zip(&flow.places) {
        (panel.x, panel.y) = *place;
    }
    const LEGEND: &str = "framed column: queried by the letter    framed entry: production used";
    let width = (flow.right + MARGIN).max(MARGIN * 2.0 + LEGEND.len() as f64 * 6.2);
    let height = flow.bottom + 2.0 * MARGIN + if query.note.is_some() { 26.0 } else { 8.0 };
    let mut out = Svg::open(width, height, &query.title);
    for panel in &panels {
        panel.draw(&mut out);
    }
    let below = [Some(LEGEND), query.note.as_deref()];
    for (line, text) in below.into_iter().flatten().enumerate() {
        out.line(format_args!(
            "<text x=\"{}\" y=\"{}\" fill=\"{LINE}\" font-family=\"{SANS}\" font-size=\"12\" xml:space=\"preserve\">{}</text>",
            number(MARGIN),
            number(flow.bottom + MARGIN + 14.0 + 18.0 * line as f64),
            escaped(text)
        ));
    }
    Ok(out.close())
}

/// One letter, or the end of the word.
struct Panel {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    title: String,
    formula: String,
    pieces: Vec<Piece>,
}

/// Something in a panel, from its upper left corner.
enum Piece {
    /// A cell of a matrix; the flag frames it.
    Cell(f64, f64, f64, bool),
    /// A frame around a column of this many cells.
    Frame(f64, f64, usize),
    /// Text around a point.
    Text(f64, f64, String),
}

impl Panel {
    fn of_letter(query: &Query, i: usize) -> Self {
        let n = query.names.len();
        let (at, letter) = (query.word[i], visible(&query.spelled[i]));
        let number = subscript(i + 1);
        let mut panel = Self::new(format!("v{number} = {}", shortened(&letter, 12)), String::new());
        let columns = query.letters.len() as f64;
        let after = NAMES + columns * CELL;
        if i == 0 {
            panel.formula = "u₁ = σ(P_T) v₁".to_owned();
            panel.matrix(query, HEAD, &query.terminal, at, |k| query.fired[0].contains(&(k, None)));
            panel.sign(after, HEAD, n, "=");
            panel.column(after + SIGN, HEAD, "u₁", &query.beliefs[0], |_| false);
            return panel;
        }
        let before = &query.beliefs[i - 1];
        panel.formula = format!("u{number}[k] = clamp(σ(P_N^k) v{number} · u{})", subscript(i));
        let mut y = HEAD;
        for k in 0..n {
            panel.matrix(query, y, &query.step[k], at, |j| query.fired[i].contains(&(k, Some(j))));
            panel.text(NAMES / 2.0 - 2.0, y + 15.0, &format!("{} →", shortened(&visible(&query.names[k]), 6)));
            panel.sign(after, y, n, "·");
            panel.column(after + SIGN, y, &format!("u{}", subscript(i)), before, |_| false);
            panel.sign(after + SIGN + CELL, y, n, "=");
            let middle = y + ROW * (1.0 + (n as f64 - 1.0) / 2.0);
            panel.cell(after + 2.0 * SIGN + CELL, middle, query.beliefs[i][k], false);
            y += ROW * (n as f64 + 1.0) + 12.0;
        }
        panel
    }

    fn of_end(query: &Query) -> Self {
        let n = query.names.len();
        let length = query.word.len();
        let mut panel = Self::new("end".to_owned(), format!("o = s · u{}", subscript(length)));
        let none = vec![0.0; n];
        let last = query.beliefs.last().unwrap_or(&none);
        panel.names(query, HEAD);
        panel.column(NAMES, HEAD, "s", &query.last, |k| query.roots.contains(&k));
        panel.sign(NAMES + CELL, HEAD, n, "·");
        panel.column(NAMES + CELL + SIGN, HEAD, &format!("u{}", subscript(length)), last, |_| false);
        panel.sign(NAMES + 2.0 * CELL + SIGN, HEAD, n, "=");
        let middle = HEAD + ROW * (1.0 + (n as f64 - 1.0) / 2.0);
        panel.cell(NAMES + 2.0 * (CELL + SIGN), middle, query.confidence, false);
        panel
    }

    fn new(title: String, formula: String) -> Self {
        Self { x: 0.0, y: 0.0, width: 150.0, height: HEAD, title, formula, pieces: Vec::new() }
    }

    /// The names of the rows.
    fn names(&mut self, query: &Query, y: f64) {
        for (k, name) in query.names.iter().enumerate() {
            self.text(NAMES / 2.0 - 2.0, y + ROW * (k as f64 + 1.0) + 14.5, &shortened(&visible(name), 6));
        }
    }

    /// A matrix with its letters above; the queried column is framed.
    fn matrix(
        &mut self,
        query: &Query,
        y: f64,
        entries: &[Vec<f64>],
        at: Option<usize>,
        fires: impl Fn(usize) -> bool,
    ) {
        self.names(query, y);
        for (c, letter) in query.letters.iter().enumerate() {
            let x = NAMES + c as f64 * CELL;
            self.text(x + CELL / 2.0, y + 15.0, &shortened(&visible(letter), 4));
            for (j, row) in entries.iter().enumerate() {
                self.cell(x, y + ROW * (j as f64 + 1.0), row[c], at == Some(c) && fires(j));
            }
        }
        if let Some(c) = at {
            self.pieces.push(Piece::Frame(NAMES + c as f64 * CELL, y + ROW, entries.len()));
        }
    }

    /// A vector with its name above.
    fn column(&mut self, x: f64, y: f64, name: &str, entries: &[f64], fires: impl Fn(usize) -> bool) {
        self.text(x + CELL / 2.0, y + 15.0, name);
        for (k, &entry) in entries.iter().enumerate() {
            self.cell(x, y + ROW * (k as f64 + 1.0), entry, fires(k));
        }
    }

    fn cell(&mut self, x: f64, y: f64, value: f64, fires: bool) {
        self.pieces.push(Piece::Cell(x, y, value, fires));
        self.width = self.width.max(x + CELL);
        self.height = self.height.max(y + ROW);
    }

    /// A sign between two things of n rows.
    fn sign(&mut self, x: f64, y: f64, n: usize, sign: &str) {
        self.text(x + SIGN / 2.0, y + ROW * (1.0 + n as f64 / 2.0) + 4.5, sign);
    }

    fn text(&mut self, x: f64, y: f64, text: &str) {
        self.pieces.push(Piece::Text(x, y, text.to_owned()));
    }

    fn draw(&self, out: &mut Svg) {
        let (x, y) = (self.x, self.y);
        out.line(format_args!("<g transform=\"translate({} {})\">", number(x), number(y)));
        out.line(format_args!(
            "<g fill=\"{INK}\" font-family=\"{SANS}\"><text y=\"12\" font-size=\"14\" font-weight=\"600\">{}</text>\
             <text y=\"30\" font-size=\"12\">{}</text></g>",
            escaped(&self.title),
            escaped(&self.formula)
        ));
        for piece in &self.pieces {
            if let Piece::Cell(x, y, value, _) = piece {
                let (fill, ink) = shade(*value);
                out.line(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{ROW}\" fill=\"{fill}\" stroke=\"{LINE}\" \
                     stroke-width=\"0.5\"/><text x=\"{}\" y=\"{}\" fill=\"{ink}\" font-family=\"{MONO}\" font-size=\"12\" \
                     text-anchor=\"middle\">{}</text>",
                    number(*x),
                    number(*y),
                    number(x + CELL / 2.0),
                    number(y + 14.5),
                    entry(*value)
                ));
            }
        }
        for piece in &self.pieces {
            match piece {
                Piece::Cell(x, y, value, true) => out.line(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\" fill=\"none\" stroke=\"{}\" \
                     stroke-width=\"1.6\"/>",
                    number(x + 3.5),
                    number(y + 3.0),
                    number(CELL - 7.0),
                    number(ROW - 6.0),
                    shade(*value).1
                )),
                Piece::Cell(..) => {}
                Piece::Frame(x, y, rows) => out.line(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{}\" fill=\"none\" stroke=\"{INK}\" \
                     stroke-width=\"2.4\"/>",
                    number(*x),
                    number(*y),
                    number(ROW * *rows as f64)
                )),
                Piece::Text(x, y, text) => out.line(format_args!(
                    "<text x=\"{}\" y=\"{}\" fill=\"{INK}\" font-family=\"{MONO}\" font-size=\"12\" \
                     text-anchor=\"middle\">{}</text>",
                    number(*x),
                    number(*y),
                    escaped(text)
                )),
            }
        }
        out.line(format_args!("</g>"));
    }
}

/// An entry in at most three characters.
fn entry(value: f64) -> String {
    match (value * 100.0).round() as i64 {
        ..=0 => "0".to_owned(),
        hundredths @ 1..=99 => format!(".{hundredths:02}"),
        _ => "1".to_owned(),
    }
}

/// The background of an entry, and its ink: five steps, so that the number is legible on each.
fn shade(value: f64) -> (&'static str, &'static str) {
    match (value * 4.0).round() as i64 {
        ..=0 => ("#ffffff", INK),
        1 => ("#dbe4f3", INK),
        2 => ("#a9bfe2", INK),
        3 => ("#5f7fb5", "#ffffff"),
        _ => ("#2f4f8a", "#ffffff"),
    }
}

/// A number as small digits below the line.
fn subscript(number: usize) -> String {
    let below = |digit: char| char::from_u32(u32::from('₀') + u32::from(digit) - u32::from('0')).unwrap_or(digit);
    number.to_string().chars().map(below).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper() -> Query {
        let step = vec![vec![vec![1.0, 1.0, 0.0], vec![0.0; 3]], vec![vec![0.0, 0.0, 1.0], vec![0.0, 0.0, 1.0]]];
        Query {
            names: vec!["A".to_owned(), "C".to_owned()],
            letters: ["a", "b", "c"].map(str::to_owned).to_vec(),
            terminal: vec![vec![1.0, 1.0, 0.0], vec![0.0, 0.0, 0.973]],
            step,
            last: vec![0.0, 1.0],
            word: vec![Some(0), Some(1), None],
            spelled: ["a", "b", "<"].map(str::to_owned).to_vec(),
            beliefs: vec![vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 0.0]],
            fired: vec![vec![(0, None)], vec![(0, Some(0))], Vec::new()],
            roots: Vec::new(),
            confidence: 0.0,
            note: None,
            title: "abb".to_owned(),
        }
    }

    #[test]
    fn a_panel_a_letter_and_one_for_the_end() {
        let picture = matrices_svg(&paper()).unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert_eq!(picture.matches("<g transform").count(), 4);
        assert!(picture.contains("v₃ = &lt;") && picture.contains(">.97<"));
        // P_T, then twice two matrices; a letter that is not known asks for nothing.
        assert_eq!(picture.matches("stroke-width=\"2.4\"").count(), 3);
        assert_eq!(picture.matches("rx=\"7\"").count(), 2, "A -> a and A -> A b");
    }

    #[test]
    fn what_would_not_be_read_is_not_drawn() {
        let mut query = paper();
        query.word = vec![Some(0); 25];
        let error = matrices_svg(&query).unwrap_err();
        assert!(error.to_string().starts_with("2 non-terminals, 3 letters and a word of 25 are too many to draw"));
    }
}

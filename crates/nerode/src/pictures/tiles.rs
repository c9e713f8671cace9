//! Beliefs in productions as tiles, one block for each recorded point of a training, from left to right, as in the
//! paper's figure.

use induction::model::Shape;
use induction::training::Beliefs;

use super::svg::{Anchor, Svg, number, width};

const TILE: f64 = 11.0;
const MARGIN: f64 = 16.0;
const GAP: f64 = 14.0;
const HEAD: f64 = 40.0;
/// Space between the rows of two letters.
const PAUSE: f64 = 4.0;
/// The colours of 0 and 1: dark and bright also in print, and distinct from the background of a page in light and dark
/// mode.
pub const DARK: [u8; 3] = [40, 54, 112];
/// The colour of a belief of 1.
pub const BRIGHT: [u8; 3] = [255, 236, 150];
/// Number of shades: more cannot be distinguished.
const SHADES: usize = 32;
/// With more non-terminals than this, there is no room for numbers.
const MOST_NUMBERED: usize = 9;

/// What is drawn.
pub struct Tiles<'a> {
    /// The title of the picture.
    pub title: &'a str,
    /// The shape of the model.
    pub shape: Shape,
    /// Its letters, in order.
    pub letters: &'a [String],
    /// The names of the non-terminals.
    pub nonterminals: &'a [String],
    /// Epochs, and beliefs from 0 to 255 in the order of the model's layout.
    pub frames: Vec<(u64, &'a [u8])>,
}

impl Tiles<'_> {
    /// Number of tiles of a block.
    pub fn per_frame(&self) -> usize {
        self.rows() * self.nonterminals.len()
    }

    /// The rows of a letter are adjacent: in the paper's shape, `A → c` comes before `A → A_i c`.
    fn rows_of_letter(&self) -> usize {
        self.nonterminals.len() + usize::from(self.shape == Shape::Nfa)
    }

    fn rows(&self) -> usize {
        self.letters.len() * self.rows_of_letter() + 1
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.rows());
        for letter in self.letters {
            if self.shape == Shape::Nfa {
                names.push(letter.clone());
            }
            names.extend(self.nonterminals.iter().map(|name| format!("{name} {letter}")));
        }
        names.push(if self.shape == Shape::Nfa { "start" } else { "accepts" }.to_owned());
        names
    }

    /// The index of the belief of a tile.
    fn at(&self, row: usize, head: usize) -> usize {
        let (n, each) = (self.nonterminals.len(), self.rows_of_letter());
        let terminals = (each - n) * self.letters.len() * n;
        let (letter, which) = (row / each, row % each);
        match which {
            _ if letter == self.letters.len() => terminals + letter * n * n + head,
            0 if each > n => letter * n + head,
            _ => terminals + (letter * n + head) * n + which - (each - n),
        }
    }
}

/// The blocks of all frames, side by side.
pub fn strip(tiles: &Tiles) -> String {
    let n = tiles.nonterminals.len();
    let names = tiles.names();
    let top = |row: usize| MARGIN + HEAD + TILE * row as f64 + PAUSE * (row / tiles.rows_of_letter()) as f64;
    let left = MARGIN + names.iter().map(|name| 0.8 * width(name)).fold(width("epochs"), f64::max) + 8.0;
    let block = (TILE * n as f64).max(width("00000"));
    let wide = left + (block + GAP) * tiles.frames.len() as f64 - GAP + MARGIN;
    let mut out = Svg::open(wide, top(names.len() - 1) + TILE + MARGIN, tiles.title);
    out.text(left - 8.0, MARGIN + 10.0, Anchor::End, " font-size=\"11\"", "epochs");
    for (row, name) in names.iter().enumerate() {
        out.text(left - 8.0, top(row) + 8.5, Anchor::End, " font-size=\"9\"", name);
    }
    for (i, (epochs, beliefs)) in tiles.frames.iter().enumerate() {
        let left = left + (block + GAP) * i as f64;
        out.text(left, MARGIN + 10.0, Anchor::Start, " font-size=\"11\"", &epochs.to_string());
        if n <= MOST_NUMBERED {
            for (head, name) in heads(tiles.nonterminals).iter().enumerate() {
                let middle = left + TILE * (head as f64 + 0.5) - 0.5;
                out.text(middle, MARGIN + HEAD - 5.0, Anchor::Middle, " font-size=\"9\"", name);
            }
        }
        block_of_tiles(&mut out, tiles, beliefs, left, &top);
    }
    out.close()
}

/// The labels above the columns, which have room for a number only: that of the name, and a dot for names that are not
/// in the grammar, unless none is.
fn heads(names: &[String]) -> Vec<String> {
    let is_unnamed = |(k, name): (usize, &String)| *name == format!("M{}", k + 1);
    let names_nothing = names.iter().enumerate().all(is_unnamed);
    let head = |(k, name): (usize, &String)| match name.strip_prefix('A') {
        _ if names_nothing => (k + 1).to_string(),
        _ if is_unnamed((k, name)) => "·".to_owned(),
        number => number.unwrap_or(name).to_owned(),
    };
    names.iter().enumerate().map(head).collect()
}

/// All tiles of a shade are one path.
fn block_of_tiles(out: &mut Svg, tiles: &Tiles, beliefs: &[u8], left: f64, top: &dyn Fn(usize) -> f64) {
    let mut paths = vec![String::new(); SHADES];
    let size = number(TILE - 1.0);
    for row in 0..tiles.rows() {
        for head in 0..tiles.nonterminals.len() {
            let belief = beliefs.get(tiles.at(row, head)).copied().unwrap_or(0);
            let shade = (usize::from(belief) * (SHADES - 1) + 127) / 255;
            let (x, y) = (number(left + TILE * head as f64), number(top(row)));
            paths[shade] += &format!("M{x},{y}h{size}v{size}h-{size}z");
        }
    }
    for (shade, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        out.line(format_args!("<path fill=\"{}\" d=\"{path}\"/>", colour(shade as f64 / (SHADES - 1) as f64)));
    }
}

fn colour(value: f64) -> String {
    let mix = |i: usize| f64::from(DARK[i]) + (f64::from(BRIGHT[i]) - f64::from(DARK[i])) * value;
    let [r, g, b] = [0, 1, 2].map(|i| libm::round(mix(i)) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The bytes of beliefs, for [`Tiles::frames`].
pub fn frames<'a>(frames: impl IntoIterator<Item = (u64, &'a Beliefs)>) -> Vec<(u64, &'a [u8])> {
    frames.into_iter().map(|(epochs, beliefs)| (epochs, beliefs.bytes())).collect()
}

#[cfg(test)]
mod tests {
    use induction::model::Layout;

    use super::*;

    /// Every tile is a belief of the model, and every belief has one tile.
    #[test]
    fn tiles_are_the_beliefs() {
        let letters = ["a", "b", "c"].map(str::to_owned);
        let names = ["A1", "A2", "A3", "A4"].map(str::to_owned);
        for shape in [Shape::Nfa, Shape::Dfa] {
            let tiles = Tiles { title: "", shape, letters: &letters, nonterminals: &names, frames: Vec::new() };
            let layout = Layout::new(shape, 4, 3);
            let names = tiles.names();
            let mut all: Vec<usize> = (0..tiles.rows())
                .flat_map(|row| (0..4).map(move |head| (row, head)))
                .map(|(r, h)| tiles.at(r, h))
                .collect();
            let row = |name: &str| names.iter().position(|known| known == name).unwrap();
            assert_eq!(tiles.at(row("A2 c"), 3), layout.step(2, 3, 1));
            match shape {
                Shape::Nfa => {
                    assert_eq!(tiles.at(row("b"), 2), layout.terminal(1, 2));
                    assert_eq!(tiles.at(row("start"), 1), layout.last(1));
                }
                Shape::Dfa => assert_eq!(tiles.at(row("accepts"), 1), layout.last(1)),
            }
            all.sort_unstable();
            assert_eq!(all, (0..layout.len()).collect::<Vec<_>>());
        }
    }
}

//! Parse trees as pictures.
//!
//! The tree of a regular grammar is a comb: each non-terminal is above the rest of the word and one letter. The letters
//! are in a row at the bottom, so that the word can be read, each below the non-terminal that reads it; the
//! non-terminals descend towards the side from which the word is read. A node with other possible productions has a
//! dashed rim and an asterisk.

use unicode_width::UnicodeWidthStr;

use super::flow::Room;
use super::name::{shortened, visible};
use super::render::{INK, LINE, MONO, PAPER, SANS, Svg, escaped, number};

/// Maximum number of letters on a page.
const MOST_LETTERS: usize = 60;
const ROOM: Room = Room { margin: MARGIN, gap: 40.0, widest: 1400.0 };
const LEVEL: f64 = 40.0;
const MARGIN: f64 = 24.0;
const CAPTION: f64 = 26.0;

/// A node of a comb, from the root down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The non-terminal.
    pub name: String,
    /// The letter that hangs from it: none where it is rewritten to a non-terminal alone, `ε` where to nothing.
    pub letter: Option<String>,
    /// Whether another production would have done as well.
    pub is_choice: bool,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a parse tree of {letters} letters is too large to draw; the limit is {MOST_LETTERS}")]
pub struct TooManyLetters {
    letters: usize,
}

/// Trees beside each other as an SVG document. `is_mirrored` is for right-regular grammars, whose trees lean to the right.
pub fn trees_svg(
    trees: &[Vec<Node>],
    captions: &[String],
    is_mirrored: bool,
    title: &str,
) -> Result<String, TooManyLetters> {
    let letters = trees.iter().map(|tree| tree.iter().filter(|node| node.letter.is_some()).count()).max().unwrap_or(0);
    if letters > MOST_LETTERS {
        return Err(TooManyLetters { letters });
    }
    let mut shapes: Vec<Shape> = trees.iter().map(|tree| Shape::new(tree, is_mirrored)).collect();
    let flow = ROOM.flow(shapes.iter().map(|shape| (shape.width, shape.height)));
    for (shape, place) in shapes.iter_mut().zip(&flow.places) {
        (shape.x, shape.y) = *place;
    }
    let has_choice = trees.iter().flatten().any(|node| node.is_choice);
    const LEGEND: &str = "* other productions are possible";
    let legend = if has_choice { CAPTION } else { 0.0 };
    let height = flow.bottom + MARGIN + legend;
    let mut out = Svg::open((flow.right + MARGIN).max(280.0), height, title);
    for (shape, caption) in shapes.iter().zip(captions) {
        shape.draw(&mut out, caption);
    }
    if has_choice {
        out.line(format_args!(
            "<text x=\"{}\" y=\"{}\" fill=\"{LINE}\" font-family=\"{SANS}\" font-size=\"12\">{LEGEND}</text>",
            number(MARGIN),
            number(height - MARGIN + 6.0)
        ));
    }
    Ok(out.close())
}

/// A tree with its places.
struct Shape {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// Name, width of its box, centre, and whether it is a choice.
    nodes: Vec<(String, f64, f64, f64, bool)>,
    /// Name and centre; the number of the node it hangs from.
    leaves: Vec<(String, f64, f64, usize)>,
}

impl Shape {
    fn new(tree: &[Node], is_mirrored: bool) -> Self {
        let label = |node: &Node| shortened(&visible(&node.name), 10) + if node.is_choice { "*" } else { "" };
        let leaf = |letter: &String| shortened(&if letter == "ε" { letter.clone() } else { visible(letter) }, 12);
        let widest_name = tree.iter().map(|node| label(node).width()).max().unwrap_or(1);
        let widest_leaf =
            tree.iter().filter_map(|node| node.letter.as_ref()).map(|c| leaf(c).width()).max().unwrap_or(1);
        let column = (widest_name as f64 * 8.5 + 26.0).max(widest_leaf as f64 * 8.5 + 12.0);
        let count = tree.iter().filter(|node| node.letter.is_some()).count().max(1);
        let bottom = CAPTION + 14.0 + tree.len() as f64 * LEVEL;
        let (mut nodes, mut leaves) = (Vec::new(), Vec::new());
        let mut read = 0;
        for (depth, node) in tree.iter().enumerate() {
            let place = if is_mirrored { read } else { count - 1 - read.min(count - 1) };
            let x = (place.min(count - 1) as f64 + 0.5) * column;
            let y = CAPTION + 14.0 + depth as f64 * LEVEL;
            let name = label(node);
            nodes.push((name.clone(), name.width() as f64 * 8.5 + 14.0, x, y, node.is_choice));
            if let Some(letter) = &node.letter {
                leaves.push((leaf(letter), x, bottom, depth));
                read += 1;
            }
        }
        let width = (count as f64 * column).max(120.0);
        Self { x: 0.0, y: 0.0, width, height: bottom + 12.0, nodes, leaves }
    }

    fn draw(&self, out: &mut Svg, caption: &str) {
        out.line(format_args!("<g transform=\"translate({} {})\">", number(self.x), number(self.y)));
        out.line(format_args!(
            "<text y=\"12\" fill=\"{INK}\" font-family=\"{SANS}\" font-size=\"13\" font-weight=\"600\">{}</text>",
            escaped(caption)
        ));
        out.line(format_args!("<g fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.4\">"));
        let mut line = |x1: f64, y1: f64, x2: f64, y2: f64| {
            let (from, to) = (format!("{},{}", number(x1), number(y1)), format!("{},{}", number(x2), number(y2)));
            out.line(format_args!("<path d=\"M{from} L{to}\"/>"));
        };
        for pair in self.nodes.windows(2) {
            line(pair[0].2, pair[0].3, pair[1].2, pair[1].3);
        }
        for (_, x, y, node) in &self.leaves {
            line(*x, self.nodes[*node].3, *x, y - 13.0);
        }
        out.line(format_args!("</g>"));
        for (name, width, x, y, is_choice) in &self.nodes {
            let dashes = if *is_choice { " stroke-dasharray=\"4 3\"" } else { "" };
            out.line(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"26\" rx=\"13\" fill=\"{PAPER}\" stroke=\"{INK}\" \
                 stroke-width=\"1.6\"{dashes}/><text x=\"{}\" y=\"{}\" fill=\"{INK}\" font-family=\"{MONO}\" \
                 font-size=\"14\" text-anchor=\"middle\">{}</text>",
                number(x - width / 2.0),
                number(y - 13.0),
                number(*width),
                number(*x),
                number(y + 5.0),
                escaped(name)
            ));
        }
        for (name, x, y, _) in &self.leaves {
            out.line(format_args!(
                "<text x=\"{}\" y=\"{}\" fill=\"{INK}\" font-family=\"{MONO}\" font-size=\"15\" font-weight=\"600\" \
                 text-anchor=\"middle\">{}</text>",
                number(*x),
                number(y + 5.0),
                escaped(name)
            ));
        }
        out.line(format_args!("</g>"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, letter: &str, is_choice: bool) -> Node {
        Node { name: name.to_owned(), letter: Some(letter.to_owned()), is_choice }
    }

    #[test]
    fn letters_stand_in_the_order_of_the_word() {
        let tree = vec![node("C", "c", true), node("A", "b", false), node("A", "<", false)];
        let picture = trees_svg(std::slice::from_ref(&tree), &["tree 1 of 2".to_owned()], false, "abc").unwrap();
        assert!(
            picture.contains("C*") && picture.contains("&lt;") && picture.contains("other productions are possible")
        );
        let places =
            |is_mirrored| -> Vec<f64> { Shape::new(&tree, is_mirrored).leaves.iter().map(|leaf| leaf.1).collect() };
        assert!(places(false).is_sorted_by(|a, b| a > b) && places(true).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn nothing_and_units_have_a_place() {
        let unit = Node { name: "S".to_owned(), letter: None, is_choice: false };
        for tree in [vec![node("S", "ε", false)], vec![unit.clone(), node("A", "a", false)], vec![unit]] {
            assert!(trees_svg(&[tree], &[String::new()], false, "").is_ok());
        }
        assert!(trees_svg(&[], &[], false, "").is_ok());
        assert!(trees_svg(&[vec![node("A", "a", false); 61]], &[String::new()], false, "").is_err());
    }
}
